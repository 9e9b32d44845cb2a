"""Freckers as a rules program: the game of COMP30024 at Melbourne in 2025, for agents that keep a board of their own.

Each side has six frogs and wants them in the far row. A frog moves one step to a lily pad next to it, or jumps over frogs of
either side, one after the other, to a lily pad; the cell that it leaves becomes water. Instead a side may GROW: all water next
to its frogs becomes lily pads. The game is over when a side has all its frogs in its far row, or after 150 turns; the side with
more frogs there wins.

A move is the cells that a frog visits, `0,1 2,1 4,1`, or `GROW`. Between two jumps a frog may come down on water, as in the
course's own referee; a cell that it has visited in the same move it may not visit again.

Agents of that course are told the opponent's last action, so the input has it, after the turn:

    RED
    179.2 175.0
    TURN 7
    LAST 6,1 5,1
    *RR...  (eight rows)
"""

import re

from referee_rules import Game, Refuse, Unreadable, drawn, quoted, to_move, won

SIZE, TURNS = 8, 150
OTHER = {"RED": "BLUE", "BLUE": "RED"}
FROG = {"RED": "R", "BLUE": "B"}
FAR_ROW = {"RED": SIZE - 1, "BLUE": 0}
SIDEWAYS = [(0, -1), (0, 1)]
DIRECTIONS = {"RED": SIDEWAYS + [(1, -1), (1, 0), (1, 1)], "BLUE": SIDEWAYS + [(-1, -1), (-1, 0), (-1, 1)]}
AROUND = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
START = ["*RRRRRR*", ".******.", "........", "........", "........", "........", ".******.", "*BBBBBB*"]


def cell(name):
    """The row and column of a cell's name."""
    row, column = name.split(",")
    return int(row), int(column)


def name(at):
    return "%d,%d" % at


def is_inside(row, column):
    return 0 <= row < SIZE and 0 <= column < SIZE


