"""Numbers of the game."""

BOARD_N = 8
MAX_TURNS = 150
