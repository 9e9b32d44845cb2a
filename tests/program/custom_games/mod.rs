//! Games whose rules are a program of their own, as their author and their users meet them.

mod anew;
mod checked;
mod colours;
mod everywhere;
mod faults;
mod kalah;
mod languages;
mod openings;
mod refused;
mod searched;
mod silent;
mod start;
mod two_languages;
mod unavailable;
mod words;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use referee_games::KnownGames;
use referee_records::GameRecord;
use serde_json::Value;
use tempfile::TempDir;

use crate::invocation::{assert_contains, assert_ends, assert_starts, command, status, stderr, stdout, words};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The output of `referee` with these words, run in `folder`.
fn referee_in(folder: &Path, words: &[&str]) -> std::process::Output {
    command(words).current_dir(folder).output().expect("it runs")
}

fn succeeds(folder: &Path, words: &[&str]) -> String {
    let output = referee_in(folder, words);
    assert!(output.status.success(), "{words:?}: {}{}", stdout(&output), stderr(&output));
    stdout(&output)
}

/// `found` is what the page shows: `…` stands for anything, in a line or instead of lines.
fn assert_shows(shown: &str, found: &str) {
    let line = |line: &str| if line == "…" { "...\n".to_owned() } else { line.replace('…', "[..]") + "\n" };
    snapbox::assert_data_eq!(found, shown.lines().map(line).collect::<String>());
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn the_page_leads_from_nothing_to_a_graded_class() {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/custom-games.md")).expect("the page is there");
    let block = page.split("```console\n").nth(1).and_then(|rest| rest.split("```").next());
    let block = block.expect("the page has its commands");
    let folder = TempDir::new().expect("a folder");
    for said in block.split("$ ").skip(1) {
        let mut lines = said.lines();
        let words: Vec<&str> = lines.next().expect("a command").split(' ').collect();
        let shown = lines.collect::<Vec<&str>>().join("\n");
        match *words {
            ["referee", ref words @ ..] => assert_shows(&shown, &succeeds(folder.path(), words)),
            [program, ref words @ ..] => {
                let ran = Command::new(program).args(words).current_dir(folder.path()).status();
                assert!(ran.expect("it runs").success());
            }
            [] => panic!("an empty command"),
        }
    }
    assert!(folder.path().join("graded/report.html").is_file());
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn the_example_in_cpp_keeps_the_same_laws_and_plays_the_same_game() {
    let folder = TempDir::new().expect("a folder");
    succeeds(folder.path(), &["new-game", "three", "--language", "cpp"]);
    let checked = succeeds(folder.path(), &["game", "check", "three/rules/three.cpp", "--positions", "60"]);
    assert!(checked.ends_with("ready to referee\n"), "{checked}");
    succeeds(folder.path(), &["new-game", "row"]);
    let perft = |rules: &str| succeeds(folder.path(), &["perft", "--game", rules, "--depth", "4"]);
    assert_eq!([perft("three/rules/three.cpp"), perft("row/rules/row.py")], ["3024\n", "3024\n"]);
}

/// Tic-tac-toe in Python in a new folder `name`, with changes to its rules; returns the file.
fn example(folder: &Path, name: &str, changes: &[(&str, &str)]) -> PathBuf {
    succeeds(folder, &["new-game", name]);
    let rules = folder.join(format!("{name}/rules/{name}.py"));
    let mut text = fs::read_to_string(&rules).expect("the example is there");
    for (old, new) in changes {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    fs::write(&rules, text).expect("it can be written");
    rules
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn games_have_the_time_that_their_rules_give_unless_another_is_asked_for() {
    let folder = TempDir::new().expect("a folder");
    succeeds(folder.path(), &["new-game", "three"]);
    let played = |out: &str, more: &[&str]| {
        let words = words("play --game three/rules/three.py builtin:random three/agents/first --out {}", &[out]);
        succeeds(folder.path(), &[&words[..], more].concat());
        let record = fs::read_to_string(folder.path().join(out).join("games/g0001.json")).expect("a record");
        let record: Value = serde_json::from_str(&record).expect("a record");
        record["conditions"]["play_time_cpu_us"]["black"].clone()
    };
    assert_eq!(played("run", &[]), 10_000_000);
    assert_eq!(played("longer", &["--time", "20"]), 20_000_000);
}

/// The same, called `spoiled`.
fn spoiled(folder: &Path, old: &str, new: &str) {
    example(folder, "spoiled", &[(old, new)]);
}

/// What a rules program does wrong makes the game void, is told with question and standard error, and is no agent's
/// loss.
#[test]
#[ignore = "long: plays by rules in another process"]
fn rules_that_fail_make_a_game_void_and_nobody_loses() {
    const PLAY: &str = "    def play(self, state, move):\n";
    let faults = [
        ("raise ValueError('not \\x1b[2Jtoday')", "ValueError: not"),
        ("import os; os._exit(3)", "exited with status 3"),
        ("import os; os.write(1, b'garbage\\n')", "not JSON as the protocol has it"),
        (
            "return state",
            "the same side is to move afterwards: two players take turns (for an extra turn, the other side passes)",
        ),
        ("type(self).board = lambda self, state: ['..']", "expected 3 rows, found 1"),
    ];
    for (fault, told) in faults {
        let folder = TempDir::new().expect("a folder");
        // The first move is played as it should be.
        let guard = format!("{PLAY}        if ''.join(state['board']) != '.' * 9:\n            {fault}\n");
        spoiled(folder.path(), PLAY, &guard);
        let words =
            words("play --game spoiled/rules/spoiled.py --out run spoiled/agents/first spoiled/agents/second", &[]);
        let output = referee_in(folder.path(), &words);
        let said = format!("{}{}", stdout(&output), stderr(&output));
        assert_ne!(status(&output), 0, "{fault}: {said}");
        let flat: String = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(told), "{fault}: {said}");
        assert!(!said.contains('\u{1b}'), "{fault}: {said}");
        let games = fs::read_dir(folder.path().join("run/games")).expect("the run was begun");
        assert_eq!(games.count(), 0, "{fault}: a void game has no record");
    }
}

/// Agents cannot answer where there is no move, or nothing to read; what they do then is no fault of theirs.
#[test]
#[ignore = "long: plays by rules in another process"]
fn rules_that_ask_what_nobody_can_answer_make_a_game_void() {
    let forgotten_end = [
        ("            if first == second == third != \".\":\n", "            if False:\n"),
        ("to_move(state[\"side\"]) if \".\" in sign.values() else drawn(state[\"side\"])", "to_move(state[\"side\"])"),
    ];
    let input = "return \"\\n\".join([state[\"side\"], clocks.own] + state[\"board\"]) + \"\\n\"";
    let nothing = format!("return \"\" if \"X\" in state[\"board\"][0] else {}", &input["return ".len()..]);
    let too_little = input.replace("state[\"board\"]", "state[\"board\"][:2]");
    for (changes, told) in [
        (&forgotten_end[..], "the status is `to-move`, and there is no move"),
        (&[(input, nothing.as_str())], "`to_input` writes nothing"),
        (&[(input, too_little.as_str())], "`input_lines` is 5, and `to_input` writes 4 lines"),
    ] {
        let folder = TempDir::new().expect("a folder");
        example(folder.path(), "spoiled", changes);
        let words =
            words("play --game spoiled/rules/spoiled.py --out run spoiled/agents/first spoiled/agents/second", &[]);
        let output = referee_in(folder.path(), &words);
        let said = format!("{}{}", stdout(&output), stderr(&output));
        let flat: String = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(status(&output) != 0 && flat.contains(told), "{told}: {said}");
        let games = fs::read_dir(folder.path().join("run/games")).expect("the run was begun");
        assert_eq!(games.count(), 0, "{told}: a void game has no record");
    }
}

/// A fault of rules that remember what they should not: a move that they refuse, but not when they are started anew.
#[test]
#[ignore = "long: plays by rules in another process"]
fn a_refusal_that_rules_started_anew_do_not_repeat_makes_a_game_void() {
    let folder = TempDir::new().expect("a folder");
    // No square is on their board any more once they have read two answers.
    let (class, read) = ("    time_line, input_lines = 2, 5\n", "        if square not in SQUARES:\n");
    let reads =
        format!("        type(self).read += 1\n{}", read.replace("square not", "type(self).read > 2 or square not"));
    let listed = "return [square for square, sign in zip(SQUARES, signs) if sign == \".\"]";
    let lists = format!("return [\"c1\"] if type(self).read > 2 else {}", &listed["return ".len()..]);
    example(folder.path(), "spoiled", &[(class, &format!("{class}    read = 0\n")), (read, &reads), (listed, &lists)]);
    let words = words("play --game spoiled/rules/spoiled.py --out run spoiled/agents/first spoiled/agents/second", &[]);
    let output = referee_in(folder.path(), &words);
    let said = format!("{}{}", stdout(&output), stderr(&output));
    let flat: String = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(status(&output) != 0 && flat.contains("started anew, it does not refuse it"), "{said}");
    let games = fs::read_dir(folder.path().join("run/games")).expect("the run was begun");
    assert_eq!(games.count(), 0, "a void game has no record: {said}");
}

/// Rules that fail in every game stop a run with one message, whatever question they fail at.
#[test]
#[ignore = "long: plays by rules in another process"]
fn rules_that_fail_in_every_game_stop_the_run_at_once() {
    let faults = [
        ("    def play(self, state, move):\n", "raise ValueError('in play')"),
        // Built-in agents alone ask this question here.
        ("    def moves(self, state):\n", "raise ValueError('in moves')"),
    ];
    for (question, fault) in faults {
        let folder = TempDir::new().expect("a folder");
        // The fifth turn is beyond what a short test game of other games sees.
        let late = format!("{question}        if ''.join(state['board']).count('.') == 5:\n            {fault}\n");
        spoiled(folder.path(), question, &late);
        let words = words("play --game spoiled/rules/spoiled.py --games 6 --jobs 1 --out run", &[]);
        let output = referee_in(folder.path(), &[&words[..], &["builtin:random", "spoiled/agents/second"]].concat());
        let said = stderr(&output);
        assert_eq!(status(&output), 3, "{said}");
        let last = said.lines().last().unwrap_or_default();
        assert_starts(
            last,
            "referee: cannot play this game: its rules failed at legal moves in `g0001`, and in a test game",
        );
        assert!(last.contains("failed: it says: ValueError: in "), "{said}");
        assert_ends(last, "; then begin a new run with a new `--out`, because a run keeps its rules");
        assert!(!said.contains("referee doctor") && !said.contains("g0003"), "{said}");
    }
}

/// An agent that breaks the rules stops nobody else: not one game of the others is missing.
#[test]
#[ignore = "long: plays by rules in another process"]
fn rules_that_one_agent_breaks_are_no_loss_of_the_others() {
    let folder = TempDir::new().expect("a folder");
    let guard = "    def from_output(self, text):\n";
    spoiled(
        folder.path(),
        guard,
        &format!("{guard}        if 'break' in text:\n            raise ValueError('broken')\n"),
    );
    let mal = folder.path().join("spoiled/agents/mal");
    fs::create_dir(&mal).expect("a folder");
    fs::write(mal.join("homework.py"), "open('output.txt', 'w').write('break')\n").expect("written");
    let agents = ["spoiled/agents/mal", "spoiled/agents/second"];
    let words = ["grade", "spoiled/assignment.toml", "--out", "graded", "--jobs", "1"];
    let output = referee_in(folder.path(), &[&words[..], &agents].concat());
    let said = format!("{}{}", stdout(&output), stderr(&output));
    assert_eq!(status(&output), 1, "{said}");
    let games = fs::read_dir(folder.path().join("graded/games")).expect("games");
    let mut names: Vec<String> =
        games.map(|game| game.expect("a file").file_name().into_string().expect("a name")).collect();
    names.sort();
    let expected: Vec<String> = (1..=4).map(|number| format!("second.games-random.0{number}.json")).collect();
    assert_eq!(names, expected, "{said}");
    assert!(said.contains("ValueError: broken"), "{said}");
    assert!(said.contains("the rules are at fault: they failed in 4 games"), "{said}");
    assert!(!said.contains("suspect") && !said.contains("retries"), "{said}");
    assert!(said.contains("fix the rules, then begin a new run with a new"), "{said}");
    let told = Command::new("grep")
        .args(["-rl", "no result: the rules program of the game failed", "graded"])
        .current_dir(folder.path())
        .output();
    let told = String::from_utf8(told.expect("it runs").stdout).expect("names");
    assert!(told.contains("mal") && !told.contains("second"), "{told}");
}

/// Plays with rules that hang at `guard` in `method`, in a new folder, and returns it, the exit status and what was
/// said. The limit of an answer is doubled until that has all of `told`: the machine may be slow.
fn played_with_rules_that_hang(method: &str, guard: &str, more: &[&str], told: &[&str]) -> (TempDir, i32, String) {
    let hang = ["import sys, time", "print('counting sheep', file=sys.stderr, flush=True)", "time.sleep(86400)"];
    let hang = hang.map(|line| format!("            {line}\n")).concat();
    let mut limit = 1;
    loop {
        let folder = TempDir::new().expect("a folder");
        spoiled(folder.path(), method, &format!("{method}        if {guard}:\n{hang}"));
        let sheep = folder.path().join("spoiled/agents/sheep");
        fs::create_dir(&sheep).expect("a folder");
        fs::write(sheep.join("homework.py"), "open('output.txt', 'w').write('sheep')\n").expect("written");
        let play = words("play --game spoiled/rules/spoiled.py --out run --jobs 1", &[]);
        let mut play = command(&[&play[..], more].concat());
        play.current_dir(folder.path()).env("REFEREE_RULES_SECONDS", limit.to_string());
        let output = play.output().expect("it runs");
        let said = stderr(&output);
        let within = format!("no answer within {limit} s; question: ");
        if limit > 30 || told.iter().chain(&[within.as_str()]).all(|text| said.contains(text)) {
            assert!(limit <= 30, "{told:?} are not in:\n{said}");
            return (folder, status(&output), said);
        }
        limit *= 2;
    }
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn rules_that_hang_are_ended_and_cost_nobody_a_game() {
    let files = |folder: &TempDir, place: &str| {
        let entries = fs::read_dir(folder.path().join(place)).expect("the run was begun");
        let names = entries.map(|entry| entry.expect("a file").file_name().into_string().expect("a name"));
        names.collect::<Vec<_>>()
    };
    // In every game.
    let told = [
        "; question: judge of `",
        "standard error: counting sheep; fix the rules program",
        "referee: cannot play this game: its rules failed at legal moves in `g0001`, and in a test game",
    ];
    let middle = "''.join(state['board']).count('.') == 5";
    let agents = ["builtin:random", "spoiled/agents/second"];
    let (run, status, said) = played_with_rules_that_hang("    def play(self, state, move):\n", middle, &agents, &told);
    assert_eq!(status, 3, "{said}");
    assert_eq!(files(&run, "run/games"), [""; 0], "a void game has no record");
    assert_eq!(files(&run, "run/voids"), ["g0001.json"]);
    // At the answer of one agent: the others play on.
    let told = ["standard error: counting sheep", "1 result is missing: every attempt failed"];
    let agents = ["spoiled/agents/first", "spoiled/agents/sheep", "spoiled/agents/second"];
    let (run, status, said) =
        played_with_rules_that_hang("    def from_output(self, text):\n", "text == 'sheep'", &agents, &told);
    assert_eq!(status, 1, "{said}");
    assert_eq!(files(&run, "run/games").len(), 1, "{said}");
    assert!(succeeds(run.path(), &["verify", "run"]).contains(", 0 different"));
}

/// A reason of the game's own for a draw is shown wherever a result is, and judged again.
#[test]
#[ignore = "long: plays by rules in another process"]
fn a_draw_has_the_reason_that_the_rules_give() {
    let folder = TempDir::new().expect("a folder");
    let changes = [
        ("drawn(state[\"side\"])", "drawn(state[\"side\"], \"full-board\")"),
        (
            "    rules = {\n",
            "    draw_reasons = {\"full-board\": \"no square of the <i>board</i> is empty\"}\n    \
             draw_decisions = ()\n    \
             rules = {\n",
        ),
    ];
    let within = folder.path();
    example(within, "full", &changes);
    // Both know the whole game by heart.
    let agent = "moves = 'b2 a1 a3 c1 b1 b3 a2 c2 c3'.split()\n\
                 taken = sum(open('input.txt').read().split('\\n', 2)[2].count(sign) for sign in 'XO')\n\
                 open('output.txt', 'w').write(moves[taken] + '\\n')\n";
    fs::write(within.join("full/agents/first/homework.py"), agent).expect("written");
    let agents = ["one=full/agents/first", "two=full/agents/first"];
    let play = ["play", "--game", "full/rules/full.py", "--out", "run"];
    let told = succeeds(within, &[&play[..], &agents].concat());
    let sentence = "draw (no square of the <i>board</i> is empty)";
    assert!(told.contains(sentence), "{told}");
    for words in [&["explain", "run/games/g0001.json"][..], &["replay", "run/games/g0001.json"]] {
        assert_contains(succeeds(within, words), "no square of the <i>board</i> is empty");
    }
    assert!(succeeds(within, &["verify", "run"]).contains(", 0 different"));
    let exported = succeeds(within, &["export", "run", "--format", "text"]);
    assert!(exported.contains("[How \"drawn: full-board\"]\n"), "{exported}");
    let checked = succeeds(within, &["game", "check", "full/rules/full.py", "--positions", "60"]);
    assert!(checked.ends_with("ready to referee\n"), "{checked}");
    succeeds(within, &["report", "run"]);
    let page = fs::read_to_string(within.join("run/report.html")).expect("a page");
    assert!(page.contains("board&lt;/i&gt; is empty") || !page.contains("<i>board"), "it is escaped");
    let record = fs::read_to_string(within.join("run/games/g0001.json")).expect("a record");
    assert!(record.contains("\"reason\":\"full-board\"") || record.contains("\"reason\": \"full-board\""), "{record}");
    // Nobody wins by a reason for a draw, and a reason has to be known.
    for (by, told) in [
        ("won(\"X\", \"full-board\", state[\"side\"])", "no code of `goals`"),
        ("drawn(state[\"side\"], \"other\")", "no code of `draw_reasons`"),
    ] {
        let wrong = TempDir::new().expect("a folder");
        example(wrong.path(), "full", &[changes[1], ("drawn(state[\"side\"])", by)]);
        let output = referee_in(wrong.path(), &["game", "check", "full/rules/full.py", "--positions", "400"]);
        assert_eq!(status(&output), 1);
        assert!(stdout(&output).contains(told), "{}", stdout(&output));
    }
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn broken_laws_are_reported_with_both_answers() {
    let folder = TempDir::new().expect("a folder");
    spoiled(folder.path(), "if sign == \".\"]", "if sign == \".\" and (square != \"b2\" or signs.count(\".\") == 1)]");
    spoiled_again(folder.path());
    let output = referee_in(folder.path(), &["game", "check", "spoiled/rules/spoiled.py", "--positions", "100"]);
    let said = stdout(&output);
    assert_eq!(status(&output), 1, "{said}");
    assert!(said.contains("BROKEN  no other move is accepted"), "{said}");
    assert_contains(&said, "accepted as `b2`, which `moves` does not list");
    assert!(said.lines().last().is_some_and(|last| last.starts_with("not ready, ")), "{said}");
}

/// Accepts every square that is empty, whatever is listed.
fn spoiled_again(folder: &Path) {
    let rules = folder.join("spoiled/rules/spoiled.py");
    let text = fs::read_to_string(&rules).expect("the example is there");
    let listed = "        if move not in self.moves(state):";
    assert!(text.contains(listed));
    let text = text.replace(listed, "        if dict(zip(SQUARES, \"\".join(state[\"board\"])))[move] != \".\":");
    fs::write(rules, text).expect("it can be written");
}

/// A run is judged by the rules that it keeps, and by no others.
#[test]
fn a_run_is_verified_by_its_own_copy_of_the_rules() {
    let folder = TempDir::new().expect("a folder");
    succeeds(folder.path(), &["new-game", "kept"]);
    let play =
        words("play --game kept/rules/kept.py --out run builtin:random,seed=1 builtin:minimax,depth=1,seed=2", &[]);
    succeeds(folder.path(), &play);
    fs::remove_dir_all(folder.path().join("kept")).expect("it is there");
    assert!(succeeds(folder.path(), &["verify", "run"]).contains(", 0 different"));
    succeeds(folder.path(), &["explain", "run/games/g0001.json"]);
    let rules = folder.path().join("run/rules");
    let copy = fs::read_dir(&rules).expect("the rules are kept").next().expect("one").expect("read").path();
    let file = copy.join("rules.py");
    let text = fs::read_to_string(&file).expect("the copy");
    fs::write(&file, text + "\n").expect("it can be written");
    let output = referee_in(folder.path(), &["verify", "run"]);
    assert_eq!(status(&output), 3);
    assert_contains(stderr(&output), "has been changed since the run began");
    fs::remove_dir_all(rules).expect("they are there");
    let output = referee_in(folder.path(), &["verify", "run"]);
    assert_eq!(status(&output), 3);
    assert!(stderr(&output).contains("put the folder back"), "{}", stderr(&output));
}

#[test]
fn a_name_of_no_rules_program_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let output = referee_in(folder.path(), &["moves", "--game", "rules/none.py"]);
    assert_contains(stderr(&output), "there is no rules program `rules/none.py`");
    fs::create_dir(folder.path().join("empty")).expect("made");
    let output = referee_in(folder.path(), &["moves", "--game", "empty/"]);
    assert!(stderr(&output).contains("expected a `rules.py`"), "{}", stderr(&output));
}

/// A game of the built-in rules and one of their second writing are the same record, but for the name of the game.
#[test]
#[ignore = "long: plays by rules in another process"]
fn whole_games_give_the_same_record_by_either_rules() {
    for (builtin, program) in [("checkers", "checkers.py"), ("heirs", "heirs.py")] {
        let folder = TempDir::new().expect("a folder");
        let rules = Path::new(ROOT).join("examples/rules").join(program);
        let rules = rules.to_str().expect("a plain path");
        let play = |game: &str, out: &str| {
            let agents = ["builtin:random,seed=5", "builtin:random,seed=6"];
            // The clocks are far from running out.
            succeeds(folder.path(), &["play", "--game", game, "--out", out, "--time", "9000", agents[0], agents[1]]);
            folder.path().join(out).join("games/g0001.json")
        };
        let (ours, theirs) = (play(builtin, "ours"), play(rules, "theirs"));
        let read = |path: &Path| -> Value { serde_json::from_slice(&fs::read(path).expect("a record")).expect("JSON") };
        let (mut first, mut second) = (read(&ours), read(&theirs));
        for key in ["game", "rules_program"] {
            let (one, other) = (first[key].take(), second[key].take());
            first[key] = other;
            second[key] = one;
        }
        let drop_null = |record: &mut Value| {
            let record = record.as_object_mut().expect("an object");
            record.retain(|_, value| !value.is_null());
        };
        drop_null(&mut first);
        drop_null(&mut second);
        // What the built-in rules judged is judged by the program, and the other way round.
        fs::write(&theirs, first.to_string()).expect("written");
        fs::write(&ours, second.to_string()).expect("written");
        for out in ["ours", "theirs"] {
            let said = succeeds(folder.path(), &["verify", out]);
            assert!(said.contains(" 0 different"), "{builtin}, {out}: {said}");
        }
        let record: GameRecord = referee_records::read_game(&ours, &KnownGames::builtin()).expect("a built-in game");
        assert!(record.turns.len() > 20);
    }
}
