"""The charts and tables of Hitler's War, read from their file."""

from functools import lru_cache
from typing import Any

from engine.grand_strategy.tables import HIGHEST_DIE, HIGHEST_STRENGTH, ArmyName, Tables
from engine.hitlers_war.politics.countries import WITH_ARTICLE
from engine.hitlers_war.sides import SIDE_NAMES, adjective
from engine.load import load_yaml


@lru_cache(maxsize=1)
def tables() -> Tables:
    raw = load_yaml("hitlers-war", "tables.yaml")
    seasons = {entry["turn"]: (entry["season"], entry["year"]) for entry in raw["calendar"]["turns"]}
    modifiers = raw["modifiers"]
    return Tables(
        default_edition=raw["editions"]["default"],
        editions=tuple(raw["editions"]["known"]),
        side_names=SIDE_NAMES,
        side_adjectives={side: adjective(side) for side in SIDE_NAMES},
        stage_names={"terms": "answer to the Soviet terms"},
        with_article=WITH_ARTICLE,
        army_names=_army_names(raw["armies"]),
        basic_costs=dict(raw["basic_costs"]),
        repair_cost=raw["repair_cost"],
        stacking_limit=raw["limits"]["stacking"],
        exploitation_modifier=modifiers["exploitation"]["each_hex_advanced"],
        mountain_modifier=modifiers["mountain"]["target_is_mountain"],
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
