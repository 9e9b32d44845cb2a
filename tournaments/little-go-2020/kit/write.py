"""Writing the files of Little-Go: `from write import writeOutput, writePass, writeNextInput`.

Written anew for this referee with the names that agents import from the course's kit; it runs with Python 2 and 3.
"""


def writeOutput(result, path="output.txt"):
    """Writes a move: `(row, column)`, or `"PASS"`."""
    text = "PASS" if result == "PASS" else "{},{}".format(result[0], result[1])
    with open(path, "w") as output:
        output.write(text)


def writePass(path="output.txt"):
    """Writes a pass."""
    writeOutput("PASS", path)


def writeNextInput(piece_type, previous_board, board, path="input.txt"):
    """Writes what `readInput` reads."""
    rows = ["".join(str(digit) for digit in row) for row in list(previous_board) + list(board)]
    with open(path, "w") as output:
        output.write("\n".join([str(piece_type)] + rows) + "\n")
