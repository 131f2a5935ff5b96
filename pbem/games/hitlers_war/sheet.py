"""What stands on the record sheet of a side, and in politics: rows for the text of a mail, its page and the picture.

A new row of the sheet is an `Entry` more in `_entries`; it shows in all three.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from engine.events import Event
from engine.game import PUBLIC
from engine.grand_strategy.state import NEUTRAL, TYPES, UNALIGNED
from engine.grand_strategy.view import ArmyView, CountryView, PlaceView, SeasonAhead, View
from engine.hitlers_war.europe import europe
from engine.hitlers_war.politics.countries import SOVIET_UNION
from engine.hitlers_war.rulebook import setting_of
from engine.hitlers_war.scenario import load_scenario
from engine.hitlers_war.sides import at_war
from pbem.games.hitlers_war.brief import composition, fort_points, season_short
from pbem.games.hitlers_war.names import (
    army_abbreviation,
    army_name,
    as_in_orders,
    counters_of,
    free_counters,
    in_map_order,
    place_name,
    season_name,
    turn_number,
)
from pbem.games.hitlers_war.telling import Changes, changes_of
from pbem.games.hitlers_war.textmap import is_in_sight
from pbem.words.tables import Cell, Column, Entry, Mark, RecordSheet, Row, Table, Words, only
from pbem.words.wording import TIE, environment, sentence, tied, unbroken

HEADINGS = {"inf": "INF", "mech": "MECH", "tac": "TAC", "para": "PARA", "amph": "AMPH"}
ALL_ARMIES, ARMIES, SEASONS = "all armies", "armies", "seasons"
NO_STANDING_ORDERS = "none; the referee decides by the rules of default and says so in the diary."


def record_sheet_of(view: View, side: str, told: Iterable[Event] = ()) -> RecordSheet:
    """All of it where the view has it, else what is known; with what the events that were told have changed."""
    number, count = turn_number(view)
    known, name = is_known(view, side), words().side(side)
    return RecordSheet(
        title=Words(
            name.upper() + (" RECORD SHEET" if known else ", AS FAR AS KNOWN"),
            page=name + (" record sheet" if known else ", as far as known"),
            picture="Record sheet" if known else "Record sheet, as far as known",
        ),
        parts=tuple(_parts(view, side, changes_of(told, side))),
        date=f"{season_name(view.turn)}, turn {number} of {count}",
    )


def is_known(view: View, side: str) -> bool:
    """Whether the whole sheet of a side is known, and not only what was seen."""
    return side in view.production


@cache
def words() -> Any:
    """The words that the templates share."""
    names = {"place_name": place_name, "season_name": season_name}
    return environment().get_template("hitlers-war/words.txt.j2").make_module(names)


def _parts(view: View, side: str, changes: Changes) -> Iterator[Table | Entry]:
    known = is_known(view, side)
    yield _armies(view, side, changes)
    if view.pool and side == view.side:
        yield Entry(only("page", "To deploy"), only("page", f"{words().points(view.pool)}, before the war begins."))
    yield from _production(view, side)
    yield from _entries(view, side, changes)
    yield from _orders_on_file(view, side, known)


# ------------------------------------------------------------------ armies


def _armies(view: View, side: str, changes: Changes) -> Table:
    """A row for each counter of the printed card; in words only those that are on the map."""
    rows = tuple(_army_row(view, side, army, changes) for army in counters_of(side))
    if is_known(view, side):
        return Table(_columns(view), rows, "No army is on the map.", _total(view, side, changes), name=ARMIES)
    on_the_map = sum(army in view.armies for army in counters_of(side))
    known_of = only("picture", f"{on_the_map} of {len(rows)} armies known of")
    all_armies = Cell(only("picture", ALL_ARMIES.upper()))
    total = Row({"army": all_armies, "where": Cell(known_of), "change": _change(changes)}, on=("picture",))
    nobody = f"No army of this side {'is known to everybody' if view.side == PUBLIC else 'was seen yet'}."
    return Table(_columns_of_the_seen(), rows, nobody, total, name=ARMIES)


def _columns(view: View) -> dict[str, Column]:
    """A type that is not in the war has its boxes on the card, and no column anywhere else."""
    letters, used = words(), load_scenario(view.scenario).unit_types
    kinds = {
        kind: Column(Words(letters.letter(kind), picture=HEADINGS[kind]), 4, is_number=True, on=("text", "picture"))
        if kind in used
        else Column(only("picture", HEADINGS[kind]), on=("picture",))
        for kind in TYPES
    }
    return {
        "army": Column(Words("Army", picture="ARMY"), 27),
        "in orders": Column(Words("In orders"), 11, on=("text",)),
        "where": Column(Words("Where", picture="WHERE"), 19, marked=True),
        **kinds,
        "points": Column(Words("Points"), is_number=True, on=("page",)),
        "total": Column(Words("Total", picture="TOTAL"), 6, is_number=True),
        "change": Column(only("picture", "CHANGE"), on=("picture",)),
    }


def _columns_of_the_seen() -> dict[str, Column]:
    return {
        "army": Column(Words("Army", picture="ARMY"), 27),
        "where": Column(Words("Where", picture="WHERE"), 20),
        **{kind: Column(only("picture", HEADINGS[kind]), on=("picture",)) for kind in TYPES},
        "total": Column(Words("Strength", picture="SEEN AS"), 20),
        "seen": Column(Words("Seen"), 11, on=("text", "page")),
        "change": Column(only("picture", "CHANGE"), on=("picture",)),
    }


def _army_row(view: View, side: str, army_id: str, changes: Changes) -> Row:
    army, known = view.armies.get(army_id), is_known(view, side)
    change = _change(changes, army_id)
    named = {"army": Cell(Words(army_name(army_id)), army_abbreviation(army_id) if known else "")}
    if army is None:
        where = Cell(Words("not on the map" if known else "not seen"))
        return Row({**named, "where": where, "change": change}, on=("picture",))
    cells = {**named, "where": Cell(Words(place_name(army.place))), "change": change}
    cells |= _strength(army) if known else _strength_as_seen(view, army)
    return Row(
        cells, army_id, tuple(_marks(view, army)), ("text", "page", "picture") if army.side == side else ("picture",)
    )


def _strength(army: ArmyView) -> dict[str, Cell]:
    points = army.points or {}
    kinds = {kind: Cell(Words(str(points.get(kind) or "-"), picture=_in_box(army, kind))) for kind in TYPES}
    return {
        "in orders": Cell(Words(army_abbreviation(army.id))),
        **kinds,
        "points": Cell(Words(_short_points(points))),
        "total": Cell(Words(str(army.strength), picture=_total_as_drawn(army))),
    }


def _strength_as_seen(view: View, army: ArmyView) -> dict[str, Cell]:
    strength = words().strength(army)
    seen = "now" if is_in_sight(view, army) else season_name(army.seen)
    boxes = {kind: Cell(only("picture", _in_box(army, kind))) for kind in TYPES}
    total = Words(strength, page=unbroken(strength), picture=_total_as_drawn(army))
    return {**boxes, "total": Cell(total), "seen": Cell(Words(seen))}


def _in_box(army: ArmyView, kind: str) -> str:
    return "?" if army.points is None else str(army.points.get(kind) or "")


def _total_as_drawn(army: ArmyView) -> str:
    return str(army.strength) if army.strength is not None else army.band or "?"


def _short_points(points: Mapping[str, int]) -> str:
    return composition(dict(points)) if any(points.values()) else "nothing"


def _marks(view: View, army: ArmyView) -> Iterator[Mark]:
    """What is the matter with an army; a picture has room for the first of them."""
    if army.side == UNALIGNED:
        yield Mark(only("picture", "of a country that is unaligned"))
    if army.unsupplied:
        said = "Cut off from supply: it may not move or attack in this player-turn."
        yield Mark(Words(said, "cut off", "out of supply: may not move or attack"), "bad")
    if army.locked:
        said = "It may not leave its place or attack in this player-turn."
        yield Mark(Words(said, "may not leave", "may not leave yet"), "note")
    if army.excess:
        many = words().too_many(army.excess)
        said = f"{many} in its hex, more than ten: let them leave, or they are lost when movement ends."
        yield Mark(Words(said, f"{many} in the hex", f"{army.excess} too many in the hex"), "bad")
    if not is_in_sight(view, army):
        yield Mark(only("picture", f"last seen {season_name(army.seen)}"))
    if army.fought is not None:
        yield Mark(only("picture", f"as in battle, {season_name(army.fought)}"))
    if army.target:
        yield Mark(_target(view, army))


def _target(view: View, army: ArmyView) -> Words:
    place, hexes = place_name(army.target), words().counted(army.advanced, "hex", "hexes")
    fired, finished = ", has fired" if army.assaulted else "", ", finished" if army.finished else ""
    far = f"against {place}" + (f", advanced {army.advanced}" if army.advanced else "")
    said = f"Named against {place}" + (f", advanced {hexes}" if army.advanced else "") + fired
    return Words(f"{said}{finished and finished + ' for this player-turn'}.", far + fired + finished, far)


def _change(changes: Changes, army: str = ALL_ARMIES) -> Cell:
    """What was built, and what was lost."""
    gained, lost = (
        sum(points.values()) if army == ALL_ARMIES else points.get(army, 0) for points in (changes.gained, changes.lost)
    )
    parts = ([f"+{gained} built"] if gained else []) + ([f"−{lost} lost"] if lost else [])
    first, *more = [only("picture", part) for part in parts] or [Words()]
    return Cell(first, more=tuple(more))


def _total(view: View, side: str, changes: Changes) -> Row:
    armies = [view.armies[army] for army in counters_of(side) if army in view.armies]
    here, drawn = (total_points(army for army in armies if every or army.side == side) for every in (False, True))
    kinds = {kind: Cell(Words(str(here[kind]), picture=str(drawn[kind]))) for kind in TYPES}
    total = Words(str(sum(here.values())), picture=str(sum(drawn.values())))
    return Row({
        "army": Cell(Words("Total", picture=ALL_ARMIES.upper())),
        **kinds,
        "points": Cell(Words(_short_points(here))),
        "total": Cell(total, strong=True),
        "change": _change(changes),
    })  # fmt: skip


def total_points(armies: Iterable[ArmyView]) -> dict[str, int]:
    known = [army.points or {} for army in armies]
    return {kind: sum(points.get(kind, 0) for points in known) for kind in TYPES}


# ------------------------------------------------------------------ production


def _production(view: View, side: str) -> Iterator[Table | Entry]:
    """The seasons to come, or what works now if there are none."""
    ahead, label = view.seasons_ahead.get(side, ()), "Production"
    if not is_known(view, side):
        yield Entry(only("picture", "PRODUCTION"), only("picture", "not known"), name=SEASONS)
    elif ahead:
        if_nothing_changes = words().if_nothing_changes(view.fog)
        yield Entry(
            Words(label, picture="PRODUCTION, IF NOTHING ON THE BOARD CHANGES"),
            Words(f"{sentence(if_nothing_changes)}:", page=f"what there will be to spend {if_nothing_changes}."),
            name=SEASONS,
        )
        yield _seasons(view, ahead)
    else:
        working = words().working(view.production[side])
        said = Words(f"{working}; no Production Phase is left.", picture=working)
        yield Entry(Words(label, picture="PRODUCTION"), said, name=SEASONS)


def _seasons(view: View, ahead: tuple[SeasonAhead, ...]) -> Table:
    columns = {
        "season": Column(Words("Season")),
        "how": Column(Words("How it comes about")),
        "budget": Column(Words("To spend"), is_number=True, on=("page", "picture")),
    }
    return Table(columns, tuple(_season(view, season) for season in ahead), hanging=14, name=SEASONS)


def _season(view: View, season: SeasonAhead) -> Row:
    said, made, name = words(), season.production, season_name(season.turn)
    working, changes, completed = said.working(made), said.changes(season), said.completed(season)
    budget = tied(f"{made.budget} to spend")
    text = f"{working}: {budget}{f' ({changes})' if changes else ''}. {completed}"
    # On a phone a long reason that may not be broken would make the table wider than the page.
    more = (Words("", _loose(f"{sentence(changes)}." if changes else ""), _changes_as_drawn(season)),
            Words("", _loose(completed), _forts_as_drawn(season)))  # fmt: skip
    return Row({
        "season": Cell(Words(name, page=tied(name), picture=f"{name}: {made.budget} to spend")),
        "how": Cell(Words(text, page=f"{working}.", picture=working), more=more),
        "budget": Cell(Words(str(made.budget)), strong=True),
    })  # fmt: skip


def _loose(text: str) -> str:
    return text.replace(TIE, " ")


def _changes_as_drawn(season: SeasonAhead) -> str:
    return _together(f"{each.why}: {'+' if each.points > 0 else '−'}{abs(each.points)}" for each in season.changes)


def _forts_as_drawn(season: SeasonAhead) -> str:
    forts = _together(f"{points} in {place_name(place)}" for place, points in season.forts.items())
    return f"fort points completed: {forts}" if forts else ""


# ------------------------------------------------------------------ entries


def _entries(view: View, side: str, changes: Changes) -> Iterator[Entry]:
    """In the order of the text. An entry without a place in the picture comes after those that have one."""
    nothing = "nothing" if is_known(view, side) else "nothing seen"
    has_sea = bool(load_scenario(view.scenario).sea_transport)
    yield _devastated(view, side, nothing)
    yield from _forts(view, side, nothing, has_sea)
    yield from _seas(view, side, changes, has_sea)
    yield _no_supply(view, side)
    yield Entry(only("picture", "BUILT AND LOST"), only("picture", _points(changes) or nothing), at=(2, 0))
    yield Entry(only("picture", "TAKEN"), only("picture", _together(changes.taken) or nothing), at=(2, 1))
    yield Entry(only("picture", "GIVEN UP"), only("picture", _together(changes.given_up) or nothing), at=(2, 2))
    if has_sea:
        yield from _newcomers(view, side)


def _devastated(view: View, side: str, nothing: str) -> Entry:
    hurt = [place for place, known in view.places.items() if known.owner == side and known.devastated]
    places = sorted((place for place in hurt if place in europe() and europe()[place].production), key=in_map_order)
    damage = [(place_name(place), view.places[place]) for place in places]
    told = ", ".join(_damage(name, known) for name, known in damage)
    drawn = _together(f"{name} −{known.devastated}{' for good' if known.ruined else ''}" for name, known in damage)
    label = Words("Devastated", picture="DEVASTATED")
    return Entry(label, Words(f"{told}." if told else "", picture=drawn or nothing), at=(1, 0), span=2)


def _damage(name: str, known: PlaceView) -> str:
    how_many = "" if known.ruined == known.devastated else f"{known.ruined} "
    return tied(f"{name} {known.devastated}") + (f" ({how_many}for good)" if known.ruined else "")


def _forts(view: View, side: str, nothing: str, has_sea: bool) -> Iterator[Entry]:
    said, forts = words(), {place: fort for place, fort in view.forts.items() if fort.side == side}
    text, page, drawn = [], [], []
    for place, fort in forts.items():
        name, points = tied(f"fort {fort.number} in {place_name(place)}"), said.fort(fort)
        seen = "" if fort.seen == view.turn else f" ({season_name(fort.seen)})"
        in_sight = place not in view.places or view.places[place].in_sight
        text.append(f"{name}: {points}{seen}")
        page.append(unbroken(f"{name}: {points}") + seen)
        drawn.append(
            f"{place_name(place)} {fort_points(fort)}" + ("" if in_sight else f" in {season_short(fort.seen)}")
        )
    told = [f"{sentence('; '.join(parts))}." if parts else "" for parts in (text, page)]
    picture = (_together(drawn) or nothing) if has_sea else ""
    yield Entry(Words("Forts", picture="FORTS"), Words(told[0], told[1], picture), at=(3, 0))


def _seas(view: View, side: str, changes: Changes, has_sea: bool) -> Iterator[Entry]:
    limits = view.sea_transport.get(side, {})
    seas = [f"{sea} {'without limit' if limit is None else f'{limit} a turn'}" for sea, limit in limits.items()]
    used = [f" ({changes.shipped[sea]} used)" if limits[sea] and changes.shipped.get(sea) else "" for sea in limits]
    drawn = _together(map(str.__add__, seas, used)) or ("nothing" if is_known(view, side) else "not known")
    text = f"{', '.join(seas)}." if seas else ""
    yield Entry(Words("By sea", picture="BY SEA"), Words(text, picture=drawn if has_sea else ""), at=(3, 1))


def _no_supply(view: View, side: str) -> Entry:
    """Places that will be lost at the end of the side's combat; those cut off from the start are exempt (HW-10.9)."""
    cut_off = [
        place
        for place, known in view.places.items()
        if known.owner == side and known.in_supply is False and place not in view.inert
    ]
    names = [place_name(place) for place in sorted(cut_off, key=in_map_order)]
    has_heirs = bool(at_war(side, view.sides, view.terms))  # HW-10.8, A-59
    text = f"{', '.join(map(tied, names))}. {words().cut_off(has_heirs)}" if names else ""
    drawn = _together(names) or ("none" if is_known(view, side) else "not known")
    return Entry(Words("No supply", picture="OUT OF SUPPLY"), Words(text, picture=drawn), at=(1, 2))


