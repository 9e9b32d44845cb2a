"""The two sides."""

from enum import Enum


class PlayerColor(Enum):
    RED = 0
    BLUE = 1

    @property
    def opponent(self):
        return PlayerColor.BLUE if self is PlayerColor.RED else PlayerColor.RED

    def __str__(self):
        return self.name
