"""Orders in other words: read if only one reading is possible, asked about if it may be one, else left alone."""

import pytest

from engine.game import Options, game_named
from engine.language import Language, LooseReader, Verb, doubtful
from engine.orders import Kind
from tests.toy.round_island.rules.game import RoundIsland

EUROPE = game_named("hitlers-war")
ISLAND = RoundIsland()


def reader_of(game, scenario, side, stands=None) -> LooseReader:
    view = game.view(game.setup(scenario, Options()), side, "fog")
    return LooseReader(game.language(scenario), lambda text: game.parse(text, view), stands or {})


def orders_in(reader: LooseReader, line: str) -> list[list[str]]:
    return [[str(each.order) for each in orders] for orders in reader.reading(line).orders]


@pytest.fixture(scope="module")
def axis() -> LooseReader:
    return reader_of(EUROPE, "barbarossa", "axis", {"Center": "O14", "North": "Q13", "South": "N13"})


@pytest.fixture(scope="module")
def ember() -> LooseReader:
    return reader_of(ISLAND, ISLAND.scenarios()[0].id, "ember")


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("Center attack P14 assault advance", "ATTACK CENTER P14 ASSAULT ADVANCE"),
        ("attack Moscow with Center, assault!", "ATTACK CENTER Q17 ASSAULT"),
        ("attack from Q13 to Q14, assault", "ATTACK NORTH Q14 ASSAULT"),
        ("Center P14 ASSAULT ADVANCE", "ATTACK CENTER P14 ASSAULT ADVANCE"),
        ("transfer 3M to West from South", "XFER 3M SOUTH -> WEST"),
        ("please move Center from O14 to P11", "GOTO CENTER P11"),
    ],
)
def test_one_reading_is_an_order(axis, line, order):
    assert orders_in(axis, line) == [[order]]


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("march 3 from 0102 to 0103", "MARCH 3 0102 0103"),
        ("march to Kiln from Cinder with 3", "MARCH 3 0102 0203"),
        ("0102 march 3 0103!", "MARCH 3 0102 0103"),
    ],
)
def test_any_game_is_read_so(ember, line, order):
    assert orders_in(ember, line) == [[order]]


@pytest.mark.parametrize(
    "line",
    [
        "do not attack P14 with Center, assault",
        "Should Center attack P14, assault?",
        "Center attack P14 perhaps assault",
        "attack P14 from O14 with South, assault",
    ],
)
def test_what_says_more_or_less_is_no_order(axis, line):
    assert axis.is_about_an_order(line)
    assert orders_in(axis, line) == []


def test_several_armies_have_an_order_each(axis):
    assert orders_in(axis, "South and North attack Q14, assault") == [
        ["ATTACK SOUTH Q14 ASSAULT", "ATTACK NORTH Q14 ASSAULT"]
    ]


def test_one_army_or_the_other_is_not_both(axis):
    assert orders_in(axis, "South or North attack Q14, assault") == []


def test_what_can_be_two_things_is_asked_about():
    """Giver and taker are told by their order alone, and each verb of the line may be the one that counts."""
    language = Language((Verb("TAKE", "TAKE north", ""), Verb("HOLD", "HOLD north", "")), place="north|south")

    class Order(str):
        pass

    def read(text: str):
        from engine.orders import Finding, Line, Sheet

        words = text.split()
        if len(words) == 3:
            return Sheet("red", (Line(1, text, Order(text)),))
        return Sheet("red", (), (Finding(Kind.UNREADABLE, 1, "no"),))

    found = LooseReader(language, read).reading("north take hold")
    assert len(found.orders) > 1
    told = doubtful(4, "north take hold", found)
    assert (told.kind, told.line) == (Kind.AMBIGUOUS, 4)
    assert "Send one of them: " in told.remedy


def test_semicolons_part_orders_and_nothing_else(axis):
    assert axis.parts("attack P14 with Center; build 2M P10") == ["attack P14 with Center", "build 2M P10"]
    assert axis.parts("attack P14; what a day") == ["attack P14; what a day"]


def test_talk_is_told_from_an_order_that_is_left_open(axis):
    assert not axis.reading("I thought you would attack Moscow last year").leaves_doubt
    assert axis.reading("Center: attack whoever is in P14").leaves_doubt


def test_a_line_that_takes_back_an_order_is_about_it(axis):
    assert axis.takes_back("no, do not attack with South", "ATTACK South N14 ASSAULT")
    assert not axis.takes_back("no, do not attack with South", "ATTACK Center P14 ASSAULT")
    assert not axis.takes_back("attack with South", "ATTACK South N14 ASSAULT")
