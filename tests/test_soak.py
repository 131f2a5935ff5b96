"""Sixty whole wars between random players, with every invariant asked after every event. `make soak` plays 2,000."""

from pathlib import Path

import msgspec
import pytest

from engine.hitlers_war import losses, viewing
from engine.hitlers_war.events import AnyEvent
from engine.hitlers_war.orders import AnyOrder
from pbem import soak

CHUNK = 10
ORDER_NAMES = {order.__name__ for order in AnyOrder.__args__}
#: Events that need luck or a long war, and may be missing from ten games.
RARE_EVENTS = {"StackCulled", "CutOff", "SheetMissing"}


@pytest.mark.parametrize("first", range(0, 60, CHUNK))
def test_random_wars_break_no_invariant(first: int) -> None:
    records = [soak.play(number) for number in range(first, first + CHUNK)]
    failed = [soak.keep_failure(record) for record in records if record.fault]
    assert not failed, f"{records[0].fault}\nrepeat with: python -m pbem.soak --repeat {failed[0]}"
    assert all(record.winners for record in records)
    assert set().union(*(record.orders for record in records)) == ORDER_NAMES
    events = {event.__name__ for event in AnyEvent.__args__}
    assert events - set().union(*(record.events for record in records)) <= RARE_EVENTS


def test_a_broken_rule_is_noticed_and_can_be_repeated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Would the soak notice? Let losses vanish without being removed and see."""

    def forget_to_remove(armies, lost):
        for army in armies:
            if army.id in lost:
                yield army, lost[army.id]

    monkeypatch.setattr(losses, "_remove", forget_to_remove)
    record = soak.play(0)
    assert "points do not add up" in record.fault
    path = soak.keep_failure(record, tmp_path)
    kept = msgspec.json.decode(path.read_bytes(), type=soak.Record)
    assert kept.gates[0].sheets
    assert soak._repeat(path) == 1
    monkeypatch.undo()
    assert soak._repeat(path) == 0


def test_a_leaking_view_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the record sheets lie open at every fog level, as a careless view would."""
    monkeypatch.setattr(viewing._Looker, "may_read_sheet_of", lambda self, side: True)
    assert "leaks in veiled" in soak.play(1).fault
    assert "leaks in fog" in soak.play(2).fault
