"""A finished picture as a PNG: reduced to the fixed palette, with nothing in it but pixels."""

import io

from PIL import Image

from pbem.draw.palette import fixed_palette

#: The usual effort of compression, and the one for a picture that would be too large for a mail.
#: The greatest there is takes twice as long as this and saves one part in a hundred.
EFFORT, GREAT_EFFORT = 6, 8
MOST_BYTES = 340_000


def as_png(picture: Image.Image) -> bytes:
    """Small enough to be mailed."""
    flat = _flat(picture)
    data = _encoded(flat, EFFORT)
    return data if len(data) <= MOST_BYTES else _encoded(flat, GREAT_EFFORT)


def as_printed_png(picture: Image.Image, dots_per_inch: int) -> bytes:
    """As large as it needs to be, and of the right size on paper."""
    return _encoded(_flat(picture), EFFORT, dots_per_inch)


def _flat(picture: Image.Image) -> Image.Image:
    return picture.quantize(palette=fixed_palette(), dither=Image.Dither.NONE)


def _encoded(flat: Image.Image, effort: int, dots_per_inch: int = 0) -> bytes:
    target = io.BytesIO()
    dpi = (dots_per_inch, dots_per_inch) if dots_per_inch else None
    flat.save(target, "PNG", compress_level=effort, dpi=dpi)
    return target.getvalue()
