"""Sealing: what of a sheet goes into the dice, so that nobody can change it later or guess it before.

The digest of each sheet is public, since whoever checks the dice needs it. Many sheets are short enough to be
guessed from their digest, so a salt is mixed in. The salt comes from the secret of the match: the referee
cannot choose one to suit the dice, and it can be checked when the secret is shown after the war.

Sealed is what the engine reads: the sheet without remarks and needless blanks. So a remark moves no die, and is not
published with the war. Sheets that were sealed before this was the rule keep the one they were sealed by.
"""

import hashlib
import hmac
import re
from dataclasses import dataclass, replace
from typing import Any

from engine.game import Side
from engine.orders import LONGEST_LINE, MOST_LINES, lines_of
from pbem.records import models

#: By which rule a sheet was sealed. A record that does not say was made when there was only the first.
AS_SENT = 1
WITHOUT_REMARKS = 2
RULES = (AS_SENT, WITHOUT_REMARKS)
#: A sheet that orders nothing on purpose is not the same as no sheet, so something has to be sealed.
NO_ORDERS = "#"

_BLANKS = re.compile(" {2,}")
_END = re.compile(r"END ?[.:]?", re.IGNORECASE | re.ASCII)


def as_kept(text: str) -> str:
    """The text as any database can keep it: without NUL and halves of characters."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode("utf-8")


# ------------------------------------------------------------------ what is sealed


def without_remarks(text: str) -> str:
    """The lines that the engine reads, each where it was, so that a line keeps its number.

    Every language has lines, remarks after `#`, blanks that only part words, and END; so a sheet means the same before
    and after.
    """
    lines: list[str] = []
    for line in lines_of(text, MOST_LINES)[:MOST_LINES]:
        lines.append(_without_blanks(line.partition("#")[0].rstrip()))
        if _END.fullmatch(lines[-1]):
            break
    return "\n".join(lines).rstrip("\n") if any(lines) else NO_ORDERS


def _without_blanks(line: str) -> str:
    """A line that is too long to be read stays so."""
    return line if len(line) > LONGEST_LINE else _BLANKS.sub(" ", line.strip(" "))


def hashed_text(text: str | None, rule: int) -> str:
    """What of a sealed sheet goes into its digest. That lines are empty changes nothing, so they do not count."""
    if text is None or rule == AS_SENT:
        return text or ""
    return "\n".join(line for line in text.split("\n") if line)


def salt_for(secret: bytes, gate_id: str, side: Side) -> bytes:
    return hmac.digest(secret, f"salt/{gate_id}/{side}".encode(), "sha256")


def sealed_bytes(salt: bytes, text: str | None, rule: int = WITHOUT_REMARKS) -> bytes:
    """What is hashed into the dice. A side that sent nothing is sealed too, so nobody sees a difference."""
    return salt + hashed_text(text, rule).encode()


def digest_of(secret: bytes, gate_id: str, side: Side, text: str | None, rule: int = WITHOUT_REMARKS) -> str:
    """Of a sealed text."""
    return hashlib.sha256(sealed_bytes(salt_for(secret, gate_id, side), text, rule)).hexdigest()


# ------------------------------------------------------------------ sealed sheets


@dataclass(frozen=True)
class SealedSheet:
    """One side's sheet in one run. `text` is None if it sent none; `sheet` is its number in the database."""

    side: Side
    text: str | None
    salt: bytes
    digest: str
    sheet: int | None
    rule: int = WITHOUT_REMARKS

    @property
    def sealed_bytes(self) -> bytes:
        return sealed_bytes(self.salt, self.text, self.rule)

    def record(self) -> dict[str, Any]:
        return {
            "side": self.side,
            "digest": self.digest,
            "salt": self.salt.hex(),
            "text": self.text,
            "sheet": self.sheet,
            "rule": self.rule,
        }


def seal(secret: bytes, gate_id: str, side: Side, sheet: models.Sheet | None) -> SealedSheet:
    """A sheet is sealed with the digest that its receipt named, so by the rule that was in force when it came."""
    salt = salt_for(secret, gate_id, side)
    if sheet is None:
        return SealedSheet(side, None, salt, digest_of(secret, gate_id, side, None), None)
    text, rule = without_remarks(sheet.text), WITHOUT_REMARKS
    digest = digest_of(secret, gate_id, side, text)
    if sheet.digest == (older := digest_of(secret, gate_id, side, sheet.text, AS_SENT)) != digest:
        text, rule, digest = sheet.text, AS_SENT, older
    return SealedSheet(side, text, salt, digest, sheet.id, rule)


def sealed_as(secret: bytes, gate_id: str, sealed: SealedSheet, text: str) -> SealedSheet:
    """The same sheet with another text, and so with another digest."""
    digest = digest_of(secret, gate_id, sealed.side, text)
    return replace(sealed, text=text, digest=digest, rule=WITHOUT_REMARKS)


def sealed_from(record: dict[str, Any]) -> SealedSheet:
    salt, rule = bytes.fromhex(record["salt"]), record.get("rule", AS_SENT)
    return SealedSheet(record["side"], record["text"], salt, record["digest"], record["sheet"], rule)


def record_for(record: dict[str, Any], side: Side | None) -> dict[str, Any]:
    """A sealed sheet as a side may see it: its own in full, of the others the digest alone."""
    if side in (None, record["side"]):
        return {key: record[key] for key in ("side", "digest", "salt", "text")}
    return {key: record[key] for key in ("side", "digest")}
