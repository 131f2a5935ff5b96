"""The walk of a letter as docs/architecture.md draws it goes through rooms a letter is really carried through."""

import re
import subprocess
import sys

import pytest

from tests.the_project import ROOT
from tools.walk import entered, is_package, room_of

PAGE = ROOT / "docs" / "architecture.md"
#: A room, or a module on its floor, at the beginning of a path.
ROOM = re.compile(r"\b(pbem)/(\w+)")
#: A line of the tool: who calls whom, and an example.
STEP = re.compile(r"^ *\d+ [ .*] +(\S+) -> (\S+) +(.*)$", re.MULTILINE)


def drawn_rooms() -> list[str]:
    """In the order of the picture."""
    picture = PAGE.read_text().partition("## The walk of a letter")[2].split("```")[1]
    return list(dict.fromkeys(f"{floor}.{room}" for floor, room in ROOM.findall(picture)))


def test_a_room_is_a_package_or_a_module_on_its_floor():
    assert room_of("pbem.post.receipt") == "pbem.post"
    assert room_of("pbem.referee") == "pbem.referee"
    assert room_of("engine.grand_strategy.odds.forecast") == "engine.grand_strategy"
    assert room_of("sqlalchemy.orm") == room_of("pbem") == ""


@pytest.fixture(scope="module")
def walk():
    """In a process of its own: what another test has asked for is not asked for again."""
    ran = subprocess.run([sys.executable, "-m", "tools.walk"], cwd=ROOT, capture_output=True, text=True, check=True)
    return {(caller, callee): example for caller, callee, example in STEP.findall(ran.stdout)}


def test_who_follows_a_letter_comes_through_fifteen_packages_at_most(walk):
    packages = [room for room in entered(walk) if is_package(room)]
    assert len(packages) <= 15
    listed = PAGE.read_text().partition("The packages it comes into")[2].partition("More than")[0]
    assert re.findall(r"`([\w.]+)`", listed) == [next(iter(walk))[0], *packages]


def test_the_picture_names_rooms_a_letter_is_carried_through(walk):
    walked = {room for edge in walk for room in edge}
    assert drawn_rooms()[0] == "pbem.service" == next(iter(walk))[0]
    assert [room for room in drawn_rooms() if room not in walked] == []
    assert ("pbem.intake", "pbem.commands") in walk, "a request is carried out by its command"
    assert all(caller != callee for caller, callee in walk)
