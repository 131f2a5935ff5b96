"""What is in the `view.json` of Round Island: `data/view.schema.json` is made from this."""

from typing import Any

import msgspec

from pbem.games.box import VIEW_FORMAT
from tests.toy.round_island import FOLDER
from tests.toy.round_island.rules.events import AnyEvent
from tests.toy.round_island.rules.view import View


class ViewFile(msgspec.Struct, frozen=True, tag_field="format", tag=VIEW_FORMAT):
    """The position as one side knows it, and what it was told of the last moon. `deadline` is in UTC."""

    game: str
    match: int
    title: str
    side: str
    deadline: str | None
    view: View
    events: list[AnyEvent]


def view_schema() -> dict[str, Any]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:pbem:round-island:view:1",
        "title": "What a side of Round Island knows, as its report carries it",
        **msgspec.json.schema(ViewFile),
    }


if __name__ == "__main__":
    text = msgspec.json.format(msgspec.json.encode(view_schema(), order="deterministic"), indent=1)
    (FOLDER / "data" / "view.schema.json").write_bytes(text + b"\n")
