"""The orders of the family as values. `str` writes an order in the language it is read from.

Conditions are tuples of tests that must all hold. Where an order may carry a condition, None means the word was
not written, an empty tuple that it was written without a condition.
"""

from typing import Literal

import msgspec

from engine.grand_strategy.units import UNITS

Comparison = Literal["<", "<=", ">", ">=", "="]

#: In place of a number of points: all the giver has of that type. Only XFER and FORM are read with it.
ALL = -1


class Order(msgspec.Struct, frozen=True, tag_field="order"):
    """Any order. Armies are given by id, hexes and boxes by name."""


# ------------------------------------------------------------------ tests


class Compare(msgspec.Struct, frozen=True, tag="compare"):
    """RANGE>=4, DEF<=3, DEF <hex><2, LOSS>=3 and the like. `hex` is only used by DEF and RANGE."""

    subject: Literal["RANGE", "DEF", "STR", "MECH", "LOSS", "PP", "ATTACKERS"]
    op: Comparison
    number: int
    hex: str = ""

    def __str__(self) -> str:
        return f"{self.subject}{' ' + self.hex if self.hex else ''}{self.op}{self.number}"


class CompareDefence(msgspec.Struct, frozen=True, tag="compare-defence"):
    """DEF P13<DEF P14"""

    left: str
    op: Comparison
    right: str

    def __str__(self) -> str:
        return f"DEF {self.left}{self.op}DEF {self.right}"


class TargetIs(msgspec.Struct, frozen=True, tag="is"):
    """EMPTY, FRIENDLY, FORT, OCCUPIED about the target; WINTER about the season."""

    word: Literal["EMPTY", "FRIENDLY", "FORT", "OCCUPIED", "WINTER"]

    def __str__(self) -> str:
        return self.word


class Taken(msgspec.Struct, frozen=True, tag="taken"):
    """TAKEN Q15, NOT TAKEN Q15"""

    hex: str
    negated: bool = False

    def __str__(self) -> str:
        return f"{'NOT ' if self.negated else ''}TAKEN {self.hex}"


class Rolled(msgspec.Struct, frozen=True, tag="rolled"):
    """ROLLED Center: its advance succeeded."""

    army: str

    def __str__(self) -> str:
        return f"ROLLED {self.army}"


Test = Compare | CompareDefence | TargetIs | Taken | Rolled
Tests = tuple[Test, ...]


def _tests(tests: Tests) -> str:
    return " AND ".join(map(str, tests))


def _clause(word: str, tests: Tests | None) -> str:
    if tests is None:
        return ""
    return f" {word} IF {_tests(tests)}" if tests else f" {word}"


def _condition(tests: Tests) -> str:
    return f" IF {_tests(tests)}" if tests else ""


def _strength(points: dict[str, int]) -> str:
    return " ".join(_points(points[name], kind.letter) for name, kind in UNITS.items() if points.get(name))


def _points(count: int, letter: str) -> str:
    return f"ALL {letter}" if count == ALL else f"{count}{letter}"


# ------------------------------------------------------------------ set-up and movement


class DevastateFrance(Order, frozen=True, tag="DEVASTATE-FRANCE"):
    """Which points are out of use for the whole game (HW-15.2). A hex is repeated for two points."""

    hexes: tuple[str, ...]

    def __str__(self) -> str:
        return f"DEVASTATE-FRANCE {' '.join(self.hexes)}"


class Set(Order, frozen=True, tag="SET"):
    """The final picture of one army: where it stands and what it holds."""

    army: str
    hex: str
    points: dict[str, int]

    def __str__(self) -> str:
        return f"SET {self.army} {self.hex} {_strength(self.points)}"


class GoTo(Order, frozen=True, tag="GOTO"):
    army: str
    hex: str

    def __str__(self) -> str:
        return f"GOTO {self.army} {self.hex}"


class Transfer(Order, frozen=True, tag="XFER"):
    points: dict[str, int]
    giver: str
    taker: str

    def __str__(self) -> str:
        return f"XFER {_strength(self.points)} {self.giver} -> {self.taker}"


