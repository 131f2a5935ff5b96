"""The position of a case: a little board of the hexes it names or the whole map, what stands there, and its dice."""

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from engine.dice import ForcedDice
from engine.events import Event
from engine.game import Options
from engine.grand_strategy.board import Board, Place
from engine.grand_strategy.hearing import hear_sheets
from engine.grand_strategy.language.names import Vocabulary
from engine.grand_strategy.language.reading import GateFacts, read_sheet, vocabulary_for
from engine.grand_strategy.rulebook import Setting
from engine.grand_strategy.scenario import ScenarioData
from engine.grand_strategy.setup import first_state
from engine.grand_strategy.state import TYPES, UNALIGNED, Army, Country, Fort, Ground, Kept, Memory, State
from engine.grand_strategy.victory import TWO_PLAYERS
from engine.grand_strategy.war import War
from engine.grid import Edge
from engine.hitlers_war.europe import LAYOUT, europe
from engine.hitlers_war.language.words import IDIOM
from engine.hitlers_war.politics.countries import SOVIET_UNION
from engine.hitlers_war.rulebook import rulebook_of
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.tables import tables
from engine.orders import Sheet

A_TURN_WITHOUT_DATES = 8
#: What a set-up says about earlier turns, under the same name as the state.
HISTORY = ("terms", "mobilized", "limited_war", "lend_lease")
BOX_IDS = {"UNITEDSTATES": "US", "BRITISHAFRICA": "BRAFRICA", "FRENCHAFRICA": "FRAFRICA"}

Case = Mapping[str, Any]


class Played:
    """A case after it was played, with the numbers its expectations ask for."""

    def __init__(self, war: War) -> None:
        self.war = war
        self.faults: list[str] = []
        self.plain: dict[str, Any] = {}
        self.start_stacks = {place: war.stack(place) for place in war.state.ground}

    @property
    def dice(self) -> ForcedDice:
        return cast(ForcedDice, self.war.dice)

    @property
    def events(self) -> list[Event]:
        return self.war.events


# ------------------------------------------------------------------ the little board


def place_id(name: str) -> str:
    """Hexes as they are; boxes by the name orders use."""
    key = str(name).upper().replace(" ", "").replace("-", "")
    return BOX_IDS.get(key, key)


def stub_board(setup: Case) -> Board:
    places = [_place(place_id(name), facts or {}) for name, facts in setup.get("hexes", {}).items()]
    ids = {place.id for place in places}
    sides = {frozenset(map(place_id, pair.split("-"))): kind for pair, kind in setup.get("hexsides", {}).items()}
    edges = {
        place.id: [
            _edge(near, sides.get(frozenset((place.id, near)), "land"), setup.get("sea"))
            for near in (() if place.is_box else LAYOUT.neighbours(place.id))
            if near in ids
        ]
        for place in places
    }
    for box, facts in setup.get("hexes", {}).items():
        for near in (facts or {}).get("touches", ()):  # only a box touches hexes by name
            edges[place_id(box)].append(Edge(near, "touch"))
            edges[near].append(Edge(place_id(box), "touch"))
    return Board(places, edges, LAYOUT)


def _edge(near: str, kind: str, sea: str | None) -> Edge:
    """A hexside of a little board, which has one sea at most."""
    return Edge(near, kind, None if kind == "land" else sea)


def _place(name: str, facts: Mapping[str, Any]) -> Place:
    is_box = bool(facts.get("box")) or not IDIOM.hex.fullmatch(name)
    return Place(
        name,
        kind="box" if is_box else "coast" if facts.get("coastal") else "land",
        terrain=facts.get("terrain", "clear"),
        country=facts.get("country", SOVIET_UNION if name == "SIBERIA" else ""),
        production=facts.get("production", 0),
        capital=bool(facts.get("capital")),
    )


def scenario_id(setup: Case) -> str:
    return str(setup.get("scenario", "barbarossa")).replace("_", "-")


def _scenario(setup: Case) -> ScenarioData:
    """The named scenario, or one that has its sides, units and building places but none of its special rules."""
    if "scenario" in setup:
        scenario = load_scenario(scenario_id(setup))
        berlin = scenario.victory.get("ends_when_taken", "")
        is_there = on_the_map(setup) or not berlin or berlin in setup.get("hexes", {})
        return scenario if is_there else msgspec.structs.replace(scenario, victory={})
    barbarossa = load_scenario("barbarossa")
    return msgspec.structs.replace(barbarossa, reduction={}, locked={}, victory={}, ruined_choice=None)


def set_up(case: Case, edition: str) -> Played:
    """The position a case begins with, before anybody's orders are heard."""
    setup = case.get("setup", {})
    board, scenario = europe() if on_the_map(setup) else stub_board(setup), _scenario(setup)
    options = Options(fog="open", edition=edition, switches=(TWO_PLAYERS,) if setup.get("players") == 2 else ())
    state = _state_on_the_map if on_the_map(setup) else _state_on_little_board
    setting = Setting(board, tables(), scenario, rulebook_of(scenario.id, options))
    war = War(setting, state(setup, scenario, options), ForcedDice(map(_die, case.get("dice", ()))))
    if "season" in setup or not on_the_map(setup):
        war.season = setup.get("season", "summer")
    if "scenario" in setup:
        war.state.inert = war.rules.cut_off_from_the_start(war)  # HW-10.9
    return Played(war)


def on_the_map(setup: Case) -> bool:
    if setup.get("map", "europe") != "europe":
        raise ValueError(f"there is no map {setup['map']!r}; there is: europe")
    return "map" in setup


