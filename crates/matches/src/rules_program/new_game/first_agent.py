"""A sample agent: takes the first empty square, row by row."""

with open("input.txt") as file:
    side, seconds, *board = file.read().split()

squares = [column + row for row in "321" for column in "abc"]
signs = "".join(board)
with open("output.txt", "w") as file:
    file.write(next(square for square, sign in zip(squares, signs) if sign == ".") + "\n")
