"""The rules of a game for `referee`, as a program of its own: version 1 of the protocol.

Subclass `Game`, write `start`, `moves`, `play`, `status`, `to_input` and `from_output`, and end the file with `YourGame().run()`.
Everything else has a default. `docs/custom-games.md` has an example and explains every method.

A state is anything that JSON can hold, and never changes: `play` returns a new one. If it is a dict with a `"board"`, a list of
rows, top row first, that is the board. A side is its word, such as "X". A move is its text, as an agent writes it.

This file needs Python 3.8 or later and nothing else. It belongs beside the rules program.
"""

import difflib
import json
import os
import re
import signal
import sys
import traceback

PROTOCOL = 1

# White space within a line; a CR belongs to its end.
_BLANKS = " \t\v\f"


class Word(str):
    """A word of an `output.txt`, or a line without the blanks around it and with its `words`. `line` and `column` count from 1."""

    def __new__(cls, text, line, column, words=()):
        word = super().__new__(cls, text)
        word.line, word.column, word.words = line, column, words
        return word


def quoted(text):
    """What an agent wrote, for a message: in backticks, and at most 40 characters of it."""
    shown = text.encode("latin-1", "replace").decode("utf-8", "replace")
    shown = shown[:40] + ("\u2026" if len(shown) > 40 else "")
    return "`%s`" % shown.replace("\\", "\\\\").replace("`", "\\u{60}")


class Refuse(Exception):
    """Why an answer is not a move: raise it in `from_output` (wrong format) or `check` (illegal move).

    `code` is a stable name for programs, in kebab case. If `rules` has an entry of that name, explanations cite it. `line`,
    `column` and `length` say where in `output.txt`, or `at`, a word or a line of `lines`; `hint` says what would have been right.
    In `check`, a `line` alone counts the lines of the move, and means all of that line.
    """

    def __init__(self, code, message, hint=None, line=None, column=None, length=None, at=None):
        super().__init__(message)
        self.code, self.message, self.hint, self.more = code, message, hint, None
        self.line, self.column, self.length = (line, column, length) if at is None else (at.line, at.column, len(at))

    def to_json(self):
        keys = ("code", "message", "hint", "line", "column", "length", "more")
        return {key: getattr(self, key) for key in keys if getattr(self, key) is not None}


class Unreadable(Exception):
    """Why an `input.txt` cannot be read: raise it in `from_input`. `line` and `column` count from 1."""

    def __init__(self, line, message, column=None):
        super().__init__(message)
        self.line, self.column, self.message = line, column, message


class Mistake(Exception):
    """What is wrong with the attributes or methods of a game, each in a sentence with an example."""


