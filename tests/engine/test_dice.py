"""The dice can be checked afterwards and cannot be foreseen."""

from collections import Counter
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice import (
    CHAIN_LENGTH,
    DiceRanOut,
    ForcedDice,
    KeyedDice,
    Label,
    ThisNamesNoDie,
    chain_link,
    die_of,
    even_number,
    link_follows,
    number_below,
    run_key,
    sides_of,
)


def test_the_same_key_and_label_give_the_same_die() -> None:
    one, other = KeyedDice(b"key", "game/6-axis"), KeyedDice(b"key", "game/6-axis")
    assert [one.die("Q16", "assault") for _ in range(20)] == [other.die("Q16", "assault") for _ in range(20)]


def test_a_label_names_game_gate_place_purpose_and_count() -> None:
    dice = KeyedDice(b"key", "hitlers-war/17/6-axis")
    dice.die("Q16", "assault on Q17")
    assert dice.die("Q16", "assault on Q17")[1] == "hitlers-war/17/6-axis/Q16/assault on Q17/2"


def test_one_more_roll_in_one_battle_does_not_shift_another() -> None:
    short, long = KeyedDice(b"key", "g"), KeyedDice(b"key", "g")
    long.die("P14", "advance of NORTH")
    assert short.die("Q16", "assault") == long.die("Q16", "assault")


def test_anybody_can_compute_a_die_from_the_revealed_key_and_its_label() -> None:
    die, label = KeyedDice(b"revealed", "g").die("Q16", "assault")
    assert die == number_below(b"revealed", label, 6) + 1


def test_the_dice_are_even() -> None:
    counts = Counter(number_below(b"key", f"label {n}", 6) for n in range(60_000))
    assert set(counts) == set(range(6))
    assert all(abs(count - 10_000) < 500 for count in counts.values())  # five standard deviations


@pytest.mark.parametrize("sides", [2, 3, 6, 7, 200])
def test_numbers_stay_below_their_limit(sides: int) -> None:
    assert {number_below(b"k", str(n), sides) for n in range(3000)} <= set(range(sides))


# ------------------------------------------------------------------ dice of any number of sides

#: As they were rolled when there were only dice of six sides.
ROLLED_BEFORE = [2, 3, 6, 6, 1, 5, 2, 3, 1, 1, 6, 2]
#: The same of numbers below several limits, eight each.
NUMBERS_BEFORE = {
    2: [0, 0, 1, 1, 1, 1, 1, 0],
    3: [0, 1, 2, 1, 2, 2, 0, 0],
    6: [0, 4, 5, 1, 5, 5, 3, 0],
    7: [5, 3, 2, 3, 6, 5, 0, 2],
    100: [80, 10, 77, 15, 67, 73, 2, 56],
    200: [180, 10, 77, 115, 167, 173, 2, 156],
    256: [180, 10, 233, 115, 167, 173, 231, 156],
}
#: And of labels whose first byte is passed over.
PASSED_OVER_BEFORE = {33: 2, 38: 4, 68: 5, 92: 2, 180: 4, 241: 1, 321: 2, 367: 2, 396: 1, 488: 3, 496: 2, 499: 4}


def test_dice_of_six_sides_fall_and_are_labelled_as_they_always_were() -> None:
    dice = KeyedDice(b"key", "hitlers-war/17/6-axis")
    rolled = [dice.die("Q16", "assault on Q17") for _ in ROLLED_BEFORE]
    labels = [f"hitlers-war/17/6-axis/Q16/assault on Q17/{nth}" for nth in range(1, 13)]
    assert rolled == list(zip(ROLLED_BEFORE, labels, strict=True))
    assert [die_of(b"key", label) for label in labels] == ROLLED_BEFORE
    assert {n: number_below(b"key", f"label {n}", 6) for n in PASSED_OVER_BEFORE} == PASSED_OVER_BEFORE


@pytest.mark.parametrize("sides", NUMBERS_BEFORE)
def test_numbers_below_a_limit_are_what_they_always_were(sides: int) -> None:
    assert [number_below(b"k", str(n), sides) for n in range(8)] == NUMBERS_BEFORE[sides]


