"""Letters at a mail provider, on a real IMAP server: Dovecot, or pymap where it is missing (see tests/servers.py)."""

import imaplib
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem.mail.imap import Backoff, ImapInbox
from pbem.mail.inbox import Arrived, TheMailboxCannotBeReached, TheMailboxRefusedUs, open_inbox
from pbem.refusal import Refusal
from pbem.settings import ImapIn, Limits, Settings
from tests.pymap_server import PASSWORD
from tests.servers import Certificates, ImapHost

LARGEST = 100_000
QUICK = Backoff(tries=3, first=0.05, longest=0.2)


def letter(subject: str, size: int = 0) -> bytes:
    head = f"From: a@example.org\r\nSubject: {subject}\r\nMessage-ID: <{subject}@example.org>\r\n\r\nATTACK Kiev\r\n"
    return head.encode() + b"x" * 70 * (size // 70)


def subjects(letters: list[Arrived]) -> list[str]:
    lines = [line for one in letters for line in one.raw.splitlines()]
    return [line.decode().removeprefix("Subject: ") for line in lines if line.startswith(b"Subject: ")]


def places(letters: list[Arrived]) -> list[str]:
    return [one.place for one in letters]


def lines_of(raw: bytes) -> list[bytes]:
    """Servers keep letters with line ends of their own, and begin a letter without a head with an empty line."""
    return raw.lstrip(b"\r\n").splitlines()


@pytest.fixture(autouse=True)
def _password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", PASSWORD)


@pytest.fixture
def open_at(certificates: Certificates) -> Iterator[Callable[..., ImapInbox]]:
    opened: list[ImapInbox] = []

    def open_one(host: ImapHost, account: str, tls: str = "none", **options: Any) -> ImapInbox:
        port = options.pop("port", host.imaps if tls == "implicit" else host.imap)
        ca_file = options.pop("ca_file", certificates.authority)
        timeout = options.pop("timeout", 10.0)
        settings = msgspec.convert({"tls": tls} | options, dict[str, Any])
        where = ImapIn(host="127.0.0.1", port=port, user=account, ca_file=ca_file, timeout=timeout, **settings)
        opened.append(ImapInbox(where, LARGEST, QUICK))
        return opened[-1]

    yield open_one
    for inbox in opened:
        inbox.close()


@contextmanager
def mail_program(host: ImapHost, account: str, folder: str = "INBOX") -> Iterator[imaplib.IMAP4]:
    """The GM looking into the mailbox with a program of his own."""
    client = imaplib.IMAP4("127.0.0.1", host.imap, timeout=10)
    client.login(account, PASSWORD)
    client.select(folder)
    yield client
    client.logout()


def count_in(host: ImapHost, account: str, folder: str) -> int:
    with mail_program(host, account, folder) as client:
        return len(client.search(None, "ALL")[1][0].split())


def flags_in(host: ImapHost, account: str) -> bytes:
    with mail_program(host, account) as client:
        return b" ".join(line for line in client.fetch("1:*", "(FLAGS)")[1] if isinstance(line, bytes))


# ------------------------------------------------------------------ fetching


@pytest.mark.parametrize("tls", ["none", "starttls", "implicit"])
def test_letters_are_fetched_without_a_trace(imap_host: ImapHost, open_at: Callable[..., ImapInbox], tls: str) -> None:
    account = imap_host.new_account()
    imap_host.deliver(account, letter("one"))
    imap_host.deliver(account, letter("two"))
    inbox = open_at(imap_host, account, tls)
    letters = inbox.fetch(10)
    assert subjects(letters) == ["one", "two"]
    assert lines_of(letters[0].raw)[-5:] == lines_of(letter("one"))
    assert not letters[0].too_large
    assert inbox.fetch(10) == letters
    assert inbox.fetch(1) == letters[:1]
    assert b"Seen" not in flags_in(imap_host, account)


def test_the_inbox_of_the_settings_is_opened(imap_host: ImapHost) -> None:
    account = imap_host.new_account()
    where = ImapIn(host="localhost", port=imap_host.imap, user=account, tls="none")
    inbox = open_inbox(Settings(inbox=where, limits=Limits(letter_kilobytes=16)))
    assert inbox.fetch(10) == []
    imap_host.deliver(account, letter("one", size=17_000))
    assert inbox.fetch(10)[0].too_large
    inbox.close()
    inbox.close()


def test_of_a_huge_letter_only_the_head_is_fetched(imap_host: ImapHost, open_at: Callable[..., ImapInbox]) -> None:
    account = imap_host.new_account()
    imap_host.put(account, letter("first"), letter("huge", size=12_000_000), letter("last"))
    started = time.monotonic()
    letters = open_at(imap_host, account).fetch(10)
    assert time.monotonic() - started < 10
    assert subjects(letters) == ["first", "huge", "last"]
    assert [one.too_large for one in letters] == [False, True, False]
    assert b"more than the 100000 the referee reads" in letters[1].raw
    assert len(letters[1].raw) < 2000


def test_many_letters_are_fetched_in_bulk(imap_host: ImapHost, open_at: Callable[..., ImapInbox]) -> None:
    account = imap_host.new_account()
    imap_host.put(account, *(letter(f"n{number}") for number in range(imap_host.many)))
    inbox = open_at(imap_host, account)
    inbox.fetch(1)  # the server makes its index
    client: Any = inbox._box.client  # type: ignore[union-attr]
    before = client.tagnum
    started = time.monotonic()
    letters = inbox.fetch(imap_host.many)
    assert time.monotonic() - started < 3
    assert len(letters) == imap_host.many
    assert client.tagnum - before < 15
    inbox.file_away(places(letters), "processed")
    assert inbox.fetch(10) == []


def test_letters_with_odd_bytes_come_as_they_are(imap_host: ImapHost, open_at: Callable[..., ImapInbox]) -> None:
    account = imap_host.new_account()
    odd = [
        b"Subject: \xff\xfe\x80\r\nFrom: =?x?q?\r\n\r\n\x80\xff UID 99 RFC822.SIZE 7) BODY[] {3}\r\nabc\r\n",
        b"no head at all\r\n",
        b'Content-Type: multipart/mixed; boundary="\r\n\r\n--\r\n',
    ]
    imap_host.put(account, *odd)
    letters = open_at(imap_host, account).fetch(10)
    assert [lines_of(one.raw) for one in letters] == [lines_of(one) for one in odd]


# ------------------------------------------------------------------ filing away


def test_filing_away_moves_and_leaves_what_others_marked_as_deleted(
    imap_host: ImapHost, open_at: Callable[..., ImapInbox]
) -> None:
    account = imap_host.new_account()
    imap_host.put(account, letter("orders"), letter("the GM wants this back"), letter("odd"))
    with mail_program(imap_host, account) as client:
        client.store("2", "+FLAGS", r"(\Deleted)")
    inbox = open_at(imap_host, account)
    letters = inbox.fetch(10)
    assert subjects(letters) == ["orders", "odd"]
    inbox.file_away([letters[0].place], "processed")
    inbox.file_away([letters[1].place], "held")
    assert count_in(imap_host, account, "Processed") == 1
    assert count_in(imap_host, account, "Held") == 1
    assert count_in(imap_host, account, "INBOX") == 1
    assert b"Deleted" in flags_in(imap_host, account)


def test_the_server_itself_is_told_to_move(imap_host: ImapHost, open_at: Callable[..., ImapInbox]) -> None:
    """imaplib knows only the capabilities from before the login, and then copies and expunges instead."""
    account = imap_host.new_account()
    imap_host.put(account, letter("one"))
    inbox = open_at(imap_host, account)
    letters = inbox.fetch(1)
    assert "MOVE" in inbox._box.client.capabilities  # type: ignore[union-attr]
    inbox.file_away(places(letters), "processed")
    assert count_in(imap_host, account, "Processed") == 1


@pytest.mark.parametrize("missing", [{"MOVE"}, {"MOVE", "UIDPLUS"}])
def test_a_server_that_cannot_move_does_not_expunge_what_is_not_ours(
    imap_host: ImapHost, open_at: Callable[..., ImapInbox], missing: set[str]
) -> None:
    account = imap_host.new_account()
    imap_host.put(account, letter("orders"), letter("the GM wants this back"), letter("more orders"))
    with mail_program(imap_host, account) as client:
        client.store("2", "+FLAGS", r"(\Deleted)")
    inbox = open_at(imap_host, account)
    letters = inbox.fetch(10)
    client = inbox._box.client  # type: ignore[union-attr]
    client.capabilities = tuple(word for word in client.capabilities if word not in missing)
    inbox.file_away(places(letters), "processed")
    assert count_in(imap_host, account, "Processed") == 2
    assert count_in(imap_host, account, "INBOX") == (3 if "UIDPLUS" in missing else 1)
    assert inbox.fetch(10) == []


def test_filing_away_twice_or_what_never_was_does_no_harm(
    imap_host: ImapHost, open_at: Callable[..., ImapInbox]
) -> None:
    account = imap_host.new_account()
    imap_host.put(account, letter("one"), letter("two"))
    inbox = open_at(imap_host, account)
    one, two = inbox.fetch(10)
    validity = one.place.partition("/")[0]
    inbox.file_away([], "processed")
    inbox.file_away([one.place], "processed")
    inbox.file_away([one.place, f"{validity}/9999", "nonsense", f"{validity}/1:*", ""], "held")
    assert places(inbox.fetch(10)) == [two.place]
    assert count_in(imap_host, account, "Processed") == 1


def test_folders_may_have_names_with_umlauts_and_blanks(imap_host: ImapHost, open_at: Callable[..., ImapInbox]) -> None:
    account = imap_host.new_account()
    imap_host.put(account, letter("one"))
    inbox = open_at(imap_host, account, processed="Erledigte Züge & mehr")
    inbox.file_away(places(inbox.fetch(1)), "processed")
    assert inbox.fetch(1) == []
    with mail_program(imap_host, account) as client:
        assert b"Erledigte Z&APw-ge &- mehr" in b" ".join(client.list()[1])  # type: ignore[arg-type]


def test_when_the_server_renumbers_old_places_are_unknown_not_wrong(
    imap_host: ImapHost, open_at: Callable[..., ImapInbox]
) -> None:
    account = imap_host.new_account()
    imap_host.put(account, letter("one"), letter("two"))
    inbox = open_at(imap_host, account)
    before = inbox.fetch(10)
    inbox.file_away([before[0].place], "processed")
    inbox.close()
    time.sleep(1.1)  # the server takes the time in seconds as the new number
    imap_host.renumber(account)
    after = inbox.fetch(10)
    assert subjects(after) == ["two"]
    assert after[0].place not in places(before)
    inbox.file_away(places(before), "held")
    assert inbox.fetch(10) == after, "uid 1 is another letter now, and stays"
    inbox.file_away(places(after), "processed")
    assert inbox.fetch(10) == []


# ------------------------------------------------------------------ waiting


@pytest.mark.parametrize("tls", ["none", "implicit"])
def test_idling_ends_soon_after_a_letter_comes(
    imap_host: ImapHost, open_at: Callable[..., ImapInbox], tls: str
) -> None:
    account = imap_host.new_account()
    inbox = open_at(imap_host, account, tls)
    assert inbox.fetch(10) == []
    delivered: list[float] = []

    def deliver() -> None:
        delivered.append(time.monotonic())
        imap_host.deliver(account, letter("late"))

    threading.Timer(0.5, deliver).start()
    assert inbox.wait(20) is True
    assert time.monotonic() - delivered[0] < imap_host.tells_within
    assert subjects(inbox.fetch(10)) == ["late"]


def test_waiting_without_idle_looks_every_so_often(imap_host: ImapHost, open_at: Callable[..., ImapInbox]) -> None:
    account = imap_host.new_account()
    inbox = open_at(imap_host, account, idle=False, poll_seconds=0.1)
    inbox.fetch(10)
    threading.Timer(0.3, imap_host.deliver, [account, letter("late")]).start()
    started = time.monotonic()
    assert inbox.wait(20) is True
    assert 0.2 < time.monotonic() - started < 3


def test_waiting_is_not_cut_short_by_letters_that_were_fetched(
    imap_host: ImapHost, open_at: Callable[..., ImapInbox]
) -> None:
    account = imap_host.new_account()
    imap_host.put(account, letter("one"), letter("two"))
    inbox = open_at(imap_host, account)
    assert inbox.wait(5) is True, "nothing was fetched yet"
    inbox.fetch(1)
    assert inbox.wait(5) is True, "two was not fetched"
    inbox.fetch(10)
    started = time.monotonic()
    assert inbox.wait(0.5) is False
    assert time.monotonic() - started >= 0.5


# ------------------------------------------------------------------ trouble


def test_a_restart_of_the_server_goes_unnoticed(imap_host_to_stop: ImapHost, open_at: Callable[..., ImapInbox]) -> None:
    host = imap_host_to_stop
    account = host.new_account()
    host.put(account, letter("one"), letter("two"))
    inbox = open_at(host, account)
    before = inbox.fetch(10)
    host.stop()
    host.start()
    assert inbox.fetch(10) == before
    host.stop()
    host.start()
    inbox.file_away([before[0].place], "processed")
    assert inbox.fetch(10) == before[1:]


@contextmanager
def line_that_breaks(port: int, after: int) -> Iterator[int]:
    """A way to a server. The first connection is cut when so many bytes have come back; later ones hold."""
    listener = socket.create_server(("127.0.0.1", 0))

    def pass_on(source: socket.socket, to: socket.socket, most: int) -> None:
        with suppress(OSError):
            while most > 0 and (data := source.recv(min(most, 4096))):
                to.sendall(data)
                most -= len(data)
        for end in (source, to):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def serve() -> None:
        most = after
        with suppress(OSError):
            while True:
                caller, _ = listener.accept()
                server = socket.create_connection(("127.0.0.1", port))
                threading.Thread(target=pass_on, args=(caller, server, sys.maxsize), daemon=True).start()
                threading.Thread(target=pass_on, args=(server, caller, most), daemon=True).start()
                most = sys.maxsize

    threading.Thread(target=serve, daemon=True).start()
    with listener:
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("after", [5_000, 40_000])
def test_a_line_that_breaks_in_the_middle_of_a_letter_brings_no_half_letter(imap_host: ImapHost, after: int) -> None:
    account = imap_host.new_account()
    letters = [letter(f"number {number}", 20_000) for number in range(3)]
    imap_host.put(account, *letters)
    with line_that_breaks(imap_host.imap, after) as port:
        where = ImapIn(host="127.0.0.1", port=port, user=account, tls="none", timeout=5)
        inbox = ImapInbox(where, LARGEST, QUICK)
        assert [lines_of(one.raw) for one in inbox.fetch(10)] == [lines_of(raw) for raw in letters]
        inbox.close()


def test_a_restart_while_idling_loses_no_letter(imap_host_to_stop: ImapHost, open_at: Callable[..., ImapInbox]) -> None:
    host = imap_host_to_stop
    account = host.new_account()
    inbox = open_at(host, account)
    inbox.backoff = Backoff(tries=80, first=0.1, longest=0.5)  # a busy machine starts a server slowly
    inbox.fetch(10)

    def restart() -> None:
        host.stop()
        host.put(account, letter("while it was down"))
        host.start()

    restarting = threading.Timer(0.5, restart)
    restarting.start()
    assert inbox.wait(20) is True
    restarting.join()
    assert subjects(inbox.fetch(10)) == ["while it was down"]


def test_a_server_that_stays_away_is_tried_a_few_times(
    imap_host_to_stop: ImapHost, open_at: Callable[..., ImapInbox]
) -> None:
    host = imap_host_to_stop
    inbox = open_at(host, host.new_account())
    inbox.fetch(1)
    host.stop()
    pauses: list[float] = []
    inbox.sleep = pauses.append
    with pytest.raises(TheMailboxCannotBeReached) as trouble:
        inbox.fetch(1)
    assert trouble.value.temporary
    assert f"127.0.0.1 port {host.imap}" in trouble.value.why
    assert len(pauses) == QUICK.tries - 1
    host.start()
    assert inbox.fetch(1) == []


def test_a_wrong_password_is_explained_and_not_tried_again(
    imap_host: ImapHost, open_at: Callable[..., ImapInbox], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "hunter2")
    account = imap_host.new_account()
    inbox = open_at(imap_host, account)
    pauses: list[float] = []
    inbox.sleep = pauses.append
    with pytest.raises(TheMailboxRefusedUs) as refused:
        inbox.fetch(1)
    assert not refused.value.temporary
    assert account in refused.value.why
    assert "password" in refused.value.remedy
    assert "hunter2" not in f"{refused.value.why} {refused.value.remedy} {inbox!r}"
    assert pauses == []
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", PASSWORD)
    assert inbox.fetch(1) == [], "a corrected password needs no restart"


def test_a_password_with_umlauts_can_be_said(
    imap_host: ImapHost, open_at: Callable[..., ImapInbox], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "geheimes Wörtchen")
    with pytest.raises(TheMailboxRefusedUs, match="does not let"):
        open_at(imap_host, imap_host.new_account()).fetch(1)


@pytest.mark.parametrize("tls", ["starttls", "implicit"])
def test_a_certificate_nobody_vouches_for_is_refused(
    imap_host: ImapHost, open_at: Callable[..., ImapInbox], tls: str
) -> None:
    inbox = open_at(imap_host, imap_host.new_account(), tls, ca_file=None)
    with pytest.raises(TheMailboxRefusedUs) as refused:
        inbox.fetch(1)
    assert "certificate" in refused.value.why.lower()
    assert "ca_file" in refused.value.remedy


def test_tls_on_a_port_without_is_explained(imap_host: ImapHost, open_at: Callable[..., ImapInbox]) -> None:
    inbox = open_at(imap_host, imap_host.new_account(), "implicit", port=imap_host.imap)
    with pytest.raises(TheMailboxRefusedUs, match="no safe connection"):
        inbox.fetch(1)


def test_certificates_that_cannot_be_read_are_explained(
    imap_host: ImapHost, open_at: Callable[..., ImapInbox], tmp_path: Path
) -> None:
    with pytest.raises(Refusal, match="cannot be read"):
        open_at(imap_host, imap_host.new_account(), "implicit", ca_file=tmp_path / "none.pem").fetch(1)


def test_a_folder_that_is_not_there_is_explained(imap_host: ImapHost, open_at: Callable[..., ImapInbox]) -> None:
    with pytest.raises(TheMailboxRefusedUs) as refused:
        open_at(imap_host, imap_host.new_account(), folder="Nowhere").fetch(1)
    assert "folders" in refused.value.remedy
