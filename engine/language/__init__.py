"""What the order sheets of all games have in common, so that a game writes down only what is its own.

words.py   Verb and Language: the words of a game, what they mean, which come later, what was meant instead
names.py   how names are compared, and which known one comes nearest
sheet.py   reading a sheet line by line: headings, sections, END, remarks, limits, findings
loose.py   what a line can be that is an order in other words, as a letter may have it
"""

from engine.language.loose import LooseReader, doubtful
from engine.language.sheet import LineCannotBeUsed, SheetIsForAnotherGate, SheetReader, Understood
from engine.language.words import Language, Verb

__all__ = [
    "Language",
    "LineCannotBeUsed",
    "LooseReader",
    "SheetIsForAnotherGate",
    "SheetReader",
    "Understood",
    "Verb",
    "doubtful",
]
