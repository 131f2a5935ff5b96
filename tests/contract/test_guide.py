"""The guide for whoever adds a game is followed step by step: its files are written down, and the game is played by mail."""

import ast
import re
import shlex
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

import engine
import engine.game
import engine.load
import pbem.cli.main
import pbem.games
from engine.game import games
from pbem import shipped
from pbem.mail.finished import parsed
from pbem.words import pages, wording
from tests.letterbox import Letterbox, body_of, message_of, new_letterbox
from tests.postal import GM, send
from tests.reading import flat
from tests.the_project import ROOT

GUIDE = ROOT / "docs" / "adding-a-game.md"
#: The list of games, the list of boxes, and the function of the first: these are put into files that are there.
INTO_LISTS = ("engine/game.py", "GAMES", "BOXES")
GAME = "ford"


class Block(NamedTuple):
    """What stands between two fences: the file it belongs to, and the lines."""

    path: str
    text: str


def blocks() -> list[Block]:
    fenced = re.findall(r"^(`{3,})\w+ (\S+)\n(.*?)^\1$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [Block(path, text) for _, path, text in fenced]


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A house of its own: what is there already, and beside it the files of the guide, as far as it has come."""
    root = tmp_path / "house"
    for block in blocks():
        if block.path not in INTO_LISTS:
            path = root / block.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
    (root / "engine" / GAME / "__init__.py").touch()
    move_in(root, monkeypatch)
    exec_of_the_list(monkeypatch)
    return root


def move_in(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "__path__", [*engine.__path__, str(root / "engine")])
    monkeypatch.setattr(pbem.games, "__path__", [*pbem.games.__path__, str(root / "pbem" / "games")])
    for folder in ("data", "docs"):
        for there in (ROOT / folder).iterdir():
            (root / folder / there.name).symlink_to(there)
    monkeypatch.setattr(engine.load, "_data_root", lambda: root / "data")
    monkeypatch.setattr(shipped, "folder", lambda name: root / name if name == "docs" else ROOT / name)
    for environment in (wording.environment(), pages.html_environment()):
        monkeypatch.setattr(environment.loader, "searchpath", [str(root / "templates"), str(ROOT / "templates")])
    for name in [name for name in sys.modules if re.match(rf"(?:engine|pbem\.games)\.{GAME}\b", name)]:
        monkeypatch.delitem(sys.modules, name)


def exec_of_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """Step 2: the function in engine/game.py and the line in GAMES."""
    names: dict[str, object] = dict(vars(engine.game))
    exec(compile(text_of("engine/game.py"), "engine/game.py", "exec"), names)
    game_id, function = re.fullmatch(r'"(\w+)": (\w+),\n', text_of("GAMES")).groups()
    monkeypatch.setitem(engine.game.GAMES, game_id, names[function])


def put_into_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Step 5: the line in BOXES."""
    for game_id, box in ast.literal_eval(f"{{{text_of('BOXES')}}}").items():
        monkeypatch.setitem(pbem.games.BOXES, game_id, box)


def text_of(path: str) -> str:
    (text,) = (block.text for block in blocks() if block.path == path)
    return text


def play_a_day(directory: Path) -> Letterbox:
    """East wades, West wades; the turn is run and everything is mailed."""
    box = new_letterbox(directory, games(), GAME, GAME)
    send(box.office)
    box.play("east", "WADE\n")
    box.play("west", "Dear referee,\n\nwade\n\nYours, West\n")
    assert box.office.store.position(1).match.gate_number == 1
    send(box.office)
    assert not [mail for mail in box.outgoing() if mail.recipient == GM]
    return box


def report_of(box: Letterbox, side: str):
    (report,) = (mail for mail in box.outgoing() if (mail.kind, mail.side) == ("report", side))
    return report


def verified(box: Letterbox, raw: bytes, directory: Path) -> str:
    path = directory / "report.eml"
    path.write_bytes(raw)
    return CliRunner().invoke(pbem.cli.main.app, ["-C", str(box.office.store.directory), "verify", str(path)]).output


# ------------------------------------------------------------------ the steps


def test_after_step_3_it_is_played_by_mail_as_a_listing(house, tmp_path):
    box = play_a_day(tmp_path / "war")
    report = report_of(box, "east")
    assert "waded: side=east" in body_of(report)
    assert "over: {" in body_of(report)
    (receipt, _) = (mail for mail in box.outgoing() if mail.kind == "receipt")
    assert "40-50%" in body_of(receipt)
    assert "The report holds." in verified(box, report.raw, tmp_path)


def test_after_step_5_it_is_shown_in_its_own_words_with_a_picture(house, tmp_path, monkeypatch):
    put_into_boxes(monkeypatch)
    box = play_a_day(tmp_path / "war")
    report = report_of(box, "west")
    assert "East wades: die" in flat(body_of(report))
    assert "waded: side" not in body_of(report)
    assert "The report holds." in verified(box, report.raw, tmp_path)
    page = message_of(report).get_body(("html",)).get_content()
    assert 'alt="The river, and who got over:' in page
    (sent,) = (
        path.read_bytes()
        for path in (tmp_path / "war" / "out").rglob("*")
        if path.is_file() and report.message_id.encode() in path.read_bytes() and b"YOUR TURN, Day" in path.read_bytes()
    )
    assert [part.get_content_type() for part in parsed(sent).walk()].count("image/png") == 1


def test_after_step_5_help_and_rules_answer_from_its_pages(house, tmp_path, monkeypatch):
    put_into_boxes(monkeypatch)
    box = new_letterbox(tmp_path / "war", games(), GAME, GAME)
    assert "sends a man into the river" in flat(box.answer("east", "HELP WADE"))
    assert "Who rolls six or more gets over" in flat(box.answer("east", "RULES FD-1"))


def test_the_commands_of_step_3_do_what_it_says(house, tmp_path):
    """One after the other, as they stand there."""
    step = GUIDE.read_text(encoding="utf-8").partition("### 3. ")[2].partition("### 4. ")[0]
    commands = [shlex.split(line) for line in re.findall(r"^    pbem (.*)", step, re.MULTILINE)]
    assert [words[0] for words in commands] == ["init", "new", "orders", "orders", "process", "show", "log", "replay"]
    for words in commands:
        words = words[: words.index("&&")] if "&&" in words else words
        words = [word.replace("/tmp/war", str(tmp_path / "war")) for word in words]
        said = CliRunner().invoke(pbem.cli.main.app, ["-C", str(tmp_path / "war"), *words], input="WADE\n")
        assert said.exit_code == 0, (words, said.output)
    assert "Match 1 replays exactly" in said.output


def test_bots_play_it_to_its_end_and_it_is_the_same_war_again(house):
    from engine.dice import KeyedDice
    from engine.game import Options

    game = games()[GAME]
    for mode in ("one-run", "checkpoint"):
        state = game.setup(GAME, Options(mode=mode))
        while (gate := game.gate(state)) is not None:
            views = {side: game.view(state, side, "fog") for side in gate.awaits}
            sheets = {side: game.parse(game.bot(view, b"key"), view) for side, view in views.items()}
            state, events = game.run(state, sheets, KeyedDice(b"key", f"{GAME}/1/{gate.id}"))
            assert game.decode_events(game.encode_events(events)) == events
        assert game.outcome(state).case == "FD-3"
        assert game.decode(game.encode(state)) == state


def test_every_file_of_the_guide_is_named_once_and_its_round_island_is_there():
    paths = [block.path for block in blocks()]
    assert len(set(paths)) == len(paths) > 10
    named = re.findall(r"`((?:tests|pbem|engine|docs)/[\w./-]+\.\w+)`", GUIDE.read_text(encoding="utf-8"))
    missing = [name for name in named if f"/{GAME}/" not in name and not (ROOT / name).exists()]
    assert named
    assert missing == []
