//! The command line as a user meets it: what is printed, and the exit status.

use std::fs;
use std::path::Path;
use std::process::Command;

use nix::unistd::geteuid;
use serde_json::Value;
use tempfile::TempDir;

use crate::invocation::{assert_contains, assert_ends, command, referee, status, stderr, stdout, words};
use crate::skips::{UNPRIVILEGED, skip};

/// What a refused command says, after its status was compared.
fn refused(arguments: &[&str], expected: i32) -> String {
    let output = referee(arguments);
    assert_eq!(status(&output), expected, "{arguments:?}: {}", stderr(&output));
    stderr(&output)
}

fn file(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

const CHECKERS: &str =
    "SINGLE\nBLACK\n100.0\n.b.....b\nb...b.b.\n.b...b.b\n..b.w...\n........\nw...w...\n.w.w...w\nw...w.w.\n";

#[test]
fn moves_are_listed_as_they_are_written() {
    let folder = TempDir::new().unwrap();
    let input = file(&folder, "input.txt", CHECKERS);
    let listed = referee(&["moves", "--game", "checkers", "--input", &input]);
    assert_eq!(stdout(&listed), "J f6 d4; J d4 f2\n");
    let listed = referee(&["moves", "--game", "checkers", "--input", &input, "--json"]);
    assert_eq!(stdout(&listed), "{\"moves\":[\"J f6 d4\\nJ d4 f2\"],\"side\":\"BLACK\"}\n");
    let listed = referee(&["moves", "--game", "duo-othello", "--json"]);
    let said: Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!((said["side"].as_str(), said["moves"].as_array().map(Vec::len)), (Some("O"), Some(8)));
}

#[test]
fn perft_counts_and_divides() {
    for (game, depth, count) in [
        ("checkers", "5", "7361\n"),
        ("halma", "2", "1600\n"),
        ("duo-othello", "3", "400\n"),
        ("star-circle", "2", "49\n"),
    ] {
        assert_eq!(stdout(&referee(&["perft", "--game", game, "--depth", depth])), count, "{game}");
    }
    let original = referee(&["perft", "--game", "halma", "--rules", "original", "--depth", "1", "--divide"]);
    assert_eq!(
        (stdout(&original).lines().count(), stdout(&original).lines().last().map(str::to_owned)),
        (41, Some("40".to_owned()))
    );
}

#[test]
fn perft_refuses_a_depth_that_no_game_has() {
    for depth in ["281", "10000", "4294967295"] {
        let said = refused(&["perft", "--game", "checkers", "--depth", depth], 2);
        assert!(said.contains("is not in 0..=280"), "{said}");
    }
}

/// Some programs that start others ignore SIGCHLD, and the kernel then forgets children before anybody waits for them.
#[test]
fn an_answer_keeps_its_exit_code_if_nobody_reads_it() {
    let folder = TempDir::new().unwrap();
    let (input, illegal) = (file(&folder, "input.txt", CHECKERS), file(&folder, "output.txt", "E f6 h8\n"));
    let empty = TempDir::new().unwrap();
    let checked = empty.path().to_str().unwrap();
    for arguments in [
        &["judge", "--game", "checkers", "--input", &input, "--output", &illegal][..],
        &["check", checked, "--game", "checkers"],
        &["check", checked, "--game", "checkers", "--json"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = command(arguments).stdout(writer).output().unwrap();
        assert_eq!((status(&output), stderr(&output)), (1, String::new()), "{arguments:?}");
    }
}

#[test]
fn its_parent_may_ignore_the_end_of_children() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("run");
    let mut words = vec!["--ignore-signal=CHLD", env!("CARGO_BIN_EXE_referee"), "play"];
    words.extend(["builtin:random", "builtin:random", "--game", "checkers", "--out"]);
    let played = Command::new("env").args(words).arg(&out).output().unwrap();
    assert_eq!(played.status.code(), Some(0), "{}", stderr(&played));
}

/// Neither is the fault of an agent, which would lose by a program that nobody may execute.
#[test]
fn its_parent_may_hide_files_from_it_and_set_the_number_of_threads() {
    let folder = TempDir::new().unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", "umask 0777; TOKIO_WORKER_THREADS=0 exec \"$@\"", "sh", env!("CARGO_BIN_EXE_referee"), "play"]);
    shell.args(["builtin:random", "builtin:random", "--game", "checkers", "--out"]).arg(folder.path().join("run"));
    let played = shell.output().unwrap();
    assert_eq!(played.status.code(), Some(0), "{}", stderr(&played));
    assert_contains(stdout(&played), "(0 by forfeit)\nrandom-2: ");
    assert!(!stdout(&played).contains("(1 by forfeit)"), "{}", stdout(&played));
}