class Hang(BaseException):
    """A method does not come to an end. `except Exception` in a method does not catch it."""


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
    colours = None  # of both sides, other than dark and light: two of COLOURS, such as ("red", "yellow")
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
        if not isinstance(state, dict) or "board" not in state:
            raise Mistake("a state is no dict with a `board`; write a method `board(self, state)`")
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

    def notes(self, state):
        """What people see beside the board: a dict from labels to texts, such as `{"Captures": "X 4, O 2"}`."""
        return {}

    def key(self, state):
        """What tells the placement of pieces from others, where the board does not; None: the board."""
        return None

    def from_input(self, text):
        """The state of an `input.txt`, or the pair of it and its `Clocks`; `raise Unreadable(line, message)` if it is none. Without
        it, questions of an assignment, `--input` and `referee check` on positions cannot be used."""
        raise NotImplementedError

    def evaluate(self, state, side):
        """What the position is worth to `side`, not to the side to move: a whole number between -1000000 and 1000000, above 0
        where `side` stands better. For the other side it is the same with the opposite sign. Either side may be to move. Never
        asked where the game is over: results count by themselves. Without it the built-in agents see results alone."""
        raise NotImplementedError

    # What helps `from_output`.

    __exact, __overlooked = False, {}

    def overlook(self, code, message, hint=None, line=None, column=None, length=None, at=None):
        """Says how an answer departs from the format where it is understood all the same: with `--exact` it is refused, otherwise
        this is a warning, one for each code."""
        found = Refuse(code, message, hint, line, column, length, at)
        if self.__exact:
            raise found
        first = self.__overlooked.get(code)
        if first is None:
            self.__overlooked = dict(self.__overlooked, **{code: found})
        else:
            first.more = (first.more or 0) + 1

    def lines(self, text):
        """The lines of an answer that are not empty, each with its `words`: the reader of `from_output` for most games. Empty lines,
        CR at their ends, and blanks other than one between two words are overlooked."""
        if text.startswith("\xef\xbb\xbf"):
            raise Refuse("byte-order-mark", "the file starts with a byte order mark", "write plain ASCII text", 1, 1, 3)
        if text.startswith(("\xff\xfe", "\xfe\xff")):
            hint = "this is UTF-16: write plain ASCII text"
            raise Refuse("byte-order-mark", "the file starts with a byte order mark", hint, 1, 1, 2)
        found = []
        for number, line in enumerate((text[:-1] if text.endswith("\n") else text).split("\n"), 1):
            bare = line[:-1] if line.endswith("\r") else line
            if bare != line:
                self.overlook("carriage-return", "the line ends in CR LF", "lines must end in LF", number, len(bare) + 1, 1)
            kept = bare.rstrip(_BLANKS + "\r")
            if "\r" in kept:
                place = number, kept.index("\r") + 1, 1
                raise Refuse("carriage-return-within", "the line contains a CR", "lines end in LF", *place)
            words = [Word(word.group(), number, word.start() + 1) for word in re.finditer("[^%s]+" % _BLANKS, kept)]
            if not words:
                self.overlook("empty-line", "the line is empty", None, number, 1, len(bare))
                continue
            start = words[0].column - 1
            if start:
                self.overlook("leading-blanks", "blanks before the first word", None, number, 1, start)
            for word, following in zip(words, words[1:]):
                end = word.column + len(word)
                if bare[end - 1 : following.column - 1] != " ":
                    what = "more than one blank, or a tab, between two words"
                    place = number, end, following.column - end
                    self.overlook("stray-blanks", what, "one blank between two words", *place)
            if len(kept) < len(bare):
                place = number, len(kept) + 1, len(bare) - len(kept)
                self.overlook("trailing-blanks", "blanks after the last word", None, *place)
            found.append(Word(kept[start:], number, start + 1, words))
        return found

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
                _hang_after(question.get("check"))
                reply["answer"] = getattr(self, "_Game__ask_" + question["ask"].replace("-", "_"))(question)
                _hang_after(None)
                text = json.dumps(reply, separators=(",", ":"))
            except (Exception, Hang) as error:
                _hang_after(None)
                traceback.print_exc()
                text = json.dumps(dict(_failure(error), id=question["id"]))
            answers.write(text.encode("ascii") + b"\n")
            answers.flush()

    def __position(self, state):
        side, status = self.__status(state)
        position = {"state": state, "to_move": side, "status": status, "board": list(self.board(state))}
        key = self.key(state)
        if key is not None:
            position["key"] = key
        notes = self.notes(state)
        if notes:
            position["notes"] = [{"label": str(label), "text": str(text)} for label, text in notes.items()]
        return position

    def __status(self, state):
        """The status, if `goals` or `draw_reasons` know what it is by."""
        said = self.status(state)
        try:
            _, status = said
            kind, by = status["kind"], status.get("by")
        except (TypeError, ValueError, KeyError, AttributeError):
            raise Mistake(
                "`status` returned %s: expected `to_move(...)`, `must_pass(...)`, `won(...)` or `drawn(...)`" % _shown(said)
            ) from None
        known = {"won": (self.goals, "goals", WINS), "drawn": (self.draw_reasons, "draw_reasons", LEVELS)}
        if kind in known:
            codes, attribute, builtin = known[kind]
            if kind == "won" and by in self.sides:
                raise Mistake("`status`: `won` by `%s`: exchanged? It is `won(winner, by, side)`" % by)
            if by not in codes and by not in builtin:
                near = difflib.get_close_matches(str(by), list(codes) + list(builtin), 1)
                remedy = "did you mean `%s`?" % near[0] if near else "add it to `%s`" % attribute
                raise Mistake("`status`: `%s` by `%s`, which is no code of `%s`; %s" % (kind, by, attribute, remedy))
        return said

    def __has(self, method):
        return getattr(type(self), method) is not getattr(Game, method)

    def __check_class(self):
        """Raises `Mistake` where attributes have wrong values, methods are missing, or names are misspelt. Returns warnings."""
        faults = ["`%s` has no method `%s`" % (type(self).__name__, name) for name in REQUIRED if not self.__has(name)]
        for name, (fits, expected) in _ATTRIBUTES.items():
            value = getattr(self, name)
            if not fits(value):
                faults.append("`%s = %s`: expected %s" % (name, _shown(value), expected))
        if not faults:
            faults += self.__sides_named()
        misspelt, warnings = self.__unknown_names()
        if misspelt + faults:
            raise Mistake("; ".join(misspelt + faults))
        return warnings

    def __sides_named(self):
        """Where words of sides are expected, and there are others."""
        named = [("first", self.first)] if self.first not in (None, "either") else []
        named += [("pieces", piece["side"]) for piece in (self.pieces or {}).values() if piece["side"] is not None]
        sides = " or ".join("`%s`" % side for side in self.sides)
        return ["`%s`: `%s` is no side; expected %s" % (key, word, sides) for key, word in named if word not in self.sides]

    def __unknown_names(self):
        """Names of the class that look like one of `Game` which it does not define itself, and other unknown attributes."""
        own = {}
        for base in type(self).__mro__:
            if base not in (Game, object):
                own.update({name: value for name, value in vars(base).items() if name not in own})
        faults, warnings = [], []
        for name, value in own.items():
            # A constant, a name that is private, or one that is known.
            if name.isupper() or name.startswith("_") or hasattr(Game, name):
                continue
            is_method = callable(value) or hasattr(value, "__get__")
            known = [other for other in vars(Game) if other[0] != "_" and other not in own and other not in HELPERS]
            known = [other for other in known if (other in _ATTRIBUTES) != is_method and len(other) > 4]
            simple = {other.replace("_", ""): other for other in known}
            near = difflib.get_close_matches(name.lower().replace("_", ""), simple, 1, 0.8)
            what = "`%s` is no %s of `Game`" % (name, "method" if is_method else "attribute")
            what += "; did you mean `%s`?" % simple[near[0]] if near else " and has no effect;"
            if near and _is_one_slip(name.lower().replace("_", ""), near[0]):
                faults.append(what + " If it is your own, begin its name with `_`")
            elif near or not is_method and name.islower():
                warnings.append(what + " if it is your own, begin its name with `_`")
        return faults, warnings

    def __ask_game(self, question):
        if question["protocol"] != PROTOCOL:
            raise ValueError("this module speaks version %d of the protocol" % PROTOCOL)
        warnings = self.__check_class()
        pieces = self.pieces or {side: {"side": side} for side in self.sides}
        names, colours = self.side_names or self.sides, self.colours or (None, None)
        described = {
            "protocol": PROTOCOL,
            "name": self.name,
            "title": self.title,
            "sides": [
                {"word": word, "name": name, "colour": colour} for word, name, colour in zip(self.sides, names, colours)
            ],
            "first": self.first,
            "board": {
                "columns": list(self.columns),
                "rows": list(self.rows),
                "square": self.square,
                "surface": self.surface,
                "empty": self.empty,
            },
            "pieces": [dict({"shape": "disk", "letter": letter}, **piece) for letter, piece in pieces.items()],
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
            "reads_input": self.__has("from_input"),
            "evaluates": self.__has("evaluate"),
        }
        if "check" in question:
            described["warnings"] = warnings
        return described

    def __ask_start(self, question):
        return self.__position(self.start(question["to_move"]))

    def __ask_moves(self, question):
        call, changed = self.__watched(question)
        _, status = call("_Game__status")
        return dict(changed, moves=call("moves") if status["kind"] == "to-move" else [])

    def __ask_next(self, question):
        call, changed = self.__watched(question)
        return dict(changed, next=[self.__position(call("play", move)) for move in question["moves"]])

    def __watched(self, question):
        """How to call a method on the state of a question. For `referee game check`, each call gets a state of its own, and the
        first method that changes it is named in the second value."""
        state, changed = question["state"], {}
        if "check" not in question:
            return lambda method, *move: getattr(self, method)(state, *move), changed
        text = json.dumps(state)

        def call(method, *move):
            given = json.loads(text)
            result = getattr(self, method)(given, *move)
            after = json.dumps(given)
            if not changed and after != text:
                changed["changed"] = {"by": method.strip("_"), "move": move[0] if move else None, "state": given}
            # A result may share parts with the state, and would change with it.
            return result

        return call, changed

    def __ask_judge(self, question):
        state, text = question["state"], question["output"]
        self.__exact, self.__overlooked = question["exact"], {}
        try:
            move = self.from_output(text)
            exact = text[:-1] if text.endswith("\n") else text
            if exact != move and not self.__overlooked:
                self.overlook("exact-format", "the answer is not exactly the move", hint="write `%s`" % move)
        except Refuse as refused:
            return {"refusal": dict(refused.to_json(), kind="format")}
        try:
            self.check(state, move)
        except Refuse as refused:
            if refused.line and not refused.column:
                refused.line, refused.column, refused.length = _whole_line(text, refused.line)
            return {"refusal": dict(refused.to_json(), kind="illegal")}
        return {
            "move": move,
            "progress": bool(self.is_progress(state, move)),
            "warnings": [found.to_json() for found in self.__overlooked.values()],
            "next": self.__position(self.play(state, move)),
        }

    def __ask_pass(self, question):
        return self.__position(self.pass_turn(question["state"]))

    def __ask_input(self, question):
        clocks = Clocks(question["own"], question["opponent"], question["single"])
        return {"text": self.to_input(question["state"], clocks)}

    def __ask_read_input(self, question):
        try:
            read = self.from_input(question["input"])
        except Unreadable as fault:
            return {"fault": {"line": fault.line, "column": fault.column, "message": fault.message}}
        state, clocks = read if isinstance(read, tuple) else (read, None)
        answer = {"position": self.__position(state)}
        if clocks is not None:
            answer.update(single=clocks.single, own=clocks.own, opponent=clocks.opponent)
        return answer

    def __ask_evaluate(self, question):
        return {"values": [int(self.evaluate(state, question["side"])) for state in question["states"]]}


