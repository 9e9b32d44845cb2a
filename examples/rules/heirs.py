"""Heirs (Spring 2026) as a rules program, as the built-in game plays it.

A second implementation of the handout, for comparison: `tests/library/custom_games.rs` holds the two together, down to the hint
of a refusal.
"""

import re

from referee_rules import Game, Refuse, Unreadable, drawn, quoted, to_move, won

COLUMNS = "abcdefghjkmn"
ROWS = ["12", "11", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1"]
START = ["gytsnxpnstyg", "bbbbbbbbbbbb"] + ["............"] * 8 + ["BBBBBBBBBBBB", "GYTSNXPNSTYG"]
NAMES = [column + row for row in ROWS for column in COLUMNS]
INDEX = {square: index for index, square in enumerate(NAMES)}
OTHER = {"WHITE": "BLACK", "BLACK": "WHITE"}
WORDS = {"b": "Baby", "p": "Prince", "x": "Princess", "y": "Pony", "g": "Guard", "t": "Tutor", "s": "Scout", "n": "Sibling"}

# How they move, after their names in a sentence.
WAYS = {
    "b": "moves 1 or 2 squares straight forward",
    "p": "moves 1 square in any direction",
    "x": "moves 1 to 3 squares in any direction",
    "y": "moves exactly 1 square diagonally",
    "g": "moves 1 or 2 squares along a row or a column",
    "t": "moves 1 or 2 squares diagonally",
    "s": "moves 1 to 3 rows forward, in its column or one column to either side",
    "n": "moves 1 square in any direction, to a square beside another piece of its side",
}
THE_FORM = "an answer is two squares on one line, such as `c2 c4`"
NO_PASSES = "there is no pass: an agent only runs when its side has a legal move"

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
    idle_turns, repetitions = 100, 3
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

    # Why a move is illegal.

    def check(self, state, move):
        start, end = (INDEX[square] for square in move.split(" "))
        fault = self._fault(state, start, end)
        if fault:
            is_own = fault[0] not in ("empty-origin", "opponents-piece")
            theirs = None if is_own else self._of_the_opponent(state, start, end)
            hints = [hint for hint in (theirs, self._miscounted(state, start, end)) if hint]
            raise Refuse(*fault, "; ".join(hints) or (self._targets(state, start) if is_own else None), line=1)

    def _of_the_opponent(self, state, start, end):
        side, other = state["side"], OTHER[state["side"]]
        if self._fault({"board": state["board"], "side": other}, start, end):
            return None
        return "this is a move of `%s`: line 1 of `input.txt` says `%s`" % (other, side)

    def _fault(self, state, start, end):
        squares, side = "".join(state["board"]), state["side"]
        piece, own = squares[start], OWN[side]
        if piece == ".":
            return "empty-origin", "`%s` is empty" % NAMES[start]
        if piece not in own:
            return "opponents-piece", "the piece on `%s` is the opponent's" % NAMES[start]
        if start == end:
            return "motionless", "the piece on `%s` must leave it" % NAMES[start]
        (row, column), (to_row, to_column) = divmod(start, 12), divmod(end, 12)
        down, right = to_row - row, to_column - column
        kind = piece.lower()
        fault = self._way_fault(kind, down, right, -down if side == "WHITE" else down)
        if fault:
            return fault[0], "that is %s: a %s %s" % (fault[1], WORDS[kind], WAYS[kind])
        steps = max(abs(down), abs(right))
        between = [start + step * (12 * down + right) // steps for step in range(1, steps)]
        blocking = [square for square in between if squares[square] != "."]
        if kind != "s" and blocking:
            what = "the piece on `%s` is in the way, and a %s does not jump" % (NAMES[blocking[0]], WORDS[kind])
            return "blocked", what
        if squares[end] in own:
            return "own-piece", "the piece on `%s` is of the same side" % NAMES[end]
        if kind == "n" and not any(squares[near] in own and near != start for near in NEAR[end]):
            what = "no other piece of its side is beside `%s`: a Sibling must end beside one" % NAMES[end]
            return "without-company", what
        return None

    def _way_fault(self, kind, down, right, forward):
        """What keeps a piece from going that way on an empty board."""
        if kind in "bs" and forward < 1:
            return "not-forward", "not forward"
        if abs(right) > {"b": 0, "s": 1}.get(kind, 12):
            return "sideways", "too far to the side"
        if kind in "bs":
            reach = {"b": 2, "s": 3}[kind]
        else:
            directions, reach = SLIDES[kind]
            steps = max(abs(down), abs(right))
            if (down, right) not in [(steps * row, steps * column) for row, column in directions]:
                return "wrong-direction", "the wrong direction"
        return ("too-far", "too far") if max(abs(down), abs(right)) > reach else None

    def _miscounted(self, state, start, end):
        """What becomes legal with rows counted from the top, or with the first twelve letters as columns."""
        by_letter = {index: "abcdefghijkl".find(column) for index, column in enumerate(COLUMNS)}
        for read, mistake in [
            (lambda row, column: (11 - row, column), "row 1 is at the bottom; counted from the top it would be"),
            (lambda row, column: (row, by_letter[column]), "there are no columns `i` and `l`; without them it would be"),
        ]:
            (row, column), (to_row, to_column) = read(*divmod(start, 12)), read(*divmod(end, 12))
            if min(column, to_column) >= 0 and not self._fault(state, row * 12 + column, to_row * 12 + to_column):
                meant = NAMES[row * 12 + column] + " " + NAMES[to_row * 12 + to_column]
                return "%s `%s`, which is legal" % (mistake, meant)
        return None

    def _targets(self, state, start):
        moves = [move.split(" ") for move in self.moves(state)]
        targets = sorted((end for begin, end in moves if begin == NAMES[start]), key=INDEX.get)
        if not targets:
            return "the piece on `%s` has no legal move" % NAMES[start]
        listed = ", ".join("`%s`" % square for square in targets[:9]) + (", ..." if len(targets) > 9 else "")
        return "from `%s` it can go to %s" % (NAMES[start], listed)

    # What an `output.txt` says.

    def from_output(self, text):
        line, *further = self.lines(text)
        if len(line.words) != 2:
            code, at = ("extra-word", line.words[2]) if len(line.words) > 2 else ("missing-word", line)
            raise Refuse(code, "expected two squares, found %s" % quoted(line), self._respelt(line), at=at)
        if further:
            raise Refuse("extra-line", "%s is an extra line" % quoted(further[0]), THE_FORM, at=further[0])
        return " ".join([self._square(word) for word in line.words])

    def _square(self, word):
        square = word.lower()
        if square not in INDEX:
            expected = "a square from `a1` to `n12`, whose columns are `%s`" % COLUMNS
            message = "expected %s, found %s" % (expected, quoted(word))
            raise Refuse("not-a-square", message, self._misunderstood(square), at=word)
        if square != word:
            what = "%s is written in upper case" % quoted(word)
            self.overlook("square-case", what, "squares are written in lower case", at=word)
        return square

    def _misunderstood(self, word):
        if self._is_pass(word):
            return NO_PASSES
        # Counting letters leads to `i` and `l`.
        if word[0] in "il":
            column = ord(word[0]) - ord("a")
            meant = COLUMNS[column] + word[1:]
            what = "there is no column `%s`: column %d from the left is `%s`" % (word[0], column + 1, meant)
            return what if meant in INDEX else None
        turned = word[-1] + word[:-1]
        return "the column comes first: `%s`" % turned if turned in INDEX else None

    def _is_pass(self, text):
        said = "".join(re.findall("[a-z0-9]", text.lower()))[:8]
        return said in ("pass", "none", "null", "nomove", "nomoves", "skip")

    def _respelt(self, line):
        """What a line in a wrong format may mean."""
        if self._is_pass(line):
            return NO_PASSES
        try:
            line.encode("latin-1").decode()
        except UnicodeDecodeError:
            return THE_FORM
        # A letter after a digit begins another word, as in `c2c4`.
        words = re.split("[^a-z0-9]+", re.sub("(?<=[0-9])(?=[a-z])", " ", line.lower()))
        squares = [word for word in words if word in INDEX]
        return "write `%s %s` and nothing else" % tuple(squares) if len(squares) == 2 else THE_FORM


if __name__ == "__main__":
    Heirs().run()
