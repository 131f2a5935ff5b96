"""Every regular expression of the program, strings that are built to hurt it, and how its time grows with them.

An expression is found by itself: as a value of a module (also inside a table of one), as a call of `re` inside a
function, or as a terminal of the grammar. How it is used (`match`, `search`, ...) is read from the source.
"""

import ast
import importlib
import pkgutil
import re
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from math import inf
from pathlib import Path
from re import _constants as codes
from re import _parser as parser
from re._compiler import compile as compiled
from types import ModuleType
from typing import Any

import engine
import pbem
from engine.game import games
from pbem.games import own_box
from pbem.letters import Words
from pbem.words.manual import _number

ROOT = Path(__file__).parent.parent
#: What text of others goes through.
READ_OTHERS = (
    "pbem.letters", "pbem.desk", "pbem.mail", "pbem.commands", "pbem.records.secrecy", "pbem.schedule", "pbem.words", "engine",
)  # fmt: skip
USES = frozenset({"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"})
#: Looking for all of them is the same work, whatever is done with what is found.
EVERYWHERE = frozenset({"sub", "subn", "split", "findall", "finditer"})


@dataclass(frozen=True)
class Expression:
    where: str
    pattern: re.Pattern[Any]
    uses: frozenset[str]

    def __str__(self) -> str:
        return f"{self.where}: {self.pattern.pattern!r}"

    def tries(self) -> Iterator[tuple[str, Callable[[Any], object]]]:
        for use in sorted({"finditer" if one in EVERYWHERE else one for one in self.uses}):
            yield use, self._all if use == "finditer" else getattr(self.pattern, use)

    def _all(self, text: Any) -> None:
        for _ in self.pattern.finditer(text):
            pass


# ------------------------------------------------------------------ finding them


@cache
def every_expression() -> tuple[Expression, ...]:
    """Each once; one that stands in several places is used in all their ways."""
    found: dict[re.Pattern[Any], tuple[str, set[str]]] = {}
    for where, pattern, uses in (*_in_modules(), *_in_functions(), *_in_the_grammar(), *_of_the_games()):
        found.setdefault(pattern, (where, set()))[1].update(uses)
    return tuple(Expression(where, pattern, frozenset(uses or USES)) for pattern, (where, uses) in found.items())


@cache
def modules() -> tuple[ModuleType, ...]:
    names = [
        one.name
        for package in (engine, pbem)
        for one in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if one.name.startswith(READ_OTHERS)
    ]
    return tuple(importlib.import_module(name) for name in sorted(names))


@cache
def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))


def _in_modules() -> Iterator[tuple[str, re.Pattern[Any], Iterable[str]]]:
    """What is handed on is used as others are, where it is named or in its table: `command.shape.fullmatch(...)`."""
    uses, named_in = _uses()
    for module in modules():
        for name, value in vars(module).items():
            for field, pattern in _patterns_in(value, 4):
                elsewhere = {use for one in [field, *named_in[pattern]] for use in uses[one]}
                yield f"{module.__name__}.{name}", pattern, uses[pattern] or elsewhere


def _patterns_in(value: Any, depth: int, field: str = "") -> Iterator[tuple[str, re.Pattern[Any]]]:
    if isinstance(value, re.Pattern):
        yield field, value
    elif not depth or isinstance(value, type):
        return
    elif is_dataclass(value):
        for one in fields(value):
            yield from _patterns_in(getattr(value, one.name), depth - 1, one.name)
    elif isinstance(value, dict | tuple | list | set | frozenset):
        for inner in (*value, *value.values()) if isinstance(value, dict) else value:
            yield from _patterns_in(inner, depth - 1, field)


def _uses() -> tuple[dict[re.Pattern[Any] | str, set[str]], dict[re.Pattern[Any], set[str]]]:
    """Of `_BLANKS.sub()` and `phrases.WROTE.search()` by the expression, of others by the name of a field or a module.
    And in which modules an expression is named."""
    uses: dict[re.Pattern[Any] | str, set[str]] = defaultdict(set)
    named_in: dict[re.Pattern[Any], set[str]] = defaultdict(set)
    for module in modules():
        for node in ast.walk(_tree(module)):
            if isinstance(_value(module, node), re.Pattern):
                named_in[_value(module, node)].add(module.__name__)
            if isinstance(node, ast.Attribute) and node.attr in USES:
                used = _value(module, node.value)
                if isinstance(used, re.Pattern):
                    uses[used].add(node.attr)
                elif node.attr != "split" and used is not re:  # a text is split, too
                    uses[getattr(node.value, "attr", module.__name__)].add(node.attr)
    return uses, named_in


