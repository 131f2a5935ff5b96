"""Two truths and one view: every byte that a side is mailed, of two positions that differ only in what it cannot know.

What one side cannot know is not public either, so everything that is public is compared with it.

`python -m tests.leaks --pairs 20000` compares many pairs and is part of `make soak`; tests/hitlers_war/test_leaks.py compares some
and plants leaks to see that they are found.
"""

import argparse
import hashlib
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from sqlalchemy.event import listen
from sqlmodel import Session, delete, select

from engine.dice import KeyedDice, chain_link
from engine.events import Event, canonical
from engine.game import FOGS, MODES, PUBLIC, Options, state_hash
from engine.grand_strategy.state import State
from engine.hitlers_war.game import HitlersWar
from engine.hitlers_war.hidden import CHANGES, change_what_is_hidden, change_what_was_hidden, change_who_else_saw
from pbem.games import box_of
from pbem.post import letterhead
from pbem.post.post import with_pictures
from pbem.post.sketches import Sketch, decoded, drawn
from pbem.records import models
from tests.letterbox import Letterbox, new_letterbox
from tests.toy.table import SECRET

GAME = HitlersWar()
SCENARIOS = tuple(scenario.id for scenario in GAME.scenarios())

#: What a player may write, besides orders.
QUESTIONS = ("STATUS", "SHOW", "REPORT", "MAP", "MAP Q16", "MAP Poland", "SHEET", "STANDING", "HELP ATTACK")
#: Orders that feel about in the dark: they name armies and places the side may know nothing of.
PROBES = """CHECK
ATTACK CENTER Q16 ASSAULT-IF DEF>=3 ADVANCE IF RANGE>=2
ATTACK MOSCOW P14 ASSAULT ADVANCE
EXPLOIT CENTER Q17 R17
RETREAT ALL TOWARD Q17
GOTO NORTH S14
BUILD 40I ANY
DEFEND SIBERIA HOLD
"""
LETTERS = (*QUESTIONS, "ORDERS", PROBES)


@dataclass(frozen=True)
class Pair:
    """Which war, how far, who looks, and what is different behind his back."""

    scenario: str
    options: Options
    war: int
    gates: int
    side: str
    changes: tuple[str, ...]
    letters: tuple[str, ...]
    draw: bool = False  # every pixel too, which takes longer


@dataclass(frozen=True)
class Truth:
    """A position, and the turn that led to it: where it began, the sheets as they were sent, and what happened."""

    state: State
    events: tuple[Event, ...]
    before: State
    texts: dict[str, str]


def numbers(*seed: object) -> Iterator[int]:
    for step in count():
        yield int.from_bytes(hashlib.sha256(repr((*seed, step)).encode()).digest()[:8])


def chooser(*seed: object) -> Callable[[int], int]:
    stream = numbers(*seed)
    return lambda below: next(stream) % below


# ------------------------------------------------------------------ the pair


#: No pair looks farther into a war.
MOST_GATES = 40


@lru_cache(maxsize=4)
def positions_of(scenario: str, options: Options, war: int) -> tuple[Truth, ...]:
    """Each position of a war between random players, or the first of a long one."""
    state, truths = GAME.setup(scenario, options), []
    while (gate := GAME.gate(state)) is not None and len(truths) < MOST_GATES:
        views = {side: GAME.view(state, side, options.fog) for side in gate.awaits + gate.also_heard}
        texts = {side: GAME.bot(view, canonical([war, len(truths), side])) for side, view in views.items()}
        sheets = {side: GAME.parse(text, views[side]) for side, text in texts.items()}
        after, events = GAME.run(state, sheets, KeyedDice(SECRET, f"leaks/{war}/{len(truths)}"))
        truths.append(Truth(after, tuple(events), state, texts))
        state = after
    return tuple(truths)


def two_truths(pair: Pair) -> tuple[Truth, Truth]:
    reached = positions_of(pair.scenario, pair.options, pair.war)
    truth = reached[pair.gates % len(reached)]
    return truth, another_truth(pair, truth)


def another_truth(pair: Pair, truth: Truth) -> Truth:
    """The same to the eyes of this side; some of what it was not told has happened otherwise, too."""
    choose, others, fog = chooser(pair), chooser(pair, "witnesses"), pair.options.fog
    state = GAME.decode(GAME.encode(truth.state))
    known = GAME.view(state, pair.side, fog).places
    in_sight = [place for place, view in known.items() if view.in_sight]
    change_what_is_hidden(state, pair.side, fog, in_sight, choose, pair.changes)
    events = [event for event in truth.events if GAME.told([event], pair.side, fog) or choose(2)]
    changed = (change_what_was_hidden(event, pair.side, fog, choose) for event in events)
    seen = (change_who_else_saw(event, pair.side, fog, others) for event in changed)
    return replace(truth, state=state, events=tuple(seen))


