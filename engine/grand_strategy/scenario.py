"""The scenarios: who holds what at the start, which armies stand where, and what is special about the war."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec

from engine.grand_strategy.board import Board
from engine.grand_strategy.state import Country


class Area(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Part of the board: the hexes of some countries, without some of them, and single hexes and boxes."""

    countries: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    boxes: tuple[str, ...] = ()

    def places(self, board: Board) -> Iterator[str]:
        for place in board.of_country(*self.countries):
            if not board[place].is_box and place not in self.without:
                yield place
        yield from self.hexes
        yield from self.boxes


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An army at set-up. One that waits for a country may not act before that has joined (HW-22.1)."""

    side: str
    place: str
    inf: int = 0
    mech: int = 0
    tac: int = 0
    para: int = 0
    amph: int = 0
    waits_for: str = ""


class Fort(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    side: str
    number: int
    place: str
    strength: int


class Pool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Points a side deploys as it likes before the first turn (HW-16.1)."""

    inf: int = 0
    mech: int = 0
    amph: int = 0


class Fleet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ships_in_port: int = 0
    uboats_in_port: int = 0


class RuinedChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Points a side puts out of use for the whole game, and where if it does not say (HW-15.2)."""

    side: str
    country: str
    points: int
    default: tuple[str, ...]


class Theatre(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The part of the board that a text map shows."""

    rows: str
    columns: tuple[int, int]

    @property
    def letters(self) -> str:
        """The row letters from south to north."""
        south, north = self.rows.split("-")
        return "".join(chr(letter) for letter in range(ord(south), ord(north) + 1))


class ScenarioData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file of `scenarios/`. Fields with a default belong to some scenarios only."""

    id: str
    title: str
    summary: str
    level: int
    sides: tuple[str, ...]
    first_turn: int
    last_turn: int
    unit_types: tuple[str, ...]
    friendly: dict[str, Area]
    others: Literal["neutral", "unaligned"]
    production_at_start: dict[str, int]
    build_countries: dict[str, tuple[str, ...]]
    victory: dict[str, Any]
    theatre: Theatre
    totals: dict[str, dict[str, int]]

    armies: dict[str, Start] = {}
    optional_armies: dict[str, Start] = {}
    pools: dict[str, Pool] = {}
    forts: tuple[Fort, ...] = ()
    fleets: dict[str, Fleet] = {}
    morale: dict[str, int] = {}
    neutral: Area = Area()
    devastated: dict[str, int] = {}
    not_repairable: dict[str, tuple[str, ...]] = {}
    ruined_choice: RuinedChoice | None = None
    reduction: dict[str, int] = {}
    production_cap: dict[str, int] = {}
    growing: dict[str, dict[int, int]] = {}
    needs_mobilization: tuple[str, ...] = ()  # places that produce from the turn after the cap has ended (HW-23.4)
    locked: dict[str, int] = {}
    winters_before: int = 0  # before the first turn
    russian_winter_in: tuple[str, ...] = ()  # countries where it is felt (HW-9.16, A-95)
    sea_transport: str = ""  # which limits hold at sea; empty for no sea movement or supply at all
    last_turn_two_players: int | None = None

    def owners(self, board: Board) -> dict[str, str]:
        """Who holds each place with land at the start: a side, or nobody as unaligned or neutral (HW-4.1)."""
        owners = {place.id: str(self.others) for place in board.places.values() if place.has_land}
        owners.update(dict.fromkeys(self.neutral.places(board), "neutral"))
        for side, area in self.friendly.items():
            owners.update(dict.fromkeys(area.places(board), side))
        return owners

    def waits(self, army: str, countries: Mapping[str, Country]) -> bool:
        """Whether a counter is kept for a country that has not taken a side yet (HW-22.1)."""
        country = self.armies[army].waits_for if army in self.armies else ""
        return bool(country) and not (country in countries and countries[country].is_settled)

    def box_production(self, board: Board, box: str, turn: int) -> int:
        """What a box gives on a turn by the calendar: a growing one its latest step, others as printed."""
        steps = self.growing.get(box)
        if steps is None:
            return board[box].production
        return steps[max(step for step in steps if step <= turn)]
