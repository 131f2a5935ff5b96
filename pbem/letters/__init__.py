"""Reading a mail: who wrote it, whether a person did, and the lines of orders the player meant.

Pure functions over bytes: no mailbox, no database, no clock. Whatever the bytes are, `read_letter` gives a `Letter`
or raises `LetterIsTooLarge` or `LetterIsTooDeep`, in time proportional to their number.

    headers.py    names and values, encoded words, addresses, message ids, dates
    addresses.py  when two addresses are the same
    mime.py       the tree of parts
    transfer.py   base64 and quoted-printable;  charsets.py  bytes to characters
    texts.py      which parts are the letter, which are attached, which forwarded
    pages.py      HTML to lines;  flowed.py  format=flowed to lines
    phrases.py    what mail programs write around quoted text, in many languages
    words.py      the words that begin a request, and what only orders name: of the games and of the commands
    quoting.py    lines to quoted lines
    orders.py     what looks like an order, and where it ends
    forms.py      what was changed in the order form
    meaning.py    all of these together: what the player meant, or why nobody can tell
    keys.py  automatic.py  bounces.py
"""

from pbem.letters.letter import MOST_LINES, Bounce, Letter, LetterIsTooDeep, LetterIsTooLarge
from pbem.letters.reading import read_letter, with_its_form
from pbem.letters.words import Words

__all__ = [
    "MOST_LINES",
    "Bounce",
    "Letter",
    "LetterIsTooDeep",
    "LetterIsTooLarge",
    "Words",
    "read_letter",
    "with_its_form",
]
