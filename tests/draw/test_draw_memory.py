"""What a referee that draws keeps in memory: a thousand games share one small machine."""

from pbem.draw.control import SCALES, TiledGround, ground_in_tiles
from pbem.draw.cutout import SCALES as OF_CUT_OUTS
from pbem.games.hitlers_war.atlas import europe_atlas
from pbem.games.hitlers_war.pictures import SCALE as OF_THE_MAP

IN_MAILS = sorted({OF_THE_MAP, *OF_CUT_OUTS})
#: A sheet of all scales has 21 million pixels.
MOST_BYTES = 56_000_000


def bytes_of(base: TiledGround) -> int:
    """Each of these takes a byte a pixel."""
    pictures = [base.canvas, *(picture for tile in base.tiles.values() for picture in (tile.inks, tile.mask))]
    assert {picture.mode for picture in pictures} <= {"P", "L", "1"}
    return sum(picture.width * picture.height for picture in pictures)


def test_the_ground_is_drawn_once_for_every_scale_that_mails_have() -> None:
    assert len(IN_MAILS) == SCALES
    kept = [ground_in_tiles(europe_atlas(), scale) for scale in IN_MAILS]
    assert all(
        again is first
        for again, first in zip((ground_in_tiles(europe_atlas(), scale) for scale in IN_MAILS), kept, strict=True)
    )


def test_the_ground_of_all_scales_takes_little_room() -> None:
    assert sum(bytes_of(ground_in_tiles(europe_atlas(), scale)) for scale in IN_MAILS) < MOST_BYTES
