"""Whole wars between random players, with every invariant asked after every event. `make soak` plays 2,000 of each."""

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from engine.forecast import exactly
from engine.grand_strategy import viewing
from engine.grand_strategy.events import AnyEvent
from engine.grand_strategy.odds.odds import Odds
from engine.grand_strategy.odds.outlook import Outlook
from engine.grand_strategy.orders import AnyOrder, Order
from engine.grand_strategy.politics.nations import nation_at
from engine.grand_strategy.rules import losses
from engine.hitlers_war.europe import europe
from engine.hitlers_war.language.parts import LAND, PARTS
from engine.hitlers_war.scenario import load_scenario
from tests.politics_samples import POLITICS_SAMPLES
from tests.sea_samples import SEA_SAMPLES
from tools import soak, soak_odds
from tools.soak_coverage import Coverage
from tools.soak_odds import Account
from tools.soak_upsets import ATTACKED, EVERY, OVERRUN_IN, Incident, Overrun, incidents, upset_of


def tag_of(order: type[Order]) -> str:
    return str(order.__struct_config__.tag).removesuffix("-RESERVE")  # a kind of NAVALFIRE


CHUNK = 10
#: Orders and events that Barbarossa knows nothing of.
OF_LATER_SCENARIOS = {verb.word for part in PARTS if part is not LAND for verb in part.verbs}
BARBAROSSA_ORDERS = {order.__name__ for order in AnyOrder.__args__ if tag_of(order) not in OF_LATER_SCENARIOS}
POLITICS_AND_SEA = {type(event).__name__ for event, _ in (*POLITICS_SAMPLES, *SEA_SAMPLES)}
BARBAROSSA_EVENTS = {event.__name__ for event in AnyEvent.__args__} - POLITICS_AND_SEA
#: Events that need luck or a long war, and may be missing from ten games.
RARE_EVENTS = {"StackCulled", "CutOff", "SheetMissing"}


def play(numbers: Iterable[int], scenario: str) -> list[soak.Record]:
    """Wars that went through; each of them has a winner."""
    records = [soak.play(number, scenario) for number in numbers]
    failed = [record for record in records if record.fault]
    assert not failed, f"{failed[0].fault}\nrepeat with: python -m tools.soak --repeat {soak.keep_failure(failed[0])}"
    assert all(record.winners for record in records)
    assert not sum((record.odds for record in records), Account()).is_off
    return records


@pytest.mark.parametrize("first", range(0, 60, CHUNK))
def test_random_wars_break_no_invariant(first: int) -> None:
    records = play(range(first, first + CHUNK), "barbarossa")
    assert set().union(*(record.orders for record in records)) == BARBAROSSA_ORDERS
    assert BARBAROSSA_EVENTS - set().union(*(record.events for record in records)) <= RARE_EVENTS


@pytest.mark.parametrize("first", range(0, 20, CHUNK))
@pytest.mark.parametrize("scenario", ["fall-of-germany", "campaign-1"])
def test_random_wars_of_three_sides_break_no_invariant(scenario: str, first: int) -> None:
    orders = set().union(*(record.orders for record in play(range(first, first + CHUNK), scenario)))
    assert orders >= {"Attack", "Build", "LendLease", "Ship"}
    assert orders >= ({"Deploy"} if scenario == "fall-of-germany" else {"Violate", "Gift"})


def test_a_broken_rule_is_noticed_and_can_be_repeated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Would the soak notice? Let losses vanish without being removed and see."""

    monkeypatch.setattr(losses, "_remove", lambda unit, lost: lost)
    record = soak.play(0)
    assert "points do not add up" in record.fault
    path = soak.keep_failure(record, tmp_path)
    kept = msgspec.json.decode(path.read_bytes(), type=soak.Record)
    assert kept.gates[0].sheets
    assert soak._repeat(path) == 1
    monkeypatch.undo()
    assert soak._repeat(path) == 0


def test_odds_that_cannot_be_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the forecast promise every advance."""
    monkeypatch.setattr(Outlook, "entered", lambda *asked: exactly(Fraction(1)))
    faults = [soak.play(number).fault for number in range(4)]
    assert any("is told to get to" in fault for fault in faults)


def test_odds_that_are_a_little_wrong_are_noticed_in_a_long_soak() -> None:
    """A thousand even chances, tried twelve times one by one, stray by 55 of 6,000; five times that is too far."""
    even = Account(1000, 6000.0, 6000, 12000 * 0.25)
    assert not even.is_off
    assert not msgspec.structs.replace(even, seen=6273).is_off
    assert msgspec.structs.replace(even, seen=6274).is_off
    assert msgspec.structs.replace(even, seen=5726).is_off
    assert sum([even, even], Account()) == Account(2000, 12000.0, 12000, 6000.0)


