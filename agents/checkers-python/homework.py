"""A sample agent for checkers (Spring 2021), in Python 3: alpha-beta search over a plain count of pieces.

It shows the whole life of a turn: read input.txt, list the legal moves, choose one, write output.txt. It also shows how
to spend time with care: calibrate.py measures once how fast this machine is, and the search looks only as far ahead as
that speed and the time left allow.

Squares are numbered 0 to 63, row by row from the top left: a8 is 0, h1 is 63. A move is the list of the squares that a
piece visits. Licence: MIT or Apache-2.0, at your option.
"""

EMPTY = "."
SIDES = {"BLACK": "b", "WHITE": "w"}
OTHER = {"b": "w", "w": "b"}
PIECES = {"b": "bB", "w": "wW"}
FORWARD = {"b": [1], "w": [-1], "B": [1, -1], "W": [1, -1]}
LAST_ROW = {"b": 7, "w": 0, "B": None, "W": None}
VALUE = {"b": 100, "w": 100, "B": 160, "W": 160}

# A game is lost in an instant when the time is, so very little of it is planned for one move.
# The cap makes this sample quick; it plays better with a larger one.
MOVES_TO_PLAN_FOR = 50
MOST_SECONDS_A_MOVE = 0.03
HURRY_BELOW_SECONDS = 1.0
SPEED_IF_UNKNOWN = 4000.0  # positions a second
GROWTH_A_PLY = 4  # how many times longer a search takes that looks one ply further

WON = 1_000_000


def neighbours(piece, distance):
    """For each square, the squares that lie `distance` diagonal steps ahead of `piece` there."""
    table = []
    for square in range(64):
        row, column = divmod(square, 8)
        targets = [(row + distance * up, column + distance * side) for up in FORWARD[piece] for side in (-1, 1)]
        table.append([8 * r + c for r, c in targets if 0 <= r < 8 and 0 <= c < 8])
    return table


STEPS = {piece: neighbours(piece, 1) for piece in FORWARD}
JUMPS = {piece: neighbours(piece, 2) for piece in FORWARD}


def legal_moves(board, side):
    """Every legal move of `side`. Jumping is compulsory: where there is a jump, steps are not legal."""
    own = [square for square in range(64) if board[square] in PIECES[side]]
    jumps = [move for square in own for move in jumps_of(board, square)]
    if jumps:
        return jumps
    return [[square, to] for square in own for to in STEPS[board[square]][square] if board[to] == EMPTY]


def jumps_of(board, square):
    piece = board[square]
    board[square] = EMPTY  # it leaves this square with its first jump
    sequences = complete_sequences(board, square, piece, PIECES[OTHER[piece.lower()]])
    board[square] = piece
    return [sequence for sequence in sequences if len(sequence) > 1]


def complete_sequences(board, square, piece, enemies):
    """Every sequence of jumps of `piece` from `square` that cannot be continued; `[square]` if there is no jump."""
    if square // 8 == LAST_ROW[piece]:
        return [[square]]  # a man is crowned and stops
    sequences = []
    for to in JUMPS[piece][square]:
        over = (square + to) // 2
        if board[over] in enemies and board[to] == EMPTY:
            captured, board[over] = board[over], EMPTY
            sequences += [[square] + rest for rest in complete_sequences(board, to, piece, enemies)]
            board[over] = captured
    return sequences or [[square]]


def is_jump(start, end):
    return abs(start - end) > 9


def play(board, move):
    """The board after `move`."""
    board = board[:]
    piece = board[move[0]]
    board[move[0]] = EMPTY
    for start, end in zip(move, move[1:]):
        if is_jump(start, end):
            board[(start + end) // 2] = EMPTY
    board[move[-1]] = piece.upper() if move[-1] // 8 == LAST_ROW[piece] else piece
    return board


def evaluate(board, side):
    """How good the board is for `side`: pieces, and how far its men have come."""
    total = 0
    for square, piece in enumerate(board):
        if piece != EMPTY:
            value = VALUE[piece]
            if piece == "b":
                value += square // 8
            elif piece == "w":
                value += 7 - square // 8
            total += value if piece.lower() == side else -value
    return total


def search(board, side, depth, alpha, beta):
    """The worth of the board for `side`, whose turn it is, `depth` plies deep (alpha-beta in its negamax form)."""
    if depth == 0:
        return evaluate(board, side)
    best = -WON - depth  # nothing to move: lost, and the sooner the worse
    for move in legal_moves(board, side):
        best = max(best, -search(play(board, move), OTHER[side], depth - 1, -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best


def best_move(board, side, depth):
    best, best_worth = None, -2 * WON
    for move in legal_moves(board, side):
        worth = -search(play(board, move), OTHER[side], depth - 1, -2 * WON, -best_worth)
        if worth > best_worth:
            best, best_worth = move, worth
    return best


def choose_depth(seconds_left, is_single_move, positions_a_second):
    """How many plies can be looked ahead in a fair share of the time left."""
    if seconds_left < HURRY_BELOW_SECONDS:
        return 1
    share = seconds_left / 2 if is_single_move else seconds_left / MOVES_TO_PLAN_FOR
    positions = min(share, MOST_SECONDS_A_MOVE) * positions_a_second
    depth = 1
    while GROWTH_A_PLY ** (depth + 1) <= positions:
        depth += 1
    return depth


def read_speed():
    """What calibrate.py has measured, in positions a second."""
    try:
        with open("calibration.txt") as file:
            return float(file.read())
    except (OSError, ValueError):
        return SPEED_IF_UNKNOWN


def read_input():
    with open("input.txt") as file:
        lines = file.read().split()
    board = [piece for row in lines[3:11] for piece in row]
    return lines[0] == "SINGLE", SIDES[lines[1]], float(lines[2]), board


def name(square):
    return "abcdefgh"[square % 8] + "87654321"[square // 8]


def describe(move):
    """The move as output.txt wants it: one line for a step, one line for each jump."""
    return "".join(
        f"{'J' if is_jump(start, end) else 'E'} {name(start)} {name(end)}\n" for start, end in zip(move, move[1:])
    )


def main():
    is_single_move, side, seconds_left, board = read_input()
    depth = choose_depth(seconds_left, is_single_move, read_speed())
    move = best_move(board, side, depth)
    with open("output.txt", "w") as file:
        file.write(describe(move))


if __name__ == "__main__":
    main()
