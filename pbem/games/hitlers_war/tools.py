"""What Hitler's War offers on the command line. Everything is imported when it is asked for."""

from pbem.games.tools import Board, Demo, Judge, Page, Tools


class HitlersWarTools(Tools):
    examples = {
        "new": "hitlers-war barbarossa --seat axis=a@example.org --seat soviet=b@example.net",
        "case": "tests/cases/hitlers-war/*.yaml",
        "demo": "--scenario campaign-1",
        "map hex": "Q16 SIBERIA Smolensk",
        "map route": "P10 L14 --side axis",
    }

    def board(self) -> Board:
        from pbem.games.hitlers_war.board import Europe

        return Europe()

    def judge(self) -> Judge:
        from engine.hitlers_war.cases.judging import judge

        return judge

    def demo(self) -> Demo:
        from pbem.draw import map_png

        return Demo("barbarossa", "ATACK Center P14 ADVANCE", map_png)

    def page(self) -> Page:
        from pbem.draw import print_png

        return print_png


TOOLS = HitlersWarTools()