def _points(changes: Changes) -> str:
    """By type where the types are known, else only how many."""
    lost = composition(changes.lost_types) if changes.all_types_known else str(sum(changes.lost.values()))
    parts = [f"built {composition(changes.built_types)}"] if sum(changes.gained.values()) else []
    parts += [f"lost {lost}"] if sum(changes.lost.values()) else []
    parts += [f"lent {changes.lent}"] if changes.lent else []
    return _together(parts)


def _newcomers(view: View, side: str) -> Iterator[Entry]:
    """What is to be deployed, or the countries that have joined."""
    pool = view.pool if side == view.side else {}
    if pool:
        yield Entry(only("picture", "TO DEPLOY"), only("picture", composition(pool)), at=(3, 2))
    elif setting_of(view.scenario, view.options).rules.language.has("VIOLATE"):
        joined = (row.country for row in view.politics if row.status == side and row.country != SOVIET_UNION)
        yield Entry(only("picture", "HAVE JOINED"), only("picture", _together(joined) or "nobody"), at=(3, 2))


def _together(parts: Iterable[str]) -> str:
    """With blanks that no line is broken at inside the parts."""
    return ", ".join(map(tied, parts))


def _orders_on_file(view: View, side: str, known: bool) -> Iterator[Entry]:
    """What holds until it is changed, in the words of an order form; a picture leaves it to them."""
    if view.gate and known:
        yield _in_words("Free counters", f"{', '.join(free_counters(view, side)) or 'none'}.")
    if view.gate and side in view.standing:
        label = Words("Standing", page="Standing orders")
        yield _lines(label, view.standing[side]) if view.standing[side] else _in_words(label, NO_STANDING_ORDERS)
    if side == view.side and view.kept_for_later:
        yield _lines(Words("Kept orders"), view.kept_for_later)
    if view.gate and side == view.side and view.production_on_file:
        yield _lines(Words("Used if late"), view.production_on_file)


