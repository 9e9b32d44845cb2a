"""Plays Connect Four with a program that is a TCP client, `PROGRAM -p PORT`, as COMP3411 at UNSW has it.

A submission is the student's `agent.py`, as it is, with a `homework.py` of one line beside it: `import tcp_agent`. This file,
`socket_pair.py` and `referee_agent.py` are in the course's kit. The client is sent lines and answers the last of each turn:

    start(R)          once; the client's side
    last_move(c1)     the opponent's move, if there was one
    your_move         the client answers with a square and the end of a line

A program has no network, so the client's connection is one end of a socket pair, which a client in Python does not notice
(`socket_pair.py`). Licence: MIT or Apache-2.0, at your option.
"""

import socket
import subprocess
import sys

from referee_agent import run

OTHER = {"R": "Y", "Y": "R"}
COLUMNS, ROWS = "abcdefg", "654321"


def start(client):
    """A connection to a client that believes to have the network."""
    ours, theirs = socket.socketpair()
    command = [sys.executable, "socket_pair.py", str(theirs.fileno()), client, "-p", "1"]
    subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])
    theirs.close()
    return ours.makefile("rw", encoding="utf-8", newline="\n")


class TcpAgent:
    def __init__(self):
        self.lines = start("agent.py")
        self.board = None

    def send(self, line):
        self.lines.write(line + "\n")
        self.lines.flush()

    def answer(self, question):
        side, _, *rows = question.split("\n")
        board = "".join(rows)
        if self.board is None:
            self.send("start(%s)" % side)
        # The only disk of the opponent that is new since this agent's last turn.
        known = self.board or "." * len(board)
        new = [at for at, disk in enumerate(board) if disk == OTHER[side] and known[at] != disk]
        for at in new:
            self.send("last_move(%s%s)" % (COLUMNS[at % len(COLUMNS)], ROWS[at // len(COLUMNS)]))
        self.board = board
        self.send("your_move")
        return self.lines.readline().strip() or sys.exit("the client has closed its connection")


run(TcpAgent)
