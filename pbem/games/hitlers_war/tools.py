"""What Hitler's War offers on the command line. Everything is imported when it is asked for."""

from pbem.games.tools import Board, Demo, Judge, Page, Tools


class HitlersWarTools(Tools):
    examples = {
        "new": "hitlers-war barbarossa --seat axis=a@example.org --seat soviet=b@example.net",
        "case": "tests/cases/hitlers-war/*.yaml",
        "demo": "--scenario campaign-1",
        "orders": "1 axis axis-1941-summer.txt",
        "show": "1 --as axis",
        "log": "1 --as soviet --turn 3",
        "replace": '1 axis "Carla <carla@example.org>"',
        "release": "17 --as soviet",
        "map print": "1 --as axis -o axis.png",
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
        from pbem.games.hitlers_war.pictures import map_png

        return Demo("barbarossa", "ATACK Center P14 ADVANCE", map_png)

    def page(self) -> Page:
        from pbem.games.hitlers_war.pictures import print_png

        return print_png


TOOLS = HitlersWarTools()
