"""Checkers (Spring 2021) as a rules program: American checkers on 8x8, as the built-in game plays it.

A second implementation of the handout, for comparison: `tests/library/custom_games.rs` holds the two together, down to the hint
of a refusal. Moves and reasons come first, then the texts.
"""

import re

from referee_rules import Game, Refuse, Unreadable, quoted, to_move, won

COLUMNS, ROWS = "abcdefgh", "87654321"
START = [".b.b.b.b", "b.b.b.b.", ".b.b.b.b", "........", "........", "w.w.w.w.", ".w.w.w.w", "w.w.w.w."]
OTHER = {"BLACK": "WHITE", "WHITE": "BLACK"}
PIECES = {"BLACK": "bB", "WHITE": "wW"}
# From `a1` to `h8`; rows count from the top.
PLACES = [(row, column) for row in range(7, -1, -1) for column in range(8)]
# Down and right: black men move down, white up.
DIRECTIONS = ((-1, 1), (-1, -1), (1, 1), (1, -1))
FORWARD = {"b": (1,), "w": (-1,), "B": (1, -1), "W": (1, -1)}
LAST_ROW = {"b": 7, "w": 0}
ONE_PLAY = "a play is one step or a chain of jumps, not both"


def name(place):
    return COLUMNS[place[1]] + ROWS[place[0]]


def place(square):
    return ROWS.index(square[1]), COLUMNS.index(square[0])


def is_dark(place):
    return sum(place) % 2 == 1


def written(hops, letter):
    return "\n".join("%s %s %s" % (letter, name(start), name(end)) for start, end in hops)


def one_jump_a_line(moves):
    """What to add to moves on one line: a chain in one line is a wrong format."""
    return ", each jump on its own line" if "\n" in moves else ""


def hops_of(move):
    """The letter of a move, and the start and the end of each of its hops."""
    words = [line.split(" ") for line in move.split("\n")]
    return words[0][0], [(place(start), place(end)) for _, start, end in words]


