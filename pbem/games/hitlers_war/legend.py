"""The key of a map: what its pictures may show to this reader in this war, and nothing they cannot."""

from typing import NamedTuple

from engine.game import PUBLIC
from engine.grand_strategy.state import NEUTRAL, UNALIGNED
from engine.grand_strategy.view import View
from engine.hitlers_war.scenario import load_scenario
from pbem.draw.scene import (
    CounterSample,
    CutOffSample,
    Face,
    Fort,
    FortSample,
    FrontSample,
    KeyEntry,
    KeyPart,
    LandSample,
    ProductionSample,
    SignSample,
    TagSample,
)
from pbem.games.hitlers_war.board_scene import SIDES
from pbem.games.hitlers_war.names import side_title
from pbem.games.hitlers_war.telling import key_to_marks


class Reader(NamedTuple):
    """What of a view the legend depends on."""

    side: str | None
    fog: str
    sides: tuple[str, ...]
    unaligned: bool
    unit_types: tuple[str, ...]
    at_sea: bool
    courted: str  # a side that a country is known to join

    @property
    def own(self) -> str:
        return self.side if self.side in self.sides else self.sides[0]

    @property
    def enemy(self) -> str:
        return next(side for side in self.sides if side != self.own)

    @property
    def has_eyes(self) -> bool:
        """In fog there is nothing that everybody sees."""
        return self.side != PUBLIC or self.fog != "fog"


def reader_of(view: View) -> Reader:
    unaligned = any(known.owner == UNALIGNED for known in view.places.values())
    courted = next((row.joins for row in view.politics if row.joins), "")
    scenario = load_scenario(view.scenario)
    types, at_sea = tuple(scenario.unit_types), bool(scenario.sea_transport)
    return Reader(view.side, view.fog, view.sides, unaligned, types, at_sea, courted)


def legend(view: View) -> tuple[KeyPart, KeyPart, KeyPart]:
    """In the order it stands on the map."""
    reader = reader_of(view)
    return _ground(reader), PLACES, _armies(reader)


def key_to_happenings(view: View) -> KeyPart:
    reader = reader_of(view)
    return KeyPart("WHAT HAPPENED", key_to_marks(reader.own, at_sea=reader.at_sea))


def key_to_front(view: View, *, happened: bool) -> tuple[KeyPart, ...]:
    """The legend in parts, the most important first."""
    ground, places, armies = legend(view)
    return armies, *((key_to_happenings(view),) if happened else ()), ground, places


# ------------------------------------------------------------------ ground and places


def _ground(reader: Reader) -> KeyPart:
    entries = [KeyEntry(side_title(side), LandSample(side, reader.has_eyes)) for side in reader.sides]
    if reader.unaligned:
        entries.append(KeyEntry("unaligned", LandSample(UNALIGNED, reader.has_eyes)))
    if reader.courted:
        entries.append(KeyEntry("will join, and when", _courted(reader.courted)))
    entries.append(KeyEntry("neutral, closed", LandSample(NEUTRAL)))
    if reader.has_eyes:
        entries.append(KeyEntry("front", FrontSample(reader.own, reader.enemy)))
    if reader.fog == "fog" and reader.has_eyes:
        entries.append(KeyEntry("out of sight, last known", LandSample(reader.enemy, in_sight=False)))
    if reader.fog == "fog":
        entries.append(KeyEntry("front, last known", FrontSample(reader.own, reader.enemy, firm=False)))
    entries.append(KeyEntry("border", SignSample("border")))
    return KeyPart("GROUND", tuple(entries))


def _courted(side: str) -> TagSample:
    """Without the season, which would be too small to read here."""
    return TagSample("prospect", side, f"→ {SIDES.get(side, side)}")


PLACES = KeyPart(
    "PLACES",
    (
        KeyEntry("capital", SignSample("capital")),
        KeyEntry("port", SignSample("port")),
        KeyEntry("production, 2 points", ProductionSample(2)),
        KeyEntry("2 points, 1 devastated", ProductionSample(3, 1)),
        KeyEntry("devastated", ProductionSample(2, 2)),
        KeyEntry("devastated for good", ProductionSample(2, 2, 2)),
        KeyEntry("strait to cross", SignSample("strait")),
        KeyEntry("water, no crossing", SignSample("water")),
        KeyEntry("out of supply", CutOffSample("Q16")),
        KeyEntry("mountain", SignSample("mountain")),
    ),
)


# ------------------------------------------------------------------ armies


#: Points that have no symbol of their own on a counter, only their letter.
LETTERED = {"tac": "1T", "para": "1P", "amph": "1A"}
LETTERED_NAMES = {"tac": "tac air", "para": "paratroop", "amph": "amphibious"}


def _armies(reader: Reader) -> KeyPart:
    return KeyPart("ARMIES", tuple(_kinds_of_armies(reader)))


def _kinds_of_armies(reader: Reader) -> list[KeyEntry]:
    if reader.side == PUBLIC and reader.fog != "open":
        return _armies_without_owner(reader)
    entries = [
        _army("infantry points", reader.own, "foot", "4I"),
        _army("mechanized points", reader.own, "mobile", "3M"),
        _army("both", reader.own, "both", "4I 3M"),
        *_further_types(reader),
    ]
    if reader.fog == "open" or reader.side is None:
        return entries
    return entries + (_veiled(reader.enemy) if reader.fog == "veiled" else _in_bands(reader.enemy))


def _further_types(reader: Reader) -> list[KeyEntry]:
    """What only some wars have: other points in one line, and forts."""
    others = [kind for kind in LETTERED if kind in reader.unit_types]
    entries = []
    if others:
        words = ", ".join(LETTERED_NAMES[kind] for kind in others)
        entries.append(_army(words, reader.own, "foot", " ".join(LETTERED[kind] for kind in others)))
    if "fort" in reader.unit_types:
        entries.append(KeyEntry("fort of 2, 1 being built", FortSample(Fort(reader.own, "2+1"))))
    return entries


def _armies_without_owner(reader: Reader) -> list[KeyEntry]:
    """What is public of armies: in fog nothing at all."""
    if not reader.has_eyes:
        return [KeyEntry("not known to everybody")]
    return [_army("strength unknown", side, "unknown", "") for side in reader.sides]


def _veiled(enemy: str) -> list[KeyEntry]:
    return [
        _army("enemy, strength unknown", enemy, "unknown", ""),
        _army("its strength in battle", enemy, "unknown", "4 Wi 41"),
    ]


def _in_bands(enemy: str) -> list[KeyEntry]:
    bands = (("light", "1 to 3"), ("medium", "4 to 6"), ("strong", "7 to 10"), ("massed", "11 and more"))
    entries = [_army(f"enemy of {points}", enemy, "bars", word, bars) for bars, (word, points) in enumerate(bands, 1)]
    return [*entries, _army("where last seen, when", enemy, "bars", "Wi 41", 2, ghost=True)]


def _army(words: str, side: str, symbol: str, strength: str, bars: int = 0, *, ghost: bool = False) -> KeyEntry:
    face = Face(side, "Army", symbol, strength, bars, ghost, brief=strength if ghost else "")
    return KeyEntry(words, CounterSample(face))
