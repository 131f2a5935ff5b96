"""What orders would add to the board itself, for the picture of a player's own orders."""

import msgspec

from pbem.draw.counter import Face


class Intended(msgspec.Struct, frozen=True):
    """Whose orders they are, counters by place that come if something else does, and what is marked.

    `given_up` are forts, `violated` the places of each country to be attacked, `works` what is built in boxes.
    """

    side: str = ""
    counters: dict[str, tuple[Face, ...]] = {}
    given_up: tuple[str, ...] = ()
    violated: tuple[tuple[str, ...], ...] = ()
    works: dict[str, list[str]] = {}

    def is_violated(self, place: str) -> bool:
        return any(place in country for country in self.violated)

    def marks(self, place: str) -> bool:
        return place in self.counters or place in self.works or self.is_violated(place)


NOTHING = Intended()
