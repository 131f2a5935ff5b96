"""Whole wars between random players, watched after every event. A failure leaves a file that repeats it.

python -m tools.soak --games 2000
python -m tools.soak --games 50 --scenario campaign-1
python -m tools.soak --repeat soak-failures/barbarossa-17.json
"""

import argparse
import hashlib
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from engine.dice import KeyedDice
from engine.events import canonical
from engine.game import FOGS, MODES, Options, state_hash
from engine.grand_strategy.state import State
from engine.grand_strategy.victory import TWO_PLAYERS
from engine.hitlers_war.audit import Auditor, require
from engine.hitlers_war.game import HitlersWar
from engine.hitlers_war.hidden import change_what_is_hidden
from engine.hitlers_war.tables import tables
from engine.orders import Sheet
from tools.soak_coverage import Coverage, politics_of
from tools.soak_odds import Account, try_odds
from tools.soak_upsets import upset, upset_of

FAILURES = Path("soak-failures")
GAME = HitlersWar()
PLAYABLE = [scenario.id for scenario in GAME.scenarios()]
#: So many wars of every scenario must see everything there is; in fewer, something may be missing by chance.
ENOUGH = 1000


class Played(msgspec.Struct):
    """One gate of a war: the sheets it was run with, and the hash of the position afterwards."""

    gate: str
    sheets: dict[str, str]
    hash: str = ""


class Record(msgspec.Struct):
    """A whole war, enough to play it again. `politics` counts what countries did, `odds` what came of chances told."""

    number: int
    options: Options
    scenario: str = "barbarossa"
    gates: list[Played] = []
    fault: str = ""
    winners: tuple[str, ...] = ()
    events: dict[str, int] = {}
    orders: dict[str, int] = {}
    politics: dict[str, int] = {}
    odds: Account = Account()


def options_of(number: int, scenario: str = "barbarossa") -> Options:
    """Every mix of fog, mode and edition; wars of three sides are for two players every fifth time."""
    editions = tables().editions
    two_players = scenario != "barbarossa" and number % 5 == 4
    switches = (TWO_PLAYERS,) if two_players else ()
    return Options(FOGS[number % 3], MODES[number // 3 % 2], editions[number // 6 % len(editions)], switches)


def key_of(number: int, *parts: object) -> bytes:
    return hashlib.sha256("/".join(map(str, ("soak", number, *parts))).encode()).digest()


def play(number: int, scenario: str = "barbarossa") -> Record:
    """One war from set-up to its end. A fault is written into the record, not raised."""
    record = Record(number, options_of(number, scenario), scenario)
    try:
        _play(record)
        _replay(record)
    except Exception:
        record.fault = traceback.format_exc()
    return record


def _play(record: Record) -> None:
    state = GAME.setup(record.scenario, record.options)
    events, orders = Counter[str](), Counter[str]()
    while (gate := GAME.gate(state)) is not None:
        ordered = _upset(record, state)
        texts = dict(_texts(record, state)) | ordered
        record.gates.append(Played(gate.id, texts))
        sheets = _sheets(state, texts)
        _try_odds(record, state, texts)
        orders.update(type(line.order).__name__ for sheet in sheets.values() for line in sheet.lines)
        state = _run(record, state, sheets, events)
        record.gates[-1].hash = state_hash(GAME.encode(state))
        _nothing_leaks(state)
    record.events, record.orders = dict(events), dict(orders)
    record.winners = state.outcome.winners if state.outcome else ()


def _upset(record: Record, state: State) -> dict[str, str]:
    """Change the position if it is time, and the sheet of the side that makes use of it."""
    ordered = upset(state, upset_of(record.number, record.scenario))
    return {state.phasing: ordered} if ordered else {}


def _texts(record: Record, state: State) -> Iterator[tuple[str, str]]:
    """Each side's sheet. Now and then the awaited one does not come; the other side often keeps silent."""
    number, gate = record.number, len(record.gates)
    for side in state.kept:
        dawdles = key_of(number, gate, side, "dawdles")[0]
        if dawdles < (12 if side == state.phasing else 170):
            continue
        level = GAME.traits.bots[number % len(GAME.traits.bots)]
        yield side, GAME.bot(GAME.view(state, side, record.options.fog), key_of(number, gate, side), level)


def _sheets(state: State, texts: Mapping[str, str]) -> dict[str, Sheet]:
    """A random sheet must be readable and legal as far as its side can know."""
    sheets = {}
    for side, text in texts.items():
        view = GAME.view(state, side, state.options.fog)
        sheet = sheets[side] = GAME.parse(text, view)
        refused = [finding for finding in (*sheet.findings, *GAME.check(view, sheet)) if finding.refuses]
        require(not refused, f"the random player wrote a bad line: {refused[:1]}")
    return sheets


def _try_odds(record: Record, state: State, texts: Mapping[str, str]) -> None:
    """Now and then: it takes as long as several turns."""
    number, gate, side = record.number, len(record.gates), state.phasing
    if side in texts and key_of(number, gate, "odds")[0] < 16:
        record.odds += try_odds(
            state, texts[side], lambda run: KeyedDice(key_of(number, "odds", run), f"soak/{number}/{gate}")
        )


def _run(record: Record, state: State, sheets: Mapping[str, Sheet], events: Counter[str]) -> State:
    dice = KeyedDice(key_of(record.number, "dice"), f"soak/{record.number}/{len(record.gates)}")
    state, happened = GAME.run(state, sheets, dice, Auditor(state))
    events.update(type(event).__name__ for event in happened)
    record.politics = dict(Counter(record.politics) + Counter(filter(None, map(politics_of, happened))))
    require(GAME.decode_events(GAME.encode_events(happened)) == happened, "events do not survive being stored")
    return state


def _nothing_leaks(state: State) -> None:
    """The view of a side is the same whatever the things are like that it cannot know."""
    fog = state.options.fog
    for side in state.kept:
        view = GAME.view(state, side, fog)
        other = GAME.decode(GAME.encode(state))
        in_sight = [place for place, known in view.places.items() if known.in_sight]
        change_what_is_hidden(other, side, fog, in_sight, lambda below: state.turn % below)
        require(canonical(GAME.view(other, side, fog)) == canonical(view), f"the view of {side} leaks in {fog}")


def _replay(record: Record) -> None:
    state = GAME.setup(record.scenario, record.options)
    for number, played in enumerate(record.gates, 1):
        upset(state, upset_of(record.number, record.scenario))
        sheets = {
            side: GAME.parse(text, GAME.view(state, side, record.options.fog)) for side, text in played.sheets.items()
        }
        dice = KeyedDice(key_of(record.number, "dice"), f"soak/{record.number}/{number}")
        state, _ = GAME.run(state, sheets, dice)
        require(state_hash(GAME.encode(state)) == played.hash, f"replay differs at gate {played.gate}")


def keep_failure(record: Record, directory: Path = FAILURES) -> Path:
    directory.mkdir(exist_ok=True)
    path = directory / f"{record.scenario}-{record.number}.json"
    path.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=1))
    return path


