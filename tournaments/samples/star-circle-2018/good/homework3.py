"""A sample program for Star and Circle (Spring 2018), in Python 3 and 2.7: minimax and alpha-beta, as the assignment asks.

It shows the expansion order, passes that count as moves and as nodes, stacks on the last row, and a node count that is
right to the last node. In a game it is asked the same question with depth 4, and its first line is its move.

A board is a dictionary from squares (row, column), (0, 0) for A1, to (side, number of pieces).
Licence: MIT or Apache-2.0, at your option.
"""

SIZE = 8
STAR, CIRCLE = "S", "C"
OTHER = {STAR: CIRCLE, CIRCLE: STAR}
FORWARD = {STAR: 1, CIRCLE: -1}
LAST_ROW = {STAR: SIZE - 1, CIRCLE: 0}
LETTERS = {"Star": STAR, "Circle": CIRCLE}
PASS = None
INFINITY = float("inf")


def expansion_order(square):
    """Upper rows come first, and in a row squares on the left."""
    row, column = square
    return -row, column


def legal_moves(board, side):
    """Every move (from, to) of `side` in the expansion order; a side that cannot move passes."""
    moves = []
    for start in sorted(board, key=expansion_order):
        if board[start][0] == side:
            moves += [(start, target) for target in sorted(targets(board, start, side), key=expansion_order)]
    return moves or [PASS]


def targets(board, start, side):
    """The squares that the piece on `start` can step or jump to."""
    row, column = start
    found = []
    for sideways in (-1, 1):
        near = (row + FORWARD[side], column + sideways)
        far = (row + 2 * FORWARD[side], column + 2 * sideways)
        if can_land(board, near, side):
            found.append(near)
        elif near in board and board[near][0] != side and can_land(board, far, side):
            found.append(far)
    return found


def can_land(board, square, side):
    """Empty squares can be landed on, and own pieces on the last row."""
    row, column = square
    if not (0 <= row < SIZE and 0 <= column < SIZE):
        return False
    return square not in board or (row == LAST_ROW[side] and board[square][0] == side)


def play(board, side, move):
    """The board after `move`."""
    if move is PASS:
        return board
    board = dict(board)
    (row, column), (to_row, to_column) = start, target = move
    if abs(to_row - row) == 2:
        del board[((row + to_row) // 2, (column + to_column) // 2)]
    del board[start]
    board[target] = (side, board[target][1] + 1 if target in board else 1)
    return board


class Search:
    def __init__(self, player, prunes, values):
        self.player = player  # the maximizer, and both utilities are for this side
        self.prunes = prunes
        self.values = values
        self.nodes = 0

    def evaluate(self, board):
        total = 0
        for (row, _), (side, count) in board.items():
            worth = count * self.values[row if side == STAR else SIZE - 1 - row]
            total += worth if side == self.player else -worth
        return total

    def search(self, board, side, depth, passes=0, alpha=-INFINITY, beta=INFINITY):
        """What the board is worth with `side` to move after so many passes in a row, and the best move."""
        self.nodes += 1
        sides = set(owner for owner, _ in board.values())
        if depth == 0 or passes == 2 or len(sides) == 1:
            return self.evaluate(board), PASS
        is_max = side == self.player
        best, best_move = None, PASS
        for move in legal_moves(board, side):
            passes_then = passes + 1 if move is PASS else 0
            value, _ = self.search(play(board, side, move), OTHER[side], depth - 1, passes_then, alpha, beta)
            # Only a better move replaces an earlier one: that is how ties are broken.
            if best is None or (value > best if is_max else value < best):
                best, best_move = value, move
            if self.prunes and (best >= beta if is_max else best <= alpha):
                break
            if is_max:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
        return best, best_move


def read_input():
    with open("input.txt") as file:
        lines = file.read().split()
    board = {}
    for index, line in enumerate(lines[3 : 3 + SIZE]):
        for column, cell in enumerate(line.split(",")):
            if cell != "0":
                board[(SIZE - 1 - index, column)] = (cell[0], int(cell[1:]))
    values = [int(value) for value in lines[3 + SIZE].split(",")]
    return LETTERS[lines[0]], lines[1] == "ALPHABETA", int(lines[2]), board, values


def describe(move):
    if move is PASS:
        return "pass"
    return "-".join("ABCDEFGH"[row] + str(column + 1) for row, column in move)


def main():
    player, prunes, depth, board, values = read_input()
    search = Search(player, prunes, values)
    farsighted, move = search.search(board, player, depth)
    myopic = search.evaluate(play(board, player, move))
    lines = [describe(move), str(myopic), str(farsighted), str(search.nodes)]
    with open("output.txt", "w") as file:
        file.write("\n".join(lines))  # no empty line at the end


if __name__ == "__main__":
    main()
