import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A sample agent for Duo-Othello (Spring 2024) that stays alive for the whole game, in Java: it looks two plies ahead.
 *
 * <p>The Java machine starts once, and compiles what runs often while the game goes on. The agent remembers the value of
 * every position that it has seen in this game. Squares are numbered 0 to 143, row by row from the top left: a1 is 0, l12
 * is 143. Licence: MIT or Apache-2.0, at your option.
 */
public class homework implements RefereeAgent {
    private static final int SIZE = 12;
    private static final int[] CORNERS = {0, SIZE - 1, SIZE * (SIZE - 1), SIZE * SIZE - 1};
    private static final double HURRY_BELOW_SECONDS = 5;

    private final Map<String, Integer> values = new HashMap<>();

    private record Move(int square, String after) {}

    private static char other(char side) {
        return side == 'X' ? 'O' : 'X';
    }

    /** The board after a move of `side` to `square`, or null if that flips nothing. */
    private static String after(String board, int square, char side) {
        char[] cells = board.toCharArray();
        boolean flips = false;
        for (int direction = 0; direction < 9; direction++) {
            int down = direction / 3 - 1, right = direction % 3 - 1;
            List<Integer> line = new ArrayList<>();
            int row = square / SIZE + down, column = square % SIZE + right;
            while (direction != 4 && row >= 0 && row < SIZE && column >= 0 && column < SIZE) {
                int at = row * SIZE + column;
                if (board.charAt(at) != other(side)) {
                    if (board.charAt(at) == side && !line.isEmpty()) {
                        flips = true;
                        line.forEach(flipped -> cells[flipped] = side);
                    }
                    break;
                }
                line.add(at);
                row += down;
                column += right;
            }
        }
        cells[square] = side;
        return flips ? new String(cells) : null;
    }

    private static List<Move> moves(String board, char side) {
        List<Move> found = new ArrayList<>();
        for (int square = 0; square < SIZE * SIZE; square++) {
            String after = board.charAt(square) == '.' ? after(board, square, side) : null;
            if (after != null) {
                found.add(new Move(square, after));
            }
        }
        return found;
    }

    /** Corners for keeps, and room to move. */
    private int value(String board, char side) {
        return values.computeIfAbsent(side + board, key -> {
            int value = moves(board, side).size() - moves(board, other(side)).size();
            for (int corner : CORNERS) {
                value += board.charAt(corner) == side ? 10 : board.charAt(corner) == other(side) ? -10 : 0;
            }
            return value;
        });
    }

    /** The value for `side` after the best reply to its move. */
    private int afterReply(String board, char side) {
        return moves(board, other(side)).stream().mapToInt(reply -> value(reply.after(), side)).min()
            .orElseGet(() -> value(board, side) + 5);
    }

    @Override
    public String answer(String question) {
        String[] lines = question.split("\n");
        char side = lines[0].charAt(0);
        double left = Double.parseDouble(lines[1].split(" ")[0]);
        String board = String.join("", List.of(lines).subList(2, 2 + SIZE));
        List<Move> all = moves(board, side);
        Move best = all.get(0);
        int most = Integer.MIN_VALUE;
        for (Move move : left < HURRY_BELOW_SECONDS ? all.subList(0, 1) : all) {
            int value = afterReply(move.after(), side);
            if (value > most) {
                most = value;
                best = move;
            }
        }
        return (char) ('a' + best.square() % SIZE) + "" + (best.square() / SIZE + 1);
    }

    public static void main(String[] args) throws Exception {
        RefereeAgent.run(homework::new);
    }
}
