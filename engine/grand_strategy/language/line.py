"""Reading one order line: which verb it has, whether the grammar can read it, and what to answer if not.

`read_order(str(order), vocabulary) == order` for every order that can be written.
"""

import re
from functools import lru_cache
from typing import Any

from lark import Lark, Token, Tree, UnexpectedInput, UnexpectedToken
from lark.lexer import PatternRE, PatternStr, TerminalDef

from engine.grand_strategy.language.composing import COMPOSERS
from engine.grand_strategy.language.composing_sea import SEA_COMPOSERS
from engine.grand_strategy.language.meaning import Meaning
from engine.grand_strategy.language.names import Vocabulary
from engine.grand_strategy.language.words import Idiom, OrderLanguage, Samples
from engine.grand_strategy.orders import AnyOrder, Cancel, StandingOrder
from engine.language import LineCannotBeUsed, Understood
from engine.language.names import nearest, plain
from engine.load import package_text
from engine.orders import Kind

_COMPOSERS = COMPOSERS | SEA_COMPOSERS
_GRAMMAR = ("grand_strategy", "language", "orders.lark")

#: A line is a prefix, if there is one, and an order that begins with its verb.
_HEAD = re.compile(r" *(?:(STANDING|CANCEL)(?![\w-])[ :]*)?(?:STANDING(?![\w-])[ :]*)?(?P<verb>[^ :,()#]*)")
_WORD = re.compile(r"[-=]>|[\w.'-]+|\S")

#: Places in an order where a name of the grammar is something else than an army or a hex.
_AFTER_A_COUNT = re.compile(r"(?<![\w-])(?:SEQ|RESERVE) *$")
_AFTER_VIA = re.compile(r"^SHIP(?![\w-]).*(?<![\w-])VIA(?![\w-])")
_AFTER_VIOLATE = re.compile(r"^VIOLATE *$")
_AFTER_GIFT = re.compile(r"^GIFT *$")
_AFTER_ADOPT = re.compile(r"^ADOPT *$")
_AFTER_A_COUNTRY = re.compile(r"^VIOLATE ")
_BEFORE_AS = re.compile(r"^ADOPT (?!.*(?<![\w-])AS(?![\w-]))")
_NOT_OFFERED = frozenset({"$END", "NAME", "COMMA"})
#: Left out where QUANTITY stands for all tests.
_OTHER_TESTS = frozenset({"STATE", "TAKEN", "NOT", "ROLLED"})


def read_order(text: str, vocabulary: Vocabulary) -> AnyOrder:
    """The order of one line, or LineCannotBeUsed."""
    order: AnyOrder = read_line(text, vocabulary).order
    return order


def read_line(line: str, vocabulary: Vocabulary) -> Understood:
    """One line with an order, with or without STANDING or CANCEL before it, or LineCannotBeUsed."""
    text = plain(line).rstrip(" .,;")
    head = _HEAD.match(text)
    assert head is not None  # every part of it may be missing
    prefix, verb, column = head[1], head["verb"], head.start("verb") + 1
    if prefix == "STANDING" and verb == "CLEAR":
        return Understood(Cancel())
    _check_verb(verb, prefix, column, vocabulary.language)
    meaning = Meaning(vocabulary, line)
    try:
        tree = _parse(text, column - 1, vocabulary.language)
        compose = vocabulary.language.idiom.composers.get(tree.data) or _COMPOSERS[tree.data]
        order = compose(meaning, tree.children)
    except UnexpectedInput as problem:
        raise _word_elsewhere(text, vocabulary.language) or _unexpected(problem, text, column - 1, vocabulary) from None
    except LineCannotBeUsed as problem:
        problem.remedy = problem.remedy or vocabulary.language.usage(verb)
        raise _word_elsewhere(text, vocabulary.language) or problem from None
    if prefix == "CANCEL":
        order = _cancel(order, verb, column)
    return Understood(order, prefix == "STANDING", tuple(meaning.notes))


def _cancel(order: AnyOrder, verb: str, column: int) -> Cancel:
    if isinstance(order, StandingOrder):
        return Cancel(order)
    why = f"CANCEL ends standing orders, and {verb} is never one."
    raise LineCannotBeUsed(Kind.ILLEGAL, why, "Send a new sheet without the line; the newest one counts.", column)


# ------------------------------------------------------------------ the verb


def _check_verb(verb: str, prefix: str | None, column: int, language: OrderLanguage) -> None:
    if prefix and verb in ("", "ALL", "STANDING", "CANCEL"):
        why, remedy = f"An order is missing after {prefix}.", _after_prefix(prefix, language)
        raise LineCannotBeUsed(Kind.UNREADABLE, why, remedy, column)
    language.must_have(verb, column)


def _after_prefix(prefix: str, language: OrderLanguage) -> str:
    return language.usage(prefix) + (". To end all of them write STANDING CLEAR." if prefix == "CANCEL" else "")


# ------------------------------------------------------------------ the grammar


def grammar_of(idiom: Idiom) -> Lark:
    """The grammar of the family with the game's own orders and the look of its hexes."""
    return _grammar(idiom.hex.pattern, idiom.grammar)