# What is expected of a class, and how a failure is told.

WINS = ("no-pieces", "no-moves", "higher-score")
LEVELS = ("blocked", "no-moves", "equal-scores")
REQUIRED = ("start", "moves", "play", "status", "to_input", "from_output")
SQUARES = ("column-row", "row-column", "column-comma-row", "row-comma-column")
SURFACES = ("plain", "chequered", "felt", "points")
SHAPES = ("disk", "king", "star", "stone", "letter")
DECISIONS = ("time", "pieces", "second-move")
COLOURS = ("black", "white", "red", "yellow", "blue", "green", "purple")
HELPERS = ("overlook", "lines", "run")


def _is_text(value):
    return isinstance(value, str)


def _is_letter(value):
    return _is_text(value) and len(value) == 1


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_list(value):
    return isinstance(value, (list, tuple)) and all(map(_is_text, value))


def _is_pair(value):
    return _is_list(value) and len(value) == 2


def _is_two_colours(value):
    return _is_pair(value) and value[0] != value[1] and set(value) <= set(COLOURS)


def _is_labels(value):
    return _is_text(value) or _is_list(value)


def _is_codes(value):
    return isinstance(value, dict) and all(map(_is_text, value)) and all(map(_is_text, value.values()))


def _is_rules(value):
    return isinstance(value, dict) and all(map(_is_text, value)) and all(map(_is_pair, value.values()))