# ------------------------------------------------------------------ the command


def main() -> int:
    parser = argparse.ArgumentParser(description="Play whole wars between random players and watch every event.")
    parser.add_argument("--games", type=int, default=60, help="how many wars of each scenario (default 60)")
    parser.add_argument("--first", type=int, default=0, help="number of the first war")
    parser.add_argument("--scenario", choices=PLAYABLE, help="only wars of this scenario")
    parser.add_argument("--repeat", type=Path, help="play the war of a failure file again")
    arguments = parser.parse_args()
    if arguments.repeat:
        return _repeat(arguments.repeat)
    scenarios = [arguments.scenario] if arguments.scenario else PLAYABLE
    numbers = range(arguments.first, arguments.first + arguments.games)
    return _soak(numbers, scenarios)


def _repeat(path: Path) -> int:
    kept = msgspec.json.decode(path.read_bytes(), type=Record)
    record = play(kept.number, kept.scenario)
    print(record.fault or "the war went through this time")
    return int(bool(record.fault))


def _soak(numbers: Sequence[int], scenarios: Sequence[str]) -> int:
    coverage, failures, odds = Coverage(), [], Account()
    columns = (TextColumn("wars"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    wars = [(number, scenario) for number in numbers for scenario in scenarios]
    with ProcessPoolExecutor() as pool, Progress(*columns) as progress:
        for record in progress.track(pool.map(play, *zip(*wars, strict=True), chunksize=4), total=len(wars)):
            if record.fault:
                failures.append(keep_failure(record))
            odds += record.odds
            seen = {"orders": record.orders, "events": record.events, "politics": record.politics}
            coverage.add(record.scenario, seen, record.winners)
    _tell(coverage, odds, failures, len(wars))
    return int(bool(failures) or odds.is_off or misses_something(coverage, len(numbers), scenarios))


def misses_something(coverage: Coverage, games: int, scenarios: Sequence[str]) -> bool:
    """Whether a soak that was long enough has not seen everything."""
    return games >= ENOUGH and set(scenarios) == set(PLAYABLE) and bool(coverage.never())


def _tell(coverage: Coverage, odds: Account, failures: list[Path], games: int) -> None:
    for table in coverage.tables():
        Console().print(table)
    print(f"Never seen: {', '.join(coverage.never()) or 'nothing, everything occurred'}")
    print(f"Odds: {odds}{', which cannot be chance' if odds.is_off else ''}")
    for path in failures:
        print(f"failed: repeat it with python -m tools.soak --repeat {path}")
    print(f"{games - len(failures)} passed, {len(failures)} failed")


if __name__ == "__main__":
    sys.exit(main())
