"""Positions that are kept in mind: bounded by what they weigh, with all that was asked of them."""

import dataclasses
import gc
import tracemalloc
import weakref

import pytest

from engine.game import Options, game_named
from pbem.memory import Memory
from pbem.post.letterhead import order_form
from pbem.records.matches import Scene
from pbem.records.seats import seats_of
from pbem.records.store import Store
from tests.toy.table import new_match, new_store, play_by_bots

GAME = game_named("hitlers-war")


@pytest.fixture(scope="module")
def encoded() -> bytes:
    return GAME.encode(GAME.setup("campaign-1", Options()))


def asked_everything(scene: Scene) -> Scene:
    """As for receipts and reports of a turn."""
    assert scene.gate is not None
    for side in ("axis", "soviet", "allies"):
        scene.view(side, "fog")
    for side in scene.gate.awaits:
        reading = scene.reading(side, "fog", GAME.bot(scene.view(side, "fog"), b"weighed"), "1")
        assert reading.findings is not None
        assert reading.odds is not None
    return scene


def test_a_position_weighs_about_what_it_says(encoded):
    asked_everything(Scene(GAME, encoded))  # what the program keeps of the game itself is there now
    gc.collect()
    tracemalloc.start()
    scene = asked_everything(Scene(GAME, bytes(bytearray(encoded))))
    gc.collect()
    took, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert took / 2 < scene.weight() < took * 2


def test_a_position_weighs_more_the_more_is_asked_of_it(encoded):
    scene = Scene(GAME, encoded)
    weights = [scene.weight()]
    scene.view("axis", "fog")
    weights.append(scene.weight())
    scene.reading("axis", "fog", "BUILD MAX I ANY\n" * 5, "1")
    weights.append(scene.weight())
    scene.text("form", lambda: "x" * 1000)
    assert weights == sorted(set(weights))
    assert scene.weight() == weights[-1] + 1000


def with_room_for(store: Store, weight: int) -> Store:
    return dataclasses.replace(store, scenes=Memory(weight, Scene.weight))


def test_so_many_positions_are_kept_as_there_is_room_for(tmp_path):
    store = with_room_for(new_store(tmp_path / "war"), 20_000)
    for match in range(1, 6):
        new_match(store)
        play_by_bots(store, match)
        assert store.position(match).state.outcome is not None
        assert 0 < store.scenes.weight <= 20_000
    assert 2 < len(store.scenes) < 25


def test_an_order_form_goes_with_its_position(tmp_path):
    store = with_room_for(new_store(tmp_path / "war"), 100_000)
    new_match(store)
    position = store.position(1)
    with store.reading() as session:
        for seat in seats_of(session, position.match):
            assert order_form(position, seat) == order_form(store.position(1), seat) != ""
    scene = weakref.ref(position.scene)
    del position
    gc.collect()
    assert scene() is not None, "it is kept in mind"
    store.scenes.most = 0
    play_by_bots(store, 1, 1)
    gc.collect()
    assert scene() is None
