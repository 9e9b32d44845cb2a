"""A sample agent for Duo-Othello (Spring 2024) that stays alive for the whole game, in Python 3.

It looks two plies ahead. It remembers the value of every position that it has seen in this game, which a program that
is started anew for each move cannot. Squares are numbered 0 to 143, row by row from the top left: a1 is 0, l12 is 143.
Licence: MIT or Apache-2.0, at your option.
"""

from referee_agent import run

SIZE = 12
OTHER = {"X": "O", "O": "X"}
DIRECTIONS = [(row, column) for row in (-1, 0, 1) for column in (-1, 0, 1) if row or column]
CORNERS = {0, 11, 132, 143}


def rays_of(square):
    """The squares in each direction from `square` to the edge."""
    rays = []
    for down, right in DIRECTIONS:
        row, column, ray = square // SIZE + down, square % SIZE + right, []
        while 0 <= row < SIZE and 0 <= column < SIZE:
            ray.append(row * SIZE + column)
            row, column = row + down, column + right
        if len(ray) > 1:
            rays.append(ray)
    return rays


RAYS = [rays_of(square) for square in range(SIZE * SIZE)]


def flips(board, square, side):
    """The disks that `side` flips by moving to `square`."""
    flipped = []
    for ray in RAYS[square]:
        line = []
        for at in ray:
            if board[at] != OTHER[side]:
                if board[at] == side:
                    flipped += line
                break
            line.append(at)
    return flipped


def moves(board, side):
    """Each legal move with the board after it."""
    for square in range(SIZE * SIZE):
        if board[square] == ".":
            flipped = flips(board, square, side)
            if flipped:
                after = list(board)
                for at in flipped + [square]:
                    after[at] = side
                yield square, "".join(after)


class Agent:
    def __init__(self):
        self.values = {}

    def value(self, board, side):
        """How good `board` is for `side`, which is to move: corners, and how many moves each side has."""
        key = board, side
        if key not in self.values:
            corners = sum((board[square] == side) - (board[square] == OTHER[side]) for square in CORNERS)
            mobility = sum(1 for _ in moves(board, side)) - sum(1 for _ in moves(board, OTHER[side]))
            self.values[key] = 10 * corners + mobility
        return self.values[key]

    def after_reply(self, board, side):
        """The value for `side` after the opponent's best reply."""
        replies = [self.value(after, side) for _, after in moves(board, OTHER[side])]
        return min(replies, default=self.value(board, side) + 5)

    def answer(self, question):
        side, times, *rows = question.split("\n")
        board = "".join(rows)[: SIZE * SIZE]
        if float(times.split()[0]) < 2:
            square, _ = next(moves(board, side))
        else:
            square, _ = max(moves(board, side), key=lambda move: self.after_reply(move[1], side))
        return f"{'abcdefghijkl'[square % SIZE]}{square // SIZE + 1}"


run(Agent)
