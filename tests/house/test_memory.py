"""What is kept in mind is bounded by what it weighs, and what was asked for last stays."""

import threading

from hypothesis import given
from hypothesis import strategies as st

from pbem.memory import Memory


def made(memory: Memory, key: object, value: str) -> bool:
    """Whether it had to be made."""
    asked: list[object] = []

    def make() -> str:
        asked.append(key)
        return value

    assert memory.recall(key, make) == value
    return bool(asked)


def test_what_is_kept_is_not_made_again():
    memory: Memory[str] = Memory(10, len)
    assert made(memory, "a", "four")
    assert not made(memory, "a", "four")
    assert (len(memory), memory.weight) == (1, 4)


def test_what_was_asked_for_longest_ago_is_forgotten_first():
    memory: Memory[str] = Memory(10, len)
    for key in "abac":
        made(memory, key, "four")
    assert memory.weight == 8
    assert not made(memory, "a", "four")
    assert made(memory, "b", "four"), "it was asked for before a and c"


def test_what_is_too_heavy_is_made_and_pushes_nothing_out():
    memory: Memory[str] = Memory(10, len)
    made(memory, "small", "four")
    assert made(memory, "large", "eleven long")
    assert made(memory, "large", "eleven long")
    assert not made(memory, "small", "four")


def test_what_grows_is_weighed_again_when_it_is_asked_for():
    memory: Memory[list[int]] = Memory(10, len)
    first = memory.recall("first", lambda: [1])
    memory.recall("second", lambda: [1, 2])
    first += [0] * 8
    assert memory.weight == 3
    assert memory.recall("first", list) is first
    assert (len(memory), memory.weight) == (1, 9), "there is no room for the second any more"


def test_results_of_several_functions_share_a_memory():
    memory: Memory[str] = Memory(10, len)
    asked = []

    @memory.results
    def one(word: str, times: int = 1) -> str:
        asked.append(word)
        return word * times

    @memory.results
    def other(word: str) -> str:
        return word.upper()

    assert [one("ab"), one("ab"), one("ab", times=2), other("ab")] == ["ab", "ab", "abab", "AB"]
    assert asked == ["ab", "ab"]
    assert one.__name__ == "one"
    assert memory.weight == 8


def test_it_can_be_told_to_forget_everything():
    memory: Memory[str] = Memory(10, len)
    made(memory, "a", "four")
    memory.clear()
    assert (len(memory), memory.weight) == (0, 0)
    assert made(memory, "a", "four")


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 30))))
def test_it_never_weighs_more_than_it_may(asked):
    memory: Memory[str] = Memory(50, len)
    for key, weight in asked:
        memory.recall(key, lambda weight=weight: "x" * weight)
        assert memory.weight <= 50
        assert memory.weight == sum(len(value) for value, _ in memory._kept.values())


def test_threads_share_it():
    memory: Memory[str] = Memory(200, len)

    def ask() -> None:
        for number in range(2_000):
            assert memory.recall(number % 37, lambda number=number: str(number % 37) * 9) == str(number % 37) * 9

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 0 < memory.weight <= 200
    assert memory.weight == sum(len(value) for value, _ in memory._kept.values())
