"""From the parse tree of one line to the order it is."""

from collections.abc import Sequence
from typing import Any, Literal, cast, get_args

import msgspec
from lark import Token, Tree

from engine.grand_strategy.language.meaning import Meaning
from engine.grand_strategy.language.words import Composer, Piece, Pieces
from engine.grand_strategy.orders import (
    ALL,
    Adopt,
    Attack,
    Branch,
    Build,
    Compare,
    CompareDefence,
    Comparison,
    Defend,
    Deploy,
    Disband,
    Exploit,
    Form,
    Gift,
    GoTo,
    Losses,
    Repair,
    Retreat,
    Rolled,
    Set,
    Step,
    Taken,
    TargetIs,
    Test,
    Tests,
    Transfer,
    Unstack,
    Violate,
)
from engine.language import LineCannotBeUsed
from engine.orders import Kind

_COMPARISONS: dict[str, Comparison] = {sign: sign for sign in get_args(Comparison)}
_COMPARISONS |= {"≤": "<=", "=<": "<=", "≥": ">=", "=>": ">=", "==": "="}


# ------------------------------------------------------------------ tests


class Purpose(msgspec.Struct, frozen=True):
    """Where tests are asked, and which of them have an answer there."""

    what: str
    asks: tuple[str, ...]


IN_COMBAT = Purpose(
    "an attack",
    ("RANGE", "DEF", "STR", "MECH", "LOSS", "EMPTY", "OCCUPIED", "FRIENDLY", "FORT", "WINTER", "TAKEN", "ROLLED"),
)
IN_DEFENCE = Purpose("a defence", ("STR", "MECH", "LOSS", "DEF", "ATTACKERS", "WINTER", "TAKEN"))
IN_PRODUCTION = Purpose(
    "production", ("PP", "TAKEN", "ROLLED", "DEF", "EMPTY", "OCCUPIED", "FRIENDLY", "FORT", "WINTER")
)


def _tests(meaning: Meaning, tree: Tree[Token], purpose: Purpose) -> Tests:
    return tuple(_test(meaning, test, purpose) for test in tree.children)


def _test(meaning: Meaning, test: Piece, purpose: Purpose) -> Test:
    words = test.children
    _must_have_an_answer(meaning, words, purpose)
    match test.data:
        case "compare":
            return _compare(meaning, words)
        case "target_is":
            return TargetIs(cast(Any, str(words[0])))  # the grammar has no other words
        case "rolled":
            return Rolled(meaning.army(words[1].children))
        case _:
            return Taken(meaning.place(words[-1:]), negated=words[0] == "NOT")


def _must_have_an_answer(meaning: Meaning, words: Pieces, purpose: Purpose) -> None:
    asked = words[1] if words[0] == "NOT" else words[0]
    if asked not in purpose.asks:
        why = f"{asked} has no answer in {purpose.what}."
        raise meaning.refuse(Kind.ILLEGAL, (asked,), why, f"There you can ask for {', '.join(purpose.asks)}.")


def _compare(meaning: Meaning, words: Sequence[Token]) -> Compare | CompareDefence:
    at = next(index for index, word in enumerate(words) if word.type == "COMPARISON")
    left, sign, right = words[:at], words[at], words[at + 1 :]
    comparison = _COMPARISONS[sign]
    if right[0].type == "NAME":
        hex_ = _hex_asked_about(meaning, left)
        return Compare(cast(Any, str(left[0])), comparison, meaning.number(right[0]), hex_)
    if left[0] == right[0] == "DEF" and len(left) == len(right) == 2:
        return CompareDefence(meaning.place(left[1:]), comparison, meaning.place(right[1:]))
    second, first = meaning.samples.two_hexes
    example = f"Example: IF DEF {first}<DEF {second}"
    raise meaning.refuse(Kind.UNREADABLE, right, "Only the defence of two hexes can be compared.", example)


def _hex_asked_about(meaning: Meaning, words: Sequence[Token]) -> str:
    if len(words) == 1:
        return ""
    if words[0] not in ("DEF", "RANGE"):
        why = f"{words[0]} is about the army, not about a hex."
        raise meaning.refuse(Kind.UNREADABLE, words[1:], why, "A hex is named after DEF and RANGE only.")
    return meaning.place(words[1:])


# ------------------------------------------------------------------ set-up and movement


