"""Keys of seats and numbers of matches, wherever a letter carries them."""

import re
from collections.abc import Iterable

from pbem.letters.letter import Key

_SIDE = r"[a-z][a-z_]{0,19}(?:-[a-z_]{1,20}){0,2}"
_IN_TEXT = rf"(?<![\w-])(\d{{1,9}})-({_SIDE})-([a-z0-9]{{12,40}})(?![a-z0-9-])"
_IN_ADDRESS = rf"(?:\+|%2b)(\d{{1,9}})\.({_SIDE})\.([a-z0-9]{{12,40}})(?=@|%40)"
_KEY = re.compile(f"{_IN_TEXT}|{_IN_ADDRESS}", re.I)
#: Also what is left of a damaged one. A key has digits: '1-Baltic-MilitaryDistrict' is an army, '17-Jun-2024' a date.
_LIKE_A_KEY = re.compile(r"(?<!\w)\d{1,9}[-.][a-z_-]{2,40}[-.](?=[^\s\d]*+\d)[^\s{}<>]{5,120}", re.I)
_KEY_LINE = re.compile(r"\W{0,20}KEY\b[^\d\n]{0,40}\d", re.I)
_TAG = re.compile(r"\[\s*#?(\d{1,9})\b[^\[\]]{0,200}\]")
MOST_KEYS = 20
MOST_MATCHES = 20


def keys_in(texts: Iterable[str]) -> tuple[Key, ...]:
    """Every key in these texts, each once, in order."""
    found: dict[Key, None] = {}
    for text in texts:
        for each in _KEY.finditer(text):
            match, side, key = (part for part in each.groups() if part is not None)
            found[int(match), side.lower(), key.lower()] = None
            if len(found) >= MOST_KEYS:
                return tuple(found)
    return tuple(found)


def matches_in(subject: str) -> tuple[int, ...]:
    """Numbers of matches from tags such as [17 Barbarossa]."""
    return tuple(dict.fromkeys(int(number) for number in _TAG.findall(subject)))[:MOST_MATCHES]


def is_key_line(line: str) -> bool:
    """Whether a line only carries a key. KEY alone is a command."""
    return bool(_KEY_LINE.match(line)) or bool(_KEY.fullmatch(line.strip(" \t{}<>()[].,*")))


def without_keys(lines: Iterable[str], keys: Iterable[Key]) -> tuple[str, ...]:
    """Lines that can be shown to anybody who sees the orders."""
    known = "".join(f"|{key}" for _, _, key in keys if any(map(str.isdigit, key)))
    key = re.compile(f"{_LIKE_A_KEY.pattern}{known}", re.I)
    return tuple(key.sub("", line).rstrip() for line in lines)
