"""The production list of a sheet, with what each line costs and what that comes to."""

from engine.grand_strategy.drafted import Bill
from pbem.games.box import Plan
from pbem.games.hitlers_war.names import as_in_orders
from pbem.words.wording import environment, visible


def plan_of(bill: Bill | None) -> Plan | None:
    """None where no line costs anything: then it is said that all would be lost."""
    if bill is None or not bill.prices:
        return None
    words = environment().get_template("hitlers-war/plan.txt.j2").make_module({"bill": bill})
    rows = tuple(
        (price.line, visible(as_in_orders(price.order)), _said(words.price(price.cost)))  # type: ignore[attr-defined]
        for price in bill.prices
    )
    return Plan(_said(words.title()), rows, _said(words.together()))  # type: ignore[attr-defined]


def _said(text: object) -> str:
    return " ".join(str(text).split())