#[test]
fn a_limit_on_processes_is_no_bug_and_its_remedy_is_told() {
    if geteuid().is_root() {
        return skip(&UNPRIVILEGED, "root has no limit on processes");
    }
    let folder = TempDir::new().unwrap();
    // Not every shell has `ulimit -u`.
    let mut limited = Command::new("prlimit");
    limited.args(["--nproc=1", env!("CARGO_BIN_EXE_referee"), "play"]);
    limited.args(["builtin:random", "builtin:random", "--game", "checkers", "--out"]).arg(folder.path().join("run"));
    let played = limited.output().unwrap();
    assert_eq!(status(&played), 4);
    assert_ends(stderr(&played), "end other programs, or raise the limit on processes (`ulimit -u`)\n");
}

#[test]
fn any_positive_time_is_read() {
    let folder = TempDir::new().unwrap();
    for time in ["3.49581474878846e-14", "1E+2", "1e300", "0.0000001", "5."] {
        let input = file(&folder, "input.txt", &CHECKERS.replace("100.0", time));
        let listed = referee(&["moves", "--game", "checkers", "--input", &input]);
        assert_eq!(stdout(&listed), "J f6 d4; J d4 f2\n", "{time}");
        for agent in ["random", "minimax", "alphabeta"] {
            let answered = command(&["agent", agent]).current_dir(folder.path()).output().unwrap();
            assert_eq!(status(&answered), 0, "{agent}, {time}: {}", stderr(&answered));
            let output = fs::read_to_string(folder.path().join("output.txt")).unwrap();
            assert_eq!(output, "J f6 d4\nJ d4 f2\n", "{agent}, {time}");
        }
    }
}

#[test]
fn a_bad_position_is_named_by_file_line_and_expectation() {
    let folder = TempDir::new().unwrap();
    let seven_rows = file(&folder, "seven.txt", CHECKERS.trim_end().rsplit_once('\n').unwrap().0);
    let said = refused(&["moves", "--game", "checkers", "--input", &seven_rows], 3);
    assert_contains(&said, "seven.txt`: line 4: expected 8 board rows, found 7");
    let strange = file(&folder, "strange.txt", &CHECKERS.replace("..b.w...", "..b.x..."));
    let said = refused(&["moves", "--game", "checkers", "--input", &strange], 3);
    assert_contains(&said, "strange.txt`: line 7, column 5: expected one of `.bwBW`, found `x`");
    let negative = file(&folder, "negative.txt", &CHECKERS.replace("100.0", "-1"));
    let said = refused(&["moves", "--game", "checkers", "--input", &negative], 3);
    assert_contains(&said, "line 3: expected the remaining seconds, more than zero");
    let said = refused(&["moves", "--game", "checkers", "--input", "no/such/file"], 3);
    assert!(said.contains("`no/such/file`: "), "{said}");
}

#[test]
fn a_bad_command_line_is_usage_and_leaves_nothing_behind() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("run");
    let play = words("play builtin:random builtin:random --out {}", &[out.to_str().unwrap()]);
    let cases: [(&[&str], &str); 6] = [
        (
            &["--game", "chess"],
            "`chess` is not a game: choose one of `heirs`, `checkers`, `halma`, `little-go`, `duo-othello`, \
             `star-circle`",
        ),
        (&["--game", "checkers", "--time", "-5"], "-5"),
        (&["--game", "checkers", "--time", "0"], "more than 0 seconds"),
        (&["--game", "checkers", "--rules", "original"], "`--rules`: checkers has one set of rules"),
        (&["--game", "checkers", "--games", "0"], "0 is not in 1..=9999"),
        (&["--game", "checkers", "--jobs", "0"], "0 is not in 1.."),
    ];
    for (more, message) in cases {
        let arguments: Vec<&str> = play.iter().chain(more).copied().collect();
        let said = refused(&arguments, 2);
        assert!(said.contains(message), "{more:?}: {said}");
        assert!(!out.exists(), "{more:?} left something behind");
    }
}

