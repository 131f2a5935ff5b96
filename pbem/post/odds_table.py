"""The odds of a sheet as a table: what each attack and each step after it may come to."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from engine.odds import Odds, Part, Span
from pbem.games.box import GameBox

MOST_ROWS = 60


class Row(msgspec.Struct, frozen=True):
    """One attack, one fire it goes through, or one step after it. Everything is ready to be printed; what is not tried
    is empty."""

    line: int
    step: int
    what: str
    fires: str = ""
    inflicted: str = ""
    suffered: str = ""
    success: str = ""
    of_attack: bool = False  # a part of the attack above it


class OddsTable(msgspec.Struct, frozen=True):
    rows: tuple[Row, ...]
    left_out: int
    assumptions: tuple[str, ...]


def table_of(box: GameBox, odds: Sequence[Odds]) -> OddsTable | None:
    """None if the sheet attacks nobody."""
    if not odds:
        return None
    rows = [row for number, each in enumerate(odds) for row in _rows(box, odds, number, each)]
    return OddsTable(tuple(rows[:MOST_ROWS]), max(0, len(rows) - MOST_ROWS), tuple(_assumptions(box, odds)))


def _assumptions(box: GameBox, odds: Sequence[Odds]) -> Iterator[str]:
    """Each once; those in the same words together."""
    said: dict[str, dict[str, None]] = {}
    for each in odds:
        for assumption in each.assumes:
            said.setdefault(assumption.what, {})[assumption.of] = None
    for what, of in said.items():
        named = box.named(", ".join(filter(None, of)))
        yield f"{what}: {named}" if named else what


def _rows(box: GameBox, odds: Sequence[Odds], number: int, each: Odds) -> Iterable[Row]:
    who = box.named(each.who)
    if each.step:
        what = f"{who}, then {each.where}" if each.step == 1 else f"then {each.where}"
        yield Row(each.line, each.step, what, success=percent(each.success))
        return
    leader = _fires_in_line_of(box, odds[:number], each)
    what = f"{who} {each.where}"
    yield Row(
        each.line,
        0,
        f"{what}, with {leader}" if leader else what,
        str(each.strength) if each.strength and not leader else "",
        "" if leader else points(each.inflicted),
        points(each.suffered),
        percent(each.success),
    )
    if len(each.parts) > 1:
        yield from [_part(part) for part in each.parts]
    against = [other for other in odds if not other.step and other.where == each.where]
    if len(against) > 1 and each is against[-1] and each.taken is not None and any(a.success for a in against):
        yield Row(0, 0, f"{each.where} is taken", success=percent(each.taken))


def _part(part: Part) -> Row:
    fires = str(part.strength) if part.strength else ""
    return Row(0, 0, part.what, fires, points(part.inflicted), points(part.suffered), of_attack=True)


def _fires_in_line_of(box: GameBox, earlier: Sequence[Odds], each: Odds) -> str:
    """Armies of one hex make one roll; it is told with the first of them."""
    first = next((other.who for other in earlier if not other.step and other.who in each.fires_with), "")
    return box.named(first)


# ------------------------------------------------------------------ numbers


def percent(chance: Span | None) -> str:
    return _between(chance, _percent, "%")


def points(losses: Span | None) -> str:
    return _between(losses, _tenths, "")


def _between(span: Span | None, worded: Callable[[Fraction], str], unit: str) -> str:
    if span is None:
        return ""
    least, most = worded(span.least), worded(span.most)
    return f"{least}{unit}" if least == most else f"{least}-{most}{unit}"


def _percent(chance: Fraction) -> str:
    """Whole hundredths; what is possible is never 0, what is not certain never 100."""
    if 0 < chance < Fraction(1, 100):
        return "<1"
    if Fraction(99, 100) < chance < 1:
        return ">99"
    return str(_rounded(chance * 100))


def _tenths(losses: Fraction) -> str:
    tenths = _rounded(losses * 10)
    return f"{tenths // 10}.{tenths % 10}"


def _rounded(number: Fraction) -> int:
    """Halves go up."""
    return int(number + Fraction(1, 2))


# ------------------------------------------------------------------ for machines


def odds_facts(odds: Sequence[Odds]) -> list[dict[str, Any]]:
    """Every number exactly, as a fraction in text."""
    return [msgspec.to_builtins(each, enc_hook=str) for each in odds]
