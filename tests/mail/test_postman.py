"""Mail on its way out, on a real SMTP server and into Maildirs: what is sent, what is tried later, what never arrives."""

import asyncio
import socket
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.mail.postman import Delivery, Fault, Later, Never, NotYet, Sent, open_postman
from pbem.mail.smtp import SmtpPostman
from pbem.settings import Referee, Settings, SmtpOut, ThereIsNoPassword
from tests.servers import Certificates, free_ports
from tests.smtp_server import PASSWORD, USER, Desk, SmtpHost, drop

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")

START = Callable[..., SmtpHost]
REFEREE = "referee@example.org"
ANNA = "anna@example.org"
RAW = b"Message-ID: <1@example.org>\r\nSubject: Summer 1941\r\n\r\n.a line with a dot\r\nKiev has fallen.\r\n"


def account(host: SmtpHost, tls: str = "none", **options: Any) -> SmtpOut:
    return SmtpOut(host="127.0.0.1", port=host.port, tls=tls, **({"timeout": 5.0} | options))  # type: ignore[arg-type]


def carry(out: SmtpOut, act: Callable[[SmtpPostman], Awaitable[Any]], **options: Any) -> Any:
    """Let a postman work for a while, and close his connection."""

    async def work() -> Any:
        postman = SmtpPostman(out, "example.org", **({"pause_after_trouble": 0, "pause_after_refusal": 0} | options))
        try:
            return await act(postman)
        finally:
            await postman.close()

    return asyncio.run(work())


def send(out: SmtpOut, recipient: str = ANNA, raw: bytes = RAW, sender: str = REFEREE) -> Delivery:
    delivery: Delivery = carry(out, lambda postman: postman.send(sender, recipient, raw))
    return delivery


def send_to(out: SmtpOut, *recipients: str, **options: Any) -> list[Delivery]:
    """One after the other, by the same postman."""

    async def act(postman: SmtpPostman) -> list[Delivery]:
        return [await postman.send(REFEREE, recipient, RAW) for recipient in recipients]

    deliveries: list[Delivery] = carry(out, act, **options)
    return deliveries


# ------------------------------------------------------------------ sending


def test_a_mail_is_sent_as_it_is(smtp_hosts: START) -> None:
    host = smtp_hosts()
    delivery = send(account(host))
    assert isinstance(delivery, Sent)
    assert delivery.answer == "250 OK taken as 1"
    (letter,) = host.desk.letters
    assert (letter.mail_from, letter.rcpt_tos, letter.content) == (REFEREE, [ANNA], RAW)
    assert host.desk.greeted_as == ["example.org"], "not the name of this machine"


@pytest.mark.parametrize("tls", ["starttls", "implicit"])
def test_over_tls_and_with_a_login(
    smtp_hosts: START, certificates: Certificates, monkeypatch: pytest.MonkeyPatch, tls: str
) -> None:
    monkeypatch.setenv("PBEM_SMTP_PASSWORD", PASSWORD)
    context = certificates.context()
    host = {
        "starttls": lambda: smtp_hosts(tls_context=context, require_starttls=True, auth=True),
        "implicit": lambda: smtp_hosts(ssl_context=context, auth=True, auth_require_tls=False),
    }[tls]()
    assert isinstance(send(account(host, tls, user=USER, ca_file=certificates.authority)), Sent)
    assert host.desk.logins == 1
    assert len(host.desk.letters) == 1


def test_mail_without_a_sender_can_be_sent(smtp_hosts: START) -> None:
    host = smtp_hosts()
    assert isinstance(send(account(host), sender=""), Sent)
    assert host.desk.letters[0].mail_from == "<>"


def test_eight_bits_are_announced(smtp_hosts: START) -> None:
    host = smtp_hosts(decode_data=False)
    assert isinstance(send(account(host), raw="Subject: x\r\n\r\nKönigsberg\r\n".encode()), Sent)
    assert "BODY=8BITMIME" in host.desk.letters[0].mail_options


