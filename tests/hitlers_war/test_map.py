"""The board: that the whole of it fits together, and adds up as the rules say."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
import pytest

from engine.grand_strategy.board import Board
from engine.grid import search
from engine.hitlers_war.europe import (
    LAYOUT,
    Atlas,
    Crossing,
    MapDoesNotAddUp,
    atlas,
    board_of,
    countries,
    crossing_name,
    europe,
    gateways,
    seas,
    western_libya,
)
from tests.the_board import BOARD, BOXES, HEXES, hexes_of, kilometres, open_sea_hexsides, production_of

# ------------------------------------------------------------------ the shape of the board


def test_the_board_has_406_hexes_and_six_boxes() -> None:
    assert Counter(place.kind for place in HEXES.values()) == {"land": 154, "coast": 163, "sea": 89}
    assert list(BOXES) == ["US", "CANADA", "INDIA", "BRAFRICA", "FRAFRICA", "SIBERIA"]


def test_rows_reach_from_their_western_end_to_column_21() -> None:
    first = dict.fromkeys("AB", 14) | {"C": 10, "D": 9, "E": 3}
    first |= (
        dict.fromkeys("FGHIJKLM", 2) | dict.fromkeys("NOPQR", 4) | dict.fromkeys("STUV", 5) | dict.fromkeys("WX", 8)
    )
    expected = [f"{row}{column}" for row in sorted(first) for column in range(first[row], 22)]
    assert list(HEXES) == expected


@pytest.mark.parametrize(
    ("place", "around"),
    [
        ("P10", "Q11 P11 O11 O10 P9 Q10"),  # an even row stands half a hex to the east
        ("Q17", "R17 Q18 P17 P16 Q16 R16"),
        ("A18", "B18 A19 - - A17 B17"),  # the southern edge
        ("N21", "- - - M21 N20 O21"),  # an even row ends farther east than its neighbours
        ("M2", "- M3 L2 - - -"),
    ],
)
def test_neighbours_clockwise_from_the_north_east(place: str, around: str) -> None:
    on_board = [neighbour if neighbour in HEXES else "-" for neighbour in LAYOUT.neighbours(place)]
    assert " ".join(on_board) == around


def test_a_hex_touches_just_its_neighbours() -> None:
    for place in HEXES:
        joined = [edge.to for edge in BOARD.grid.edges(place) if edge.kind not in ("touch", "arrow")]
        assert joined == [neighbour for neighbour in LAYOUT.neighbours(place) if neighbour in HEXES]


def test_every_way_goes_both_ways() -> None:
    for place in BOARD.places:
        for edge in BOARD.grid.edges(place):
            back = BOARD.grid.edge(edge.to, place)
            assert back is not None
            assert (back.kind, back.water, back.length) == (edge.kind, edge.water, edge.length)


def test_hexsides_by_kind() -> None:
    """Over land there is no water; over water of any kind there is exactly one sea, and both ends lie on it."""
    for place in HEXES:
        for edge in BOARD.grid.edges(place):
            assert edge.kind in ("land", "coast", "sea", "crossing", "touch", "arrow")
            assert (edge.water is None) == (edge.kind in ("land", "touch"))
            if edge.water:
                assert edge.water in BOARD[place].seas
                assert edge.water in BOARD[edge.to].seas
            if BOARD[place].kind == "sea":
                assert edge.kind in ("sea", "arrow")


def test_only_coasts_lie_on_the_sea() -> None:
    for place in HEXES.values():
        assert (place.kind == "land") == (not set(place.seas) - {"Soviet Lakes"})
        assert (place.kind == "sea") == (not place.country) == (place.terrain == "sea")
        assert not place.port or place.kind == "coast"


def test_names_are_unique_and_spelled_with_their_accents() -> None:
    names = Counter(place.name for place in BOARD.places.values() if place.name)
    assert max(names.values()) == 1
    assert {"Königsberg", "Göteborg", "Malmö", "Liège", "Kraków", "Córdoba", "Białystok", "Lwów"} <= set(names)


# ------------------------------------------------------------------ boxes, straits, seas


def test_arrows() -> None:
    arrows = {
        (place, edge.to): edge.length for place in BOXES for edge in BOARD.grid.edges(place) if edge.kind == "arrow"
    }
    assert arrows == {
        ("US", "O4"): 15,
        ("US", "M2"): 14,
        ("CANADA", "P4"): 10,
        ("FRAFRICA", "F2"): 5,
        ("BRAFRICA", "F2"): 35,
        ("BRAFRICA", "A18"): 50,
        ("BRAFRICA", "B21"): 60,
        ("BRAFRICA", "INDIA"): 65,
        ("INDIA", "BRAFRICA"): 65,
        ("INDIA", "A18"): 25,
        ("INDIA", "B21"): 10,
    }


def test_siberia_touches_the_soviet_edge_and_nothing_else_does() -> None:
    touching = [edge.to for edge in BOARD.grid.edges("SIBERIA")]
    assert touching == [f"{row}21" for row in "MNOPQRSTUV"]
    assert all(HEXES[place].country == BOARD["SIBERIA"].country == "Soviet Union" for place in touching)
    assert [place for place in BOXES if BOARD.by_land[place]] == ["SIBERIA"]


def test_siberia_is_part_of_the_land_but_crossings_are_no_retreat() -> None:
    assert "SIBERIA" in BOARD.by_land["Q21"]
    assert "SIBERIA" in BOARD.for_retreat["Q21"]
    assert "H11" in BOARD.by_land["H10"]
    assert "H11" not in BOARD.for_retreat["H10"]
    assert "I11" not in BOARD.by_land["H10"]


def test_crossings() -> None:
    found = {
        frozenset((place, edge.to)) for place in HEXES for edge in BOARD.grid.edges(place) if edge.kind == "crossing"
    }
    names = {
        ("H10", "H11"): "Strait of Messina",
        ("R10", "R11"): "Öresund",
        ("J14", "J15"): "Bosporus",
        ("J14", "I15"): "Sea of Marmara",
        ("J14", "I14"): "Dardanelles",
        ("L16", "L17"): "Kerch Strait",
    }
    assert found == {frozenset(pair) for pair in names}
    assert all(crossing_name(one, other) == crossing_name(other, one) == name for (one, other), name in names.items())
    assert crossing_name("H10", "I11") == ""


def test_there_is_no_crossing_at_gibraltar_or_over_the_channel() -> None:
    for one, other in (("H4", "G4"), ("H4", "G5"), ("P7", "O8"), ("P7", "P8")):
        edge = BOARD.grid.edge(one, other)
        assert edge is not None
        assert edge.kind == "sea"


def test_the_seas_meet_only_at_the_gateways_kiel_and_r9() -> None:
    on_two = {place.id for place in BOARD.places.values() if len(set(place.seas) - {"Soviet Lakes"}) > 1}
    assert on_two == {"H4", "S10", "J14", "D15", "BRAFRICA", "Q10", "R9"}
    assert set(gateways()) == {"H4", "S10", "J14", "D15", "BRAFRICA"}
    assert set(atlas().canals) == {"Q10"}


def pieces(members: Iterable[str], joined: Callable[[str], Iterable[str]]) -> list[set[str]]:
    inside, found = frozenset(members), list[set[str]]()

    def steps(place: str) -> Iterator[str]:
        return (neighbour for neighbour in joined(place) if neighbour in inside)

    for place in sorted(inside):
        if not any(place in piece for piece in found):
            found.append(set(search([place], steps)))
    return found


@pytest.mark.parametrize("name", countries())
def test_countries_hold_together_by_land(name: str) -> None:
    found = pieces(hexes_of(name), BOARD.by_land.__getitem__)
    # The corridor cuts off East Prussia; nothing else is in two pieces.
    assert sorted(map(len, found)) == ([1, 14] if name == "Germany" else [len(hexes_of(name))])
    assert name != "Germany" or {"Q13"} in found


@pytest.mark.parametrize("water", seas())
def test_seas_hold_together_by_water(water: str) -> None:
    def over_water(place: str) -> Iterator[str]:
        return (edge.to for edge in BOARD.grid.edges(place) if edge.water == water and edge.kind != "arrow")

    members = [place for place in HEXES if water in HEXES[place].seas]
    # The Red Sea and the Persian Gulf are joined off the map; Ladoga and Onega not at all.
    expected = 2 if water in ("Red Sea-Persian Gulf", "Soviet Lakes") else 1
    assert len(pieces(members, over_water)) == expected


def test_lakes_are_the_two_hexsides_of_ladoga_and_onega() -> None:
    found = {
        frozenset((place, edge.to))
        for place in HEXES
        for edge in BOARD.grid.edges(place)
        if edge.water == "Soviet Lakes"
    }
    assert found == {frozenset(("T15", "U16")), frozenset(("T16", "U17"))}


def test_sea_distances() -> None:
    red_sea = open_sea_hexsides("A18", "D15", along_coasts=False, water="Red Sea-Persian Gulf")
    assert red_sea == 4
    # To Suez 50 off the map and those four; from the Atlantic edge to the Red Sea 35 and 50.
    to_red_sea = BOARD.grid.edge("BRAFRICA", "A18")
    to_atlantic = BOARD.grid.edge("BRAFRICA", "F2")
    assert to_red_sea is not None
    assert to_atlantic is not None
    assert to_red_sea.length + red_sea == 54
    assert to_red_sea.length + to_atlantic.length == 85


# ------------------------------------------------------------------ countries and production


#: Hexes and production points on the board, worked out from the totals of HW-39.5.
COUNTRIES = {
    "Germany": (15, 16),
    "Albania": (1, 0),
    "Italy": (9, 7),
    "Libya": (13, 0),
    "Sardinia": (1, 0),
    "Sicily": (1, 0),
    "Bulgaria": (1, 0),
    "Finland": (10, 0),
    "Hungary": (2, 1),
    "Rumania": (3, 2),
    "Soviet Union": (88, 15),
    "Cyprus": (1, 0),
    "Egypt": (12, 0),
    "Gibraltar": (1, 0),
    "Great Britain": (10, 8),
    "Malta": (1, 0),
    "North Ireland": (1, 0),
    "Palestine": (1, 0),
    "Transjordan": (3, 0),
    "Algeria": (13, 0),
    "Corsica": (1, 0),
    "France": (11, 7),
    "Lebanon-Syria": (4, 0),
    "Morocco": (7, 0),
    "Tunisia": (3, 0),
    "Baltic States": (2, 1),
    "Crete": (1, 0),
    "Denmark": (3, 0),
    "Eire": (1, 0),
    "Greece": (4, 1),
    "Iran": (8, 1),
    "Iraq": (6, 1),
    "Low Countries": (2, 2),
    "Norway": (12, 1),
    "Poland": (6, 1),
    "Portugal": (2, 0),
    "Spain": (9, 1),
    "Sweden": (10, 2),
    "Turkey": (16, 1),
    "Yugoslavia": (4, 2),
    "Saudi Arabia": (17, 0),
    "Switzerland": (1, 0),
}

#: The hexes that produce.
PRODUCTION = """
    Germany: N9 1, N10 1, N11 1, O10 4, O11 2, O12 2, P9 1, P10 3, Q10 1
    Italy: J10 1, J11 1, K10 1, L9 3, L10 1
    France: L8 1, M8 1, N6 1, N7 2, N8 1, O8 1
    Great Britain: P6 1, P7 2, Q7 3, R6 1, S7 1
    Soviet Union: I20 2, L15 2, M18 1, M19 1, N15 1, N16 1, Q15 1, Q17 3, Q18 1, T15 2
    Baltic States: S14 1
    Poland: O13 1
    Low Countries: O9 1, P8 1
    Norway: T10 1
    Rumania: L14 2
    Hungary: M12 1
    Yugoslavia: L11 1, L12 1
    Greece: H13 1
    Iraq: G19 1
    Iran: D21 1
    Sweden: W13 2
    Spain: K7 1
    Turkey: J14 1
