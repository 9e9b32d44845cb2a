"""The types that agents of COMP30024 (2025) import from their course's referee, and its board.

Written from the public interface, so that agents run here as they are. A course that has the original puts that into the kit
instead. Licence: MIT or Apache-2.0, at your option.
"""

from .actions import Action, GrowAction, MoveAction
from .board import Board, BoardMutation, CellMutation, CellState
from .constants import BOARD_N, MAX_TURNS
from .coord import Coord, Direction, Vector2
from .exceptions import IllegalActionException
from .player import PlayerColor

__all__ = [
    "BOARD_N", "MAX_TURNS", "Action", "Board", "BoardMutation", "CellMutation", "CellState", "Coord", "Direction", "GameBegin",
    "GrowAction", "IllegalActionException", "MoveAction", "PlayerColor", "Vector2",
]


class GameBegin:
    """An event of the course's referee, which some agents import; here there is none."""
