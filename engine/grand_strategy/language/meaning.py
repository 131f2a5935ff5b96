"""What the words of one order line mean to the side that wrote it."""

import re
from collections.abc import Iterator, Sequence

from lark import Token

from engine.grand_strategy.language.names import Vocabulary
from engine.grand_strategy.language.words import Samples
from engine.grand_strategy.orders import ALL
from engine.language import LineCannotBeUsed
from engine.language.names import key_of, nearest
from engine.orders import Kind

Words = Sequence[Token]

LARGEST_NUMBER = 999
MOST_HEXES_NAMED = 8
_POINTS = re.compile(r"(ALL|(?<!\d)\d++) *+([A-Z])")
_TYPE_WORDS = {
    "INF": "I",
    "INFANTRY": "I",
    "MECH": "M",
    "MECHANIZED": "M",
    "MECHANISED": "M",
    "AMPH": "A",
    "AMPHIBIOUS": "A",
    "FORT": "F",
}


class Meaning:
    """Turns the words of one line into ids. `line` is the line as it was written, for quoting it."""

    def __init__(self, vocabulary: Vocabulary, line: str) -> None:
        self.vocabulary = vocabulary
        self.line = line
        self.notes: list[tuple[str, str, int]] = []  # why, remedy, column

    @property
    def samples(self) -> Samples:
        return self.vocabulary.language.samples

    @property
    def _a_hex(self) -> str:
        return f"Write a hex such as {self.samples.hex}."

    # -------------------------------------------------------------- refusing

    def said(self, words: Words) -> str:
        start, end = words[0].start_pos, words[-1].end_pos
        return self.line[start:end]

    def refuse(self, kind: Kind, words: Words, why: str, remedy: str = "") -> LineCannotBeUsed:
        return LineCannotBeUsed(kind, why, remedy, _column(words))

    # -------------------------------------------------------------- armies

    def army(self, words: Words) -> str:
        """The one own army these words name."""
        found = self.vocabulary.armies_called(_key(words))
        if len(found) == 1:
            return found[0]
        raise self._two_armies(words, found) if found else self._no_army(words)

    def armies(self, words: Words) -> tuple[str, ...]:
        """A list of armies, with commas or without."""
        named = [army for group in _between_commas(words) for army in self._armies_in(group)]
        if len(set(named)) < len(named):
            raise self.refuse(Kind.AMBIGUOUS, words, "An army stands twice in the list.", "Name each army once.")
        return tuple(named)

    def _armies_in(self, words: Words) -> list[str]:
        """Words without a comma: one army if they can be one, else the longest that is, and so on."""
        named = []
        while words:
            count = self._longest_army(words) or len(words)
            named.append(self.army(words[:count]))
            words = words[count:]
        return named

    def _longest_army(self, words: Words) -> int:
        """How many of the first words name one army together; 0 if none do."""
        counts = range(len(words), 0, -1)
        return next((n for n in counts if len(self.vocabulary.armies_called(_key(words[:n]))) == 1), 0)

    def _two_armies(self, words: Words, found: tuple[str, ...]) -> LineCannotBeUsed:
        *others, last = map(self.vocabulary.call_army, found)
        why = f"'{self.said(words)}' could be {', '.join(others)} or {last}."
        return self.refuse(Kind.AMBIGUOUS, words, why, "Write more of the name.")

    def _no_army(self, words: Words) -> LineCannotBeUsed:
        known = self._longest_army(words)
        if 0 < known < len(words):
            rest = words[known:]
            army = self.said(words[:known])
            return self.refuse(Kind.UNREADABLE, rest, f"I do not understand '{self.said(rest)}' after {army}.")
        return self._unknown_army(words)

    def _unknown_army(self, words: Words) -> LineCannotBeUsed:
        vocabulary, key, said = self.vocabulary, _key(words), self.said(words)
        yours = f"Your armies: {vocabulary.army_list}."
        owner = vocabulary.other_armies.get(key)
        if owner is not None:
            whose = vocabulary.setting.tables.adjective(owner)
            return self.refuse(Kind.ILLEGAL, words, f"'{said}' is an army of the {whose} side.", yours)
        if vocabulary.places_called(key) or vocabulary.looks_like_hex(key):
            return self.refuse(Kind.UNREADABLE, words, f"'{said}' is a place; an army belongs here.", yours)
        like = vocabulary.army_like(key)
        hint = f"Did you mean {like}? {yours}" if like else yours
        return self.refuse(Kind.UNREADABLE, words, f"You have no army '{said}'.", hint)

    def enemy_army(self, words: Words) -> str:
        """The one army of an enemy these words name."""
        found = self.vocabulary.enemy_armies_called(_key(words))
        if len(found) == 1:
            return found[0]
        said = self.said(words)
        if found:
            why = f"'{said}' could be {' or '.join(found)}."
            raise self.refuse(Kind.AMBIGUOUS, words, why, "Write one of these.")
        raise self.refuse(Kind.UNREADABLE, words, f"No enemy has an army '{said}'.", "Name an army of one.")

    # -------------------------------------------------------------- the sea

    def waypoints(self, words: Words) -> tuple[str, ...]:
        """Places a sea route touches, which may be sea hexes."""
        return tuple(place for group in _between_commas(words) for place in self._waypoints_in(group))

    def _waypoints_in(self, words: Words) -> list[str]:
        named = []
        while words:
            count = self._longest_place(words) or 1
            found = self.vocabulary.places_called(_key(words[:count]))
            if len(found) != 1:
                raise self._two_places(words[:count], found) if found else self._no_place(words[:count])
            named.append(found[0])
            words = words[count:]
        return named

    def seas(self, words: Words) -> tuple[str, ...]:
        """A list of seas, each by the beginning of its name."""
        return tuple(sea for group in _between_commas(words) for sea in self._seas_in(group))

    def _seas_in(self, words: Words) -> list[str]:
        named: list[str] = []
        while words:
            counts = range(len(words), 0, -1)
            count = next((n for n in counts if len(self.vocabulary.seas_called(_key(words[:n]))) == 1), 0)
            if not count:
                known = ", ".join(self.vocabulary.seas)
                why = f"There is no sea '{self.said(words[:1])}'."
                raise self.refuse(Kind.UNREADABLE, words[:1], why, f"The seas are {known}.")
            named += self.vocabulary.seas_called(_key(words[:count]))
            words = words[count:]
        return named

    # -------------------------------------------------------------- places

    def place(self, words: Words, expected: str = "") -> str:
        """The one hex or box with land these words name."""
        found = self.vocabulary.places_called(_key(words))
        if len(found) == 1:
            return self._on_land(words, found[0])
        raise self._two_places(words, found) if found else self._no_place(words, expected)

    def places(self, words: Words) -> tuple[str, ...]:
        """A list of places, with commas or without."""
        return tuple(place for group in _between_commas(words) for place in self._places_in(group))

    def _places_in(self, words: Words) -> list[str]:
        named = []
        while words:
            count = self._longest_place(words) or 1
            named.append(self.place(words[:count]))
            words = words[count:]
        return named

    def _longest_place(self, words: Words) -> int:
        counts = range(len(words), 0, -1)
        return next((n for n in counts if self.vocabulary.places_called(_key(words[:n]))), 0)

    def _on_land(self, words: Words, place: str) -> str:
        if self.vocabulary.is_sea(place):
            why = f"{place} is a sea hex; armies stand and fight on land."
            raise self.refuse(Kind.ILLEGAL, words, why, self._hexes_near(place))
        return place

    def _hexes_near(self, place: str) -> str:
        near = self.vocabulary.nearest_hexes(place)
        return f"Land hexes near it: {', '.join(map(self.vocabulary.call_place, near))}." if near else ""

    def _country_for_a_hex(self, words: Words, country: str) -> LineCannotBeUsed:
        places = [place for place in self.vocabulary.places.values() if place.country == country]
        if all(map(self.vocabulary.setting.rules.closed_for_good, places)):
            why = f"{country} is closed to everybody for the whole war (HW-19.1)."
            return self.refuse(Kind.ILLEGAL, words, why, "Name a hex of another country.")
        hexes = [self.vocabulary.call_place(place.id) for place in places]
        more = f" and {len(hexes) - MOST_HEXES_NAMED} more" if len(hexes) > MOST_HEXES_NAMED else ""
        remedy = f"Name one of its hexes: {', '.join(hexes[:MOST_HEXES_NAMED])}{more}."
        return self.refuse(Kind.UNREADABLE, words, f"'{self.said(words)}' is a country; a hex belongs here.", remedy)

    def _two_places(self, words: Words, found: tuple[str, ...]) -> LineCannotBeUsed:
        return self.refuse(
            Kind.AMBIGUOUS,
            words,
            f"'{self.said(words)}' could be {' or '.join(found)}.",
            f"Write the hex as {self.samples.hex_is}.",
        )

    def _no_place(self, words: Words, expected: str = "") -> LineCannotBeUsed:
        key, said = _key(words), self.said(words)
        like = self.vocabulary.place_like(key)
        hint, expected = f"Did you mean {like}? " if like else "", expected or self._a_hex
        if key[:1] == "0" and key.isdigit() and self.samples.hex[0].isalpha():
            why = f"'{said}' begins with the digit 0; a hex begins with a letter, and the letter O is not the digit 0."
            return self.refuse(Kind.UNREADABLE, words, why, hint.strip() or expected)
        if self.vocabulary.looks_like_hex(key):
            return self.refuse(Kind.UNREADABLE, words, f"There is no hex {key} on the map.", self._hexes_near(key))
        if country := self._country_called(words):
            return self._country_for_a_hex(words, country)
        return self.refuse(Kind.UNREADABLE, words, f"There is no hex, city or box '{said}'.", f"{hint}{expected}")

    # -------------------------------------------------------------- both

    def army_at(self, words: Words) -> tuple[str, str]:
        """An army and a hex: the last word is the hex, or the last words are a city or a box."""
        if words[-1].type == "HEX":
            return self.army(words[:-1]), self.place(words[-1:])
        for count in range(len(words) - 1, 0, -1):
            if self._longest_army(words[:count]) == count and self._longest_place(words[count:]) == len(words) - count:
                return self.army(words[:count]), self.place(words[count:])
        raise self._no_army_at(words)

    def _no_army_at(self, words: Words) -> LineCannotBeUsed:
        known = self._longest_army(words)
        if known == len(words):
            return self.refuse(Kind.UNREADABLE, words[-1:], f"The hex is missing after '{self.said(words)}'.")
        if known:
            return self._no_place(words[known:])
        ends_in_place = len(words) > 1 and self._longest_place(words[-1:]) == 1
        return self._blame_army(words[:-1] if ends_in_place else words)

    def _blame_army(self, words: Words) -> LineCannotBeUsed:
        found = self.vocabulary.armies_called(_key(words[:1]))
        return self._two_armies(words[:1], found) if len(found) > 1 else self._unknown_army(words)

    def army_then_places(self, words: Words) -> tuple[str, tuple[str, ...]]:
        """An army and then any number of cities or boxes, as at the beginning of an exploitation."""
        for count in range(len(words), 0, -1):
            if self._longest_army(words[:count]) == count and self._all_places(words[count:]):
                return self.army(words[:count]), tuple(self._places_in(words[count:]))
        raise self._no_army_at(words)

    def place_then_army(self, words: Words) -> tuple[str, str]:
        """A city or box and then an army or nothing, as in BUILD 2I and a city."""
        count = self._longest_place(words)
        if not count and self._longest_army(words) == len(words):
            raise self.refuse(Kind.UNREADABLE, words, f"The hex is missing before '{self.said(words)}'.")
        place = self.place(words[: count or 1])
        rest = words[count:]
        return place, self.army(rest) if rest else ""

    def _all_places(self, words: Words) -> bool:
        while words:
            count = self._longest_place(words)
            if not count:
                return False
            words = words[count:]
        return True

    def where(self, words: Words) -> str:
        """ALL, an army, a place or a country. A full name goes before the beginning of one."""
        if words[0].type == "ALL":
            return "ALL"
        if words[0] in self.vocabulary.language.wheres:
            return str(words[0])
        key, vocabulary = _key(words), self.vocabulary
        if key in vocabulary.own_armies:
            self._note_namesakes(words, key)
            return self.army(words)
        if vocabulary.places_called(key):
            return self.place(words)
        if key in vocabulary.countries:
            return vocabulary.countries[key]
        if vocabulary.armies_called(key) or key in vocabulary.other_armies or self._longest_army(words):
            return self.army(words)
        raise self._nothing_called(words)

    def names_a_place(self, words: Words) -> bool:
        return words[0].type != "ALL" and bool(self.vocabulary.places_called(_key(words)))

    def ground(self, words: Words) -> str:
        """ALL, a place or a country, for what belongs to the ground and not to an army."""
        if words[0].type == "ALL":
            return "ALL"
        key, vocabulary = _key(words), self.vocabulary
        if vocabulary.places_called(key):
            return self.place(words)
        if key in vocabulary.countries:
            return vocabulary.countries[key]
        if vocabulary.armies_called(key):
            why = f"'{self.said(words)}' is an army; this belongs to a hex, whoever stands there."
            raise self.refuse(Kind.ILLEGAL, words, why, "Name a hex, a country or ALL.")
        raise self._nothing_called(words)

    def _note_namesakes(self, words: Words, key: str) -> None:
        others = [self.vocabulary.call_place(place) for place in self.vocabulary.places_called(key)]
        if key in self.vocabulary.countries:
            others.append(f"the country {self.vocabulary.countries[key]}")
        if others:
            why = f"'{self.said(words)}' is read as your army, not as {' or '.join(others)}."
            self.notes.append((why, "To name a place, write its hex.", _column(words)))

    def _nothing_called(self, words: Words) -> LineCannotBeUsed:
        if self.vocabulary.looks_like_hex(_key(words)) or _key(words).isdigit():
            return self._no_place(words)
        like = self.vocabulary.army_like(_key(words)) or self.vocabulary.place_like(_key(words))
        hint = f"Did you mean {like}? " if like else ""
        return self.refuse(
            Kind.UNREADABLE,
            words,
            f"There is no army of yours, hex or country '{self.said(words)}'.",
            f"{hint}Write ALL, an army, a hex such as {self.samples.hex} or a country.",
        )

    def country(self, words: Words) -> str:
        """A country by its name, with or without THE, or by the name of its box or of a city."""
        found = self._country_called(words)
        if not found:
            raise self._no_country(words)
        return found

    def _no_country(self, words: Words) -> LineCannotBeUsed:
        key, vocabulary = _key(words), self.vocabulary
        hex_ = vocabulary.places.get(key)
        known = vocabulary.countries_by_any_name
        like = hex_.country if hex_ else known.get(nearest(key, known), "")
        hint = f"Did you mean {like}?" if like else ""
        return self.refuse(Kind.UNREADABLE, words, f"There is no country '{self.said(words)}'.", hint)

    def _country_called(self, words: Words) -> str:
        return self.vocabulary.country_called(_key(words[1:] if words[0] == "THE" else words))

    def country_place_army(self, words: Words) -> tuple[str, str, str]:
        """A country, a city of it, and then an army or nothing, as in GIFT."""
        counts = range(len(words), 0, -1)
        count = next((n for n in counts if self._country_called(words[:n])), 1)
        country, rest = self.country(words[:count]), words[count:]
        if not rest:
            raise self.refuse(Kind.UNREADABLE, words[-1:], f"The hex is missing after '{self.said(words)}'.")
        return country, *self.place_then_army(rest)

    # -------------------------------------------------------------- numbers and types of points

    def number(self, word: Token) -> int:
        if not (word.isascii() and word.isdigit()):
            raise self.refuse(Kind.UNREADABLE, (word,), f"A number belongs here, not '{self.said((word,))}'.")
        if len(word.lstrip("0")) > len(str(LARGEST_NUMBER)):
            raise self.refuse(Kind.UNREADABLE, (word,), f"{self.said((word,))[:12]} is too large a number.")
        return int(word)

    def unit(self, word: Token, letter: str = "") -> str:
        """The type of points a letter or a word stands for."""
        letter = letter or _TYPE_WORDS.get(word, word)
        kind = self.vocabulary.units.with_letter(letter)
        if kind:
            return kind
        remedy = self._what_there_is
        if why := self.vocabulary.language.needs_of_points(letter):
            raise self.refuse(Kind.ILLEGAL, (word,), why, remedy)
        raise self.refuse(Kind.UNREADABLE, (word,), f"'{letter}' is no type of strength points.", remedy)

    def army_unit(self, word: Token, letter: str = "") -> str:
        """The type of points a letter stands for, if armies can hold it."""
        kind = self.unit(word, letter)
        if kind == "fort":
            why = "Fort points (F) belong to forts, not to armies."
            raise self.refuse(
                Kind.ILLEGAL, (word,), why, f"They are built by FORT. {self.vocabulary.language.usage('FORT')}"
            )
        return kind

    def must_be_in_force(self, word: Token) -> None:
        """A word that needs rules which this scenario lacks is refused."""
        if why := self.vocabulary.language.needs_of_word(word):
            raise self.refuse(Kind.ILLEGAL, (word,), why, self._what_there_is)

    def units(self, words: Words) -> tuple[str, ...]:
        """A list of types. Types this scenario does not have are passed over, since they can do no harm there."""
        kinds: list[str] = []
        for word in words:
            if word.type == "COMMA":
                continue
            if word in self.vocabulary.language.points_elsewhere:
                self.notes.append((f"{word} is passed over.", self._what_there_is, _column((word,))))
                continue
            kinds.append(self.unit(word))
        if len(set(kinds)) < len(kinds):
            raise self.refuse(Kind.AMBIGUOUS, words, "A type stands twice in the list.", "Name each type once.")
        if not kinds:
            raise self.refuse(Kind.ILLEGAL, words, "None of these types exists here.", self._what_there_is)
        return tuple(kinds)

    @property
    def _what_there_is(self) -> str:
        return f"{self.vocabulary.language.what_there_is}."

    def everything(self) -> dict[str, int]:
        return dict.fromkeys((kind for kind in self.vocabulary.units if kind != "fort"), ALL)

    def strength(self, words: Words) -> dict[str, int]:
        """Points such as 5I 3M, 5I3M or ALL I."""
        points: dict[str, int] = {}
        for word in words:
            for count, letter in _POINTS.findall(word):  # nothing in a comma
                kind = self.army_unit(word, letter)
                if kind in points:
                    raise self.refuse(Kind.AMBIGUOUS, (word,), f"{letter} is given twice.", "Add them up.")
                points[kind] = ALL if count == "ALL" else self._count(word, count)
        points = {kind: count for kind, count in points.items() if count}
        if not points:
            raise self.refuse(Kind.ILLEGAL, words, "No points are left in this order.", "Give at least one point.")
        return points

    def _count(self, word: Token, count: str) -> int:
        return self.number(Token.new_borrow_pos("NUMBER", count, word))


def _key(words: Words) -> str:
    return str(words[0]) if len(words) == 1 and words[0].isalnum() else key_of("".join(words))


def _column(words: Words) -> int:
    return words[0].column or 0


def _between_commas(words: Words) -> Iterator[Words]:
    """The runs of words that no comma parts."""
    start = 0
    for index, word in enumerate(words):
        if word.type == "COMMA":
            yield words[start:index]
            start = index + 1
    yield words[start:]
