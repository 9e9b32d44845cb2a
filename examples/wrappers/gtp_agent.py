"""Plays Little-Go with an engine that speaks GTP, the Go Text Protocol.

A submission is the student's `engine.py`, as it is, with a `homework.py` of one line beside it: `import gtp_agent`. This file
and `referee_agent.py` are in the course's kit. The engine runs for the whole game and is told the opponent's moves by `play`;
the opponent's last move is what the two boards of `input.txt` differ by. Stones of an opening are told in the same way, before
the first move. Licence: MIT or Apache-2.0, at your option.
"""

import subprocess
import sys

from referee_agent import run

ENGINE = [sys.executable, "engine.py"]
SIZE, KOMI = 5, 2.5
COLOURS = {"1": "black", "2": "white"}
OTHER = {"1": "2", "2": "1"}
COLUMNS = "ABCDEFGHJ"  # there is no I


def vertex(row, column):
    """GTP counts rows from the bottom."""
    return "%s%d" % (COLUMNS[column], SIZE - row)


def point(vertex):
    """What `output.txt` has for a vertex. An engine that resigns plays on by passing."""
    vertex = vertex.upper()
    if vertex in ("PASS", "RESIGN"):
        return "PASS"
    return "%d,%d" % (SIZE - int(vertex[1:]), COLUMNS.index(vertex[0]))


class GtpAgent:
    def __init__(self):
        pipe = subprocess.PIPE
        self.engine = subprocess.Popen(ENGINE, stdin=pipe, stdout=pipe, encoding="utf-8")
        self.has_moved = False
        for command in ("boardsize %d" % SIZE, "clear_board", "komi %s" % KOMI):
            self.ask(command)

    def ask(self, command):
        """The answer `= TEXT` to a command, up to an empty line; `? TEXT` ends the game."""
        self.engine.stdin.write(command + "\n")
        self.engine.stdin.flush()
        lines = []
        for line in self.engine.stdout:
            if line.strip():
                lines.append(line.strip())
            elif lines:
                break
        said = " ".join(lines)
        if not said.startswith("="):
            sys.exit("the engine answers `%s` by `%s`" % (command, said))
        return said[1:].strip()

    def answer(self, question):
        side, *rows = question.split()
        before, now = "".join(rows[:SIZE]), "".join(rows[SIZE:])
        if not self.has_moved:
            for at, stone in enumerate(before):
                if stone != "0":
                    self.ask("play %s %s" % (COLOURS[stone], vertex(*divmod(at, SIZE))))
        placed = [at for at in range(SIZE * SIZE) if before[at] == "0" and now[at] == OTHER[side]]
        if placed:
            self.ask("play %s %s" % (COLOURS[OTHER[side]], vertex(*divmod(placed[0], SIZE))))
        elif self.has_moved or side == "2":
            self.ask("play %s pass" % COLOURS[OTHER[side]])
        self.has_moved = True
        return point(self.ask("genmove " + COLOURS[side]))


run(GtpAgent)