class Form(Order, frozen=True, tag="FORM"):
    army: str
    hex: str
    points: dict[str, int]
    giver: str

    def __str__(self) -> str:
        return f"FORM {self.army} {self.hex} {_strength(self.points)} FROM {self.giver}"


class Disband(Order, frozen=True, tag="DISBAND"):
    """Empty an army, into another one or into the hand for SET and FORM lines to place."""

    army: str
    taker: str = ""

    def __str__(self) -> str:
        return f"DISBAND {self.army}{' INTO ' + self.taker if self.taker else ''}"


class Convert(Order, frozen=True, tag="CONVERT"):
    """Amphibious points of an army become infantry, and stay so (HW-6.7)."""

    points: int
    army: str

    def __str__(self) -> str:
        return f"CONVERT {_points(self.points, 'A')} {self.army}"


class Ship(Order, frozen=True, tag="SHIP"):
    """Points that go from one army to another over these seas; over the best ones if none are named (D-06)."""

    points: dict[str, int]
    giver: str
    taker: str
    seas: tuple[str, ...] = ()

    def __str__(self) -> str:
        via = f" VIA {','.join(sea.upper() for sea in self.seas)}" if self.seas else ""
        return f"SHIP {_strength(self.points)} {self.giver} -> {self.taker}{via}"


class Route(Order, frozen=True, tag="ROUTE"):
    """The exact way of an army over the sea, place by place, for its move or its landing (D-06, D-25)."""

    army: str
    places: tuple[str, ...]

    def __str__(self) -> str:
        return f"ROUTE {self.army} {' '.join(self.places)}"


# ------------------------------------------------------------------ combat


class Attack(Order, frozen=True, tag="ATTACK"):
    army: str
    hex: str
    assault: Tests | None = None
    save: bool = False
    advance: Tests | None = None
    no_advance: bool = False
    seq: int | None = None
    after: str = ""

    def __str__(self) -> str:
        text = f"ATTACK {self.army} {self.hex}"
        if self.assault is not None:
            text += f" ASSAULT-IF {_tests(self.assault)}" if self.assault else " ASSAULT"
        text += " SAVE" if self.save else ""
        text += _clause("ADVANCE", self.advance)
        text += " NOADVANCE" if self.no_advance else ""
        text += f" SEQ {self.seq}" if self.seq is not None else ""
        return text + (f" AFTER {self.after}" if self.after else "")


class Step(msgspec.Struct, frozen=True, tag="step"):
    """One hex of an exploitation. `hex` RETURN means the hex the army last advanced from."""

    hex: str
    assault: Tests | None = None
    save: bool = False

    def __str__(self) -> str:
        if self.assault is not None:
            return f"{self.hex}:ASSAULT-IF {_tests(self.assault)}" if self.assault else f"{self.hex}:ASSAULT"
        return f"{self.hex}:SAVE" if self.save else self.hex


class Branch(msgspec.Struct, frozen=True, tag="branch"):
    """(P14|P13 IF DEF P13<DEF P14): the second step if the tests hold, else the first."""

    first: Step
    second: Step
    tests: Tests

    def __str__(self) -> str:
        return f"({self.first}|{self.second}{_condition(self.tests)})"


class Exploit(Order, frozen=True, tag="EXPLOIT"):
    """A path for one army. Any one of the STOP-IF conditions ends it."""

    army: str
    path: tuple[Step | Branch, ...]
    stop_if: tuple[Tests, ...] = ()
    after: str = ""

    def __str__(self) -> str:
        text = f"EXPLOIT {self.army} {' '.join(map(str, self.path))}"
        text += "".join(f" STOP-IF {_tests(tests)}" for tests in self.stop_if)
        return text + (f" AFTER {self.after}" if self.after else "")


class Invade(Order, frozen=True, tag="INVADE"):
    """A landing from the sea (HW-13). The army fires unless it says SAVE; the advance must be tried.

    `start` is where the player believes the army to be; `via` are places its route must touch, in order.
    """

    army: str
    hex: str
    start: str = ""
    via: tuple[str, ...] = ()
    assault: Tests | None = None
    save: bool = False
    seq: int | None = None
    after: str = ""

    def __str__(self) -> str:
        text = f"INVADE {self.army} {self.hex}"
        text += f" FROM {self.start}" if self.start else ""
        text += f" VIA {','.join(self.via)}" if self.via else ""
        if self.assault is not None:
            text += f" ASSAULT-IF {_tests(self.assault)}" if self.assault else " ASSAULT"
        text += " SAVE" if self.save else ""
        text += f" SEQ {self.seq}" if self.seq is not None else ""
        return text + (f" AFTER {self.after}" if self.after else "")


