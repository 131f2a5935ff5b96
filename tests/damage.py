"""Damage as it happens to mail, and worse: bytes in, other bytes out, the same for the same dice."""

import random
from collections.abc import Callable
from pathlib import Path

FOLDER = Path(__file__).parent / "letters"
CORPUS = [path.read_bytes() for path in sorted(FOLDER.glob("*.eml"))]

Mutation = Callable[[bytes, random.Random], bytes]

ENCODINGS = [b"base64", b"quoted-printable", b"8bit", b"x-uuencode", b""]
CHARSETS = [
    b"utf-8",
    b"utf-16",
    b"koi8-r",
    b"gb18030",
    b"utf-7",
    b"idna",
    b"punycode",
    b"unicode_escape",
    b"hex",
    b"\xff",
    b"",
]
KINDS = [
    b"text/html",
    b"multipart/mixed",
    b"multipart/report",
    b"message/rfc822",
    b"text/plain; format=flowed; delsp=yes",
    b"/",
]


def flip_bytes(raw: bytes, dice: random.Random) -> bytes:
    damaged = bytearray(raw)
    for _ in range(dice.choice([1, 3, 20])):
        damaged[dice.randrange(len(raw))] = dice.randrange(256)
    return bytes(damaged)


def cut(raw: bytes, dice: random.Random) -> bytes:
    return raw[: dice.randrange(len(raw))] if dice.random() < 0.7 else raw[dice.randrange(len(raw)) :]


def shuffle_headers(raw: bytes, dice: random.Random) -> bytes:
    head, _, body = raw.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    dice.shuffle(lines)
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def swap(word: bytes, others: list[bytes]) -> Mutation:
    """A mutation that writes something else behind a word, wherever it stands."""

    def swapped(raw: bytes, dice: random.Random) -> bytes:
        parts = raw.split(word)
        chosen = [part if not number else dice.choice(others) + b"; " + part for number, part in enumerate(parts)]
        return word.join(chosen)

    return swapped


def damage_boundary(raw: bytes, dice: random.Random) -> bytes:
    parts = raw.split(b"\r\n--")
    del parts[dice.randrange(len(parts))]
    return (b"\r\n--" if dice.random() < 0.5 else b"\r\n-").join(parts)


def splice(raw: bytes, dice: random.Random) -> bytes:
    other = dice.choice(CORPUS)
    return raw[: dice.randrange(len(raw))] + other[dice.randrange(len(other)) :]


def move_lines(raw: bytes, dice: random.Random) -> bytes:
    lines = raw.split(b"\r\n")
    for _ in range(3):
        line = lines.pop(dice.randrange(len(lines)))
        lines[dice.randrange(len(lines) + 1) : 0] = [line] * dice.choice([0, 1, 2])
        lines = lines or [b""]
    return b"\r\n".join(lines)


MUTATIONS: list[Mutation] = [
    flip_bytes, cut, shuffle_headers, damage_boundary, splice, move_lines,
    swap(b"charset=", CHARSETS), swap(b"Transfer-Encoding: ", ENCODINGS), swap(b"Content-Type: ", KINDS),
]  # fmt: skip


def damaged(raw: bytes, dice: random.Random, mutations: list[Mutation] = MUTATIONS) -> bytes:
    """One to four kinds of damage, one after the other."""
    for mutation in dice.choices(mutations, k=dice.choice([1, 1, 2, 4])):
        raw = mutation(raw, dice) or b"\r\n"
    return raw
