"""The order form: what a side may look up while it writes, as comments."""

from engine.game import Side
from tests.toy.round_island.rules.board import neighbours
from tests.toy.round_island.rules.view import View
from tests.toy.round_island.shown import TEMPLATES
from tests.toy.round_island.shown.names import WORDS


def form_lines(match_id: int, view: View, side: Side) -> str:
    bands = [(hex_id, number, sorted(neighbours(hex_id))) for hex_id, number in sorted(view.spears_of(side).items())]
    standing = view.standing.get(side, "")
    values = {"match_id": match_id, "view": view, "side": side, "bands": bands, "standing": standing}
    return TEMPLATES.text("form.txt.j2", **values, **WORDS)
