//! What `referee game check` finds in rules that were spoiled in one place, and what it says.

use std::fs;

use tempfile::TempDir;

use super::{example, referee_in, succeeds};
use crate::invocation::{command, status, stderr, stdout};
use crate::toolbox::{CPP, require};

/// The example with one change, checked on a few positions: exit status, and all that was said.
fn checked(old: &str, new: &str) -> (i32, String) {
    let folder = TempDir::new().expect("a folder");
    example(folder.path(), "spoiled", &[(old, new)]);
    let words = ["game", "check", "spoiled/rules/spoiled.py", "--positions", "60"];
    let output = referee_in(folder.path(), &words);
    (status(&output), stdout(&output) + &stderr(&output))
}

fn finds(old: &str, new: &str, expected: i32, told: &[&str]) {
    let (status, said) = checked(old, new);
    assert_eq!(status, expected, "{new}: {said}");
    for told in told {
        assert!(said.contains(told), "{new}: expected {told:?} in {said}");
    }
    assert!(!said.contains("referee-seat") && !said.contains("referee-builds"), "{said}");
}

const TIME: &str = "    play_time = 10.0\n";

#[test]
#[ignore = "long: plays by rules in another process"]
fn a_name_that_is_misspelt_is_refused_and_an_unknown_one_is_told() {
    finds(TIME, "    playtime = 9.0\n", 3, &["did you mean `play_time`?"]);
    finds("def from_input", "def from_imput", 3, &["`from_imput` is no method of `Game`; did you mean `from_input`?"]);
    finds(
        TIME,
        "    weather = 9\n",
        0,
        &["warning the class has no attributes", "`weather` is no attribute", "ready to referee"],
    );
    // What an author may have: constants, own methods, private names, and names like known ones that are there, too.
    let private = "    _side = _position = _status = _exact = 2\n    def _has(self, a, b):\n        return a\n";
    let own = format!("    COLOUR = 1\n{private}    play_time = 10.0\n    def plays(self):\n        return 1\n");
    let (status, said) = checked(TIME, &own);
    assert!(status == 0 && !said.contains("warning"), "{said}");
}

