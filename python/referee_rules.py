"""The rules of a game for `referee`, as a program of its own: version 1 of the protocol.

Subclass `Game`, write `start`, `moves`, `play`, `status`, `to_input` and `from_output`, and end the file with `YourGame().run()`.
Everything else has a default. `docs/custom-games.md` has an example and explains every method.

A state is anything that JSON can hold, and never changes: `play` returns a new one. If it is a dict with a `"board"`, a list of
rows, top row first, that is the board. A side is its word, such as "X". A move is its text, as an agent writes it.

This file needs Python 3.8 or later and nothing else. It belongs beside the rules program.
"""

import json
import sys
import traceback

PROTOCOL = 1


class Refuse(Exception):
    """Why an answer is not a move: raise it in `from_output` (wrong format) or `check` (illegal move).

    `code` is a stable name for programs, in kebab case. If `rules` has an entry of that name, explanations cite it. `line` and
    `column` count from 1 and say where in `output.txt`; `hint` says what would have been right.
    """

    def __init__(self, code, message, hint=None, line=None, column=None, length=None):
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint
        self.line, self.column, self.length = line, column, length

    def to_json(self):
        found = {"code": self.code, "message": self.message, "hint": self.hint}
        found.update(line=self.line, column=self.column, length=self.length)
        return {key: value for key, value in found.items() if value is not None}


class Unreadable(Exception):
    """Why an `input.txt` cannot be read: raise it in `from_input`. `line` and `column` count from 1."""

    def __init__(self, line, message, column=None):
        super().__init__(message)
        self.line, self.column, self.message = line, column, message


class Clocks:
    """What `input.txt` may tell of time: `own` and `opponent`, the seconds left, as texts; `single` if it is a single move."""

    def __init__(self, own, opponent, single=False):
        self.own, self.opponent, self.single = own, opponent, single


def to_move(side):
    """The status of a position in which `side` has a move."""
    return side, {"kind": "to-move"}


def must_pass(side):
    """The status of a position in which `side` is to move, has no move, and the game goes on."""
    return side, {"kind": "must-pass"}


def won(winner, by, side, scores=None):
    """The status of a won game: `by` is a code of `goals`, "no-pieces", "no-moves", or "higher-score" with `scores`, a dict from
    both sides to their scores. `side` would be to move."""
    status = {"kind": "won", "winner": winner, "by": by}
    if scores is not None:
        status["scores"] = scores
    return side, status


def drawn(side, by="blocked", scores=None):
    """The status of a game that nobody has won on the board: a code of `draw_reasons`, "blocked" if neither side can move,
    "no-moves" if the side to move cannot, or "equal-scores" with `scores`. `side` would be to move."""
    status = {"kind": "drawn", "by": by}
    if scores is not None:
        status["scores"] = scores
    return side, status


