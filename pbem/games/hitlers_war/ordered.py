"""What came of a line of orders, in a few words; the diary tells the whole story."""

from collections.abc import Iterable

from engine.events import Event
from engine.grand_strategy import events as happened
from engine.grand_strategy.orders import Attack, Exploit, Invade
from engine.orders import Line
from engine.results import LineResult
from pbem.games.hitlers_war.names import place_name
from pbem.words.wording import environment, visible


def result_words(line: Line | None, result: LineResult) -> str:
    if result.why:
        return visible(result.why)
    held = result.verdict != "not met"
    match line.order if line is not None else None:
        case Attack() | Invade() as attack:
            return _said("attack", held=held, **_attacked(attack, result.events))
        case _ if not held:
            return _said("condition")
        case Exploit():
            return _said("exploit", **_exploited(result.events))
    return ""


def _attacked(order: Attack | Invade, events: Iterable[Event]) -> dict[str, object]:
    shots = [event for event in events if isinstance(event, happened.Fired) and not event.defensive]
    tried = [event for event in events if isinstance(event, happened.LandingTried | happened.AdvanceTried)]
    lost = [event.army for event in events if isinstance(event, happened.ArmyEliminated) and event.cause == "losses"]
    return {
        "hits": shots[0].hits if shots else None,
        "advance": tried[0] if tried else None,
        "place": place_name(order.hex),
        "lost": order.army in lost,
    }


def _exploited(events: Iterable[Event]) -> dict[str, object]:
    tried = [event for event in events if isinstance(event, happened.AdvanceTried)]
    why = [event.why for event in events if isinstance(event, happened.ExploitationEnded)]
    return {
        "entered": [place_name(event.target) for event in tried if event.success],
        "failed": [place_name(event.target) for event in tried if not event.success],
        "why": why[0] if why else "",
    }


def _said(macro: str, **values: object) -> str:
    words = environment().get_template("hitlers-war/ordered.txt.j2").module
    return str(getattr(words, macro)(**values)).strip()
