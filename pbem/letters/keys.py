"""Keys of seats and GMs and numbers of matches, wherever a letter carries them."""

import re
from collections.abc import Iterable
from itertools import islice

from pbem.letters.letter import Key

_SIDE = r"[a-z][a-z_]{0,19}(?:-[a-z_]{1,20}){0,2}"
_IN_TEXT = rf"(?<![\w-])(\d{{1,9}})-({_SIDE})-([a-z0-9]{{12,40}})(?![a-z0-9-])"
_IN_ADDRESS = rf"(?:\+|%2b)(\d{{1,9}})\.({_SIDE})\.([a-z0-9]{{12,40}})(?=@|%40)"
_KEY = re.compile(f"{_IN_TEXT}|{_IN_ADDRESS}", re.I)
_GM_KEY = re.compile(r"(?<![\w-])gm-([a-z0-9]{20})(?![\w-])|(?:\+|%2b)gm\.([a-z0-9]{20})(?=@|%40)", re.I)
_GM_KEY_LINE = re.compile(r"(?:KEY\s[\s{]{0,20})?gm-[a-z0-9]{20}", re.I)
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


def gm_keys_in(texts: Iterable[str]) -> tuple[str, ...]:
    """Every key of a GM in these texts, each once, in order."""
    found = (each[1] or each[2] for text in texts for each in _GM_KEY.finditer(text))
    return tuple(islice(dict.fromkeys(key.lower() for key in found), MOST_KEYS))


def matches_in(subject: str) -> tuple[int, ...]:
    """Numbers of matches from tags such as [17 Barbarossa]."""
    return tuple(dict.fromkeys(int(number) for number in _TAG.findall(subject)))[:MOST_MATCHES]


def is_key_line(line: str) -> bool:
    """Whether a line only carries a key. KEY alone is a command."""
    bare = line.strip(" \t{}<>()[].,*")
    return bool(_KEY_LINE.match(line) or _KEY.fullmatch(bare) or _GM_KEY_LINE.fullmatch(bare))


def without_keys(lines: Iterable[str], keys: Iterable[Key]) -> tuple[str, ...]:
    """Lines that can be shown to anybody who sees the orders."""
    known = "".join(f"|{key}" for _, _, key in keys if any(map(str.isdigit, key)))
    key = re.compile(f"{_LIKE_A_KEY.pattern}|{_GM_KEY.pattern}{known}", re.I)
    return tuple(key.sub("", line).rstrip() for line in lines)
