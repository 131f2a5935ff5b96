"""Judging a case: a small position, orders and forced dice, and what must come of them.

Cases settle disputes. The rulebook's worked examples are written this way, and a GM can write one for an argued
battle. A case names only the hexes it needs; everything else is off the board.
"""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import chain
from typing import Any

import msgspec

from engine.dice import DiceRanOut
from engine.hitlers_war.cases.board import Case
from engine.hitlers_war.cases.expectations import differences
from engine.hitlers_war.cases.playing import KINDS
from engine.hitlers_war.rulebook import RULEBOOKS
from engine.hitlers_war.tables import tables

#: Every rulebook is of the next level of the rules; cases above all of them are not judged yet.
COMPLETE_LEVEL = len(RULEBOOKS)


class CaseIsMalformed(ValueError):
    pass


#: What a case that makes no sense runs into.
STRANGE = (CaseIsMalformed, KeyError, TypeError, ValueError, AttributeError, LookupError)
WORDS_OF_A_CASE = (
    "id", "title", "case", "note", "kind", "level", "editions", "setup", "orders", "dice", "rolls", "lookups",
    "expect", "expect_by_edition", "variants", "seed",
)  # fmt: skip
WORDS_OF_A_SETUP = (
    "scenario", "season", "turn", "phasing", "side", "check", "hexes", "hexsides", "armies", "forts",
    "winters_in_russia_before", "budget", "undevastated", "note", "map", "start", "players", "player_turns", "sea",
    "countries", "joined", "surrendered", "terms", "mobilized", "limited_war", "lend_lease", "points", "berlin",
)  # fmt: skip


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """One case in one edition, or one variant of it, and what differs from what it expects."""

    id: str
    title: str
    edition: str
    status: str  # passed, failed or not yet
    differences: tuple[str, ...] = ()


def judge(case: Case) -> list[Verdict]:
    """A case and its variants in every edition it holds for. A case that makes no sense fails with the reason."""
    try:
        if case.get("level", 1) > COMPLETE_LEVEL:
            return [Verdict(case["id"], case.get("title", ""), "", "not yet")]
        must_make_sense(case)
        return list(
            chain.from_iterable(
                (_judge_one(variant, str(edition)) for edition in variant.get("editions", tables().editions))
                for variant in _variants(case)
            )
        )
    except STRANGE as fault:
        return [Verdict(str(case["id"]), str(case.get("title", "")), "", "failed", (_cannot_be_read(fault),))]


def _cannot_be_read(fault: Exception) -> str:
    name = "" if isinstance(fault, CaseIsMalformed) else f"{type(fault).__name__}: "
    return f"the case cannot be read: {name}{fault}"


def must_make_sense(case: Case) -> None:
    """A slip of the pen in a case must not make it pass."""
    for words, known in ((case, WORDS_OF_A_CASE), (case.get("setup", {}), WORDS_OF_A_SETUP)):
        for word in words:
            if word not in known and (meant := get_close_matches(word, known, 1, 0.7)):
                raise CaseIsMalformed(f"{word!r} is no word of a case; did you mean {meant[0]!r}?")
    if not any(key in case for key in ("expect", "expect_by_edition", "lookups", "variants")):
        raise CaseIsMalformed("it expects nothing")
    for edition in (*case.get("editions", ()), *case.get("expect_by_edition", ())):
        if str(edition) not in tables().editions:
            raise CaseIsMalformed(f"there is no edition {edition!r}; there are: {', '.join(tables().editions)}")


def _variants(case: Case) -> Iterator[Case]:
    yield case
    for number, variant in enumerate(case.get("variants", ()), 1):
        changed = {key: value for key, value in case.items() if key not in ("expect", "expect_by_edition", "lookups")}
        changed |= {key: value for key, value in variant.items() if key not in ("setup", "setup_change")}
        changed["setup"] = _changed_setup(case.get("setup", {}), variant)
        changed["id"] = f"{case['id']} variant {number}"
        yield changed


def _changed_setup(setup: Case, variant: Case) -> Case:
    """`setup` replaces entries of the set-up, `setup_change` changes single hexes and armies in it."""
    changed = {**setup, **variant.get("setup", {})}
    for key, change in variant.get("setup_change", {}).items():
        if key == "armies":
            changes = {army["id"]: army for army in change}
            changed[key] = [{**army, **changes.pop(army["id"], {})} for army in changed.get(key, [])]
            changed[key] += list(changes.values())
        elif isinstance(change, Mapping):
            old = changed.get(key, {})
            changed[key] = {**old, **{name: _merged(old.get(name), new) for name, new in change.items()}}
        else:
            changed[key] = change
    return changed


def _merged(old: Any, new: Any) -> Any:
    return {**old, **new} if isinstance(old, Mapping) and isinstance(new, Mapping) else new


def _judge_one(case: Case, edition: str) -> Verdict:
    try:
        found = tuple(_find_differences(case, edition))
    except DiceRanOut as shortage:
        found = (str(shortage),)
    except STRANGE as fault:
        found = (_cannot_be_read(fault),)
    return Verdict(case["id"], case.get("title", ""), edition, "failed" if found else "passed", found)


def _find_differences(case: Case, edition: str) -> Iterator[str]:
    kind = case.get("kind", "combat")
    if kind not in KINDS:
        raise CaseIsMalformed(f"there is no kind {kind!r}; there are: {', '.join(KINDS)}")
    yield from _wrong_lookups(case, edition)
    played = KINDS[kind](case, edition)
    expected = {**case.get("expect", {}), **case.get("expect_by_edition", {}).get(edition, {})}
    yield from differences(expected, played)
    if played.dice.left:
        yield f"{len(played.dice.left)} of the forced dice were not used"
    if "rolls" in case and played.dice.used != case["rolls"]:
        yield f"rolls: {played.dice.used} instead of {case['rolls']}"
    if expected.get("legal") is not False:
        yield from played.faults


def _wrong_lookups(case: Case, edition: str) -> Iterator[str]:
    for cell in case.get("lookups", ()):
        if cell["table"] == "firepower":
            got: int | None = tables().firepower(cell["strength"], cell["die"])
            wanted, where = cell["result"], f"strength {cell['strength']}, die {cell['die']}"
        else:
            got = tables().advance(edition, cell["row"], cell["col"])
            wanted, where = cell["value"], f"row {cell['row']}, column {cell['col']}"
        if got != wanted:
            yield f"{cell['table']} table, {where}: {got} instead of {wanted}"
