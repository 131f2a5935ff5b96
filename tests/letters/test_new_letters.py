"""Letters as players write them, each beside what a person would make of every line of it, brought to the referee.

`new/README.md` says how they are kept. `not-yet.txt` names those that are not answered so today: each must fail, so
that one that is mended is taken off the list.
"""

import re
import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from engine.game import games
from pbem.intake.mailbox import take_maildir
from pbem.settings import MaildirIn
from tests.letterbox import Letterbox, body_of, new_letterbox, settings_for
from tests.postal import Watch, change, open_office
from tests.the_project import ROOT, TESTS

FOLDER = TESTS / "letters" / "new"
NAMES = sorted(path.stem for path in FOLDER.glob("*.eml"))
NOT_YET = (TESTS / "letters" / "not-yet.txt").read_text(encoding="utf-8").split()
KINDS = ("order", "asked", "command", "prose", "passed")
KEYS = {"axis": "axiskeyaxiskeyaxisk2", "soviet": "svietkeysvietkeysvk2", "allies": "aeskeyaeskeyaeskey22"}
#: How many lines of prose a receipt quotes, and how much of a line is looked for in it.
QUOTED, ENOUGH = 5, 40


@cache
def expected() -> Mapping[str, Any]:
    return yaml.safe_load((FOLDER / "expected.yaml").read_text(encoding="utf-8"))


@cache
def positions() -> Mapping[str, Any]:
    return yaml.safe_load((FOLDER / "positions.yaml").read_text(encoding="utf-8"))


def lines_of(name: str, kind: str) -> list[str]:
    return [line[kind] for line in expected()[name]["lines"] if kind in line]


def mends_a_sheet(name: str) -> bool:
    """Whether a letter changes the sheet on file, or tries to."""
    return "sheet" in expected()[name]


def exact_lines_of(name: str) -> list[str]:
    """What is to be stored: the orders in their exact form; of a sheet that was mended, all of it."""
    if mends_a_sheet(name):
        return list(expected()[name]["sheet"])
    written = [line.get("exact", line["order"]) for line in expected()[name]["lines"] if "order" in line]
    return [each for lines in written for each in ([lines] if isinstance(lines, str) else lines)]


# ------------------------------------------------------------------ a table for each position, laid once


def lay(directory: Path, position: str) -> Letterbox:
    """The match of a position, with all that was mailed before the letter."""
    spec = positions()[position]
    box = new_letterbox(directory, games=games(), game="hitlers-war", scenario=spec["scenario"])
    for side in match_sides(box):
        change(box.office, box.match, side, key=KEYS[side])
    for side, text in spec.get("earlier", ()):
        box.play(side, text)
    box.new_mail()
    return box


def match_sides(box: Letterbox) -> list[str]:
    return [seat.side for seat in box.office.store.seats_of(box.match)]


@pytest.fixture(scope="session")
def table(tmp_path_factory) -> Callable[[str], Path]:
    """The data directory of a position; a letter is read in a copy."""

    @cache
    def laid(position: str) -> Path:
        directory = tmp_path_factory.mktemp(position)
        lay(directory, position)
        return directory

    return laid


def table_again(original: Path, directory: Path, position: str) -> Letterbox:
    shutil.copytree(original, directory, dirs_exist_ok=True)
    office = open_office(directory, Watch(), games(), settings_for(directory))
    assert isinstance(office.settings.inbox, MaildirIn)
    take_maildir(office, office.settings.inbox.path)
    box = Letterbox(office, Watch(), written=len(positions()[position].get("earlier", ())))
    box.new_mail()
    return box


# ------------------------------------------------------------------ one letter


