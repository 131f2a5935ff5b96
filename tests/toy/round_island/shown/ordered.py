"""What came of a line, in a few words."""

from engine.results import LineResult
from tests.toy.round_island.rules.events import BattleFought, Marched
from tests.toy.round_island.shown.names import place_name, side_name


def result_words(result: LineResult) -> str:
    """The reason, if it was not carried out; else what met the march where it went."""
    for event in result.events:
        if isinstance(event, BattleFought):
            words = "taken by" if event.winner == event.attacker else "held by"
            return f"battle in {place_name(event.hex)}, {words} {side_name(event.winner)}"
    arrived = [place_name(event.target) for event in result.events if isinstance(event, Marched)]
    return result.why or (f"went to {', '.join(dict.fromkeys(arrived))}" if arrived else "")
