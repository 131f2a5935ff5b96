"""An SMTP server on loopback that takes letters, refuses some recipients, and dies when it is told to."""

import asyncio
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

USER, PASSWORD = "referee", "secret"


@dataclass
class Desk:
    """What the server does with what it gets. Answers are looked up by recipient."""

    answers: dict[str, str] = field(default_factory=dict)
    letters: list[Envelope] = field(default_factory=list)
    #: One for each connection that sent a letter.
    peers: list[Any] = field(default_factory=list)
    greeted_as: list[str] = field(default_factory=list)
    logins: int = 0
    #: What happens to a letter instead of "250 OK".
    on_mail: Callable[[SMTP], str | None] = lambda _: None
    on_data: Callable[[SMTP], str | None] = lambda _: None
    seconds_over_data: float = 0.0

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        self.greeted_as.append(hostname)
        return responses

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        answer = self.on_mail(server) or self.answers.get(address)
        if answer:
            return answer
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.answers:
            return self.answers[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        await asyncio.sleep(self.seconds_over_data)
        self.letters.append(envelope)
        if session.peer not in self.peers:
            self.peers.append(session.peer)
        return self.on_data(server) or f"250 OK taken as {len(self.letters)}"

    def authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: LoginPassword
    ) -> AuthResult:
        self.logins += 1
        fits = (data.login, data.password) == (USER.encode(), PASSWORD.encode())
        return AuthResult(success=fits, handled=False)


def drop(server: SMTP) -> None:
    """Cut the line."""
    transport: Any = server.transport
    transport.abort()


class LoopbackController(Controller):
    """Takes the port the system gives it, which aiosmtpd does not learn by itself."""

    def _trigger_server(self) -> None:
        server: Any = self.server
        self.port = server.sockets[0].getsockname()[1]
        super()._trigger_server()


@dataclass
class SmtpHost:
    desk: Desk
    controller: LoopbackController

    running: bool = True

    @property
    def port(self) -> int:
        return int(self.controller.port)

    def stop(self) -> None:
        if self.running:
            self.running = False
            self.controller.stop()


@pytest.fixture
def smtp_hosts() -> Iterator[Callable[..., SmtpHost]]:
    """Starts SMTP servers; they are gone after the test."""
    with ExitStack() as stack:

        def start(*, ssl_context: ssl.SSLContext | None = None, port: int = 0, **options: Any) -> SmtpHost:
            desk = Desk()
            if options.pop("auth", False):
                options |= {"authenticator": desk.authenticate, "auth_required": True}
            controller = LoopbackController(
                desk,
                hostname="127.0.0.1",
                port=port,
                ssl_context=ssl_context,
                server_hostname="mx.example.org",
                **options,
            )
            controller.start()
            host = SmtpHost(desk, controller)
            stack.callback(host.stop)
            return host

        yield start