def test_addresses_with_umlauts(smtp_hosts: START) -> None:
    plain, modern = smtp_hosts(enable_SMTPUTF8=False), smtp_hosts(enable_SMTPUTF8=True)
    assert isinstance(send(account(plain), "anna@königsberg.example"), Sent)
    assert plain.desk.letters[0].rcpt_tos == ["anna@xn--knigsberg-07a.example"]
    assert isinstance(send(account(plain), "jürgen@example.org"), Never)
    assert isinstance(send(account(modern), "jürgen@example.org"), Sent)
    assert modern.desk.letters[0].rcpt_tos == ["jürgen@example.org"]


@pytest.mark.parametrize(
    "address", ["a b@example.org", "a@example.org>\r\nRCPT TO:<b@example.org", "", "a@ö" + "x" * 80]
)
def test_an_address_that_is_none_is_never_reached(smtp_hosts: START, address: str) -> None:
    host = smtp_hosts()
    first, second = send_to(account(host), address, ANNA)
    assert isinstance(first, Never)
    assert isinstance(second, Sent), "and does not spoil the connection"
    assert [letter.rcpt_tos for letter in host.desk.letters] == [[ANNA]]


# ------------------------------------------------------------------ the connection


def test_many_mails_share_one_connection(smtp_hosts: START) -> None:
    host = smtp_hosts()
    deliveries = send_to(account(host, most_per_minute=1000), *[ANNA] * 50)
    assert all(isinstance(one, Sent) for one in deliveries)
    assert len(host.desk.letters) == 50
    assert len(host.desk.peers) == 1


def test_mails_sent_at_once_do_not_mix(smtp_hosts: START) -> None:
    host = smtp_hosts()
    everyone = [f"p{number}@example.org" for number in range(20)]
    host.desk.answers["p7@example.org"] = "550 no such user"

    async def act(postman: SmtpPostman) -> list[Delivery]:
        return list(await asyncio.gather(*(postman.send(REFEREE, one, one.encode()) for one in everyone)))

    deliveries = carry(account(host), act)
    assert [type(one) for one in deliveries] == [Never if number == 7 else Sent for number in range(20)]
    assert {(bytes(letter.content or b"").strip(), *letter.rcpt_tos) for letter in host.desk.letters} == {  # type: ignore[arg-type]
        (one.encode(), one) for one in everyone if one != "p7@example.org"
    }


def test_a_server_that_closes_between_two_mails_is_asked_again(smtp_hosts: START) -> None:
    host = smtp_hosts()
    closed: list[bool] = []

    def after_one(server: Any) -> str | None:
        if len(host.desk.letters) == 1 and not closed:
            closed.append(True)
            return "421 enough for one connection"
        return None

    host.desk.on_mail = after_one
    assert [type(one) for one in send_to(account(host), ANNA, ANNA, ANNA)] == [Sent] * 3
    assert len(host.desk.peers) == 2


def test_a_line_that_was_cut_between_two_mails_is_made_again(smtp_hosts: START) -> None:
    host = smtp_hosts()
    cut: list[bool] = []

    def after_one(server: Any) -> None:
        if len(host.desk.letters) == 1 and not cut:
            cut.append(True)
            drop(server)

    host.desk.on_mail = after_one
    assert [type(one) for one in send_to(account(host), ANNA, ANNA)] == [Sent] * 2


def test_a_restart_of_the_server_goes_unnoticed(smtp_hosts: START) -> None:
    port = free_ports(1)[0]

    async def act(postman: SmtpPostman) -> list[Delivery]:
        first = await postman.send(REFEREE, ANNA, RAW)
        await asyncio.to_thread(before.stop)
        away = await postman.send(REFEREE, ANNA, RAW)
        await asyncio.to_thread(smtp_hosts, port=port)
        return [first, away, await postman.send(REFEREE, ANNA, RAW)]

    before = smtp_hosts(port=port)
    deliveries = carry(account(before), act)
    assert [type(one) for one in deliveries] == [Sent, Later, Sent]
    assert not deliveries[1].configuration


