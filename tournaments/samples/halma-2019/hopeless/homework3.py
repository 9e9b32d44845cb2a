"""A submission that is hopeless: Halma (Fall 2019) in Python 3. It was changed once more just before the deadline.

It cannot even be read by Python, so it is rejected, with what Python says. The course cannot know what was meant.
Licence: MIT or Apache-2.0, at your option.
"""


def read_input():
    with open("input.txt") as file:
        lines = file.read().split()
    return lines[1][0], lines[3:19]


def main()
    letter, rows = read_input()
    for y in range(16):
        for x in range(15):
            if rows[y][x] == letter and rows[y][x + 1] == ".":
                with open("output.txt", "w") as file:
                    file.write("E %d,%d %d,%d\n" % (x, y, x + 1, y))
                return


main()
