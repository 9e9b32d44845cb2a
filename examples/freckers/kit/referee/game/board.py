"""A board of Freckers on which actions are made and taken back."""

from dataclasses import dataclass

from .actions import Action, GrowAction, MoveAction
from .constants import BOARD_N, MAX_TURNS
from .coord import Coord, Direction
from .exceptions import IllegalActionException
from .player import PlayerColor

FORWARD = {PlayerColor.RED: 1, PlayerColor.BLUE: -1}
FAR_ROW = {PlayerColor.RED: BOARD_N - 1, PlayerColor.BLUE: 0}


@dataclass(frozen=True)
class CellState:
    """A side's frog, `"LilyPad"`, or `None` for water."""

    state: PlayerColor | str | None = None

    def __str__(self):
        return {PlayerColor.RED: "R", PlayerColor.BLUE: "B", "LilyPad": "*", None: "."}[self.state]


@dataclass(frozen=True)
class CellMutation:
    cell: Coord
    prev: CellState
    next: CellState


@dataclass(frozen=True)
class BoardMutation:
    """What an action has changed."""

    action: Action
    cell_mutations: tuple[CellMutation, ...]


def is_inside(row, column):
    return 0 <= row < BOARD_N and 0 <= column < BOARD_N


class Board:
    def __init__(self, initial_state=None, initial_player=PlayerColor.RED):
        self._state = dict(initial_state) if initial_state else self._start()
        self._turn_color = initial_player
        self._history = []

    @staticmethod
    def _start():
        state = {Coord(row, column): CellState() for row in range(BOARD_N) for column in range(BOARD_N)}
        for column in range(BOARD_N):
            middle = 0 < column < BOARD_N - 1
            for row, near, colour in ((0, 1, PlayerColor.RED), (BOARD_N - 1, BOARD_N - 2, PlayerColor.BLUE)):
                state[Coord(row, column)] = CellState(colour if middle else "LilyPad")
                if middle:
                    state[Coord(near, column)] = CellState("LilyPad")
        return state

    def __getitem__(self, cell):
        return self._state[cell]

    @property
    def turn_color(self):
        return self._turn_color

    @property
    def turn_count(self):
        return len(self._history)

    @property
    def game_over(self):
        return self.turn_count >= MAX_TURNS or any(self._score(colour) == 6 for colour in PlayerColor)

    @property
    def winner_color(self):
        red, blue = self._score(PlayerColor.RED), self._score(PlayerColor.BLUE)
        if not self.game_over or red == blue:
            return None
        return PlayerColor.RED if red > blue else PlayerColor.BLUE

    def _score(self, colour):
        return sum(self._state[Coord(FAR_ROW[colour], column)].state == colour for column in range(BOARD_N))

    def apply_action(self, action):
        """Makes an action of the side to move; raises IllegalActionException where it is not legal."""
        changed = self._grown() if isinstance(action, GrowAction) else self._moved(action)
        mutation = BoardMutation(action, tuple(CellMutation(cell, self._state[cell], to) for cell, to in changed))
        self._state.update(changed)
        self._history.append(mutation)
        self._turn_color = self._turn_color.opponent
        return mutation

    def undo_action(self):
        """Takes the last action back."""
        mutation = self._history.pop()
        self._state.update((change.cell, change.prev) for change in mutation.cell_mutations)
        self._turn_color = self._turn_color.opponent
        return mutation

    def _grown(self):
        own = [cell for cell, found in self._state.items() if found.state == self._turn_color]
        near = {(cell.r + way.r, cell.c + way.c) for cell in own for way in Direction}
        cells = [Coord(row, column) for row, column in sorted(near) if is_inside(row, column)]
        return [(cell, CellState("LilyPad")) for cell in cells if self._state[cell].state is None]

    def _moved(self, action):
        if not isinstance(action, MoveAction) or not action.directions:
            raise IllegalActionException("expected a move with a direction, or a growth", action)
        at, colour = action.coord, self._turn_color
        if self._state[at].state != colour:
            raise IllegalActionException("there is no frog of %s at %s" % (colour, at), action)
        for direction in action.directions:
            at = self._reached(at, direction, len(action.directions) == 1, action)
        if self._state[at].state != "LilyPad":
            raise IllegalActionException("there is no free lily pad at %s" % at, action)
        return [(action.coord, CellState()), (at, CellState(colour))]

    def _reached(self, at, direction, may_step, action):
        if direction.r == -FORWARD[self._turn_color]:
            raise IllegalActionException("frogs do not go back", action)
        row, column = at.r + direction.r, at.c + direction.c
        is_jump = is_inside(row, column) and isinstance(self._state[Coord(row, column)].state, PlayerColor)
        if is_jump:
            row, column = row + direction.r, column + direction.c
        if not is_inside(row, column) or not (is_jump or may_step):
            raise IllegalActionException("no frog can go from %s to %s" % (at, direction), action)
        if isinstance(self._state[Coord(row, column)].state, PlayerColor):
            raise IllegalActionException("another frog is there already", action)
        return Coord(row, column)

    def render(self, use_color=False, use_unicode=False):
        rows = range(BOARD_N)
        return "\n".join(" ".join(str(self._state[Coord(row, column)]) for column in rows) for row in rows)
