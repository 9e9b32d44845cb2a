//! The file for each language that runs an agent for a whole game, and the sample agents that use it.

use super::{PYTHON_HELPER, assert_played_to_the_end, fault_of, file, played, submission};
use crate::invocation::assert_contains;
use crate::toolbox::{CPP, JAVA, PYTHON3, has, require};

const CPP_HELPER: &str = "agents/duo-othello-cpp-stdio/referee_agent.hpp";
const JAVA_HELPER: &str = "agents/duo-othello-java-stdio/RefereeAgent.java";

/// What is copied into every submission stays short enough to be read.
#[test]
fn files_to_copy_have_at_most_80_lines_and_their_copies_are_the_same() {
    let wrappers = ["examples/freckers/kit/class_agent.py", "examples/wrappers/gtp_agent.py"];
    let further = ["examples/wrappers/tcp_agent.py", "examples/wrappers/socket_pair.py"];
    for path in [[PYTHON_HELPER, CPP_HELPER].as_slice(), &[JAVA_HELPER], &wrappers, &further].concat() {
        let lines = file(path).lines().count();
        assert!((20..=80).contains(&lines), "{path} has {lines} lines");
    }
    assert_eq!(file("examples/freckers/kit/referee_agent.py"), file(PYTHON_HELPER));
}

#[test]
fn the_sample_in_python_plays_games_in_the_exact_format() {
    require!(PYTHON3);
    assert_sample_plays("agents/duo-othello-python-stdio");
}

#[test]
#[ignore = "long: builds agents"]
fn the_samples_in_cpp_and_java_play_games_in_the_exact_format() {
    for (language, sample) in [(CPP, "agents/duo-othello-cpp-stdio"), (JAVA, "agents/duo-othello-java-stdio")] {
        if has(language) {
            assert_sample_plays(sample);
        }
    }
}

fn assert_sample_plays(sample: &str) {
    let agent = format!("stdio:{}", super::own(sample).display());
    assert_played_to_the_end(&played(&agent, "builtin:random", "duo-othello", "2"), 2);
}

/// An agent in Python of these lines after the import of the helper.
fn python(lines: &str) -> tempfile::TempDir {
    let program = format!("from referee_agent import run\n{lines}\n");
    submission(&[("homework.py", &program), ("referee_agent.py", &file(PYTHON_HELPER))])
}

#[test]
#[ignore = "long: plays whole games"]
fn what_an_agent_prints_does_no_harm() {
    require!(PYTHON3);
    let agent = python(
        "import os
print('loaded')
os.system('echo from a child')
class Agent:
    def __init__(self):
        print('made')
    def answer(self, question):
        print('asked', flush=True)
        row = next(row for row in question.split('\\n')[2:] if '.' in row)
        column = row.index('.')
        return 'abcdefg'[column] + str(1 + sum(row[column] != '.' for row in question.split('\\n')[2:-1]))
run(Agent)",
    );
    let agent = format!("stdio:{}", super::text(agent.path()));
    let games = played(&agent, "builtin:random", super::text(&super::own("examples/rules/connect_four.py")), "2");
    assert_played_to_the_end(&games, 2);
}

/// An agent that fails, in each language: it ends the program, which says why on standard error.
#[test]
fn an_agent_that_fails_gives_no_answer_and_shows_why() {
    let failing = "class Agent:\n    def answer(self, question):\n        raise ValueError('no idea')\nrun(Agent)";
    if has(PYTHON3) {
        let (code, told) = fault_of(python(failing).path(), "checkers");
        assert_eq!(code, "no-answer");
        assert_contains(&told, "ValueError: no idea");
    }
}

#[test]
#[ignore = "long: builds agents"]
fn an_agent_that_fails_in_cpp_or_java_gives_no_answer_and_shows_why() {
    let cpp = "#include <stdexcept>
#include \"referee_agent.hpp\"
struct Agent { std::string answer(const std::string&) { throw std::runtime_error(\"no idea\"); } };
int main() { return referee_agent::run<Agent>(); }";
    let java = "public class homework implements RefereeAgent {
    public String answer(String question) { throw new IllegalStateException(\"no idea\"); }
    public static void main(String[] args) throws Exception { RefereeAgent.run(homework::new); }
}";
    let cases = [
        (CPP, submission(&[("homework.cpp", cpp), ("referee_agent.hpp", &file(CPP_HELPER))])),
        (JAVA, submission(&[("homework.java", java), ("RefereeAgent.java", &file(JAVA_HELPER))])),
    ];
    for (language, agent) in cases {
        if has(language) {
            let (code, told) = fault_of(agent.path(), "checkers");
            assert_eq!(code, "no-answer", "{told}");
            assert_contains(&told, "no idea");
        }
    }
}

/// Nothing, and a text with an empty line, would never be a whole answer.
#[test]
fn an_answer_that_the_protocol_cannot_carry_ends_the_agent() {
    require!(PYTHON3);
    for answer in ["''", "'\\n\\n'", "'E a1 b2\\n\\nE c3 d4'"] {
        let agent = python(&format!("class Agent:\n    answer = lambda self, question: {answer}\nrun(Agent)"));
        let (code, told) = fault_of(agent.path(), "checkers");
        assert_eq!(code, "no-answer", "{told}");
        assert_contains(&told, "an answer must have no empty line: ");
    }
}
