"""An agent in the form of COMP30024: it takes the move that goes furthest, and grows lily pads where none goes forward."""

from referee.game import Coord, Direction, GrowAction, IllegalActionException, MoveAction
from referee.game.board import Board

LONGEST_CHAIN = 4


class Agent:
    def __init__(self, color, **referee):
        self._color = color
        self._board = Board()
        self._forward = 1 if color.name == "RED" else -1
        self._ways = [way for way in Direction if way.r != -self._forward]

    def action(self, **referee):
        moves = [move for cell in self._frogs() for move in self._moves(cell, [])]
        best = max(moves, key=self._gain, default=None)
        return best if best is not None and self._gain(best) > 0 else GrowAction()

    def update(self, color, action, **referee):
        print("%s plays %s" % (color, action))
        self._board.apply_action(action)

    def _frogs(self):
        cells = [Coord(row, column) for row in range(8) for column in range(8)]
        # The last ones first, so that none is left behind.
        own = [cell for cell in cells if self._board[cell].state == self._color]
        return sorted(own, key=lambda cell: cell.r * self._forward)

    def _moves(self, cell, ways):
        """Every legal move of the frog at `cell` that begins with `ways`; a chain of jumps at its end is longer still."""
        found = []
        for way in self._ways if len(ways) < LONGEST_CHAIN else []:
            move = MoveAction(cell, ways + [way])
            try:
                self._board.apply_action(move)
            except (IllegalActionException, ValueError):
                continue
            gone = self._board.undo_action().cell_mutations[1].cell
            found.append(move)
            if abs(gone.r - cell.r) + abs(gone.c - cell.c) > len(ways) + 2 or ways:
                found += self._moves(cell, ways + [way])
        return found

    def _gain(self, move):
        self._board.apply_action(move)
        moved = self._board.undo_action().cell_mutations[1].cell
        return (moved.r - move.coord.r) * self._forward
