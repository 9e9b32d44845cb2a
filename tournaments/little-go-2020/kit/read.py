"""Reading the files of Little-Go: `from read import readInput, readOutput`.

Written anew for this referee with the names that agents import from the course's kit; it runs with Python 2 and 3.
"""


def readInput(n, path="input.txt"):
    """The side to move, the board before the opponent's last move, and the board now, each a list of `n` lists of digits."""
    with open(path) as lines:
        lines = [line.strip() for line in lines]
    boards = [[int(digit) for digit in line] for line in lines[1 : 1 + 2 * n]]
    return int(lines[0]), boards[:n], boards[n:]


def readOutput(path="output.txt"):
    """`("MOVE", row, column)`, or `("PASS", -1, -1)`."""
    with open(path) as lines:
        answer = lines.readline().strip().split(",")
    if answer[0] == "PASS":
        return "PASS", -1, -1
    return "MOVE", int(answer[0]), int(answer[1])
