"""A submission that is hopeless: Duo-Othello (Spring 2024) in Python 3. It was written for the common board of 8 by 8.

With 12 rows it runs over the edge of its own table and crashes before it has written anything.
Licence: MIT or Apache-2.0, at your option.
"""

WORTHS = [
    [100, -20, 10, 5, 5, 10, -20, 100],
    [-20, -50, -2, -2, -2, -2, -50, -20],
    [10, -2, 1, 1, 1, 1, -2, 10],
    [5, -2, 1, 1, 1, 1, -2, 5],
    [5, -2, 1, 1, 1, 1, -2, 5],
    [10, -2, 1, 1, 1, 1, -2, 10],
    [-20, -50, -2, -2, -2, -2, -50, -20],
    [100, -20, 10, 5, 5, 10, -20, 100],
]


def flips_something(rows, side, row, column):
    enemy = "O" if side == "X" else "X"
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            y, x, between = row + down, column + right, 0
            while 0 <= y < len(rows) and 0 <= x < len(rows) and rows[y][x] == enemy:
                y, x, between = y + down, x + right, between + 1
            if between and 0 <= y < len(rows) and 0 <= x < len(rows) and rows[y][x] == side:
                return True
    return False


def main():
    with open("input.txt") as file:
        words = file.read().split()
    side, rows = words[0], words[3:]
    squares = [(row, column) for row in range(len(rows)) for column in range(len(rows)) if rows[row][column] == "."]
    best = max(squares, key=lambda square: WORTHS[square[0]][square[1]])
    row, column = next(square for square in [best] + squares if flips_something(rows, side, *square))
    with open("output.txt", "w") as file:
        file.write("abcdefghijkl"[column] + str(row + 1))


main()