def _state_on_little_board(setup: Case, scenario: ScenarioData, options: Options) -> State:
    state = State(
        scenario=scenario.id,
        options=options,
        turn=setup.get("turn", max(scenario.first_turn, A_TURN_WITHOUT_DATES)),
        phasing=_phasing(setup, scenario),
        step="player-turn",
        ground={place_id(name): _ground(facts or {}) for name, facts in setup.get("hexes", {}).items()},
        armies={army["id"]: _army(army) for army in setup.get("armies", ())},
        kept={side: Kept() for side in scenario.sides},
        memory={side: Memory() for side in scenario.sides},
        winters_before=setup.get("winters_in_russia_before", 0),
        forts=_forts(setup),
    )
    _write_history(state, setup)
    return state


def _state_on_the_map(setup: Case, scenario: ScenarioData, options: Options) -> State:
    """The scenario as it begins, without its armies and forts unless `start` wants them, and then what is changed."""
    state = first_state(Setting(europe(), tables(), scenario, rulebook_of(scenario.id, options)), options)
    state.turn, state.phasing = setup.get("turn", scenario.first_turn), _phasing(setup, scenario)
    state.step, state.winters_before = "player-turn", setup.get("winters_in_russia_before", 0)
    if not setup.get("start"):
        state.armies, state.forts = {}, {}
    _write_history(state, setup)
    owners = {name: fate["side"] for name, fate in setup.get("joined", {}).items()} | dict(setup.get("countries", {}))
    for country, owner in owners.items():
        for place in _places_of_country(country):
            state.ground[place].owner = owner
    for name, facts in setup.get("hexes", {}).items():
        state.ground[place_id(name)] = _changed_ground(state.ground[place_id(name)], facts)
        state.growth_lost += (place_id(name),) if facts.get("lost_once") else ()
    state.armies |= {army["id"]: _army(army, state) for army in setup.get("armies", ())}
    state.forts |= _forts(setup)
    return state


def _places_of_country(country: str) -> tuple[str, ...]:
    places = europe().of_country(country)
    if not places:
        raise ValueError(f"there is no country {country!r}")
    return places


def _write_history(state: State, setup: Case) -> None:
    """What happened before the case begins."""
    for name, fate in setup.get("joined", {}).items():
        state.countries[name] = Country(side=fate["side"], joined=fate["turn"])
    for name, fate in setup.get("surrendered", {}).items():
        earlier = state.countries.get(name, Country())
        state.countries[name] = msgspec.structs.replace(earlier, captor=fate["to"], surrendered=fate["turn"])
    for word in HISTORY:
        if word in setup:
            setattr(state, word, setup[word])


def _phasing(setup: Case, scenario: ScenarioData) -> str:
    return str(setup.get("phasing", setup.get("side", scenario.sides[0])))


def _die(die: Any) -> int:
    value = die["roll"] if isinstance(die, Mapping) else die
    if value not in range(1, 7):
        raise ValueError(f"{value!r} is no die")
    return int(value)


def _ground(facts: Mapping[str, Any]) -> Ground:
    ruined = facts.get("ruined", 0)
    return Ground(facts["owner"], max(facts.get("devastated", 0), ruined), ruined)


def _changed_ground(ground: Ground, facts: Mapping[str, Any]) -> Ground:
    return msgspec.structs.replace(
        ground, **{key: facts[key] for key in ("owner", "devastated", "ruined") if key in facts}
    )


def _army(facts: Mapping[str, Any], state: State | None = None) -> Army:
    """An army that waits for its country is nobody's before that has joined (HW-22.1)."""
    country = facts.get("waits_for", "")
    waits = bool(country) and (state is None or country not in state.countries)
    side = UNALIGNED if waits else facts["side"]
    return Army(facts["id"], side, place_id(facts["hex"]), **{kind: facts.get(kind, 0) for kind in TYPES})


def _forts(setup: Case) -> dict[str, Fort]:
    forts = [
        Fort(fort["side"], fort["number"], place_id(fort["hex"]), fort.get("strength", 0), fort.get("building", 0))
        for fort in setup.get("forts", ())
    ]
    return {fort.place: fort for fort in forts}


# ------------------------------------------------------------------ orders


def hear_orders(played: Played, orders: Mapping[str, Any]) -> None:
    """What the sides send to the gate at hand."""
    war = played.war
    texts = {side: [f"STANDING {line}" for line in lines] for side, lines in orders.get("standing", {}).items()}
    for side, lines in orders.items():
        if side != "standing":
            texts[side] = texts.get(side, []) + list(lines)
    sheets = {side: _read(war, side, lines) for side, lines in texts.items()}
    for sheet in sheets.values():
        played.faults += [f"{finding.text}: {finding.why}" for finding in sheet.findings if finding.refuses]
    sheets.setdefault(war.phasing, Sheet(war.phasing))
    hear_sheets(war, sheets)


def _read(war: War, side: str, lines: list[str]) -> Sheet:
    facts = GateFacts(side, war.phasing, war.season, war.year)
    return read_sheet("\n".join(lines), _words(war, side), facts)


def _words(war: War, side: str) -> Vocabulary:
    """On the map the names of the scenario; on a little board all names and hexes there are."""
    if war.board is europe():
        return vocabulary_for(war.setting, side, war.scenario.sides)
    names = war.tables.army_names
    return Vocabulary(side, names, war.board.places, war.setting, any_hex=True)
