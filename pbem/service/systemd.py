"""Talking to systemd: a datagram to the socket it names, and nothing at all where there is no systemd."""

import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass


@dataclass(frozen=True)
class ServiceManager:
    """`watchdog` is how often it wants to hear that we are alive, in seconds; 0 for never."""

    address: str = ""
    watchdog: float = 0.0

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> "ServiceManager":
        meant = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        microseconds = environ.get("WATCHDOG_USEC", "")
        watchdog = int(microseconds) / 1e6 if meant and microseconds.isdecimal() else 0.0
        return cls(environ.get("NOTIFY_SOCKET", ""), watchdog)

    @property
    def longest_silence(self) -> float:
        """Half of what it allows, so that one late sign of life does no harm."""
        return self.watchdog / 2 if self.watchdog else float("inf")

    def is_ready(self, status: str) -> None:
        self._say("READY=1", f"STATUS={status}")

    def status(self, status: str) -> None:
        self._say(f"STATUS={status}")

    def is_alive(self) -> None:
        if self.watchdog:
            self._say("WATCHDOG=1")

    def is_stopping(self) -> None:
        self._say("STOPPING=1", "STATUS=stopping")

    def _say(self, *lines: str) -> None:
        """It is no reason to stop if nobody listens."""
        if not self.address:
            return
        address = f"\0{self.address[1:]}" if self.address.startswith("@") else self.address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as speaker:
            speaker.connect(address)
            speaker.sendall("\n".join(lines).encode())
