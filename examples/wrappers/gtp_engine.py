"""A sample engine for 5x5 Go that speaks GTP: it captures what it can, and else plays the first point that is legal.

It plays any size up to 9x9 and passes when it has no legal point. Licence: MIT or Apache-2.0, at your option.
"""

COLUMNS = "ABCDEFGHJ"
OTHER = {"black": "white", "white": "black"}
FULL_NAMES = {"b": "black", "w": "white"}


class Engine:
    def __init__(self):
        self.boardsize("5")

    def boardsize(self, size):
        self.size = int(size)
        self.clear_board()

    def clear_board(self):
        self.stones, self.before = {}, {}

    def komi(self, _komi):
        pass

    def play(self, colour, vertex):
        colour = FULL_NAMES.get(colour[0].lower())
        at = None if vertex.lower() == "pass" else (int(vertex[1:]), COLUMNS.index(vertex[0].upper()))
        after = self.stones if at is None else self.after(colour, at)
        if after is None:
            raise ValueError("illegal move")
        self.before, self.stones = self.stones, after

    def genmove(self, colour):
        colour = FULL_NAMES.get(colour[0].lower())
        points = [(row, column) for row in range(1, self.size + 1) for column in range(self.size)]
        legal = [at for at in points if self.after(colour, at) is not None]
        # The fewest stones of the opponent are left after the largest capture.
        best = min(legal, key=lambda at: list(self.after(colour, at).values()).count(OTHER[colour]), default=None)
        vertex = "pass" if best is None else "%s%d" % (COLUMNS[best[1]], best[0])
        self.play(colour, vertex)
        return vertex

    def after(self, colour, at):
        """The stones after a move to `at`; `None` if it is illegal."""
        if at in self.stones:
            return None
        stones = {**self.stones, at: colour}
        for beside in self.beside(at):
            if stones.get(beside) == OTHER[colour]:
                for captured in self.without_liberty(stones, beside):
                    del stones[captured]
        is_ko = stones == self.before
        return None if is_ko or self.without_liberty(stones, at) else stones

    def without_liberty(self, stones, at):
        """The group at `at` if it has no liberty, else nothing."""
        group, waiting = {at}, [at]
        while waiting:
            for beside in self.beside(waiting.pop()):
                if beside not in stones:
                    return set()
                if stones[beside] == stones[at] and beside not in group:
                    group.add(beside)
                    waiting.append(beside)
        return group

    def beside(self, at):
        around = [(at[0] + down, at[1] + right) for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        return [(row, column) for row, column in around if 1 <= row <= self.size and 0 <= column < self.size]


def main():
    engine = Engine()
    while True:
        name, *arguments = input().split()
        if name == "quit":
            print("= \n", flush=True)
            break
        try:
            print("= %s\n" % (getattr(engine, name)(*arguments) or ""), flush=True)
        except (AttributeError, TypeError, ValueError) as error:
            print("? %s\n" % error, flush=True)


if __name__ == "__main__":
    main()
