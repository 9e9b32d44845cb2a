"""Tests of the rules: `python3 test_rules.py`, in this folder."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "rules"))
from MODULE import TicTacToe  # noqa: E402

GAME = TicTacToe()


def after(*moves):
    """The state after these moves from the start."""
    state = GAME.start("X")
    for move in moves:
        state = GAME.play(state, move)
    return state


class Rules(unittest.TestCase):
    def test_nine_squares_are_empty_at_the_start(self):
        self.assertEqual(len(GAME.moves(GAME.start("X"))), 9)

    def test_three_in_a_row_win(self):
        side, status = GAME.status(after("a1", "a3", "b1", "b3", "c1"))
        self.assertEqual((status["kind"], status["winner"]), ("won", "X"))

    def test_a_full_board_is_a_draw(self):
        side, status = GAME.status(after("b2", "a1", "a3", "c1", "b1", "b3", "a2", "c2", "c3"))
        self.assertEqual(status["kind"], "drawn")


if __name__ == "__main__":
    unittest.main()
