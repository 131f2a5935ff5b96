"""What an attack, a landing or a step after it may come to."""

from fractions import Fraction

import msgspec

from engine.forecast import Assumption, Span


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """One fire of the several an attack goes through, in words, and what it costs on average."""

    what: str
    strength: int = 0
    inflicted: Span | None = None
    suffered: Span | None = None


class Odds(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one line of a sheet may come to in one place. None stands for what is not tried at all.

    `strength` is what the line fires with, `fires_with` names the others in the same roll; `inflicted` and `suffered`
    are the points the enemy and `who` lose on average, and their spreads the chances to lose 0, 1, 2 points and so on
    (empty where the enemy is not known exactly). `success` is the chance to get into the place, `taken` the
    chance that anybody of the side takes it before `step` of the line is over. Step 0 is the attack itself, 1
    and up are what follows it. `parts` are the fires of an attack in their order, where there may be several:
    `suffered` is the sum of what they cost `who`; what helps all who attack the place is told with the first of them.
    """

    line: int
    who: str
    where: str
    step: int = 0
    strength: int = 0
    fires_with: tuple[str, ...] = ()
    inflicted: Span | None = None
    inflicted_spread: tuple[Fraction, ...] = ()
    suffered: Span | None = None
    suffered_spread: tuple[Fraction, ...] = ()
    success: Span | None = None
    taken: Span | None = None
    assumes: tuple[Assumption, ...] = ()
    parts: tuple[Part, ...] = ()