class Support(Order, frozen=True, tag="SUPPORT"):
    """The landings that the navy supports; no hexes stand for none (D-29)."""

    hexes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"SUPPORT {','.join(self.hexes) or 'NONE'}"


class Unstack(Order, frozen=True, tag="UNSTACK"):
    """How to cure an overstack (HW-9.13)."""

    hex: str
    army: str
    to: str

    def __str__(self) -> str:
        return f"UNSTACK {self.hex} BY {self.army} TO {self.to}"


# ------------------------------------------------------------------ policies, usually standing

Where = str  # an army's id, a hex, a country, ALL, or a word of the game


class Defend(Order, frozen=True, tag="DEFEND"):
    """When the armies there make their defensive assault (D-13), and against whom (D-32)."""

    where: Where
    policy: Literal["NOW", "HOLD", "NEVER", "EXPLOIT-ONLY", "INVADERS", "LAND", "IF"]
    tests: Tests = ()

    def __str__(self) -> str:
        return f"DEFEND {self.where} {self.policy}{' ' + _tests(self.tests) if self.tests else ''}"


class Losses(Order, frozen=True, tag="LOSSES"):
    """Which points are removed first (D-11, D-12)."""

    where: Where
    armies: tuple[str, ...] = ()
    types: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = f"LOSSES {self.where}"
        text += f" FROM {','.join(self.armies)}" if self.armies else ""
        return text + (f" TYPES {','.join(UNITS[name].letter for name in self.types)}" if self.types else "")


class Retreat(Order, frozen=True, tag="RETREAT"):
    """Where displaced armies go (D-18)."""

    where: Where
    manner: Literal["TO", "TOWARD", "AVOID", "DIE"]
    hexes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"RETREAT {self.where} {self.manner}{' ' + ','.join(self.hexes) if self.hexes else ''}"


#: Which of several invading armies is fired at: the largest, the one with the most amphibious points, or a named one.
Aim = Literal["BIGGEST", "MOSTAMPH", "ARMY"]


class NavalFire(Order, frozen=True, tag="NAVALFIRE"):
    """Whom the navy fires at while an invasion passes (D-26)."""

    aim: Aim | Literal["SPREAD", "NEVER"]
    army: str = ""
    until_no_amph: bool = False  # an army without amphibious points is left alone while another is in reach

    @property
    def where(self) -> str:
        return "INVASIONS"

    def __str__(self) -> str:
        aim = self.aim if self.aim in ("SPREAD", "NEVER") else f"AT {_aim(self.aim, self.army)}"
        return f"NAVALFIRE INVASIONS {aim}{' UNTIL AMPH=0' if self.until_no_amph else ''}"


class NavalReserve(Order, frozen=True, tag="NAVALFIRE-RESERVE"):
    """The last so many fires at an army's route are kept for that army (D-26)."""

    fires: int
    army: str

    @property
    def where(self) -> str:
        return self.army

    def __str__(self) -> str:
        return f"NAVALFIRE RESERVE {self.fires} FOR {self.army}"


class Coastal(Order, frozen=True, tag="COASTAL"):
    """Whom coastal air fires at when a hex is invaded (D-27)."""

    where: Where
    aim: Aim
    army: str = ""

    def __str__(self) -> str:
        return f"COASTAL {self.where} AT {_aim(self.aim, self.army)}"


def _aim(aim: str, army: str) -> str:
    return army if aim == "ARMY" else aim


# ------------------------------------------------------------------ production


