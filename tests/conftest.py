"""Fixtures all tests may use, and what has to be said after them."""

from typing import Any

from pbem.screenshots import browser
from tests.servers import certificates, dovecot, imap_host, imap_host_to_stop
from tests.smtp_server import smtp_hosts

__all__ = ["certificates", "imap_host", "imap_host_to_stop", "smtp_hosts"]


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
