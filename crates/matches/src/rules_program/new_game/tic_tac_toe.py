"""Tic-tac-toe: an example of a rules program for `referee`. Change it to your game; `docs/custom-games.md` explains it.

To replace: this text, `LINES` and `SQUARES`, the attributes and methods of the class.
"""

from referee_rules import Game, Refuse, Unreadable, drawn, to_move, won

LINES = ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "a3 b2 c1"]
SQUARES = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]


class TicTacToe(Game):
    name, title = "tic-tac-toe", "Tic-tac-toe"
    sides = ("X", "O")
    columns, rows = "abc", "321"
    time_line, input_lines = 2, 5
    play_time = 10.0
    typical_moves = 5
    goals = {"three-in-a-row": "it has three in a row"}
    rules = {
        "not-a-square": ("squares", "a move is the name of a square, `a1` to `c3`"),
        "taken": ("empty squares", "a side puts its sign on an empty square"),
    }

    def start(self, side):
        return {"board": ["...", "...", "..."], "side": side}

    def moves(self, state):
        signs = "".join(state["board"])
        return [square for square, sign in zip(SQUARES, signs) if sign == "."]

    def play(self, state, move):
        signs = list("".join(state["board"]))
        signs[SQUARES.index(move)] = state["side"]
        board = ["".join(signs[row : row + 3]) for row in (0, 3, 6)]
        return {"board": board, "side": "O" if state["side"] == "X" else "X"}

    def status(self, state):
        sign = dict(zip(SQUARES, "".join(state["board"])))
        for line in LINES:
            first, second, third = (sign[square] for square in line.split())
            if first == second == third != ".":
                return won(first, "three-in-a-row", state["side"])
        return to_move(state["side"]) if "." in sign.values() else drawn(state["side"])

    def to_input(self, state, clocks):
        return "\n".join([state["side"], clocks.own] + state["board"]) + "\n"

    def from_output(self, text):
        square = text.strip(" \t\r\n").lower()
        if square not in SQUARES:
            raise Refuse("not-a-square", "this is not a square", hint="squares are `a1` to `c3`", line=1, column=1)
        return square

    # Everything below has a default.

    def check(self, state, move):
        if move not in self.moves(state):
            raise Refuse("taken", "`%s` is taken" % move, hint="these are empty: " + " ".join(self.moves(state)))

    def from_input(self, text):
        lines = text.split()
        if len(lines) != 5 or lines[0] not in self.sides or any(len(row) != 3 or row.strip("XO.") for row in lines[2:]):
            raise Unreadable(1, "expected `X` or `O`, the seconds left and three rows")
        return {"board": lines[2:], "side": lines[0]}


if __name__ == "__main__":
    TicTacToe().run()
