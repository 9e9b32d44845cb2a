//! `referee kit`: what students get, unpacked and used by its own text.

use std::fs;
use std::io::Cursor;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use zip::ZipArchive;

use crate::invocation::{command, stderr, stdout};
use crate::toolbox::{PYTHON3, require};

/// Packs the assignment of a new game, changed by `change`, with `words`; unpacks it, and returns its folder.
fn kit(change: impl Fn(&Path), more: &[&str]) -> TempDir {
    let course = TempDir::new().unwrap();
    assert!(command(&["new-game", "pente"]).current_dir(course.path()).output().unwrap().status.success());
    change(&course.path().join("pente"));
    packed(course.path(), "pente/assignment.toml", "pente/agents/second", more)
}

/// Packs an assignment with an agent, both in `course`; unpacks it, and returns its folder.
fn packed(course: &Path, assignment: &str, agent: &str, more: &[&str]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let program = folder.path().join("program");
    let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_referee"));
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let words = ["kit", assignment, "--agent", agent, "--binary", program.to_str().unwrap()];
    let packed = command(&[&words[..], more].concat()).current_dir(course).output().unwrap();
    assert!(packed.status.success(), "{}", stderr(&packed));
    ZipArchive::new(Cursor::new(packed.stdout)).unwrap().extract(folder.path()).unwrap();
    folder
}

#[test]
#[ignore = "long: runs commands of the kit"]
fn students_get_what_they_need_and_every_command_of_its_text_works() {
    require!(PYTHON3);
    let folder = kit(|_| (), &[]);
    let text = fs::read_to_string(folder.path().join("README.md")).unwrap();
    assert!(text.starts_with("# Pente\n") && text.contains("X\n10\n...\n...\n...\n```"), "{text}");
    assert!(text.contains("```text\na3\n\nb3\n\nc3\n```"), "{text}");
    let blocks = text.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    let commands: Vec<&str> = blocks.flat_map(str::lines).map(|line| line.strip_prefix("$ ").unwrap()).collect();
    assert_eq!(commands.len(), 6, "{text}");
    for line in commands {
        let output = Command::new("sh").args(["-c", line]).current_dir(folder.path()).output().unwrap();
        // A busy machine may be too slow for a check, and a container unfit for grading; neither is the kit's fault.
        let may_say_no = line.contains(" check ") || line.contains(" doctor");
        let code = output.status.code();
        assert!(code == Some(0) || may_say_no && code == Some(1), "{line}: {}{}", stdout(&output), stderr(&output));
        if line.contains(" check ") {
            assert!(stdout(&output).contains("all 30 right"), "{}", stdout(&output));
        }
    }
    assert!(fs::read_to_string(folder.path().join("match.html")).unwrap().contains("Pente"));
}

/// Its students write a class that the course's own program asks for actions.
#[test]
#[ignore = "long: runs commands of the kit"]
fn an_agent_that_stays_alive_plays_beside_what_the_course_provides() {
    require!(PYTHON3);
    let course = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/freckers");
    let folder = packed(&course, "assignment.toml", "class/hopper", &[]);
    let text = fs::read_to_string(folder.path().join("README.md")).unwrap();
    assert!(text.contains("lives for the whole game") && text.contains("## The first question"), "{text}");
    assert!(!text.contains("output.txt") && text.contains("the course's, which adds them"), "{text}");
    let play = text.lines().find_map(|line| line.strip_prefix("$ ./referee play ")).unwrap();
    assert!(play.starts_with("agents/hopper builtin:random --assignment freckers/assignment.toml"), "{play}");
    let line = format!("./referee play {play}");
    let output = Command::new("sh").args(["-c", &line]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    // Whoever forfeits says why in its first turns.
    assert!(!stdout(&output).contains("hopper loses:"), "{}", stdout(&output));
}

/// Without the assignment, `play` would ask for another name, which grading refuses.
#[test]
fn an_agent_with_a_name_of_the_course_plays_as_the_text_says() {
    require!(PYTHON3);
    let renamed = |game: &Path| {
        let agent = game.join("agents/second");
        fs::rename(agent.join("homework.py"), agent.join("player.py")).unwrap();
        let path = game.join("assignment.toml");
        fs::write(&path, fs::read_to_string(&path).unwrap().replace("homework.py", "player.py")).unwrap();
    };
    let folder = kit(renamed, &[]);
    let text = fs::read_to_string(folder.path().join("README.md")).unwrap();
    assert!(text.contains("copy it and change `player.py`"), "{text}");
    let play = text.lines().find_map(|line| line.strip_prefix("$ ./referee play ")).unwrap();
    let line = format!("./referee play {play}");
    let output = Command::new("sh").args(["-c", &line]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn a_kit_that_this_machine_cannot_try_is_not_written() {
    let course = TempDir::new().unwrap();
    fs::create_dir(course.path().join("mine")).unwrap();
    fs::write(course.path().join("mine/player.py"), "print()\n").unwrap();
    let text = "title = \"Old\"\ngame = \"checkers\"\n[submission.programs]\n\"player.py\" = \"python2\"\n[[grade]]\n\
                kind = \"games\"\nopponent = \"builtin:random\"\ngames = 1\npoints_each = 1\n";
    fs::write(course.path().join("old.toml"), text).unwrap();
    let mut kit = command(&["kit", "old.toml", "--agent", "mine", "--out", "kit.zip"]);
    // No Python is there.
    let refused = kit.current_dir(course.path()).env("PATH", "/nonexistent").output().unwrap();
    assert_eq!(refused.status.code(), Some(4), "{}", stderr(&refused));
    assert!(!course.path().join("kit.zip").exists());
}

#[test]
fn what_the_grading_asks_stays_with_the_course_unless_it_is_added() {
    require!(PYTHON3);
    let hidden = |game: &Path| {
        fs::create_dir(game.join("secret")).unwrap();
        fs::write(game.join("secret/one.txt"), "X\n10\nX..\n.O.\n...\n").unwrap();
        let path = game.join("assignment.toml");
        let text = fs::read_to_string(&path).unwrap().replace("builtin:random", "agents/first");
        let grade =
            "[[grade]]\nkind = \"single-moves\"\npositions = \"secret\"\ntime = 9\npoints_each = 1\n\n[competition]";
        fs::write(path, text.replace("[competition]", grade)).unwrap();
    };
    let has = |folder: &TempDir| {
        let program = "agents/first/homework.py";
        ["secret/one.txt", program].map(|path| folder.path().join(path).exists())
    };
    assert_eq!(has(&kit(hidden, &[])), [false, false]);
    assert_eq!(has(&kit(hidden, &["--with", "positions", "--with", "opponents"])), [true, true]);
}
