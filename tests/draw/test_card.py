"""A record sheet is drawn from rows, entries and counters alone, whatever the game, and printed beside a board."""

from msgspec.structs import replace
from PIL import Image

from pbem.draw.card import HEAD, MARGIN, ROOMY, TABLE_HEAD, TIGHT, WIDTH, Card, paint_card
from pbem.draw.page import HEIGHT, paint_page
from pbem.draw.scene import Face, Titles
from pbem.words.tables import Cell, Column, Entry, Mark, Row, Table, Words
from tools.wide_board import wide_style

STYLE = wide_style()
SIDE = STYLE.sides[0].side
COLUMNS = {name: Column(Words(name.upper())) for name in ("army", "where", "spears", "horse", "total", "change")}
GUARD = Face(SIDE, "Guard", "foot", "3S")


def row(army: str, key: str = "", **cells: str) -> Row:
    said = {"army": army, "where": "home", "change": "", "total": "3", **cells}
    return Row({name: Cell(Words(words)) for name, words in said.items()}, key)


def card(**changed: object) -> Card:
    rows = (row("Guard", "G", spears="3"), row("Scouts", total=""))
    season = {
        name: Cell(Words(said)) for name, said in (("season", "Next moon: 4"), ("budget", "4"), ("how", "harvest"))
    }
    known = Card(
        SIDE,
        "Ember",
        "Record sheet",
        Titles("ROUND ISLAND", "Moon 3", "as known"),
        Table(COLUMNS, rows, total=row("All", spears="3")),
        boxes=("spears", "horse"),
        used=("spears",),
        counters={"G": GUARD},
        strip=Entry(Words("HARVEST"), Words("none left")),
        seasons=(Row(season),),
        entries=(Entry(Words("TAKEN"), Words("Cinder"), at=(0, 0)),),
    )
    return replace(known, **changed)


def painted(shown: Card) -> bytes:
    return paint_card(shown, STYLE).tobytes()


def test_a_card_is_as_high_as_its_rows() -> None:
    """A head, a row for each army and one for all of them, the seasons, and one band of entries."""
    low = paint_card(card(), STYLE)
    assert low.size == (WIDTH, HEAD + TABLE_HEAD + 3 * ROOMY.row + ROOMY.strip + ROOMY.band + MARGIN)
    armies = card().armies
    longer = card(armies=replace(armies, rows=(*armies.rows, row("Riders", horse="2"))))
    assert paint_card(longer, STYLE).height - low.height == ROOMY.row
    assert low.height - paint_card(card(), STYLE, heights=TIGHT).height > 3 * (ROOMY.row - TIGHT.row)
    assert low.height - paint_card(card(seasons=()), STYLE).height == ROOMY.strip - ROOMY.low_strip


def test_all_that_a_card_has_is_seen() -> None:
    armies = card().armies
    guard, scouts = armies.rows
    noted = replace(guard, marks=(Mark(Words("cut off")),))
    changed = [
        card(name="Tide"),
        card(title="As far as known"),
        card(titles=Titles("ROUND ISLAND", "Moon 4", "as known")),
        card(armies=replace(armies, rows=(noted, scouts))),
        card(armies=replace(armies, rows=(noted, scouts)), counters={"G": replace(GUARD, badge="⊘")}),
        card(armies=replace(armies, total=row("All", spears="4"))),
        card(used=("spears", "horse")),
        card(counters={}),
        card(counters={"G": replace(GUARD, bars=2)}),
        card(strip=Entry(Words("CROPS"), Words("none left"))),
        card(entries=()),
    ]
    pictures = [painted(each) for each in (card(), *changed)]
    assert len(set(pictures)) == len(pictures)


def test_boxes_of_points_that_are_not_used_stay_dark_whatever_is_said() -> None:
    armies = card().armies
    guard, scouts = armies.rows
    said = replace(guard, cells={**guard.cells, "horse": Cell(Words("2"))})
    with_horses = card(armies=replace(armies, rows=(said, scouts)))
    assert painted(with_horses) == painted(card())
    assert painted(replace(with_horses, used=("spears", "horse"))) != painted(card(used=("spears", "horse")))


def test_a_page_holds_a_board_and_every_card() -> None:
    """Below one another at the right, none of them over the edge, and a heading where there is room."""
    board = Image.new("RGB", (2400, HEIGHT - 60), STYLE.white)
    two, three = (paint_page(board, [card()] * count, card().titles, "A small war.", STYLE) for count in (2, 3))
    assert two.size == three.size
    assert two.getpixel((1000, 1000)) == Image.new("RGB", (1, 1), STYLE.white).getpixel((0, 0))
    bottom = (2500, HEIGHT - 700, two.width, HEIGHT)
    assert two.crop(bottom).tobytes() != three.crop(bottom).tobytes()
    other = paint_page(board, [card()] * 2, card().titles, "A great war.", STYLE)
    assert other.tobytes() != two.tobytes()