/// Every entrance for agents refuses one that another game has of its own, and names those that play.
#[test]
fn a_built_in_agent_of_another_game_is_usage_and_lists_those_of_the_game() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("run");
    let said = "`builtin:greedy` does not play checkers: \
                choose one of `builtin:random`, `builtin:minimax`, `builtin:alphabeta`";
    let out_argument = out.to_str().unwrap();
    let end = ["--game", "checkers", "--out", out_argument];
    let competition = "title = \"T\"\ngame = \"checkers\"\n[competition]\nformat = \"knockout\"\n";
    let graded = "title = \"T\"\ngame = \"checkers\"\n[[grade]]\nkind = \"games\"\nopponent = \"builtin:greedy\"\n\
                  games = 1\npoints_each = 1\n";
    let competition = file(&folder, "competition.toml", competition);
    let graded = file(&folder, "graded.toml", graded);
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/agents/checkers-python");
    let cases: [(&[&str], i32); 7] = [
        (&["play", "builtin:greedy,seed=3", "builtin:random"], 2),
        (&["play", "builtin:random", "builtin:random", "g=builtin:greedy"], 2),
        (&["play", "human", "builtin:greedy"], 2),
        (&["serve", "--play", "builtin:greedy"], 2),
        (&words("compete {} builtin:random builtin:greedy --out {}", &[&competition, out_argument]), 2),
        (&words("plan {} builtin:random builtin:greedy --out {}", &[&competition, out_argument]), 2),
        (&["check", sample, "--assignment", &graded], 3),
    ];
    for (words, expected) in cases {
        let is_free = ["play", "serve"].contains(&words[0]);
        let words: Vec<&str> = words.iter().chain(end.iter().filter(|_| is_free)).copied().collect();
        let found = refused(&words, expected);
        assert!(found.contains(said), "{words:?}: {found}");
        assert!(!out.exists(), "{words:?} left something behind");
    }
    let found = refused(&["grade", &graded, sample, "--out", out_argument], 3);
    let place = format!("graded.toml:5:12: `opponent`: {said}");
    assert!(found.contains(&place) && found.contains("`opponent = \"builtin:minimax\"`"), "{found}");
    let own = refused(&["play", "builtin:gready", "builtin:random", "--game", "little-go"], 2);
    assert!(own.contains("`greedy`"), "{own}");
}

/// Without an assignment, submissions are called as in the homeworks of the game.
#[test]
#[ignore = "long: plays many games"]
fn free_play_and_check_know_the_file_names_of_the_game() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/agents/little-go-python");
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("run");
    let out = out.to_str().unwrap();
    let played = referee(&words("play {} builtin:greedy --game little-go --time 60 --out {}", &[sample, out]));
    assert_eq!(status(&played), 0, "{}", stderr(&played));
    let checked = referee(&["check", "--game", "little-go", "--quick", "--positions", "1", sample]);
    assert_eq!(status(&checked), 0, "{}{}", stdout(&checked), stderr(&checked));
    let other = refused(&["play", sample, "builtin:random", "--game", "checkers"], 3);
    assert!(other.contains("my_player3.py") || other.contains("homework.py"), "{other}");
}

#[test]
fn an_agent_that_is_not_there_or_cannot_run_is_named_with_the_remedy() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("run");
    let plain = file(&folder, "notes", "not a program");
    for (agent, message) in
        [("no/such/agent", "no/such/agent"), (plain.as_str(), "chmod +x"), ("builtin:genius", "genius")]
    {
        let output =
            referee(&words("play {} builtin:random --game checkers --out {}", &[agent, out.to_str().unwrap()]));
        assert!([2, 3].contains(&status(&output)), "{agent}: status {}", status(&output));
        assert!(stderr(&output).contains(message), "{agent}: {}", stderr(&output));
        assert!(!out.exists(), "{agent} left something behind");
    }
}

#[test]
fn records_of_other_kinds_are_refused_by_name() {
    let folder = TempDir::new().unwrap();
    let newer = file(&folder, "newer.json", "{\"schema\": 99}");
    let said = refused(&["verify", &newer], 3);
    assert_contains(&said, "has schema 99, this program reads up to schema 1: use a newer `referee`");
    let other = file(&folder, "other.json", "{\"schema\": 1}");
    assert!(refused(&["replay", &other], 3).contains("other.json` is not a record of this program: "));
    let said = refused(&["verify", folder.path().to_str().unwrap()], 3);
    assert!(said.contains("manifest.json"), "{said}");
}

