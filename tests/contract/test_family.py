"""The family speaks of no game: what is Europe's, or the winter's, stands with the game that has it."""

import ast
import re
from pathlib import Path

import pytest

import engine
import engine.grand_strategy

FAMILY = Path(engine.grand_strategy.__file__).parent
#: Words of one game, in names, comments, texts and grammars.
OF_ONE_GAME = re.compile(
    r"winter|lend.?lease|lendlease|ital(y|ian)|fran(ce|k)|french|german|soviet|russia|\ballies\b|allied|\baxis\b|berlin"
    r"|moscow|leningrad|murmansk|archangel|mediterr|europe|poland|polish|siberia|britain|british|america|united.states"
    r"|hitler|limited.?war|mobiliz|barbarossa|campaign|malta|suez|gibraltar|india|spain|rumania|hungary|finland|libya",
    re.IGNORECASE,
)
#: What is written in positions, orders and events of wars under way keeps its name, in the modules that are plain data.
WRITTEN = [
    "winters_before",
    "winter_in_russia",
    "russian_winter_in",
    "needs_mobilization",
    "mobilized",
    "limited_war",
    "lend_lease",
    "lendlease",
    "DevastateFrance",
    "DEVASTATE-FRANCE",
    "LendLease",
    "LENDLEASE",
    "LendLeaseGiven",
    "lend-lease-given",
    "FullyMobilized",
    "fully-mobilized",
    "LimitedWar",
    "limited-war",
]
DATA = {"board.py", "events.py", "orders.py", "scenario.py", "state.py", "view.py"}
#: One such fact goes from a view into a position and back, and the season is a test of the order language.
ELSEWHERE = {
    "known.py": ["lend_lease"],
    "viewing.py": ["lend_lease"],
    "conditions.py": ["WINTER", "winter"],
    "orders.py": ["WINTER"],
    "language/composing.py": ["WINTER"],
    "language/orders.lark": ["WINTER"],
}
MODULES = sorted(path for path in FAMILY.rglob("*") if path.suffix in (".py", ".lark"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(FAMILY)))
def test_the_family_speaks_of_no_game(path: Path) -> None:
    name = str(path.relative_to(FAMILY))
    allowed = [*(WRITTEN if name in DATA else ()), *ELSEWHERE.get(name, ())]
    said = path.read_text()
    for word in sorted(allowed, key=len, reverse=True):
        said = re.sub(rf"(?<![\w-]){re.escape(word)}(?![\w-])", "", said)
    assert [line for line in said.splitlines() if OF_ONE_GAME.search(line)] == []


def test_the_words_are_found_where_they_are_meant() -> None:
    game = FAMILY.parent / "hitlers_war"
    for module in ("winter.py", "fronts.py", "sea/mediterranean.py", "politics/cooperation.py", "french_points.py"):
        assert OF_ONE_GAME.search((game / module).read_text())


def test_every_exception_is_needed() -> None:
    data = "".join((FAMILY / name).read_text() for name in DATA)
    assert [word for word in WRITTEN if word not in data] == []
    assert [name for name, words in ELSEWHERE.items() if not all(w in (FAMILY / name).read_text() for w in words)] == []


def test_no_rule_asks_for_a_level() -> None:
    """A scenario says of what level it is; what its rules are is said by its rulebook."""
    asked = [
        f"{path.name}, line {node.lineno}"
        for path in sorted(Path(engine.__file__).parent.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr in ("level", "has_politics", "has_sea")
    ]
    assert asked == []
