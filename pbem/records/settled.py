"""Until when the sheets of a gate lie before it is run, so that whoever sent the last one can still think again."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlmodel import Session

from engine.game import Gate, Side
from pbem.records import models
from pbem.records.matches import Position, missing_at
from pbem.records.seats import seats_of

if TYPE_CHECKING:
    from pbem.records.store import Store


def players_awaited(gate: Gate, seats: Iterable[models.Seat]) -> list[models.Seat]:
    """The persons who can still change what is run. A bot cannot, and neither can who has left."""
    return [seat for seat in seats if seat.side in gate.awaits and seat.state == models.TAKEN]


def all_are_ready(gate: Gate, seats: Iterable[models.Seat]) -> bool:
    """Every player who is awaited has said so, or there is none."""
    return all(seat.ready_gate == gate.id for seat in players_awaited(gate, seats))


def settles_in(session: Session, store: "Store", position: Position) -> datetime | None:
    """When the sheets at the open gate have lain long enough."""
    match, gate = position.match, position.gate
    if gate is None or not match.settle_minutes:
        return None
    return settles_at(match, gate, store.waiting_in(session, position.match_id, gate), seats_of(session, match))


def settles_at(
    match: models.Match, gate: Gate, waiting: Mapping[Side, models.Sheet], seats: Iterable[models.Seat]
) -> datetime | None:
    """When they have lain long enough, by what everybody may know: that all have come, and when. The deadline at the
    latest; None while one is missing, and where nothing has to lie."""
    players = players_awaited(gate, seats)
    if not match.settle_minutes or not players or missing_at(gate, waiting):
        return None
    last = max(waiting[seat.side].arrived for seat in players)
    settled = last + timedelta(minutes=match.settle_minutes)
    return settled if match.deadline is None else min(settled, match.deadline)
