"""The dice can be checked afterwards and cannot be foreseen."""

from collections import Counter
from itertools import pairwise

import pytest

from engine.dice import (
    CHAIN_LENGTH,
    DiceRanOut,
    ForcedDice,
    KeyedDice,
    chain_link,
    link_follows,
    number_below,
    run_key,
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
    with pytest.raises(DiceRanOut, match="advance of CENTER at Q16; 2 were used"):
        dice.die("Q16", "advance of CENTER")
