"""The charts and tables as the rules ask for them. What higher rules levels need is in `raw`, as written."""

from functools import lru_cache
from typing import Any, Literal

import msgspec

from engine.load import load_yaml

HIGHEST_STRENGTH = 10
HIGHEST_DIE = 7
FRIENDLY: Literal["friendly"] = "friendly"


class TurnIsNotOnTheCalendar(LookupError):
    pass


class ThereIsNoSuchEdition(LookupError):
    pass


class ArmyName(msgspec.Struct, frozen=True):
    """An army counter, and what players may call it in orders."""

    id: str
    name: str
    abbr: tuple[str, ...]


class Tables(msgspec.Struct, frozen=True):
    """Read once by `tables()`; every question is answered by plain look-ups."""

    default_edition: str
    editions: tuple[str, ...]
    army_names: dict[str, dict[str, ArmyName]]
    basic_costs: dict[str, int]
    repair_cost: int
    stacking_limit: int
    exploitation_modifier: int
    mountain_modifier: int
    winter_modifiers: tuple[int, ...]
    calendar_notes: dict[int, tuple[str, ...]]
    raw: dict[str, Any]
    firepower_rows: tuple[tuple[int, ...], ...]  # by die, then by strength; there is no die 0
    advance_rows: dict[str, tuple[tuple[int | None, ...], ...]]  # by edition, row, column
    seasons: dict[int, tuple[str, int]]
    turns: dict[tuple[str, int], int]

    def firepower(self, strength: int, die: int) -> int:
        """Points lost to a fire. A modified die outside 1 to 7 counts as the nearest (HW-8.16)."""
        return self.firepower_rows[min(max(die, 1), HIGHEST_DIE)][min(max(strength, 0), HIGHEST_STRENGTH)]

    def advance(self, edition: str, row: int, column: int | Literal["friendly"]) -> int | None:
        """The highest modified die that takes the hex; None if no die does (HW-9.2, HW-9.4)."""
        if edition not in self.advance_rows:
            raise ThereIsNoSuchEdition(f"{edition!r} is none of the editions {', '.join(self.editions)}")
        cells = self.advance_rows[edition][min(row, HIGHEST_STRENGTH)]
        return cells[0] if column == FRIENDLY else cells[1 + min(column, HIGHEST_STRENGTH)]

    def season_of(self, turn: int) -> tuple[str, int]:
        if turn not in self.seasons:
            raise TurnIsNotOnTheCalendar(f"there is no turn {turn}")
        return self.seasons[turn]

    def date_of(self, turn: int) -> str:
        """A turn as players call it, such as Winter 1941."""
        season, year = self.season_of(turn)
        return f"{season.title()} {year}"

    def turn_of(self, season: str, year: int) -> int:
        if (season, year) not in self.turns:
            raise TurnIsNotOnTheCalendar(f"there is no {season} {year}")
        return self.turns[season, year]

    def russian_winter(self, winters_before: int) -> int:
        """What an Axis army in the Soviet Union adds to its dice in winter (HW-9.16)."""
        return self.winter_modifiers[min(winters_before, len(self.winter_modifiers) - 1)]


@lru_cache(maxsize=1)
def tables() -> Tables:
    raw = load_yaml("hitlers-war", "tables.yaml")
    seasons = {entry["turn"]: (entry["season"], entry["year"]) for entry in raw["calendar"]["turns"]}
    modifiers = raw["modifiers"]
    return Tables(
        default_edition=raw["editions"]["default"],
        editions=tuple(raw["editions"]["known"]),
        army_names=_army_names(raw["armies"]),
        basic_costs=dict(raw["basic_costs"]),
        repair_cost=raw["repair_cost"],
        stacking_limit=raw["limits"]["stacking"],
        exploitation_modifier=modifiers["exploitation"]["each_hex_advanced"],
        mountain_modifier=modifiers["mountain"]["target_is_mountain"],
        winter_modifiers=tuple(modifiers["russian_winter"]["winters"]),
        calendar_notes=_calendar_notes(raw["calendar"]),
        raw=raw,
        firepower_rows=_firepower_rows(raw["firepower"]),
        advance_rows={edition: _advance_rows(rows) for edition, rows in raw["advance"].items()},
        seasons=seasons,
        turns={season: turn for turn, season in seasons.items()},
    )


def _army_names(armies: dict[str, dict[str, Any]]) -> dict[str, dict[str, ArmyName]]:
    return {
        side: {id_: ArmyName(id_, entry["name"], tuple(entry["abbr"])) for id_, entry in counters.items()}
        for side, counters in armies.items()
    }


def _calendar_notes(calendar: dict[str, Any]) -> dict[int, tuple[str, ...]]:
    notes = calendar["notes"]
    return {turn["turn"]: tuple(notes[note] for note in turn.get("notes", ())) for turn in calendar["turns"]}


def _firepower_rows(rows: dict[int, list[int]]) -> tuple[tuple[int, ...], ...]:
    return ((), *((0, *rows[die]) for die in range(1, HIGHEST_DIE + 1)))


def _advance_rows(rows: dict[int, list[int | None]]) -> tuple[tuple[int | None, ...], ...]:
    return tuple(tuple(rows[row]) for row in range(HIGHEST_STRENGTH + 1))
