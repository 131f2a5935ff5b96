"""The box of Hitler's War: what the referee may ask of it besides its rules."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Protocol

import msgspec
from markupsafe import Markup

from engine.events import Event
from engine.game import Fog, Game, Gate, Side
from engine.grand_strategy.drafted import Drafted
from engine.grand_strategy.events import AnyEvent
from engine.grand_strategy.view import View
from engine.hitlers_war.language.words import CASE_NUMBER
from engine.orders import Finding, Line, Sheet
from engine.results import LineResult
from pbem.draw.scene import Scene
from pbem.games.box import Lead, Occasion, PartOfBoard, Picture, Plan
from pbem.games.hitlers_war import names, ordered, record, story, told_dice
from pbem.games.hitlers_war.form import form_lines
from pbem.games.hitlers_war.lead import lead_of
from pbem.games.hitlers_war.part import PART, part_of_board
from pbem.games.hitlers_war.production_plan import plan_of
from pbem.games.hitlers_war.textmap import text_map
from pbem.words.looks import Style
from pbem.words.manual import Docs
from pbem.words.told_dice import Mention
from pbem.words.wording import side_name

if TYPE_CHECKING:
    from pbem.draw.card import Card

MAP, SHEET, ORDERS = "map.png", "sheet.png", "orders.png"
#: Before what a sheet would come to, where the picture of it is named.
DRAFTED = "drafted "


class Rules(Game, Protocol):
    """Its rules, which say besides what a sheet would come to before any die is rolled."""

    def drafted(self, view: View, sheet: Sheet) -> Drafted: ...


class HitlersWarBox:
    docs = Docs(
        orders="hitlers-war/orders.md",
        rulings="hitlers-war/rulings.md",
        case=CASE_NUMBER,
        example="HW-8.4",
        playing="hitlers-war/playing.md",
        rules="hitlers-war/rules.md",
        tables="hitlers-war/tables.md",
    )
    style = Style((("axis", "#42588c"), ("soviet", "#a83a26"), ("allies", "#1f5241")))

    def __init__(self, game: Rules) -> None:
        self.game = game

    # -------------------------------------------------------------- words

    def side_name(self, side: Side) -> str:
        return side_name(side)

    def sight(self, fog: Fog) -> str:
        return names.SIGHT[fog]

    def named(self, text: str) -> str:
        return names.as_in_orders(text)

    def lead(self, events: Iterable[Event], before: View | None, now: View) -> Lead:
        return lead_of(events, before, now)

    def story(self, events: Iterable[Event], reader: Side | None) -> str:
        return story.diary(events, reader)

    def story_html(self, events: Iterable[Event], reader: Side | None) -> Markup:
        return story.diary_html(events, reader)

    def position(self, view: View) -> str:
        return record.show_text(self.game.title, view)

    def position_html(self, view: View) -> Markup:
        return record.position_html(view)

    def board(self, view: View) -> str:
        return text_map(view)

    def record(self, view: View, side: Side) -> str:
        return record.record_sheet(view, side)

    def record_html(self, view: View, side: Side) -> Markup:
        return record.record_sheet_html(view, side)

    def form(self, match_id: int, view: View, gate: Gate, side: Side) -> str:
        return form_lines(match_id, view, gate, side)

    def result_words(self, line: Line | None, result: LineResult) -> str:
        return ordered.result_words(line, result)

    def plan(self, view: View, sheet: Sheet) -> Plan | None:
        return plan_of(self.game.drafted(view, sheet).bill)

    def tells_of(self, mention: Mention, place: str, purpose: str) -> bool:
        return told_dice.tells_of(mention, place, purpose)

    # -------------------------------------------------------------- pictures

    def stands(self, view: View) -> Mapping[str, str]:
        return {army.id: army.place for army in view.armies.values() if army.side == view.side}

    def pictures(self, occasion: Occasion, view: View, told: Iterable[Event] = ()) -> tuple[Picture, ...]:
        """A report shows the part of the board where the war is, at a size that can be read; a welcome all of it."""
        alt = record.alt_texts(view, told)
        board = Picture(MAP, "front" if occasion == "report" else "map", alt.map)
        sheet = Picture(SHEET, "sheet", alt.sheet)
        return {"map": (board,), "sheet": (sheet,)}.get(occasion, (board, sheet))

    def part(self, view: View, named: str) -> PartOfBoard:
        return part_of_board(view, named)

    def orders_pictures(self, view: View, sheet: Sheet, findings: Iterable[Finding]) -> tuple[Picture, ...]:
        """What is to be drawn goes with the picture, so that whoever draws it need not read the sheet again."""
        drafted = self.game.drafted(view, sheet)
        return (Picture(ORDERS, DRAFTED + msgspec.json.encode(drafted).decode(), record.orders_in_words(drafted)),)

    def stage(self, view: bytes, told: bytes, orders: str) -> "Callable[[str], Scene | Card]":
        known = msgspec.json.decode(view, type=View)
        events = tuple(msgspec.json.decode(told, type=list[AnyEvent]))
        return lambda what: self._shown(what, known, events, orders)

    def paint(self, shown: "Scene | Card") -> bytes:
        from pbem.games.hitlers_war import pictures

        return pictures.png(shown)

    def _shown(self, what: str, view: View, told: tuple[Event, ...], orders: str) -> "Scene | Card":
        from pbem.games.hitlers_war import card, map_scenes, orders_scene

        if what.startswith(DRAFTED):
            return orders_scene.orders_scene(view, msgspec.json.decode(what.removeprefix(DRAFTED), type=Drafted))
        if what.startswith(PART):
            return map_scenes.part_scene(view, what.removeprefix(PART).split())
        match what.partition(" ")[0]:
            case "front":
                return map_scenes.front_scene(view, told)
            case "map":
                return map_scenes.map_scene(view, told)
            case "sheet":
                return card.card_of(view, names.side_shown(view), told)
            case "orders" | "plan":  # in sketches of earlier programs
                sheet = self.game.parse(orders, view)
                return orders_scene.orders_scene(view, self.game.drafted(view, sheet))
        raise LookupError(f"there is no picture {what!r}")