def _value(module: ModuleType, node: ast.AST) -> Any:
    if isinstance(node, ast.Name):
        return vars(module).get(node.id)
    return getattr(_value(module, node.value), node.attr, None) if isinstance(node, ast.Attribute) else None


def _in_functions() -> Iterator[tuple[str, re.Pattern[Any], Iterable[str]]]:
    for module in modules():
        for function in ast.walk(_tree(module)):
            if isinstance(function, ast.FunctionDef):
                for call in filter(_is_of_re, ast.walk(function)):
                    flags = sum(getattr(re, name) for name in _flags(call))
                    text = _text(call.args[0])
                    where = f"{module.__name__}.{function.name}, line {call.lineno}"
                    assert text is not None, f"{where}: write the expression so that it can be read here"
                    yield where, re.compile(text, flags), USES if call.func.attr == "compile" else {call.func.attr}


def _is_of_re(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in USES | {"compile"}
    )


def _flags(call: ast.Call) -> set[str]:
    return {
        node.attr
        for argument in call.args[1:]
        for node in ast.walk(argument)
        if isinstance(node, ast.Attribute) and node.attr.isupper()
    }


def _text(node: ast.expr) -> str | bytes | None:
    """What stands in the source; in place of what is filled in, a word."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "word" for part in node.values)
    return None


def _in_the_grammar() -> Iterator[tuple[str, re.Pattern[Any], Iterable[str]]]:
    from engine.grand_strategy.language import line
    from engine.hitlers_war.language.words import IDIOM

    for terminal in line.grammar_of(IDIOM).terminals:
        yield f"orders.lark, {terminal.name}", re.compile(terminal.pattern.to_regexp()), {"match"}


def _of_the_games() -> Iterator[tuple[str, re.Pattern[Any], Iterable[str]]]:
    """What a place looks like in a letter, and the number of a case."""
    for game in games().values():
        words = Words.of((), [game.language(scenario.id) for scenario in game.scenarios()])
        yield f"pbem.letters.words of {game.id}", words.named, {"search"}
        yield f"pbem.words.manual of {game.id}", _number(own_box(game).docs), {"search", "finditer"}


# ------------------------------------------------------------------ strings to hurt them

PALETTE = " \t\n\"'<>=:;,.-_/\\()[]{}@#*&?!+|~`aAzZ09é…"
#: With the last one a search that has gone through everything fails.
TAILS = ("", "\x00", "\nx")
LONGEST_PART = 60
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_CLASSES = (codes.IN, codes.ANY, codes.NOT_LITERAL)

Node = tuple[Any, Any]
Attack = tuple[str, str, str]


def attacks(pattern: re.Pattern[Any]) -> list[Attack]:
    """What stands before, what is repeated, what stands behind: all from the expression's own parts."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    found = dict.fromkeys(_Parts(pattern.flags).of(tree.data, ""))
    repeated = [(before, part) for before, part in found if 0 < len(part) <= LONGEST_PART]
    both = dict.fromkeys(
        [*repeated, *(("", before + part) for before, part in repeated), *(("", part) for _, part in repeated)]
    )
    return [(before, part, tail) for before, part in both for tail in TAILS]


