"""What a report begins with: hexes won and lost since the last one, and how many villages each clan holds."""

from pbem.games.box import Lead
from tests.toy.round_island.rules.board import villages
from tests.toy.round_island.rules.view import View
from tests.toy.round_island.shown.names import place_name, side_name
from tests.toy.round_island.shown.record import records


def lead_of(before: View | None, now: View) -> Lead:
    """Who owns a hex is known to everybody (RI-8.1)."""
    owned = before.owner if before is not None else now.owner
    changed = [hex_id for hex_id in sorted(now.owner) if owned.get(hex_id) != now.owner[hex_id]]
    taken = [place_name(hex_id) for hex_id in changed if now.owner[hex_id] == now.side]
    lost = [place_name(hex_id) for hex_id in changed if owned.get(hex_id) == now.side]
    held = ", ".join(f"{side_name(each.side)} {each.villages}" for each in records(now))
    winning = f"Villages: {held}, of {len(villages())}; moon {now.moon} of {now.last_moon}."
    lines = (("Taken", ", ".join(taken)), ("Lost", ", ".join(lost)), ("Winning", winning))
    headline = ", ".join(f"{len(names)} {what}" for names, what in ((lost, "lost"), (taken, "taken")) if names)
    return Lead(headline, tuple(line for line in lines if line[1]))
