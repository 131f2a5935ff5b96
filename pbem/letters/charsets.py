"""Bytes to characters, whatever the mail says about them."""

import codecs
import re
from encodings.aliases import aliases

_BOMS = (
    (codecs.BOM_UTF8, "utf_8"),
    (codecs.BOM_UTF32_LE, "utf_32_le"),
    (codecs.BOM_UTF32_BE, "utf_32_be"),
    (codecs.BOM_UTF16_LE, "utf_16_le"),
    (codecs.BOM_UTF16_BE, "utf_16_be"),
)
#: Python calls these encodings too, but they turn bytes into bytes, or need a machine of their own.
_NO_CHARSETS = {
    "base64_codec", "bz2_codec", "hex_codec", "mbcs", "quopri_codec", "rot_13", "tactis", "uu_codec", "zlib_codec",
}  # fmt: skip
_CODECS = {
    name: codec
    for name, codec in {**{codec: codec for codec in aliases.values()}, **aliases}.items()
    if codec not in _NO_CHARSETS
}
#: What mail programs write although they mean a larger set, or that only they know. Empty: it says nothing.
_MEANT = {
    "ascii": "",
    "latin_1": "cp1252",
    "iso8859_9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x_gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "x_sjis": "cp932",
    "big5": "cp950",
    "utf_8_sig": "utf_8",
    "utf8mb4": "utf_8",
    "unicode_1_1_utf_7": "utf_7",
    "iso_8859_8_i": "iso8859_8",
}
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")


def codec_of(label: str) -> str:
    """Python's name for a charset, or nothing if it is unknown or says nothing."""
    name = _NOT_IN_NAMES.sub("_", label[:60].lower()).strip("_")
    codec = _CODECS.get(name, name)
    codec = _MEANT.get(codec, codec)
    return codec if codec in _CODECS else ""


def text_of(raw: bytes, label: str = "") -> str:
    """The characters of some bytes. What the mail says about them is believed as long as it fits."""
    for bom, codec in _BOMS:
        if raw.startswith(bom):
            return raw[len(bom) :].decode(codec, "replace")
    codec = codec_of(label)
    if codec in ("utf_16", "utf_32"):
        return raw.decode(_with_byte_order(raw, codec), "replace")
    for attempt in (codec, "utf_8"):
        text = _decoded(raw, attempt)
        if text is not None:
            return text
    return raw.decode(_guessed(raw, codec), "replace")


def _decoded(raw: bytes, codec: str) -> str | None:
    if not codec or (codec == "utf_8" and _looks_wide(raw)):
        return None
    try:
        return raw.decode(codec)
    except (UnicodeError, ValueError):
        return None


def _guessed(raw: bytes, codec: str) -> str:
    if _looks_wide(raw):
        return _with_byte_order(raw, "utf_16")
    return codec if codec and codec not in ("utf_8", "utf_7") else "cp1252"


def _looks_wide(raw: bytes) -> bool:
    """Whether every other byte is zero, as when western text comes as UTF-16."""
    sample = raw[:400]
    zeros = max(sample[::2].count(0), sample[1::2].count(0))
    return len(sample) >= 4 and zeros * 3 > len(sample)


def _with_byte_order(raw: bytes, codec: str) -> str:
    sample = raw[:400]
    return f"{codec}_be" if sample[::2].count(0) > sample[1::2].count(0) else f"{codec}_le"