class Answered:
    """What became of a letter: the sheet on file because of it, and all that its writer is told."""

    def __init__(self, box: Letterbox, name: str) -> None:
        self.box, self.side = box, positions()[expected()[name]["position"]]["side"]
        before = {sheet.id for sheet in box.sheets()}
        self._let_the_turn_wait()
        self.letter = box.bring((FOLDER / f"{name}.eml").read_bytes())
        mails = box.new_mail(box.seat(self.side).address)
        self.told = " ".join("\n".join(body_of(mail) for mail in mails).split())
        new = [sheet for sheet in box.sheets() if sheet.id not in before and sheet.side == self.side]
        self.stored = new[-1].text if new else ""

    def _let_the_turn_wait(self) -> None:
        """As after WAIT, so that nothing is run while we look."""
        gate = self.box.office.store.position(self.box.match).gate
        assert gate is not None
        change(self.box.office, self.box.match, self.side, wait_gate=gate.id)

    def orders_in(self, text: str) -> list[str]:
        """The orders of a sheet as values, written out the same however they were spelled."""
        position = self.box.office.store.position(self.box.match)
        sheet = position.game.parse(text, position.view(self.side))
        return [f"{'STANDING ' if line.standing else ''}{line.order}" for line in sheet.lines]

    @property
    def refused(self) -> int:
        """How many lines the receipts say were refused."""
        found = re.findall(r"\bLines?: ([^.]*)\.", self.told)
        counts = re.findall(r"(\d+) (?:unreadable|ambiguous|illegal)", " ".join(found))
        return sum(map(int, counts))


def squeezed(line: str) -> str:
    return " ".join(line.split())


def must_be_stored(answered: Answered, name: str) -> None:
    exact = exact_lines_of(name)
    meant = answered.orders_in("\n".join(exact))
    assert len(meant) == len(exact), "the expectation is not in exact form"
    assert answered.orders_in(answered.stored) == meant


def must_be_asked_about(answered: Answered, name: str) -> None:
    asked = lines_of(name, "asked")
    for line in asked:
        shown = re.escape(squeezed(line)[:ENOUGH])
        verdict = "" if mends_a_sheet(name) else r"\d+ (?:ambiguous|unreadable|illegal) "
        assert re.search(verdict + shown, answered.told), line
    assert mends_a_sheet(name) or answered.refused == len(asked)


def must_be_carried_out(answered: Answered, name: str) -> None:
    if mends_a_sheet(name):  # then the sheet shows it
        return
    done = answered.letter.reason.replace(",", " ").split()
    for line in lines_of(name, "command"):
        assert squeezed(line).split()[0].strip(":.!").upper() in done, line


def must_be_listed_as_prose(answered: Answered, name: str) -> None:
    """What is passed over may be listed too: nobody is hurt by it."""
    prose, passed = lines_of(name, "prose"), lines_of(name, "passed")
    found = re.search(r"Taken for prose: (\d+) lines?\b", answered.told)
    told = int(found[1]) if found else 0
    assert len(prose) <= told <= len(prose) + len(passed)
    for line in prose[:QUOTED]:
        assert squeezed(line)[:ENOUGH] in answered.told, line


def look_at(table: Callable[[str], Path], directory: Path, name: str) -> None:
    position = expected()[name]["position"]
    answered = Answered(table_again(table(position), directory, position), name)
    must_be_stored(answered, name)
    must_be_asked_about(answered, name)
    must_be_carried_out(answered, name)
    must_be_listed_as_prose(answered, name)


# ------------------------------------------------------------------ tests


def test_every_letter_has_its_expectation_and_every_expectation_its_letter():
    assert sorted(expected()) == NAMES
    assert {entry["position"] for entry in expected().values()} <= positions().keys()


def test_every_line_is_of_one_kind():
    for name, entry in expected().items():
        for line in entry["lines"]:
            assert len([kind for kind in KINDS if kind in line]) == 1, (name, line)
            assert line.keys() <= {*KINDS, "exact", "why"}, (name, line)


def test_the_list_of_what_is_to_be_mended_names_letters():
    assert set(NOT_YET) <= set(NAMES)
    assert sorted(set(NOT_YET)) == NOT_YET


def test_the_page_about_mail_programs_names_letters_that_are_there():
    page = (ROOT / "docs" / "mail-programs.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in page.splitlines() if line.startswith("| ")][1:]
    named = [name for row in rows for name in re.findall(r"`([^`]+)`", row[3])]
    there = {path.stem for path in (FOLDER.parent).rglob("*.eml")}
    assert len(rows) > 25
    assert all(re.findall(r"`[^`]+`", row[3]) for row in rows)
    assert set(named) <= there


@pytest.mark.parametrize("name", NAMES)
def test_the_letter_is_answered_as_a_person_would_expect(name, table, tmp_path):
    if name not in NOT_YET:
        look_at(table, tmp_path, name)
        return
    with pytest.raises(AssertionError):  # if this fails, take the name off not-yet.txt
        look_at(table, tmp_path, name)
