"""Checking the dice of a report with nothing but the report: no database, no network, no secret.

The text of a report names the commitment, the key of its run, the digests of the sealed sheets, and every die with
its label. That the key leads to the commitment shows that it was fixed before the war; that every die follows from
the key and the digests shows that nobody chose it.
"""

import email
import re
from dataclasses import dataclass
from email.message import Message

from engine.dice import die_of, links_between, run_key_from_digests
from pbem.refusal import Refusal

#: As mail programs quote; a report may have been forwarded.
_QUOTED = re.compile(r"^(?:> ?)+", re.MULTILINE)
_HEADING = re.compile(r"^Turn (\d+): ", re.MULTILINE)
_NUMBERS = re.compile(
    r"^Commitment +([0-9a-f]{64})\s+Run key +([0-9a-f]{64})((?:\s+\S+ +[0-9a-f]{64}\b)+)", re.MULTILINE
)
_DIGEST = re.compile(r"(\S+) +([0-9a-f]{64})")
#: A die, and the rest of a long label on the lines below.
_DIE = re.compile(r"^ *#(\d+) +(\d+) +(\S.*(?:\n {8,}(?!#)\S.*)*)$", re.MULTILINE)


class ThisIsNoReport(Refusal):
    pass


@dataclass(frozen=True)
class Die:
    """A die as it is printed, and as it is when it is computed again."""

    number: int
    label: str
    printed: int
    computed: int

    @property
    def is_right(self) -> bool:
        return self.printed == self.computed


@dataclass(frozen=True)
class Verified:
    """What was found. `link` says how many runs back the commitment is; None if the key does not lead to it."""

    turn: int
    commitment: str
    expected: str
    link: int | None
    digests: dict[str, str]
    dice: tuple[Die, ...]

    @property
    def commitment_is_right(self) -> bool:
        return not self.expected or self.commitment == self.expected

    @property
    def holds(self) -> bool:
        return self.commitment_is_right and self.link is not None and all(die.is_right for die in self.dice)

    @property
    def taken_back(self) -> int:
        """How many turns must have been taken back if this turn has this link."""
        return (self.link or self.turn) - self.turn


def verified(raw: bytes, commitment: str = "") -> Verified:
    """Check a report: the mail as it was saved, or its text. `commitment` is the one in the reader's welcome."""
    text = _QUOTED.sub("", _text_of(raw))
    numbers, heading = _NUMBERS.search(text), _HEADING.search(text)
    if numbers is None or heading is None:
        raise ThisIsNoReport(
            "there is no report with its commitment, run key and digests in this file",
            "Save the whole mail (.eml), or its text down to the digests below CHECKING THE DICE.",
        )
    committed, link, below = numbers.groups()
    digests = dict(_DIGEST.findall(below))
    key = run_key_from_digests(bytes.fromhex(link), [bytes.fromhex(digest) for digest in digests.values()])
    dice = tuple(_checked(key, *found) for found in _DIE.findall(text[: numbers.start()]))
    reached = links_between(bytes.fromhex(link), bytes.fromhex(committed))
    return Verified(int(heading[1]), committed, commitment.strip().lower(), reached, digests, dice)


def _checked(key: bytes, number: str, printed: str, label: str) -> Die:
    label = " ".join(label.split())
    return Die(int(number), label, int(printed), die_of(key, label))


def _text_of(raw: bytes) -> str:
    """The plain text of a mail, or the file itself where it is no mail."""
    message: Message = email.message_from_bytes(raw)
    parts = [part for part in message.walk() if part.get_content_type() == "text/plain"]
    if message["From"] and parts:
        body = parts[0].get_payload(decode=True)
        raw = body if isinstance(body, bytes) else b""
    text = raw.decode("utf-8-sig", "replace")  # as the referee writes it; all that is checked is ASCII
    return text.replace("\r\n", "\n").replace("\N{NO-BREAK SPACE}", " ")


def in_words(found: Verified) -> str:
    lines = [f"Commitment {found.commitment}", *_about_the_commitment(found), *_about_the_key(found)]
    wrong = [die for die in found.dice if not die.is_right]
    lines += [f"  die #{die.number} is {die.printed}, but the key gives {die.computed}: {die.label}" for die in wrong]
    if found.dice and not wrong:
        lines.append(f"All {len(found.dice)} dice follow from the key and the sealed sheets.")
    if not found.dice:
        lines.append("No die is printed in this report.")
    lines.append("The report holds." if found.holds else "THE REPORT DOES NOT HOLD. Ask the GM, and show him this.")
    return "\n".join(lines)


def _about_the_commitment(found: Verified) -> list[str]:
    if not found.expected:
        return ["  Compare it with the one in your welcome, or give that one with --commitment."]
    return [
        "  It is the one you gave." if found.commitment_is_right else f"  It is NOT the one you gave: {found.expected}"
    ]


def _about_the_key(found: Verified) -> list[str]:
    if found.link is None:
        return ["The run key does NOT lead to the commitment."]
    lines = [f"The run key leads to the commitment: it is link {found.link} of the chain, for turn {found.turn}."]
    if found.taken_back > 0:
        turns = "1 turn has" if found.taken_back == 1 else f"{found.taken_back} turns have"
        lines.append(f"  That is right if {turns} been taken back in this war; you were told of it then.")
    return lines
