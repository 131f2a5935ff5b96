"""What a raw mail is, once it has been read, and how large a mail may be to be read at all."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from engine import orders
from pbem.refusal import Refusal

if TYPE_CHECKING:
    from pbem.letters.meaning import SiftedTexts
    from pbem.letters.orders import Own

#: Bytes of a mail with everything attached, of its headers, and of the text in it.
LARGEST_LETTER = 30_000_000
LARGEST_HEAD = 256_000
LARGEST_TEXT = 1_000_000
MOST_HEADERS = 1_000
LONGEST_HEADER = 16_000
#: Lines of text that are looked at, quoted ones included.
MOST_TEXT_LINES = 20_000
DEEPEST_PART = 10
MOST_PARTS = 200
#: One more than a sheet may have, and longer than a line may be, so that the reader of orders notices and says so.
MOST_LINES = orders.MOST_LINES + 1
LONGEST_LINE = orders.LONGEST_LINE + 100

Key = tuple[int, str, str]


@dataclass(frozen=True)
class Bounce:
    """A report that our mail was not delivered, or not yet.

    `given_up` is False while the other side still tries. `permanent` is True if trying again is of no use.
    """

    message_ids: tuple[str, ...]
    recipients: tuple[str, ...]
    permanent: bool
    given_up: bool
    diagnostic: str


@dataclass(frozen=True)
class Letter:
    """A mail as it was read. Message ids have their angle brackets. `sender` is empty if it is not one clear address.

    `automatic` says why the letter must not be answered, if it must not. `lines` are the orders and commands, free
    of quoted text, signatures and keys. If `doubt` says why nobody can tell what was meant, there are no lines.
    `own` are all lines that the player wrote himself, those among them.
    `digest` stands for what it says, and is the same for a copy of it.
    `texts` are there if an order form came back in the letter: what was meant depends on what that form said.
    """

    message_id: str = ""
    subject: str = ""
    sender: str = ""
    sender_name: str = ""
    return_path: str | None = None
    recipients: tuple[str, ...] = ()
    date: datetime | None = None
    references: tuple[str, ...] = ()
    automatic: str = ""
    bounce: Bounce | None = None
    auth_results: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    keys: tuple[Key, ...] = ()
    gm_keys: tuple[str, ...] = ()
    matches: tuple[int, ...] = ()
    doubt: str = ""
    digest: str = ""
    own: "tuple[Own, ...]" = field(default=(), repr=False)
    texts: "SiftedTexts | None" = field(default=None, repr=False, compare=False)


class NobodyCanTell(Exception):
    """What a letter means cannot be decided. The message says why; it becomes the letter's doubt."""


class _TooMuch(Refusal):
    """`letter` is what the headers alone say: who wrote it, and whether he may be answered."""

    letter: Letter = Letter()


class LetterIsTooLarge(_TooMuch):
    pass


class LetterIsTooDeep(_TooMuch):
    pass
