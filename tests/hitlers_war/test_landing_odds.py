"""The odds of landings: exactly what the engine's own dice would come to, through every fire at sea (HW-13)."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product

import pytest
from every_die import OVERSEAS, compare, fight
from overseas import GAME, of, position, put, put_fort, run

from engine.forecast import exactly
from engine.grand_strategy.events import Fired
from engine.grand_strategy.odds.odds import Odds
from engine.grand_strategy.odds.table import table_of as as_table
from engine.grand_strategy.orders import Coastal, Defend, NavalFire
from engine.grand_strategy.state import State
from pbem.games import box_of
from pbem.post.odds_table import table_of
from pbem.words.wording import render
from tests.the_project import ROOT


def forecast(state: State, text: str) -> list[Odds]:
    view = GAME.view(state, state.phasing, state.options.fog)
    sheet = GAME.parse(text, view)
    assert not [finding for finding in sheet.findings if finding.refuses]
    return GAME.odds(view, sheet)


def agrees_with_every_die(state: State, text: str) -> list[Odds]:
    """The forecast from an open view is what comes of fighting with all dice there are."""
    odds = forecast(state, text)
    tried = fight(state, GAME.parse(text, GAME.view(state, state.phasing, "open")), OVERSEAS)
    assert tried.battles >= 6
    compare(odds, tried)
    return odds


def channel(lander: Mapping[str, int], defender: Mapping[str, int], fort: int = 0, **options: str) -> State:
    """An Allied army in London; the Axis in Brest, N6, which the Allies hold nothing next to."""
    state = position("fall-of-germany", "allies", **options)
    if fort:
        put_fort(state, "N6", fort)
    if defender:
        put(state, "WEST", "N6", **defender)
    put(state, "2BR", "P7", **lander)
    return state


def north_sea(lander: Mapping[str, int], defender: Mapping[str, int]) -> State:
    """An Axis army in Wilhelmshaven for Edinburgh, three hexsides of open sea away (HW-13.8)."""
    state = position("fall-of-germany", "axis")
    put(state, "B", "Q9", **lander)
    if defender:
        put(state, "BRITAIN", "S7", **defender)
    return state


def also(state: State, army: str, place: str, **points: int) -> State:
    put(state, army, place, **points)
    return state


SITUATIONS: dict[str, tuple[Callable[[], State], str]] = {
    "support, coastal air, defence, assault and landing": (
        lambda: channel({"inf": 1, "mech": 2, "amph": 4}, {"inf": 3}),
        "INVADE 2BR N6",
    ),
    "a garrison": (lambda: channel({"mech": 3, "amph": 3}, {}), "INVADE 2BR N6"),
    "a fort alone": (lambda: channel({"inf": 2, "amph": 4}, {}, fort=2), "INVADE 2BR N6"),
    "an army in a fort that absorbs": (lambda: channel({"mech": 1, "amph": 4}, {"inf": 2}, fort=1), "INVADE 2BR N6"),
    "support elsewhere": (
        lambda: also(channel({"amph": 4}, {}, fort=1), "3US", "P6", amph=2),
        "INVADE 2BR N6\nINVADE 3US M7\nSUPPORT M7",
    ),
    "support that is refused": (lambda: channel({"amph": 4}, {}, fort=1), "INVADE 2BR N6\nSUPPORT M7"),
    "losses by order": (
        lambda: channel({"inf": 2, "mech": 2, "amph": 4}, {"inf": 4}),
        "LOSSES N6 TYPES M,A,I\nINVADE 2BR N6",
    ),
    "the shot saved, and then the way inland": (
        lambda: channel({"mech": 5, "amph": 5}, {}),
        "INVADE 2BR N6 SAVE\nEXPLOIT 2BR N7:ASSAULT STOP-IF RANGE<1",
    ),
    "inland by default": (
        lambda: also(channel({"mech": 4, "amph": 4}, {}), "WEST", "N7", inf=1),
        "INVADE 2BR N6\nEXPLOIT 2BR N7 STOP-IF RANGE<1",
    ),
    "two armies on one shore": (
        lambda: also(channel({"amph": 3}, {"inf": 2}), "3US", "P7", mech=1, amph=2),
        "INVADE 2BR N6\nINVADE 3US N6",
    ),
    "a shot on a condition": (
        lambda: channel({"inf": 1, "amph": 3}, {"inf": 2}),
        "INVADE 2BR N6 ASSAULT-IF DEF>=2",
    ),
    "two steps inland": (
        lambda: channel({"mech": 5, "amph": 5}, {}),
        "INVADE 2BR N6\nEXPLOIT 2BR N7 O8 STOP-IF RANGE<1",
    ),
    "from the sea and by land": (
        lambda: also(channel({"mech": 1, "amph": 3}, {"inf": 3}), "3US", "M7", inf=2, mech=4),
        "INVADE 2BR N6\nATTACK 3US N6 ASSAULT ADVANCE",
    ),
    "by land and by sea out of one hex": (
        lambda: also(also(channel({}, {}), "2BR", "J10", amph=4), "3US", "J10", inf=2, mech=3),
        "INVADE 2BR K10\nATTACK 3US K10 ASSAULT ADVANCE",
    ),
    "by land if the landing succeeded": (
        lambda: also(channel({"amph": 3}, {"inf": 2}), "3US", "J10", mech=4),
        "INVADE 2BR N6\nATTACK 3US K10 ADVANCE IF ROLLED 2BR",
    ),
    "past the navy to a friendly hex": (lambda: north_sea({"amph": 3}, {}), "INVADE B N6"),
    "naval fire on the way": (lambda: north_sea({"inf": 4, "amph": 6}, {}), "INVADE B S7"),
    "naval fire may sink it all": (lambda: north_sea({"amph": 5}, {"inf": 1}), "INVADE B S7"),
    "the second follows the first ashore past the same guns": (
        lambda: also(north_sea({"amph": 3}, {}), "C", "Q9", inf=1, amph=2),
        "INVADE B S7 SAVE\nINVADE C S7 SAVE",
    ),
}


@pytest.mark.parametrize("name", SITUATIONS)
def test_the_odds_of_a_landing_are_what_all_dice_together_say(name: str) -> None:
    made, text = SITUATIONS[name]
    odds = agrees_with_every_die(made(), text)
    assert odds[0].success is not None
    assert odds[0].success.least > 0


# ------------------------------------------------------------------ by hand from the tables


def test_a_landing_against_a_garrison_reckoned_by_hand() -> None:
    """Strength 6 hits for 2, 2, 2, 1, 1, 1 (HW-8.9): the support always clears the garrison (HW-13.11), and coastal air
    costs 1.5 points, of which one is amphibious (HW-13.10). Two amphibious and two mechanized, row 4 at the least,
    meet nobody and get in with any die (HW-9.2, HW-13.15)."""
    (odds,) = forecast(channel({"mech": 3, "amph": 3}, {}), "INVADE 2BR N6")
    assert odds.strength == 3
    assert odds.suffered == exactly(Fraction(3, 2))
    assert odds.success == odds.taken == exactly(Fraction(1))
    support, air = odds.parts
    assert (support.what, support.strength, support.inflicted) == ("support fire", 6, exactly(Fraction(1)))
    assert (air.what, air.suffered) == ("coastal air", exactly(Fraction(3, 2)))


def test_naval_fire_reckoned_by_hand() -> None:
    """Three hexsides of open sea, three fires of 1.5 points on average at ten points (HW-13.8)."""
    odds, *_ = forecast(north_sea({"inf": 4, "amph": 6}, {}), "INVADE B S7")
    assert [(part.what, part.suffered) for part in odds.parts] == [
        ("naval fire, 3 shots", exactly(Fraction(9, 2))),
        ("coastal air", exactly(Fraction(3, 2))),
    ]
    assert any("navy fires" in each.what for each in odds.assumes)


def test_a_fort_absorbs_what_the_navy_fires() -> None:
    """A fort of 2 takes both losses of the support without penalty (HW-14.6); nobody loses anything to it."""
    (odds,) = forecast(channel({"amph": 4}, {"inf": 1}, fort=2), "INVADE 2BR N6")
    assert odds.parts[0].inflicted == exactly(Fraction(0))


def test_armies_that_attack_by_land_fire_although_others_of_their_hex_fired_from_the_sea() -> None:
    """HW-8.11: one roll for those who fire together; a landing is over before (HW-13.4)."""
    made, text = SITUATIONS["by land and by sea out of one hex"]
    state = also(made(), "ITALY", "K10", inf=5)
    _, events = run(state, {"allies": text.splitlines()}, [6] * 9)
    assert [fired.armies for fired in of(Fired, events) if not fired.defensive] == [("2BR",), ("3US",)]


# ------------------------------------------------------------------ what is hidden


NUMBERS = ("success", "taken", "inflicted", "suffered")


def test_the_band_of_a_fort_spans_all_it_may_hide() -> None:
    lander, text = {"mech": 4, "amph": 5}, "INVADE 2BR N6\nEXPLOIT 2BR N7 STOP-IF RANGE<1"
    spanned = forecast(channel(lander, {"inf": 2}, fort=2, fog="fog"), text)
    light = range(1, 4)
    possible = [forecast(channel(lander, {"inf": army}, fort=fort), text) for army, fort in product(light, light)]
    for row, rows in zip(spanned, zip(*possible, strict=True), strict=True):
        for number in NUMBERS:
            values = [getattr(each, number).least for each in rows if getattr(each, number) is not None]
            span = getattr(row, number)
            assert (span is None) == (not values)
            assert span is None or (span.least, span.most) == (min(values), max(values)), (row.where, number)
    assert any("forts may be" in each.what and each.of == "N6 1 to 3" for each in spanned[0].assumes)


@pytest.mark.parametrize("policy", ["NEVER", "BIGGEST"])
def test_the_enemys_orders_against_landings_are_his_secret(policy: str) -> None:
    def coasts() -> State:
        state = north_sea({"inf": 1, "amph": 4}, {"inf": 2})
        put(state, "C", "Q9", inf=2, amph=2)
        return state

    text = "INVADE B S7\nINVADE C S7"
    state = coasts()
    state.kept["allies"].standing = [NavalFire(policy), Coastal("ALL", "BIGGEST"), Defend("ALL", "NEVER")]
    assert forecast(state, text) == forecast(coasts(), text)


def test_where_too_much_is_hidden_every_line_has_its_chances_all_the_same() -> None:
    state = channel({"mech": 5, "amph": 5}, {"inf": 2}, fort=1, fog="veiled")
    put(state, "3US", "P6", mech=4, amph=6)
    put(state, "1US", "Q7", inf=2, mech=3, amph=5)
    text = "INVADE 2BR N6\nINVADE 3US N6\nINVADE 1US N6\nEXPLOIT 2BR N7 STOP-IF RANGE<1\nEXPLOIT 1US O7 STOP-IF RANGE<1"
    odds = forecast(state, text)
    assert [each.line for each in odds] == [1, 2, 3, 4, 5]
    assert all(each.success is not None for each in odds)
    assert all(each.inflicted is None for each in odds)
    assert any("too many strengths" in each.what for each in odds[0].assumes)


# ------------------------------------------------------------------ the receipt


RECEIPT = """\
line  attack                      fires  he loses  you lose     gets in
   1  2Br N6                          3       0.0       1.5        100%
        support fire                  6       1.0
        coastal air                                     1.5
"""


def test_the_receipt_tells_the_fires_of_a_landing_one_by_one() -> None:
    told = render(
        "mail/odds.txt.j2",
        table=table_of(box_of(GAME), as_table(forecast(channel({"mech": 3, "amph": 3}, {}), "INVADE 2BR N6"))),
    )
    assert RECEIPT in told


PLAYING = ROOT / "docs" / "hitlers-war" / "playing.md"


def test_the_landing_of_the_page_is_what_the_receipt_would_say() -> None:
    orders, table = PLAYING.read_text(encoding="utf-8").partition("A landing goes through")[2].split("```\n")[1:4:2]
    state = channel({"mech": 4, "amph": 5}, {"inf": 2}, fort=1, fog="fog")
    assert table in render("mail/odds.txt.j2", table=table_of(box_of(GAME), as_table(forecast(state, orders))))
