"""An agent in the form of COMP30024 that is wrong: from its third action on, it moves a frog that it does not have."""

from referee.game import Coord, Direction, GrowAction, MoveAction, PlayerColor


class Agent:
    def __init__(self, color, **referee):
        self._actions = 0
        self._way = Direction.Down if color == PlayerColor.RED else Direction.Up

    def action(self, **referee):
        self._actions += 1
        return GrowAction() if self._actions < 3 else MoveAction(Coord(3, 3), self._way)

    def update(self, color, action, **referee):
        pass