def _set(meaning: Meaning, parts: Pieces) -> Set:
    army, hex_ = meaning.army_at(parts[0].children)
    points = counted(meaning, parts[1], "SET says what the army holds in the end; ALL says nothing there.")
    return Set(army, hex_, points)


def _goto(meaning: Meaning, parts: Pieces) -> GoTo:
    return GoTo(*meaning.army_at(parts[0].children))


def _xfer(meaning: Meaning, parts: Pieces) -> Transfer:
    giver, taker = two_armies(meaning, parts[1], parts[2])
    return Transfer(meaning.strength(parts[0].children), giver, taker)


def _xfer_all(meaning: Meaning, parts: Pieces) -> Transfer:
    return Transfer(meaning.everything(), *two_armies(meaning, parts[0], parts[1]))


def _form(meaning: Meaning, parts: Pieces) -> Form:
    army, hex_ = meaning.army_at(parts[0].children)
    giver = meaning.army(parts[2].children)
    _must_differ(meaning, army, giver, parts[2])
    return Form(army, hex_, meaning.strength(parts[1].children), giver)


def _disband(meaning: Meaning, parts: Pieces) -> Disband:
    if len(parts) == 1:
        return Disband(meaning.army(parts[0].children))
    return Disband(*two_armies(meaning, parts[0], parts[1]))


def two_armies(meaning: Meaning, giver: Piece, taker: Piece) -> tuple[str, str]:
    armies = meaning.army(giver.children), meaning.army(taker.children)
    _must_differ(meaning, *armies, taker)
    return armies


def _must_differ(meaning: Meaning, one: str, other: str, part: Piece) -> None:
    if one == other:
        why = f"{meaning.vocabulary.call_army(one)} cannot hand points to itself."
        raise meaning.refuse(Kind.ILLEGAL, part.children, why, "Name two armies.")


def counted(meaning: Meaning, part: Piece, why_not_all: str, remedy: str = "") -> dict[str, int]:
    points = meaning.strength(part.children)
    if ALL in points.values():
        raise meaning.refuse(Kind.ILLEGAL, part.children, why_not_all, remedy or "Give a number.")
    return points


# ------------------------------------------------------------------ combat

#: Options that answer the same question; an order carries one of each group at most.
_QUESTIONS = {
    "assault": "fire",
    "assault_if": "fire",
    "save": "fire",
    "advance": "go",
    "advance_if": "go",
    "no_advance": "go",
}


def options_of(meaning: Meaning, parts: Pieces) -> dict[str, Pieces]:
    """The options by name; two answers to one question contradict each other."""
    given: dict[str, tuple[str, Pieces]] = {}
    for part in parts:
        question = _QUESTIONS.get(part.data, part.data)
        if question in given:
            raise _contradiction(meaning, _option_word(given[question][1]), _option_word(part.children))
        given[question] = part.data, part.children
    return dict(given.values())


def _option_word(words: Pieces) -> Token:
    """The word of an option or of a flag, which has a colon before it."""
    word: Token = words[1] if words[0] == ":" else words[0]
    return word


def _contradiction(meaning: Meaning, first: Token, second: Token) -> LineCannotBeUsed:
    why = f"{first} is given twice." if first == second else f"{first} and {second} contradict each other."
    return meaning.refuse(Kind.AMBIGUOUS, (second,), why, "Write one of them.")


def fire_of(meaning: Meaning, options: dict[str, Pieces]) -> Tests | None:
    if "assault_if" in options:
        return _tests(meaning, options["assault_if"][-1], IN_COMBAT)
    return () if "assault" in options else None


def _attack(meaning: Meaning, parts: Pieces) -> Attack:
    army, hex_ = meaning.army_at(parts[0].children)
    options = options_of(meaning, parts[1:])
    if not options.keys() & {"assault", "assault_if", "save", "advance", "advance_if"}:
        why, remedy = "The order does not say what the army is to do there.", _both(meaning, army, hex_)
        raise meaning.refuse(Kind.AMBIGUOUS, parts[0].children[-1:], why, f"Say ASSAULT, ADVANCE or both: {remedy}")
    advance: Tests | None = () if "advance" in options else None
    if "advance_if" in options:
        advance = _tests(meaning, options["advance_if"][-1], IN_COMBAT)
    return Attack(
        army,
        hex_,
        assault=fire_of(meaning, options),
        save="save" in options,
        advance=advance,
        no_advance="no_advance" in options,
        seq=meaning.number(options["seq"][1]) if "seq" in options else None,
        after=after_of(meaning, options),
    )


