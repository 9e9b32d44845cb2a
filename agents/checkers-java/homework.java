// A sample agent for checkers (Spring 2021), in Java: alpha-beta search over a plain count of pieces.
//
// This file does the talking: it reads input.txt, asks Board.java for the legal moves, looks a few plies ahead and writes
// output.txt. Java compiles a program anew while it runs, so a short search beats a deep one: most of what a move costs
// is the start of the virtual machine. Licence: MIT or Apache-2.0, at your option.

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

final class homework {
    private static final int WON = 1_000_000;
    private static final int DEPTH = 4;
    private static final int DEPTH_IN_A_HURRY = 1;
    private static final double HURRY_BELOW_SECONDS = 1.0;

    public static void main(String[] arguments) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("input.txt"));
        char side = lines.get(1).equals("BLACK") ? 'b' : 'w';
        double secondsLeft = Double.parseDouble(lines.get(2));
        Board board = new Board(String.join("", lines.subList(3, 11)));

        int depth = secondsLeft < HURRY_BELOW_SECONDS ? DEPTH_IN_A_HURRY : DEPTH;
        Files.writeString(Path.of("output.txt"), describe(bestMove(board, side, depth)));
    }

    private static int[] bestMove(Board board, char side, int depth) {
        int[] best = null;
        int bestWorth = -2 * WON;
        for (int[] move : board.legalMoves(side)) {
            int worth = -search(board.after(move), Board.other(side), depth - 1, -2 * WON, -bestWorth);
            if (worth > bestWorth) {
                best = move;
                bestWorth = worth;
            }
        }
        return best;
    }

    /** The worth of the board for side, whose turn it is, depth plies deep (alpha-beta in its negamax form). */
    private static int search(Board board, char side, int depth, int alpha, int beta) {
        if (depth == 0) {
            return board.evaluate(side);
        }
        int best = -WON - depth; // nothing to move: lost, and the sooner the worse
        for (int[] move : board.legalMoves(side)) {
            int worth = -search(board.after(move), Board.other(side), depth - 1, -beta, -Math.max(alpha, best));
            best = Math.max(best, worth);
            if (best >= beta) {
                break;
            }
        }
        return best;
    }

    /** The move as output.txt wants it: one line for a step, one line for each jump. */
    private static String describe(int[] move) {
        StringBuilder text = new StringBuilder();
        for (int hop = 1; hop < move.length; hop++) {
            text.append(Board.isJump(move[hop - 1], move[hop]) ? "J " : "E ");
            text.append(name(move[hop - 1])).append(' ').append(name(move[hop])).append('\n');
        }
        return text.toString();
    }

    private static String name(int square) {
        return "" + (char) ('a' + square % 8) + (char) ('8' - square / 8);
    }
}
