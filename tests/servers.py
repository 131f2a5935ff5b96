"""Real mail servers on loopback, for the tests: Dovecot (where it is missing: pymap) and aiosmtpd.

Dovecot comes with `make servers`. PBEM_TEST_IMAP=pymap takes the other one although Dovecot is there.
"""

import grp
import imaplib
import os
import pwd
import shutil
import signal
import smtplib
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import trustme

from tests.pymap_server import PASSWORD, add_user

ROOT = Path(__file__).parent.parent
PATIENCE_IN_SECONDS = 15.0

DOVECOT = """
base_dir = {home}/run
state_dir = {home}/state
log_path = {home}/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
ssl = yes
ssl_cert = <{pem}
ssl_key = <{pem}
disable_plaintext_auth = no
auth_failure_delay = 0 secs
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
mail_location = maildir:~/Maildir
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={home}/mail/%n allow_all_users=yes
}}
namespace inbox {{
  inbox = yes
  separator = /
}}
"""


def dovecot() -> str | None:
    """The program, unless it is missing or not wanted."""
    if os.environ.get("PBEM_TEST_IMAP") == "pymap":
        return None
    return shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


def free_ports(number: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def lowly_user() -> tuple[str, str]:
    """Whom the server runs as: Dovecot does not serve root."""
    name = "nobody" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    return name, grp.getgrgid(pwd.getpwnam(name).pw_gid).gr_name


# ------------------------------------------------------------------ certificates


@dataclass(frozen=True)
class Certificates:
    """A throw-away authority, and what it certifies: that we are localhost."""

    authority: Path
    server: Path

    def context(self) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.server)
        return context


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    folder = tmp_path_factory.mktemp("certificates")
    made = Certificates(folder / "ca.pem", folder / "server.pem")
    authority = trustme.CA()
    authority.cert_pem.write_to_path(made.authority)
    authority.issue_cert("localhost", "127.0.0.1").private_key_and_cert_chain_pem.write_to_path(made.server)
    return made


# ------------------------------------------------------------------ IMAP


class ImapHost:
    """An IMAP server with as many accounts as one likes; each keeps its letters in a Maildir."""

    name = ""
    #: How soon after a delivery the server tells a client that idles.
    tells_within = 1.0
    #: Letters it can bear at once.
    many = 1000

    def __init__(self, pem: Path) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="pbem-imap-", dir="/tmp"))  # short, because sockets lie in it
        self.pem = self.home / "server.pem"
        shutil.copy(pem, self.pem)
        self.user, self.group = lowly_user()
        self.imap, self.imaps, self.lmtp = free_ports(3)
        self.process: subprocess.Popen[bytes] | None = None
        self._accounts = count(1)

    def command(self) -> list[str]:
        raise NotImplementedError

    def circumstances(self) -> dict[str, Any]:
        return {}

    def start(self) -> None:
        """Twice if need be: children of one that was killed may outlive it by a moment."""
        try:
            self._start()
        except RuntimeError:
            self.stop()
            time.sleep(0.5)
            self._start()

    def _start(self) -> None:
        self._give_away(self.home)
        with (self.home / "output").open("ab") as output:
            self.process = subprocess.Popen(
                self.command(), stdout=output, stderr=output, start_new_session=True, **self.circumstances()
            )
        until = time.monotonic() + PATIENCE_IN_SECONDS
        while not all(map(answers, (self.imap, self.imaps))):
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"{self.name} did not start:\n{self.logs()}")
            time.sleep(0.02)

    def stop(self) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)  # its children too, with the connections they hold
            self.process.wait(PATIENCE_IN_SECONDS)
            self.process = None

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.home, ignore_errors=True)

    def logs(self) -> str:
        return "\n".join(log.read_text(errors="replace") for log in self.home.glob("*o*t*") if log.is_file())

    def new_account(self) -> str:
        name = f"referee{next(self._accounts)}"
        for part in ("tmp", "new", "cur"):
            (self.maildir(name) / part).mkdir(parents=True)
        for folder in (self.maildir(name), *self.maildir(name).iterdir(), self.maildir(name).parent):
            self._give_away(folder)
        return name

    def maildir(self, account: str) -> Path:
        raise NotImplementedError

    def put(self, account: str, *letters: bytes) -> None:
        """Lay letters into the Maildir, as a local mail server would."""
        for letter in letters:
            name = f"{time.time_ns()}.pbem"
            draft = self.maildir(account) / "tmp" / name
            draft.write_bytes(letter)
            self._give_away(draft)
            draft.rename(self.maildir(account) / "new" / name)

    def deliver(self, account: str, letter: bytes) -> None:
        self.put(account, letter)

    def renumber(self, account: str) -> None:
        """Make the server forget its numbers, as it does when a mailbox is restored or moved."""
        for kept in self.maildir(account).glob("dovecot*"):
            kept.unlink()

    def _give_away(self, path: Path) -> None:
        if os.geteuid() == 0:
            shutil.chown(path, self.user, self.group)


