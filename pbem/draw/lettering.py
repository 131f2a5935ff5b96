"""The names written across the map, from `lettering.yaml`."""

from functools import lru_cache
from math import cos, radians, sin

import msgspec

from engine.load import load_yaml
from pbem.draw.geometry import ROW, Point


class Name(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    at: tuple[float, float]
    size: float
    wide: float
    turn: float = 0

    @property
    def middle(self) -> Point:
        return self.at[0], self.at[1] * ROW

    def covers(self, x: float, y: float) -> bool:
        """Whether a point of the board lies on the name or close to it."""
        dx, dy, angle = x - self.middle[0], y - self.middle[1], radians(self.turn)
        along, across = dx * cos(angle) + dy * sin(angle), dy * cos(angle) - dx * sin(angle)
        half = len(self.name) * self.size * (0.7 + self.wide) / 2
        return abs(along) < half + 0.05 and abs(across) < self.size * 0.6 + 0.08


class Lettering(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    countries: tuple[Name, ...]
    waters: tuple[Name, ...]


@lru_cache(maxsize=1)
def lettering() -> Lettering:
    return msgspec.convert(load_yaml("hitlers-war", "lettering.yaml"), Lettering)
