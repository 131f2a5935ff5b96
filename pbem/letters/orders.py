"""What looks like an order or a command, and what stands around it in a letter."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz import process
from rapidfuzz.distance import OSA

from pbem.letters import phrases
from pbem.letters.letter import NobodyCanTell
from pbem.letters.words import Words

_FIRST_WORD = re.compile(r"[A-Za-z]+(?:[-'][A-Za-z]+)*(?!\w)")
_DASHES = dict.fromkeys([*range(0x2010, 0x2016), 0x2212, 0xFE63, 0xFF0D], "-")
#: A box that may be ticked.
_BOX = re.compile(r"\[[ xX✓✔]?\]\s*")
#: What stands before an order in a list: a sign, an arrow, a number, a letter, a word that counts.
_BULLET = re.compile(
    r"""(?:
      [-=~]+>\s*
    | [^\w\s#"'„“”‘’«<>()[\]{}*_`|/\\]{1,3}\s*
    | [oO]\s+
    | \(?\d{1,3}(?:\.\d{1,2}){0,2}(?:\s*[.):\]]{1,2}\s*|\s+[-–—]\s+|\s+|⃣\s*)
    | [①-⓿❶-➓]\s*
    | \(?(?:[a-zA-Z]|[ivxIVX]{1,5})[.)]+\s+ | \([a-zA-Z]\)\s*
    | (?:order|step|no|nr|number|item|move)\.?\s*\d{1,3}\s*[-–—:.)]+\s*
    | (?:first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth|fifth|finally|lastly|then|next|p\.?p?\.?s\.?)\s*[:,]\s+
    )""",
    re.I | re.X,
)
_END = re.compile(r"\s*+END\s*+[.:!]?\s*+", re.I)
_SENTENCE = re.compile(r"(?<!\W)[^\w.!?,:;…]*+[.!?,:;…]\W*+$")
#: Words of a sentence that no order has.
_SMALL_WORDS = {
    "a", "am", "an", "are", "as", "be", "been", "but", "can", "could", "das", "der", "did", "die", "do", "for", "für",
    "get", "got", "have", "he", "how", "i", "ich", "is", "ist", "it", "its", "just", "let", "me", "mit", "my", "of",
    "our", "please", "so", "some", "still", "that", "the", "their", "them", "then", "there", "they", "this", "und",
    "up", "us", "was", "we", "what", "when", "will", "with", "would", "you", "your",
}  # fmt: skip
_BELOW_DASHES = "below two dashes a signature begins, but this looks like an order: "
#: Below these words a letter is free text, up to END.
FREE_TEXT = frozenset({"PRESS", "GM", "BROADCAST", "ROLLBACK"})
#: Where mail programs break lines, and how long such a line can be.
NARROWEST_BREAK, WIDEST_LINE = 66, 80


@dataclass(frozen=True, slots=True)
class Own:
    """A line that the player wrote himself. What is not `taken` asks for nothing by the words that all games share.

    Whether it is an order all the same is found out where it is known which game it is about.
    """

    text: str
    taken: bool = True


def first_word(line: str) -> str:
    """In capitals; empty if the line does not begin with one."""
    start = line.lstrip()[:80]
    found = _FIRST_WORD.match(start if start.isascii() else start.translate(_DASHES))
    return found[0].upper() if found else ""


def begins_with(line: str, words: Words) -> bool:
    return first_word(line) in words


def looks_like_an_order(line: str, words: Words) -> bool:
    """Whether orders may begin here: with a word of the language, or with one mistyped where a place is named."""
    first = first_word(line)
    if first in words:
        return not _is_prose(line, first, words)
    if len(first) < 4 or not words.are_named_in(line):
        return False
    return any(words.are_named_behind(word, line) for word in _mistyped_as(first, words))


def is_talk(line: str, words: Words) -> bool:
    """Whether a line begins with such a word, and goes on as a sentence."""
    first = first_word(line)
    return first in words and _is_prose(line, first, words)


def is_mistyped(line: str, words: Words) -> bool:
    """Whether a line begins with a word that comes near to one that begins an order."""
    first = first_word(line)
    return len(first) >= 4 and first not in words and any(_mistyped_as(first, words))


def _mistyped_as(first: str, words: Words) -> Iterator[str]:
    mistakes = 1 if len(first) < 6 else 2
    near = process.extract_iter(first, words.beginnings.keys(), scorer=OSA.distance, score_cutoff=mistakes)
    return (word for word, _, _ in near)


def _is_prose(line: str, first: str, words: Words) -> bool:
    """'Set up looks fine.' and 'Orders attached.' are not orders, 'set center o14' and 'Help attack.' are."""
    parts = line.split()
    if len(parts) < 2 or parts[0].startswith(first) or words.are_named_behind(first, line):
        return False
    others = {part.strip(".,;:!?").lower() for part in parts[1:40]}
    if len(parts) == 2 and any(other.isdigit() or other.upper() in words for other in others):
        return False
    return bool(_SENTENCE.search(line)) or (len(parts) > 2 and bool(others & _SMALL_WORDS))


def is_a_whole_order(line: str, words: Words) -> bool:
    """Whether a line can hardly be anything else: a word in capitals, and more behind it."""
    first = first_word(line)
    return first in words and line.lstrip().startswith(first) and len(line.split()) > 1


def freed(line: str, words: Words) -> str:
    """The line without a bullet, a number or emphasis, if it is an order then. A box stays: it may be open."""
    text = line.strip()
    bare = text if _BOX.match(text) else without_number(text)
    bare = bare.strip("*_`").replace("*", "").strip() if bare[:1] in ("*", "_", "`") else bare
    return bare if bare != text and begins_with(bare, words) else text


def without_number(line: str) -> str:
    """The line without a bullet or a number before it, or both."""
    text = line.strip()
    text = text[found.end() :] if (found := _BOX.match(text)) else text
    for _ in range(2):
        found = _BULLET.match(text)
        text = text[found.end() :] if found else text
    return text


# ------------------------------------------------------------------ from the first order to the last


def is_end(line: str) -> bool:
    return bool(_END.fullmatch(line))


def orders_of(lines: list[str], words: Words) -> tuple[list[Own], bool]:
    """One run of the writer's own lines: which of them are taken for orders, and whether END was among them.

    A sentence that begins like an order is taken only directly above one: it may be one that is badly written. END
    below a message ends the message, and the letter goes on. What closes a letter is passed over.
    """
    found: list[Own] = []
    held = 0  # sentences at the end of what was found
    begun = press = False
    for number, raw in enumerate(lines):
        line = freed(raw, words)
        if is_end(line) and not press:
            return found, True
        if is_end(line):
            found.append(Own("END"))
            begun, press, held = False, False, 0
            continue
        if phrases.SIGNATURE.fullmatch(raw):
            _must_be_a_signature(raw, lines[number + 1 :], words)
            break
        if _ends_here(line, press, len(lines) - number):
            begun, held = False, 0
            continue
        begun = begun or looks_like_an_order(line, words)
        press = press or (begun and first_word(line) in FREE_TEXT)
        if begun:
            found[len(found) - held :] = [Own(one.text) for one in found[len(found) - held :]]
        held = held + 1 if not begun and begins_with(line, words) else 0
        if line or begun:
            found.append(Own(line, begun))
    return found, False


def without_a_footer(lines: Sequence[str], words: Words) -> Sequence[str]:
    """The lines up to the last that asks for something, or may do so in words of its own. What stands below it may be
    of a mailing list or a scanner."""
    last, press = 0, False
    for number, line in enumerate(lines, 1):
        asks = looks_like_an_order(line, words)
        press = (press and not is_end(line)) or (asks and first_word(line) in FREE_TEXT)
        last = number if asks or press or words.are_named_in(line) else last
    return lines[:last]


def _must_be_a_signature(mark: str, below: list[str], words: Words) -> None:
    """Below '-- ' nothing counts. Below '--' there may be a signature, or somebody drew a line between his orders."""
    orders = (line for line in below if is_a_whole_order(line, words))
    found = [line for line in orders if words.are_named_behind(first_word(line), line)]
    if found and mark != "-- ":
        raise NobodyCanTell(_BELOW_DASHES + found[0].strip()[:100])


def _ends_here(line: str, press: bool, left: int) -> bool:
    """Whether a line is a closing, a signature without its mark or the like. Orders may begin again below."""
    if not line or len(line) > 600:
        return False
    if press:
        return left <= 4 and bool(phrases.PHONE_SIGNATURE.fullmatch(line))
    patterns = (phrases.RULE, phrases.PHONE_SIGNATURE, phrases.LIST_FOOTER)
    short = len(line) <= 80 and phrases.SIGN_OFF.fullmatch(line)
    return bool(short) or any(pattern.fullmatch(line) for pattern in patterns)


def rejoined(lines: Iterable[Own], words: Words) -> list[Own]:
    """Orders that a mail program broke in two because they were too long for it, in one piece."""
    whole: list[Own] = []
    width = 0
    for line in lines:
        both_taken = bool(whole) and whole[-1].taken and line.taken
        if both_taken and _is_rest_of(whole[-1].text, width, line.text, words):
            whole[-1] = Own(f"{whole[-1].text} {line.text}")
        else:
            whole.append(line)
        width = len(line.text)
    return whole


def _is_rest_of(order: str, width: int, line: str, words: Words) -> bool:
    """Whether a line goes on with the order above: its first word did not fit there, and it begins no order.

    END never does: joined to the last line of a message, it would send all that follows along.
    """
    if is_end(line):
        return False
    first = line.split(" ", 1)[0]
    broken = width <= WIDEST_LINE and width + 1 + len(first) > NARROWEST_BREAK
    return bool(line) and broken and begins_with(order, words) and not begins_with(line, words) and line[:1] != "#"


def without_needless_blanks(lines: Iterable[Own]) -> list[Own]:
    """No empty line at the beginning, at the end, or twice in a row; what was not taken leaves no gap."""
    kept: list[Own] = []
    blank = True  # whether another empty line would be one too many
    for line in lines:
        if line.text or not blank:
            kept.append(line)
        blank = blank if not line.taken else not line.text
    last = next((at for at in reversed(range(len(kept))) if kept[at].taken), None)
    if last is not None and not kept[last].text:
        del kept[last]
    return kept
