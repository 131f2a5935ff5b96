"""What a report begins with: won and lost, newly seen, how near each side is to winning, what is to be decided."""

import pytest
from msgspec.structs import replace

from engine.game import FOGS, Options
from engine.grand_strategy.events import ArmyEliminated, PlaceCaptured
from engine.grand_strategy.state import State
from pbem.games.box import Lead
from pbem.games.hitlers_war.lead import lead_of
from pbem.games.hitlers_war.names import army_name, place_name
from pbem.games.hitlers_war.textmap import is_in_sight
from tools.samples import CAMPAIGN, GAME, whole_war

#: Behind "[17 Barbarossa] Soviet: YOUR TURN, " a phone shows little more.
SHORT = 70


def barbarossa() -> State:
    return GAME.setup("barbarossa", Options(fog="fog"))


def lead(state: State, side: str, events=(), before: State | None = None) -> Lead:
    known = GAME.view(before, side, "fog") if before else None
    return lead_of(events, known, GAME.view(state, side, "fog"))


def line(of: Lead, label: str) -> str:
    return dict(of.lines).get(label, "")


def captured(place: str, by: str, of: str) -> PlaceCaptured:
    return PlaceCaptured(side=by, place=place, previous=of, how="advance")


def test_a_turn_in_which_nothing_happened_tells_how_the_war_stands_alone():
    found = lead(barbarossa(), "soviet")
    assert [label for label, _ in found.lines] == ["Winning"]
    assert found.headline == ""
    assert found.decide == "", "it is the Axis that begins"


def test_taken_and_lost_are_the_readers_own():
    events = [captured("Q14", "axis", "soviet"), captured("P15", "axis", "soviet")]
    assert line(lead(barbarossa(), "axis", events), "Taken") == "P15 Gomel and Q14 Minsk."
    assert lead(barbarossa(), "axis", events).headline == "2 hexes taken"
    assert line(lead(barbarossa(), "soviet", events[:1]), "Lost") == "Q14 Minsk."
    assert lead(barbarossa(), "soviet", events[:1]).headline == "Minsk lost"


def test_what_was_taken_back_has_not_changed_hands():
    found = lead(barbarossa(), "axis", [captured("Q14", "axis", "soviet"), captured("Q14", "soviet", "axis")])
    assert (line(found, "Taken"), line(found, "Lost"), found.headline) == ("", "", "")


def test_others_fight_elsewhere():
    state = GAME.setup(CAMPAIGN, Options(fog="open"))
    events = [captured("R13", "soviet", "axis")]
    assert line(lead(state, "allies", events), "Elsewhere") == "The Soviet Union has taken R13 Kaunas from the Axis."


def test_destroyed_are_ones_own_and_theirs():
    gone = [ArmyEliminated(side=side, army=army, place="Q14", cause="losses", count=count)
            for side, army, count in (("axis", "CENTER", 4), ("soviet", "NW", 2))]  # fmt: skip
    found = lead(barbarossa(), "axis", gone)
    assert line(found, "Destroyed") == "Yours: Army Group Center. Theirs: Northwest Front."
    assert line(found, "Points lost") == "4 of yours and 2 of the Soviet Union."
    assert found.headline == "1 of yours destroyed, 1 of theirs destroyed"


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ([], "The Axis needs Leningrad, Moscow and Stalingrad, and holds none of them."),
        (["T15"], "The Axis holds 1 of 3, Leningrad, and needs Moscow and Stalingrad."),
        (["T15", "M19"], "The Axis holds 2 of 3, Leningrad and Stalingrad, and needs Moscow."),
    ],
)
def test_how_near_barbarossa_is_to_its_end(held, told):
    """HW-15.8."""
    state = barbarossa()
    for place in held:
        state.ground[place].owner = "axis"
    said = line(lead(state, "axis"), "Winning")
    assert said == f"{told} The Soviet Union needs Berlin. After turn 8 the Soviet Union wins; this is turn 1."


def test_points_decide_a_campaign():
    """HW-18.7: the Axis above 1:3 of the others' points has a substantial victory, and from 1:1 on a decisive one."""
    state = GAME.setup(CAMPAIGN, Options(fog="open"))
    view = GAME.view(state, "axis", "open")
    said = line(lead_of((), None, view), "Winning")
    assert said.startswith("Berlin is Axis, and this is turn 1 of 18. Production points: the Axis ")
    for place in [place for place, ground in state.ground.items() if ground.owner in ("soviet", "allies")]:
        state.ground[place].owner = "axis"
    said = line(lead_of((), None, GAME.view(state, "axis", "open")), "Winning")
    assert "(decisive), the Soviet Union 0 (no victory), the Allies 0 (no victory)" in said


@pytest.mark.parametrize("fog", FOGS)
@pytest.mark.parametrize("side", ["axis", "soviet"])
def test_newly_seen_is_what_is_in_sight_now_and_was_not(fog, side):
    for run in whole_war(fog)[:6]:
        before, now = GAME.view(run.before, side, fog), GAME.view(run.after, side, fog)
        seen_before = {army.id for army in before.armies.values() if is_in_sight(before, army)}
        seen = {army.id for army in now.armies.values() if army.side != side and is_in_sight(now, army)}
        said = line(lead_of(GAME.told(run.events, side, fog), before, now), "Newly seen")
        named = {army for army in now.armies if f"{army_name(army)} at " in said}
        assert named == seen - seen_before


def test_what_needs_a_decision_is_said_to_whom_it_waits_for():
    """In Barbarossa 34 points work for the Axis, less 17 for other fronts (HW-15.4)."""
    state = barbarossa()
    assert lead(state, "axis").decide == "17 production points to spend, if nothing changes."
    assert lead(state, "soviet").decide == ""


def test_a_pool_is_to_be_deployed_and_terms_are_to_be_answered():
    view = GAME.view(barbarossa(), "axis", "fog")
    assert lead_of((), None, replace(view, pool={"inf": 3})).decide == "Deploy 3 infantry."
    asked = replace(view, gate=replace(view.gate, stage="terms"))
    assert lead_of((), None, asked).decide == "Accept the Soviet surrender or refuse it."


def test_an_army_with_too_many_in_its_hex_has_to_move():
    """HW-7.3."""
    view = GAME.view(barbarossa(), "axis", "fog")
    crowded = replace(view, armies={**view.armies, "CENTER": replace(view.armies["CENTER"], excess=2, unsupplied=True)})
    where = place_name(view.armies["CENTER"].place)
    said = lead_of((), None, crowded).decide
    assert f"Army Group Center in {where}: 2 points too many, which have to leave." in said
    assert f"Army Group Center in {where} is cut off." in said


@pytest.mark.parametrize("scenario", ["barbarossa", CAMPAIGN])
def test_a_subject_stays_short(scenario):
    for run in whole_war("open", scenario):
        for side in GAME.view(run.before, None, "open").sides:
            told = GAME.told(run.events, side, "open")
            view = GAME.view(run.after, side, "open")
            assert len(lead_of(told, None, view).headline) <= SHORT
