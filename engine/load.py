"""The only module of the engine that reads files: the maps, tables and scenarios that ship with it."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

_PACKAGE = Path(__file__).resolve().parent
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def data_path(*parts: str) -> Path:
    """Where a data file lies: inside an installed package, or at the root of a checkout.

    A game that keeps its files elsewhere begins with the whole path of its folder.
    """
    return _data_root().joinpath(*parts)


@cache
def _data_root() -> Path:
    installed = _PACKAGE / "data"
    return installed if installed.is_dir() else _PACKAGE.parent / "data"


def load_text(*parts: str) -> str:
    return data_path(*parts).read_text(encoding="utf-8")


def package_text(*parts: str) -> str:
    """A text that lies beside the code, such as a grammar."""
    return _PACKAGE.joinpath(*parts).read_text(encoding="utf-8")


@cache
def load_yaml(*parts: str) -> Any:
    """A data file as plain values, read once. Everybody gets the same object: look, do not change."""
    return yaml.load(load_text(*parts), Loader=_LOADER)  # noqa: S506, a safe loader either way