# ------------------------------------------------------------------ what is mailed


class Table:
    """A match by mail whose position can be exchanged."""

    def __init__(self, directory: Path, scenario: str) -> None:
        self.box: Letterbox = new_letterbox(directory, {GAME.id: GAME}, GAME.id, scenario)
        engine = self.box.office.store.engine
        listen(engine, "connect", lambda driver, _: driver.execute("PRAGMA synchronous=OFF"))
        engine.dispose()  # nothing on this table need survive anything, and the disk takes longer than the mail

    def mail_to(self, pair: Pair, truth: Truth) -> dict[str, bytes]:
        """Every mail this side gets in this position, each with all that is written about it."""
        self._lay_out(pair, truth)
        office, seat = self.box.office, self.box.seat(pair.side)
        with office.store.writing() as session:
            position, turn = office.store.position_in(session, 1), office.store.turn_in(session, 1, 1)
            office.write(session, letterhead.report_mail(session, office, position, turn, seat))
            office.write(session, letterhead.welcome_mail(session, office, position, seat))
            if position.gate is not None and pair.side in position.gate.awaits:
                office.write(session, letterhead.reminder_mail(office, position, seat))
        for number, words in enumerate(pair.letters):
            text = self._sheet(pair) if words == "ORDERS" else words
            letter = self.box.play(pair.side, text, message_id=f"<{number}@client.example>")
            assert letter.fate != models.HELD, letter.reason
        return dict(self._written(seat.address, draw=pair.draw))

    def _sheet(self, pair: Pair) -> str:
        """What the random player would send; no sheet is awaited any more when the war is over."""
        view = self.box.office.store.position(1).view(pair.side)
        return GAME.bot(view, b"leaks") if view.gate else "STATUS"

    def _written(self, address: str, *, draw: bool) -> Iterator[tuple[str, bytes]]:
        shown = Shown()
        with self.box.office.store.reading() as session:
            for mail in session.exec(select(models.Outgoing).where(models.Outgoing.recipient == address)):
                sketch = session.get(models.Sketch, mail.id)
                yield mail.key, _all_of(mail, sketch.source if sketch else b"", shown, draw=draw)

    def _lay_out(self, pair: Pair, truth: Truth) -> None:
        """Wipe the table and put the position on it, as the run that led to it would have."""
        store = self.box.office.store
        encoded, before = GAME.encode(truth.state), GAME.encode(truth.before)
        turn = self._turn(truth, state_hash(before), state_hash(encoded, state_hash(before)))
        with store.writing() as session:
            for table in (models.Sketch, models.Outgoing, models.Word, models.Sheet, models.Letter, models.Ledger):
                session.exec(delete(table))
            session.exec(delete(models.Turn))
            session.exec(delete(models.Snapshot))
            match = store.match_in(session, 1)
            match.options, match.gate_number = msgspec.to_builtins(pair.options), 1
            session.add(models.Snapshot(match_id=1, run=0, state=before, hash=turn.hash_before))
            session.add(models.Snapshot(match_id=1, run=1, state=encoded, hash=turn.hash_after))
            session.add_all([match, turn])
            self._let_it_wait(session, truth)
        self.box.written, self.box.places = 0, set()

    def _let_it_wait(self, session: Session, truth: Truth) -> None:
        """A sheet that comes in must not be run: what follows may well differ."""
        gate = GAME.gate(truth.state)
        for seat in session.exec(select(models.Seat)):
            seat.wait_gate = gate.id if gate else ""
            session.add(seat)

    def _turn(self, truth: Truth, before: str, after: str) -> models.Turn:
        gate = GAME.gate(truth.before)
        assert gate is not None, "a turn was run at a gate"
        return models.Turn(
            match_id=1,
            run=1,
            number=1,
            gate_id=gate.id,
            title=gate.title,
            sheets=[{"side": side, "text": text, "digest": side, "sheet": None} for side, text in truth.texts.items()],
            link=chain_link(SECRET, 1).hex(),
            hash_before=before,
            hash_after=after,
            events=GAME.encode_events(truth.events),
            ran_at=self.box.watch.now,
            program="",
        )


