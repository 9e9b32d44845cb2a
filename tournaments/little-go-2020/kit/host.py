"""The board and the rules of Little-Go: `from host import GO`.

Written anew for this referee with the names that agents import from the course's kit; it runs with Python 2 and 3. Pieces are 1
(Black, moves first) and 2 (White); a board is a list of rows of digits, 0 for an empty point.
"""

from copy import deepcopy


class GO:
    """A board with the one before the opponent's last move."""

    def __init__(self, n):
        self.size = n
        self.board = [[0] * n for _ in range(n)]
        self.previous_board = deepcopy(self.board)
        self.died_pieces = []
        self.X_move = True  # whether Black is to move
        self.n_move = 0
        self.max_move = n * n - 1
        self.komi = n / 2.0
        self.verbose = False  # whether `play` prints the game

    def init_board(self, n):
        """An empty board."""
        self.board = [[0] * n for _ in range(n)]
        self.previous_board = deepcopy(self.board)

    def set_board(self, piece_type, previous_board, board):
        """The boards of an `input.txt` in which `piece_type` is to move."""
        points = [(i, j) for i in range(self.size) for j in range(self.size)]
        self.died_pieces = [(i, j) for i, j in points if previous_board[i][j] == piece_type and board[i][j] != piece_type]
        self.previous_board = previous_board
        self.board = board

    def compare_board(self, board1, board2):
        """Whether two boards are the same."""
        return board1 == board2

    def copy_board(self):
        """A copy of everything."""
        return deepcopy(self)

    def update_board(self, new_board):
        """Another board in the place of this one."""
        self.board = new_board

    def detect_neighbor(self, i, j):
        """The points beside `(i, j)`."""
        beside = [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)]
        return [(a, b) for a, b in beside if 0 <= a < self.size and 0 <= b < self.size]

    def detect_neighbor_ally(self, i, j):
        """Those with a stone of the same side as `(i, j)`."""
        return [(a, b) for a, b in self.detect_neighbor(i, j) if self.board[a][b] == self.board[i][j]]

    def ally_dfs(self, i, j):
        """All stones that hang together with the one on `(i, j)`."""
        group, waiting = [], [(i, j)]
        while waiting:
            stone = waiting.pop()
            if stone not in group:
                group.append(stone)
                waiting.extend(self.detect_neighbor_ally(*stone))
        return group

    def find_liberty(self, i, j):
        """Whether the group on `(i, j)` has a liberty."""
        group = self.ally_dfs(i, j)
        return any(self.board[a][b] == 0 for stone in group for a, b in self.detect_neighbor(*stone))

    def find_died_pieces(self, piece_type):
        """The stones of a side that have no liberty."""
        points = [(i, j) for i in range(self.size) for j in range(self.size)]
        return [(i, j) for i, j in points if self.board[i][j] == piece_type and not self.find_liberty(i, j)]

    def remove_died_pieces(self, piece_type):
        """Takes them off, and tells which they were."""
        died = self.find_died_pieces(piece_type)
        self.remove_certain_pieces(died)
        return died

    def remove_certain_pieces(self, positions):
        """Takes stones off."""
        for i, j in positions:
            self.board[i][j] = 0

    def valid_place_check(self, i, j, piece_type, test_check=False):
        """Whether a stone may be put on `(i, j)`; says why not unless `test_check`."""
        reason = self._why_not(i, j, piece_type)
        if reason and not test_check:
            print("Invalid placement. " + reason)
        return not reason

    def _why_not(self, i, j, piece_type):
        if not (0 <= i < self.size and 0 <= j < self.size):
            return "Not on the board."
        if self.board[i][j] != 0:
            return "There is a stone already."
        test = self.copy_board()
        test.board[i][j] = piece_type
        if test.find_liberty(i, j):
            return None
        test.remove_died_pieces(3 - piece_type)
        if not test.find_liberty(i, j):
            return "No liberty."
        if self.died_pieces and self.compare_board(self.previous_board, test.board):
            return "Ko."
        return None

    def place_chess(self, i, j, piece_type):
        """Puts a stone down where that is legal; enemy stones are taken off by `remove_died_pieces`."""
        if not self.valid_place_check(i, j, piece_type, True):
            return False
        self.previous_board = deepcopy(self.board)
        self.board[i][j] = piece_type
        return True

    def game_end(self, piece_type=None, action="MOVE"):
        """Whether the game is over: 24 moves, or two passes."""
        if self.n_move >= self.max_move:
            return True
        return self.compare_board(self.previous_board, self.board) and action == "PASS"

    def score(self, piece_type):
        """The stones of a side, without the komi."""
        return sum(row.count(piece_type) for row in self.board)

    def judge_winner(self):
        """1 or 2, or 0 for equal scores."""
        black, white = self.score(1), self.score(2) + self.komi
        return 0 if black == white else (1 if black > white else 2)

    def play(self, player1, player2, verbose=False):
        """Plays a game from an empty board, and returns its winner as `judge_winner` does.

        A player has `get_input(go, piece_type)`, which returns `(row, column)` or `"PASS"`, and is asked again after an illegal
        point; `player1` is Black. A player of the type `manual` sees every board.
        """
        self.init_board(self.size)
        self.died_pieces, self.X_move, self.n_move = [], True, 0
        self.verbose = verbose or "manual" in [getattr(player, "type", "") for player in (player1, player2)]
        self._show()
        passes = 0
        while passes < 2 and self.n_move < self.max_move:
            piece_type = 1 if self.X_move else 2
            action = (player1 if self.X_move else player2).get_input(self, piece_type)
            if action == "PASS":
                self.previous_board, self.died_pieces = deepcopy(self.board), []
                passes += 1
            elif self.place_chess(action[0], action[1], piece_type):
                self.died_pieces = self.remove_died_pieces(3 - piece_type)
                passes = 0
            else:
                continue
            self.n_move += 1
            self.X_move = not self.X_move
            self._show()
        return self.judge_winner()

    def _show(self):
        if self.verbose:
            self.visualize_board()

    def visualize_board(self):
        """Prints the board."""
        print("-" * self.size * 2)
        for row in self.board:
            print(" ".join(" XO"[piece] for piece in row))
        print("-" * self.size * 2)
