"""`view.json`: what a side knows and was told, for programs. `data/<game>/view.schema.json` says what is in it."""

from typing import Any

import msgspec

from engine.events import Event, canonical
from engine.hitlers_war.events import AnyEvent
from engine.hitlers_war.view import View
from pbem.post.post import Attachment
from pbem.post.situation import Situation

NAME = "view.json"
FORMAT = "pbem view 1"


class ViewFile(msgspec.Struct, frozen=True, tag_field="format", tag=FORMAT):
    """The position as one side knows it, and what it was told of the last turn. `deadline` is in UTC."""

    game: str
    match: int
    title: str
    side: str
    deadline: str | None
    view: View
    events: list[AnyEvent]


def view_file(now: Situation, told: tuple[Event, ...]) -> Attachment:
    """The same position makes the same bytes, in lines that people can read too."""
    deadline = now.deadline.isoformat() if now.deadline else None
    whole = {
        "format": FORMAT,
        "game": now.war.game,
        "match": now.war.id,
        "title": now.war.title,
        "side": now.side,
        "deadline": deadline,
        "view": now.view,
        "events": list(told),
    }
    return Attachment(NAME, "application/json", msgspec.json.format(canonical(whole), indent=1) + b"\n")


def view_schema() -> dict[str, Any]:
    """The schema of Hitler's War, from the types themselves."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:pbem:hitlers-war:view:1",
        "title": "What a side of Hitler's War knows, as its report carries it",
        **msgspec.json.schema(ViewFile),
    }
