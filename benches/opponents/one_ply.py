"""Looks one ply ahead in any game: wins if it can, otherwise makes the move with the highest evaluation.

`rules.py` beside it is the rules program. Equal moves are chosen by lot, the same for the same `input.txt`.
"""

import random

import referee_rules
import rules

game = next(kind for kind in vars(rules).values() if isinstance(kind, type) and kind.__module__ == "rules" and issubclass(kind, referee_rules.Game))()
with open("input.txt") as file:
    text = file.read()
state = game.from_input(text)
side, _ = game.status(state)


def worth(move):
    after = game.play(state, move)
    _, status = game.status(after)
    if status["kind"] in ("won", "drawn"):
        return {side: 1000000, None: 0}.get(status.get("winner"), -1000000)
    return game.evaluate(after, side)


moves = game.moves(state)
random.Random("\n".join(text.splitlines()[2:])).shuffle(moves)
with open("output.txt", "w") as file:
    file.write(max(moves, key=worth) + "\n")
