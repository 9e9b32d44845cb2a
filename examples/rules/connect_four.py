"""Connect Four as a rules program: a small number of moves, and an evaluation of a few lines.

A disk falls to the lowest empty square of its column; the move is the name of that square. Four of a side's disks in a row win.
"""

import re

from referee_rules import Game, Refuse, Unreadable, drawn, quoted, to_move, won

WIDTH, HEIGHT = 7, 6
COLUMNS, ROWS = "abcdefg", "654321"
OTHER = {"R": "Y", "Y": "R"}
DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]
# Every four squares in a row, as places in the rows written one after the other.
FOURS = [
    [(row + step * down) * WIDTH + column + step * right for step in range(4)]
    for row in range(HEIGHT)
    for column in range(WIDTH)
    for down, right in DIRECTIONS
    if row + 3 * down < HEIGHT and 0 <= column + 3 * right < WIDTH
]
# What so many disks among four squares are worth where the other side has none there.
WORTH = [0, 1, 10, 100]


class ConnectFour(Game):
    name, title = "connect-four", "Connect Four"
    sides, side_names, colours = ("R", "Y"), ("Red", "Yellow"), ("red", "yellow")
    columns, rows = COLUMNS, ROWS
    time_line, input_lines = 2, 2 + HEIGHT
    play_time = 300.0
    typical_moves = 21
    goals = {"four": "it has four in a row"}
    draw_reasons = {"full-board": "no square is empty"}
    rules = {
        "not-a-square": ("squares", "a move is the name of a square, `a1` to `g6`"),
        "extra-line": ("squares", "a move is a single square"),
        "not-lowest": ("falling", "a disk falls to the lowest empty square of its column"),
    }

    def start(self, side):
        return {"board": ["." * WIDTH] * HEIGHT, "side": side}

    def moves(self, state):
        stacks = zip(COLUMNS, zip(*state["board"]))
        return [column + ROWS[stack.count(".") - 1] for column, stack in stacks if "." in stack]

    def play(self, state, move):
        board, row, column = list(state["board"]), ROWS.index(move[1]), COLUMNS.index(move[0])
        board[row] = board[row][:column] + state["side"] + board[row][column + 1 :]
        return {"board": board, "side": OTHER[state["side"]]}

    def status(self, state):
        # Only the side that has just moved can have made four.
        before, signs = OTHER[state["side"]], "".join(state["board"])
        if any(all(signs[place] == before for place in four) for four in FOURS):
            return won(before, "four", state["side"])
        return to_move(state["side"]) if "." in signs else drawn(state["side"], "full-board")

    def evaluate(self, state, side):
        value, signs = 0, "".join(state["board"])
        for four in FOURS:
            disks = [signs[place] for place in four]
            own, others = disks.count(side), disks.count(OTHER[side])
            if not others:
                value += WORTH[own]
            elif not own:
                value -= WORTH[others]
        return value

    def to_input(self, state, clocks):
        return "\n".join([state["side"], clocks.own] + state["board"]) + "\n"

    def from_input(self, text):
        side, _, *board = text.split() if len(text.split()) == 2 + HEIGHT else ("", "")
        if side not in OTHER or any(not re.fullmatch("[RY.]{%d}" % WIDTH, row) for row in board):
            raise Unreadable(1, "expected `R` or `Y`, the seconds left and %d rows" % HEIGHT)
        return {"board": board, "side": side}

    def from_output(self, text):
        line, *further = self.lines(text)
        if further:
            raise Refuse("extra-line", "%s is an extra line" % quoted(further[0]), at=further[0])
        if not re.fullmatch("[a-g][1-6]", line):
            raise Refuse("not-a-square", "%s is not a square" % quoted(line), "squares are `a1` to `g6`", at=line)
        return str(line)

    def check(self, state, move):
        if move not in self.moves(state):
            hint = "a disk can fall to " + " ".join(self.moves(state))
            raise Refuse("not-lowest", "no disk falls to `%s`" % move, hint, line=1)


if __name__ == "__main__":
    ConnectFour().run()
