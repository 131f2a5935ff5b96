"""Keeping keys out of what others can read: logs, the ledger, sealed sheets, press, and notices to the GM."""

import email
import re
from collections.abc import Iterable
from email.policy import compat32

from sqlmodel import Session, col, select

from pbem.records import models
from pbem.records.keys import KEY_LENGTH, KEY_LETTERS

BLANK = "[key]"
#: A GM's key, or one with its match and side, as in subjects, reply addresses and at the foot of the order form.
#: Capitals count as well when it is read.
_TAG = re.compile(rf"\{{?\b(?:\d++[-.][\w-]{{1,80}}|gm)[-.][{KEY_LETTERS}]{{{KEY_LENGTH}}}\b\}}?", re.IGNORECASE)
#: What the database says it was given; it may be anything.
_PARAMETERS = re.compile(r"\[parameters: .*")


def without_tags(text: str) -> str:
    """Text that a player wrote, without any key that slipped into it."""
    return _TAG.sub(BLANK, text)


def secrets_of(session: Session) -> list[str]:
    """Everything that proves who somebody is: the keys of all seats and GMs, and the words yet to be confirmed."""
    of_seats = session.exec(select(models.Seat.key).where(models.Seat.key != "")).all()
    of_gms = session.exec(select(models.GmKey.key)).all()
    words = session.exec(select(models.Word.word).where(col(models.Word.used).is_(None))).all()
    return sorted({*of_seats, *of_gms, *words}, key=len, reverse=True)


def blanked(text: str, secrets: Iterable[str]) -> str:
    known = "".join(f"|{re.escape(secret)}" for secret in secrets)
    return re.sub(f"{_TAG.pattern}{known}", BLANK, text, flags=re.IGNORECASE)


def blanked_traceback(text: str, secrets: Iterable[str]) -> str:
    return blanked(_PARAMETERS.sub("[parameters left out]", text), secrets)


def blanked_letter(raw: bytes, secrets: Iterable[str]) -> bytes | None:
    """A copy of a letter without the keys; None if one cannot be taken out, say inside an encoded part."""
    known = list(secrets)
    text = raw.decode("latin-1").replace("\r\n", "\n").replace("\r", "\n")
    copy = blanked(text, known).replace("\n", "\r\n").encode("latin-1")
    return None if _holds_any(copy, known) else copy


def _holds_any(raw: bytes, secrets: Iterable[str]) -> bool:
    """Looked for in the parts as a reader would see them, and across the ends of lines."""
    try:
        message = email.message_from_bytes(raw, policy=compat32)
        parts = [part.get_payload(decode=True) or b"" for part in message.walk() if not part.is_multipart()]
        heads = [f"{value}".encode("utf-8", "replace") for part in message.walk() for value in part.values()]
    except Exception:  # a letter that cannot be taken apart is not passed on
        return True
    seen = b"\n".join([*(part for part in parts if isinstance(part, bytes)), *heads]).lower()
    together = b"".join(seen.split())
    return any(secret.encode() in seen or secret.encode() in together for secret in secrets)