def test_no_more_mails_a_minute_than_allowed(smtp_hosts: START) -> None:
    """The postman does not wait for the minute to pass: he says how long it lasts, and letters are read meanwhile."""
    host = smtp_hosts()
    now = [1000.0]

    async def act(postman: SmtpPostman) -> list[Delivery]:
        answers = []
        for _ in range(9):
            answers.append(await postman.send(REFEREE, ANNA, RAW))
            now[0] += answers[-1].seconds if isinstance(answers[-1], NotYet) else 1
        return answers

    answers = carry(account(host, most_per_minute=3), act, clock=lambda: now[0])
    assert [one.seconds if isinstance(one, NotYet) else "sent" for one in answers] == [
        *["sent"] * 3, 57.0, *["sent"] * 3, 57.0, "sent",
    ]  # fmt: skip
    assert len(host.desk.letters) == 7


# ------------------------------------------------------------------ later, or never


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("451 greylisted, come back", Later("451 greylisted, come back")),
        ("452 mailbox full", Later("452 mailbox full")),
        ("550 no such user", Never("550 no such user")),
        ("553 not allowed", Never("553 not allowed")),
        ("554 5.7.1 <anna@example.org>: Relay access denied",
         Later("554 5.7.1 <anna@example.org>: Relay access denied", Fault.SETTINGS)),
        ("530 authentication required", Later("530 authentication required", Fault.SETTINGS)),
    ],
)  # fmt: skip
def test_a_refused_recipient(smtp_hosts: START, answer: str, expected: Delivery) -> None:
    host = smtp_hosts()
    host.desk.answers[ANNA] = answer
    first, second = send_to(account(host), ANNA, "boris@example.org")
    assert first == expected
    assert isinstance(second, Sent)
    assert len(host.desk.peers) == 1, "the connection is still good"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("550 we do not know you", Later("550 we do not know you", Fault.SETTINGS)),
        ("450 not now", Later("450 not now", Fault.MAIL)),
        ("552 too large", Never("552 too large", Fault.MAIL)),
    ],
)
def test_a_refused_sender(smtp_hosts: START, answer: str, expected: Delivery) -> None:
    host = smtp_hosts()
    host.desk.answers[REFEREE] = answer
    assert send(account(host)) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("554 looks like advertising", Never("554 looks like advertising", Fault.MAIL)),
        ("451 disk full", Later("451 disk full", Fault.MAIL)),
    ],
)
def test_a_refused_mail(smtp_hosts: START, answer: str, expected: Delivery) -> None:
    host = smtp_hosts()
    host.desk.on_data = lambda _: answer
    assert send(account(host)) == expected


MAIL, RCPT, DATA = "MAIL", "RCPT", "DATA"


