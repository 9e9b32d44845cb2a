// The rules of checkers for homework.java. Licence: MIT or Apache-2.0, at your option.

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A board. Squares are numbered 0 to 63, row by row from the top left: a8 is 0, h1 is 63. A move is the array of the
 * squares that a piece visits.
 */
final class Board {
    private static final char EMPTY = '.';

    private final char[] squares;

    Board(String rows) {
        this(rows.toCharArray());
    }

    private Board(char[] squares) {
        this.squares = squares;
    }

    static char other(char side) {
        return side == 'b' ? 'w' : 'b';
    }

    static boolean isJump(int from, int to) {
        return Math.abs(from - to) > 9;
    }

    /** Every legal move of side. Jumping is compulsory: where there is a jump, steps are not legal. */
    List<int[]> legalMoves(char side) {
        List<int[]> jumps = new ArrayList<>();
        List<int[]> steps = new ArrayList<>();
        for (int square = 0; square < 64; square++) {
            char piece = squares[square];
            if (sideOf(piece) != side) {
                continue;
            }
            squares[square] = EMPTY; // it leaves this square with its first jump
            addCompleteJumps(piece, new int[] {square}, jumps);
            squares[square] = piece;
            for (int to : ahead(piece, square, 1)) {
                if (squares[to] == EMPTY) {
                    steps.add(new int[] {square, to});
                }
            }
        }
        return jumps.isEmpty() ? steps : jumps;
    }

    /** Adds every sequence of jumps that begins with move and cannot be continued. */
    private void addCompleteJumps(char piece, int[] move, List<int[]> jumps) {
        int square = move[move.length - 1];
        boolean isFirst = move.length == 1;
        boolean goesOn = false;
        if (isFirst || !isCrownedAt(piece, square)) {
            for (int to : ahead(piece, square, 2)) {
                int over = (square + to) / 2;
                if (sideOf(squares[over]) != other(sideOf(piece)) || squares[to] != EMPTY) {
                    continue;
                }
                goesOn = true;
                char captured = squares[over];
                squares[over] = EMPTY;
                int[] longer = Arrays.copyOf(move, move.length + 1);
                longer[move.length] = to;
                addCompleteJumps(piece, longer, jumps);
                squares[over] = captured;
            }
        }
        if (!goesOn && !isFirst) {
            jumps.add(move);
        }
    }

    /** The board after move. */
    Board after(int[] move) {
        Board next = new Board(squares.clone());
        char piece = squares[move[0]];
        int last = move[move.length - 1];
        next.squares[move[0]] = EMPTY;
        for (int hop = 1; hop < move.length; hop++) {
            if (isJump(move[hop - 1], move[hop])) {
                next.squares[(move[hop - 1] + move[hop]) / 2] = EMPTY;
            }
        }
        next.squares[last] = isCrownedAt(piece, last) ? Character.toUpperCase(piece) : piece;
        return next;
    }

    /** How good the board is for side: pieces, and how far its men have come. */
    int evaluate(char side) {
        int total = 0;
        for (int square = 0; square < 64; square++) {
            char piece = squares[square];
            if (piece == EMPTY) {
                continue;
            }
            int advance = piece == 'b' ? square / 8 : 7 - square / 8;
            int value = isKing(piece) ? 160 : 100 + advance;
            total += sideOf(piece) == side ? value : -value;
        }
        return total;
    }

    private static char sideOf(char piece) {
        return Character.toLowerCase(piece);
    }

    private static boolean isKing(char piece) {
        return piece == 'B' || piece == 'W';
    }

    private static boolean isCrownedAt(char piece, int square) {
        return !isKing(piece) && square / 8 == (piece == 'b' ? 7 : 0);
    }

    /** The squares on the board that lie distance diagonal steps ahead of piece on square. */
    private static int[] ahead(char piece, int square, int distance) {
        int[] found = new int[4];
        int count = 0;
        for (int down = -1; down <= 1; down += 2) {
            if (!isKing(piece) && down != (piece == 'b' ? 1 : -1)) {
                continue;
            }
            for (int right = -1; right <= 1; right += 2) {
                int row = square / 8 + down * distance;
                int column = square % 8 + right * distance;
                if (row >= 0 && row < 8 && column >= 0 && column < 8) {
                    found[count++] = 8 * row + column;
                }
            }
        }
        return Arrays.copyOf(found, count);
    }
}
