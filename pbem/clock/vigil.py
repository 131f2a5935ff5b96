"""Which matches the clock has nothing to say about yet: looked at once, they rest until something can have changed.

Nothing is kept on file. A match is left alone as long as the database says the same about it as before, and its next
instant has not come; whatever happens to it, by letter or by the hand of the GM, wakes it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Table, select
from sqlmodel import Session

from pbem.records import models

_MATCHES: Table = models.Match.__table__  # type: ignore[attr-defined]
_SEATS: Table = models.Seat.__table__  # type: ignore[attr-defined]
_SHEETS: Table = models.Sheet.__table__  # type: ignore[attr-defined]

#: All that decides what a look at the clock does, row by row.
Traces = tuple[tuple[Any, ...], ...]


@dataclass
class Vigil:
    """What is remembered from one look to the next."""

    _resting: dict[int, tuple[Traces, datetime]] = field(default_factory=dict)

    def let_rest(self, match_id: int, traces: Traces, until: datetime) -> None:
        self._resting[match_id] = traces, until

    def rests(self, match_id: int, traces: Traces, now: datetime) -> bool:
        before, until = self._resting.get(match_id, ((), now))
        if traces == before and now < until:
            return True
        self._resting.pop(match_id, None)
        return False


def traces_of(session: Session, numbers: Sequence[int]) -> Mapping[int, Traces]:
    """Of each match its own row, its seats and the sheets that wait, in three statements for all of them."""
    found: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    wanted = (
        select(_MATCHES.c.id, *(_MATCHES.c[name] for name in ("status", "gate_number", "deadline", "paused", "frozen")))
        .add_columns(_MATCHES.c.clock, _MATCHES.c.settle_minutes)
        .where(_MATCHES.c.id.in_(numbers)),
        select(_SEATS.c.match_id, *_SEATS.c).where(_SEATS.c.match_id.in_(numbers)).order_by(_SEATS.c.id),
        select(_SHEETS.c.match_id, _SHEETS.c.id, _SHEETS.c.arrived)
        .where(_SHEETS.c.match_id.in_(numbers), _SHEETS.c.state == models.WAITING)
        .order_by(_SHEETS.c.id),
    )
    for statement in wanted:
        for number, *row in session.connection().execute(statement):
            found[number].append(tuple(row))
    return {number: tuple(rows) for number, rows in found.items()}
