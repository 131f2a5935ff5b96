"""Python's own way of writing a mail, to the same bytes, without the work it does again for every header and line."""

from email.generator import BytesGenerator
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.policy import SMTP
from functools import lru_cache
from io import BytesIO
from typing import Any

from pbem.memory import Memory

#: Kinds of headers that are kept in mind, and what parsed headers may weigh together, in bytes: most of those in a mail
#: stand in every other one too.
KINDS, HEADERS_WEIGH = 64, 2_000_000
#: What a parsed header weighs by itself, and for each character.
HEADER_WEIGHS, CHARACTER_WEIGHS = 10_000, 20

#: Python makes a new type for every header, and whenever it asks how often one may stand in a mail.
_kind = lru_cache(KINDS)(HeaderRegistry().__getitem__)


def _weight(header: str) -> int:
    return HEADER_WEIGHS + CHARACTER_WEIGHS * len(header)


_headers: Memory[Any] = Memory(HEADERS_WEIGH, _weight)


@_headers.results
def _read(name: str, value: str) -> Any:
    return _kind(name)(name, value)


class _Headers(HeaderRegistry):
    """What stands in a header is parsed once; an address may come as it is."""

    def __getitem__(self, name: str) -> Any:
        return _kind(name)

    def __call__(self, name: str, value: Any) -> Any:
        return _read(name, value) if type(value) is str else _kind(name)(name, value)


#: A mail as it travels.
TRAVELLING = SMTP.clone(header_factory=_Headers())


class _InOnePiece(BytesGenerator):
    """Writes a text at once, and not each line and each end of a line by itself."""

    def _write_lines(self, lines: str) -> None:
        self.write(lines.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n"))


def as_bytes(message: EmailMessage) -> bytes:
    target = BytesIO()
    _InOnePiece(target, mangle_from_=False, policy=message.policy).flatten(message)
    return target.getvalue()
