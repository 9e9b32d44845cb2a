"""An agent in the form of COMP30024: it takes the move that brings its frogs furthest, and grows lily pads where none does."""

from referee.game import BOARD_N, Board, Coord, Direction, GrowAction, IllegalActionException, MoveAction

LONGEST_CHAIN = 4
ROW, COLUMN = 20, 1  # what a row and a column that a frog still has to go count


class Agent:
    def __init__(self, color, **referee):
        self._color = color
        self._board = Board()
        self._far_row = BOARD_N - 1 if color.name == "RED" else 0
        back = -1 if color.name == "RED" else 1
        self._ways = [way for way in Direction if way.r != back]

    def action(self, **referee):
        moves = [move for frog in self._frogs() for move in self._moves(frog, [])]
        best = min(moves, key=self._left_after, default=None)
        return best if best is not None and self._left_after(best) < self._left() else GrowAction()

    def update(self, color, action, **referee):
        print("%s plays %s, %.1f s left" % (color, action, referee["time_remaining"]))
        self._board.apply_action(action)

    def _frogs(self):
        """The agent's own frogs, those that have furthest to go first."""
        cells = [Coord(row, column) for row in range(BOARD_N) for column in range(BOARD_N)]
        own = [cell for cell in cells if self._board[cell].state == self._color]
        return sorted(own, key=lambda cell: -abs(self._far_row - cell.r))

    def _moves(self, frog, ways):
        """Every legal move of a frog that begins with `ways`."""
        found = []
        for way in self._ways:
            move = MoveAction(frog, ways + [way])
            try:
                to = self._board.apply_action(move).cell_mutations[1].cell
            except (IllegalActionException, ValueError):
                continue
            self._board.undo_action()
            found.append(move)
            is_jump = ways or max(abs(to.r - frog.r), abs(to.c - frog.c)) == 2
            if is_jump and len(move.directions) < LONGEST_CHAIN:
                found += self._moves(frog, ways + [way])
        return found

    def _left_after(self, move):
        self._board.apply_action(move)
        left = self._left()
        self._board.undo_action()
        return left

    def _left(self):
        """How far the frogs have to go: rows, and columns to a cell of the far row that none of them has."""
        far = [Coord(self._far_row, column) for column in range(BOARD_N)]
        free = [cell.c for cell in far if self._board[cell].state != self._color]
        ahead = [frog for frog in self._frogs() if frog.r != self._far_row]
        return sum(
            ROW * abs(self._far_row - frog.r) + COLUMN * min(abs(frog.c - column) for column in free) for frog in ahead
        )
