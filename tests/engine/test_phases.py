"""The loop of the phases: where it stops, and what it passes over."""

from dataclasses import dataclass, field

import pytest

from engine.phase import NoPhaseIsPlayed, Phase, pass_over, play_to_next_gate


@dataclass
class Day:
    """A war of phases that write down their names. It is over after `last` turns."""

    step: str
    skipped: set[str] = field(default_factory=set)
    last: int = 99
    turn: int = 1
    ran: list[str] = field(default_factory=list)

    @property
    def over(self) -> bool:
        return self.turn > self.last


def phase(name: str, *, gate: bool = False) -> Phase[Day]:
    return Phase(name, name, lambda day: day.ran.append(name), lambda _: gate, lambda day: name not in day.skipped)


TURN = (phase("morning", gate=True), phase("noon"), phase("tea", gate=True), phase("night"))


def sleep(day: Day) -> None:
    day.turn += 1
    day.ran.append("sleep")


def play(day: Day) -> Day:
    play_to_next_gate(day, TURN, sleep)
    return day


def test_phases_run_until_a_gate_opens():
    day = play(Day("morning"))
    assert (day.step, day.ran) == ("tea", ["morning", "noon"])
    assert (play(day).step, day.ran[2:]) == ("morning", ["tea", "night", "sleep"])


def test_a_phase_that_is_not_played_neither_runs_nor_opens_its_gate():
    day = play(Day("morning", {"noon", "tea"}))
    assert (day.step, day.ran) == ("morning", ["morning", "night", "sleep"])


def test_the_turn_ends_also_when_its_last_phase_is_not_played():
    day = play(Day("tea", {"night", "morning"}))
    assert (day.step, day.turn, day.ran) == ("tea", 2, ["tea", "sleep", "noon"])


def test_sheets_for_a_phase_that_is_not_played_open_no_gate_after_it():
    """The war stood right before it: whoever is awaited next is asked."""
    day = play(Day("morning", {"morning", "noon"}))
    assert (day.step, day.ran) == ("tea", [])


def test_the_war_can_be_led_to_where_it_is_played():
    day = Day("morning", {"morning"})
    assert (pass_over(day, TURN, sleep), day.step) == (1, "noon")
    assert (pass_over(day, TURN, sleep), day.step) == (0, "noon")


def test_a_war_that_ends_while_phases_are_passed_over_goes_no_further():
    day = play(Day("tea", {"night", "morning"}, last=1))
    assert (day.over, day.ran) == (True, ["tea", "sleep"])


def test_a_turn_without_any_phase_is_an_error_and_not_an_endless_loop():
    with pytest.raises(NoPhaseIsPlayed):
        play(Day("noon", {"morning", "noon", "tea", "night"}))
