import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tic-tac-toe as a rules program in Java, by the protocol alone (docs/custom-games.md): no library, one file.
 *
 * <p>A state is a text of ten signs: the nine squares, row by row from the top, and the side to move. So a question can be
 * read with three patterns; a game with a richer state wants a JSON library in the folder.
 */
public class rules {
    static final String[] SQUARES = {"a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"};
    static final int[][] LINES = {
        {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}
    };

    static final String GAME =
        "{\"protocol\":1,\"name\":\"tic-tac-toe-java\",\"title\":\"Tic-tac-toe\","
            + "\"sides\":[{\"word\":\"X\"},{\"word\":\"O\"}],\"first\":\"X\","
            + "\"board\":{\"columns\":[\"a\",\"b\",\"c\"],\"rows\":[\"3\",\"2\",\"1\"]},"
            + "\"pieces\":[{\"letter\":\"X\",\"side\":\"X\"},{\"letter\":\"O\",\"side\":\"O\"}],"
            + "\"input\":{\"time_line\":2,\"lines\":5},\"play_time\":10,\"typical_moves\":5,"
            + "\"goals\":[{\"code\":\"three-in-a-row\",\"sentence\":\"it has three in a row\"}],"
            + "\"rules\":[{\"code\":\"not-a-square\",\"name\":\"squares\","
            + "\"sentence\":\"a move is the name of a square, `a1` to `c3`\"},"
            + "{\"code\":\"taken\",\"name\":\"empty squares\","
            + "\"sentence\":\"a side puts its sign on an empty square\"}],"
            + "\"reads_input\":true}";

    public static void main(String[] words) throws Exception {
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        PrintStream answers = new PrintStream(System.out, false, "UTF-8");
        for (String line; (line = questions.readLine()) != null; ) {
            String reply;
            try {
                reply = "\"answer\":" + answer(line);
            } catch (RuntimeException failure) {
                // The referee shows what went wrong, and asks the next question.
                failure.printStackTrace();
                reply = "\"error\":" + quoted(failure.toString());
            }
            answers.print("{\"id\":" + number(line) + "," + reply + "}\n");
            answers.flush();
        }
    }

    static String answer(String question) {
        switch (text(question, "ask")) {
            case "game":
                return GAME;
            case "start":
                return position("........." + text(question, "to_move"));
            case "moves":
                return moves(text(question, "state"));
            case "next":
                return next(text(question, "state"), question);
            case "judge":
                return judge(text(question, "state"), text(question, "output"), question.contains("\"exact\":true"));
            case "input":
                return "{\"text\":" + quoted(input(text(question, "state"), text(question, "own"))) + "}";
            case "read-input":
                return read(text(question, "input"));
            default:
                throw new IllegalArgumentException(question);
        }
    }

    // The rules.

    static char side(String state) {
        return state.charAt(9);
    }

    static List<Integer> empty(String state) {
        List<Integer> places = new ArrayList<>();
        for (int place = 0; place < 9; place++) {
            if (state.charAt(place) == '.') places.add(place);
        }
        return places;
    }

    static String play(String state, int place) {
        return state.substring(0, place) + side(state) + state.substring(place + 1, 9) + (side(state) == 'X' ? 'O' : 'X');
    }

    static String status(String state) {
        for (int[] line : LINES) {
            char sign = state.charAt(line[0]);
            if (sign != '.' && sign == state.charAt(line[1]) && sign == state.charAt(line[2])) {
                return "{\"kind\":\"won\",\"winner\":\"" + sign + "\",\"by\":\"three-in-a-row\"}";
            }
        }
        return empty(state).isEmpty() ? "{\"kind\":\"drawn\"}" : "{\"kind\":\"to-move\"}";
    }

    static String rows(String state, String between) {
        return state.substring(0, 3) + between + state.substring(3, 6) + between + state.substring(6, 9);
    }

    static String input(String state, String seconds) {
        return side(state) + "\n" + seconds + "\n" + rows(state, "\n") + "\n";
    }

    // The protocol.