class Chain:
    """A piece in the middle of its jumps: the captured pieces are off the board, and so is the piece."""

    def __init__(self, board, start):
        self.grid = [list(row) for row in board]
        self.at, self.piece = start, board[start[0]][start[1]]
        self.grid[start[0]][start[1]] = "."
        self.enemies = PIECES["WHITE" if self.piece in PIECES["BLACK"] else "BLACK"]

    def on(self, place):
        return self.grid[place[0]][place[1]] if 0 <= place[0] < 8 and 0 <= place[1] < 8 else None

    def is_crowned(self):
        return LAST_ROW.get(self.piece) == self.at[0]

    def next_jumps(self):
        """The squares of a piece to capture and behind it."""
        row, column = self.at
        for down, right in DIRECTIONS:
            over, to = (row + down, column + right), (row + 2 * down, column + 2 * right)
            if down in FORWARD[self.piece] and self.on(to) == "." and self.on(over) in tuple(self.enemies):
                yield over, to

    def jump(self, over, to):
        captured, start = self.on(over), self.at
        self.grid[over[0]][over[1]], self.at = ".", to
        return captured, start

    def undo(self, over, captured, start):
        self.grid[over[0]][over[1]], self.at = captured, start

    def complete(self, way, found):
        """Adds every complete sequence of jumps that begins with those of `way`. No man can go on when it is crowned."""
        ends = True
        for over, to in list(self.next_jumps()):
            ends = False
            undone = self.jump(over, to)
            self.complete(way + [(undone[1], to)], found)
            self.undo(over, *undone)
        if ends and way:
            found.append(written(way, "J"))


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
        board = state["board"]
        own = self._own(state)
        jumps = []
        for start in own:
            Chain(board, start).complete([], jumps)
        if jumps:
            return jumps
        steps = []
        for down, right in DIRECTIONS:
            for row, column in own:
                to = row + down, column + right
                if down in FORWARD[board[row][column]] and 0 <= to[0] < 8 and 0 <= to[1] < 8 and board[to[0]][to[1]] == ".":
                    steps.append(written([((row, column), to)], "E"))
        return steps

    def _own(self, state):
        return [(row, column) for row, column in PLACES if state["board"][row][column] in PIECES[state["side"]]]

    def play(self, state, move):
        letter, hops = hops_of(move)
        grid = [list(row) for row in state["board"]]
        row, column = hops[0][0]
        piece, grid[row][column] = grid[row][column], "."
        for (from_row, from_column), (row, column) in hops:
            if letter == "J":
                grid[(from_row + row) // 2][(from_column + column) // 2] = "."
        grid[row][column] = piece.upper() if LAST_ROW.get(piece) == row else piece
        return {"board": ["".join(line) for line in grid], "side": OTHER[state["side"]]}

    def status(self, state):
        side = state["side"]
        if not self._own(state):
            return won(OTHER[side], "no-pieces", side)
        return to_move(side) if self.moves(state) else won(OTHER[side], "no-moves", side)

    def is_progress(self, state, move):
        letter, [(start, end), *_] = hops_of(move)
        return letter == "J" or LAST_ROW.get(state["board"][start[0]][start[1]]) == end[0]

    def notes(self, state):
        squares = "".join(state["board"]).upper()
        return {"Captured": "by black %d, by white %d" % (12 - squares.count("W"), 12 - squares.count("B"))}

    def to_input(self, state, clocks):
        seconds = clocks.own if "." in clocks.own else clocks.own + ".0"
        return "\n".join(["SINGLE" if clocks.single else "GAME", state["side"], seconds] + state["board"]) + "\n"

    def from_input(self, text):
        lines = text.split("\n")
        if len(lines) < 11 or lines[1] not in OTHER:
            raise Unreadable(1, "expected `SINGLE` or `GAME`, `BLACK` or `WHITE`, the seconds left and 8 rows")
        return {"board": [line.strip() for line in lines[3:11]], "side": lines[1]}

    # Why a move is illegal: the first hop at fault, from its squares over the directions to the pieces.

    def check(self, state, move):
        if move in self.moves(state):
            return
        letter, hops = hops_of(move)
        code, message, hop = self._step_fault(state, *hops[0]) if letter == "E" else self._chain_fault(state, hops)
        raise Refuse(code, message, self._hint(state, letter, hops), line=hop + 1)

    def _origin_fault(self, state, start):
        piece = state["board"][start[0]][start[1]]
        if not is_dark(start):
            return "light-square", "`%s` is a light square: pieces stand on dark squares only" % name(start)
        if piece in PIECES[OTHER[state["side"]]]:
            return "opponents-piece", "the piece on `%s` is the opponent's" % name(start)
        if piece == ".":
            return "empty-origin", "`%s` is empty" % name(start)
        return None

    def _way_fault(self, start, end):
        """What is wrong with the two squares of a hop; otherwise how far they are apart."""
        down, right = end[0] - start[0], end[1] - start[1]
        if start == end:
            return ("motionless", "the piece on `%s` must leave it" % name(start)), 0
        if not is_dark(end):
            return ("light-square", "`%s` is a light square: pieces stand on dark squares only" % name(end)), 0
        if abs(down) != abs(right):
            return ("not-diagonal", "`%s` and `%s` are not on one diagonal" % (name(start), name(end))), 0
        return None, abs(down)

    def _step_fault(self, state, start, end):
        fault = self._origin_fault(state, start)
        if fault:
            return (*fault, 0)
        fault, distance = self._way_fault(start, end)
        if fault:
            return (*fault, 0)
        board, names = state["board"], (name(start), name(end))
        over = (start[0] + end[0]) // 2, (start[1] + end[1]) // 2
        if distance == 2 and board[over[0]][over[1]] in PIECES[OTHER[state["side"]]]:
            return "jump-as-step", "`E` is for a step, `%s` to `%s` is a jump" % names, 0
        if distance > 1:
            return "too-far", "`%s` is too far from `%s`: a step goes one square, a jump two" % names[::-1], 0
        if (end[0] - start[0]) not in FORWARD[board[start[0]][start[1]]]:
            return "backward", "a man cannot go backward, from `%s` to `%s`" % names, 0
        if board[end[0]][end[1]] != ".":
            return "occupied", "`%s` is occupied" % name(end), 0
        # The piece itself, if it can.
        jumpers = [(piece, over) for piece in [start] + self._own(state) for over, _ in Chain(board, piece).next_jumps()]
        jumper, over = jumpers[0]
        return "jump-compulsory", "`%s` can jump over `%s`: jumps are compulsory" % (name(jumper), name(over)), 0

    def _chain_fault(self, state, hops):
        fault = self._origin_fault(state, hops[0][0])
        if fault:
            return (*fault, 0)
        chain = Chain(state["board"], hops[0][0])
        for number, (start, end) in enumerate(hops):
            fault = self._jump_fault(state, chain, start, end)
            if fault:
                return (*fault, number)
            chain.jump(((start[0] + end[0]) // 2, (start[1] + end[1]) // 2), end)
        _, to = next(chain.next_jumps())
        message = "the chain can continue from `%s` to `%s`: it must be completed" % (name(chain.at), name(to))
        return "incomplete", message, len(hops) - 1

    def _jump_fault(self, state, chain, start, end):
        names = name(start), name(end)
        if chain.is_crowned():
            return "after-crowning", "the man is crowned on `%s`, and its play ends there" % name(chain.at)
        if start != chain.at:
            return "broken-chain", "the chain continues from `%s`, not from `%s`" % (name(chain.at), name(start))
        fault, distance = self._way_fault(start, end)
        if fault:
            return fault
        if distance == 1:
            return "step-as-jump", "`J` is for a jump, `%s` to `%s` is a step" % names
        if distance > 2:
            return "too-far", "`%s` is too far from `%s`: a step goes one square, a jump two" % names[::-1]
        over = (start[0] + end[0]) // 2, (start[1] + end[1]) // 2
        if (end[0] - start[0]) // 2 not in FORWARD[chain.piece]:
            return "backward", "a man cannot go backward, from `%s` to `%s`" % names
        if chain.on(over) == "." and state["board"][over[0]][over[1]] in PIECES[OTHER[state["side"]]]:
            return "already-captured", "the piece on `%s` was captured earlier in this chain" % name(over)
        if chain.on(over) == ".":
            return "nothing-to-jump", "there is no piece on `%s` to jump over" % name(over)
        if chain.on(over) in PIECES[state["side"]]:
            return "own-piece-jumped", "the piece on `%s` is your own and cannot be jumped over" % name(over)
        if chain.on(end) != ".":
            return "occupied", "`%s` is occupied" % name(end)
        return None

    # What an illegal move was meant to be.

    def _hint(self, state, letter, hops):
        legal = self.moves(state)
        # Rows counted from the top exchange dark and light squares, so what becomes legal is hardly so by chance.
        misread = [
            (lambda row, column: (7 - row, column), "row 1 is at the bottom, row 8 at the top"),
            (lambda row, column: (7 - column, 7 - row), "columns and rows swapped?"),
        ]
        for read, mistake in misread:
            meant = written([(read(*start), read(*end)) for start, end in hops], letter)
            if meant in legal:
                return "`%s` would be legal%s: %s" % (meant.replace("\n", "; "), one_jump_a_line(meant), mistake)
        must_jump = legal[0].startswith("J")
        play = written(hops, "J" if must_jump else "E")
        continued = [move for move in legal if (move + "\n").startswith(play + "\n")]
        is_chain = must_jump and letter == "J"
        hint = self._told(continued, *(("the whole chain is", "whole chains are") if is_chain else ("write", "write one of")))
        other = {"board": state["board"], "side": OTHER[state["side"]]}
        if hint is None and written(hops, letter) in self.moves(other):
            hint = "this is a move of `%s`: line 2 of `input.txt` says `%s`" % (other["side"], state["side"])
        if hint is None and (len(legal) <= 4 or must_jump and letter == "E"):
            hint = self._told(legal, "the only legal move is", "legal moves are")
        return hint

    def _told(self, moves, one, several):
        """The first four moves after the words for one or for several; None if there is none."""
        listed = ", ".join("`%s`" % move.replace("\n", "; ") for move in moves[:4])
        more = " and %d more" % (len(moves) - 4) if len(moves) > 4 else ""
        lines = one_jump_a_line("".join(moves[:4]))
        return "%s %s%s%s" % (one if len(moves) == 1 else several, listed, more, lines) if moves else None

    # What an `output.txt` says.

    def from_output(self, text):
        plays = [(line, self._sentence(line)) for line in self.lines(text)]
        (_, (letter, _, end)), further = plays[0], plays[1:]
        for line, (other, start, _) in further:
            if letter == "E":
                hint = "an answer is only the play of this turn: is the file rewritten on every run?"
                if other == "J":
                    hint = ONE_PLAY
                elif start == end:
                    hint = "jumps use the letter `J`, one jump per line, and a step ends the play"
                raise Refuse("after-a-step", "a step ends the play: remove what follows", hint, at=line)
            if other == "E":
                raise Refuse("step-after-jump", ONE_PLAY, at=line)
        return "\n".join(" ".join(play) for _, play in plays)

    def _sentence(self, line):
        """The letter and both squares of a line; a refusal has the move that it may mean."""
        try:
            letter = self._letter(line.words[0])
            if len(line.words) < 3:
                raise Refuse("missing-word", "%s is not a complete move" % quoted(line), at=line)
            if len(line.words) > 3:
                raise Refuse("extra-word", "%s is an extra word" % quoted(line.words[3]), at=line.words[3])
            return letter, self._square(line.words[1]), self._square(line.words[2])
        except Refuse as refused:
            refused.hint = refused.hint or self._respelt(line)
            if refused.hint is None and refused.code in ("extra-word", "missing-word"):
                refused.hint = "expected a letter, a square, a square, with one blank between them"
            raise

    def _letter(self, word):
        if word not in ("E", "J", "e", "j"):
            raise Refuse("not-a-letter", "expected `E` for a step or `J` for a jump, found %s" % quoted(word), at=word)
        if word.islower():
            self.overlook("letter-case", "%s is written in lower case" % quoted(word), "`E` and `J` are capitals", at=word)
        return word.upper()

    def _square(self, word):
        if not re.fullmatch("[a-hA-H][1-8]", word):
            hint = None
            pair = re.fullmatch("([0-7]),([0-7])", word)
            if re.fullmatch("[1-8][a-hA-H]", word):
                hint = "`%s`? the column comes first, then the row" % word[::-1].lower()
            elif pair:
                square = name((int(pair.group(2)), int(pair.group(1))))
                hint = "columns are letters: %s, counted from 0 at the top left, is `%s`" % (quoted(word), square)
            message = "expected a square from `a1` to `h8`, found %s" % quoted(word)
            raise Refuse("not-a-square", message, hint, at=word)
        if word[0].isupper():
            what = "%s is written in upper case" % quoted(word)
            self.overlook("square-case", what, "squares are written in lower case", at=word)
        return word.lower()

    def _respelt(self, line):
        """What a line in a wrong format may mean; None if that is not to be seen."""
        if "".join(re.findall("[a-z0-9]", line.lower()))[:8] in ("pass", "none", "null", "nomove", "nomoves", "skip"):
            return "passes are automatic: an agent only runs when its side has a legal move"
        try:
            line.encode("latin-1").decode()
        except UnicodeDecodeError:
            return None
        letters = {"e": "E", "step": "E", "move": "E", "j": "J", "jump": "J", "capture": "J"}
        letter = next((letters[word] for word in re.split("[^a-z0-9]+", line.lower()) if word in letters), None)
        # A letter after a digit begins another word, as in `c2c4`.
        words = re.split("[^a-z0-9]+", re.sub("(?<=[0-9])(?=[a-z])", " ", line.lower()))
        squares = [word for word in words if re.fullmatch("[a-h][1-8]", word)]
        if len(squares) > 2:
            # Each of several hops may be written with both of its ends.
            squares = [square for square, before in zip(squares, [None] + squares) if square != before]
        if len(line) > 100 or not 2 <= len(squares) <= 5:
            return None
        if len(squares) == 2 and letter is None:
            return "write `E {0} {1}` for a step, `J {0} {1}` for a jump".format(*squares)
        if len(squares) == 2:
            return "write `%s %s %s` and nothing else" % (letter, *squares)
        if letter == "E":
            return None
        return "one jump per line: " + ", then ".join("`J %s %s`" % pair for pair in zip(squares, squares[1:]))


if __name__ == "__main__":
    Checkers().run()
