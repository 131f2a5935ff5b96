"""Which place of the board was meant: by its id, its name, or something like it."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz import fuzz, process

from engine.grand_strategy.board import Board
from engine.hitlers_war.europe import atlas, europe
from pbem.games.hitlers_war.names import place_name
from pbem.games.tools import NoSuchPlace


class Named(NamedTuple):
    label: str
    places: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.label} ({self.places[0]})" if len(self.places) == 1 else self.label


def find_place(text: str) -> str:
    """The hex or box that was meant: by its id, or by the name of a city, box, gateway or one-hex country."""
    named = find_places(text)
    if len(named.places) > 1:
        some = " ".join(named.places[:12]) + (" ..." if len(named.places) > 12 else "")
        raise NoSuchPlace(f"{named.label} has {len(named.places)} hexes, name one: {some}")
    return named.places[0]


def find_places(text: str) -> Named:
    """The hex or box that was meant, or all hexes of a country."""
    board, written = europe(), text.strip().upper()
    if written in board:
        return Named(place_name(written), (written,))
    if (named := _names().get(_plain(text))) is None:
        raise NoSuchPlace(_slip(board, written) or _nearest_names(text))
    return named


def _plain(name: str) -> str:
    """A name as people type it: without accents, capitals, blanks and points."""
    decomposed = unicodedata.normalize("NFKD", name.casefold().replace("ł", "l"))
    return "".join(letter for letter in decomposed if letter.isalnum())


@lru_cache(maxsize=1)
def _names() -> dict[str, Named]:
    """Every name and what it stands for. A city comes before the gateway or country of the same name."""
    return {_plain(named.label): named for named in (*_country_names(), *_gateway_names(), *_city_names())}


def _country_names() -> Iterator[Named]:
    board = europe()
    for country in atlas().countries:
        yield Named(country, tuple(place for place in board.of_country(country) if not board[place].is_box))


def _gateway_names() -> Iterator[Named]:
    for place, gateway in (*atlas().canals.items(), *atlas().gateways.items()):
        yield Named(gateway.name, (place,))


def _city_names() -> Iterator[Named]:
    for place in europe().places.values():
        if place.name:
            yield Named(place.name, (place.id,))


def _slip(board: Board, written: str) -> str:
    """A hex id with letter and digit mixed up, or beyond the edge of the board. Empty if it is neither."""
    for digit, letter in (("0", "O"), ("1", "I")):
        meant = letter + written[1:]
        if written.startswith(digit) and meant in board:
            return f"{written}: letter {letter} and digit {digit} are different: did you mean {meant}?"
    meant = written[:1] + written[1:].replace("O", "0").lstrip("0")
    if meant in board:
        return f"{written} is no hex; did you mean {meant}?"
    return _beyond_the_edge(board, written) if re.fullmatch(r"[A-Z]\d+", written) else ""


def _beyond_the_edge(board: Board, written: str) -> str:
    row = [place.id for place in board.places.values() if not place.is_box and place.id[0] == written[0]]
    if not row:
        return f"{written} is not on the board: its rows are A in the south to X in the north."
    return f"{written} is not on the board: row {written[0]} goes from {row[0]} (west) to {row[-1]} (east)."


def _nearest_names(text: str) -> str:
    close = process.extract(_plain(text), list(_names()), scorer=fuzz.ratio, limit=3, score_cutoff=60)
    guesses = [_names()[name] for name, _, _ in close]
    if not guesses:
        return f"There is no place called {text}. Hexes are a letter and a number, such as Q16."
    return f"There is no place called {text}: did you mean {' or '.join(map(str, guesses))}?"
