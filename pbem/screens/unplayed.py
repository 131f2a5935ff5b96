"""Which turns of a war were not played again, because they were run by other rules than this program has."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from pbem.records.replay import Replayed


def verdict_on(step: Replayed) -> str:
    """A turn that was not played again is no more than checked."""
    if step.difference is not None:
        return "DIFFERS"
    return "ok" if step.played else "checked"


def not_played_again(steps: Sequence[Replayed], rules: int) -> str:
    """One line for all of them; empty if there are none. `rules` is the number of those of this program."""
    numbers = sorted({step.rules for step in steps if not step.played})
    if not numbers:
        return ""
    groups = [(number, [step for step in steps if step.rules == number and not step.played]) for number in numbers]
    played = ", ".join(f"{_and(_named(group))} {_were(group)} by rules {number}" for number, group in groups)
    said = f"{played[:1].upper()}{played[1:]}; this program has rules {rules}"
    later = [f"rules {number}" for number in numbers if number > rules]
    newer = f" A newer program plays {_and(later)}." if later else ""
    return f"{said}: their seals, links, dice and hashes are checked, they are not played again.{newer}"


def _and(parts: Sequence[str]) -> str:
    return " and ".join(", ".join(parts).rsplit(", ", 1))


def _were(group: Sequence[Replayed]) -> str:
    return "was played" if len(group) == 1 else "were played"


def _named(steps: Sequence[Replayed]) -> list[str]:
    """Their turns, those that count together."""
    counting = [step.number for step in steps if not step.taken_back and step.number]
    back = [f"turn {step.number} (taken back)" for step in steps if step.taken_back]
    set_up = ["the set-up"] if any(step.number == 0 for step in steps) else []
    return [*set_up, *_spans(counting), *back]


def _spans(numbers: Sequence[int]) -> Iterator[str]:
    for _, following in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        span = [number for _, number in following]
        yield f"turn {span[0]}" if len(span) == 1 else f"turns {span[0]} to {span[-1]}"
