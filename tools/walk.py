"""The walk of a letter through the rooms: `python -m tools.walk`.

A sheet that completes a gate is played, with its receipt, the turn and the reports, and every call from one room into
another is noted when it happens for the first time. A room is a package of `pbem` or `engine` (`pbem.mail`,
`engine.hitlers_war`) or a module on the same floor (`pbem.referee`, `engine.dice`). Whoever is called by way of a
library, or from a thread that draws, is called by the room that stands behind it.

Left out is what is not a step of the walk: making and comparing values, attributes that are reckoned when they are
asked for, and small functions without a name. A star marks the call by which a package is entered for the first time:
so many packages must be known by who wants to follow a letter. A module on the floor is entered with a dot.
"""

import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from tools.one_letter import Mailroom

Edge = tuple[str, str]

#: Few orders: the rooms they are carried through are the same.
SHEET = """\
TURN Summer 1941 SIDE Axis
ATTACK North R13 ASSAULT ADVANCE
BUILD MAX I ANY
"""


class Walk:
    """The edges in the order they were first walked, each with who called what."""

    def __init__(self) -> None:
        self.edges: dict[Edge, str] = {}
        self._asides = set(_attributes())
        self._rooms: dict[str, str] = {}

    def note(self, frame: FrameType, event: str, _: object) -> None:
        before = frame.f_back
        if event != "call" or (before is not None and before.f_globals is frame.f_globals):
            return
        callee = self._room(frame)
        if callee and not self._is_aside(frame.f_code):
            caller, behind = self._who_called(frame)
            if caller and caller != callee:
                self.edges.setdefault((caller, callee), f"{behind} -> {_named(frame)}")

    def _who_called(self, frame: FrameType) -> tuple[str, str]:
        before = frame.f_back
        while before is not None:
            room = self._room(before)
            if room:
                return room, _named(before)
            before = before.f_back
        return "", ""

    def _room(self, frame: FrameType) -> str:
        module = frame.f_globals.get("__name__", "")
        if module not in self._rooms:
            self._rooms[module] = room_of(module)
        return self._rooms[module]

    def _is_aside(self, code: CodeType) -> bool:
        name = code.co_name
        return name.startswith(("__", "<")) or code in self._asides


def room_of(module: str) -> str:
    """`pbem.post` for `pbem.post.receipt`; empty for what is no part of this program."""
    floor, _, rest = module.partition(".")
    return f"{floor}.{rest.partition('.')[0]}" if floor in ("pbem", "engine") and rest else ""


def entered(edges: Iterable[Edge]) -> list[str]:
    """The rooms a letter comes into, in their order; the first caller's, where it sets out, is none of them."""
    edges = list(edges)
    began = edges[0][0]
    return [room for room in dict.fromkeys(callee for _, callee in edges) if room != began]


def is_package(room: str) -> bool:
    spec = find_spec(room)
    return spec is not None and spec.submodule_search_locations is not None


def _named(frame: FrameType) -> str:
    return f"{frame.f_globals['__name__']}.{frame.f_code.co_qualname}"


def _attributes() -> Iterator[CodeType]:
    """The code of all properties of all classes of this program."""
    for name, module in list(sys.modules.items()):
        if room_of(name):
            for kind in list(vars(module).values()):
                if isinstance(kind, type):
                    yield from _properties_of(kind)


def _properties_of(kind: type) -> Iterator[CodeType]:
    for value in vars(kind).values():
        function: Any = value.fget if isinstance(value, property) else None
        function = value.func if isinstance(value, cached_property) else function
        if hasattr(function, "__code__"):
            yield function.__code__


def walk_of_a_letter(directory: Path) -> dict[Edge, str]:
    room = Mailroom(directory, 1)
    (welcome,) = room.welcomes()
    room.drop(welcome, 1, SHEET)
    walk = Walk()
    threading.setprofile(walk.note)
    sys.setprofile(walk.note)
    try:
        room.settle()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    assert room.turns() == 1, "the letter has brought its turn"
    return walk.edges


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="pbem-walk-", dir="/tmp") as folder:
        edges = walk_of_a_letter(Path(folder) / "war")
    rooms = entered(edges)
    packages = [room for room in rooms if is_package(room)]
    new = dict.fromkeys(rooms)
    for number, ((caller, callee), example) in enumerate(edges.items(), 1):
        mark = " " if callee not in new else "*" if callee in packages else "."
        new.pop(callee, None)
        print(f"{number:3} {mark} {caller:>18} -> {callee:<18} {example}")
    print(
        f"{len(packages)} packages are entered, and {len(rooms) - len(packages)} modules that stand by themselves; "
        f"{len(edges)} ways lead from one room into another."
    )


if __name__ == "__main__":
    main()
