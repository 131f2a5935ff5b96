"""The order form: what a side may look up while it writes, as comments."""

from engine.game import Gate, Side
from engine.grand_strategy.view import View
from pbem.games.hitlers_war.names import army_abbreviation, free_counters, place_name
from pbem.words.wording import render


def form_lines(match_id: int, view: View, gate: Gate, side: Side) -> str:
    return render(
        "hitlers-war/form.txt.j2",
        match_id=match_id,
        view=view,
        gate=gate,
        side=side,
        on_turn=side in gate.awaits,
        armies=[army for army in view.armies.values() if army.side == side],
        free=free_counters(view, side),
        place_name=place_name,
        abbreviation=army_abbreviation,
    )
