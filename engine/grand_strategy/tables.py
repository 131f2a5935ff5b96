"""The charts and tables as the rules ask for them. What higher rules levels need is in `raw`, as written."""

from typing import Any, Literal

import msgspec

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
    """Read once; every question is answered by plain look-ups."""

    default_edition: str
    editions: tuple[str, ...]
    side_names: dict[str, str]  # in a sentence, in the order the sides play
    side_adjectives: dict[str, str]  # whose player-turn it is
    stage_names: dict[str, str]  # of gates, where the name of the stage would say too little
    with_article: tuple[str, ...]  # countries that are called so in a sentence
    army_names: dict[str, dict[str, ArmyName]]
    basic_costs: dict[str, int]
    repair_cost: int
    stacking_limit: int
    exploitation_modifier: int
    mountain_modifier: int
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

    def adjective(self, side: str) -> str:
        return self.side_adjectives[side]

    def date_of(self, turn: int) -> str:
        """A turn as players call it, such as Autumn 1812."""
        season, year = self.season_of(turn)
        return f"{season.title()} {year}"

    def turn_of(self, season: str, year: int) -> int:
        if (season, year) not in self.turns:
            raise TurnIsNotOnTheCalendar(f"there is no {season} {year}")
        return self.turns[season, year]
