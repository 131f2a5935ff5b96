"""The command that asks for the proof of a war that is closed."""

import re

from pbem import closing
from pbem.desk.desk import Answer, Desk, Request
from pbem.words.wording import render

PART = re.compile(r"(?:PART\s+)?(?P<part>\d{0,4})[.!]?", re.IGNORECASE)


def bundle(desk: Desk, request: Request) -> Answer:
    """The bundle of the war in a mail of its own, or in several if one would be too large; each once a day."""
    found = PART.fullmatch(request.rest.strip())
    part = int(found["part"] or 0) if found else 0
    written = closing.send(desk.session, desk.office, desk.the_match, desk.the_seat, desk.day, part)
    mails = "1 mail" if written == 1 else f"{written} mails"
    text = f"It comes with {mails}." if written else "It was mailed to you today already; ask again tomorrow."
    return Answer("The bundle of the war", render("mail/said.txt.j2", text=text))
