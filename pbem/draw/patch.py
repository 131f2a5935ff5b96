"""Painting a large sheet in parts, so that they meet as if it had been painted as a whole."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from PIL import Image, ImageDraw

#: Pillow joins the parts of a line that is wider than this.
JOINED = 4


class Patch(NamedTuple):
    """A rectangle of a sheet, in its pixels."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def size(self) -> tuple[int, int]:
        return self.right - self.left, self.bottom - self.top

    @property
    def is_empty(self) -> bool:
        return self.left >= self.right or self.top >= self.bottom

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


def enclosing(patches: Sequence[Patch]) -> Patch:
    """The smallest that has all of them in it."""
    lefts, tops, rights, bottoms = zip(*patches, strict=True)
    return Patch(min(lefts), min(tops), max(rights), max(bottoms))


def pencil(image: Image.Image, patch: Patch) -> ImageDraw.ImageDraw:
    """Draws on the image of a patch, with all coordinates those of the sheet and shades instead of colours."""
    return _Pencil(image, patch)


class _Pencil(ImageDraw.ImageDraw):
    """What is drawn a thousand times goes past the checks of Pillow, which take longer than the work."""

    def __init__(self, image: Image.Image, patch: Patch) -> None:
        super().__init__(image)
        self.draw: Any = _Moved(self.draw, patch.left, patch.top)

    def line(self, xy: Any, fill: Any = None, width: int = 0, joint: str | None = None) -> None:
        if joint and width > JOINED:
            super().line(xy, fill, width, joint)
        else:
            self.draw.draw_lines(xy, fill, width)

    def polygon(self, xy: Any, fill: Any = None, outline: Any = None, width: int = 1) -> None:
        if outline is None:
            self.draw.draw_polygon(xy, fill, 1)
        else:
            super().polygon(xy, fill, outline, width)


class _Moved:
    """What Pillow draws by, moved. Points are cut to whole pixels of the sheet first, as Pillow does: cut afterwards,
    a line would lie otherwise in each part."""

    def __init__(self, core: Any, left: int, top: int) -> None:
        self._core, self._left, self._top = core, left, top

    def _moved(self, points: Sequence[Any]) -> list[int]:
        left, top = self._left, self._top
        if isinstance(points[0], int | float):
            points = list(zip(points[::2], points[1::2], strict=True))
        return [part for x, y in points for part in (int(x) - left, int(y) - top)]

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
