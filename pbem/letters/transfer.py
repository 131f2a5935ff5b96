"""Transfer encodings, read as far as they can be read."""

import binascii
import re

_BASE64 = re.compile(rb"[A-Za-z0-9+/\s]*+=?\s*=?")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")
_WORDS = re.compile(rb"\S[ \t]+\S")


def decoded(raw: bytes, encoding: str) -> bytes:
    """The bytes behind a Content-Transfer-Encoding; unknown ones are taken as they are."""
    name = encoding.strip().lower()
    if name == "base64":
        return _from_base64_text(raw)
    return from_quoted_printable(raw) if name == "quoted-printable" else raw


def from_quoted_printable(raw: bytes) -> bytes:
    return binascii.a2b_qp(raw)


def from_base64(raw: bytes) -> bytes:
    """Everything that is of the alphabet, whatever stands between and however it ends."""
    letters = _NOT_BASE64.sub(b"", raw)
    whole = letters[: len(letters) // 4 * 4]
    rest = letters[len(whole) :]
    if len(rest) > 1:
        whole += rest + b"=" * (4 - len(rest))
    return binascii.a2b_base64(whole)


def _from_base64_text(raw: bytes) -> bytes:
    """Mailing lists write plain text below, and some programs say base64 where there is none."""
    found = _BASE64.match(raw)
    letters, rest = (found[0], raw[found.end() :]) if found else (b"", raw)
    if _is_prose(letters):
        return raw
    if b" " not in rest.strip():
        return from_base64(raw)
    return from_base64(letters) + b"\n" + rest if letters.endswith(b"\n") else raw


def _is_prose(letters: bytes) -> bool:
    """Whether there are spaces within lines, and between short words."""
    return bool(_WORDS.search(letters.strip())) and len(letters) < 30 * len(letters.split())