@pytest.mark.parametrize("sides", [2, 3, 6, 7, 10, 100, 129, 255, 256])
def test_every_side_comes_by_the_same_number_of_bytes(sides: int) -> None:
    """Bytes that are passed over go on to the next, which is a zero here after a byte that no die uses."""
    counts = Counter(even_number(iter(first), sides) for first in ([byte] for byte in range(256 // sides * sides)))
    assert counts == dict.fromkeys(range(sides), 256 // sides)
    passed_over = range(256 // sides * sides, 256)
    assert {even_number(iter([byte, 1]), sides) for byte in passed_over} <= {1}


@pytest.mark.parametrize("sides", [257, 1000, 40_000, 65_536])
def test_beyond_256_sides_every_side_comes_by_the_same_number_of_pairs(sides: int) -> None:
    pairs = list(product(range(256), repeat=2))
    used, passed_over = pairs[: 65_536 // sides * sides], pairs[65_536 // sides * sides :]
    counts = Counter(even_number(iter(pair), sides) for pair in used)
    assert counts == dict.fromkeys(range(sides), 65_536 // sides)
    assert {even_number(iter([*pair, 0, 1]), sides) for pair in passed_over} <= {1}


@given(st.integers(1, 2**600), st.text(max_size=5))
def test_a_number_is_found_for_any_number_of_sides(sides: int, label: str) -> None:
    assert 0 <= number_below(b"k", label, sides) < sides


@pytest.mark.parametrize("sides", [0, -1])
def test_there_is_no_number_below_nothing(sides: int) -> None:
    with pytest.raises(ValueError, match="no number below"):
        number_below(b"k", "label", sides)


@pytest.mark.parametrize("sides", [2, 10, 20, 100, 1000, 999_999_999])
def test_the_label_of_another_die_ends_in_its_size(sides: int) -> None:
    dice = KeyedDice(b"key", "two-hills/17/1-red")
    dice.die("north", "red")
    die, label = dice.die("north", "red", sides)
    assert label == f"two-hills/17/1-red/north/red/2:d{sides}"
    assert Label.of(label) == Label("two-hills", 17, "1-red", "north", "red", 2, sides)
    assert str(Label.of(label)) == label
    assert die == die_of(b"key", label) == number_below(b"key", label, sides) + 1
    assert 1 <= die <= sides


def test_a_label_without_a_size_is_of_six_sides() -> None:
    label = "two-hills/17/1-red/north/red/2"
    assert sides_of(label) == Label.of(label).sides == 6
    assert str(Label.of(label)) == label


@pytest.mark.parametrize(
    "ending", [":d6", ":d06", ":d1", ":d0", ":d", ":d100 ", ":D100", ":d1e2", ":d-8", ":d+8", ":100"]
)
def test_a_label_whose_size_is_written_otherwise_is_none(ending: str) -> None:
    assert Label.of("two-hills/17/1-red/north/red/2" + ending) is None


def test_no_size_can_be_told_in_two_ways() -> None:
    for ending in (":d10:d10", ":d١٠", ":d0010", ":d9999999999", ":d8\n"):
        assert Label.of("two-hills/17/1-red/north/red/2" + ending) is None


@pytest.mark.parametrize("sides", [1, 0, -6, 10**9])
def test_a_size_that_no_label_can_name_is_not_rolled(sides: int) -> None:
    with pytest.raises(ThisNamesNoDie, match="sides"):
        KeyedDice(b"key", "g").die("Q16", "assault", sides)


def test_every_link_of_the_chain_is_committed_to_by_the_one_before() -> None:
    secret = b"s" * 32
    links = [chain_link(secret, index) for index in range(5)]
    assert all(link_follows(later, earlier) for earlier, later in pairwise(links))
    assert not link_follows(links[3], links[1])
    assert chain_link(secret, CHAIN_LENGTH) == secret


def test_the_run_key_depends_on_the_link_and_on_every_sheet() -> None:
    keys = {run_key(b"l", []), run_key(b"l", [b"a"]), run_key(b"l", [b"a", b""]), run_key(b"m", [b"a"])}
    keys |= {run_key(b"l", [b"a", b"b"]), run_key(b"l", [b"b", b"a"]), run_key(b"l", [b"ab"])}
    assert len(keys) == 7


def test_forced_dice_come_in_order_and_run_out_with_a_message() -> None:
    dice = ForcedDice([3, 5])
    assert [dice.die("Q16", "assault")[0], dice.die("Q16", "assault")[0]] == [3, 5]
    assert ForcedDice([73]).die("Q16", "assault", 100) == (73, "forced/Q16/assault/1:d100")
    with pytest.raises(DiceRanOut, match="advance of CENTER at Q16; 2 were used"):
        dice.die("Q16", "advance of CENTER")
