"""Pictures that were looked at and found good, a quarter of their size, and the views they were drawn from.

The views and events are kept as JSON, so that a change to the rules or the bots changes no picture. After a change to
the drawing: look at the pictures, then `python -m tests.gallery` hangs the new ones; `--scenes` plays new scenes too.
"""

import io
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import msgspec
from PIL import Image, ImageChops, ImageStat

from engine.dice import KeyedDice
from engine.events import Event, canonical
from engine.game import Options
from engine.grand_strategy.events import AnyEvent
from engine.grand_strategy.state import State
from engine.grand_strategy.view import View
from engine.hitlers_war.scenario import load_scenario
from pbem.games.hitlers_war.pictures import front_png, map_png, orders_png, sheet_png
from tests.barbarossa import GAME

WALL = Path(__file__).parent / "golden"
SMALLER, COLOURS, BLOCK = 4, 128, 16

ORDERS = """
GOTO Rumania M14
ATTACK North R13 ASSAULT ADVANCE
ATTACK Fourth P14 ASSAULT
ATTACK Center P14 ASSAULT-IF RANGE<5 ADVANCE IF RANGE>=2
ATTACK South N14 ASSAULT ADVANCE
EXPLOIT North S14 STOP-IF RANGE<1
EXPLOIT Center P15 (Q16|O15 IF DEF O15<2)
EXPLOIT South N15 N16
BUILD 1M P10
REPAIR L12
STANDING RETREAT South TO M13,N12
STANDING RETREAT North AVOID Q12
STANDING DEFEND ALL NOW
"""

#: Countries and forts: what only a campaign has.
FIRST_WINTER = """
VIOLATE Poland
ATTACK Fourth P12 ASSAULT ADVANCE
ATTACK South O13 ASSAULT ADVANCE
EXPLOIT South P13
DISMANTLE FORT N9
FORT N10 1
BUILD 2I P10
STANDING GIFT Rumania L14 Rumania
STANDING GIFT Finland U14
STANDING ADOPT United States AS C
"""


class Scene(msgspec.Struct):
    """A view and the events told with it."""

    view: View
    told: list[AnyEvent]


@cache
def war(gates: int, fog: str, scenario: str = "barbarossa") -> tuple[bytes, list[Event]]:
    """A war of the random players after so many gates, and the events of the last one of each side."""
    state, events = GAME.setup(scenario, Options(fog=fog)), []
    others = len(load_scenario(scenario).sides) - 1
    while (gate := GAME.gate(state)) is not None and gates:
        sheets = {}
        for side in gate.awaits:
            view = GAME.view(state, side, fog)
            sheets[side] = GAME.parse(GAME.bot(view, f"draw {gate.id}".encode()), view)
        state, happened = GAME.run(state, sheets, KeyedDice(b"draw", gate.id))
        events, gates = [*events[-others:], happened], gates - 1
    return GAME.encode(state), [event for happened in events for event in happened]


def position(gates: int, fog: str = "fog", scenario: str = "barbarossa") -> State:
    return GAME.decode(war(gates, fog, scenario)[0])


def told(gates: int, side: str | None, fog: str = "fog", scenario: str = "barbarossa") -> list[Event]:
    return GAME.told(war(gates, fog, scenario)[1], side, fog)


def played(gates: int, fog: str, side: str | None, scenario: str = "barbarossa") -> Scene:
    return Scene(GAME.view(position(gates, fog, scenario), side, fog), told(gates, side, fog, scenario))


SCENES: dict[str, Callable[[], Scene]] = {
    "start": lambda: played(0, "fog", "axis"),
    "midwar": lambda: played(7, "fog", "soviet"),
    "midwar-veiled": lambda: played(7, "veiled", "axis"),
    "end": lambda: played(99, "open", None),
    "campaign": lambda: played(30, "fog", "allies", "campaign-1"),
    "first-winter": lambda: played(0, "fog", "axis", "campaign-1"),
}


def scene(name: str) -> Scene:
    return msgspec.json.decode((WALL / f"{name}.json").read_bytes(), type=Scene)


def _map(name: str) -> bytes:
    return map_png(scene(name).view, scene(name).told)


def _sheet(name: str, side: str) -> bytes:
    return sheet_png(scene(name).view, side, scene(name).told)


def _orders(name: str, text: str) -> bytes:
    view = scene(name).view
    return orders_png(view, GAME.drafted(view, GAME.parse(text, view)))


PICTURES: dict[str, Callable[[], bytes]] = {
    "map-start-fog": lambda: _map("start"),
    "map-midwar-fog": lambda: _map("midwar"),
    "map-midwar-veiled": lambda: _map("midwar-veiled"),
    "map-end-open": lambda: _map("end"),
    "front-midwar": lambda: front_png(scene("midwar").view, scene("midwar").told),
    "sheet-own": lambda: _sheet("midwar", "soviet"),
    "sheet-enemy": lambda: _sheet("midwar", "axis"),
    "orders": lambda: _orders("start", ORDERS),
    "orders-first-winter": lambda: _orders("first-winter", FIRST_WINTER),
    "map-campaign-fog": lambda: _map("campaign"),
    "front-campaign": lambda: front_png(scene("campaign").view, scene("campaign").told),
    "sheet-campaign": lambda: _sheet("campaign", "allies"),
}


# ------------------------------------------------------------------ comparing


def small(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB").reduce(SMALLER)


def hung(name: str) -> Image.Image:
    return Image.open(WALL / f"{name}.png")


def distance(one: Image.Image, golden: Image.Image) -> tuple[float, float]:
    """How much they differ on the whole and in the worst block, from 0 to 255; blocks overlap by half."""
    if one.size != golden.size:
        return 255.0, 255.0
    as_hung = one.quantize(palette=golden, dither=Image.Dither.NONE).convert("RGB")
    difference = ImageChops.difference(as_hung, golden.convert("RGB")).convert("L")
    starts = [(x, y) for x in (0, BLOCK // 2) for y in (0, BLOCK // 2)]
    blocks = (difference.crop((x, y, *difference.size)).reduce(BLOCK).getextrema()[1] for x, y in starts)
    return ImageStat.Stat(difference).mean[0], max(map(float, blocks))


def hang(name: str) -> None:
    picture = small(PICTURES[name]())
    picture.quantize(palette=picture.quantize(COLOURS), dither=Image.Dither.NONE).save(
        WALL / f"{name}.png", optimize=True
    )


def main() -> None:
    if "--scenes" in sys.argv:
        for name, play in SCENES.items():
            (WALL / f"{name}.json").write_bytes(canonical(play()) + b"\n")
    for name in PICTURES:
        hang(name)


if __name__ == "__main__":
    main()
