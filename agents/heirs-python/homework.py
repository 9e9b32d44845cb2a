"""A sample agent for Heirs (Spring 2026), in Python 3: looks at each own move and the opponent's best answer to it.

It shows a board with a rim, which spares every test of whether a square is on the board, and an evaluation that changes only by
what moves and what is captured, so that no board has to be counted anew.

Squares are numbered on a board of 18 by 18: 12 by 12 and a rim of 3 around it, as far as any piece goes.
Licence: MIT or Apache-2.0, at your option.
"""

SIZE = 12
RIM = 3
WIDTH = SIZE + 2 * RIM
COLUMNS = "abcdefghjkmn"  # there is no i and no l
EMPTY = "."
STRAIGHT = (-WIDTH, -1, 1, WIDTH)
DIAGONAL = (-WIDTH - 1, -WIDTH + 1, WIDTH - 1, WIDTH + 1)
AROUND = STRAIGHT + DIAGONAL

# Directions and the furthest that a piece goes; Babies, Scouts and Siblings have rules of their own.
SLIDES = {
    "P": (AROUND, 1),
    "X": (AROUND, 3),
    "Y": (DIAGONAL, 1),
    "G": (STRAIGHT, 2),
    "T": (DIAGONAL, 2),
}

PRICES = {"P": 100_000, "X": 900, "G": 360, "T": 300, "S": 280, "N": 200, "Y": 150, "B": 100}
WORTH_OF_A_ROW = 2
HURRY_BELOW_SECONDS = 1.0


def is_white(piece):
    return piece.isupper()


def is_own(piece, white):
    return piece.isalpha() and piece.isupper() == white


def may_land(board, square, white):
    """Whether a piece may end its move there: on an empty square or on an enemy piece."""
    there = board[square]
    return there == EMPTY or (there != "#" and is_white(there) != white)


def targets(board, square):
    """Every square to which the piece on `square` can go."""
    piece = board[square]
    white = is_white(piece)
    forward = -WIDTH if white else WIDTH
    kind = piece.upper()
    if kind == "S":
        jumps = (rows * forward + across for rows in (1, 2, 3) for across in (-1, 0, 1))
        return [square + jump for jump in jumps if may_land(board, square + jump, white)]
    if kind == "N":
        steps = [square + step for step in AROUND if may_land(board, square + step, white)]
        return [to for to in steps if has_company(board, square, to, white)]
    directions, reach = ((forward,), 2) if kind == "B" else SLIDES[kind]
    found = []
    for direction in directions:
        to = square
        for _ in range(reach):
            to += direction
            if may_land(board, to, white):
                found.append(to)
            if board[to] != EMPTY:
                break
    return found


def has_company(board, sibling, to, white):
    """Whether another piece than the Sibling itself stands beside `to`."""
    return any(to + step != sibling and is_own(board[to + step], white) for step in AROUND)


def legal_moves(board, white):
    pieces = [square for square, piece in enumerate(board) if is_own(piece, white)]
    return [(square, to) for square in pieces for to in targets(board, square)]


def worth(piece, square):
    """What a piece is worth where it stands: to be further forward is better, but not for the Prince."""
    row = square // WIDTH - RIM
    forward = SIZE - 1 - row if is_white(piece) else row
    kind = piece.upper()
    return PRICES[kind] + (-3 if kind == "P" else 1) * WORTH_OF_A_ROW * forward


def gain(board, move):
    """What a move changes: the piece stands elsewhere, and one may be captured."""
    square, to = move
    piece, captured = board[square], board[to]
    change = worth(piece, to) - worth(piece, square)
    return change if captured == EMPTY else change + worth(captured, to)


def worth_after(board, move, white):
    """What is gained by `move` if the opponent then gains as much as it can."""
    square, to = move
    gained = gain(board, move)
    if board[to].upper() == "P":
        return gained  # the game is won
    piece, captured = board[square], board[to]
    board[square], board[to] = EMPTY, piece
    answers = legal_moves(board, not white)
    lost = max((gain(board, answer) for answer in answers), default=0)
    board[square], board[to] = piece, captured
    return gained - lost


def choose(board, white, seconds_left):
    moves = legal_moves(board, white)
    if seconds_left < HURRY_BELOW_SECONDS:
        return max(moves, key=lambda move: gain(board, move))
    return max(moves, key=lambda move: worth_after(board, move, white))


def read_input():
    with open("input.txt") as file:
        words = file.read().split()
    side, seconds_left, rows = words[0], float(words[1]), words[3 : 3 + SIZE]
    outside = "#" * WIDTH * RIM
    board = list(outside + "".join("#" * RIM + row + "#" * RIM for row in rows) + outside)
    return side == "WHITE", seconds_left, board


def name(square):
    return COLUMNS[square % WIDTH - RIM] + str(SIZE + RIM - square // WIDTH)


def main():
    white, seconds_left, board = read_input()
    square, to = choose(board, white, seconds_left)
    with open("output.txt", "w") as file:
        file.write(name(square) + " " + name(to) + "\n")


if __name__ == "__main__":
    main()
