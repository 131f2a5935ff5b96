"""Two Kingdoms: the smallest game of the family. Twelve hexes, two sides, infantry, no sea and no politics.

```
0101 Port    0201        0301        0401        Upland holds columns 1 and 2, Lowland 3 and 4.
  0102         0202        0302        0402 Ford
0103 Keep    0203        0303        0403 Mill
```
"""

import re
from collections.abc import Mapping

from engine.dice import ForcedDice
from engine.events import Event
from engine.game import Options
from engine.grand_strategy.board import BY_LAND, Board, Place
from engine.grand_strategy.check import judge_sheet
from engine.grand_strategy.conditions import fatigue
from engine.grand_strategy.containers import army_of
from engine.grand_strategy.hearing import hear_sheets, keep_for_later
from engine.grand_strategy.language.reading import gate_facts_of, read_sheet, vocabulary_of
from engine.grand_strategy.language.words import Idiom, Part, Samples, language_of
from engine.grand_strategy.rulebook import Refusal, Rulebook, Setting
from engine.grand_strategy.rules.combat import announce
from engine.grand_strategy.scenario import Area, ScenarioData, Start, Theatre
from engine.grand_strategy.setup import first_state
from engine.grand_strategy.state import State
from engine.grand_strategy.tables import HIGHEST_DIE, HIGHEST_STRENGTH, ArmyName, Tables
from engine.grand_strategy.turn import ON_LAND, end_player_turn
from engine.grand_strategy.units import units_of
from engine.grand_strategy.victory import all_taken, held_out, would_take_all
from engine.grand_strategy.view import View
from engine.grand_strategy.viewing import view_of
from engine.grand_strategy.war import War
from engine.grid import Edge
from engine.language import Verb
from engine.layout import Layout, Numbers
from engine.orders import Finding, Sheet
from engine.phase import play_to_next_gate

UPLAND, LOWLAND = "upland", "lowland"
SIDES = (UPLAND, LOWLAND)
LAYOUT = Layout(top="pointed", shifted="even", codec=Numbers(4, 3))
NAMES = {"0101": "Port", "0103": "Keep", "0402": "Ford", "0403": "Mill"}
PRODUCTION = {"0101": 2, "0103": 2, "0402": 3}


def _board() -> Board:
    hexes = [f"{column:02}{row:02}" for row in range(1, 4) for column in range(1, 5)]
    places = [
        Place(
            id_,
            NAMES.get(id_, ""),
            country=(country := "Upland" if id_ < "03" else "Lowland"),
            nation=country,
            production=PRODUCTION.get(id_, 0),
        )
        for id_ in hexes
    ]
    edges = {id_: [Edge(to, "land") for to in LAYOUT.neighbours(id_) if to in hexes] for id_ in hexes}
    return Board(places, edges, LAYOUT)


_STRENGTHS = range(HIGHEST_STRENGTH + 1)

