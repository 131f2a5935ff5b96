"""The scenarios of Hitler's War, read from their files."""

from functools import cache

import msgspec

from engine.game import ThereIsNoSuchScenario
from engine.grand_strategy.scenario import ScenarioData
from engine.load import load_yaml

#: In the order of their rules levels.
SCENARIOS = ("barbarossa", "fall-of-germany", "campaign-1", "campaign-2")


def scenario_ids() -> tuple[str, ...]:
    return SCENARIOS


@cache
def load_scenario(scenario: str) -> ScenarioData:
    if scenario not in SCENARIOS:
        raise ThereIsNoSuchScenario(f"there is no scenario {scenario!r}; there are: {', '.join(SCENARIOS)}")
    return msgspec.convert(load_yaml("hitlers-war", "scenarios", f"{scenario}.yaml"), ScenarioData)