    static String position(String state) {
        return "{\"state\":\"" + state + "\",\"to_move\":\"" + side(state) + "\",\"status\":" + status(state)
            + ",\"board\":[\"" + rows(state, "\",\"") + "\"]}";
    }

    static String moves(String state) {
        List<String> names = new ArrayList<>();
        if (status(state).contains("to-move")) {
            for (int place : empty(state)) names.add("\"" + SQUARES[place] + "\"");
        }
        return "{\"moves\":[" + String.join(",", names) + "]}";
    }

    /** The positions after the moves of the question, the only squares in it. */
    static String next(String state, String question) {
        List<String> positions = new ArrayList<>();
        Matcher squares = Pattern.compile("\"([a-c][1-3])\"").matcher(question);
        while (squares.find()) positions.add(position(play(state, List.of(SQUARES).indexOf(squares.group(1)))));
        return "{\"next\":[" + String.join(",", positions) + "]}";
    }

    static String judge(String state, String output, boolean exact) {
        String move = output.replaceAll("^[ \\t\\r\\n]+|[ \\t\\r\\n]+$", "").toLowerCase();
        int place = List.of(SQUARES).indexOf(move);
        if (place < 0) {
            String squares = finding("not-a-square", "this is not a square", "squares are `a1` to `c3`");
            return refusal("format", squares + ",\"line\":1,\"column\":1");
        }
        boolean differs = !output.equals(move) && !output.equals(move + "\n");
        String warning = finding("exact-format", "the answer is not exactly the move", "write `" + move + "`");
        if (differs && exact) return refusal("format", warning);
        if (state.charAt(place) != '.') {
            StringBuilder hint = new StringBuilder("these are empty:");
            for (int free : empty(state)) hint.append(" ").append(SQUARES[free]);
            return refusal("illegal", finding("taken", "`" + move + "` is taken", hint.toString()));
        }
        return "{\"move\":\"" + move + "\",\"warnings\":[" + (differs ? "{" + warning + "}" : "") + "],\"next\":"
            + position(play(state, place)) + "}";
    }

    static String refusal(String kind, String finding) {
        return "{\"refusal\":{\"kind\":\"" + kind + "\"," + finding + "}}";
    }

    static String finding(String code, String message, String hint) {
        return "\"code\":" + quoted(code) + ",\"message\":" + quoted(message) + ",\"hint\":" + quoted(hint);
    }

    static String read(String input) {
        Matcher lines = Pattern.compile("([XO])\n[0-9.]+\n([XO.]{3})\n([XO.]{3})\n([XO.]{3})\\s*").matcher(input);
        if (!lines.matches()) {
            return "{\"fault\":{\"line\":1,\"message\":\"expected `X` or `O`, the seconds left and three rows\"}}";
        }
        return "{\"position\":" + position(lines.group(2) + lines.group(3) + lines.group(4) + lines.group(1)) + "}";
    }

    // JSON, as far as it is needed.

    static String number(String question) {
        Matcher found = Pattern.compile("\"id\":([0-9]+)").matcher(question);
        return found.find() ? found.group(1) : "0";
    }

    /** The text of a key; a key cannot occur within a text, where its quotes are escaped. */
    static String text(String question, String key) {
        String start = "\"" + key + "\":\"";
        int at = question.indexOf(start);
        if (at < 0) throw new IllegalArgumentException("there is no `" + key + "` in " + question);
        StringBuilder text = new StringBuilder();
        for (at += start.length(); question.charAt(at) != '"'; at++) {
            char sign = question.charAt(at);
            if (sign != '\\') {
                text.append(sign);
                continue;
            }
            sign = question.charAt(++at);
            if (sign == 'u') {
                text.append((char) Integer.parseInt(question.substring(at + 1, at + 5), 16));
                at += 4;
            } else {
                int plain = "ntrbf".indexOf(sign);
                text.append(plain < 0 ? sign : "\n\t\r\b\f".charAt(plain));
            }
        }
        return text.toString();
    }

    static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }
}
