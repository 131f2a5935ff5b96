"""From the parse tree of one line to an order about the sea, landings or forts."""

from typing import Any, cast

from lark import Token

from engine.grand_strategy.language.composing import (
    after_of,
    condition_of,
    fire_of,
    options_of,
    two_armies,
)
from engine.grand_strategy.language.meaning import Meaning
from engine.grand_strategy.language.words import Composer, Piece, Pieces
from engine.grand_strategy.orders import (
    ALL,
    Aim,
    Coastal,
    Convert,
    Dismantle,
    Fortify,
    Invade,
    NavalFire,
    NavalReserve,
    Route,
    Ship,
    Support,
)
from engine.orders import Kind

# ------------------------------------------------------------------ movement


def _convert(meaning: Meaning, parts: Pieces) -> Convert:
    points = meaning.strength(parts[0].children)
    if set(points) != {"amph"}:
        why = "Only amphibious points (A) can be converted, and they become infantry."
        raise meaning.refuse(Kind.ILLEGAL, parts[0].children, why)
    return Convert(points["amph"], meaning.army(parts[1].children))


def _convert_all(meaning: Meaning, parts: Pieces) -> Convert:
    return Convert(ALL, meaning.army(parts[0].children))


def _ship(meaning: Meaning, parts: Pieces) -> Ship:
    return _shipped(meaning, meaning.strength(parts[0].children), parts[1:])


def _ship_all(meaning: Meaning, parts: Pieces) -> Ship:
    return _shipped(meaning, meaning.everything(), parts)


def _shipped(meaning: Meaning, points: dict[str, int], parts: Pieces) -> Ship:
    giver, taker = two_armies(meaning, parts[0], parts[1])
    seas = meaning.seas(parts[2].children) if len(parts) > 2 else ()
    return Ship(points, giver, taker, seas)


def _route(meaning: Meaning, parts: Pieces) -> Route:
    army, boxes = meaning.army_then_places(parts[0].children)
    places = (*boxes, *meaning.waypoints(parts[1:]))
    if len(places) < 2:
        raise meaning.refuse(Kind.UNREADABLE, parts[0].children[-1:], "A route has at least two places.")
    return Route(army, places)


# ------------------------------------------------------------------ landings


def _invade(meaning: Meaning, parts: Pieces) -> Invade:
    army, hex_ = meaning.army_at(parts[0].children)
    options = options_of(meaning, parts[1:])
    for hesitant in options.keys() & {"advance_if", "no_advance"}:  # ADVANCE itself goes without saying
        why = "An army that lands must try to come ashore (HW-13.6)."
        raise meaning.refuse(Kind.ILLEGAL, options[hesitant][:1], why, "Leave it away, or do not invade.")
    return Invade(
        army,
        hex_,
        start=meaning.place(options["start"][1].children) if "start" in options else "",
        via=meaning.waypoints(options["via"][1].children) if "via" in options else (),
        assault=fire_of(meaning, options),
        save="save" in options,
        seq=meaning.number(options["seq"][1]) if "seq" in options else None,
        after=after_of(meaning, options),
    )


def _support(meaning: Meaning, parts: Pieces) -> Support:
    return Support(meaning.places(parts[0].children) if parts else ())


def _must_have_a_navy(meaning: Meaning, words: Pieces) -> None:
    tables = meaning.vocabulary.setting.tables
    navy = tables.raw["landing_fire"]["naval"]["by"]
    if meaning.vocabulary.side != navy:
        why = f"Only {tables.side_names[navy]} have a navy that fires at landings (HW-13.8)."
        raise meaning.refuse(Kind.ILLEGAL, words[:1], why, "Leave the line away.")


def _navalfire(meaning: Meaning, parts: Pieces) -> NavalFire:
    _must_have_a_navy(meaning, parts)
    word, until = parts[2], _until_no_amph(meaning, parts[-1])
    if word != "AT":
        return NavalFire(cast(Any, str(word)), until_no_amph=until)  # the grammar has no other words
    return NavalFire(*_aim(meaning, parts[3]), until_no_amph=until)


def _until_no_amph(meaning: Meaning, part: Piece) -> bool:
    if isinstance(part, Token) or part.data != "until":
        return False
    comparison, number = part.children
    if (comparison, number) not in (("=", "0"), ("==", "0")):
        raise meaning.refuse(
            Kind.ILLEGAL, (comparison,), "Fire ends with the amphibious points.", "Write UNTIL AMPH=0."
        )
    return True


def _reserve(meaning: Meaning, parts: Pieces) -> NavalReserve:
    _must_have_a_navy(meaning, parts)
    return NavalReserve(meaning.number(parts[0]), meaning.enemy_army(parts[1].children))


def _coastal(meaning: Meaning, parts: Pieces) -> Coastal:
    return Coastal(meaning.ground(parts[0].children), *_aim(meaning, parts[1]))


def _aim(meaning: Meaning, names: Piece) -> tuple[Aim, str]:
    words = names.children
    if len(words) == 1 and words[0] in ("BIGGEST", "MOSTAMPH"):
        return cast(Aim, str(words[0])), ""
    return "ARMY", meaning.enemy_army(words)


# ------------------------------------------------------------------ forts


def _fort(meaning: Meaning, parts: Pieces) -> Fortify:
    words = [part for part in parts if isinstance(part, Token)]
    tests = condition_of(meaning, parts[len(words) :])
    if len(words) == 1 or not (words[0].type == "HEX" or words[-1].isdigit()):
        return Fortify(meaning.place(words), tests=tests)
    points = meaning.number(words[-1])
    if not points:
        raise meaning.refuse(Kind.ILLEGAL, words[-1:], "0 points are no fort.", "Give at least one point.")
    return Fortify(meaning.place(words[:-1]), points, tests)


def _dismantle(meaning: Meaning, parts: Pieces) -> Dismantle:
    words = [part for part in parts if isinstance(part, Token)]
    tests = condition_of(meaning, parts[len(words) :])
    if len(words) == 1 and words[0].isdigit():
        number = meaning.number(words[0])
        most = meaning.vocabulary.setting.tables.raw["limits"]["forts"]
        if not 1 <= number <= most:
            why = f"There is no fort {number}; forts are numbered from 1 to {most}."
            raise meaning.refuse(Kind.ILLEGAL, words, why, "Name its number or its hex.")
        return Dismantle(str(number), tests)
    return Dismantle(meaning.place(words), tests)


SEA_COMPOSERS: dict[str, Composer] = {
    "convert": _convert,
    "convert_all": _convert_all,
    "ship": _ship,
    "ship_all": _ship_all,
    "route": _route,
    "invade": _invade,
    "support": _support,
    "navalfire": _navalfire,
    "reserve": _reserve,
    "coastal": _coastal,
    "fort": _fort,
    "dismantle": _dismantle,
}
