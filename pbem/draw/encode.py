"""A finished picture as a PNG: reduced to the fixed palette, with nothing in it but pixels."""

import struct
from collections.abc import Iterator
from zlib import crc32

from PIL import Image

from pbem.draw.palette import flattened
from pbem.draw.style import Style

try:
    from zlib_ng.zlib_ng import compress  # takes less than half of the time, for a file no larger
except ImportError:  # it is not made for every machine
    from zlib import compress

#: The usual effort of compression, and the one for a picture that would be too large for a mail.
#: The greatest there is takes twice as long as this and saves one part in a hundred.
EFFORT, GREAT_EFFORT = 5, 8
MOST_BYTES = 340_000
SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: Of a pixel: eight bits, which are a number in the palette.
DEPTH, BY_PALETTE = 8, 3
INCH = 0.0254  # in metres
METRE = 1


def as_png(picture: Image.Image, style: Style) -> bytes:
    """Small enough to be mailed."""
    flat = flattened(picture, style)
    data = _encoded(flat, EFFORT)
    return data if len(data) <= MOST_BYTES else _encoded(flat, GREAT_EFFORT)


def as_printed_png(picture: Image.Image, style: Style, dots_per_inch: int) -> bytes:
    """As large as it needs to be, and of the right size on paper."""
    return _encoded(flattened(picture, style), EFFORT, dots_per_inch)


def _encoded(flat: Image.Image, effort: int, dots_per_inch: int = 0) -> bytes:
    """Written here and not by Pillow, which compresses row by row and takes twice as long."""
    return SIGNATURE + b"".join(_chunk(kind, data) for kind, data in _chunks(flat, effort, dots_per_inch))


def _chunks(flat: Image.Image, effort: int, dots_per_inch: int) -> Iterator[tuple[bytes, bytes]]:
    yield b"IHDR", struct.pack(">IIBBBBB", *flat.size, DEPTH, BY_PALETTE, 0, 0, 0)
    yield b"PLTE", bytes(flat.getpalette() or ())
    if dots_per_inch:
        yield b"pHYs", struct.pack(">IIB", *[round(dots_per_inch / INCH)] * 2, METRE)
    yield b"IDAT", compress(_rows(flat), effort)
    yield b"IEND", b""


def _rows(flat: Image.Image) -> bytes:
    """Before each row stands the number of its filter: 0, none, which is best for flat colours."""
    return flat.crop((-1, 0, flat.width, flat.height)).tobytes()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc32(kind + data))