def _is_piece(value):
    if not isinstance(value, dict) or "side" not in value or set(value) - {"side", "shape", "word", "shown"}:
        return False
    if not isinstance(value["side"], (str, type(None))):
        return False
    return value.get("shape", "disk") in SHAPES and isinstance(value.get("word"), (str, type(None)))


def _is_pieces(value):
    return isinstance(value, dict) and all(map(_is_letter, value)) and all(map(_is_piece, value.values()))


def _or_none(fits):
    return lambda value: value is None or fits(value)


def _one_of(words):
    return lambda value: value in words, "one of " + ", ".join('`"%s"`' % word for word in words)


_LABELS = "labels, such as `%s`"
_TURNS = (_or_none(_is_whole), "a whole number, such as `50`, or `None`")
_SENTENCES = "a dict from codes to ends of sentences, such as `%s`"

# The folder of the program, whose files are the author's.
_ROOT = os.path.dirname(os.path.abspath(sys.argv[0] or "."))

# Each attribute of `Game`: what it has to be, as a function and in words.
_ATTRIBUTES = {
    "name": (_is_text, 'a text, such as `"pente"`'),
    "title": (_is_text, 'a text, such as `"Pente"`'),
    "sides": (_is_pair, 'the words of two sides, such as `("BLACK", "WHITE")`: a game has two players'),
    "side_names": (_or_none(_is_pair), 'the names of two sides, such as `("Black", "White")`, or `None`'),
    "colours": (
        _or_none(_is_two_colours),
        'two of %s, such as `("red", "yellow")`, or `None`' % ", ".join('`"%s"`' % word for word in COLOURS),
    ),
    "first": (_or_none(_is_text), 'the word of a side, `"either"` or `None`'),
    "columns": (_is_labels, _LABELS % 'columns = "abc"'),
    "rows": (_is_labels, _LABELS % 'rows = ["10", "9", "8"]' + "; for 19 rows `[str(row) for row in range(19, 0, -1)]`"),
    "square": _one_of(SQUARES),
    "surface": _one_of(SURFACES),
    "empty": (_is_letter, 'one letter, such as `"."`'),
    "pieces": (
        _or_none(_is_pieces),
        'a dict such as `{"b": {"side": "BLACK", "shape": "disk", "word": "man"}}`; a shape is one of %s' % ", ".join(SHAPES),
    ),
    "separator": (_is_text, 'a text, such as `" "`'),
    "time_line": (_or_none(_is_whole), "the number of a line, such as `2`, or `None`"),
    "input_lines": (_is_whole, "a whole number, such as `22`"),
    "play_time": (_is_number, "seconds as a number, such as `100.0`"),
    "move_time": (_or_none(_is_number), "seconds as a number, such as `10.0`, or `None`"),
    "idle_turns": _TURNS,
    "repetitions": _TURNS,
    "turn_limit": _TURNS,
    "progress_words": (_is_text, 'a text, such as `"a capture"`'),
    "draw_decisions": (
        lambda value: _is_list(value) and set(value) <= set(DECISIONS),
        "a tuple of %s, such as `(\"time\",)`" % ", ".join('`"%s"`' % word for word in DECISIONS),
    ),
    "typical_moves": (_is_whole, "a whole number, such as `40`"),
    "keeps_directory": (lambda value: isinstance(value, bool), "`True` or `False`"),
    "goals": (_is_codes, _SENTENCES % '{"five-in-a-row": "it has five in a row"}'),
    "draw_reasons": (_is_codes, _SENTENCES % '{"full-board": "the board is full"}'),
    "rules": (
        _is_rules,
        'a dict from codes to pairs of a name and a sentence, such as '
        '`{"taken": ("empty squares", "a stone is put on an empty square")}`',
    ),
}


