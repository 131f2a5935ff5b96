"""A board and record sheets together, to be printed on A3 and hung on a wall."""

from collections.abc import Sequence

from PIL import Image

from pbem.draw.card import ROOMY, TIGHT, Card, paint_card
from pbem.draw.card import WIDTH as CARD_WIDTH
from pbem.draw.fonts import folded
from pbem.draw.pen import Pen
from pbem.draw.scene import Titles
from pbem.draw.style import Style

#: A3 on its side at 300 dots an inch.
WIDTH, HEIGHT, DOTS_PER_INCH = 4961, 3508, 300
MARGIN, GAP = 60, 40
LEAST_HEADING = 400


def paint_page(board: Image.Image, cards: Sequence[Card], titles: Titles, summary: str, style: Style) -> Image.Image:
    """The board at the left; the cards one below the other, and a heading in what is left above them."""
    page = Image.new("RGB", (WIDTH, HEIGHT), style.paper)
    page.paste(board, (MARGIN // 2, (HEIGHT - board.height) // 2))
    left = MARGIN // 2 + board.width + GAP
    width = WIDTH - MARGIN - left
    painted = _painted(cards, width, style)
    top = HEIGHT - MARGIN - sum(card.height + GAP for card in painted) + GAP
    if top - MARGIN > LEAST_HEADING:
        page.paste(_heading(titles, summary, style, width, top - MARGIN - GAP), (left, MARGIN))
    for card in painted:
        page.paste(card, (left + (width - card.width) // 2, top))
        top += card.height + GAP
    return page


def _painted(cards: Sequence[Card], width: int, style: Style) -> list[Image.Image]:
    """As wide as there is room, or as they may be high."""
    heights, unit = ROOMY if len(cards) == 2 else TIGHT, width / CARD_WIDTH
    tallest = (HEIGHT - 2 * MARGIN + GAP) / len(cards) - GAP
    first = paint_card(cards[0], style, unit, heights)
    if first.height > tallest:
        unit *= tallest / first.height
    return [paint_card(card, style, unit, heights) for card in cards]


def _heading(titles: Titles, summary: str, style: Style, width: int, height: int) -> Image.Image:
    pen = Pen(style, width, height, 1.0)
    middle, top, soft = width / 2, height / 2 - 190, style.soft_ink
    pen.write(middle, top, titles.war, 120, face="bold", align="centre", room=width * 0.92, tracking=8)
    pen.rule(width * 0.1, top + 100, width * 0.8, colour=soft, thick=3)
    pen.write(middle, top + 170, titles.date, 64, face="sans", align="centre", room=width * 0.9)
    pen.write(middle, top + 260, titles.reader, 42, colour=soft, align="centre", room=width * 0.95)
    for number, line in enumerate(folded(summary, "narrow", 38, width * 0.86)):
        pen.write(middle, top + 360 + number * 54, line, 38, align="centre")
    return pen.image
