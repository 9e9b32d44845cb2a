"""A sample agent for Duo-Othello (Spring 2024), in Python 3: looks at each own move and the best answer to it.

It shows a board with a rim, which spares every test of whether a square is on the board, and a table of what squares
are worth: a corner can never be flipped, and the squares beside it give it away.

Squares are numbered on a board of 14 by 14: 12 by 12 and a rim around it. Licence: MIT or Apache-2.0, at your option.
"""

SIZE = 12
WIDTH = SIZE + 2
EMPTY = "."
RIM = "#"
OTHER = {"X": "O", "O": "X"}
DIRECTIONS = (-WIDTH - 1, -WIDTH, -WIDTH + 1, -1, 1, WIDTH - 1, WIDTH, WIDTH + 1)
SQUARES = [WIDTH * row + column for row in range(1, SIZE + 1) for column in range(1, SIZE + 1)]

HURRY_BELOW_SECONDS = 1.0
WON = 1_000_000
WORTH_OF_A_TURN = 50


def square_worths():
    """What it is worth to hold each square."""
    edge_worth = {0: 8, 1: -4}  # by the distance from the nearest edge; further inside it is 1
    worths = [0] * (WIDTH * WIDTH)
    for square in SQUARES:
        row, column = square // WIDTH - 1, square % WIDTH - 1
        down, right = min(row, SIZE - 1 - row), min(column, SIZE - 1 - column)
        if (down, right) == (0, 0):
            worths[square] = 100
        elif down <= 1 and right <= 1:
            worths[square] = -30
        else:
            worths[square] = edge_worth.get(min(down, right), 1)
    return worths


WORTHS = square_worths()


def flips(board, square, side):
    """The disks that `side` flips by a disk on `square`; none if that is not a legal move."""
    enemy = OTHER[side]
    flipped = []
    for direction in DIRECTIONS:
        at = square + direction
        if board[at] != enemy:
            continue
        line = []
        while board[at] == enemy:
            line.append(at)
            at += direction
        if board[at] == side:
            flipped += line
    return flipped


def legal_moves(board, side):
    """Every legal move of `side`: the square, and the disks that it flips."""
    moves = []
    for square in SQUARES:
        if board[square] == EMPTY:
            flipped = flips(board, square, side)
            if flipped:
                moves.append((square, flipped))
    return moves


def play(board, move, side):
    """The board after `move`."""
    square, flipped = move
    board = board[:]
    board[square] = side
    for each in flipped:
        board[each] = side
    return board


def evaluate(board, side):
    """How good the board is for `side` while the game goes on."""
    enemy = OTHER[side]
    total = 0
    for square in SQUARES:
        disk = board[square]
        if disk == side:
            total += WORTHS[square]
        elif disk == enemy:
            total -= WORTHS[square]
    return total


def final_score(board, side):
    """How good the board is for `side` when the game is over: won or lost. `X`, which moved second, has one point more."""
    margin = board.count(side) - board.count(OTHER[side]) + (1 if side == "X" else -1)
    return WON * ((margin > 0) - (margin < 0)) + margin


def can_move(board, side):
    return any(board[square] == EMPTY and flips(board, square, side) for square in SQUARES)


def worth_when_to_move(board, side):
    """How good the board is for `side`, whose turn it is, without looking further."""
    if can_move(board, side):
        return evaluate(board, side)
    if can_move(board, OTHER[side]):
        return evaluate(board, side) - WORTH_OF_A_TURN  # we pass
    return final_score(board, side)


def worth_after(board, side):
    """How good the board is for `side` when the opponent has answered as well as it can."""
    enemy = OTHER[side]
    answers = legal_moves(board, enemy)
    if not answers:
        # The opponent passes, and it is our turn again, unless the game is over.
        return worth_when_to_move(board, side) + WORTH_OF_A_TURN
    return min(worth_when_to_move(play(board, answer, enemy), side) for answer in answers)


def choose(board, side, seconds_left):
    moves = legal_moves(board, side)
    if seconds_left < HURRY_BELOW_SECONDS:
        return max(moves, key=lambda move: WORTHS[move[0]])
    return max(moves, key=lambda move: worth_after(play(board, move, side), side))


def read_input():
    with open("input.txt") as file:
        words = file.read().split()
    side, seconds_left, rows = words[0], float(words[1]), words[3 : 3 + SIZE]
    rim_row = RIM * WIDTH
    board = list(rim_row + "".join(RIM + row + RIM for row in rows) + rim_row)
    return side, seconds_left, board


def name(square):
    return "abcdefghijkl"[square % WIDTH - 1] + str(square // WIDTH)


def main():
    side, seconds_left, board = read_input()
    square, _ = choose(board, side, seconds_left)
    with open("output.txt", "w") as file:
        file.write(name(square) + "\n")


if __name__ == "__main__":
    main()
