"""What a side may call things: armies, hexes, cities, boxes and countries, and the vocabulary that knows them.

A name is never guessed. It is taken if it is one name in full or the beginning of exactly one army's name; anything
else is refused with the names that come nearest.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Protocol

from engine.grand_strategy.board import Place
from engine.grand_strategy.language.words import OrderLanguage
from engine.grand_strategy.rulebook import Setting
from engine.grand_strategy.units import Units
from engine.language.names import key_of, nearest
from engine.layout import ThereIsNoSuchHex

_ORDINALS = {"First": "1", "Second": "2", "Third": "3", "Fourth": "4", "Fifth": "5", "Eighth": "8"}
_SUFFIXES = {"1": "st", "2": "nd", "3": "rd"}
_LEAST_OF_A_SEA = 3


class NamedArmy(Protocol):
    """An army counter of the tables: its id, its printed name and the abbreviations players use."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def abbr(self) -> tuple[str, ...]: ...


@dataclass(frozen=True)
class Vocabulary:
    """All names one side may use. `armies` are by side and then by id, the enemy's so that they can be told apart.

    With `any_hex` whatever looks like a hex is one, for boards that show only a part of the map.
    """

    side: str
    armies: Mapping[str, Mapping[str, NamedArmy]]
    places: Mapping[str, Place]
    setting: Setting
    any_hex: bool = False

    @property
    def language(self) -> OrderLanguage:
        return self.setting.rules.language

    @property
    def units(self) -> Units:
        return self.setting.rules.units

    # -------------------------------------------------------------- look-ups, made once

    @cached_property
    def own_armies(self) -> dict[str, tuple[str, ...]]:
        """Every name of an own army in full, with the armies it may mean."""
        return _index((key, army.id) for army in self.own_ids.values() for key in _army_keys(army))

    @cached_property
    def other_armies(self) -> dict[str, str]:
        """Every name of another side's army in full, with that side."""
        return {
            key: side
            for side, armies in self.armies.items()
            if side != self.side
            for army in armies.values()
            for key in _army_keys(army)
        }

    @cached_property
    def enemy_armies(self) -> dict[str, tuple[str, ...]]:
        """Every name of an enemy's army in full, with the armies it may mean."""
        enemies = self.setting.rules.foes(self.side, tuple(self.armies))
        others = (army for side in enemies for army in self.armies[side].values())
        return _index((key, army.id) for army in others for key in _army_keys(army))

    @cached_property
    def seas(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(sea for place in self.places.values() for sea in place.seas))

    @cached_property
    def place_names(self) -> dict[str, tuple[str, ...]]:
        """Hexes and boxes by id and by the city or name printed there."""
        pairs = ((name, place.id) for place in self.places.values() for name in (place.id, place.name))
        return _index((key_of(name), place) for name, place in pairs if name)

    @cached_property
    def countries(self) -> dict[str, str]:
        return {key_of(place.country): place.country for place in self.places.values() if place.country}

    @cached_property
    def countries_by_any_name(self) -> dict[str, str]:
        """For where only a country can be meant: elsewhere it may be the name of an army."""
        also_called = self.setting.board.also_called
        further = {key_of(name): country for country, names in also_called.items() for name in names}
        return further | self.countries

    @property
    def own_ids(self) -> Mapping[str, NamedArmy]:
        return self.armies.get(self.side, {})

    # -------------------------------------------------------------- asking

    def armies_called(self, key: str) -> tuple[str, ...]:
        """The own armies a name may mean: those with that name, else those whose name begins so."""
        exact = self.own_armies.get(key)
        if exact is not None or not key:
            return exact or ()
        found = (armies for name, armies in self.own_armies.items() if name.startswith(key))
        return tuple(dict.fromkeys(chain.from_iterable(found)))

    def enemy_armies_called(self, key: str) -> tuple[str, ...]:
        """The armies of enemies a full name may mean; an id goes before a name."""
        found = self.enemy_armies.get(key, ())
        return (key,) if key in found else found

    def country_called(self, key: str) -> str:
        """A country by the name on the map, by another that is in use, or by its box or a city; empty if none is."""
        known = self.countries_by_any_name.get(key, "")
        if known or self.looks_like_hex(key):
            return known
        countries = {self.places[place].country for place in self.place_names.get(key, ())} - {""}
        return countries.pop() if len(countries) == 1 else ""

    def seas_called(self, key: str) -> tuple[str, ...]:
        """The seas that may be meant by the first letters of a name, or of its second half (PERSIAN)."""
        if len(key) < _LEAST_OF_A_SEA:
            return ()
        return tuple(sea for sea in self.seas if any(key_of(n).startswith(key) for n in (sea, sea.partition("-")[2])))

    def places_called(self, key: str) -> tuple[str, ...]:
        found = self.place_names.get(key, ())
        return (key,) if not found and self.any_hex and self.looks_like_hex(key) else found

    def looks_like_hex(self, key: str) -> bool:
        return self.language.idiom.hex.fullmatch(key) is not None

    def is_sea(self, place: str) -> bool:
        return place in self.places and not self.places[place].has_land

    def call_army(self, army: str) -> str:
        """What to call an army in a reply."""
        named = self.own_ids.get(army)
        return named.abbr[0] if named is not None and named.abbr else army

    def call_place(self, place: str) -> str:
        name = self.places[place].name if place in self.places else ""
        return f"{place} ({name})" if name and name != place else place

    @property
    def army_list(self) -> str:
        return ", ".join(map(self.call_army, self.own_ids))

    # -------------------------------------------------------------- what may have been meant

    def army_like(self, key: str) -> str:
        """The own army whose name comes nearest, as it is called; empty if none is near."""
        near = nearest(key, self.own_armies)
        return self.call_army(self.own_armies[near][0]) if near else ""

    def place_like(self, key: str) -> str:
        """The place that may have been meant, as it is called; empty if none comes near."""
        for slip in _slips(key) if key else ():
            if slip in self.place_names:
                return self.call_place(slip)
        if len(key) < (3 if key.isalpha() else 4):
            return ""
        near = nearest(key, self.place_names)
        return self.call_place(self.place_names[near][0]) if near else ""

    def nearest_hexes(self, hex_id: str) -> list[str]:
        """The three land hexes nearest to one that is not on the board; none if its id means no hex at all."""
        land = [place.id for place in self.places.values() if place.has_land and not place.is_box]
        layout = self.setting.board.layout
        try:
            layout.spot(hex_id)
        except ThereIsNoSuchHex:
            return []
        distance = layout.distance
        return sorted(land, key=lambda place: (distance(place, hex_id), place))[:3]