@pytest.mark.parametrize(
    ("command", "answer", "kind", "fault"),
    [
        # Limits and blocks of our own account, as Google, Microsoft, Zoho, Amazon and policy services of Postfix say it.
        (DATA, "550 5.4.5 Daily user sending limit exceeded. - gsmtp", Later, Fault.ACCOUNT),
        (DATA, "550 5.1.90 Your message can't be sent because you've reached your daily limit", Later, Fault.ACCOUNT),
        (DATA, "554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException", Later, Fault.ACCOUNT),
        (DATA, "550 5.4.6 Unusual sending activity detected. Please try after sometime", Later, Fault.ACCOUNT),
        (DATA, "454 Throttling failure: Daily message quota exceeded.", Later, Fault.ACCOUNT),
        (MAIL, "550 5.1.8 Access denied, bad outbound sender", Later, Fault.ACCOUNT),
        (RCPT, "550 5.7.705 Access denied, tenant has exceeded threshold", Later, Fault.ACCOUNT),
        (RCPT, "554 5.7.1 Sender rate limit exceeded", Later, Fault.ACCOUNT),
        # Settings of ours.
        (RCPT, "553 5.7.1 <referee@example.org>: Sender address rejected: not owned by user gm", Later, Fault.SETTINGS),
        (DATA, "550 5.7.60 SMTP; Client does not have permissions to send as this sender", Later, Fault.SETTINGS),
        (DATA, "554 5.2.252 SendAsDenied; gm not allowed to send as referee", Later, Fault.SETTINGS),
        (DATA, "550 5.7.26 This mail is unauthenticated", Later, Fault.SETTINGS),
        # The recipient: no such address, closed, full.
        (RCPT, "550 5.1.1 The email account that you tried to reach does not exist", Never, Fault.RECIPIENT),
        (RCPT, "550 5.1.10 RESOLVER.ADR.RecipientNotFound", Never, Fault.RECIPIENT),
        (RCPT, "550 5.2.1 The email account that you tried to reach is disabled", Never, Fault.RECIPIENT),
        (RCPT, "550 5.4.1 Recipient address rejected: Access denied", Never, Fault.RECIPIENT),
        (DATA, "550 5.1.1 unknown after all", Never, Fault.RECIPIENT),
        (RCPT, "552 5.2.2 The account is over quota", Later, Fault.RECIPIENT),
        (RCPT, "452 4.2.2 The account is over quota", Later, Fault.RECIPIENT),
        (RCPT, "550 mailbox full", Later, Fault.RECIPIENT),
        (RCPT, "550 <daily-limit@sender.example> unknown", Never, Fault.RECIPIENT),
        # The mail, or nobody knows: the address may be good.
        (DATA, "550 no", Never, Fault.MAIL),
        (DATA, "550-5.7.1 likely unsolicited mail", Never, Fault.MAIL),
        (RCPT, "550 5.7.1 we do not like it", Never, Fault.MAIL),
        (DATA, "552 5.3.4 too big for this system", Never, Fault.MAIL),
        (RCPT, "451 4.7.1 greylisted", Later, Fault.MAIL),
    ],
)  # fmt: skip
def test_whose_trouble_it_is(smtp_hosts: START, command: str, answer: str, kind: type, fault: Fault) -> None:
    host = smtp_hosts()
    if command == DATA:
        host.desk.on_data = lambda _: answer.replace("550-", "550 ")
    else:
        host.desk.answers[REFEREE if command == MAIL else ANNA] = answer
    delivery = send(account(host))
    assert (type(delivery), delivery.fault) == (kind, fault)  # type: ignore[union-attr]


@pytest.mark.parametrize(("command", "tried"), [(DATA, 1), (RCPT, 3)])
def test_an_account_that_may_not_send_is_left_in_peace(smtp_hosts: START, command: str, tried: int) -> None:
    """For all mail if our own server says so; at RCPT it may only repeat what somebody's server says about one mail."""
    host = smtp_hosts()
    now, asked = [1000.0], []
    refusal = "550 5.4.5 Daily user sending limit exceeded."

    def answer(_: Any) -> str:
        asked.append(command)
        return refusal

    async def act(postman: SmtpPostman) -> list[Delivery]:
        first = [await postman.send(REFEREE, one, RAW) for one in (ANNA, "boris@example.org", "carla@example.org")]
        now[0] += 3600
        return [*first, await postman.send(REFEREE, "dora@example.org", RAW)]

    if command == DATA:
        host.desk.on_data = answer
    else:
        host.desk.answers |= {f"{name}@example.org": refusal for name in ("anna", "boris", "carla")}
        host.desk.on_mail = lambda _: asked.append(command)
    deliveries = carry(account(host), act, clock=lambda: now[0])
    assert [one.fault for one in deliveries[:3]] == [Fault.ACCOUNT] * 3  # type: ignore[union-attr]
    assert len(asked) == tried + 1, "after an hour it is tried again"


OWN_RETURN = "referee+b.0123456789abcdef0123456789abcdef@example.org"


