"""Kalah as a rules program: extra turns by passes, numbers on a board, scores.

Each side has six houses of four seeds and a store. A move takes all seeds of one's own house and sows them one by one against
the clock, into one's own store, too, but not into the other's. Whose last seed falls into their store moves again. If it falls
into an empty house of one's own, it and all seeds opposite go to one's store. The game is over when the side to move has no
seed in its houses; the seeds that are left go to the other side.
"""

from referee_rules import Game, Refuse, Unreadable, drawn, must_pass, quoted, to_move, won

# Each side's houses in the order in which it sows: north sits opposite. Then comes its store.
HOUSES = {"SOUTH": ["a1", "b1", "c1", "d1", "e1", "f1"], "NORTH": ["f2", "e2", "d2", "c2", "b2", "a2"]}
STORE, PITS = 6, 14
# The number of seeds on the board, one letter for a pit; more than nine seeds are A, B and so on.
LETTERS = ".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Kalah(Game):
    name, title = "kalah", "Kalah"
    sides = ("SOUTH", "NORTH")
    # The stores are the columns at the ends: the right one is SOUTH's.
    columns, rows = ["N", "a", "b", "c", "d", "e", "f", "S"], "21"
    pieces = {letter: {"side": None} for letter in LETTERS[1:]}
    time_line, input_lines = 2, 4
    play_time = 20.0
    typical_moves = 20
    draw_decisions = ()  # equal scores are a draw, whatever time is left
    rules = {
        "not-a-house": ("houses", "a move is one of one's own houses: `a1` to `f1` for SOUTH, `a2` to `f2` for NORTH"),
        "extra-line": ("houses", "a move is a single house"),
        "not-your-house": ("houses", "a move is one of one's own houses"),
        "empty-house": ("seeds", "a move sows the seeds of a house that has some"),
    }

    # A state has the seeds of the side's own pits in the order of `HOUSES`, its store last, then those of the other side.

    def start(self, side):
        return {"side": side, "pits": [4] * 6 + [0] + [4] * 6 + [0], "again": False}

    def moves(self, state):
        return [house for house, seeds in zip(HOUSES[state["side"]], state["pits"]) if seeds]

    def play(self, state, move):
        pits, at = list(state["pits"]), HOUSES[state["side"]].index(move)
        seeds, pits[at] = pits[at], 0
        while seeds:
            at = (at + 1) % (PITS - 1)
            pits[at] += 1
            seeds -= 1
        opposite = 12 - at
        if at < STORE and pits[at] == 1 and pits[opposite]:
            pits[STORE] += 1 + pits[opposite]
            pits[at] = pits[opposite] = 0
        return self._turned(state, pits, at == STORE)

    def pass_turn(self, state):
        return self._turned(state, state["pits"], False)

    def status(self, state):
        side, pits = state["side"], state["pits"]
        if state["again"]:
            return must_pass(side)
        if any(pits[:STORE]):
            return to_move(side)
        own, others = pits[STORE], sum(pits) - pits[STORE]
        scores = {side: own, self._other(side): others}
        if own == others:
            return drawn(side, "equal-scores", scores)
        return won(side if own > others else self._other(side), "higher-score", side, scores)

    def to_input(self, state, clocks):
        return "\n".join([state["side"], clocks.own] + [" ".join(map(str, pits)) for pits in self._by_side(state)]) + "\n"

    def from_output(self, text):
        line, *further = self.lines(text)
        if further:
            raise Refuse("extra-line", "%s is an extra line" % quoted(further[0]), at=further[0])
        if line not in HOUSES["SOUTH"] + HOUSES["NORTH"]:
            raise Refuse("not-a-house", "%s is no house" % quoted(line), hint="houses are `a1` to `f1`, `a2` to `f2`", at=line)
        return line

    # Everything below has a default.

    def check(self, state, move):
        own = HOUSES[state["side"]]
        if move not in own:
            hint = "houses of %s are `%s` to `%s`" % (state["side"], min(own), max(own))
            raise Refuse("not-your-house", "house `%s` is the other side's" % move, hint=hint, line=1)
        if move not in self.moves(state):
            raise Refuse("empty-house", "house `%s` is empty" % move, hint="these are not: " + " ".join(self.moves(state)), line=1)

    def from_input(self, text):
        try:
            side, seconds, *rows = text.splitlines()
            own, others = [[int(seeds) for seeds in row.split()] for row in rows]
        except ValueError:
            raise Unreadable(1, "expected a side, the seconds left, and seven numbers for each side") from None
        if side not in self.sides or len(own) != 7 or len(others) != 7 or min(own + others) < 0 or sum(own + others) != 48:
            raise Unreadable(3, "expected seven numbers for each side, 48 seeds in all")
        return {"side": side, "pits": own + others, "again": False}

    def board(self, state):
        own, others = self._by_side(state)
        south, north = (own, others) if state["side"] == "SOUTH" else (others, own)
        letters = [LETTERS[min(seeds, 35)] for seeds in north[::-1] + south]
        return ["".join(letters[:7]) + ".", "." + "".join(letters[7:])]

    def notes(self, state):
        own, others = self._by_side(state)
        stores = {state["side"]: own[STORE], self._other(state["side"]): others[STORE]}
        return {side: "%d in the store" % stores[side] for side in self.sides}

    def key(self, state):
        return "again" if state["again"] else None

    def evaluate(self, state, side):
        own, others = self._by_side(state)
        return (own[STORE] - others[STORE]) * (1 if state["side"] == side else -1)

    def _other(self, side):
        return "NORTH" if side == "SOUTH" else "SOUTH"

    def _by_side(self, state):
        return state["pits"][:7], state["pits"][7:]

    def _turned(self, state, pits, again):
        return {"side": self._other(state["side"]), "pits": pits[7:] + pits[:7], "again": again}


if __name__ == "__main__":
    Kalah().run()
