"""A style is a value, and part of the key of whatever is kept: two games, or two looks of one, may be drawn by turns."""

import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from pbem.draw.card import paint_card
from pbem.draw.encode import as_png
from pbem.draw.kept import PICTURES
from pbem.draw.paint import frame_of, paint
from pbem.draw.scene import Attack, Fort, Mark, Orders, Scene, Step, Voyage, Way
from pbem.draw.style import Style
from pbem.games.hitlers_war.atlas import europe_atlas
from pbem.games.hitlers_war.card import card_of
from pbem.games.hitlers_war.map_scenes import map_scene, part_scene
from pbem.games.hitlers_war.style import style
from tests.barbarossa import GAME, barbarossa

VIEW = GAME.view(barbarossa(fog="fog"), "axis", "fog")
EMBLEMS = {"cross": "diamond", "diamond": "ring", "ring": "cross", "triangle": "square", "square": "triangle"}
#: Pixels a hex is wide on the whole map.
SMALL = 24


def altered(told: Any) -> Any:
    """Each colour with its parts exchanged, each emblem another one."""
    if isinstance(told, dict):
        return {name: part if name in ("side", "owner") else altered(part) for name, part in told.items()}
    if isinstance(told, str):
        return EMBLEMS.get(told) or f"#{told[3:]}{told[1:3]}"
    return [altered(part) for part in told]


OURS = style()
ANOTHER = msgspec.convert(altered(msgspec.to_builtins(OURS)), Style)


def part_with_orders() -> Scene:
    """Something of all that can be drawn."""
    return msgspec.structs.replace(
        part_scene(VIEW, ["P14"]),
        rings={"P14": "axis"},
        outlined=(("N13", "N14"),),
        marks=(Mark("battle", "Q14"), Mark("bombarded", "Q13")),
        forts={"P12": Fort("axis", "2"), "P15": Fort("soviet", "1", given_up=True)},
        ways=(Way("axis", "P10", "P13", "moved"),),
        voyages=(Voyage("axis", ("R10", "R11", "R12"), "sails"),),
        orders=Orders(
            "axis",
            attacks=(Attack("P13", "P14", "Center", fires="yes"),),
            steps=(Step("P14", "P15", "C 1"),),
            works={"P13": ("+2I",)},
        ),
    )


def painted(look: Style) -> list[bytes]:
    """A part of the board, all of it with its furniture, and a record sheet."""
    part, whole = part_with_orders(), map_scene(VIEW, [])
    boards = (paint(scene, frame_of(scene, europe_atlas(), SMALL), look) for scene in (part, whole))
    return [as_png(picture, look) for picture in (*boards, paint_card(card_of(VIEW, "axis", []), look))]


@pytest.fixture
def forget(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """As in a process that has drawn nothing yet."""

    def forget_all() -> None:
        monkeypatch.setattr(PICTURES, "_kept", OrderedDict())
        monkeypatch.setattr(PICTURES, "_weight", 0)
        drawing = [module for name, module in sys.modules.items() if name.startswith("pbem.draw.")]
        for function in [each for module in drawing for each in vars(module).values()]:
            if hasattr(function, "cache_clear"):
                function.cache_clear()

    return forget_all


def test_what_is_kept_of_one_style_is_not_shown_in_another(forget: Callable[[], None]) -> None:
    forget()
    ours, another = painted(OURS), painted(ANOTHER)
    assert not set(ours) & set(another)
    forget()
    assert [painted(ANOTHER), painted(OURS)] == [another, ours]