@pytest.mark.parametrize("answers", [{}, {OWN_RETURN: "553 5.7.1 Sender address rejected: not owned by user referee"}])
def test_a_server_that_lets_us_send_from_one_address_alone_gets_that(smtp_hosts: START, answers: dict) -> None:
    """Return addresses of their own are a help, not a condition: without them everything arrives as before."""
    host = smtp_hosts()
    host.desk.answers |= answers

    async def act(postman: SmtpPostman) -> list[Delivery]:
        return [await postman.send(OWN_RETURN, one, RAW) for one in (ANNA, "boris@example.org")]

    assert [type(one) for one in carry(account(host), act)] == [Sent, Sent]
    expected = REFEREE if answers else OWN_RETURN
    assert [letter.mail_from for letter in host.desk.letters] == [expected] * 2


def test_a_sender_refused_after_the_mail_was_said_is_tried_as_the_plain_one(smtp_hosts: START) -> None:
    host = smtp_hosts()
    host.desk.on_data = lambda server: (
        "550 5.7.60 Client does not have permissions to send as this sender"
        if "+" in str(host.desk.letters[-1].mail_from)
        else None
    )
    assert isinstance(send(account(host), sender=OWN_RETURN), Sent)
    assert [letter.mail_from for letter in host.desk.letters] == [OWN_RETURN, REFEREE]


def test_a_line_that_is_cut_after_the_mail_was_said_means_later(smtp_hosts: START) -> None:
    """The server may have it or not; the Message-ID will tell."""
    host = smtp_hosts()
    host.desk.on_data = drop
    first = send(account(host))
    assert isinstance(first, Later)
    assert not first.configuration
    host.desk.on_data = Desk.on_data
    assert isinstance(send(account(host)), Sent)
    assert [letter.content for letter in host.desk.letters] == [RAW, RAW]


def test_a_mail_above_what_the_server_takes_is_never_sent(smtp_hosts: START) -> None:
    host = smtp_hosts(data_size_limit=1000)
    assert isinstance(send(account(host), raw=RAW + b"x" * 2000), Never)
    assert host.desk.letters == []


def test_a_slow_server_is_not_waited_for_forever(smtp_hosts: START) -> None:
    host = smtp_hosts()
    host.desk.seconds_over_data = 1.0
    started = time.monotonic()
    first = send(account(host, timeout=0.2))
    assert time.monotonic() - started < 0.9
    assert isinstance(first, Later)
    assert not first.configuration


def test_a_silent_server_is_not_waited_for_forever() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        out = SmtpOut(host="127.0.0.1", port=silent.getsockname()[1], tls="none", timeout=0.2)
        started = time.monotonic()
        first = send(out)
        assert time.monotonic() - started < 2
    assert isinstance(first, Later)
    assert not first.configuration


def test_nobody_listens() -> None:
    out = SmtpOut(host="127.0.0.1", port=free_ports(1)[0], tls="none")
    first = send(out)
    assert isinstance(first, Later)
    assert first.reason.startswith(out.door)
    assert not first.configuration


def test_a_cancelled_postman_does_not_leave_half_a_mail_on_the_line(smtp_hosts: START) -> None:
    host = smtp_hosts()
    host.desk.seconds_over_data = 0.3

    async def act(postman: SmtpPostman) -> Delivery:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(postman.send(REFEREE, ANNA, RAW), 0.1)
        return await postman.send(REFEREE, "boris@example.org", RAW)

    assert isinstance(carry(account(host), act), Sent)
    assert host.desk.letters[-1].rcpt_tos == ["boris@example.org"]


# ------------------------------------------------------------------ what the GM has to hear


