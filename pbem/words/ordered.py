"""What a side had ordered and what came of each line, from its own sheet and the events it was told."""

from collections.abc import Iterable, Sequence

import msgspec

from engine.events import Event
from engine.hitlers_war import events as happened
from engine.hitlers_war.orders import Attack, Exploit, Invade
from engine.orders import Finding, Line, Sheet, lines_of
from pbem.words.naming import as_in_orders, place_name
from pbem.words.wording import environment, shortened, visible

LONGEST_LINE = 120
LONGEST_REASON = 300


class Ordered(msgspec.Struct, frozen=True):
    """A line of a sheet. `verdict` is ok, in part, refused or not met; `result` says more where there is more."""

    line: int
    text: str
    verdict: str
    result: str = ""


def what_came_of(text: str, sheet: Sheet, findings: Iterable[Finding], told: Sequence[Event]) -> tuple[Ordered, ...]:
    """Every line that ordered something or meant to. Blank lines, comments and the heading are left out."""
    read = {line.number: line for line in sheet.lines}
    refused = {finding.line: finding.why for finding in findings if finding.refuses}
    every = enumerate(lines_of(text.removesuffix("\n")), 1)
    return tuple(
        _judged(number, words, read.get(number), refused.get(number, ""), told)
        for number, words in every
        if number in read or number in refused
    )


def _judged(number: int, text: str, line: Line | None, refused: str, told: Sequence[Event]) -> Ordered:
    verdict, result = ("refused", refused) if refused else _outcome(number, line, told)
    echo, why = shortened(visible(text.strip()), LONGEST_LINE), shortened(as_in_orders(result), LONGEST_REASON)
    return Ordered(number, echo, verdict, why)


def _outcome(number: int, line: Line | None, told: Sequence[Event]) -> tuple[str, str]:
    for event in told:
        if isinstance(event, happened.OrderRefused) and event.line == number:
            return "refused", visible(event.why)
        if isinstance(event, happened.DoneInPart) and event.line == number:
            return "in part", visible(event.why)
    held = not any(
        isinstance(event, happened.ConditionFailed) and line is not None and event.text == line.text for event in told
    )
    match line.order if line is not None else None:
        case Attack() | Invade() as attack:
            return "ok" if held else "not met", _said("attack", held=held, **_attacked(attack, told))
        case _ if not held:
            return "not met", _said("condition")
        case Exploit() as path:
            return "ok", _said("exploit", **_exploited(path, told))
    return "ok", ""


def _attacked(order: Attack | Invade, told: Sequence[Event]) -> dict[str, object]:
    shots = [
        event
        for event in told
        if isinstance(event, happened.Fired) and not event.exploitation and order.army in event.armies
    ]
    landings = [event for event in told if isinstance(event, happened.LandingTried) and event.army == order.army]
    tried = landings or _advances(order.army, told, exploitation=False)
    return {
        "hits": shots[0].hits if shots and not shots[0].defensive else None,
        "advance": tried[0] if tried else None,
        "place": place_name(order.hex),
        "lost": any(
            isinstance(event, happened.ArmyEliminated) and event.army == order.army and event.cause == "losses"
            for event in told
        ),
    }


def _exploited(order: Exploit, told: Sequence[Event]) -> dict[str, object]:
    tried = _advances(order.army, told, exploitation=True)
    why = [event.why for event in told if isinstance(event, happened.ExploitationEnded) and event.army == order.army]
    return {
        "entered": [place_name(event.target) for event in tried if event.success],
        "failed": [place_name(event.target) for event in tried if not event.success],
        "why": why[0] if why else "",
    }


def _advances(army: str, told: Sequence[Event], *, exploitation: bool) -> list[happened.AdvanceTried]:
    return [
        event
        for event in told
        if isinstance(event, happened.AdvanceTried) and event.army == army and event.exploitation is exploitation
    ]


def _said(macro: str, **values: object) -> str:
    words = environment().get_template("hitlers-war/ordered.txt.j2").module
    return str(getattr(words, macro)(**values)).strip()