"""


def test_countries_have_their_hexes_and_points() -> None:
    assert {name: (len(hexes_of(name)), production_of(name)) for name in countries()} == COUNTRIES
    assert sum(hexes for hexes, _ in COUNTRIES.values()) == 154 + 163


def test_the_hexes_that_produce() -> None:
    listed = {}
    for line in PRODUCTION.strip().splitlines():
        name, hexes = line.strip().split(": ")
        for entry in hexes.split(", "):
            place, points = entry.split()
            listed[place] = (name, int(points))
    assert {h.id: (h.country, h.production) for h in HEXES.values() if h.production} == listed


def test_boxes_produce() -> None:
    produced = {box.id: box.production for box in BOXES.values()}
    assert produced == {"US": 16, "CANADA": 3, "INDIA": 2, "BRAFRICA": 2, "FRAFRICA": 1, "SIBERIA": 8}


def test_the_totals_the_rules_need() -> None:
    """HW-39.5: Germany 16; the Soviet Union and the Baltic States 16; Canada and both Africas 6 together."""
    assert production_of("Germany") == 16
    assert production_of("Soviet Union") + production_of("Baltic States") == 16
    assert sum(BOXES[box].production for box in ("CANADA", "BRAFRICA", "FRAFRICA")) == 6


def test_capitals() -> None:
    """One to a country, but two in Britain and three in the Soviet Union; colonies and islands have none."""
    by_country = defaultdict(set)
    for place in HEXES.values():
        if place.capital:
            by_country[place.country].add(place.id)
    assert by_country == {name: set(entry.capitals) for name, entry in countries().items() if entry.capitals}
    assert by_country["Soviet Union"] == {"T15", "Q17", "M19"}
    assert by_country["Great Britain"] == {"P7", "Q7"}
    several = {name for name, capitals in by_country.items() if len(capitals) > 1}
    assert several == {"Soviet Union", "Great Britain"}


def test_colour_groups() -> None:
    groups = defaultdict(set)
    for name, entry in countries().items():
        groups[entry.colour].add(name)
    assert groups["light blue"] == {"Germany"}
    assert groups["red"] == {"Soviet Union"}
    assert groups["yellow"] == {"Italy", "Sicily", "Sardinia", "Albania", "Libya"}
    assert groups["gray"] == {"Switzerland", "Saudi Arabia"}
    assert set(atlas().colours) == set(groups) | {"dark green"}
    assert BOARD["US"].colour == "dark green"
    assert {BOARD[box].colour for box in ("CANADA", "INDIA", "BRAFRICA")} == {"brown"}


def test_western_libya_is_libya_as_far_as_d12() -> None:
    west = {place for place in hexes_of("Libya") if LAYOUT.spot(place).column <= 12}
    assert set(western_libya()) == west
    assert set(hexes_of("Libya")) - west == {"C13", "D13", "E13"}


def test_mountains() -> None:
    """All chosen: the Alps and the Balkans, the Caucasus, Norway. Between Berlin and the Urals lies a plain."""
    mountains = {place.id for place in HEXES.values() if place.is_mountain}
    assert {"M10", "M11", "L11", "K13", "J18", "J19", "K19", "U10", "X13"} <= mountains
    assert len(mountains) == 41
    plain = {place for place in HEXES if place[0] in "OPQRS" and 9 <= int(place[1:]) <= 21}
    assert not plain & mountains
    assert {place for place in mountains if HEXES[place].country == "Soviet Union"} == {"J18", "J19", "K19"}


def test_salerno_is_no_mountain() -> None:
    """The rulebook's landing there succeeds on 1 or 2 with eight against six: the bare cell of the table (HW-13.15)."""
    assert not HEXES["I11"].is_mountain


