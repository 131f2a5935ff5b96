"""What came of a line of orders, from the events its side was told."""

from collections.abc import Sequence

from engine.events import Event
from engine.hitlers_war import events as happened
from engine.hitlers_war.orders import Attack, Exploit, Invade
from engine.orders import Line
from pbem.games.hitlers_war.names import place_name
from pbem.words.wording import environment, visible


def came_of(number: int, line: Line | None, told: Sequence[Event]) -> tuple[str, str]:
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