class Dovecot(ImapHost):
    name = "Dovecot"

    def command(self) -> list[str]:
        shutil.rmtree(self.home / "run", ignore_errors=True)  # sockets of one that was killed
        for part in ("run", "state", "mail"):
            (self.home / part).mkdir(exist_ok=True)
            self._give_away(self.home / part)
        self._give_away(self.pem)
        config = self.home / "conf"
        facts = {"home": self.home, "user": self.user, "group": self.group, "pem": self.pem, "password": PASSWORD}
        config.write_text(DOVECOT.format(**facts, imap=self.imap, imaps=self.imaps, lmtp=self.lmtp))
        return [str(dovecot()), "-F", "-c", str(config)]

    def circumstances(self) -> dict[str, Any]:
        lowly = {"user": self.user, "group": self.group, "extra_groups": []}
        return {"cwd": self.home} | (lowly if os.geteuid() == 0 else {})

    def maildir(self, account: str) -> Path:
        return self.home / "mail" / account / "Maildir"

    def deliver(self, account: str, letter: bytes) -> None:
        with smtplib.LMTP("127.0.0.1", self.lmtp) as lmtp:
            lmtp.sendmail("player@example.org", [account], letter)


class Pymap(ImapHost):
    name = "pymap"
    tells_within = 3.0  # it looks into its Maildirs once a second
    many = 200

    def command(self) -> list[str]:
        ports = [str(self.imap), str(self.imaps)]
        return [sys.executable, "-m", "tests.pymap_server", str(self.home), *ports, str(self.pem)]

    def circumstances(self) -> dict[str, Any]:
        return {"cwd": ROOT}

    def new_account(self) -> str:
        name = super().new_account()
        add_user(self.home, name)
        return name

    def maildir(self, account: str) -> Path:
        return self.home / account

    def put(self, account: str, *letters: bytes) -> None:
        """It numbers the letters it finds in the order of the directory, so it is shown each one alone."""
        for letter in letters:
            super().put(account, letter)
            if self.process is not None and len(letters) < self.many:
                with imaplib.IMAP4("127.0.0.1", self.imap, timeout=10) as client:
                    client.login(account, PASSWORD)
                    client.select(readonly=True)


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def start_imap_host(pem: Path) -> ImapHost:
    """A port that was free a moment ago may be taken, so it is tried again."""
    tries = 3
    while True:
        host = Dovecot(pem) if dovecot() else Pymap(pem)
        try:
            host.start()
        except RuntimeError:
            host.remove()
            tries -= 1
            if not tries:
                raise
        else:
            return host


@pytest.fixture(scope="session")
def imap_host(certificates: Certificates) -> Iterator[ImapHost]:
    host = start_imap_host(certificates.server)
    yield host
    host.remove()


@pytest.fixture
def imap_host_to_stop(certificates: Certificates) -> Iterator[ImapHost]:
    """One of our own, that may be stopped and started again."""
    host = start_imap_host(certificates.server)
    yield host
    host.remove()