def _both(meaning: Meaning, army: str, hex_: str) -> str:
    return f"ATTACK {meaning.vocabulary.call_army(army)} {hex_} ASSAULT ADVANCE"


def after_of(meaning: Meaning, options: dict[str, Pieces]) -> str:
    return meaning.army(options["after"][1].children) if "after" in options else ""


def _exploit(meaning: Meaning, parts: Pieces) -> Exploit:
    army, cities = meaning.army_then_places(parts[0].children)
    path: list[Step | Branch] = [Step(city) for city in cities]
    rest = list(parts[1:])
    if rest and rest[0].data == "city_flags":
        path.append(_flagged(meaning, _last_city(meaning, path, parts[0]), rest.pop(0).children))
    path += [_step(meaning, part) for part in rest if part.data in ("hex_step", "branch")]
    if not path:
        word = parts[0].children[-1:]
        raise meaning.refuse(Kind.UNREADABLE, word, f"Where to? A hex is missing after '{meaning.said(word)}'.")
    stops = [part for part in rest if part.data == "stop_if"]
    waits = options_of(meaning, [part for part in rest if part.data == "after"])
    return Exploit(
        army,
        tuple(path),
        stop_if=tuple(_tests(meaning, part.children[-1], IN_COMBAT) for part in stops),
        after=after_of(meaning, waits),
    )


def _last_city(meaning: Meaning, path: list[Step | Branch], names: Piece) -> str:
    if not path:
        raise meaning.refuse(Kind.UNREADABLE, names.children[-1:], "A hex is missing before the colon.")
    city = path.pop()
    assert isinstance(city, Step)
    return city.hex


def _step(meaning: Meaning, part: Piece) -> Step | Branch:
    if part.data == "hex_step":
        return _hex_step(meaning, part)
    first, second, tests = part.children
    return Branch(_hex_step(meaning, first), _hex_step(meaning, second), _tests(meaning, tests, IN_COMBAT))


def _hex_step(meaning: Meaning, part: Piece) -> Step:
    word, *flags = part.children
    return _flagged(meaning, "RETURN" if word.type == "RETURN" else meaning.place((word,)), flags)


def _flagged(meaning: Meaning, hex_: str, flags: Pieces) -> Step:
    options = options_of(meaning, flags)
    return Step(hex_, assault=fire_of(meaning, options), save="save" in options)


def _unstack(meaning: Meaning, parts: Pieces) -> Unstack:
    hex_, army, to = parts
    return Unstack(meaning.place(hex_.children), meaning.army(army.children), meaning.place(to.children))


# ------------------------------------------------------------------ policies


def _defend(meaning: Meaning, parts: Pieces) -> Defend:
    where, policy = meaning.where(parts[0].children), parts[1]
    if isinstance(policy, Token):
        meaning.must_be_in_force(policy)
        return Defend(where, cast(Any, str(policy)))  # the grammar has no other policies
    return Defend(where, "IF", _tests(meaning, policy, IN_DEFENCE))


def _losses(meaning: Meaning, parts: Pieces) -> Losses:
    words, options = parts[0].children, options_of(meaning, parts[1:])
    if not options:
        why = "The order does not say which points are lost first."
        raise meaning.refuse(Kind.UNREADABLE, words[-1:], why)
    # What is both an army and a box is read as the army; only in a place there may be several armies to choose from.
    of_a_place = "takers" in options and meaning.names_a_place(words)
    where = meaning.place(words) if of_a_place else meaning.where(words)
    if "takers" in options and not of_a_place and where in meaning.vocabulary.own_ids:
        why = "FROM chooses among several armies, but this line is about one."
        raise meaning.refuse(Kind.AMBIGUOUS, options["takers"][:1], why, "Name a hex or ALL, or leave FROM away.")
    takers, types = options.get("takers", ()), options.get("types", ())
    return Losses(where, meaning.armies(takers[1:]), meaning.units(types[1:]) if types else ())


_MANNERS: dict[str, Literal["TO", "TOWARD", "AVOID", "DIE"]] = {
    "TO": "TO",
    "TOWARD": "TOWARD",
    "TOWARDS": "TOWARD",
    "AVOID": "AVOID",
    "DIE": "DIE",
}


