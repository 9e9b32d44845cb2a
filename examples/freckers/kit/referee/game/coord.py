"""Cells and directions, with the arithmetic of both."""

from dataclasses import dataclass
from enum import Enum

from .constants import BOARD_N


@dataclass(frozen=True, order=True)
class Vector2:
    r: int
    c: int

    def __add__(self, other):
        return type(self)(self.r + other.r, self.c + other.c)

    def __sub__(self, other):
        return type(self)(self.r - other.r, self.c - other.c)

    def __neg__(self):
        return type(self)(-self.r, -self.c)

    def __mul__(self, factor):
        return type(self)(self.r * factor, self.c * factor)

    def __iter__(self):
        return iter((self.r, self.c))

    def down(self, n=1):
        return self + Vector2(n, 0)

    def up(self, n=1):
        return self + Vector2(-n, 0)

    def left(self, n=1):
        return self + Vector2(0, -n)

    def right(self, n=1):
        return self + Vector2(0, n)


@dataclass(frozen=True, order=True)
class Coord(Vector2):
    """A cell; one outside the board is a ValueError."""

    def __post_init__(self):
        if not (0 <= self.r < BOARD_N and 0 <= self.c < BOARD_N):
            raise ValueError("out of bounds: (%s, %s)" % (self.r, self.c))

    def __str__(self):
        return "%d-%d" % (self.r, self.c)


class Direction(Enum):
    Down = Vector2(1, 0)
    DownLeft = Vector2(1, -1)
    DownRight = Vector2(1, 1)
    Up = Vector2(-1, 0)
    UpLeft = Vector2(-1, -1)
    UpRight = Vector2(-1, 1)
    Left = Vector2(0, -1)
    Right = Vector2(0, 1)

    @classmethod
    def of(cls, r, c):
        return cls(Vector2(r, c))

    @property
    def r(self):
        return self.value.r

    @property
    def c(self):
        return self.value.c

    def __neg__(self):
        return Direction(-self.value)

    def __add__(self, other):
        return self.value + Vector2(other.r, other.c)

    def __mul__(self, factor):
        return self.value * factor

    def __str__(self):
        return {"Down": "[↓]", "DownLeft": "[↙]", "DownRight": "[↘]", "Up": "[↑]", "UpLeft": "[↖]", "UpRight": "[↗]",
                "Left": "[←]", "Right": "[→]"}[self.name]