def test_a_wrong_password_is_the_gms_business(
    smtp_hosts: START, certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_SMTP_PASSWORD", "hunter2")
    host = smtp_hosts(tls_context=certificates.context(), require_starttls=True, auth=True)
    first = send(account(host, "starttls", user=USER, ca_file=certificates.authority))
    assert isinstance(first, Later)
    assert first.configuration
    assert "535" in first.reason
    assert "hunter2" not in first.reason


def test_a_server_that_refuses_us_is_left_alone_for_a_while(smtp_hosts: START, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_SMTP_PASSWORD", "hunter2")
    host = smtp_hosts(auth=True, auth_require_tls=False)
    now = [1000.0]

    async def act(postman: SmtpPostman) -> list[Delivery]:
        first = [await postman.send(REFEREE, ANNA, RAW) for _ in range(5)]
        tried.append(host.desk.logins)
        monkeypatch.setenv("PBEM_SMTP_PASSWORD", PASSWORD)
        now[0] += 60
        return [*first, await postman.send(REFEREE, ANNA, RAW)]

    tried: list[int] = []
    out = account(host, user=USER)
    deliveries = carry(out, act, clock=lambda: now[0], pause_after_refusal=60.0)
    assert all(isinstance(one, Later) and one.configuration for one in deliveries[:5])
    assert tried[0] <= 2, "one attempt, by each of the methods the server offers"
    assert isinstance(deliveries[5], Sent), "a corrected password needs no restart"


@pytest.mark.parametrize("tls", ["starttls", "implicit"])
def test_a_certificate_nobody_vouches_for_is_the_gms_business(
    smtp_hosts: START, certificates: Certificates, tls: str
) -> None:
    context = certificates.context()
    host = smtp_hosts(tls_context=context) if tls == "starttls" else smtp_hosts(ssl_context=context)
    first = send(account(host, tls))
    assert isinstance(first, Later)
    assert first.configuration
    assert "certificate" in first.reason.lower()
    assert host.desk.letters == []


def test_a_server_without_tls_gets_neither_password_nor_mail(
    smtp_hosts: START, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_SMTP_PASSWORD", PASSWORD)
    host = smtp_hosts(auth=True, auth_require_tls=False)
    for tls in ("starttls", "implicit"):
        first = send(account(host, tls, user=USER))
        assert isinstance(first, Later)
        assert first.configuration
    assert host.desk.logins == 0


def test_a_server_that_wants_a_login_we_do_not_have(smtp_hosts: START) -> None:
    first = send(account(smtp_hosts(auth=True, auth_require_tls=False)))
    assert isinstance(first, Later)
    assert first.configuration


def test_a_password_that_got_lost_is_the_gms_business(smtp_hosts: START, tmp_path: Path) -> None:
    first = send(account(smtp_hosts(), user=USER, password_file=tmp_path / "gone"))
    assert isinstance(first, Later)
    assert first.configuration
    assert "gone" in first.reason


def test_a_server_that_turns_everybody_away() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    answers = [b"554 go away\r\n", b"421 too busy\r\n"]

    def serve() -> None:
        for answer in answers:
            caller, _ = listener.accept()
            with caller:
                caller.sendall(answer)
                caller.recv(100)

    threading.Thread(target=serve, daemon=True).start()
    out = SmtpOut(host="127.0.0.1", port=listener.getsockname()[1], tls="none", timeout=5)
    with listener:
        deliveries = send_to(out, ANNA, ANNA)
    assert [(type(one), one.configuration) for one in deliveries] == [(Later, True), (Later, False)]  # type: ignore[union-attr]


# ------------------------------------------------------------------ opening


def test_the_postman_of_the_settings(smtp_hosts: START) -> None:
    host = smtp_hosts()
    settings = Settings(referee=Referee(address="referee@pbem.example"), outbox=account(host))

    async def work() -> Delivery:
        async with open_postman(settings) as postman:
            return await postman.send(REFEREE, ANNA, RAW)

    assert isinstance(asyncio.run(work()), Sent)
    assert host.desk.greeted_as == ["pbem.example"]


def test_a_missing_password_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PBEM_SMTP_PASSWORD", raising=False)

    async def work() -> None:
        async with open_postman(Settings(outbox=SmtpOut(host="mail.example.org", user="x"))):
            pass

    with pytest.raises(ThereIsNoPassword) as refused:
        asyncio.run(work())
    assert "PBEM_SMTP_PASSWORD" in refused.value.remedy