@lru_cache(maxsize=8)
def _grammar(hex_: str, of_the_game: tuple[str, ...]) -> Lark:
    own = package_text(*of_the_game) if of_the_game else ""
    return Lark(
        f"{package_text(*_GRAMMAR)}\nHEX.1: /({hex_})(?!\\w)/\n{own}",
        start="order",
        parser="lalr",
        lexer="contextual",
        maybe_placeholders=False,
        edit_terminals=_match_whole_words,
    )


def _match_whole_words(terminal: TerminalDef) -> TerminalDef:
    """A keyword is not the beginning of a longer word, and goes before a name."""
    pattern = terminal.pattern
    if isinstance(pattern, PatternStr) and pattern.value[0].isalpha():
        terminal.pattern = PatternRE(re.escape(pattern.value) + r"(?![\w-])")
        terminal.priority = 2
    return terminal


def _parse(text: str, start: int, language: OrderLanguage) -> Tree[Token]:
    """The tree of the order that begins at `start`; columns count from the beginning of the line."""
    return grammar_of(language.idiom).parse(" " * start + text[start:] if start else text)


# ------------------------------------------------------------------ what does not fit


def _word_elsewhere(text: str, language: OrderLanguage) -> LineCannotBeUsed | None:
    """What to say of a line that uses a word of rules which its scenario lacks; nothing if it does not."""
    found = language.any_word_elsewhere.search(text)
    if found is None:
        return None
    why = language.needs_of_word(found[0])
    return LineCannotBeUsed(Kind.ILLEGAL, why, f"{language.what_there_is}.", found.start() + 1)


def _unexpected(problem: UnexpectedInput, text: str, begin: int, vocabulary: Vocabulary) -> LineCannotBeUsed:
    """What to say of an order that begins at `begin` and does not fit the grammar."""
    at_end = isinstance(problem, UnexpectedToken) and problem.token.type == "$END"
    start = len(text) if at_end else problem.column - 1
    found = _WORD.match(text, start)
    word = found[0] if found is not None else ""
    why = f"I do not understand '{word[:30]}' here." if word else "The line ends too early."
    return LineCannotBeUsed(Kind.UNREADABLE, why, _offer(word, text[begin:start], vocabulary), start + 1)


def _offered(samples: Samples) -> dict[str, str]:
    """Terminals of the grammar in a player's words, in the order they are offered to him."""
    first, second = samples.two_hexes
    return {
        "HEX": f"a hex such as {samples.hex}",
        "POINTS": "points such as 5I 3M",
        "TYPE": "I or M",
        "POLICY": "NOW, HOLD, NEVER, EXPLOIT-ONLY",
        "QUANTITY": "a test such as RANGE>=4",
        "COMPARISON": "a comparison such as >=",
        "_ARROW": "->",
        "COLON": ":ASSAULT or :SAVE",
        "LPAR": f"a branch such as ({first}|{second} IF EMPTY)",
        "VBAR": "|",
        "RPAR": ")",
    }


def _named_there(idiom: Idiom, before: str) -> str:
    """What belongs where a name of the grammar is something else than an army or a hex; empty anywhere else."""
    samples = idiom.samples
    offered = {
        _AFTER_A_COUNT: "a number",
        _AFTER_VIA: f"a sea such as {samples.sea}",
        _AFTER_VIOLATE: f"a country such as {samples.country}",
        _AFTER_GIFT: f"a country such as {samples.newcomer}",
        _AFTER_ADOPT: samples.changes_over,
        _AFTER_A_COUNTRY: "one country on each line",
        _BEFORE_AS: "AS and one of your counters",
    }
    return next((offer for pattern, offer in (*idiom.offered, *offered.items()) if pattern.search(before)), "")


def _offer(word: str, before: str, vocabulary: Vocabulary) -> str:
    """What would fit after `before`, instead of a word if there is one."""
    language = vocabulary.language
    could_be, offered = _acceptable_after(before, language), _offered(language.samples)
    if "QUANTITY" in could_be:
        could_be -= _OTHER_TESTS
    words = sorted(name.strip("_").replace("_", "-") for name in could_be - offered.keys() - _NOT_OFFERED)
    meant = nearest(word, words) if word else ""
    if not meant and "HEX" in could_be:
        meant = vocabulary.place_like(word)
    choice = [offer for name, offer in offered.items() if name in could_be] + words
    if named_there := _named_there(language.idiom, before):
        meant, choice = "", [named_there]
    elif "NAME" in could_be and "HEX" not in could_be:
        choice = ["a number"] if "QUANTITY" in could_be else ["an army", *choice]
    remedy = f"Did you mean {meant}? " if meant else ""
    remedy += f"Possible here: {', '.join(choice)}. " if choice else "Nothing more belongs on this line. "
    return remedy + language.usage(before.split()[0])


def _acceptable_after(text: str, language: OrderLanguage) -> set[str]:
    """The terminals that may follow a text the grammar could read so far."""
    reading: Any = grammar_of(language.idiom).parse_interactive(text)
    try:
        reading.exhaust_lexer()
    except UnexpectedInput:
        return set()
    return set(reading.accepts())
