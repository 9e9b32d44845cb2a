"""A sample agent: wins if it can, prevents the other side from winning if it must, and likes the middle."""

LINES = ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "a3 b2 c1"]

with open("input.txt") as file:
    side, seconds, *board = file.read().split()

squares = [column + row for row in "321" for column in "abc"]
signs = dict(zip(squares, "".join(board)))


def completes(sign):
    """The squares that give `sign` three in a row."""
    for line in LINES:
        line = line.split()
        empty = [square for square in line if signs[square] == "."]
        if len(empty) == 1 and [signs[square] for square in line].count(sign) == 2:
            yield empty[0]


wishes = list(completes(side)) + list(completes("O" if side == "X" else "X")) + ["b2"] + squares
with open("output.txt", "w") as file:
    file.write(next(square for square in wishes if signs[square] == ".") + "\n")
