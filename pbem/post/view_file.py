"""`view.json`: what a side knows and was told, for programs. `data/<game>/view.schema.json` says what is in it."""

import msgspec

from engine.events import Event, canonical, without_lines
from pbem.games.box import VIEW_FORMAT
from pbem.post.post import Attachment
from pbem.post.situation import Situation

NAME = "view.json"


def view_file(now: Situation, told: tuple[Event, ...]) -> Attachment:
    """The same position makes the same bytes, in lines that people can read too."""
    deadline = now.deadline.isoformat() if now.deadline else None
    whole = {
        "format": VIEW_FORMAT,
        "game": now.war.game,
        "match": now.war.id,
        "title": now.war.title,
        "side": now.side,
        "deadline": deadline,
        "view": now.view,
        "events": list(map(without_lines, told)),
    }
    return Attachment(NAME, "application/json", msgspec.json.format(canonical(whole), indent=1) + b"\n")