def _in_words(label: Words | str, said: str) -> Entry:
    return Entry(label if isinstance(label, Words) else Words(label), Words(said, picture=""))


def _lines(label: Words, orders: Iterable[str]) -> Entry:
    return Entry(label, only("text", ""), lines=tuple(map(as_in_orders, orders)))


# ------------------------------------------------------------------ politics


def politics_of(view: View) -> RecordSheet:
    """How the countries stand and what is known to come; those of which there is nothing to tell after the others."""
    said, told = words(), told_of(view)
    rest = [
        _in_words(label, f"{', '.join(map(tied, countries))}.")
        for status, label in ((UNALIGNED, "Unaligned"), (NEUTRAL, "Closed to all"))
        if (countries := [row.country for row in view.politics if row.status == status and row not in told])
    ]
    terms = said.terms(view.terms)
    columns = {
        "country": Column(Words("Country"), 16),
        "stands": Column(Words("Stands")),
        "what": Column(Words("What happened, what is to come")),
    }
    rows = tuple(_country(row, said.status(row.status)) for row in told)
    table = Table(columns, rows, hanging=30, rest=(*rest, *([_in_words("", terms)] if terms else [])))
    return RecordSheet(Words("POLITICS", page="Politics"), (table,))


def told_of(view: View) -> list[CountryView]:
    """The countries of which there is something to tell."""
    return [row for row in view.politics if row.note or row.prospect or row.status not in (UNALIGNED, NEUTRAL)]


def _country(row: CountryView, stands: str) -> Row:
    what = "; ".join(filter(None, (row.note, row.prospect)))
    cells = {"country": row.country, "stands": stands}
    return Row(
        {**{name: Cell(Words(said)) for name, said in cells.items()}, "what": Cell(Words(what or "-", sentence(what)))}
    )
