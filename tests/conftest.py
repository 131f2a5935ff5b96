"""Fixtures all tests may use, and what has to be said after them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.screenshots import browser
from tests.servers import certificates, dovecot, imap_host, imap_host_to_stop
from tests.smtp_server import smtp_hosts

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