TABLES = Tables(
    default_edition="only",
    editions=("only",),
    side_names={UPLAND: "Upland", LOWLAND: "Lowland"},
    side_adjectives={UPLAND: "Upland", LOWLAND: "Lowland"},
    stage_names={},
    with_article=(),
    army_names={
        UPLAND: {"RED": ArmyName("RED", "Red Army", ("Red",)), "ROSE": ArmyName("ROSE", "Rose Army", ("Rose",))},
        LOWLAND: {"BLUE": ArmyName("BLUE", "Blue Army", ("Blue",))},
    },
    basic_costs={"inf": 2},
    repair_cost=1,
    stacking_limit=10,
    exploitation_modifier=1,
    mountain_modifier=2,
    calendar_notes={},
    raw={},
    # A fire takes a quarter of its strength for each that the die is above three.
    firepower_rows=((), *(tuple(s * max(0, die - 3) // 4 for s in _STRENGTHS) for die in range(1, HIGHEST_DIE + 1))),
    # An advance succeeds with five or less, less what defends; there is nothing mechanized, of which a row would tell.
    advance_rows={"only": ((5, *(5 - defence if defence < 5 else None for defence in _STRENGTHS)),) * len(_STRENGTHS)},
    seasons={1: ("spring", 101), 2: ("autumn", 101)},
    turns={("spring", 101): 1, ("autumn", 101): 2},
)

SCENARIO = ScenarioData(
    id="two-kingdoms",
    title="Two Kingdoms",
    summary="A quarrel about a ford.",
    level=0,
    sides=SIDES,
    first_turn=1,
    last_turn=2,
    unit_types=("inf",),
    friendly={UPLAND: Area(countries=("Upland",)), LOWLAND: Area(countries=("Lowland",))},
    others="neutral",
    production_at_start={UPLAND: 4, LOWLAND: 3},
    build_countries={UPLAND: ("Upland",), LOWLAND: ("Lowland",)},
    victory={"case": "TK-1", "take_all": {UPLAND: ["0402"]}, "otherwise": LOWLAND},
    theatre=Theatre("A-C", (1, 4)),
    totals={},
    armies={"RED": Start(UPLAND, "0202", inf=7), "BLUE": Start(LOWLAND, "0302", inf=2)},
)

WORDS = Part(
    "the rules",
    verbs=(
        Verb("GOTO", "GOTO Red 0201", "move a whole army"),
        Verb("XFER", "XFER 1I Red -> Rose", "hand points from one army to another"),
        Verb("FORM", "FORM Rose 0101 2I FROM Red", "put a new army on the map"),
        Verb("ATTACK", "ATTACK Red 0302 ASSAULT ADVANCE", "announce an attack"),
        Verb("EXPLOIT", "EXPLOIT Red 0402", "go on after a successful advance"),
        Verb("DEFEND", "STANDING DEFEND ALL NOW", "say when defensive assaults are made", may_stand=True),
        Verb("BUILD", "BUILD 1I 0101", "buy strength points"),
        Verb("STANDING", "STANDING DEFEND ALL HOLD", "keep a policy in force until it is cancelled"),
        Verb("CANCEL", "CANCEL DEFEND ALL HOLD", "end one standing order"),
    ),
    what_there_is="Two Kingdoms has armies of infantry (I), and nothing else",
)
IDIOM = Idiom(
    (WORDS,),
    sections=("MOVE", "COMBAT", "PRODUCTION", "STANDING"),
    headings=("GAME", "TURN", "SIDE"),
    place=r"0\d0\d",
    hex=re.compile(r"\d{4}"),
    amount=r"\d{1,2}I",
    case_number=r"TK-\d+",
    samples=Samples("0201", "a number", ("0302", "0301"), "0101"),
)


def _never(_war: War, target: str, *_: str) -> Refusal:
    return f"{target} is nobody's", "attack the enemy"


def _other(side: str) -> tuple[str, ...]:
    return tuple(other for other in SIDES if other != side)


RULES = Rulebook(
    units=units_of("inf"),
    containers={"army": army_of("inf")},
    turn=ON_LAND,
    end_of_turn=end_player_turn,
    announcements=(announce,),
    enemies=lambda _war, side: _other(side),
    foes=lambda side, _sides: _other(side),
    at_peace=_never,
    unaligned=_never,
    closed=_never,
    attack_over=BY_LAND,
    advance_modifiers=(fatigue,),
    tied_heir=lambda _war, sides, _die: sides[0],
    won_at_once=all_taken,
    won_at_the_end=held_out,
    would_end=would_take_all,
    language=language_of(IDIOM, WORDS),
)
SETTING = Setting(_board(), TABLES, SCENARIO, RULES)


def new_war() -> State:
    return first_state(SETTING, Options())


def look(state: State, side: str) -> View:
    return view_of(state, side, "open", SETTING)


def read(state: State, side: str, text: str) -> Sheet:
    view = look(state, side)
    return read_sheet(text, vocabulary_of(view, SETTING), gate_facts_of(view))


def judge(state: State, side: str, text: str) -> list[Finding]:
    return list(judge_sheet(look(state, side), read(state, side, text), SETTING).findings)


def play(state: State, sheets: Mapping[str, str], dice: list[int]) -> tuple[State, list[Event]]:
    """To the next gate, with these dice and no die left over."""
    forced = ForcedDice(dice)
    war = War(SETTING, state, forced)
    hear_sheets(war, {side: read(state, side, text) for side, text in sheets.items()})
    play_to_next_gate(war, RULES.turn, RULES.end_of_turn)
    keep_for_later(war)
    assert not forced.left
    return war.state, war.events
