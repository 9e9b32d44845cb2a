"""A submission that is hopeless: checkers (Spring 2021) in Python 3. It does not know that jumps are compulsory.

It plays the first step that it finds, men forward and kings in any direction, and has never heard of captures. So its first
move is legal, and it loses by an illegal move as soon as there is something to capture.
Licence: MIT or Apache-2.0, at your option.
"""


def steps(board, side):
    forward = 1 if side == "b" else -1
    for row in range(8):
        for column in range(8):
            piece = board[row][column]
            if piece.lower() != side:
                continue
            for down in (forward, -forward) if piece.isupper() else (forward,):
                for right in (-1, 1):
                    to_row, to_column = row + down, column + right
                    if 0 <= to_row < 8 and 0 <= to_column < 8 and board[to_row][to_column] == ".":
                        yield name(row, column), name(to_row, to_column)


def name(row, column):
    return "abcdefgh"[column] + str(8 - row)


def main():
    with open("input.txt") as file:
        lines = file.read().split()
    start, end = next(steps(lines[3:11], "b" if lines[1] == "BLACK" else "w"))
    with open("output.txt", "w") as file:
        file.write("E %s %s\n" % (start, end))


main()
