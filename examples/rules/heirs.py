"""Heirs (Spring 2026) as a rules program, as the built-in game plays it.

A second implementation of the handout, for comparison: `tests/library/custom_games.rs` holds the two together.
"""

from referee_rules import Game, Refuse, Unreadable, drawn, to_move, won

COLUMNS = "abcdefghjkmn"
ROWS = ["12", "11", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1"]
START = ["gytsnxpnstyg", "bbbbbbbbbbbb"] + ["............"] * 8 + ["BBBBBBBBBBBB", "GYTSNXPNSTYG"]
NAMES = [column + row for row in ROWS for column in COLUMNS]
INDEX = {square: index for index, square in enumerate(NAMES)}
OTHER = {"WHITE": "BLACK", "BLACK": "WHITE"}
WORDS = {"b": "Baby", "p": "Prince", "x": "Princess", "y": "Pony", "g": "Guard", "t": "Tutor", "s": "Scout", "n": "Sibling"}

STRAIGHT = [(-1, 0), (0, -1), (0, 1), (1, 0)]
DIAGONAL = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
AROUND = STRAIGHT + DIAGONAL
SLIDES = {"x": (AROUND, 3), "y": (DIAGONAL, 1), "g": (STRAIGHT, 2), "t": (DIAGONAL, 2), "p": (AROUND, 1), "n": (AROUND, 1)}


def ray(index, down, right, length):
    """The squares in a direction, as far as the board goes."""
    row, column = divmod(index, 12)
    squares = []
    for step in range(1, length + 1):
        to_row, to_column = row + step * down, column + step * right
        if 0 <= to_row < 12 and 0 <= to_column < 12:
            squares.append(to_row * 12 + to_column)
    return squares


def rays_of(piece, index):
    """The rays of a piece on a square, each cut off by whatever stands on it; a Scout's have one square each."""
    kind = piece.lower()
    down = -1 if piece.isupper() else 1
    if kind == "b":
        squares = ray(index, down, 0, 2)
        return [squares] if squares else []
    if kind == "s":
        row, column = divmod(index, 12)
        targets = [(row + steps * down, column + right) for steps in (1, 2, 3) for right in (-1, 0, 1)]
        return [[to * 12 + over] for to, over in targets if 0 <= to < 12 and 0 <= over < 12]
    directions, length = SLIDES[kind]
    return [squares for down, right in directions for squares in [ray(index, down, right, length)] if squares]


RAYS = {piece: [rays_of(piece, index) for index in range(144)] for letter in WORDS for piece in (letter, letter.upper())}
NEAR = [[square for squares in rays_of("p", index) for square in squares] for index in range(144)]
WHITE, BLACK = frozenset("BPXYGTSN"), frozenset("bpxygtsn")
OWN = {"WHITE": WHITE, "BLACK": BLACK}


class Heirs(Game):
    name, title = "heirs-program", "Heirs"
    sides, side_names = ("BLACK", "WHITE"), ("black", "white")
    first = "WHITE"
    columns, rows, surface = COLUMNS, ROWS, "chequered"
    pieces = {
        letter: {"side": side, "word": WORDS[letter.lower()], "shown": letter.upper()}
        for side in ("WHITE", "BLACK")
        for letter in sorted(OWN[side])
    }
    time_line, input_lines = 2, 14
    idle_turns, repetitions = 50, 3
    progress_words = "a capture or a Baby move"
    draw_decisions = ("time", "pieces")
    play_time = 300.0
    typical_moves = 60
    goals = {"prince-captured": "it captures the Prince"}

    def start(self, side):
        return {"board": START, "side": side}

    def moves(self, state):
        squares, own = "".join(state["board"]), OWN[state["side"]]
        moves = []
        for index, piece in enumerate(squares):
            if piece not in own:
                continue
            needs_company = piece in "nN"
            start = NAMES[index]
            for ray in RAYS[piece][index]:
                for to in ray:
                    there = squares[to]
                    if there in own:
                        break
                    if not needs_company or any(squares[near] in own and near != index for near in NEAR[to]):
                        moves.append(start + " " + NAMES[to])
                    if there != ".":
                        break
        return moves

    def play(self, state, move):
        start, end = (INDEX[square] for square in move.split(" "))
        squares = "".join(state["board"])
        piece = squares[start]
        squares = squares[:start] + "." + squares[start + 1 :]
        squares = squares[:end] + piece + squares[end + 1 :]
        return {"board": [squares[row : row + 12] for row in range(0, 144, 12)], "side": OTHER[state["side"]]}

    def status(self, state):
        side, squares = state["side"], "".join(state["board"])
        for winner, prince in (("WHITE", "p"), ("BLACK", "P")):
            if prince not in squares:
                return won(winner, "prince-captured", side)
        return to_move(side) if self._can_move(squares, OWN[side]) else drawn(side, "no-moves")

    def _can_move(self, squares, own):
        for index, piece in enumerate(squares):
            if piece not in own:
                continue
            for ray in RAYS[piece][index]:
                # Where a piece cannot take the first step of a ray, it can take none.
                to = ray[0]
                if squares[to] in own:
                    continue
                if piece not in "nN" or any(squares[near] in own and near != index for near in NEAR[to]):
                    return True
        return False

    def is_progress(self, state, move):
        start, end = (INDEX[square] for square in move.split(" "))
        squares = "".join(state["board"])
        return squares[start] in "bB" or squares[end] != "."

    def to_input(self, state, clocks):
        return "\n".join([state["side"], clocks.own + " " + clocks.opponent] + state["board"]) + "\n"

    def from_input(self, text):
        lines = text.split("\n")
        if len(lines) < 14 or lines[0] not in OTHER:
            raise Unreadable(1, "expected `WHITE` or `BLACK`, both clocks and 12 rows")
        return {"board": [line.strip() for line in lines[2:14]], "side": lines[0]}

    def from_output(self, text):
        lines = [(number, line.split()) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        if len(lines) != 1 or len(lines[0][1]) != 2:
            raise Refuse("one-move", "expected one line with two squares", line=lines[0][0] if lines else 1, column=1)
        squares = [word.lower() for word in lines[0][1]]
        for square in squares:
            if square not in INDEX:
                raise Refuse("not-a-square", "squares are `a1` to `n12`, without `i` and `l`", line=lines[0][0], column=1)
        return " ".join(squares)


if __name__ == "__main__":
    Heirs().run()