def _all_of(mail: models.Outgoing, sketch: bytes, shown: "Shown", *, draw: bool) -> bytes:
    """The bytes that leave, what is known of the mail before, and what its pictures show, which is what is painted.

    Pictures are made from the sketch and nothing else. Few are painted, to the last pixel.
    """
    raw, scenes = mail.raw, b"".join(shown.of(decoded(sketch))) if sketch else b""
    if sketch and draw:
        with ThreadPoolExecutor(1) as pool:
            raw = with_pictures(raw, [mail.message_id], drawn(box_of(GAME), decoded(sketch), pool))
    facts = (mail.kind, mail.topic, mail.recipient, mail.message_id, mail.subject, mail.expires)
    return repr(facts).encode() + sketch + scenes + raw


class Shown:
    """What the pictures of a position show, as bytes. Several mails may have the same picture."""

    def __init__(self) -> None:
        self._stages: dict[tuple[bytes, bytes, str], Callable[[str], Any]] = {}
        self._known: dict[tuple[bytes, bytes, str, str], bytes] = {}

    def of(self, sketch: Sketch) -> Iterator[bytes]:
        """Not sorted: the order in which things are named is that of painting."""
        about = (bytes(sketch.view), bytes(sketch.events), sketch.orders)
        if about not in self._stages:
            self._stages[about] = box_of(GAME).stage(*about)
        for picture in sketch.pictures:
            if (*about, picture.what) not in self._known:
                self._known[*about, picture.what] = msgspec.json.encode(self._stages[about](picture.what))
            yield self._known[*about, picture.what]


def public_knowledge(pair: Pair, truth: Truth) -> dict[str, bytes]:
    """What everybody knows in this position and of the turn that led to it; with the pictures also in words."""
    fog, box = pair.options.fog, box_of(GAME)
    view, told = GAME.view(truth.state, PUBLIC, fog), GAME.told(truth.events, PUBLIC, fog)
    known = {"public view": canonical(view), "public events": canonical(told)}
    if pair.draw:
        known["public words"] = f"{box.position(view)}{box.position_html(view)}{box.story(told, PUBLIC)}".encode()
    return known


def differences(table: Table, pair: Pair) -> list[str]:
    """The mails that tell this side something it cannot know, and what is public of that."""
    return told_apart(table, pair, *two_truths(pair))


def told_apart(table: Table, pair: Pair, one: Truth, other: Truth) -> list[str]:
    first = table.mail_to(pair, one) | public_knowledge(pair, one)
    second = table.mail_to(pair, other) | public_knowledge(pair, other)
    return sorted(key for key in first.keys() | second.keys() if first.get(key) != second.get(key))


# ------------------------------------------------------------------ many pairs

PAIRS_A_WAR = 20
#: What the pictures show is compared of every pair, what they look like now and then.
PAIRS_A_PAINTING = 100


def pair_numbered(number: int) -> Pair:
    """Twenty pairs from each war, so that it is played once."""
    war, draw = number // PAIRS_A_WAR, numbers("pair", number)
    scenario = GAME.scenarios()[war // 3 % len(SCENARIOS)]
    editions = scenario.editions
    return Pair(
        scenario.id,
        Options(FOGS[war % 3], MODES[war // 3 % 2], editions[war // 6 % len(editions)]),
        war,
        next(draw) % MOST_GATES,
        scenario.sides[next(draw) % len(scenario.sides)],
        tuple(name for name in CHANGES if next(draw) % 3) or tuple(CHANGES),
        tuple(letter for letter in LETTERS if not next(draw) % 7),
        draw=number % PAIRS_A_PAINTING == 0,
    )


def leaks_of_war(war: int) -> list[str]:
    with tempfile.TemporaryDirectory() as scratch:
        pairs = [pair_numbered(war * PAIRS_A_WAR + number) for number in range(PAIRS_A_WAR)]
        table = Table(Path(scratch), pairs[0].scenario)
        return [
            f"{key} tells of what is hidden from {pair.side} in {pair}"
            for pair in pairs
            for key in differences(table, pair)
        ]


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Compare the mail of positions that differ in what a side cannot know."
    )
    parser.add_argument("--pairs", type=int, default=300, help="how many pairs (default 300)")
    arguments = parser.parse_args()
    wars, found = range(-(-arguments.pairs // PAIRS_A_WAR)), 0
    columns = (TextColumn("comparing"), BarColumn(), MofNCompleteColumn(), TextColumn("wars"), TimeRemainingColumn())
    with ProcessPoolExecutor() as pool, Progress(*columns) as progress:
        for leaks in progress.track(pool.map(leaks_of_war, wars), total=len(wars)):
            found += len(leaks)
            for leak in leaks:
                print(leak)
    print(f"{len(wars) * PAIRS_A_WAR} pairs compared, {found} leaks")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