def _is_one_slip(one, other):
    """Whether they differ by at most one letter that is missing, wrong, or in the place of its neighbour."""
    start = len(os.path.commonprefix([one, other]))
    one, other = one[start:], other[start:]
    end = len(os.path.commonprefix([one[::-1], other[::-1]]))
    one, other = one[: len(one) - end], other[: len(other) - end]
    return max(len(one), len(other)) <= 1 or len(one) == 2 and one == other[::-1]


def _whole_line(text, count):
    """Line, column and length of what the answer has for a line of the move: its lines that are not empty are counted."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip(_BLANKS + "\r")]
    number, line = lines[min(count, len(lines)) - 1]
    whole = line.strip(_BLANKS + "\r")
    return number, line.index(whole) + 1, len(whole)


def _shown(value):
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _hang_after(seconds):
    """Raises `Hang` in this thread in so many seconds, unless called with None before."""
    if not hasattr(signal, "setitimer"):
        return

    def ring(_number, _frame):
        raise Hang("no answer within %g s" % seconds)

    if seconds:
        signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds or 0)


def _failure(error):
    """How a failure is told: what it is, and the last place in a file of the author's."""
    is_said = isinstance(error, (Mistake, Hang))
    told = {"error": str(error) if is_said else "%s: %s" % (type(error).__name__, error)}
    here, own = os.path.abspath(__file__), []
    for frame in traceback.extract_tb(error.__traceback__):
        file = os.path.abspath(frame.filename)
        if file != here and file.startswith(_ROOT) and frame.name != "<module>":
            own.append({"file": os.path.relpath(file, _ROOT), "line": frame.lineno, "function": frame.name})
    if own and not isinstance(error, Mistake):
        told["place"] = own[-1]
    if isinstance(error, Hang):
        told["hangs"] = True
    return told