class Freckers(Game):
    name, title = "freckers", "Freckers"
    sides, colours = ("RED", "BLUE"), ("red", "blue")
    columns, rows, square = "01234567", "01234567", "row-comma-column"
    pieces = {"R": {"side": "RED"}, "B": {"side": "BLUE"}, "*": {"side": None}}
    time_line, input_lines = 2, 12
    play_time = 180.0
    typical_moves = 40
    draw_decisions = ()  # equal numbers of frogs are a draw, whatever time is left
    rules = {
        "not-a-move": ("actions", "an action is `GROW`, or the cells that a frog visits, such as `0,1 2,1`"),
        "extra-line": ("actions", "an answer is one action"),
        "no-frog": ("frogs", "a move begins at one of one's own frogs"),
        "wrong-step": ("moves", "a frog goes one step to a lily pad, or jumps over frogs to one, never backward"),
    }

    def start(self, side):
        return {"side": side, "board": START, "turn": 0, "last": None}

    def moves(self, state):
        frog, board = FROG[state["side"]], state["board"]
        frogs = [(row, column) for row in range(SIZE) for column in range(SIZE) if board[row][column] == frog]
        paths = [path for at in frogs for path in self._steps(state, at) + self._jumps(state, [at])]
        return ["GROW"] + [" ".join(map(name, path)) for path in paths]

    def play(self, state, move):
        board, frog = [list(row) for row in state["board"]], FROG[state["side"]]
        if move == "GROW":
            grown = self._water_around(board, frog)
            for row, column in grown:
                board[row][column] = "*"
        else:
            cells = [cell(word) for word in move.split()]
            (row, column), (to_row, to_column) = cells[0], cells[-1]
            board[row][column], board[to_row][to_column] = ".", frog
        board = ["".join(row) for row in board]
        return {"side": OTHER[state["side"]], "board": board, "turn": state["turn"] + 1, "last": move}

    def status(self, state):
        scores = {side: state["board"][FAR_ROW[side]].count(FROG[side]) for side in self.sides}
        if state["turn"] < TURNS and max(scores.values()) < 6:
            return to_move(state["side"])
        if scores["RED"] == scores["BLUE"]:
            return drawn(state["side"], "equal-scores", scores)
        winner = max(scores, key=scores.get)
        return won(winner, "higher-score", state["side"], scores)

    def to_input(self, state, clocks):
        times = "%s %s" % (clocks.own, clocks.opponent)
        head = [state["side"], times, "TURN %d" % (state["turn"] + 1), "LAST %s" % (state["last"] or "NONE")]
        return "\n".join(head + state["board"]) + "\n"

    def from_output(self, text):
        line, *further = self.lines(text)
        if further:
            raise Refuse("extra-line", "%s is an extra line" % quoted(further[0]), at=further[0])
        cells = [str(word) for word in line.words]
        if cells != ["GROW"] and not (len(cells) > 1 and all(re.fullmatch("[0-7],[0-7]", word) for word in cells)):
            hint = "write `GROW`, or cells such as `0,1 1,1`"
            raise Refuse("not-a-move", "%s is no action" % quoted(line), hint, at=line)
        return " ".join(cells)

    # Everything below has a default.

    def check(self, state, move):
        if move in self.moves(state):
            return
        row, column = cell(move.split()[0])
        if state["board"][row][column] != FROG[state["side"]]:
            raise Refuse("no-frog", "%s has no frog at `%s`" % (state["side"], name((row, column))), line=1)
        own = [other for other in self.moves(state) if other.startswith(name((row, column)) + " ")]
        hint = "this frog can go " + ", ".join("`%s`" % other for other in own[:5]) if own else "this frog cannot move"
        raise Refuse("wrong-step", "the frog at `%s` cannot go so" % name((row, column)), hint=hint, line=1)

    def from_input(self, text):
        lines = text.splitlines()
        if len(lines) != 4 + SIZE or lines[0] not in self.sides:
            raise Unreadable(1, "expected RED or BLUE, the times, the turn, the last action, and eight rows")
        try:
            turn, last = int(lines[2].split()[1]) - 1, lines[3].split(None, 1)[1]
        except (ValueError, IndexError):
            raise Unreadable(3, "expected `TURN 1` and `LAST NONE` or the last action") from None
        board = lines[4:]
        for number, row in enumerate(board):
            if len(row) != SIZE or set(row) - set(".*RB"):
                raise Unreadable(5 + number, "expected eight cells of `.`, `*`, `R` and `B`")
        if not 0 <= turn <= TURNS or any("".join(board).count(frog) != 6 for frog in "RB"):
            raise Unreadable(3, "expected a turn of the game, and six frogs of each side")
        return {"side": lines[0], "board": board, "turn": turn, "last": None if last == "NONE" else last}

    def notes(self, state):
        return {side: "%d in the far row" % state["board"][FAR_ROW[side]].count(FROG[side]) for side in self.sides}

    def key(self, state):
        return "%d %s" % (state["turn"], state["last"])

    def evaluate(self, state, side):
        value = 0
        for row, cells in enumerate(state["board"]):
            value += 10 * (row * cells.count("R") - (SIZE - 1 - row) * cells.count("B"))
            # A frog needs lily pads ahead of it.
            value += cells.count("*") * (self._has(state, row - 1, "R") - self._has(state, row + 1, "B"))
        return value if side == "RED" else -value

    def _has(self, state, row, frog):
        """1 if there is such a row, with such a frog, else 0."""
        return int(0 <= row < SIZE and frog in state["board"][row])

    def _steps(self, state, at):
        to = [(at[0] + down, at[1] + right) for down, right in DIRECTIONS[state["side"]]]
        return [[at, cell] for cell in to if is_inside(*cell) and state["board"][cell[0]][cell[1]] == "*"]

    def _jumps(self, state, path):
        """Every path of jumps that begins with `path` and ends on a lily pad."""
        board, (row, column), found = state["board"], path[-1], []
        for down, right in DIRECTIONS[state["side"]]:
            over, to = (row + down, column + right), (row + 2 * down, column + 2 * right)
            # The frog that jumps still counts as one where it began.
            if not is_inside(*to) or to in path or board[to[0]][to[1]] in "RB" or board[over[0]][over[1]] not in "RB":
                continue
            further = path + [to]
            found += ([further] if board[to[0]][to[1]] == "*" else []) + self._jumps(state, further)
        return found

    def _water_around(self, board, frog):
        frogs = [(row, column) for row in range(SIZE) for column in range(SIZE) if board[row][column] == frog]
        around = {(row + down, column + right) for row, column in frogs for down, right in AROUND}
        return sorted(at for at in around if is_inside(*at) and board[at[0]][at[1]] == ".")


if __name__ == "__main__":
    Freckers().run()
