"""A sample agent for Halma (Fall 2019, with the addendum), in Python 3: no search, one look at every play.

It shows the rules of the camps, which are where most illegal moves come from, and playdata.txt: a program is started
anew for every move and remembers nothing, so it writes down which placements of its pieces it has had, and never goes
back to one. Without that, an agent that looks at one move only would shuffle a piece to and fro.

Squares are pairs (x, y), (0, 0) at the top left. Licence: MIT or Apache-2.0, at your option.
"""

SIZE = 16
EMPTY = "."
LETTERS = {"BLACK": "B", "WHITE": "W"}
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
BLACK_CAMP = {(x, y) for y, width in enumerate([5, 5, 4, 3, 2]) for x in range(width)}
WHITE_CAMP = {(SIZE - 1 - x, SIZE - 1 - y) for x, y in BLACK_CAMP}

HURRY_BELOW_SECONDS = 1.0


class Board:
    """The pieces, seen from the side to move: whose camp is whose, and which way is forward."""

    def __init__(self, rows, letter):
        self.pieces = {(x, y): rows[y][x] for y in range(SIZE) for x in range(SIZE) if rows[y][x] != EMPTY}
        self.own = {square for square, piece in self.pieces.items() if piece == letter}
        self.home, self.goal = (BLACK_CAMP, WHITE_CAMP) if letter == "B" else (WHITE_CAMP, BLACK_CAMP)
        self.away = 1 if letter == "B" else -1  # the sign of x and y on the way out of the own corner

    def is_empty(self, square):
        x, y = square
        return 0 <= x < SIZE and 0 <= y < SIZE and square not in self.pieces

    def steps(self, start):
        x, y = start
        targets = [(x + dx, y + dy) for dx, dy in DIRECTIONS]
        return [[start, target] for target in targets if self.is_empty(target)]

    def jumps(self, start):
        """One shortest chain of jumps to each square that `start` can jump to."""
        piece = self.pieces.pop(start)  # it has left its square, and cannot be jumped over there
        chains = {start: [start]}
        queue = [start]
        for square in queue:
            x, y = square
            for dx, dy in DIRECTIONS:
                target = (x + 2 * dx, y + 2 * dy)
                if (x + dx, y + dy) in self.pieces and self.is_empty(target) and target not in chains:
                    chains[target] = chains[square] + [target]
                    queue.append(target)
        self.pieces[start] = piece
        del chains[start]
        return list(chains.values())

    def plays(self):
        """Every play that the rules on where a play may end allow, whatever else has to be played first."""
        return [
            play
            for start in sorted(self.own)
            for play in self.steps(start) + self.jumps(start)
            if self.may_end(start, play[-1])
        ]

    def may_end(self, start, end):
        """A piece may not leave the opposing camp again, nor enter its own one. Only where a play ends counts."""
        leaves_goal = start in self.goal and end not in self.goal
        enters_home = start not in self.home and end in self.home
        return not leaves_goal and not enters_home

    def legal_plays(self):
        """The plays that are legal under the addendum: first out of the camp, else away from its corner, else free."""
        plays = self.plays()
        at_home = [play for play in plays if play[0] in self.home]
        outside = [play for play in plays if play[0] not in self.home]
        leaving = [play for play in at_home if play[-1] not in self.home]
        if leaving:
            return leaving
        retreating = [play for play in at_home if self.is_further(play[0], play[-1])]
        # With no piece in the camp both lists are empty, and every play is one from outside.
        return retreating or outside

    def is_further(self, start, end):
        """Whether `end` is further from the own corner: in one direction at least, and nearer in neither."""
        right, down = ((after - before) * self.away for before, after in zip(start, end))
        return right >= 0 and down >= 0

    def target(self):
        """Where the pieces are heading: the square of the opposing camp, deepest first, that is not ours yet."""
        open_squares = self.goal - self.own
        return max(open_squares, key=lambda square: self.depth(square), default=None)

    def depth(self, square):
        """How far a square lies on the way from the own corner to the other."""
        return self.away * (square[0] + square[1])

    def placement(self, play):
        """The own pieces after `play`, as one word."""
        squares = (self.own - {play[0]}) | {play[-1]}
        return format(sum(1 << (SIZE * y + x) for x, y in squares), "x")


def choose(board, plays, seen):
    """The play that gains the most way to the target, and of equals the one with the hindmost piece."""
    target = board.target()

    def way(square):
        if target is None or (square in board.goal and square in board.own):
            return -board.depth(square) / 100  # arrived: deeper is a little better, so that others can follow
        dx, dy = abs(square[0] - target[0]), abs(square[1] - target[1])
        return max(dx, dy) + (dx + dy) / 10

    def merit(play):
        gain = way(play[0]) - way(play[-1])
        return gain, -board.depth(play[0])

    for play in sorted(plays, key=merit, reverse=True):
        if board.placement(play) not in seen:
            return play
    return plays[0]


def read_input():
    with open("input.txt") as file:
        lines = file.read().split()
    return LETTERS[lines[1]], float(lines[2]), lines[3 : 3 + SIZE]


def read_playdata():
    """The placements of this game so far. Before the first move of a game there is no such file, or one that is no text."""
    try:
        with open("playdata.txt") as file:
            return set(file.read().split())
    except (FileNotFoundError, UnicodeDecodeError):
        return set()


def describe(play):
    """The play as output.txt wants it: one line for a step, one line for each jump."""
    (x, y), (next_x, next_y) = play[:2]
    letter = "E" if max(abs(x - next_x), abs(y - next_y)) == 1 else "J"
    hops = zip(play, play[1:])
    return "".join(f"{letter} {x},{y} {to_x},{to_y}\n" for (x, y), (to_x, to_y) in hops)


def main():
    letter, seconds_left, rows = read_input()
    board = Board(rows, letter)
    plays = board.legal_plays()
    if seconds_left < HURRY_BELOW_SECONDS:
        play = plays[0]
    else:
        play = choose(board, plays, read_playdata())
    with open("output.txt", "w") as file:
        file.write(describe(play))
    with open("playdata.txt", "a") as file:
        file.write(board.placement(play) + "\n")


if __name__ == "__main__":
    main()