/// Plays eight games of the two built-in agents, and expects each of them finished, verified and shown.
fn eight_games(game: &[&str]) {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("run");
    let out = out.to_str().unwrap();
    let mut arguments = words("play builtin:random builtin:minimax,depth=1 --games 8 --jobs 2 --out {}", &[out]);
    arguments.extend(game);
    let played = referee(&arguments);
    let begins = format!("playing 8 games with 2 jobs; results go to `{out}`\n");
    assert_eq!((status(&played), stderr(&played)), (0, begins), "{game:?}");
    assert_eq!(stdout(&played).lines().filter(|line| line.starts_with('g')).count(), 8, "{}", stdout(&played));
    let verified = referee(&["verify", out]);
    assert_eq!(status(&verified), 0, "{}", stdout(&verified));
    let said = stdout(&verified);
    assert!(said.contains(": 8 of 8 games finished\n8 games, ") && said.ends_with(" 0 different\n"), "{said}");
    let record = Path::new(out).join("games/g0001.json");
    let shown = referee(&["replay", record.to_str().unwrap()]);
    assert_eq!(status(&shown), 0);
    assert!(stdout(&shown).contains("turn 1 of "), "{}", stdout(&shown));
    // The same command again finds everything done, and plays nothing.
    let again = referee(&arguments);
    assert_eq!((status(&again), stdout(&again).lines().filter(|line| line.starts_with('g')).count()), (0, 0));
    // Another seed is another run.
    arguments.extend(["--seed", "7"]);
    assert!(refused(&arguments, 2).contains("contains another run: its seed is 0, not 7"));
}

#[test]
#[ignore = "long: plays many games"]
fn eight_games_of_checkers_are_played_and_verified() {
    eight_games(&["--game", "checkers"]);
}

#[test]
#[ignore = "long: plays many games"]
fn eight_games_of_halma_are_played_and_verified() {
    eight_games(&["--game", "halma", "--turn-limit", "60"]);
}

#[test]
#[ignore = "long: plays many games"]
fn eight_games_of_halma_by_the_original_rules_are_played_and_verified() {
    eight_games(&["--game", "halma", "--rules", "original", "--turn-limit", "60"]);
}

#[test]
#[ignore = "long: plays many games"]
fn eight_games_of_duo_othello_are_played_and_verified() {
    eight_games(&["--game", "duo-othello"]);
}

#[test]
#[ignore = "long: plays many games"]
fn the_same_seed_gives_the_same_games() {
    let moves = |seed: &str| {
        let folder = TempDir::new().unwrap();
        let out = folder.path().join("run");
        let arguments = words("play builtin:random builtin:random --game duo-othello --seed {}", &[seed]);
        assert_eq!(status(&referee(&[&arguments[..], &["--out", out.to_str().unwrap()]].concat())), 0);
        let record: Value = serde_json::from_slice(&fs::read(out.join("games/g0001.json")).unwrap()).unwrap();
        let turns = record["turns"].as_array().unwrap();
        turns.iter().map(|turn| turn["move"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(moves("1"), moves("1"));
    assert_ne!(moves("1"), moves("2"));
}

#[test]
fn the_meter_that_was_asked_for_and_the_isolation_in_force_are_in_the_record() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("run");
    let play = words("play builtin:random builtin:random --game checkers --turn-limit 4", &[]);
    let terms = words("--meter rusage --isolation bare --memory 512 --out {}", &[out.to_str().unwrap()]);
    assert_eq!(status(&referee(&[&play[..], &terms[..]].concat())), 0);
    let record: Value = serde_json::from_slice(&fs::read(out.join("games/g0001.json")).unwrap()).unwrap();
    let player = &record["players"]["black"];
    assert_eq!(player["meter"], "rusage");
    assert!(["bare", "confined", "sealed"].contains(&player["isolation"].as_str().unwrap()), "{player}");
    assert_eq!(record["conditions"]["limits"]["memory_bytes"], 512 << 20);
    let said = refused(&[&play[..], &["--isolation", "perfect"]].concat(), 2);
    assert_contains(&said, "expected `bare`, `confined` or `sealed`, found `perfect`");
    let said = refused(&[&play[..], &["--meter", "sundial"]].concat(), 2);
    assert_contains(&said, "expected `perf`, `cgroup-v2`, `cgroup-v1` or `rusage`, found `sundial`");
}

#[test]
fn an_agent_over_its_memory_limit_loses_and_the_limit_is_named() {
    let folder = TempDir::new().unwrap();
    let agent = file(&folder, "hog.sh", "#!/bin/sh\nx=0123456789abcdef\nwhile :; do x=$x$x; done\n");
    fs::set_permissions(&agent, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let out = folder.path().join("run");
    let play = ["play", &agent, "builtin:random", "--game", "checkers", "--memory", "32"];
    let played = referee(&[&play[..], &["--out", out.to_str().unwrap()]].concat());
    assert_eq!(status(&played), 0, "{}", stderr(&played));
    let said = stdout(&played);
    assert!(said.contains("hog (black) loses: ") && said.contains("32 MiB"), "{said}");
}
