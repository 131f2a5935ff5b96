"""The box of Round Island: what the referee may ask of it besides its rules."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import msgspec
from markupsafe import Markup

from engine.events import Event
from engine.game import Fog, Gate, Side
from engine.orders import Finding, Line, Sheet
from engine.results import LineResult
from pbem.games.box import Docs, Lead, Occasion, PartOfBoard, Picture, PlainBox
from pbem.words.looks import Style
from pbem.words.told_dice import Mention
from tests.toy.round_island import FOLDER
from tests.toy.round_island.rules.orders import LANGUAGE
from tests.toy.round_island.rules.plan import plan_of
from tests.toy.round_island.rules.view import View
from tests.toy.round_island.shown import names, ordered, record, story, style
from tests.toy.round_island.shown.form import form_lines
from tests.toy.round_island.shown.lead import lead_of
from tests.toy.round_island.shown.textmap import text_map

if TYPE_CHECKING:
    from tests.toy.round_island.shown.scene import Scene

    Shown = Scene | list[record.Record]

MAP, SHEET, ORDERS = "map.png", "sheet.png", "orders.png"


class RoundIslandBox(PlainBox):
    """Where it says nothing of its own, the listing answers."""

    docs = Docs(
        orders=str(FOLDER / "docs" / "orders.md"),
        rules=str(FOLDER / "docs" / "rules.md"),
        case=LANGUAGE.case_number,
        example="RI-4.3",
    )
    style = Style(tuple(style.SIDES.items()))

    # -------------------------------------------------------------- words

    def side_name(self, side: Side) -> str:
        return names.side_name(side)

    def sight(self, fog: Fog) -> str:
        return names.SIGHT[fog]

    def lead(self, events: Iterable[Event], before: View | None, now: View) -> Lead:
        return lead_of(before, now)

    def story(self, events: Iterable[Event], reader: Side | None) -> str:
        return story.diary(events)

    def story_html(self, events: Iterable[Event], reader: Side | None) -> Markup:
        return story.diary_html(events)

    def position(self, view: View) -> str:
        return record.position_text(self.game.title, view)

    def position_html(self, view: View) -> Markup:
        return record.position_html(view)

    def board(self, view: View) -> str:
        return text_map(view)

    def record(self, view: View, side: Side) -> str:
        return record.record_text(view, side)

    def record_html(self, view: View, side: Side) -> Markup:
        return record.record_html(view, side)

    def form(self, match_id: int, view: View, gate: Gate, side: Side) -> str:
        return form_lines(match_id, view, side)

    def result_words(self, line: Line | None, result: LineResult) -> str:
        return ordered.result_words(result)

    def tells_of(self, mention: Mention, place: str, purpose: str) -> bool:
        """Every sentence with a die names the hex, or the crater."""
        return names.place_name(place) in mention.sentence

    # -------------------------------------------------------------- pictures

    def pictures(self, occasion: Occasion, view: View, told: Iterable[Event] = ()) -> tuple[Picture, ...]:
        board = Picture(MAP, "map", record.map_in_words(view))
        sheet = Picture(SHEET, "sheet", record.record_in_words(view))
        return {"map": (board,), "sheet": (sheet,)}.get(occasion, (board, sheet))

    def part(self, view: View, named: str) -> PartOfBoard:
        hex_id = names.hex_named(named)
        picture = Picture(f"map-{hex_id}.png", f"part {hex_id}", record.part_in_words(view, hex_id))
        return PartOfBoard(names.place_name(hex_id), record.part_text(view, hex_id), (picture,))

    def orders_pictures(self, view: View, sheet: Sheet, findings: Iterable[Finding]) -> tuple[Picture, ...]:
        return (Picture(ORDERS, "orders", record.orders_in_words(view, sheet)),)

    def stage(self, view: bytes, told: bytes, orders: str) -> "Callable[[str], Shown]":
        known = msgspec.json.decode(view, type=View)
        return lambda what: self._shown(what, known, orders)

    def paint(self, shown: "Shown") -> bytes:
        from tests.toy.round_island.shown import picture

        return picture.png(shown)

    def _shown(self, what: str, view: View, orders: str) -> "Shown":
        from tests.toy.round_island.shown.scene import map_scene, orders_scene, part_scene

        match what.split():
            case ["part", hex_id]:
                return part_scene(view, hex_id)
            case ["map"]:
                return map_scene(view)
            case ["sheet"]:
                return record.records(view)
            case ["orders"]:
                sheet = self.game.parse(orders, view)
                return orders_scene(view, plan_of(view.spears_of(view.side or ""), sheet.lines).marches)
        raise LookupError(f"there is no picture {what!r}")
