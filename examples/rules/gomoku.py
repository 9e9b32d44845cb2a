"""Gomoku on 15x15 as a rules program: a large board, and an evaluation of a few lines.

A side puts a stone on an empty point, and wins with five or more of its stones in a row.
"""

import re

from referee_rules import Game, Refuse, Unreadable, drawn, quoted, to_move, won

SIZE = 15
COLUMNS, ROWS = "abcdefghijklmno", [str(row) for row in range(SIZE, 0, -1)]
OTHER = {"X": "O", "O": "X"}
DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]
# Every five points in a row, as places in the rows written one after the other.
FIVES = [
    [(row + step * down) * SIZE + column + step * right for step in range(5)]
    for row in range(SIZE)
    for column in range(SIZE)
    for down, right in DIRECTIONS
    if row + 4 * down < SIZE and 0 <= column + 4 * right < SIZE
]
# What so many stones among five points are worth where the other side has none there.
WORTH = [0, 1, 10, 100, 1000]


def name(row, column):
    return COLUMNS[column] + ROWS[row]


def place(point):
    return ROWS.index(point[1:]), COLUMNS.index(point[0])


class Gomoku(Game):
    name, title = "gomoku", "Gomoku"
    sides = ("X", "O")
    columns, rows, surface = COLUMNS, ROWS, "points"
    pieces = {"X": {"side": "X", "shape": "stone"}, "O": {"side": "O", "shape": "stone"}}
    time_line, input_lines = 2, 2 + SIZE
    play_time = 300.0
    typical_moves = 30
    goals = {"five": "it has five in a row"}
    draw_reasons = {"full-board": "no point is empty"}
    rules = {
        "not-a-point": ("points", "a move is the name of a point, `a1` to `o15`"),
        "extra-line": ("points", "a move is a single point"),
        "occupied": ("empty points", "a stone is put on an empty point"),
    }

    def start(self, side):
        return {"board": ["." * SIZE] * SIZE, "side": side}

    def moves(self, state):
        return [name(row, column) for row, line in enumerate(state["board"]) for column, sign in enumerate(line) if sign == "."]

    def play(self, state, move):
        (row, column), board = place(move), list(state["board"])
        board[row] = board[row][:column] + state["side"] + board[row][column + 1 :]
        return {"board": board, "side": OTHER[state["side"]]}

    def status(self, state):
        # Only the side that has just moved can have made five.
        before, signs = OTHER[state["side"]], "".join(state["board"])
        if any(all(signs[place] == before for place in five) for five in FIVES):
            return won(before, "five", state["side"])
        return to_move(state["side"]) if "." in signs else drawn(state["side"], "full-board")

    def evaluate(self, state, side):
        value, signs = 0, "".join(state["board"])
        for five in FIVES:
            stones = [signs[place] for place in five]
            own, others = stones.count(side), stones.count(OTHER[side])
            if not others:
                value += WORTH[own]
            elif not own:
                value -= WORTH[others]
        return value

    def to_input(self, state, clocks):
        return "\n".join([state["side"], clocks.own] + state["board"]) + "\n"

    def from_input(self, text):
        side, _, *board = text.split() if len(text.split()) == 2 + SIZE else ("", "")
        if side not in OTHER or any(not re.fullmatch("[XO.]{%d}" % SIZE, row) for row in board):
            raise Unreadable(1, "expected `X` or `O`, the seconds left and %d rows" % SIZE)
        return {"board": board, "side": side}

    def from_output(self, text):
        line, *further = self.lines(text)
        if further:
            raise Refuse("extra-line", "%s is an extra line" % quoted(further[0]), at=further[0])
        if not re.fullmatch("[a-o]([1-9]|1[0-5])", line):
            raise Refuse("not-a-point", "%s is not a point" % quoted(line), "points are `a1` to `o15`", at=line)
        return str(line)

    def check(self, state, move):
        row, column = place(move)
        if state["board"][row][column] != ".":
            raise Refuse("occupied", "`%s` is occupied" % move, line=1)


if __name__ == "__main__":
    Gomoku().run()
