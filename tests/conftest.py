"""Fixtures all tests may use, and what has to be said after them."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from engine.game import games
from pbem.games import guarded
from pbem.post.office import Office
from pbem.records import database
from tests.letterbox import Letterbox, new_letterbox
from tests.postal import Watch, new_office
from tests.servers import certificates, dovecot, imap_host, imap_host_to_stop
from tests.smtp_server import smtp_hosts
from tools.screenshots import browser

__all__ = ["certificates", "imap_host", "imap_host_to_stop", "smtp_hosts"]


ROOT = Path(__file__).parent.parent


def lying_in_the_root() -> set[str]:
    """What anybody would see there; caches are hidden."""
    return {entry.name for entry in ROOT.iterdir() if not entry.name.startswith((".", "__pycache__"))}


@pytest.fixture(autouse=True)
def nothing_is_left_in_the_repository() -> Iterator[None]:
    """A path that was meant from a data directory and was taken from here instead shows up as a stray file."""
    before = lying_in_the_root()
    yield
    stray = sorted(lying_in_the_root() - before)
    assert not stray, f"left in {ROOT} while this test ran: {', '.join(stray)}"


@pytest.fixture(autouse=True)
def boxes_fail_aloud(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where words fail, the plain listing stands in for them; a test shall not take that for an answer."""

    def raise_it(game: object, asked: str, error: Exception) -> None:
        raise error

    monkeypatch.setattr(guarded, "remember_trouble", raise_it)


@pytest.fixture(scope="session", autouse=True)
def new_databases_are_copies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Hundreds of tests begin with an empty database: the migrations make the first one, the others are copies of it."""
    migrate = database.upgrade
    database.upgrade = copied_databases(tmp_path_factory.mktemp("first") / "pbem.sqlite")
    yield
    database.upgrade = migrate


def copied_databases(first: Path) -> Callable[..., None]:
    """The migrations, but for a new database: that is made once and then copied."""
    migrate = database.upgrade

    def upgrade(engine: Engine, before: Callable[[str], object]) -> None:
        path = Path(str(engine.url.database))
        if path.stat().st_size:
            migrate(engine, before=before)
        elif first.exists():
            copy(first, path)
        else:
            migrate(engine, before=before)
            copy(path, first)

    return upgrade


@pytest.fixture
def box(tmp_path: Path) -> Letterbox:
    return new_letterbox(tmp_path / "war")


@pytest.fixture
def by_turns(tmp_path: Path) -> Letterbox:
    return new_letterbox(tmp_path / "war", scenario="by-turns")


@pytest.fixture
def barbarossa(tmp_path: Path) -> Letterbox:
    return new_letterbox(tmp_path / "war", games(), "hitlers-war", "barbarossa")


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def office(tmp_path: Path, watch: Watch) -> Office:
    """A referee's office with no match yet, whose clock is `watch`."""
    return new_office(tmp_path / "war", watch)


def copy(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as one, closing(sqlite3.connect(target)) as other:
        one.backup(other)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if browser() is None:
        terminalreporter.write_sep("!", "CHROMIUM IS MISSING", red=True, bold=True)
        terminalreporter.write_line(
            "No mail was looked at in a browser. Install it: apt-get install chromium", red=True
        )
    if dovecot() is None:
        say = terminalreporter.write_line
        terminalreporter.write_sep("!", "DOVECOT IS MISSING", red=True, bold=True)
        say("The mailbox was tested on pymap, a smaller IMAP server, and NOT on Dovecot.", red=True, bold=True)
        say(
            "Install it with: make servers (as root, on Debian), or apt-get install dovecot-imapd dovecot-lmtpd",
            red=True,
        )
        terminalreporter.write_sep("!", red=True, bold=True)
