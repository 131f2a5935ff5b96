"""What the GM reads about his data directory: what lies in it, whether it knows its mailbox, and a copy of it."""

from typing import Any

from pbem.intake.adopting import Mailbox, Survey
from pbem.records.backup import Copy
from pbem.records.marks import MARK
from pbem.records.place import DATABASE
from pbem.screens.console import moment
from pbem.settings import SETTINGS

#: So much of an identity is shown: enough to compare.
SHOWN = 8


def survey_text(found: Survey) -> str:
    newest = f", the newest of {moment(found.newest)}" if found.newest else ""
    lines = [
        ("Directory", str(found.directory)),
        ("Database", f"{_many(found.matches, 'match', 'matches')}, {_many(found.letters, 'letter')}{newest}"),
        ("Identity", f"{found.identity[:SHOWN]} in {DATABASE}, {_beside(found)}"),
        ("Mailbox", f"on record: {found.known.in_words if found.known else 'none'}"),
        ("", f"now: {_mailbox(found.mailbox)}"),
    ]
    return "\n".join(f"{name:<10} {text}".rstrip() for name, text in lines)


def _beside(found: Survey) -> str:
    if found.beside == found.identity:
        return f"the same in {MARK}"
    return f"{found.beside[:SHOWN] or 'none'} in {MARK}"


def _mailbox(mailbox: Mailbox) -> str:
    if mailbox.trouble:
        return f"{mailbox.name}, which cannot be asked ({mailbox.trouble})"
    if not mailbox.is_there:
        return f"{mailbox.name}, which is not there and would be made, empty"
    waiting = f"{_many(mailbox.letters, 'letter')} in it"
    if mailbox.number.isdecimal():
        return f"{mailbox.name}, number {mailbox.number}, {waiting}"
    mark = "our mark" if mailbox.is_ours else f"the mark {mailbox.number[:SHOWN]}" if mailbox.number else "no mark"
    return f"{mailbox.name}, with {mark}, {waiting}"


def _many(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def survey_facts(found: Survey, *, adopted: bool) -> dict[str, Any]:
    mailbox = found.mailbox
    return {
        "directory": str(found.directory),
        "matches": found.matches,
        "letters": found.letters,
        "newest_letter": found.newest,
        "identity": {"database": found.identity, "beside": found.beside},
        "mailbox": {
            "on_record": found.known.in_words if found.known else None,
            "now": mailbox.name,
            "is_there": mailbox.is_there,
            "is_ours": mailbox.is_ours,
            "letters": mailbox.letters,
            "trouble": mailbox.trouble or None,
        },
        "adopted": adopted,
    }


def copy_text(copy: Copy) -> str:
    held = f"{_many(copy.matches, 'match', 'matches')} and {_many(copy.letters, 'letter')}"
    return (
        f"{copy.path}: a copy of the database with {held}, {_size(copy.size)}, checked, readable for you alone.\n"
        f"Keep {SETTINGS} and the password files with it; all else that a restore needs is in the copy."
    )


def _size(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB" if size >= 100_000 else f"{size / 1000:.0f} KB"


def copy_facts(copy: Copy) -> dict[str, Any]:
    return {"file": str(copy.path), "bytes": copy.size, "matches": copy.matches, "letters": copy.letters}
