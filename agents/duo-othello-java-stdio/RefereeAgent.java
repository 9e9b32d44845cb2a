import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.function.Supplier;

/**
 * Runs an agent that stays alive for a whole game, over standard input and output.
 *
 * <pre>
 * public class homework implements RefereeAgent {
 *     public String answer(String question) { ... }   // the text of an input.txt in, that of an output.txt out
 *
 *     public static void main(String[] args) throws Exception { RefereeAgent.run(homework::new); }
 * }
 * </pre>
 *
 * One agent is made for the game, before the first question. What it prints goes to standard error, where it does no harm.
 * Copy this file into your submission. Licence: MIT or Apache-2.0, at your option.
 */
public interface RefereeAgent {
    String answer(String question) throws Exception;

    static void run(Supplier<RefereeAgent> maker) throws Exception {
        // Whatever is printed must not be taken for an answer.
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), false, "UTF-8");
        System.setOut(System.err);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        RefereeAgent agent = maker.get();
        for (String question = ask(input); !question.isEmpty(); question = ask(input)) {
            String answer = agent.answer(question).stripTrailing();
            if (answer.isEmpty() || answer.lines().anyMatch(String::isBlank)) {
                throw new IllegalStateException("an answer must have no empty line: \"" + answer + '"');
            }
            answers.print(answer + "\n\n");
            answers.flush();
        }
    }

    /** Reads the lines up to an empty one; nothing at the end of the input, which ends the game. */
    private static String ask(BufferedReader input) throws IOException {
        StringBuilder question = new StringBuilder();
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            if (!line.isEmpty()) {
                question.append(line).append('\n');
            } else if (question.length() > 0) {
                break;
            }
        }
        return question.toString();
    }
}