def test_oslo_lies_on_the_baltic_and_the_gulf_is_open() -> None:
    """HW-12.3, HW-12.5: Norway is supplied over the Baltic; trips to the Persian Gulf end on a coast one can reach."""
    oslo, gulf = BOARD.grid.edge("S10", "T10"), BOARD.grid.edge("B21", "C21")
    assert oslo is not None
    assert (oslo.kind, oslo.water) == ("sea", "Baltic")
    assert gulf is not None
    assert (gulf.kind, gulf.water) == ("sea", "Red Sea-Persian Gulf")


def test_ports() -> None:
    """Five are stated; the others are chosen, and every one has its own coast."""
    stated = {id_ for id_, hex_ in atlas().hexes.items() if hex_.further.port == "stated"}
    assert stated == {"H4", "J11", "Q10", "T15", "U7"}
    assert sum(place.port for place in HEXES.values()) == 22


def test_lend_lease_depots() -> None:
    assert {place.id: place.lendlease for place in HEXES.values() if place.lendlease} == {"U18": 2, "M20": 2}


def test_hexes_lie_where_their_cities_are() -> None:
    """A city is no farther from the middle of its hex than a corner, some 160 km."""
    cities = {
        "P10": (52.5, 13.4),
        "Q17": (55.8, 37.6),
        "T15": (59.9, 30.3),
        "M19": (48.7, 44.5),
        "P7": (51.5, -0.1),
        "N7": (48.9, 2.3),
        "D15": (30.0, 32.5),
    }
    for place, (lat, lon) in cities.items():
        distance = kilometres(lat, lon, BOARD[place].lat, BOARD[place].lon)
        assert distance < 160, f"{place} is {distance:.0f} km off"