def written(attack: Attack, length: int, pattern: re.Pattern[Any]) -> Any:
    """An attack of about this length, in the kind of text that the expression takes."""
    before, part, tail = attack
    text = before + part * (length // len(part)) + tail
    return text.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else text


@dataclass(frozen=True)
class _Parts:
    """The pieces of an expression that can be repeated, each with a text that leads up to it."""

    flags: int

    def of(self, nodes: Iterable[Node], before: str) -> Iterator[tuple[str, str]]:
        start, run = before, ""
        for node in nodes:
            if node[0] is codes.LITERAL:
                run += chr(node[1])
                continue
            if run:
                yield before, run
            before, run = before + run, ""
            yield from self._inside(*node, before)
            before += self.sample(node)
        yield before, run
        yield start, (before + run)[len(start) :]

    def _inside(self, code: Any, value: Any, before: str) -> Iterator[tuple[str, str]]:
        if code in _CLASSES:
            yield from ((before, char) for char in self._members((code, value)))
        for nodes in _bodies(code, value):
            yield from self.of(nodes, before)

    def sample(self, node: Node) -> str:
        """A short text that fits."""
        code, value = node
        if code is codes.LITERAL:
            return chr(value)
        if code in _CLASSES:
            return next(iter(self._members(node)), "")
        if code in (codes.ASSERT, codes.ASSERT_NOT) or (code in _REPEATS and not value[0]):
            return ""
        return "".join(map(self.sample, next(_bodies(code, value), [])))

    def _members(self, node: Node) -> list[str]:
        """Of a class of characters one of each kind: a blank, a letter or number, something else, the last."""
        state = parser.State()
        state.flags, state.str = self.flags & ~re.DEBUG, ""
        one = compiled(parser.SubPattern(state, [node]), self.flags & ~re.DEBUG)
        named = [chr(value) for code, value in node[1] if code is codes.LITERAL] if isinstance(node[1], list) else []
        fits = [char for char in (*named[:3], *PALETTE) if one.fullmatch(char)]
        kinds: dict[tuple[bool, bool], str] = {}
        for char in fits:
            kinds.setdefault((char.isspace(), char.isalnum()), char)
        return [*kinds.values(), *fits[-1:]]


def _bodies(code: Any, value: Any) -> Iterator[list[Node]]:
    """What a part of an expression holds: the alternatives of a branch, the inside of a group."""
    if code in _REPEATS:
        yield value[2].data
    elif code is codes.BRANCH:
        yield from (branch.data for branch in value[1])
    elif code is codes.SUBPATTERN:
        yield value[3].data
    elif code in (codes.ASSERT, codes.ASSERT_NOT):
        yield value[1].data
    elif code is codes.ATOMIC_GROUP:
        yield value.data


# ------------------------------------------------------------------ how time grows

#: Characters, at first; then four times as many.
LENGTH = 3_000
#: Seconds. What takes no longer at four times the length is not looked at twice.
TOO_SHORT_TO_MEASURE = 0.003
LONGEST_TRY = 1.0
MOST = 8.0


class TookTooLong(Exception):
    pass


@contextmanager
def not_for_ever() -> Iterator[None]:
    """`re` looks at signals while it works."""

    def stop(*_: object) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST_TRY)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def seconds(work: Callable[[], object], tries: int) -> float:
    """Of CPU time, the best of some tries."""
    return min(_seconds_once(work, time.process_time) for _ in range(tries))


def _seconds_once(work: Callable[[], object], clock: Callable[[], float]) -> float:
    began = clock()
    work()
    return clock() - began


def growth(at: Callable[[int], Callable[[], object]], length: int = LENGTH) -> float:
    """How many times longer the work takes at four times the length.

    What is very slow shows with fewer characters. What seems slow is tried with more: an expression that looks ahead
    for a few hundred at most grows like the length only where it is longer than that.
    """
    found = _growth(at, length // 4)
    if found == inf:
        return found
    found = _growth(at, length)
    return found if found < MOST or found == inf else _growth(at, 4 * length)


def _growth(at: Callable[[int], Callable[[], object]], length: int) -> float:
    """Best of five, if it looks like too much."""
    try:
        with not_for_ever():  # while a timer runs, some systems measure CPU time in ticks only
            if _seconds_once(at(4 * length), time.perf_counter) < TOO_SHORT_TO_MEASURE:
                return 0.0
    except TookTooLong:
        return inf
    ratio = 0.0
    for tries in (1, 5, 5):
        ratio = seconds(at(4 * length), tries) / max(seconds(at(length), tries), 1e-6)
        if ratio < MOST:
            break
    return ratio


def worst(expression: Expression) -> tuple[float, str]:
    """The worst growth of all ways to use it and all attacks on it, with what did it."""
    found = (0.0, "")
    for attack in attacks(expression.pattern):
        for use, tried in expression.tries():

            def at(
                length: int, attack: Attack = attack, tried: Callable[[Any], object] = tried
            ) -> Callable[[], object]:
                text = written(attack, length, expression.pattern)
                return lambda: tried(text)

            ratio = growth(at)
            if ratio > found[0]:
                found = ratio, f"{use}, with {attack!r}"
            if ratio >= MOST:
                return found
    return found
