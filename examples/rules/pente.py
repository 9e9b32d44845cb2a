"""Pente on 19x19 as a rules program: captures, a large board, and an evaluation of a few lines.

A side puts a stone on an empty point. Two stones of the other side between the new one and another of its own are captured. Five
or more stones in a row win, and so do ten captured stones.
"""

import re

from referee_rules import Game, Refuse, Unreadable, drawn, quoted, to_move, won

SIZE = 19
COLUMNS, ROWS = "abcdefghijklmnopqrs", [str(row) for row in range(SIZE, 0, -1)]
OTHER = {"W": "B", "B": "W"}
DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]
# Every five points in a row, as places in the rows written one after the other.
FIVES = [
    [(row + step * down) * SIZE + column + step * right for step in range(5)]
    for row in range(SIZE)
    for column in range(SIZE)
    for down, right in DIRECTIONS
    if row + 4 * down < SIZE and 0 <= column + 4 * right < SIZE
]
# What so many stones among five points are worth where the other side has none there, and so many captured pairs.
WORTH = [0, 1, 10, 100, 1000]
CAPTURED = [0, 100, 250, 600, 2000]


def name(row, column):
    return COLUMNS[column] + ROWS[row]


def place(point):
    return ROWS.index(point[1:]), COLUMNS.index(point[0])


class Pente(Game):
    name, title = "pente", "Pente"
    sides, side_names, first = ("B", "W"), ("Black", "White"), "W"
    columns, rows, surface = COLUMNS, ROWS, "points"
    pieces = {"W": {"side": "W", "shape": "stone"}, "B": {"side": "B", "shape": "stone"}}
    time_line, input_lines = 2, 3 + SIZE
    play_time = 300.0
    typical_moves = 30
    goals = {"five": "it has five in a row", "captures": "it has captured ten stones"}
    draw_reasons = {"full-board": "no point is empty"}
    rules = {
        "not-a-point": ("points", "a move is the name of a point, `a1` to `s19`"),
        "extra-line": ("points", "a move is a single point"),
        "occupied": ("empty points", "a stone is put on an empty point"),
    }

    # `pairs` are the pairs that each side has captured.

    def start(self, side):
        return {"board": ["." * SIZE] * SIZE, "side": side, "pairs": {"W": 0, "B": 0}}

    def moves(self, state):
        return [name(row, column) for row, line in enumerate(state["board"]) for column, sign in enumerate(line) if sign == "."]

    def play(self, state, move):
        (row, column), side = place(move), state["side"]
        grid, pairs = [list(line) for line in state["board"]], dict(state["pairs"])
        grid[row][column] = side
        for down, right in DIRECTIONS + [(-down, -right) for down, right in DIRECTIONS]:
            line = [(row + step * down, column + step * right) for step in (1, 2, 3)]
            if 0 <= line[2][0] < SIZE and 0 <= line[2][1] < SIZE:
                if [grid[down][right] for down, right in line] == [OTHER[side], OTHER[side], side]:
                    pairs[side] += 1
                    for down_taken, right_taken in line[:2]:
                        grid[down_taken][right_taken] = "."
        return {"board": ["".join(line) for line in grid], "side": OTHER[side], "pairs": pairs}

    def status(self, state):
        # Only the side that has just moved can have won.
        before, signs = OTHER[state["side"]], "".join(state["board"])
        if state["pairs"][before] >= 5:
            return won(before, "captures", state["side"])
        if any(all(signs[place] == before for place in five) for five in FIVES):
            return won(before, "five", state["side"])
        return to_move(state["side"]) if "." in signs else drawn(state["side"], "full-board")

    def evaluate(self, state, side):
        signs, pairs = "".join(state["board"]), state["pairs"]
        value = CAPTURED[pairs[side]] - CAPTURED[pairs[OTHER[side]]]
        for five in FIVES:
            stones = [signs[place] for place in five]
            own, others = stones.count(side), stones.count(OTHER[side])
            if not others:
                value += WORTH[own]
            elif not own:
                value -= WORTH[others]
        return value

    def notes(self, state):
        return {"Captured": "by White %(W)d, by Black %(B)d" % {side: 2 * pairs for side, pairs in state["pairs"].items()}}

    def key(self, state):
        return "%(W)d %(B)d" % state["pairs"]

    def to_input(self, state, clocks):
        pairs = "%(W)d %(B)d" % state["pairs"]
        return "\n".join([state["side"], clocks.own, pairs] + state["board"]) + "\n"

    def from_input(self, text):
        lines = text.splitlines()
        if len(lines) != 3 + SIZE or lines[0] not in OTHER or not re.fullmatch("[0-4] [0-4]", lines[2]):
            raise Unreadable(1, "expected `W` or `B`, the seconds left, the captured pairs of both sides and %d rows" % SIZE)
        for number, row in enumerate(lines[3:], 4):
            if not re.fullmatch("[WB.]{%d}" % SIZE, row):
                raise Unreadable(number, "expected a row of %d of `W`, `B` and `.`" % SIZE)
        white, black = map(int, lines[2].split())
        return {"board": lines[3:], "side": lines[0], "pairs": {"W": white, "B": black}}

    def from_output(self, text):
        line, *further = self.lines(text)
        if further:
            raise Refuse("extra-line", "%s is an extra line" % quoted(further[0]), at=further[0])
        if not re.fullmatch("[a-s]([1-9]|1[0-9])", line):
            raise Refuse("not-a-point", "%s is not a point" % quoted(line), "points are `a1` to `s19`", at=line)
        return str(line)

    def check(self, state, move):
        row, column = place(move)
        if state["board"][row][column] != ".":
            raise Refuse("occupied", "`%s` is occupied" % move, line=1)


if __name__ == "__main__":
    Pente().run()
