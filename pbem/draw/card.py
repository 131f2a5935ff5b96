"""What stands on a record sheet, worked out from the view and the events that were told."""

from collections.abc import Iterable

import msgspec

from engine.events import Event
from engine.hitlers_war.board import SOVIET_UNION
from engine.hitlers_war.europe import europe
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.state import TYPES, UNALIGNED
from engine.hitlers_war.view import ArmyView, ProductionView, SeasonAhead, View
from pbem.draw.counter import Face
from pbem.draw.counters import BANDS, face_of
from pbem.draw.forts import fort_face
from pbem.games.hitlers_war.brief import season_short
from pbem.games.hitlers_war.names import (
    army_abbreviation,
    army_name,
    counters_of,
    in_map_order,
    place_name,
    season_name,
)
from pbem.games.hitlers_war.telling import Changes, changes_of
from pbem.games.hitlers_war.textmap import is_in_sight

#: The rules level from which countries take sides of their own accord (HW-17).
POLITICS_FROM = 3


class Row(msgspec.Struct, frozen=True):
    """One army. `points` is None if its make-up is not known; without a face it is not on the map."""

    name: str
    abbreviation: str
    where: str = ""
    note: str = ""
    points: dict[str, int] | None = None
    total: str = ""
    bars: int = 0
    gained: int = 0
    lost: int = 0
    face: Face | None = None


class Damage(msgspec.Struct, frozen=True):
    place: str
    devastated: int
    ruined: int


class Later(msgspec.Struct, frozen=True):
    """What only the wars with a sea have. `seas` say what each can carry, `pool` what is still to be deployed."""

    forts: tuple[str, ...]
    seas: tuple[str, ...]
    pool: dict[str, int]
    joined: tuple[str, ...] | None


class Card(msgspec.Struct, frozen=True):
    side: str
    known: bool
    rows: tuple[Row, ...]
    totals: dict[str, int]
    production: ProductionView | None
    damage: tuple[Damage, ...]
    without_supply: tuple[str, ...]
    season: Changes
    ahead: tuple[SeasonAhead, ...]
    later: "Later | None" = None

    @property
    def gained(self) -> int:
        return sum(self.season.gained.values())

    @property
    def lost(self) -> int:
        return sum(self.season.lost.values())


def card_of(view: View, side: str, told: Iterable[Event]) -> Card:
    season = changes_of(told, side)
    armies = [(army, season.gained.get(army, 0), season.lost.get(army, 0)) for army in counters_of(side)]
    rows = tuple(_row(view, side, army, gained, lost) for army, gained, lost in armies)
    return Card(
        side=side,
        known=side in view.production,
        rows=rows,
        totals={kind: sum((row.points or {}).get(kind, 0) for row in rows) for kind in TYPES},
        production=view.production.get(side),
        damage=_damage(view, side),
        without_supply=_without_supply(view, side),
        season=season,
        ahead=view.seasons_ahead.get(side, ()),
        later=_later(view, side, season) if load_scenario(view.scenario).sea_transport else None,
    )


# ------------------------------------------------------------------ armies


def _row(view: View, side: str, army_id: str, gained: int, lost: int) -> Row:
    army = view.armies.get(army_id)
    name, short = army_name(army_id), army_abbreviation(army_id)
    if army is None:
        where = "not on the map" if side in view.production else "not seen"
        return Row(name, short, where, gained=gained, lost=lost)
    return Row(
        name=name,
        abbreviation=short,
        where=place_name(army.place),
        note=_note(view, army),
        points=army.points,
        total=_total(army),
        bars=BANDS.index(army.band) + 1 if army.band in BANDS else 0,
        gained=gained,
        lost=lost,
        face=face_of(view, army),
    )


def _note(view: View, army: ArmyView) -> str:
    """What is the matter with an army, or when it was seen."""
    if army.side == UNALIGNED:
        return "of a country that is unaligned"
    if army.unsupplied:
        return "out of supply: may not move or attack"
    if army.locked:
        return "may not leave yet"
    if army.excess:
        return f"{army.excess} too many in the hex"
    if not is_in_sight(view, army):
        return f"last seen {season_name(army.seen)}"
    if army.fought is not None:
        return f"as in battle, {season_name(army.fought)}"
    if army.target:
        return f"against {place_name(army.target)}" + (f", advanced {army.advanced}" if army.advanced else "")
    return ""


def _total(army: ArmyView) -> str:
    return str(army.strength) if army.strength is not None else army.band or "?"


# ------------------------------------------------------------------ places


def _damage(view: View, side: str) -> tuple[Damage, ...]:
    return tuple(
        Damage(place_name(place), known.devastated, known.ruined)
        for place, known in sorted(view.places.items(), key=lambda entry: in_map_order(entry[0]))
        if known.owner == side and known.devastated and place in europe() and europe()[place].production
    )


def _without_supply(view: View, side: str) -> tuple[str, ...]:
    """Places that will be lost; those cut off from the start are exempt (HW-10.9)."""
    cut_off = [
        place
        for place, known in view.places.items()
        if known.owner == side and known.in_supply is False and place not in view.inert
    ]
    return tuple(map(place_name, sorted(cut_off, key=in_map_order)))


# ------------------------------------------------------------------ forts, the sea and politics


def _later(view: View, side: str, season: Changes) -> Later:
    joined = tuple(row.country for row in view.politics if row.status == side and row.country != SOVIET_UNION)
    return Later(
        forts=tuple(_fort(view, place) for place in view.forts if view.forts[place].side == side),
        seas=tuple(_sea(sea, limit, season) for sea, limit in view.sea_transport.get(side, {}).items()),
        pool=view.pool if side == view.side else {},
        joined=joined if load_scenario(view.scenario).level >= POLITICS_FROM else None,
    )


def _fort(view: View, place: str) -> str:
    face = fort_face(view, place)
    seen = f" in {season_short(view.forts[place].seen)}" if face.ghost else ""
    return f"{place_name(place)} {face.strength}{seen}"


def _sea(sea: str, limit: int | None, season: Changes) -> str:
    if limit is None:
        return f"{sea} without limit"
    used = season.shipped.get(sea, 0)
    return f"{sea} {limit} a turn" + (f" ({used} used)" if used else "")