def test_two_chances_that_hang_on_one_die_count_as_one() -> None:
    """Both come true or neither: a run is off by one, and not by half, whichever way the die falls."""
    told = [Odds(1, "WEST", place, success=exactly(Fraction(1, 2))) for place in ("N7", "O8")]
    both: soak_odds.End = {("WEST", "N7", 0), ("WEST", "O8", 0)}
    assert soak_odds._account(told, [both, set(), both, set()]) == Account(2, 4.0, 4, 4.0)


def test_a_leaking_view_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the record sheets lie open at every fog level, as a careless view would."""
    monkeypatch.setattr(viewing._Looker, "may_read_sheet_of", lambda self, side: True)
    assert "leaks in veiled" in soak.play(1).fault
    assert "leaks in fog" in soak.play(2).fault


@pytest.mark.parametrize(("number", "scenario"), [(18, "campaign-1"), (13, "fall-of-germany"), (8, "barbarossa")])
def test_some_wars_have_a_country_overrun_so_that_its_capital_falls(number: int, scenario: str) -> None:
    """Random players take Berlin in hardly any war by themselves."""
    assert upset_of(number, scenario) == Overrun("soviet", "Germany")
    (record,) = play([number], scenario)
    assert record.winners == ("soviet",)
    assert scenario != "campaign-1" or "Germany surrenders to soviet" in record.politics  # HW-21.1


@pytest.mark.parametrize(
    ("side", "country", "joins"),
    [
        ("axis", "Italy", "allies"),  # HW-19.4, HW-19.7
        ("axis", "Hungary", "soviet"),
        ("soviet", "Turkey", "axis"),
        ("allies", "United States", "axis"),
    ],
)
def test_some_wars_begin_with_an_attack_on_a_neutral(side: str, country: str, joins: str) -> None:
    whom = [(each.side, each.country) for each in incidents("campaign-1")]
    (record,) = play([ATTACKED + EVERY * whom.index((side, country))], "campaign-1")
    assert f"{country} joins {joins} (HW-19.3)" in record.politics


def test_every_neutral_is_attacked_in_a_soak_and_every_country_with_a_capital_overrun() -> None:
    """HW-19, HW-21.7: nothing is left to the luck of random players."""
    owners = load_scenario("campaign-1").owners(europe())
    neutral = {nation_at(europe(), place) for place, owner in owners.items() if owner == "unaligned"}
    assert {each.country for each in incidents("campaign-1")} == neutral - {"Poland"}
    first = range(EVERY * max(len(incidents("campaign-1")), len(OVERRUN_IN["campaign-1"])))
    overrun = {what.country for number in first if isinstance(what := upset_of(number, "campaign-1"), Overrun)}
    assert overrun >= {"Germany", "France", "Great Britain", "Soviet Union", "Poland", "Eire", "Iran", "Norway"}


def test_most_wars_are_not_upset() -> None:
    upset = [number for number in range(100) if upset_of(number, "campaign-1") is not None]
    assert len(upset) == 40
    assert not any(isinstance(upset_of(number, "barbarossa"), Incident) for number in range(100))


def test_the_soak_says_what_never_occurred() -> None:
    coverage = Coverage()
    seen = {"orders": {"Attack": 3}, "events": {"Fired": 1}, "politics": {"France surrenders to axis": 1}}
    coverage.add("campaign-1", seen, ("axis",))
    never = coverage.never()
    assert {"Build", "WarEnded", "Germany surrenders", "Italy joins axis (HW-20.1)"} <= set(never)
    assert {"Italy surrenders", "United States joins axis (HW-19.3)", "soviet wins campaign-1"} <= set(never)
    assert not {"Attack", "Fired", "France surrenders", "axis wins campaign-1"} & set(never)
    assert not [what for what in never if what.startswith(("Poland joins", "Soviet Union"))]  # HW-19.5, HW-21.3


def test_a_long_soak_fails_when_something_never_occurred() -> None:
    coverage = Coverage()
    assert soak.misses_something(coverage, soak.ENOUGH, soak.PLAYABLE)
    assert not soak.misses_something(coverage, soak.ENOUGH - 1, soak.PLAYABLE)
    assert not soak.misses_something(coverage, soak.ENOUGH, ["campaign-1"])
