"""Sealing: what of a sheet goes into the dice, so that nobody can change it later or guess it before.

The digest of each sheet is public, since whoever checks the dice needs it. Many sheets are short enough to be
guessed from their digest, so a salt is mixed in. The salt comes from the secret of the match: the referee
cannot choose one to suit the dice, and it can be checked when the secret is shown after the war.
"""

import hashlib
import hmac
from dataclasses import dataclass
from typing import Any

from engine.game import Side
from pbem.records import models


def as_kept(text: str) -> str:
    """The text as any database can keep it: without NUL and halves of characters."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode("utf-8")


def salt_for(secret: bytes, gate_id: str, side: Side) -> bytes:
    return hmac.digest(secret, f"salt/{gate_id}/{side}".encode(), "sha256")


def sealed_bytes(salt: bytes, text: str | None) -> bytes:
    """What is hashed into the dice. A side that sent nothing is sealed too, so nobody sees a difference."""
    return salt + (text or "").encode()


def digest_of(secret: bytes, gate_id: str, side: Side, text: str | None) -> str:
    return hashlib.sha256(sealed_bytes(salt_for(secret, gate_id, side), text)).hexdigest()


@dataclass(frozen=True)
class SealedSheet:
    """One side's sheet in one run. `text` is None if it sent none; `sheet` is its number in the database."""

    side: Side
    text: str | None
    salt: bytes
    digest: str
    sheet: int | None

    @property
    def sealed_bytes(self) -> bytes:
        return sealed_bytes(self.salt, self.text)

    def record(self) -> dict[str, Any]:
        return {
            "side": self.side,
            "digest": self.digest,
            "salt": self.salt.hex(),
            "text": self.text,
            "sheet": self.sheet,
        }


def seal(secret: bytes, gate_id: str, side: Side, sheet: models.Sheet | None) -> SealedSheet:
    text = None if sheet is None else sheet.text
    salt = salt_for(secret, gate_id, side)
    return SealedSheet(side, text, salt, digest_of(secret, gate_id, side, text), None if sheet is None else sheet.id)


def sealed_from(record: dict[str, Any]) -> SealedSheet:
    return SealedSheet(record["side"], record["text"], bytes.fromhex(record["salt"]), record["digest"], record["sheet"])


def record_for(record: dict[str, Any], side: Side | None) -> dict[str, Any]:
    """A sealed sheet as a side may see it: its own in full, of the others the digest alone."""
    if side in (None, record["side"]):
        return {key: record[key] for key in ("side", "digest", "salt", "text")}
    return {key: record[key] for key in ("side", "digest")}
