"""Wars with fixed orders and fixed dice, to look at their mails: for golden texts, pictures of the docs and the bench.

In Russia the Axis attacks in summer and again in winter 1941, the Soviet Union strikes back once; then nobody sends
anything, and the Soviet Union holds out to the end. In the campaign each side plays the first winter: Poland and the
Baltic States are attacked, and the Allies land in Denmark.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from engine.dice import chain_link
from engine.events import Event
from engine.game import Fog, Options, Scenario
from engine.grand_strategy.state import State
from engine.hitlers_war.game import HitlersWar
from pbem.games import box_of
from pbem.post.bulletin import Introduction, report_mail, welcome_mail
from pbem.post.ordered import Ordered, what_came_of
from pbem.post.post import Mail, Sender
from pbem.post.situation import Addressee, MatchTold, Press, Situation, TurnTold
from pbem.records.matches import run_gate
from pbem.records.seals import AS_SENT, SealedSheet, digest_of, salt_for

GAME = HitlersWar()
BARBAROSSA, CAMPAIGN = "barbarossa", "campaign-1"
SECRET = b"the dice of a war that nobody plays"
MATCH = 17
SENDER = Sender("The Referee", "referee@example.org")
BEGINNING = datetime(2026, 6, 1, 18, tzinfo=UTC)
EVERY = timedelta(hours=72)
#: Keys that open nothing.
KEYS = {"axis": "abcdefghijkmnpqrstuv", "soviet": "vutsrqpnmkjihgfedcba", "allies": "abcdefghijvutsrqpnmk"}
NAMES = {"axis": "Anna", "soviet": "Boris", "allies": "Carol"}

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
FIRST_WINTER_AXIS = """\
TURN Winter 1939 SIDE Axis
VIOLATE Poland
ATTACK Fourth P12 ASSAULT ADVANCE
ATTACK South O13 ASSAULT ADVANCE
EXPLOIT South P13
FORT N9 1
BUILD MAX I ANY
"""
FIRST_WINTER_SOVIET = """\
TURN Winter 1939 SIDE Soviet
VIOLATE Baltic States
ATTACK White R13 ASSAULT ADVANCE
BUILD MAX I ANY
"""
FIRST_WINTER_ALLIES = """\
TURN Winter 1939 SIDE Allies
FORM 8Br P7 1I 1A FROM Britain
SHIP 2I 1Fr -> Britain
VIOLATE Denmark
INVADE 8Br R9 ASSAULT
SUPPORT R9
EXPLOIT 8Br R10
FORT O8 1
BUILD 1A P7 Britain
BUILD MAX I ANY
"""
#: The sheets of each war in the order they are asked for, and how many gates of it are run.
SHEETS = {
    BARBAROSSA: (SUMMER_AXIS, SUMMER_SOVIET, WINTER_AXIS),
    CAMPAIGN: (FIRST_WINTER_AXIS, FIRST_WINTER_SOVIET, FIRST_WINTER_ALLIES),
}
MOST_GATES = {BARBAROSSA: 99, CAMPAIGN: 3}
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


def scenario_named(scenario: str) -> Scenario:
    return next(info for info in GAME.scenarios() if info.id == scenario)


@lru_cache(maxsize=8)
def whole_war(fog: Fog, scenario: str = BARBAROSSA) -> tuple[Run, ...]:
    info, sheets = scenario_named(scenario), SHEETS[scenario]
    state, runs = GAME.setup(scenario, Options(fog=fog, edition=info.editions[0])), list[Run]()
    while (gate := GAME.gate(state)) is not None and len(runs) < MOST_GATES[scenario]:
        text = sheets[len(runs)] if len(runs) < len(sheets) else None
        sealed = tuple(sealed_sheet(gate.id, side, text if side in gate.awaits else None) for side in info.sides)
        after, events = run_gate(GAME, MATCH, state, state.options, sealed, chain_link(SECRET, len(runs) + 1))
        runs.append(Run(len(runs), state, text or "", sealed, after, tuple(events)))
        state = after
    return tuple(runs)


def sealed_sheet(gate: str, side: str, text: str | None) -> SealedSheet:
    """By the rule of the time when the sample wars were written, so that their dice stay what they are."""
    digest = digest_of(SECRET, gate, side, text, AS_SENT)
    return SealedSheet(side, text, salt_for(SECRET, gate, side), digest, None, AS_SENT)


# ------------------------------------------------------------------ what a seat may know of it


def situation(state: State, fog: Fog, side: str, opened: datetime, changes: int) -> Situation:
    gate = GAME.gate(state)
    return Situation(
        MatchTold(MATCH, scenario_named(state.scenario).title, box_of(GAME), chain_link(SECRET, 0).hex()),
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
        known=GAME.view(run.before, side, fog),
    )


def _orders(run: Run, fog: Fog, events: tuple[Event, ...]) -> tuple[Ordered, ...]:
    view = GAME.view(run.before, run.side, fog)
    sheet = GAME.parse(run.text, view)
    findings = (*sheet.findings, *GAME.check(view, sheet))
    return what_came_of(box_of(GAME), run.text, sheet, findings, GAME.came_of(view, sheet, events))


# ------------------------------------------------------------------ its mails


def sample_welcome(fog: Fog, side: str) -> Mail:
    first = whole_war(fog)[0].before
    introduction = Introduction(scenario_named(BARBAROSSA), first.options, "72 hours after each turn", "named")
    return welcome_mail(situation(first, fog, side, BEGINNING, 0), introduction, BEGINNING)


def sample_report(fog: Fog, side: str, number: int, scenario: str = BARBAROSSA) -> Mail:
    """The report of one run; -1 is the last one of the war."""
    run = whole_war(fog, scenario)[number]
    return report_mail(situation(run.after, fog, side, run.at, run.number + 1), told(run, fog, side))


#: One mail for each moment of a war that a reader may want to see, by the name of its golden text.
MOMENTS: dict[str, tuple[str, str, int | None]] = {
    "start": (BARBAROSSA, "axis", None),
    "mid-war": (BARBAROSSA, "axis", 2),
    "other-side": (BARBAROSSA, "soviet", 2),
    "end": (BARBAROSSA, "soviet", -1),
    "campaign": (CAMPAIGN, "allies", 2),
}


def sample(moment: str, fog: Fog) -> Mail:
    scenario, side, number = MOMENTS[moment]
    return sample_welcome(fog, side) if number is None else sample_report(fog, side, number, scenario)
