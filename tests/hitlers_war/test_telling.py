"""One table says how each kind of event is told, drawn and booked."""

from typing import get_args

import pytest

from engine.hitlers_war.events import AnyEvent, PlaceCaptured, PointsBuilt
from engine.hitlers_war.rolls import ABOUT_AN_ARMY, ASSAULT, DEFENCE, SUPPORT
from pbem.draw import happenings
from pbem.games.hitlers_war import story
from pbem.games.hitlers_war.telling import ATTACK, BATTLE, TELLING, Mark, changes_of
from pbem.words.wording import environment

KINDS = get_args(AnyEvent)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_event_of_the_engine_has_its_line_in_the_table(kind):
    assert kind in TELLING, f"{kind.__name__} has no line in pbem/games/hitlers_war/telling.py"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_event_has_its_words(kind):
    macro = kind.__struct_config__.tag.replace("-", "_")
    source, *_ = environment().loader.get_source(environment(), "hitlers-war/events.txt.j2")
    assert f"{{% macro {macro}(" in source, f"templates/hitlers-war/events.txt.j2 has no macro {macro}"


def test_the_table_has_no_line_for_what_cannot_happen():
    assert set(TELLING) == set(KINDS)


def test_every_chapter_of_the_table_is_a_chapter_of_the_diary():
    chapters = {
        chapter for telling in TELLING.values() for chapter in (telling.chapter, *telling.by_cause.values())
    } - {ATTACK, BATTLE}
    assert chapters < set(story.SECTIONS)
    assert set(story.SECTIONS) - chapters == {"opening"}  # politics that are told where they happen


def test_every_mark_of_the_table_has_a_painter():
    with open(happenings.__file__, encoding="utf-8") as painters:
        source = painters.read()
    assert [mark for mark in get_args(Mark) if mark and f'"{mark}"' not in source] == []


def test_every_roll_in_a_battle_has_a_word_of_its_own_before_it():
    """The words are how a reader, and the proof of a report, tell which die is which."""
    blows = [blow for telling in TELLING.values() for blow in (telling.blow, telling.defence) if blow]
    assert len({blow.word for blow in blows}) == len(blows)
    assert {blow.rolls for blow in blows} == {DEFENCE, SUPPORT, ASSAULT, *ABOUT_AN_ARMY}


def test_a_place_that_falls_is_booked_by_both_sides():
    falls = PlaceCaptured("axis", "Q16", "soviet", "advance", 1)
    assert changes_of([falls], "axis").taken == changes_of([falls], "soviet").given_up == ["Q16 Smolensk"]
    assert changes_of([falls], "soviet").taken == changes_of([falls], "allies").given_up == []


def test_what_a_side_builds_is_booked_by_that_side_alone():
    built = PointsBuilt("axis", "NORTH", "P10", {"inf": 2}, 4)
    assert changes_of([built], "axis").gained == {"NORTH": 2}
    assert changes_of([built], "soviet").gained == {}
