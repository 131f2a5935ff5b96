"""The little board of a case: the hexes it names, the armies on them, its orders and its forced dice."""

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.dice import ForcedDice
from engine.events import Event
from engine.game import Options
from engine.grid import Edge, hex_neighbours
from engine.hitlers_war.board import SOVIET_UNION, Board, Place
from engine.hitlers_war.hearing import hear_sheets
from engine.hitlers_war.names import Vocabulary, looks_like_hex
from engine.hitlers_war.reading import GateFacts, read_sheet
from engine.hitlers_war.scenario import ScenarioData, load_scenario
from engine.hitlers_war.state import TYPES, Army, Ground, Kept, Memory, State
from engine.hitlers_war.supply import find_inert_places
from engine.hitlers_war.tables import tables
from engine.hitlers_war.war import War
from engine.orders import Sheet

A_TURN_WITHOUT_DATES = 8
BOX_IDS = {"UNITEDSTATES": "US", "BRITISHAFRICA": "BRAFRICA", "FRENCHAFRICA": "FRAFRICA"}

Case = Mapping[str, Any]


class Played:
    """A case after it was played, with the numbers its expectations ask for."""

    def __init__(self, war: War, dice: ForcedDice) -> None:
        self.war, self.dice = war, dice
        self.faults: list[str] = []
        self.plain: dict[str, Any] = {}
        self.start_stacks = {place: war.stack(place) for place in war.state.ground}

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
            Edge(near, sides.get(frozenset((place.id, near)), "land"))
            for near in (() if place.is_box else hex_neighbours(place.id))
            if near in ids
        ]
        for place in places
    }
    for box, facts in setup.get("hexes", {}).items():
        for near in (facts or {}).get("touches", ()):  # only a box touches hexes by name
            edges[place_id(box)].append(Edge(near, "touch"))
            edges[near].append(Edge(place_id(box), "touch"))
    return Board(places, edges)


def _place(name: str, facts: Mapping[str, Any]) -> Place:
    is_box = bool(facts.get("box")) or not looks_like_hex(name)
    return Place(
        name,
        kind="box" if is_box else "coast" if facts.get("coastal") else "land",
        terrain=facts.get("terrain", "clear"),
        country=facts.get("country", SOVIET_UNION if name == "SIBERIA" else ""),
        production=facts.get("production", 0),
        capital=bool(facts.get("capital")),
    )


def _scenario(setup: Case) -> ScenarioData:
    """The named scenario, or one that has its sides, units and building places but none of its special rules."""
    if "scenario" in setup:
        return load_scenario(str(setup["scenario"]).replace("_", "-"))
    barbarossa = load_scenario("barbarossa")
    return msgspec.structs.replace(barbarossa, reduction={}, locked={}, victory={}, ruined_choice=None)


def stub_war(case: Case, edition: str) -> Played:
    setup = case.get("setup", {})
    board, scenario = stub_board(setup), _scenario(setup)
    state = State(
        scenario=scenario.id,
        options=Options(fog="open", edition=edition),
        turn=setup.get("turn", A_TURN_WITHOUT_DATES),
        phasing=setup.get("phasing", setup.get("side", scenario.sides[0])),
        step="player-turn",
        ground={place_id(name): _ground(facts or {}) for name, facts in setup.get("hexes", {}).items()},
        armies={army["id"]: _army(army) for army in setup.get("armies", ())},
        kept={side: Kept() for side in scenario.sides},
        memory={side: Memory() for side in scenario.sides},
        winters_before=setup.get("winters_in_russia_before", 0),
    )
    dice = ForcedDice(_die(die) for die in case.get("dice", ()))
    war = War(board, tables(), scenario, state, dice)
    war.season = setup.get("season", "summer")
    if "scenario" in setup:
        state.inert = find_inert_places(war)  # HW-10.9
    played = Played(war, dice)
    _hear_orders(played, case.get("orders", {}))
    return played


def _die(die: Any) -> int:
    value = die["roll"] if isinstance(die, Mapping) else die
    if value not in range(1, 7):
        raise ValueError(f"{value!r} is no die")
    return int(value)


def _ground(facts: Mapping[str, Any]) -> Ground:
    ruined = facts.get("ruined", 0)
    return Ground(facts["owner"], max(facts.get("devastated", 0), ruined), ruined)


def _army(facts: Mapping[str, Any]) -> Army:
    return Army(facts["id"], facts["side"], place_id(facts["hex"]), **{kind: facts.get(kind, 0) for kind in TYPES})


def _hear_orders(played: Played, orders: Mapping[str, Any]) -> None:
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
    words = Vocabulary(side, war.tables.army_names, war.board.places, war.scenario.unit_types, any_hex=True)
    return read_sheet("\n".join(lines), words, GateFacts(side, war.phasing, war.season, war.year))
