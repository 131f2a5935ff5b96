"""The orders of Round Island and how a sheet is read. `parse(str(order)) == order`, as everywhere in this house."""

import re
from collections.abc import Callable

import msgspec

from engine.language import Language, LineCannotBeUsed, SheetIsForAnotherGate, SheetReader, Understood, Verb
from engine.language.names import key_of, nearest, plain
from engine.language.sheet import heading_parts
from engine.orders import Kind, Sheet
from tests.toy.round_island.rules.board import LAYOUT, hexes
from tests.toy.round_island.rules.view import View


class March(msgspec.Struct, frozen=True, tag="MARCH"):
    """RI-3.1."""

    spears: int
    origin: str
    target: str

    def __str__(self) -> str:
        return f"MARCH {self.spears} {self.origin} {self.target}"


class Rally(msgspec.Struct, frozen=True, tag="RALLY"):
    """RI-3.5."""

    hex: str

    def __str__(self) -> str:
        return f"RALLY {self.hex}"


class Hold(msgspec.Struct, frozen=True, tag="HOLD"):
    """RI-3.6."""

    def __str__(self) -> str:
        return "HOLD"


class Clear(msgspec.Struct, frozen=True, tag="CLEAR"):
    """RI-9.2: no standing order any more."""

    def __str__(self) -> str:
        return "CLEAR"


Order = March | Rally | Hold | Clear

LANGUAGE = Language(
    verbs=(
        Verb("MARCH", "MARCH 3 0102 0103", "three spears march to a hex beside theirs", "RI-3.1"),
        Verb("RALLY", "RALLY 0103", "all spears without another order go one hex towards it", "RI-3.5", may_stand=True),
        Verb("HOLD", "HOLD", "everybody else stays, whatever the standing order says", "RI-3.6"),
        Verb("CLEAR", "STANDING CLEAR", "forget the standing order", "RI-9.2", may_stand=True),
    ),
    sections=("STANDING",),
    headings=("GAME", "TURN", "SIDE"),
    place=LAYOUT.codec.looks_like,
    case_number=r"RI-\d+(?:\.\d+)?",
    places={known.name: hex_id for hex_id, known in hexes().items() if known.name},
    meant={"MOVE": "MARCH 3 0102 0103", "ATTACK": "MARCH 3 0102 0103", "STAY": "HOLD"},
)
_NUMBER = re.compile(r"[1-9]\d?", re.ASCII)

#: A word of a line, and the column where it begins.
Word = tuple[str, int]


def read_sheet(text: str, view: View, match: str = "") -> Sheet:
    return IslandReader(view, match).sheet(text)


class IslandReader(SheetReader):
    def __init__(self, view: View, match: str) -> None:
        super().__init__(view.side or "", LANGUAGE.sections)
        self._fits = {"GAME": match, "TURN": str(view.moon), "SIDE": self.side.upper()}

    def is_heading(self, text: str, line: str) -> bool:
        """`GAME 17 TURN 3 SIDE Ember`, or a part of it. A moon may be called Moon 3."""
        parts = heading_parts(text, LANGUAGE.headings)
        for word, value in parts:
            if self._fits[word] and value.removeprefix("MOON ") != self._fits[word]:
                raise SheetIsForAnotherGate(f"This sheet is for {word} {value.capitalize()}.", line)
        return bool(parts)

    def what_would_fit(self) -> str:
        return f"Begin with TURN {self._fits['TURN']} SIDE {self._fits['SIDE'].capitalize()}, or leave the heading out."

    def understand(self, number: int, line: str) -> Understood:
        words = [(found[0], found.start() + 1) for found in re.finditer(r"\S+", plain(line))]
        standing = self.section == "STANDING" or words[0][0] == "STANDING"
        if words[0][0] == "STANDING":
            words = words[1:] or [("", words[0][1])]
        (verb, column), *rest = words
        LANGUAGE.must_have(verb, column)
        if standing != (verb == "CLEAR") and not (standing and verb in LANGUAGE.may_stand):
            raise LineCannotBeUsed(Kind.ILLEGAL, *_WRONG_PLACE[standing], column)
        return Understood(_READ[verb](rest, verb), standing)


#: What is said of a verb that stands among orders and should not, or the other way round.
_WRONG_PLACE = {
    False: ("CLEAR is about standing orders (RI-9.2).", "Write STANDING CLEAR."),
    True: ("Only RALLY and CLEAR can stand (RI-9.1).", "Example: STANDING RALLY 0103"),
}


# ------------------------------------------------------------------ what stands behind a verb


def _march(words: list[Word], verb: str) -> Order:
    (spears, column), origin, target = _exactly(words, 3, verb)
    if not _NUMBER.fullmatch(spears):
        why = f"{spears[:20]} is no number of spears from 1 to 99."
        raise LineCannotBeUsed(Kind.UNREADABLE, why, LANGUAGE.usage(verb), column)
    return March(int(spears), _place(origin), _place(target))


def _rally(words: list[Word], verb: str) -> Order:
    (goal,) = _exactly(words, 1, verb)
    return Rally(_place(goal))


def _hold(words: list[Word], verb: str) -> Order:
    _exactly(words, 0, verb)
    return Hold()


def _clear(words: list[Word], verb: str) -> Order:
    _exactly(words, 0, verb)
    return Clear()


_READ: dict[str, Callable[[list[Word], str], Order]] = {
    "MARCH": _march,
    "RALLY": _rally,
    "HOLD": _hold,
    "CLEAR": _clear,
}


def _exactly(words: list[Word], count: int, verb: str) -> list[Word]:
    if len(words) == count:
        return words
    why = f"Behind {verb} I expect {count or 'no'} word{'s' if count != 1 else ''}, and there are {len(words)}."
    raise LineCannotBeUsed(Kind.UNREADABLE, why, LANGUAGE.usage(verb), words[count][1] if len(words) > count else 0)


def _place(word: Word) -> str:
    """The id of a hex, or the name of a village."""
    text, column = word
    ids = {key_of(known.name): hex_id for hex_id, known in hexes().items() if known.name}
    if text in hexes():
        return text
    if key_of(text) in ids:
        return ids[key_of(text)]
    likely = nearest(key_of(text), ids) or nearest(text, hexes())
    remedy = f"Did you mean {ids.get(likely, likely)}?" if likely else "Hexes are called 0102, villages also by name."
    raise LineCannotBeUsed(Kind.UNREADABLE, f"There is no hex {text[:20]} on the island.", remedy, column)
