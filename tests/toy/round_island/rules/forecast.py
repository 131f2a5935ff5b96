"""The odds of a sheet, worked out exactly from what its side knows."""

from collections.abc import Iterator
from fractions import Fraction

from engine.forecast import Assumption, Column, Forecast, Row, spanning
from engine.orders import Sheet
from tests.toy.round_island.rules.battle import chance_to_win, costs
from tests.toy.round_island.rules.board import neighbours, other
from tests.toy.round_island.rules.plan import Marching, plan_of
from tests.toy.round_island.rules.view import View

STAYS = Assumption("who stands there stays, and nobody comes from out of sight")
COLUMNS = (
    Column("spears", "spears", "number"),
    Column("inflicted", "they lose", "points"),
    Column("suffered", "you lose", "points"),
    Column("success", "you win", "chance"),
)
ABOUT = "Losses are averages in spears; the last column is the chance to take the hex."


def forecast_sheet(view: View, sheet: Sheet) -> Forecast:
    """One row for each hex that is marched into where an enemy is counted, with the first line that goes there."""
    if view.side is None or view.gate is None or sheet.refused:
        return Forecast()
    marches = plan_of(view.spears_of(view.side), sheet.lines).marches
    rows = tuple(row_of(view, hex_id, going) for hex_id, going in _by_target(marches) if _enemy_in(view, hex_id))
    return Forecast(COLUMNS, rows, (STAYS,), "march", ABOUT) if rows else Forecast()


def _by_target(marches: tuple[Marching, ...]) -> Iterator[tuple[str, list[Marching]]]:
    for hex_id in dict.fromkeys(each.target for each in marches):
        yield hex_id, [each for each in marches if each.target == hex_id]


def _enemy_in(view: View, hex_id: str) -> int:
    return view.spears_of(other(view.side or "")).get(hex_id, 0)


def row_of(view: View, hex_id: str, going: list[Marching]) -> Row:
    """From the worst, where all that are counted beside it come to help, to the enemy as it stands."""
    attacking, standing = sum(each.spears for each in going), _enemy_in(view, hex_id)
    helping = sum(_enemy_in(view, beside) for beside in neighbours(hex_id))
    cases = [_case(attacking, defending, hex_id) for defending in {standing, standing + helping}]
    spans = (spanning(list(numbers)) for numbers in zip(*cases, strict=True))
    origins = " and ".join(dict.fromkeys(each.origin for each in going))
    return Row(going[0].line, f"{origins} to {hex_id}", (attacking, *spans))


def _case(attacking: int, defending: int, hex_id: str) -> tuple[Fraction, Fraction, Fraction]:
    """What both lose on average against so many, and the chance to win."""
    chance = chance_to_win(attacking, defending, hex_id)
    won, beaten = costs(attacking, defending, won=True), costs(attacking, defending, won=False)
    return (
        chance * won.defender + (1 - chance) * beaten.defender,
        chance * won.attacker + (1 - chance) * beaten.attacker,
        chance,
    )
