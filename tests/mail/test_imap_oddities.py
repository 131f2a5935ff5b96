"""What servers do that no good server does, played by a script; and the small parts of the IMAP inbox."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from pbem.mail.imap import Backoff, ImapInbox, read_texts, uid_set
from pbem.mail.inbox import TheMailboxCannotBeReached, TheMailboxRefusedUs
from pbem.settings import ImapIn
from tests.servers import free_ports

LARGEST = 100_000
QUICK = Backoff(tries=3, first=0.05, longest=0.2)


@pytest.fixture(autouse=True)
def _password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "secret")


def test_a_server_that_says_nothing_is_not_waited_for_forever() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        where = ImapIn(host="127.0.0.1", port=silent.getsockname()[1], user="x", tls="none", timeout=0.2)
        started = time.monotonic()
        with pytest.raises(TheMailboxCannotBeReached):
            ImapInbox(where, LARGEST, QUICK).fetch(1)
    assert time.monotonic() - started < 3


def test_nobody_listens() -> None:
    where = ImapIn(host="127.0.0.1", port=free_ports(1)[0], user="x", tls="none")
    with pytest.raises(TheMailboxCannotBeReached, match="refused"):
        ImapInbox(where, LARGEST, QUICK).wait(0)


@contextmanager
def scripted(answers: dict[bytes, bytes]) -> Iterator[int]:
    """The port of a server that answers each command with what is written there; %s stands for the tag."""
    listener = socket.create_server(("127.0.0.1", 0))
    capable = b"* CAPABILITY IMAP4rev1 IDLE\r\n%s OK done\r\n"

    def serve() -> None:
        while True:
            try:
                caller, _ = listener.accept()
            except OSError:
                return
            with caller, suppress(OSError), caller.makefile("rb") as lines:
                caller.sendall(b"* OK hello\r\n")
                tag = b""
                for line in lines:
                    word = line.split()[-1 if line.strip() == b"DONE" else 1]
                    tag = tag if word == b"DONE" else line.split()[0]
                    answer = ({b"CAPABILITY": capable} | answers).get(word, b"%s OK done\r\n")
                    caller.sendall(answer.replace(b"%s", tag))

    threading.Thread(target=serve, daemon=True).start()
    with listener:
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


def plain_inbox(port: int, tls: str = "none") -> ImapInbox:
    return ImapInbox(ImapIn(host="127.0.0.1", port=port, user="x", tls=tls, timeout=5), LARGEST, QUICK)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"NO [UNAVAILABLE] Temporary authentication failure", TheMailboxCannotBeReached),
        (b"NO [ALERT] Too many simultaneous connections", TheMailboxCannotBeReached),
        (b"NO [AUTHENTICATIONFAILED] Invalid credentials", TheMailboxRefusedUs),
    ],
)
def test_a_login_that_fails_for_now_is_not_one_that_fails_for_good(line: bytes, expected: type[Exception]) -> None:
    with scripted({b"LOGIN": b"%s " + line + b"\r\n"}) as port, pytest.raises(expected):
        plain_inbox(port).fetch(1)


def test_a_server_without_starttls_is_refused() -> None:
    with scripted({}) as port, pytest.raises(TheMailboxRefusedUs, match="STARTTLS"):
        plain_inbox(port, "starttls").fetch(1)


def test_news_that_comes_with_the_answer_to_idle_is_not_overheard() -> None:
    answers = {
        b"SELECT": b"* OK [UIDVALIDITY 7] valid\r\n%s OK [READ-WRITE] done\r\n",
        b"UID": b"* SEARCH\r\n%s OK done\r\n",
        b"IDLE": b"+ idling\r\n* 1 EXISTS\r\n",
    }
    with scripted(answers) as port:
        inbox = plain_inbox(port)
        assert inbox.fetch(1) == []
        threading.Timer(0.1, answers.update, [{b"UID": b"* SEARCH 5\r\n%s OK done\r\n"}]).start()
        started = time.monotonic()
        assert inbox.wait(20) is True
        assert time.monotonic() - started < 2
        inbox.close()


def test_a_server_that_drops_whoever_idles_is_not_stormed() -> None:
    answers = {
        b"SELECT": b"* OK [UIDVALIDITY 7] valid\r\n%s OK [READ-WRITE] done\r\n",
        b"UID": b"* SEARCH\r\n%s OK done\r\n",
        b"IDLE": b"* BYE I do not like that\r\n",
    }
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        time.sleep(seconds)

    with scripted(answers) as port:
        inbox = plain_inbox(port)
        inbox.backoff = Backoff(first=0.2, longest=0.4)
        inbox.sleep = pause
        assert inbox.wait(1.5) is False
        inbox.close()
    assert 2 <= len(pauses) <= 12


# ------------------------------------------------------------------ small parts


def test_pauses_double_up_to_a_bound() -> None:
    backoff = Backoff(first=1.0, longest=5.0)
    for failures, most in ((1, 1.0), (2, 2.0), (3, 4.0), (4, 5.0), (20, 5.0)):
        assert all(most / 2 <= backoff.delay(failures) <= most for _ in range(50))


@pytest.mark.parametrize(
    ("uids", "text"), [([7], "7"), ([1, 2, 3], "1:3"), ([1, 2, 3, 7, 9, 10], "1:3,7,9:10"), ([4, 6, 8], "4,6,8")]
)
def test_numbers_are_written_short(uids: list[int], text: str) -> None:
    assert uid_set(uids) == text


def test_the_number_may_stand_before_or_behind_a_text_and_other_news_between() -> None:
    answer = [
        (b"1 (UID 5 BODY[] {3}", b"one"),
        b")",
        b"9 (FLAGS (\\Seen) UID 77)",
        (b"2 (BODY[] {3}", b"two"),
        b" UID 6)",
        b"3 (UID 8 BODY[] NIL)",
        None,
    ]
    assert read_texts(answer) == {5: b"one", 6: b"two", 8: b""}
