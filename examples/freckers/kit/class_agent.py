"""Plays Freckers with an agent that is a class with `action` and `update`, as COMP30024 at Melbourne has it.

A submission is the student's package `agent`, as it is, with a `homework.py` of one line beside it: `import class_agent`. This
file, `referee_agent.py` and the package `referee` are in the course's kit. The class is made before the first question, and is
told every action of both sides in turn. Licence: MIT or Apache-2.0, at your option.
"""

from referee_agent import run
from referee.game import Coord, Direction, GrowAction, MoveAction, PlayerColor

SPACE_LIMIT_MB = 250.0


def coord(name):
    row, column = name.split(",")
    return Coord(int(row), int(column))


def action_of(text):
    """`GROW`, or the cells that a frog visits."""
    if text == "GROW":
        return GrowAction()
    cells = [coord(name) for name in text.split()]
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


class ClassAgent:
    """The student's agent, made when its colour is known: at the first question."""

    def __init__(self):
        from agent import Agent  # a large package takes its time here, before the first question
        self.make, self.agent = Agent, None

    def answer(self, question):
        side, times, _, last, *rows = question.split("\n")
        colour, own_time = PlayerColor[side], float(times.split()[0])
        told = {"time_remaining": own_time, "space_remaining": SPACE_LIMIT_MB, "space_limit": SPACE_LIMIT_MB}
        if self.agent is None:
            self.agent = self.make(colour, **told)
        last = last.split(None, 1)[1]
        if last != "NONE":
            self.agent.update(colour.opponent, action_of(last), **told)
        action = self.agent.action(**told)
        frogs = {(row, column) for row, cells in enumerate(rows) for column, one in enumerate(cells) if one in "RB"}
        text = text_of(action, frogs)
        # The referee tells it its own action, too.
        self.agent.update(colour, action, **told)
        return text


run(ClassAgent)
