"""What is in the `view.json` of Hitler's War: `data/hitlers-war/view.schema.json` is made from this."""

from typing import Any

import msgspec

from engine.grand_strategy.events import AnyEvent
from engine.grand_strategy.view import View
from pbem.games.box import VIEW_FORMAT


class ViewFile(msgspec.Struct, frozen=True, tag_field="format", tag=VIEW_FORMAT):
    """The position as one side knows it, and what it was told of the last turn. `deadline` is in UTC."""

    game: str
    match: int
    title: str
    side: str
    deadline: str | None
    view: View
    events: list[AnyEvent]


def view_schema() -> dict[str, Any]:
    """The schema of Hitler's War, from the types themselves."""
    schema = msgspec.json.schema(ViewFile)
    for kind in schema["$defs"].values():
        if "event" in kind["properties"]:  # the report beside it says what came of each line
            del kind["properties"]["lines"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:pbem:hitlers-war:view:1",
        "title": "What a side of Hitler's War knows, as its report carries it",
        **schema,
    }