/// What no law can know, and what is odd all the same.
#[test]
#[ignore = "long: plays by rules in another process"]
fn a_goal_that_the_side_wins_which_did_not_move_is_asked_about() {
    let winner = "return won(first, \"three-in-a-row\", state[\"side\"])";
    let odd = "ends    three-in-a-row: always won by the side that had not just moved; is the winner right?";
    let exchanged = "return won(state[\"side\"], \"three-in-a-row\", state[\"side\"])";
    finds(winner, exchanged, 0, &[odd, "ready to referee"]);
    let (status, said) = checked(winner, winner);
    assert!(status == 0 && !said.contains("is the winner right"), "{said}");
    let arguments = "return won(\"three-in-a-row\", first, state[\"side\"])";
    finds(winner, arguments, 1, &["exchanged? It is `won(winner, by, side)`"]);
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn the_first_side_is_black() {
    for names in ["\"White\", \"Red\"", "\"Red\", \"Black\""] {
        let named = format!("    side_names = ({names})\n{TIME}");
        finds(TIME, &named, 3, &["put `O` first, and say with `first` who begins"]);
    }
    finds(TIME, &format!("    side_names = (\"Black\", \"White\")\n{TIME}"), 0, &["ready to referee"]);
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn a_value_of_a_wrong_type_is_told_with_a_right_one() {
    for (old, new, told) in [
        (TIME, "    play_time = '100'\n", "`play_time = '100'`: expected seconds as a number, such as `100.0`"),
        ("columns, rows = \"abc\", \"321\"", "columns, rows = \"abc\", 3", "`rows = 3`: expected labels, such as"),
        (TIME, "    pieces = ['X', 'O']\n", "expected a dict such as `{\"b\": {\"side\": \"BLACK\""),
        (
            TIME,
            "    colours = ('red', 'pink')\n",
            "`colours = ('red', 'pink')`: expected two of `\"black\"`, `\"white\"`, `\"red\"`, ",
        ),
        (TIME, "    colours = ('red', 'red')\n", "`colours = ('red', 'red')`: expected two of"),
        (TIME, "    pieces = {'X': {'side': 'x'}}\n", "`pieces`: `x` is no side; expected `X` or `O`"),
        (
            "{\"three-in-a-row\": \"it has three in a row\"}",
            "[\"three-in-a-row\"]",
            "expected a dict from codes to ends of sentences",
        ),
        (
            "(\"empty squares\", \"a side puts its sign on an empty square\")",
            "\"empty\"",
            "expected a dict from codes to pairs",
        ),
    ] {
        finds(old, new, 3, &["the rules program `spoiled/rules/spoiled.py` cannot be used: ", told]);
    }
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn attributes_that_contradict_the_rules_are_found() {
    let lines = "time_line, input_lines = 2, 5";
    finds(lines, "time_line, input_lines = 2, 6", 1, &["`input_lines` is 6, and `to_input` writes 5 lines"]);
    finds(lines, "time_line, input_lines = 3, 5", 1, &["line 3 is `...`, and `clocks.own` is `98.765`"]);
    finds(
        TIME,
        "    square = 'row-column'\n",
        0,
        &["warning moves consist of names of squares", "they are `1a` to `3c`"],
    );
    finds("Refuse(\"taken\",", "Refuse(\"token\",", 0, &["refused with the code `token`, which is none of `rules`"]);
    finds("won(first, \"three-in-a-row\"", "won(first, \"three-in-row\"", 1, &["did you mean `three-in-a-row`?"]);
    let state = "return {\"board\": board, \"side\": \"O\" if state[\"side\"] == \"X\" else \"X\"}";
    let counted = state.replace('}', ", \"turns\": state.get(\"turns\", 0) + 1}");
    finds(state, &counted, 0, &["written, then read: state.turns: 1, then missing"]);
}

/// What the module refuses by itself, when it reads the lines of an answer, is no fault of the author's.
#[test]
#[ignore = "long: plays by rules in another process"]
fn an_answer_may_be_read_by_the_module() {
    let (status, said) = checked(
        "        square = text.strip(\" \\t\\r\\n\").lower()\n",
        "        square = self.lines(text)[0].lower()\n",
    );
    assert!(status == 0 && !said.contains("warning"), "{said}");
}

#[test]
fn a_method_that_changes_its_state_is_named() {
    let play = "        board = [\"\".join";
    finds(
        play,
        "        state[\"board\"] = list(state[\"board\"]) + [\"?\"]\n        board = [\"\".join",
        1,
        &["BROKEN  a method leaves the state", "changed the state that it was given: board: 3 entries, then 4"],
    );
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn a_failure_begins_with_the_place_in_the_authors_file() {
    let status = "    def status(self, state):\n";
    let late = format!(
        "{status}        if \"\".join(state[\"board\"]).count(\".\") < 6:\n            raise KeyError(\"oops\")\n"
    );
    finds(
        status,
        &late,
        1,
        &[
            ", in status: KeyError: 'oops'\n        question: judge, output.txt ",
            "        spoiled.py, line ",
            "\n#position {",
        ],
    );
    let (_, said) = checked(status, &late);
    assert!(!said.contains("tries it") && said.contains("the rules failed"), "{said}");
    assert!(said.lines().all(|line| !line.contains("came to an end, in 0")), "{said}");
    finds("def status(self, state):", "def status(self, state)", 3, &["File \"spoiled.py\", line "]);
    finds(
        "import Game",
        "import Game\nimport mylines  #",
        3,
        &["No module named 'mylines'", "a folder with `rules.py`, `mylines.py`"],
    );
    finds("Spoiled().run()", "Spoiled()", 3, &["has to end with `YourGame().run()`"]);
    finds(
        "return to_move(state[\"side\"]) if",
        "return (state[\"side\"], {\"kind\": 3}) if",
        1,
        &["status.kind: unexpected 3"],
    );
}

#[test]
fn lists_with_a_move_twice_or_in_the_order_of_a_set_are_told_as_such() {
    let moves = "return [square for square, sign in zip(SQUARES, signs) if sign == \".\"]";
    let list = "[square for square, sign in zip(SQUARES, signs) if sign == \".\"]";
    finds(moves, &format!("listed = {list}\n        return listed + listed[:1]"), 1, &["`moves` lists `a3` twice"]);
    let (_, said) = checked(moves, &format!("return list(set({list}))"));
    let order = "`moves` has another order in a program just started, as a `set` has";
    assert!(said.contains(order) && said.contains("\nok      the program keeps nothing"), "{said}");
}

/// A list that lacks a law looks like one in which it holds.
#[test]
#[ignore = "long: plays by rules in another process"]
fn laws_that_were_not_tried_are_told_with_the_reason() {
    let (status, said) = checked(TIME, TIME);
    let untried = "\n-       a value is between -1000000 and 1000000 (not tried: needs `evaluate`)\n";
    assert!(status == 0 && said.contains(untried) && !said.contains("stopped after"), "{said}");
    let start = "        return {\"board\": [\"...\", \"...\", \"...\"], \"side\": side}\n";
    finds(
        start,
        "        raise KeyError(\"oops\")\n",
        1,
        &[
            "\nstopped after 0 of 60 positions, because the rules failed too often\n",
            "\n-       the program keeps nothing between two questions (not tried)\n",
        ],
    );
}

/// A message says a thing once, and begins a line for each.
#[test]
fn a_mistake_is_told_once() {
    let (_, said) = checked(TIME, "    play_time = '100'\n");
    let told = "referee: the rules program `spoiled/rules/spoiled.py` cannot be used: `play_time = '100'`: expected \
                seconds as a number, such as `100.0`; fix the rules program\n  question: game\n";
    assert_eq!(said, told);
    let start = "        return {\"board\": [\"...\", \"...\", \"...\"], \"side\": side}\n";
    let (_, said) = checked(start, "        raise KeyError(\"oops\")\n");
    let told = ", in start: KeyError: 'oops'\n        question: start\n        |     raise KeyError(\"oops\")\n        \
                remedy: ";
    assert!(said.contains(told), "{said}");
}

#[test]
fn a_title_has_no_hyphens() {
    let folder = TempDir::new().expect("a folder");
    succeeds(folder.path(), &["new-game", "lines-of-action"]);
    let rules = "lines-of-action/rules/lines_of_action.py";
    let output = referee_in(folder.path(), &["game", "check", rules, "--positions", "5"]);
    assert!(stdout(&output).starts_with("Lines of action: 5 positions of "), "{}", stdout(&output));
    let assignment = fs::read_to_string(folder.path().join("lines-of-action/assignment.toml")).expect("written");
    assert!(assignment.contains("title = \"Lines of action\"\n"), "{assignment}");
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn draws_by_the_history_of_a_game_and_passes_are_counted() {
    finds(TIME, "    turn_limit = 3\n", 0, &["\nends    turn-limit ", ": three-in-a-row; test"]);
    finds(TIME, "    idle_turns = 4\n", 0, &["\nends    idle-turns ", ": three-in-a-row; test"]);
    let play = "board = [\"\".join(signs[row : row + 3]) for row in (0, 3, 6)]";
    let folder = TempDir::new().expect("a folder");
    let changes = [(play, "board = state[\"board\"]"), (TIME, "    repetitions = 3\n")];
    example(folder.path(), "spoiled", &changes);
    let words = ["game", "check", "spoiled/rules/spoiled.py", "--positions", "60"];
    let said = stdout(&referee_in(folder.path(), &words));
    assert!(said.contains("1 came to an end") && said.contains("\nends    repetition 1\n"), "{said}");
    let kalah = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/rules/kalah.py");
    let said = stdout(&referee_in(folder.path(), &["game", "check", kalah, "--positions", "60"]));
    assert!(said.contains(", passes in "), "{said}");
}

#[test]
fn what_games_ended_by_is_counted() {
    let goals = "goals = {\"three-in-a-row\": \"it has three in a row\"}";
    let more = goals.replace('}', ", \"four\": \"it has four\"}");
    finds(goals, &more, 0, &["ends    three-in-a-row ", "ends    never in these random games: four"]);
}

/// The limit is doubled until the other questions are answered within it: the machine may be slow.
#[test]
#[ignore = "long: plays by rules in another process"]
fn a_method_that_hangs_is_named_and_ends_the_check() {
    let folder = TempDir::new().expect("a folder");
    let status = "    def status(self, state):\n";
    let hang = format!("{status}        while \"\".join(state[\"board\"]).count(\".\") == 6:\n            pass\n");
    example(folder.path(), "spoiled", &[(status, &hang)]);
    let mut limit = 1;
    loop {
        let mut check = command(&["game", "check", "spoiled/rules/spoiled.py", "--positions", "60"]);
        check.current_dir(folder.path()).env("REFEREE_RULES_SECONDS", limit.to_string());
        let said = stdout(&check.output().expect("it runs"));
        let is_named = said.contains(", in status: no answer within ");
        if is_named || limit > 30 {
            assert!(is_named && said.contains("fits the game (1 of "), "{said}");
            return;
        }
        limit *= 2;
    }
}

/// The move and the answer are told, so that nobody has to guess which of all questions it was.
#[test]
fn a_move_that_keeps_the_turn_breaks_a_law_of_its_own() {
    finds(
        "\"side\": \"O\" if state[\"side\"] == \"X\" else \"X\"}",
        "\"side\": state[\"side\"]}",
        1,
        &[
            "BROKEN  a move or a pass gives the turn to the other side (",
            "        the same side is to move afterwards: two players take turns (for an extra turn, the other side \
             passes)\n        \
             question: judge, output.txt `",
            "\n        answer: {\"id\":",
            "\"to_move\":\"X\"",
            "        remedy: `play` and `pass_turn` have to return a state in which the other side is to move\n",
        ],
    );
}

/// A fault of C++ rules is told with its question, and no other law is blamed for it.
#[test]
#[ignore = "long: plays by rules in another process"]
fn an_undeclared_goal_in_cpp_is_told_once() {
    require!(CPP);
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    succeeds(within, &["new-game", "three", "--language", "cpp"]);
    let rules = within.join("three/rules/three.cpp");
    let text = fs::read_to_string(&rules).expect("the example");
    let declared = "{{\"three-in-a-row\",";
    let check = |text: &str| {
        fs::write(&rules, text).expect("written");
        let output = referee_in(within, &["game", "check", "three/rules/three.cpp", "--positions", "60"]);
        (status(&output), stdout(&output) + &stderr(&output))
    };
    assert!(text.contains(declared), "{text}");
    let (code, said) = check(&text.replace(declared, "{{\"three-in-row\","));
    assert_eq!(code, 1, "{said}");
    for part in [
        "BROKEN  every question is answered, and the answer fits the game (",
        "        `status`: `won` by `three-in-a-row`, which is no code of `goals`; add it to `goals`\n",
        "        question: judge, output.txt `",
    ] {
        assert!(said.contains(part), "expected {part:?} in {said}");
    }
    assert!(!said.contains("BROKEN  any bytes"), "{said}");
    assert!(said.contains("-       the class has no attributes without effect (not tried"), "{said}");
    // A law that is broken has its reason.
    assert!(!said.contains(")\n        remedy:"), "{said}");
    let exchanged = "won(\"three-in-a-row\", string(1, sign)";
    let (code, said) = check(&text.replace("won(string(1, sign), \"three-in-a-row\"", exchanged));
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("exchanged? It is `won(winner, by, side)`"), "{said}");
    let never = text.replace(declared, "{{\"four\", \"it has four\"}, {\"three-in-a-row\",");
    let (code, said) = check(&never);
    assert_eq!(code, 0, "{said}");
    let told = "never in these random games: four; test them with positions of your own, by `referee judge`";
    assert!(said.contains(told), "{said}");
}

/// Whatever a state has beside what `input.txt` shows is a secret, or a move that the other side may not see yet.
#[test]
fn a_state_that_its_input_hides_is_told() {
    finds(
        "clocks.own] + state[\"board\"]",
        "clocks.own] + [\"...\"] * 3",
        1,
        &[
            "warning `input.txt` shows everything that the state has (",
            "two positions with the same `input.txt` differ: state.board",
            "both sides see everything",
        ],
    );
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn a_third_side_and_chance_are_refused_by_the_limit_that_they_meet() {
    finds(TIME, "    play_time = 10.0\n    sides = (\"X\", \"O\", \"Y\")\n", 3, &["a game has two players"]);
    finds(
        "        signs[SQUARES.index(move)] = state[\"side\"]\n",
        "        import random\n        signs[SQUARES.index(random.choice(self.moves(state)))] = state[\"side\"]\n",
        1,
        &["BROKEN  every listed move is accepted", "without chance"],
    );
}