class Game:
    """The rules of one game. Class attributes say what it is like; see `docs/custom-games.md`."""

    name = "my-game"  # on the command line and in records
    title = "My game"  # within a sentence
    sides = ("X", "O")  # their words in `input.txt`; the first is `black` in records
    side_names = None  # their names within a sentence, if other than the words
    first = None  # the word of the side that begins; None: the first of `sides`; "either": half of the games each
    columns = "abc"  # labels of the columns, from the left
    rows = "321"  # labels of the rows, from the top
    square = "column-row"  # or "row-column", "column-comma-row", "row-comma-column": how a square is named
    surface = "plain"  # or "chequered", "felt", "points"
    empty = "."  # the letter of an empty square
    pieces = None  # {"letter": {"side": "X", "shape": "disk", "word": "king"}}; None: a disk for each side, its word
    separator = " "  # between the squares of a move
    time_line = None  # the line of `input.txt` that tells the time left, from 1
    input_lines = 0  # how many lines `input.txt` has
    play_time = 100.0  # seconds of CPU time for a whole game
    move_time = None  # seconds for one move, if the rules limit it
    idle_turns = None  # a draw after so many turns in a row without progress
    repetitions = None  # a draw when a placement has occurred so often
    turn_limit = None  # a draw after so many turns
    progress_words = "progress"  # "50 turns without `a capture`"
    draw_decisions = ("time",)  # what decides a draw, in order: "time", "pieces", "second-move"
    typical_moves = 30  # of one side in a game
    keeps_directory = False  # whether all files of an agent live on from move to move, or `playdata.txt` alone
    goals = {}  # {"three-in-a-row": "it has three in a row"}: what the game is won by
    draw_reasons = {}  # {"bare-kings": "only the kings are left"}: what else makes a game a draw
    rules = {}  # {"code": ("name", "sentence")}: what a refusal of that code breaks

    # What has to be written.

    def start(self, side):
        """The state that a game begins with, `side` to move."""
        raise NotImplementedError

    def moves(self, state):
        """Every legal move, as texts: all of them, each once, in an order that is always the same. Asked only where `status` says
        that somebody is to move."""
        raise NotImplementedError

    def play(self, state, move):
        """The state after a legal move. The other side is to move then."""
        raise NotImplementedError

    def status(self, state):
        """`to_move(side)`, `must_pass(side)`, `won(...)` or `drawn(...)`."""
        raise NotImplementedError

    def to_input(self, state, clocks):
        """The whole `input.txt` for the side to move."""
        raise NotImplementedError

    def from_output(self, text):
        """The move that an `output.txt` says, or `raise Refuse(...)` if it is in a wrong format. Whether it is legal is not asked
        here. `text` may hold any character: it comes from an agent."""
        raise NotImplementedError

    # What has a default.

    def board(self, state):
        """The rows of the board, top row first."""
        return state["board"]

    def check(self, state, move):
        """Raises `Refuse` where `move` is not legal. Override it to say why."""
        legal = self.moves(state)
        if move not in legal:
            shown = ", ".join(legal[:8]) + (", ..." if len(legal) > 8 else "")
            raise Refuse("illegal-move", "`%s` is not a legal move" % move[:40], hint="legal moves: " + shown)

    def pass_turn(self, state):
        """The state after a pass that `status` asks for."""
        raise NotImplementedError("`status` asks for a pass, and there is no `pass_turn`")

    def is_progress(self, state, move):
        """Whether the move starts the count of idle turns anew; no position before it can occur again."""
        return False

    def key(self, state):
        """What tells the placement of pieces from others, where the board does not; None: the board."""
        return None

    def from_input(self, text):
        """The state of an `input.txt`, or the pair of it and its `Clocks`; `raise Unreadable(line, message)` if it is none. Without
        it, questions of an assignment, `--input` and `referee check` on positions cannot be used."""
        raise NotImplementedError

    def evaluate(self, state, side):
        """What a position that goes on is worth to `side`: a whole number between -1000000 and 1000000. Without it the minimax agent
        sees results alone."""
        raise NotImplementedError

    # The protocol.

    def run(self):
        """Answers questions until standard input ends."""
        questions, answers = sys.stdin.buffer, sys.stdout.buffer
        # A stray `print` is not to be taken for an answer.
        sys.stdout = sys.stderr
        for line in iter(questions.readline, b""):
            question = json.loads(line)
            reply = {"id": question["id"]}
            try:
                reply["answer"] = getattr(self, "_ask_" + question["ask"].replace("-", "_"))(question)
            except Exception as error:
                traceback.print_exc()
                reply["error"] = "%s: %s" % (type(error).__name__, error)
            answers.write(json.dumps(reply, separators=(",", ":")).encode("ascii") + b"\n")
            answers.flush()

    def _position(self, state):
        side, status = self.status(state)
        position = {"state": state, "to_move": side, "status": status, "board": list(self.board(state))}
        key = self.key(state)
        if key is not None:
            position["key"] = key
        return position

    def _has(self, method):
        return getattr(type(self), method) is not getattr(Game, method)

    def _ask_game(self, question):
        if question["protocol"] != PROTOCOL:
            raise ValueError("this module speaks version %d of the protocol" % PROTOCOL)
        pieces = self.pieces or {side: {"side": side} for side in self.sides}
        names = self.side_names or self.sides
        return {
            "protocol": PROTOCOL,
            "name": self.name,
            "title": self.title,
            "sides": [{"word": word, "name": name} for word, name in zip(self.sides, names)],
            "first": self.first,
            "board": {
                "columns": list(self.columns),
                "rows": list(self.rows),
                "square": self.square,
                "surface": self.surface,
                "empty": self.empty,
            },
            "pieces": [dict(piece, letter=letter) for letter, piece in pieces.items()],
            "separator": self.separator,
            "input": {"time_line": self.time_line, "lines": self.input_lines},
            "play_time": self.play_time,
            "move_time": self.move_time,
            "draws": {
                "idle_turns": self.idle_turns,
                "repetitions": self.repetitions,
                "turn_limit": self.turn_limit,
            },
            "progress": self.progress_words,
            "draw_decisions": list(self.draw_decisions),
            "typical_moves": self.typical_moves,
            "goals": [{"code": code, "sentence": sentence} for code, sentence in self.goals.items()],
            "draw_reasons": [{"code": code, "sentence": sentence} for code, sentence in self.draw_reasons.items()],
            "rules": [{"code": code, "name": of[0], "sentence": of[1]} for code, of in self.rules.items()],
            "keeps_directory": self.keeps_directory,
            "reads_input": self._has("from_input"),
            "evaluates": self._has("evaluate"),
        }

    def _ask_start(self, question):
        return self._position(self.start(question["to_move"]))

    def _ask_moves(self, question):
        state = question["state"]
        _, status = self.status(state)
        moves = self.moves(state) if status["kind"] == "to-move" else []
        answer = {"moves": moves}
        if question["next"]:
            answer["next"] = [self._position(self.play(state, move)) for move in moves]
        return answer

    def _ask_judge(self, question):
        state, text = question["state"], question["output"]
        try:
            move = self.from_output(text)
            exact = text[:-1] if text.endswith("\n") else text
            warnings = []
            if exact != move:
                spelled = Refuse("exact-format", "the answer is not exactly the move", hint="write `%s`" % move)
                if question["exact"]:
                    raise spelled
                warnings.append(spelled.to_json())
        except Refuse as refused:
            return {"refusal": dict(refused.to_json(), kind="format")}
        try:
            self.check(state, move)
        except Refuse as refused:
            return {"refusal": dict(refused.to_json(), kind="illegal")}
        return {
            "move": move,
            "progress": bool(self.is_progress(state, move)),
            "warnings": warnings,
            "next": self._position(self.play(state, move)),
        }

    def _ask_pass(self, question):
        return self._position(self.pass_turn(question["state"]))

    def _ask_input(self, question):
        clocks = Clocks(question["own"], question["opponent"], question["single"])
        return {"text": self.to_input(question["state"], clocks)}

    def _ask_read_input(self, question):
        try:
            read = self.from_input(question["input"])
        except Unreadable as fault:
            return {"fault": {"line": fault.line, "column": fault.column, "message": fault.message}}
        state, clocks = read if isinstance(read, tuple) else (read, None)
        answer = {"position": self._position(state)}
        if clocks is not None:
            answer.update(single=clocks.single, own=clocks.own, opponent=clocks.opponent)
        return answer

    def _ask_evaluate(self, question):
        return {"values": [int(self.evaluate(state, question["side"])) for state in question["states"]]}
