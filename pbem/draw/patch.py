"""Painting a large sheet in parts, so that they meet as if it had been painted as a whole."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

from PIL import Image, ImageDraw


class Patch(NamedTuple):
    """A rectangle of a sheet, in its pixels."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def size(self) -> tuple[int, int]:
        return self.right - self.left, self.bottom - self.top

    def grown(self, by: int) -> "Patch":
        return Patch(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def larger(self, factor: int) -> "Patch":
        """The same part of a sheet that is so many times larger."""
        return Patch(*(part * factor for part in self))

    def within(self, other: "Patch") -> "Patch":
        """What both have in common; empty or less if they do not meet."""
        return Patch(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def of(self, other: "Patch") -> tuple[int, int, int, int]:
        """Where this one lies in the image of another."""
        return self.left - other.left, self.top - other.top, self.right - other.left, self.bottom - other.top


def pencil(image: Image.Image, patch: Patch) -> ImageDraw.ImageDraw:
    """Draws on the image of a patch, with all coordinates those of the sheet."""
    draw: Any = ImageDraw.Draw(image)
    draw.draw = _Moved(draw.draw, patch.left, patch.top)
    return draw  # type: ignore[no-any-return]


class _Moved:
    """What Pillow draws by, moved. Points are cut to whole pixels of the sheet first, as Pillow does: cut afterwards,
    a line would lie otherwise in each part."""

    def __init__(self, core: Any, left: int, top: int) -> None:
        self._core, self._left, self._top = core, left, top

    def _moved(self, points: Sequence[Any]) -> list[int]:
        flat: Iterable[float] = points if isinstance(points[0], int | float) else chain.from_iterable(points)
        moved = [int(part) for part in flat]
        moved[::2] = [x - self._left for x in moved[::2]]
        moved[1::2] = [y - self._top for y in moved[1::2]]
        return moved

    def draw_ink(self, colour: Any) -> Any:
        return self._core.draw_ink(colour)

    def draw_lines(self, points: Sequence[Any], *how: Any) -> None:
        self._core.draw_lines(self._moved(points), *how)

    def draw_polygon(self, points: Sequence[Any], *how: Any) -> None:
        self._core.draw_polygon(self._moved(points), *how)

    def draw_rectangle(self, points: Sequence[Any], *how: Any) -> None:
        self._core.draw_rectangle(self._moved(points), *how)

    def draw_ellipse(self, points: Sequence[Any], *how: Any) -> None:
        self._core.draw_ellipse(self._moved(points), *how)

    def draw_pieslice(self, points: Sequence[Any], *how: Any) -> None:
        self._core.draw_pieslice(self._moved(points), *how)
