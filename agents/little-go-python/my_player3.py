"""A sample agent for Little-Go (5x5), in Python 3: looks at each own move and the best answer to it.

It shows how groups and liberties are found, how ko is told from the board before the opponent's last move, and how to count one's
own moves in a file: `input.txt` does not tell the turn, and after 24 turns of both sides together the game is over.

A board is a list of 25 digits, row by row. Licence: MIT or Apache-2.0, at your option.
"""

import os

SIZE = 5
EMPTY, BLACK, WHITE = 0, 1, 2
KOMI = {BLACK: 0.0, WHITE: 2.5}
LAST_TURN = 24
COUNTER = "moves-made.txt"
WORTH_OF_A_LIBERTY = 0.2
WON = 1000.0


def beside(point):
    row, column = divmod(point, SIZE)
    if row > 0:
        yield point - SIZE
    if row < SIZE - 1:
        yield point + SIZE
    if column > 0:
        yield point - 1
    if column < SIZE - 1:
        yield point + 1


BESIDE = [tuple(beside(point)) for point in range(SIZE * SIZE)]


def group_and_liberties(board, point):
    """The stones that hang together with the one on `point`, and the empty points beside them."""
    color = board[point]
    group, liberties, waiting = {point}, set(), [point]
    while waiting:
        for other in BESIDE[waiting.pop()]:
            if board[other] == EMPTY:
                liberties.add(other)
            elif board[other] == color and other not in group:
                group.add(other)
                waiting.append(other)
    return group, liberties


def place(board, previous, point, side):
    """The board after a stone of `side` on `point`; None where that is illegal."""
    if board[point] != EMPTY:
        return None
    board = board[:]
    board[point] = side
    for other in BESIDE[point]:
        if board[other] == 3 - side:
            group, liberties = group_and_liberties(board, other)
            if not liberties:
                for stone in group:
                    board[stone] = EMPTY
    if not group_and_liberties(board, point)[1] or board == previous:
        return None  # suicide, or ko
    return board


def placements(board, previous, side):
    """Every legal placement with the board that it leads to."""
    boards = ((point, place(board, previous, point, side)) for point in range(SIZE * SIZE))
    return [(point, after) for point, after in boards if after is not None]


def score(board, side):
    return board.count(side) + KOMI[side]


def lead(board, side):
    return score(board, side) - score(board, 3 - side)


def evaluate(board, side):
    """How good the board is for `side` while the game goes on."""
    worth = lead(board, side)
    for point in range(SIZE * SIZE):
        if board[point] == EMPTY:
            colors = {board[other] for other in BESIDE[point]}
            worth += WORTH_OF_A_LIBERTY * ((side in colors) - (3 - side in colors))
    return worth


def worth_after(board, previous, side, turns_left):
    """How good the board is for `side` when the opponent has answered as well as it can."""
    if turns_left == 0:
        return WON if lead(board, side) > 0 else -WON
    answers = [evaluate(after, side) for _, after in placements(board, previous, 3 - side)]
    answers.append(evaluate(board, side))  # the opponent passes
    return min(answers)


def choose(board, previous, side, turn):
    opponent_passed = turn > 0 and board == previous
    if opponent_passed and lead(board, side) > 0:
        return None  # a second pass ends the game, and we are ahead
    turns_left = LAST_TURN - 1 - turn
    best = max(
        placements(board, previous, side),
        key=lambda placed: worth_after(placed[1], board, side, turns_left),
        default=(None, None),
    )
    return best[0]


def own_moves_made(board, previous):
    """How many moves this agent has made in this game. The file lives as long as the game."""
    is_new_game = sum(board) == 0 or sum(previous) == 0
    if is_new_game or not os.path.exists(COUNTER):
        return 0
    with open(COUNTER) as file:
        return int(file.read())


def read_input():
    with open("input.txt") as file:
        lines = file.read().split()
    boards = [int(digit) for row in lines[1 : 1 + 2 * SIZE] for digit in row]
    return int(lines[0]), boards[: SIZE * SIZE], boards[SIZE * SIZE :]


def main():
    side, previous, board = read_input()
    made = own_moves_made(board, previous)
    point = choose(board, previous, side, 2 * made + side - 1)
    with open("output.txt", "w") as file:
        file.write("PASS" if point is None else "{},{}".format(*divmod(point, SIZE)))
    with open(COUNTER, "w") as file:
        file.write(str(made + 1))


if __name__ == "__main__":
    main()
