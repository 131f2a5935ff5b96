"""How fast letters become receipts, beside fetching and parsing the same letters alone. Part of `make bench`."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.game import Options
from engine.orders import Sheet
from pbem.clock.guards import beat
from pbem.commands.table import all_words
from pbem.letters import read_letter
from pbem.mail.correspondents import Correspondent, drop_into
from pbem.mail.finished import parsed
from pbem.mail.inbox import Inbox, open_inbox
from pbem.post import letterhead, post
from pbem.post.office import Office
from pbem.records import models
from pbem.records.keys import key_tag
from pbem.records.matches import SeatTaken, number_of
from pbem.records.store import create_store, open_store
from pbem.referee import begins_by_mail
from pbem.service.daemon import Signals, read_letters
from pbem.settings import ImapIn, MaildirIn, Settings, settings_below

MATCHES = 30
LETTERS = 150
COMMITS = 100
SIDE = "axis"
PASSWORD = "bench"

DOVECOT = """
base_dir = {home}/run
state_dir = {home}/state
log_path = {home}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
mail_location = maildir:{home}/Maildir
service anvil {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={home} allow_all_users=yes
}}
namespace inbox {{
  inbox = yes
  separator = /
}}
"""


@dataclass(frozen=True)
class Took:
    """Seconds. Those of the processor are the ones to compare: others may be using the machine."""

    wall: float
    processor: float


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="pbem-bench-", dir="/tmp") as folder:
        _measure("Maildir", Path(folder) / "maildir", lambda directory: settings_below(directory, Settings()))
        with _dovecot(Path(folder) / "dovecot") as settings:
            if settings is None:
                print("letters over IMAP: not measured, Dovecot is not installed")
            else:
                _measure("Dovecot", Path(folder) / "imap", lambda _: settings)


def _measure(name: str, directory: Path, settings_for: Callable[[Path], Settings]) -> None:
    office, letters = _office_with_letters(directory, settings_for)
    inbox = office.settings.inbox
    maildir = inbox.path if isinstance(inbox, MaildirIn) else Path(str(os.environ["PBEM_BENCH_MAILDIR"]))
    for number, raw in enumerate(letters):
        drop_into(maildir, raw, f"{number:05}.bench")
    if isinstance(inbox, ImapIn) and os.geteuid() == 0:
        for path in (maildir / "new").iterdir():
            shutil.chown(path, "nobody")
    box = open_inbox(office.settings)
    alone, judged, reckoned = _fetched_and_judged(office, box)
    whole = _time_of(lambda: read_letters(office, box, Signals()))
    box.close()
    _check(office)
    commit = _time_of(lambda: _commit_often(office))
    office.store.engine.dispose()
    for what, took in (
        ("fetched and read", alone),
        ("with their orders parsed and checked", judged),
        ("and the odds of them reckoned", reckoned),
        ("to stored receipts", whole),
    ):
        ratio = f"({took.processor / judged.processor:.1f} times the processor)"  # of orders parsed and checked
        print(f"{name}, letters {what:37} {LETTERS / took.wall:7.1f} a second  {ratio}")
    aside = whole.processor - reckoned.processor + judged.processor
    print(f"{name}, letters to stored receipts, the odds aside: {aside / judged.processor:.1f} times the processor")
    print(f"{name}, one small commit with its fsync: {commit.wall / COMMITS * 1000:.2f} ms")


def _office_with_letters(directory: Path, settings_for: Callable[[Path], Settings]) -> tuple[Office, list[bytes]]:
    """Matches that are paused, so that no turn is run, and letters in which players answer their welcomes."""
    create_store(directory)
    store = open_store(directory)
    office = Office(store, settings_for(directory), store.clock)
    seats = [SeatTaken("axis", "axis@example.org"), SeatTaken("soviet", "soviet@example.net")]
    replies: list[list[bytes]] = []
    for number in range(MATCHES):
        made = store.new_match("hitlers-war", "barbarossa", seats, Options(fog="fog"), begin=begins_by_mail(office))
        with store.writing() as session:
            store.match_in(session, number_of(made)).paused = True
        replies.append(_replies(office, number_of(made), f"bench {number}"))
    return office, [replies[number % MATCHES][number // MATCHES] for number in range(LETTERS)]


def _replies(office: Office, match: int, seed: str) -> list[bytes]:
    store = office.store
    position = store.position(match)
    seat = next(one for one in store.seats_of(match) if one.side == SIDE)
    with store.reading() as session:
        mail = letterhead.welcome_mail(session, office, position, seat)
    welcome = parsed(post.compose(office.sender, mail, f"[{match}] welcome {{{key_tag(seat)}}}", store.clock()))
    player = Correspondent("Anna", seat.address, Path())
    texts = [
        position.game.bot(position.view(SIDE), f"{seed} {count}".encode()) for count in range(LETTERS // MATCHES + 1)
    ]
    return [
        _with_own_id(player.reply(text, store.clock(), to=welcome), f"{match}.{count}")
        for count, text in enumerate(texts)
    ]


def _with_own_id(raw: bytes, number: str) -> bytes:
    return raw.replace(b"Message-ID: <", f"Message-ID: <{number}.".encode(), 1)


def _fetched_and_judged(office: Office, inbox: Inbox) -> tuple[Took, Took, Took]:
    """What cannot be done without: the letters fetched and read, then their orders parsed and checked, then the odds.

    The view is made beforehand, which favours this side of the comparison.
    """
    words = all_words(office.store.games.values())
    position = office.store.position(1)
    view = position.view(SIDE)

    def read() -> list[str]:
        return ["\n".join(read_letter(one.raw, words).lines) for one in inbox.fetch(LETTERS)]

    def judge() -> list[Sheet]:
        sheets = [position.game.parse(text, view) for text in read()]
        for sheet in sheets:
            position.game.check(view, sheet)
        return sheets

    def reckon() -> None:
        for sheet in judge():
            position.game.forecast(view, sheet)

    judge()  # the grammar is made once
    return _time_of(read), _time_of(judge), _time_of(reckon)


def _commit_often(office: Office) -> None:
    for _ in range(COMMITS):
        with office.store.writing() as session:
            beat(session, "bench", office.clock())


def _time_of(work: Callable[[], object]) -> Took:
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return Took(time.perf_counter() - wall, time.process_time() - processor)


def _check(office: Office) -> None:
    from sqlmodel import select

    with office.store.reading() as session:
        fates = session.exec(select(models.Letter.fate)).all()
        receipts = session.exec(select(models.Outgoing.id).where(models.Outgoing.kind == "receipt")).all()
    assert list(fates) == [models.ACCEPTED] * LETTERS, "every letter is a sheet that was taken"
    assert len(receipts) == LETTERS


# ------------------------------------------------------------------ an IMAP server


@contextmanager
def _dovecot(home: Path) -> Iterator[Settings | None]:
    """Settings for a Dovecot of our own; None if it is not installed."""
    program = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        yield None
        return
    user = "nobody" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    port = _free_port()
    _lay_out(home, user, port)
    lowly: dict[str, Any] = {}
    if os.geteuid() == 0:  # Dovecot does not serve root
        lowly = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
    process = subprocess.Popen([program, "-F", "-c", str(home / "conf")], cwd=home, stderr=subprocess.DEVNULL, **lowly)
    os.environ |= {"PBEM_IMAP_PASSWORD": PASSWORD, "PBEM_BENCH_MAILDIR": str(home / "Maildir")}
    try:
        _wait_for(port)
        inbox = ImapIn(host="127.0.0.1", port=port, user="bench", tls="none")
        yield settings_below(home, Settings(inbox=inbox))
    finally:
        process.terminate()
        process.wait(10)


def _lay_out(home: Path, user: str, port: int) -> None:
    group = _group_of(user)
    for part in ("run", "state", "Maildir/new", "Maildir/cur", "Maildir/tmp"):
        (home / part).mkdir(parents=True)
    facts = {"home": home, "user": user, "group": group, "port": port, "password": PASSWORD}
    (home / "conf").write_text(DOVECOT.format(**facts))
    if os.geteuid() == 0:
        home.parent.chmod(0o755)
        for path in (home, *home.rglob("*")):
            shutil.chown(path, user, group)


def _group_of(user: str) -> str:
    import grp

    return grp.getgrgid(pwd.getpwnam(user).pw_gid).gr_name


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def _wait_for(port: int) -> None:
    until = time.monotonic() + 15
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError("Dovecot did not start")


if __name__ == "__main__":
    main()