def _index(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for key, value in pairs:
        if value not in found.get(key, ()):
            found[key] = (*found.get(key, ()), value)
    return found


def _army_keys(army: NamedArmy) -> set[str]:
    return {key_of(name) for name in chain((army.id,), army.abbr, _spellings(army.name))}


def _spellings(name: str) -> Iterable[str]:
    """A printed name with its variants: 'Home Military District / Front' is also 'Home Front'."""
    left, _, right = (part.strip() for part in name.partition("/"))
    names = [name, left]
    if right:
        names.append(right if " " in right else f"{left.split()[0]} {right}")
    for spelling in names:
        yield spelling
        first, _, rest = spelling.partition(" ")
        if rest and first in _ORDINALS:
            number = _ORDINALS[first]
            yield f"{number} {rest}"
            yield f"{number}{_SUFFIXES.get(number, 'th')} {rest}"


def _slips(key: str) -> Iterable[str]:
    """Hexes a mistyped one may stand for: 014 for O14, Q016 or 16Q for Q16, QI6 for Q16."""
    letters, digits = str.maketrans("0158", "OISB"), str.maketrans("OILSB", "01158")
    yield key[:1].translate(letters) + key[1:].translate(digits)
    yield key[:1] + key[1:].lstrip("0")
    yield key[-1:] + key[:-1]