# ------------------------------------------------------------------ a map that does not add up


def with_hex(place: str, **changes: Any) -> Atlas:
    map_ = atlas()
    changed = msgspec.structs.replace(map_.hexes[place], **changes)
    return msgspec.structs.replace(map_, hexes=map_.hexes | {place: changed})


def with_arrow_to(box: str, to: str) -> Atlas:
    map_ = atlas()
    arrow = msgspec.structs.replace(map_.boxes[box].arrows[0], to=to)
    changed = msgspec.structs.replace(map_.boxes[box], arrows=(arrow,))
    return msgspec.structs.replace(map_, boxes=map_.boxes | {box: changed})


def without_hex(place: str) -> Atlas:
    map_ = atlas()
    return msgspec.structs.replace(map_, hexes={id_: hex_ for id_, hex_ in map_.hexes.items() if id_ != place})


def with_crossing(one: str, other: str) -> Atlas:
    return msgspec.structs.replace(atlas(), crossings=(Crossing((one, other), "Ferry", "chosen"),))


def with_gateway_at(place: str) -> Atlas:
    return msgspec.structs.replace(atlas(), gateways={place: gateways()["H4"]})


def with_siberia_touching(place: str) -> Atlas:
    map_ = atlas()
    changed = msgspec.structs.replace(map_.boxes["SIBERIA"], touches=(place,))
    return msgspec.structs.replace(map_, boxes=map_.boxes | {"SIBERIA": changed})


