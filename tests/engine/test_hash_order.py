"""No result depends on the order of a set: wars are the same whatever seed Python takes for its hashes."""

import os
import subprocess
import sys

import pytest

from tests.barbarossa import GAME
from tests.the_project import ROOT

#: Plays a war of random players and prints a digest of all that anybody could see of it.
WAR = """
import hashlib
import sys
from engine.dice import KeyedDice
from engine.game import Options
from engine.hitlers_war.game import HitlersWar

game, seen, gates = HitlersWar(), hashlib.sha256(), 0
state = game.setup(sys.argv[1], Options(fog="fog"))
while game.gate(state) is not None:
    side, gates = state.phasing, gates + 1
    view = game.view(state, side, "fog")
    text = game.bot(view, b"%d" % gates)
    sheet = game.parse(text, view)
    odds = game.forecast(view, sheet) if gates <= 3 else ()
    state, events = game.run(state, {side: sheet}, KeyedDice(b"any", str(gates)))
    told = [(game.view(state, each, "fog"), game.told(events, each, "fog")) for each in view.sides]
    seen.update(repr((text, sheet, game.check(view, sheet), odds, told)).encode() + game.encode(state))
print(gates, seen.hexdigest())
"""


def war_with_hashes_of(seed: str, scenario: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", WAR, scenario]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT)


@pytest.mark.parametrize("scenario", [info.id for info in GAME.scenarios()])
def test_a_war_is_the_same_whatever_the_order_of_hashes(scenario: str) -> None:
    wars = [war_with_hashes_of(seed, scenario) for seed in ("1", "2")]
    told = [war.communicate()[0] for war in wars]
    assert [war.returncode for war in wars] == [0, 0]
    assert int(told[0].split()[0]) > 3
    assert told[0] == told[1]
