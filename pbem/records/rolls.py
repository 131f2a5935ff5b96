"""The dice in what was told, found without knowing the game: each stands beside its label."""

from collections.abc import Iterator
from typing import Any


def rolls_in(document: Any) -> Iterator[tuple[str, Any]]:
    """Every die with its label, wherever it is in what a side was told."""
    if isinstance(document, dict):
        if isinstance(document.get("label"), str) and "die" in document:
            yield document["label"], document["die"]
        document = list(document.values())
    if isinstance(document, list):
        for each in document:
            yield from rolls_in(each)
