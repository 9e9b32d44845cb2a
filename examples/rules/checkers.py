"""Checkers (Spring 2021) as a rules program: American checkers on 8x8, as the built-in game plays it.

A second implementation of the handout, for comparison: `tests/library/custom_games.rs` holds the two together.
"""

from referee_rules import Game, Refuse, Unreadable, to_move, won

COLUMNS, ROWS = "abcdefgh", "87654321"
START = [".b.b.b.b", "b.b.b.b.", ".b.b.b.b", "........", "........", "w.w.w.w.", ".w.w.w.w", "w.w.w.w."]
OTHER = {"BLACK": "WHITE", "WHITE": "BLACK"}
PIECES = {"BLACK": "bB", "WHITE": "wW"}
# Rows count from the top: black moves down, white up.
FORWARD = {"b": (1,), "w": (-1,), "B": (1, -1), "W": (1, -1)}
LAST_ROW = {"b": 7, "w": 0}


def name(row, column):
    return COLUMNS[column] + ROWS[row]


def place(square):
    return ROWS.index(square[1]), COLUMNS.index(square[0])


class Checkers(Game):
    name, title = "checkers-program", "Checkers"
    sides, side_names = ("BLACK", "WHITE"), ("black", "white")
    columns, rows, surface = COLUMNS, ROWS, "chequered"
    pieces = {
        "b": {"side": "BLACK", "word": "man"},
        "w": {"side": "WHITE", "word": "man"},
        "B": {"side": "BLACK", "word": "king", "shape": "king"},
        "W": {"side": "WHITE", "word": "king", "shape": "king"},
    }
    time_line, input_lines = 3, 11
    idle_turns, repetitions = 50, 3
    progress_words = "a capture or a crowning"
    play_time = 300.0
    typical_moves = 32

    def start(self, side):
        return {"board": START, "side": side}

    def moves(self, state):
        board, side = state["board"], state["side"]
        own = [(row, column) for row in range(8) for column in range(8) if board[row][column] in PIECES[side]]
        jumps = []
        for row, column in own:
            grid = [list(line) for line in board]
            piece, grid[row][column] = grid[row][column], "."
            self._jumps(grid, piece, side, [(row, column)], jumps)
        if jumps:
            return ["\n".join("J %s %s" % (name(*a), name(*b)) for a, b in zip(way, way[1:])) for way in jumps]
        steps = []
        for row, column in own:
            for down in FORWARD[board[row][column]]:
                for right in (-1, 1):
                    to = row + down, column + right
                    if 0 <= to[0] < 8 and 0 <= to[1] < 8 and board[to[0]][to[1]] == ".":
                        steps.append("E %s %s" % (name(row, column), name(*to)))
        return steps

    def _jumps(self, grid, piece, side, way, found):
        """Adds every complete sequence of jumps that goes on from the end of `way`; the moving piece is not in `grid`."""
        row, column = way[-1]
        ends = True
        # A man that has reached the last row is crowned, and its play ends there.
        if len(way) == 1 or LAST_ROW.get(piece) != row:
            for down in FORWARD[piece]:
                for right in (-1, 1):
                    to = row + 2 * down, column + 2 * right
                    if not (0 <= to[0] < 8 and 0 <= to[1] < 8) or grid[to[0]][to[1]] != ".":
                        continue
                    over = row + down, column + right
                    captured = grid[over[0]][over[1]]
                    if captured in PIECES[OTHER[side]]:
                        ends = False
                        grid[over[0]][over[1]] = "."
                        self._jumps(grid, piece, side, way + [to], found)
                        grid[over[0]][over[1]] = captured
        if ends and len(way) > 1:
            found.append(way)

    def play(self, state, move):
        grid = [list(row) for row in state["board"]]
        words = [line.split() for line in move.split("\n")]
        row, column = place(words[0][1])
        piece, grid[row][column] = grid[row][column], "."
        for kind, start, end in words:
            (from_row, from_column), (row, column) = place(start), place(end)
            if kind == "J":
                grid[(from_row + row) // 2][(from_column + column) // 2] = "."
        grid[row][column] = piece.upper() if LAST_ROW.get(piece) == row else piece
        return {"board": ["".join(line) for line in grid], "side": OTHER[state["side"]]}

    def status(self, state):
        side = state["side"]
        if not any(piece in row for row in state["board"] for piece in PIECES[side]):
            return won(OTHER[side], "no-pieces", side)
        return to_move(side) if self.moves(state) else won(OTHER[side], "no-moves", side)

    def is_progress(self, state, move):
        if move.startswith("J"):
            return True
        _, start, end = move.split()
        row, column = place(start)
        return LAST_ROW.get(state["board"][row][column]) == place(end)[0]

    def to_input(self, state, clocks):
        seconds = clocks.own if "." in clocks.own else clocks.own + ".0"
        return "\n".join(["SINGLE" if clocks.single else "GAME", state["side"], seconds] + state["board"]) + "\n"

    def from_input(self, text):
        lines = text.split("\n")
        if len(lines) < 11 or lines[1] not in OTHER:
            raise Unreadable(1, "expected `SINGLE` or `GAME`, `BLACK` or `WHITE`, the seconds left and 8 rows")
        return {"board": [line.strip() for line in lines[3:11]], "side": lines[1]}

    def from_output(self, text):
        plays = []
        for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
            words = line.split()
            if not words:
                continue
            if len(words) != 3 or words[0].upper() not in ("E", "J"):
                raise Refuse("one-move-a-line", "expected `E` or `J` and two squares", line=number, column=1)
            squares = [word.lower() for word in words[1:]]
            if any(len(square) != 2 or square[0] not in COLUMNS or square[1] not in ROWS for square in squares):
                raise Refuse("not-a-square", "squares are `a1` to `h8`", line=number, column=1)
            plays.append([words[0].upper()] + squares)
        if any(kind == "E" for kind, _, _ in plays) and len(plays) > 1:
            raise Refuse("step-with-more", "a step is the only line", line=2, column=1)
        return "\n".join(" ".join(play) for play in plays)


if __name__ == "__main__":
    Checkers().run()