class Build(Order, frozen=True, tag="BUILD"):
    """New strength points: a fixed number, or with MAX as many of one type as the money buys.

    `hexes` are tried in order; ANY stands for the fullest production hex with room.
    """

    points: dict[str, int]
    hexes: tuple[str, ...]
    army: str = ""
    new: bool = False
    most: str = ""
    tests: Tests = ()

    def __str__(self) -> str:
        what = f"MAX {UNITS[self.most].letter}" if self.most else _strength(self.points)
        text = f"BUILD {what} {' OR '.join(self.hexes)}"
        text += f"{' NEW' if self.new else ''} {self.army}" if self.army else ""
        return text + _condition(self.tests)


class Repair(Order, frozen=True, tag="REPAIR"):
    """Restore devastated points; 0 stands for as many as possible."""

    hex: str
    points: int = 0
    tests: Tests = ()

    def __str__(self) -> str:
        return f"REPAIR {self.hex}{f' {self.points}' if self.points else ''}{_condition(self.tests)}"


# ------------------------------------------------------------------ set-up by mail and politics

ALWAYS = "ALWAYS"


class Deploy(Order, frozen=True, tag="DEPLOY"):
    """Points of the pool that begin the war in one army (HW-16.1)."""

    army: str
    hex: str
    points: dict[str, int]

    def __str__(self) -> str:
        return f"DEPLOY {self.army} {self.hex} {_strength(self.points)}"


class LendLease(Order, frozen=True, tag="LENDLEASE"):
    """Production points for another side through one depot; ALWAYS in place of the hex uses any of them."""

    hex: str
    points: int

    @property
    def where(self) -> str:
        return self.hex

    def __str__(self) -> str:
        return f"LENDLEASE {self.hex} {self.points}"


class Violate(Order, frozen=True, tag="VIOLATE"):
    """The confirmation that a first attack on an unaligned country is meant (D-40)."""

    country: str

    def __str__(self) -> str:
        return f"VIOLATE {self.country}"


class SurrenderTerms(Order, frozen=True, tag="SURRENDER-TERMS"):
    """The answer to an offer of surrender (D-41)."""

    answer: Literal["ACCEPT", "REFUSE"]

    def __str__(self) -> str:
        return f"SURRENDER-TERMS {self.answer}"


class Gift(Order, frozen=True, tag="GIFT"):
    """Where the forces of a new ally appear, and in which army (D-43)."""

    country: str
    hex: str
    army: str = ""

    def __str__(self) -> str:
        return f"GIFT {self.country} {self.hex}{' ' + self.army if self.army else ''}"


class Adopt(Order, frozen=True, tag="ADOPT"):
    """The counter for the army of a country that changes over (D-45)."""

    country: str
    army: str

    def __str__(self) -> str:
        return f"ADOPT {self.country} AS {self.army}"


class Fortify(Order, frozen=True, tag="FORT"):
    """New fort points in a hex, under construction until the next Production Phase (HW-14.3)."""

    hex: str
    points: int = 1
    tests: Tests = ()

    def __str__(self) -> str:
        return f"FORT {self.hex} {self.points}{_condition(self.tests)}"


class Dismantle(Order, frozen=True, tag="DISMANTLE"):
    """Give up a fort, named by its number or its hex, with all its points (HW-14.2)."""

    fort: str
    tests: Tests = ()

    def __str__(self) -> str:
        return f"DISMANTLE FORT {self.fort}{_condition(self.tests)}"


# ------------------------------------------------------------------ about standing orders


class Cancel(Order, frozen=True, tag="CANCEL"):
    """Remove one standing order, or with no text all of them (STANDING CLEAR)."""

    standing: "StandingOrder | None" = None

    def __str__(self) -> str:
        return f"CANCEL {self.standing}" if self.standing is not None else "STANDING CLEAR"


StandingOrder = (
    Defend | Losses | Retreat | LendLease | SurrenderTerms | Gift | Adopt | NavalFire | NavalReserve | Coastal
)
MoveOrder = DevastateFrance | Deploy | Set | GoTo | Transfer | Form | Disband | Convert | Ship | Route
CombatOrder = Violate | Attack | Invade | Support | Exploit | Unstack
ProductionOrder = Build | Repair | LendLease | Fortify | Dismantle
#: What a sheet may hold for a later gate of its player-turn.
LaterOrder = CombatOrder | Losses | SurrenderTerms | ProductionOrder
AnyOrder = MoveOrder | CombatOrder | StandingOrder | ProductionOrder | Cancel
