"""Plays Freckers with an agent that is a class with `action` and `update`, as COMP30024 at Melbourne has it.

A submission is the student's package `agent`, as it is, with a `homework.py` of one line beside it: `import class_agent`. This
file, `referee_agent.py` and the package `referee` are in the course's kit. The class is made at the first question, and is
told every action of both sides. Licence: MIT or Apache-2.0, at your option.
"""

import resource
import time

from referee_agent import run  # first: what the agent prints must not be taken for an answer
from referee.game import Coord, Direction, GrowAction, MoveAction, PlayerColor
from agent import Agent  # a large package takes its time here, before the first question

SPACE_LIMIT_MB = 250.0


def action_of(text):
    """The action that is `GROW`, or the cells that a frog visits."""
    if text == "GROW":
        return GrowAction()
    cells = [Coord(*map(int, name.split(","))) for name in text.split()]
    return MoveAction(cells[0], [towards(*pair) for pair in zip(cells, cells[1:])])


def towards(here, there):
    """The direction of a step or a jump."""
    sign = lambda difference: (difference > 0) - (difference < 0)
    return Direction.of(sign(there.r - here.r), sign(there.c - here.c))


def text_of(action, frogs):
    """The cells of a move: a direction jumps where a frog stands next to it, and is a step elsewhere."""
    if isinstance(action, GrowAction):
        return "GROW"
    cells = [(action.coord.r, action.coord.c)]
    for direction in action.directions:
        (row, column), (down, right) = cells[-1], (direction.r, direction.c)
        far = 2 if (row + down, column + right) in frogs else 1
        cells.append((row + far * down, column + far * right))
    return " ".join("%d,%d" % cell for cell in cells)


def peak_mb():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class ClassAgent:
    """The student's agent, made when its colour is known: at the first question."""

    def __init__(self):
        self.agent, self.imported_mb = None, peak_mb()

    def told(self, own_time, since):
        """What the course's referee tells with every call: the limit of memory does not count what is imported."""
        left = own_time - (time.process_time() - since)
        space_left = SPACE_LIMIT_MB - (peak_mb() - self.imported_mb)
        return {"time_remaining": left, "space_remaining": space_left, "space_limit": SPACE_LIMIT_MB}

    def answer(self, question):
        side, times, _, last, *rows = question.split("\n")
        colour, last = PlayerColor[side], last.split(None, 1)[1]
        clock = float(times.split()[0]), time.process_time()
        if self.agent is None:
            self.agent = Agent(colour, **self.told(*clock))
        if last != "NONE":
            self.agent.update(colour.opponent, action_of(last), **self.told(*clock))
        action = self.agent.action(**self.told(*clock))
        self.agent.update(colour, action, **self.told(*clock))
        frogs = {(row, column) for row, cells in enumerate(rows) for column, one in enumerate(cells) if one in "RB"}
        return text_of(action, frogs)


run(ClassAgent)
