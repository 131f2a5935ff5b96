"""`pbem map print`: a page for the wall, as a side knows the war or as the GM does."""

import io
from pathlib import Path

import pytest
from PIL import Image
from typer.main import get_command
from typer.testing import CliRunner, Result

import pbem.cli.main
from pbem.cli.main import app
from tests.the_project import ROOT
from tests.toy.table import toy_games

SEATS = ("--seat", "axis=a@example.org", "--seat", "soviet=b@example.net")


def run(directory: Path, *words: object) -> Result:
    return CliRunner().invoke(app, ["-C", str(directory), *map(str, words)])


@pytest.fixture
def wars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("PBEM_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
    run(tmp_path, "init", tmp_path / "wars")
    run(tmp_path / "wars", "new", "hitlers-war", "barbarossa", *SEATS)
    return tmp_path / "wars"


def test_a_page_is_printed_for_a_side_and_for_the_gm(wars: Path) -> None:
    assert run(wars, "map", "print", 1, "--side", "axis", "-o", wars / "axis.png").exit_code == 0
    assert run(wars, "map", "print", 1).exit_code == 0
    pages = [(wars / "axis.png").read_bytes(), (wars.parent / "map-1-gm.png").read_bytes()]
    assert len(set(pages)) == 2
    for page in pages:
        assert Image.open(io.BytesIO(page)).size == (4961, 3508)


def test_a_part_of_the_map_is_printed_too(wars: Path) -> None:
    ran = run(wars, "map", "print", 1, "--as", "axis", "--around", "Smolensk", "-o", wars / "part.png")
    assert "around Q16 Smolensk" in ran.stdout.replace("\n", " ")
    assert Image.open(wars / "part.png").width < 2000


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((7,), "match 7"),
        ((1, "--side", "allies"), "allies"),
        ((1, "--around", "Smolnesk"), "did you mean Smolensk (Q16)"),
        ((1, "-o", "page.pdf"), "-o page.png"),
        ((1, "-o", "nowhere/page.png"), "cannot be written"),
    ],
)
def test_what_cannot_be_printed_is_refused_in_words(wars: Path, words: tuple[object, ...], why: str) -> None:
    result = run(wars, "map", "print", *words)
    assert result.exit_code == 1
    assert why in result.stderr
    assert not list(wars.parent.glob("*.p*"))


def test_a_game_without_a_drawn_board_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pbem.cli.main, "known_games", toy_games)
    run(tmp_path, "init", tmp_path / "wars")
    run(tmp_path / "wars", "new", "two-hills", "at-once", "--seat", "red=r@example.org", "--seat", "blue=b@example.net")
    result = run(tmp_path / "wars", "map", "print", 1)
    assert result.exit_code == 1
    assert "cannot be drawn" in result.stderr


def test_every_map_command_and_the_options_of_print_are_in_the_handbook() -> None:
    handbook = (ROOT / "docs" / "gm-handbook.md").read_text(encoding="utf-8")
    commands = get_command(app).commands["map"].commands
    assert [name for name in commands if f"`pbem map {name} " not in handbook] == []
    options = [option for each in commands["print"].params for option in each.opts if option.startswith("-")]
    row = next(line for line in handbook.splitlines() if line.startswith("| `pbem map print "))
    assert [option for option in options if option not in row] == []
