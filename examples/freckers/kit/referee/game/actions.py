"""The two kinds of action."""

from dataclasses import dataclass

from .coord import Coord, Direction


@dataclass(frozen=True)
class MoveAction:
    """A frog goes one step, or jumps in these directions, one after the other; a single direction needs no list."""

    coord: Coord
    _directions: Direction | list[Direction] | tuple[Direction, ...]

    def __post_init__(self):
        one = isinstance(self._directions, Direction)
        object.__setattr__(self, "_directions", (self._directions,) if one else tuple(self._directions))

    @property
    def directions(self):
        return self._directions

    def __str__(self):
        return "MOVE(%s, [%s])" % (self.coord, ", ".join(map(str, self.directions)))


@dataclass(frozen=True)
class GrowAction:
    """Lily pads grow around all frogs of a side."""

    def __str__(self):
        return "GROW"


Action = MoveAction | GrowAction