def _retreat(meaning: Meaning, parts: Pieces) -> Retreat:
    _, where, word, *rest = parts
    manner, hexes = _MANNERS[word], meaning.places(rest[0].children) if rest else ()
    if manner == "TOWARD" and len(hexes) > 1:
        raise meaning.refuse(Kind.AMBIGUOUS, (word,), "TOWARD takes one hex.", "For a list of hexes write TO.")
    return Retreat(meaning.where(where.children), manner, hexes)


# ------------------------------------------------------------------ production


def _build(meaning: Meaning, parts: Pieces) -> Build:
    what, *rest = parts
    most = meaning.army_unit(what.children[0]) if what.data == "most" else ""
    to_spend_all = f"To spend all: BUILD MAX I {meaning.samples.build_hex}"
    points = {} if most else counted(meaning, what, "A number or MAX belongs here.", to_spend_all)
    trees: Pieces = [part for part in rest if isinstance(part, Tree)]
    hexes, army = _sites(meaning, [part for part in trees if part.data == "site"])
    newcomer = next((part for part in trees if part.data == "names"), None)
    if newcomer is not None and army:
        raise meaning.refuse(Kind.AMBIGUOUS, newcomer.children, "Two armies are named.", "Name one, or NEW and one.")
    tests = condition_of(meaning, trees)
    if newcomer is not None:
        return Build(points, hexes, meaning.army(newcomer.children), new=True, most=most, tests=tests)
    return Build(points, hexes, army, most=most, tests=tests)


def _sites(meaning: Meaning, sites: Pieces) -> tuple[tuple[str, ...], str]:
    """The hexes of a list, and the army that may follow the last of them."""
    hexes, army = [], ""
    for site in sites:
        if army:
            raise meaning.refuse(Kind.UNREADABLE, site.children, "The army belongs after the last hex.")
        hex_, army = _site(meaning, site.children)
        hexes.append(hex_)
    return tuple(hexes), army


def _site(meaning: Meaning, words: Sequence[Token]) -> tuple[str, str]:
    if words[0].type == "NAME":
        return meaning.place_then_army(words)
    hex_ = "ANY" if words[0].type == "ANY" else meaning.place(words[:1])
    return hex_, meaning.army(words[1:]) if len(words) > 1 else ""


def condition_of(meaning: Meaning, trees: Pieces) -> Tests:
    return next((_tests(meaning, part, IN_PRODUCTION) for part in trees if part.data == "tests"), ())


def _repair(meaning: Meaning, parts: Pieces) -> Repair:
    words = [part for part in parts if isinstance(part, Token)]
    tests = condition_of(meaning, parts[len(words) :])
    if len(words) == 1 or not (words[0].type == "HEX" or words[-1].isdigit()):
        return Repair(meaning.place(words), tests=tests)
    points = meaning.number(words[-1])
    if not points:
        raise meaning.refuse(
            Kind.ILLEGAL, words[-1:], "0 points are nothing to repair.", "Leave the number away for all."
        )
    return Repair(meaning.place(words[:-1]), points, tests)


# ------------------------------------------------------------------ set-up by mail and politics


def _deploy(meaning: Meaning, parts: Pieces) -> Deploy:
    army, hex_ = meaning.army_at(parts[0].children)
    return Deploy(army, hex_, counted(meaning, parts[1], "DEPLOY counts points of the pool.", "Give a number."))


def _violate(meaning: Meaning, parts: Pieces) -> Violate:
    return Violate(meaning.country(parts[0].children))


def _gift(meaning: Meaning, parts: Pieces) -> Gift:
    if len(parts) == 1:
        return Gift(*meaning.country_place_army(parts[0].children))
    army = meaning.army(parts[2].children) if len(parts) > 2 else ""
    return Gift(meaning.country(parts[0].children), meaning.place(parts[1:2]), army)


def _adopt(meaning: Meaning, parts: Pieces) -> Adopt:
    return Adopt(meaning.country(parts[0].children), meaning.army(parts[1].children))


COMPOSERS: dict[str, Composer] = {
    "set": _set,
    "goto": _goto,
    "xfer": _xfer,
    "xfer_all": _xfer_all,
    "form": _form,
    "disband": _disband,
    "attack": _attack,
    "exploit": _exploit,
    "unstack": _unstack,
    "defend": _defend,
    "losses": _losses,
    "retreat": _retreat,
    "build": _build,
    "repair": _repair,
    "deploy": _deploy,
    "violate": _violate,
    "gift": _gift,
    "adopt": _adopt,
}
