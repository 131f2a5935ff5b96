"""A war with fixed orders and fixed dice, to look at its mails: for golden texts, pictures of the docs and the bench.

The Axis attacks in summer and again in winter 1941, the Soviet Union strikes back once; then nobody sends anything,
and the Soviet Union holds out to the end.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from engine.dice import chain_link
from engine.events import Event
from engine.game import Fog, Options
from engine.hitlers_war.game import HitlersWar
from engine.hitlers_war.state import State
from pbem.bulletin import Introduction, report_mail, welcome_mail
from pbem.matches import run_gate
from pbem.ordered import Ordered, what_came_of
from pbem.post import Mail, Sender
from pbem.seals import SealedSheet, digest_of, salt_for
from pbem.situation import Addressee, Press, Situation, TurnTold, War

GAME = HitlersWar()
SECRET = b"the dice of a war that nobody plays"
MATCH = 17
SENDER = Sender("The Referee", "referee@example.org")
BEGINNING = datetime(2026, 6, 1, 18, tzinfo=UTC)
EVERY = timedelta(hours=72)
#: Keys that open nothing.
KEYS = {"axis": "abcdefghijkmnpqrstuv", "soviet": "vutsrqpnmkjihgfedcba"}
NAMES = {"axis": "Anna", "soviet": "Boris"}

SUMMER_AXIS = """\
TURN Summer 1941 SIDE Axis
ATTACK North R13 ASSAULT ADVANCE
ATTACK Fourth P14 ASSAULT NOADVANCE
ATTACK Center P14 ADVANCE IF RANGE>=2
ATTACK South N14 ASSAULT ADVANCE
ATTACK Rumania M15 ADVANCE
LOSSES ALL TYPES I,M
EXPLOIT Center P15 Q15 STOP-IF RANGE<2
EXPLOIT South N15
BUILD 1M P10 NEW West
BUILD MAX I ANY
STANDING DEFEND ALL HOLD
"""
SUMMER_SOVIET = """\
TURN Summer 1941 SIDE Soviet
GOTO Siberia Q17
ATTACK NW P14 ASSAULT NOADVANCE
BUILD MAX I Q17 OR ANY
STANDING RETREAT ALL TOWARD Q17
"""
WINTER_AXIS = """\
TURN Winter 1941 SIDE Axis
ATTACK Center Q14 ASSAULT ADVANCE
ATTACK South O15 ASSAULT ADVANCE IF RANGE>=3
ATTACK North R14 ADVANCE
ATTACK Fourth Z9 ASSAULT
BUILD MAX I ANY
"""
SHEETS = (SUMMER_AXIS, SUMMER_SOVIET, WINTER_AXIS)
PRESS = {2: ("| Winter is coming, Boris.", "|", "| What would you say to a truce?")}


@dataclass(frozen=True)
class Run:
    """One gate: the position before and after it, the sheet that was sent if any, and all that happened."""

    number: int
    before: State
    text: str
    sealed: tuple[SealedSheet, ...]
    after: State
    events: tuple[Event, ...]

    @property
    def side(self) -> str:
        return str(self.before.phasing)

    @property
    def at(self) -> datetime:
        return BEGINNING + (self.number + 1) * EVERY


@lru_cache(maxsize=4)
def whole_war(fog: Fog) -> tuple[Run, ...]:
    sides = GAME.scenarios()[0].sides
    state, runs = GAME.setup("barbarossa", Options(fog=fog, edition=GAME.scenarios()[0].editions[0])), list[Run]()
    while (gate := GAME.gate(state)) is not None:
        text = SHEETS[len(runs)] if len(runs) < len(SHEETS) else None
        sealed = tuple(_sealed(gate.id, side, text if side in gate.awaits else None) for side in sides)
        after, events = run_gate(GAME, MATCH, state, state.options, sealed, chain_link(SECRET, len(runs) + 1))
        runs.append(Run(len(runs), state, text or "", sealed, after, tuple(events)))
        state = after
    return tuple(runs)


def _sealed(gate: str, side: str, text: str | None) -> SealedSheet:
    return SealedSheet(side, text, salt_for(SECRET, gate, side), digest_of(SECRET, gate, side, text), None)


# ------------------------------------------------------------------ what a seat may know of it


def situation(state: State, fog: Fog, side: str, opened: datetime, changes: int) -> Situation:
    gate = GAME.gate(state)
    return Situation(
        War(MATCH, "Barbarossa", GAME.id, GAME.title, chain_link(SECRET, 0).hex()),
        Addressee(MATCH, side, f"{NAMES[side].lower()}@example.org", KEYS[side], NAMES[side]),
        SENDER,
        GAME.view(state, side, fog),
        gate,
        GAME.outcome(state),
        "Europe/Berlin",
        deadline=opened + EVERY if gate else None,
        has_deadlines=True,
        changes=changes,
    )


def told(run: Run, fog: Fog, side: str) -> TurnTold:
    gate = GAME.gate(run.before)
    assert gate is not None, "a turn was run at a gate"
    events = tuple(GAME.told(run.events, side, fog))
    return TurnTold(
        run.number + 1,
        gate.title,
        run.at,
        chain_link(SECRET, run.number + 1).hex(),
        tuple((sheet.side, sheet.digest) for sheet in run.sealed),
        events,
        _orders(run, fog, events) if side == run.side and run.text else (),
        (Press("Axis", run.at - EVERY / 2, PRESS[run.number]),) if run.number in PRESS and side == "soviet" else (),
    )


def _orders(run: Run, fog: Fog, events: tuple[Event, ...]) -> tuple[Ordered, ...]:
    view = GAME.view(run.before, run.side, fog)
    sheet = GAME.parse(run.text, view)
    return what_came_of(run.text, sheet, (*sheet.findings, *GAME.check(view, sheet)), events)


# ------------------------------------------------------------------ its mails


def sample_welcome(fog: Fog, side: str) -> Mail:
    first = whole_war(fog)[0].before
    introduction = Introduction(GAME.scenarios()[0], first.options, "72 hours after each turn", "named")
    return welcome_mail(situation(first, fog, side, BEGINNING, 0), introduction, BEGINNING)


def sample_report(fog: Fog, side: str, number: int) -> Mail:
    """The report of one run; -1 is the last one of the war."""
    run = whole_war(fog)[number]
    return report_mail(situation(run.after, fog, side, run.at, run.number + 1), told(run, fog, side))


#: One mail for each moment of the war that a reader may want to see, by the name of its golden text.
MOMENTS = {"start": ("axis", None), "mid-war": ("axis", 2), "other-side": ("soviet", 2), "end": ("soviet", -1)}


def sample(moment: str, fog: Fog) -> Mail:
    side, number = MOMENTS[moment]
    return sample_welcome(fog, side) if number is None else sample_report(fog, side, number)
