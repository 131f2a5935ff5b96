"""How tests read what a player gets."""

from datetime import UTC, datetime
from typing import Any

from pbem.post.receipt import ReceiptFacts
from pbem.words.wording import WIDTH


def flat(text: str) -> str:
    """Without the line breaks, which come where there is no room for more."""
    return " ".join(text.split())


def assert_fits(text: str) -> None:
    for line in text.splitlines():
        assert len(line) <= WIDTH, line
        assert line == line.rstrip()
        assert line.isprintable() or not line


def facts(**changes: Any) -> ReceiptFacts:
    usual: dict[str, Any] = {
        "match": 17,
        "title": "Barbarossa",
        "side": "axis",
        "gate_title": "Summer 1941, Axis player-turn",
        "digest": "0123456789abcdef" * 4,
        "arrived": datetime(2026, 3, 1, 12, 5, tzinfo=UTC),
        "superseded": False,
        "missing": (),
        "kept": True,
    }
    return ReceiptFacts(**{**usual, **changes})
