"""What is drawn once and used often: one memory for all pictures of a process, bounded by the bytes of their pixels."""

from collections.abc import Iterable
from typing import Any

from PIL import Image

from pbem.memory import Lasting

#: All that a daemon holds of ground, counters, letters and keys. Europe at the four sizes of mails takes two thirds.
MOST_BYTES = 96_000_000
#: Of a picture without its pixels, and of anything else.
OVERHEAD = 500


def weight(drawn: Any) -> int:
    """Bytes of all pictures in a value: Pillow takes one a pixel, or four with colours."""
    if isinstance(drawn, Image.Image):
        return drawn.width * drawn.height * (1 if len(drawn.getbands()) == 1 else 4) + OVERHEAD
    if isinstance(drawn, dict):
        return weight(drawn.values())
    if isinstance(drawn, Iterable) and not isinstance(drawn, str):
        return OVERHEAD + sum(map(weight, drawn))
    return 0


PICTURES: Lasting[Any] = Lasting(MOST_BYTES, weight)
#: A function that draws: what it has drawn is kept as long as there is room, by what it was asked.
kept = PICTURES.results