@pytest.mark.parametrize(
    ("map_", "complaint"),
    [
        (lambda: with_hex("Q16", sides="LLLLLC", waters="-----B", kind="coast"), "Q16 and R15 disagree"),
        (lambda: with_hex("E14", waters="MMMMMA"), "E14 and F13 disagree"),
        (lambda: with_hex("Q16", sides="LLLLL"), "Q16 has not six sides"),
        (lambda: with_hex("Q16", sides="LLLLLQ"), "no hexside"),
        (lambda: with_hex("E14", waters="MMMMMZ"), "no sea"),
        (lambda: with_hex("Q16", waters="-----B", kind="coast"), "side L does not go with water B"),
        (lambda: with_hex("Q16", sides="LLLLLX"), "side X, but R15 says otherwise"),
        (lambda: without_hex("Q16"), "Q16 says otherwise"),
        (lambda: with_hex("Q16", kind="coast"), "Q16 is called coast"),
        (lambda: with_hex("Q16", country=None), "Q16 is land of country None"),
        (lambda: with_hex("Q16", country="Ruritania"), "which is not listed"),
        (lambda: with_hex("Q16", terrain="sea"), "Q16 is land, yet sea"),
        (lambda: with_hex("P10", country="Poland"), "Germany: the map marks the capitals"),
        (
            lambda: with_hex("P10", further=msgspec.structs.replace(atlas().hexes["P10"].further, port="chosen")),
            "no coast",
        ),
        (lambda: with_crossing("P10", "P11"), "is not all sea"),
        (lambda: with_crossing("P10", "P12"), "do not touch"),
        (lambda: with_gateway_at("R9"), "is not on the seas it joins"),
        (lambda: with_arrow_to("US", "Q16"), "does not end at the edge"),
        (lambda: with_arrow_to("US", "A18"), "is in the Atlantic, its end is not"),
        (lambda: with_arrow_to("US", "CANADA"), "is not matched by one back"),
        (lambda: with_siberia_touching("Q16"), "which is not at the edge"),
    ],
)
def test_a_map_that_contradicts_itself_is_refused(map_: Callable[[], Atlas], complaint: str) -> None:
    with pytest.raises(MapDoesNotAddUp, match=complaint):
        board_of(map_())


def test_the_board_is_built_once() -> None:
    assert europe() is europe()
    assert isinstance(BOARD, Board)
