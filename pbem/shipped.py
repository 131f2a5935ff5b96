"""The folders that travel with the program: templates and docs."""

from functools import lru_cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


@lru_cache
def folder(name: str) -> Path:
    """Inside an installed package, or at the root of a checkout."""
    installed = _PACKAGE / name
    return installed if installed.is_dir() else _PACKAGE.parent / name
