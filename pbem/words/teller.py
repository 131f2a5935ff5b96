"""What every diary needs to tell events: their tags, the list of their dice, names that stay together."""

from collections.abc import Callable
from typing import Any

import msgspec

from engine.events import Event, Roll
from pbem.words.wording import TIE


def tied(name: Callable[[str], str]) -> Callable[[str], str]:
    """Names in a running text are not broken at the end of a line."""
    return lambda key: name(key).replace(" ", TIE)


def tag_of(event: Event) -> str:
    return str(type(event).__struct_config__.tag)


def macro_name(event: Event) -> str:
    return tag_of(event).replace("-", "_")


class DiceList:
    """The dice of a report in the order the text mentions them, numbered so that it can point at them."""

    def __init__(self) -> None:
        self.rolls: list[Roll] = []

    def number(self, roll: Roll) -> int:
        if roll not in self.rolls:
            self.rolls.append(roll)
        return self.rolls.index(roll) + 1


# ------------------------------------------------------------------ listings


def plain_fields(value: Any, dice: DiceList | None = None) -> list[tuple[str, str]]:
    """The fields of a struct as text, for a listing; of an event not who saw it and which line it came of.

    Dice are told as in any diary, so that they can be checked.
    """
    untold = Event.__struct_fields__ if isinstance(value, Event) else ()
    names = [field for field in value.__struct_fields__ if field not in untold]
    return [(name, _plain(getattr(value, name), dice)) for name in names]


def _plain(value: Any, dice: DiceList | None) -> str:
    if dice is not None and isinstance(value, Roll):
        return _die(value, dice)
    if dice is not None and isinstance(value, tuple) and value and isinstance(value[0], Roll):
        return "; ".join(_die(roll, dice) for roll in value)
    if isinstance(value, str | int | None):
        return str(value)
    return msgspec.json.encode(value, order="deterministic").decode()


def _die(roll: Roll, dice: DiceList) -> str:
    added = "".join(f", {modifier.value:+d} {modifier.why}" for modifier in roll.modifiers)
    return f"die {roll.die}{added}{f' = {roll.total}' if added else ''} [#{dice.number(roll)}]"
