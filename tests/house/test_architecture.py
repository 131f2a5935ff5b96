"""The direction of the design: pbem imports engine, never the reverse, and the engine touches nothing outside."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.game import GAMES
from tests.the_project import ROOT

ENGINE = sorted((ROOT / "engine").rglob("*.py"))
#: The only module of the engine that reads files.
LOADER = ROOT / "engine" / "load.py"

WORLD = {
    "asyncio", "datetime", "glob", "http", "imaplib", "io", "locale", "logging", "multiprocessing", "os", "pathlib",
    "pbem", "PIL", "random", "requests", "secrets", "shutil", "smtplib", "socket", "sqlalchemy", "sqlite3", "sqlmodel",
    "subprocess", "sys", "tempfile", "threading", "time", "tkinter", "urllib", "uuid", "zoneinfo",
}  # fmt: skip
FOR_THE_LOADER = {"pathlib", "os", "io"}


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every module a file imports, at its first name, with the line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, (node.module or "").split(".")[0]


def called(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            yield node.lineno, name


def tree_of(path: Path) -> ast.AST:
    return ast.parse(path.read_text(encoding="utf-8"))


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_there_is_an_engine():
    assert ENGINE


@pytest.mark.parametrize("path", ENGINE, ids=name_of)
def test_the_engine_imports_nothing_of_the_world(path):
    allowed = FOR_THE_LOADER if path == LOADER else set()
    found = [(line, module) for line, module in imported(tree_of(path)) if module in WORLD - allowed]
    assert found == []


@pytest.mark.parametrize("path", ENGINE, ids=name_of)
def test_the_engine_prints_nothing_and_opens_no_file(path):
    forbidden = {"print", "input", "breakpoint", "eval", "exec", "__import__", "import_module"}
    if path != LOADER:
        forbidden |= {"open", "read_text", "read_bytes", "write_text", "write_bytes"}
    assert [(line, name) for line, name in called(tree_of(path)) if name in forbidden] == []


@pytest.mark.parametrize(
    "path", sorted((ROOT / "engine").rglob("*.py")) + sorted((ROOT / "pbem").rglob("*.py")), ids=name_of
)
def test_the_program_depends_neither_on_its_tests_nor_on_the_tools(path):
    beside = {"tests", "tools", "pytest"}
    assert [(line, module) for line, module in imported(tree_of(path)) if module in beside] == []


MAILED = [
    ROOT / "pbem" / "post" / f"{name}.py"
    for name in ("bulletin", "deadline_file", "ordered", "receipt", "situation", "view_file")
]
TOLD = [
    *sorted((ROOT / "pbem" / "words").glob("*.py")),
    *sorted((ROOT / "pbem" / "games").rglob("*.py")),
    *sorted((ROOT / "pbem" / "draw").glob("*.py")),
    *MAILED,
]
#: What holds the position itself. Whatever a reader sees is made from his view and the events he was told.
SECRETS = {"State", "HitlersWar", "first_state"}


def taken_from_the_engine(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("engine"):
            yield from ((node.lineno, alias.name) for alias in node.names)


@pytest.mark.parametrize("path", TOLD, ids=name_of)
def test_words_and_pictures_never_touch_a_position(path):
    taken = list(taken_from_the_engine(tree_of(path)))
    assert [(line, name) for line, name in taken if name in SECRETS] == []
    made = {name for _, name in called(tree_of(path))} & {name for _, name in taken}
    assert "War" not in made, "a war that is drawn or told comes from `war_as_known`"


def test_there_are_words_and_pictures():
    assert {"record.py", "receipt.py", "bulletin.py", "pictures.py", "sheet.py"} <= {path.name for path in TOLD}


#: Where a game is at home, and what shows the only one that is drawn.
HOMES = (ROOT / "pbem" / "games", ROOT / "pbem" / "draw")
#: The rest of the program, and the words that every game shares.
ROOMS = [
    *(path for path in sorted((ROOT / "pbem").rglob("*.py")) if not any(map(path.is_relative_to, HOMES))),
    *(path for folder in ("mail", "notices", "plain") for path in sorted((ROOT / "templates" / folder).iterdir())),
]


@pytest.mark.parametrize("path", ROOMS, ids=name_of)
def test_no_room_names_a_game(path):
    text = path.read_text(encoding="utf-8")
    named = {name for game_id in GAMES for name in (game_id, game_id.replace("-", "_"))}
    assert [name for name in sorted(named) if name in text] == []


def test_there_are_rooms_and_games():
    assert len(ROOMS) > 100
    assert GAMES


# ------------------------------------------------------------------ the page about the rooms


def layers_of_pbem() -> list[str]:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    listed = next(contract["layers"] for contract in contracts if contract["containers"] == ["pbem"])
    return [room for layer in listed for room in layer.split(" | ") if room != "__main__"]


def test_the_page_lists_the_rooms_in_the_order_that_the_linter_holds():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    assert [room for row in rows for room in re.findall(r"`(\w+)`", row.split("|")[1])] == layers_of_pbem()


def test_every_file_of_the_walk_is_there():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?:pbem|engine)/[\w/]+\.py", page))
    assert len(named) > 9
    assert [name for name in sorted(named) if not (ROOT / name).is_file()] == []
