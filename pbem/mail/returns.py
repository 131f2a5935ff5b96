"""Return addresses: where plus-addressing works, every mail has one of its own, and a report that comes to it names it.

Only the servers that carried a mail and who got it know its return address. The number of the mail is hidden in it: how
many mails there are would tell a player when the others get theirs.
"""

import hmac
import re

_TAGGED = re.compile(r"\+b\.([0-9a-f]{8})([0-9a-f]{24})@", re.IGNORECASE)


def return_tag(secret: str, number: int) -> str:
    """What stands behind the plus. No key of a seat looks like it: those begin with a digit."""
    seal = _seal(secret, number)
    return f"b.{number ^ _mask(secret, seal):08x}{seal}"


def mail_returned_to(secret: str, address: str) -> int | None:
    """The number of the mail whose return address this is; None if it is none of ours."""
    found = _TAGGED.search(address)
    if found is None:
        return None
    hidden, seal = found[1], found[2].lower()
    number = int(hidden, 16) ^ _mask(secret, seal)
    return number if hmac.compare_digest(seal, _seal(secret, number)) else None


def without_tag(address: str) -> str:
    """The plain address behind a return address."""
    return _TAGGED.sub("@", address)


def _seal(secret: str, number: int) -> str:
    return _digest(secret, f"return/{number}")[:24]


def _mask(secret: str, seal: str) -> int:
    return int(_digest(secret, f"mask of a return/{seal}")[:8], 16)


def _digest(secret: str, text: str) -> str:
    return hmac.digest(secret.encode(), text.encode(), "sha256").hex()
