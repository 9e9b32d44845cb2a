//! Rules programs that do not get as far as to say what their game is like: the whole line of each.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::TempDir;

use super::{example, referee_in};
use crate::invocation::{command, status, stderr, stdout};

/// Writes a program called `name`.
fn program(within: &Path, name: &str, text: &str, mode: u32) {
    let path = within.join(name);
    fs::write(&path, text).expect("written");
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
}

/// Fails unless `moves` with the program says `expected`, and the same goes for the limit of its answers.
fn says(within: &Path, name: &str, code: i32, expected: &str) {
    let game = format!("./{name}");
    let output = command(&["moves", "--game", &game])
        .current_dir(within)
        .env("REFEREE_RULES_SECONDS", "2")
        .output()
        .expect("it runs");
    assert_eq!(
        (status(&output), stderr(&output), stdout(&output)),
        (code, format!("referee: {expected}\n"), String::new()),
        "{name}"
    );
}

/// Question, answer and standard error are told, each on lines of its own, escaped and bounded.
#[test]
#[ignore = "long: plays by rules in another process"]
fn what_a_program_says_at_its_start_is_told() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    let used = |name: &str| format!("the rules program `./{name}` cannot be used: ");
    let script = |name: &str, lines: &str| program(within, name, &format!("#!/bin/sh\n{lines}\n"), 0o755);
    script("noise", "printf 'boom\\033[2J' >&2; echo 'not json'; read x; read x");
    let told = "the answer is not JSON as the protocol has it: expected ident at line 1 column 2; fix the \
                rules program\n  question: game\n  answer: not json\n  | boom\\u{1b}[2J";
    says(within, "noise", 3, &(used("noise") + told));
    script("other", "read x; echo sorry >&2; echo '{\"id\":7,\"answer\":{}}'; read x");
    let told = "the answer has the id 7, the question has 1; fix the rules program\n  \
                question: game\n  answer: {\"id\":7,\"answer\":{}}\n  | sorry";
    says(within, "other", 3, &(used("other") + told));
    script("hangs", "echo sheep >&2; printf half; exec sleep 1000");
    let told = "no answer within 2 s; fix the rules program\n  question: game\n  answer: half\n  | sheep";
    says(within, "hangs", 3, &(used("hangs") + told));
    // A shell script is no Python file.
    script("dead", "read x; exit 0");
    let told = "it ended instead of answering; it exited with status 0; fix the rules program\n  question: game";
    says(within, "dead", 3, &(used("dead") + told));
    script("long", "yes x | tr -d '\\n' | head -c 100000; echo; read x; read x");
    let output = referee_in(within, &["moves", "--game", "./long"]);
    assert!(stderr(&output).contains("\n  answer: xxx") && stderr(&output).len() < 1500, "{}", stderr(&output));
}

#[test]
fn a_program_that_this_machine_cannot_start_is_not_at_fault() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    let remedy = "install the program that its first line names, or build it for this machine";
    program(within, "ruby", "#!/nonexistent/ruby\n", 0o755);
    let told = "the rules program `./ruby` cannot be used: it ended instead of answering; it could not be started: the \
                interpreter in its first line, or its loader, does not exist; ";
    says(within, "ruby", 4, &format!("{told}{remedy}\n  question: game"));
    program(within, "shell", "#!/bin/sh\nread x\nno-such-program 2>/dev/null\n", 0o755);
    let told = "the rules program `./shell` cannot be used: it ended instead of answering; it exited with status 127; ";
    says(within, "shell", 4, &format!("{told}{remedy}\n  question: game"));
}

/// The path is the author's, not that of a copy.
#[test]
fn a_file_that_is_no_program_is_named_by_its_path() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    fs::create_dir(within.join("built")).expect("a folder");
    for (name, file) in [("noexec", "noexec"), ("rules.rb", "rules.rb"), ("built", "built/rules")] {
        program(within, file, "#!/bin/sh\n", 0o644);
        let told = format!(
            "`./{file}` is neither a `.py`, `.cpp` or `.java` source nor executable: if it is a program, run `chmod +x \
             ./{file}`"
        );
        says(within, name, 3, &told);
    }
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn memory_is_told_in_words() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    fs::write(within.join("large.py"), "x = bytearray(b'x') * (3 << 30)\n").expect("written");
    let output = referee_in(within, &["moves", "--game", "./large.py"]);
    let said = stderr(&output);
    assert!(!said.contains("used_bytes") && !said.contains('{'), "{said}");
    assert!(said.contains("more than 1024 MiB of memory") || said.contains("MemoryError"), "{said}");
}

/// In an assignment, the remedy is one for the file that is named there.
#[test]
fn a_faulty_rules_file_of_an_assignment_is_to_be_mended_and_no_other_game_chosen() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    example(within, "three", &[]);
    let grade = ["grade", "three/assignment.toml", "three/agents/first", "--out", "graded"];
    fs::write(within.join("three/rules/three.py"), "exit(3)\n").expect("written");
    let broken = stderr(&referee_in(within, &grade));
    fs::remove_file(within.join("three/rules/three.py")).expect("removed");
    let missing = stderr(&referee_in(within, &grade));
    for (said, why) in [
        (&broken, "`game`: the rules program `three/rules/three.py` cannot be used: "),
        (&missing, "`game`: there is no rules program `three/rules/three.py`: "),
    ] {
        let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(why), "{said}");
        let remedy = "the path is relative to this file: `referee game check three/rules/three.py` tries it";
        assert!(flat.contains(remedy), "{said}");
        assert!(!flat.contains("write for example"), "{said}");
    }
}
