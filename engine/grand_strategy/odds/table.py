"""The odds of a sheet as the table that its receipt shows."""

from collections.abc import Iterator, Sequence

from engine.forecast import Column, Forecast, Row
from engine.grand_strategy.odds.odds import Odds, Part

COLUMNS = (
    Column("strength", "fires", "number"),
    Column("inflicted", "he loses", "points"),
    Column("suffered", "you lose", "points"),
    Column("success", "gets in", "chance"),
)
ABOUT = "Losses are averages in strength points; the last column is the chance to get into the hex."


def table_of(odds: Sequence[Odds]) -> Forecast:
    if not odds:
        return Forecast()
    rows = tuple(row for number, each in enumerate(odds) for row in _rows(odds, number, each))
    return Forecast(COLUMNS, rows, tuple(said for each in odds for said in each.assumes), "attack", ABOUT)


def _rows(odds: Sequence[Odds], number: int, each: Odds) -> Iterator[Row]:
    if each.step:
        yield _step(each)
        return
    yield _attack(each, _fires_in_line_of(odds[:number], each))
    if len(each.parts) > 1:
        yield from map(_part, each.parts)
    against = [other for other in odds if not other.step and other.where == each.where]
    if len(against) > 1 and each is against[-1] and each.taken is not None and any(a.success for a in against):
        yield Row(0, f"{each.where} is taken", (None, None, None, each.taken))


def _step(each: Odds) -> Row:
    label, names = (f"{{}}, then {each.where}", (each.who,)) if each.step == 1 else (f"then {each.where}", ())
    return Row(each.line, label, (None, None, None, each.success), names, each.step, facts=each)


def _attack(each: Odds, leader: str) -> Row:
    if leader:
        cells = (None, None, each.suffered, each.success)
        return Row(each.line, f"{{}} {each.where}, with {{}}", cells, (each.who, leader), facts=each)
    cells_alone = (each.strength or None, each.inflicted, each.suffered, each.success)
    return Row(each.line, f"{{}} {each.where}", cells_alone, (each.who,), facts=each)


def _part(part: Part) -> Row:
    return Row(0, part.what, (part.strength or None, part.inflicted, part.suffered, None), part=True)


def _fires_in_line_of(earlier: Sequence[Odds], each: Odds) -> str:
    """Armies of one hex make one roll; it is told with the first of them."""
    return next((other.who for other in earlier if not other.step and other.who in each.fires_with), "")
