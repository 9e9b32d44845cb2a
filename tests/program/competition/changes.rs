//! What changes between two runs of one command.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;

use crate::competition::arena::{
    Arena, LOOK, SLEEPER, Said, assignment, below, done, said, small_agents, wake_to_the_end,
};
use crate::invocation::{assert_contains, assert_starts};

/// An agent that says nothing, and loses at once.
const MUTE: &str = "#!/bin/sh\nexit 0\n";

pub(crate) fn program(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn refused(said: &Said, status: i32, text: &str) {
    assert_eq!((said.status, said.err.as_str()), (Some(status), text), "{said:#?}");
}

fn round_robin(agents: usize) -> Arena {
    Arena::new(&assignment("\"round-robin\"", &small_agents(agents)))
}

#[test]
#[ignore = "long: plays competitions"]
fn new_and_withdrawn_agents_change_only_missing_games() {
    let arena = round_robin(4);
    done(arena.compete("run", &[]));
    let before = arena.games("run");
    assert_eq!(before.len(), 12);
    let begun: Vec<u64> = before.keys().map(|id| arena.run("run").game(id).unwrap().began_unix_s).collect();

    let out = done(arena.compete("run", &["--withdraw", "a02", "late=builtin:random,seed=9"]));
    let after = arena.games("run");
    // Three are left for the newcomer to meet, twice each; what was played stays.
    assert_eq!(after.len(), 12 + 6);
    assert!(before.iter().all(|(id, game)| after[id] == *game));
    let still: Vec<u64> = before.keys().map(|id| arena.run("run").game(id).unwrap().began_unix_s).collect();
    assert_eq!(begun, still);
    let new = arena.manifest("run").games.into_iter().filter(|game| !before.contains_key(&game.id));
    assert!(new.clone().all(|game| [&game.black, &game.white].contains(&&"late".to_owned())));
    assert!(new.clone().all(|game| ![&game.black, &game.white].contains(&&"a02".to_owned())));
    assert!(out.contains("late"), "{out}");
    done(arena.referee(&["verify", "run"]));

    let forgotten = said(arena.compete("run", &[]));
    refused(
        &forgotten,
        2,
        "referee: `late` is missing from the command but has played in this run: name it, or withdraw it with \
         `--withdraw 'late'`\n",
    );
    // Whoever withdrew once stays away without being told so again.
    done(arena.compete("run", &["late=builtin:random,seed=9"]));
    assert_eq!(arena.games("run").len(), 18);
}

#[test]
fn nobody_joins_a_format_that_has_planned_its_first_round() {
    for format in ["\"swiss\"\nrounds = 2", "\"knockout\""] {
        let arena = Arena::new(&assignment(format, &small_agents(4)));
        done(arena.referee(&["plan", "small.toml", "--out", "run"]));
        let before = arena.manifest("run");
        refused(
            &said(arena.compete("run", &["late=builtin:random,seed=9"])),
            2,
            "referee: `late` cannot join: a competition of this format accepts no new agents once its first round is \
             planned; leave it out, or start a new competition with another `--out`\n",
        );
        assert_eq!(arena.manifest("run"), before);
    }
}

#[test]
#[ignore = "long: plays competitions"]
fn who_withdraws_before_its_last_games_does_not_play_them() {
    for format in ["\"round-robin\"", "\"swiss\"\nrounds = 2", "\"knockout\""] {
        let arena = Arena::new(&assignment(format, &small_agents(4)));
        done(arena.compete("run", &[]));
        let unplayed = arena.manifest("run").games.pop().unwrap();
        fs::remove_file(arena.run("run").path_of(&unplayed.id)).unwrap();
        let is_called_off = || !arena.run("run").path_of(&unplayed.id).exists();
        // It is still among the agents of the assignment.
        done(arena.compete("run", &["--withdraw", &unplayed.black]));
        assert!(is_called_off(), "{format}");
        done(arena.compete("run", &[]));
        done(arena.referee(&["shard", "run"]));
        assert!(is_called_off(), "{format}");
        let status = done(arena.referee(&["status", "run"]));
        let played = arena.games("run").len();
        assert_starts(&status, &format!("run: Duo-Othello, {played} of {played} games finished\n"));
        assert_contains(&status, "nothing is missing");
        assert_contains(done(arena.referee(&["verify", "run"])), &format!("{played} of {played} games finished"));
    }
}

#[test]
#[ignore = "long: plays competitions"]
fn a_gauntlet_whose_challenger_has_withdrawn_says_why_nobody_wins() {
    let arena = Arena::new(&assignment("\"gauntlet\"\nchallenger = \"a00\"", &small_agents(3)));
    assert_contains(done(arena.compete("run", &[])), "winner");
    let out = done(arena.compete("run", &["--withdraw", "a00"]));
    assert_contains(&out, "no winner: the challenger has withdrawn\n");
    assert!(!out.contains("ranked by"), "{out}");
}

#[test]
fn a_stranger_cannot_withdraw() {
    let arena = round_robin(2);
    refused(
        &said(arena.compete("run", &["--withdraw", "nobody"])),
        2,
        "referee: no agent named `nobody` in this competition\n",
    );
}

#[test]
fn an_agent_whose_files_have_changed_is_refused() {
    let arena = round_robin(2);
    program(&arena.path("mute"), MUTE);
    let with_mute = || arena.compete("run", &["mute=mute"]);
    done(with_mute());
    program(&arena.path("mute"), &(MUTE.to_owned() + "# version 2\n"));
    let changed = said(with_mute());
    assert_eq!(changed.status, Some(2), "{changed:#?}");
    assert_contains(
        &changed.err,
        "referee: the files of `mute` have changed since its first game: restore them, or withdraw it with \
         `--withdraw 'mute'` and enter the new version under another name\n",
    );
    // As it says.
    done(arena.compete("run", &["--withdraw", "mute", "mute-2=mute"]));
    // Against both in the first version, against the two that are left in the second.
    assert_eq!(arena.games("run").len(), 2 + 4 + 4);
}

#[test]
fn two_of_one_name_are_refused() {
    let arena = round_robin(2);
    refused(
        &said(arena.compete("run", &["a01=builtin:random"])),
        2,
        "referee: two agents are named `a01`: rename one with `NAME=`\n",
    );
    assert!(!arena.path("run").exists());
}

#[test]
fn an_assignment_without_a_competition_is_refused() {
    let arena = round_robin(2);
    arena.write("small.toml", "title = \"A test\"\ngame = \"checkers\"\n");
    let said = said(arena.compete("run", &[]));
    assert_eq!(said.status, Some(3), "{said:#?}");
    assert!(said.err.contains("[competition]") || said.err.contains("[[grade]]"), "{}", said.err);
}

#[test]
fn a_competition_without_an_opponent_is_refused_before_it_begins() {
    let arena = round_robin(1);
    let said = said(arena.compete("run", &[]));
    assert_eq!(said.status, Some(2), "{said:#?}");
    assert_contains(&said.err, "a competition needs at least two agents, and there is only `a00`");
    assert!(!arena.path("run").exists());
}

#[test]
fn what_a_ranking_goes_by_may_change_and_what_was_played_may_not() {
    let arena = round_robin(2);
    done(arena.compete("run", &[]));
    let games = arena.games("run").len();
    let text = assignment("\"round-robin\"\nrank_by = \"pairings\"", &small_agents(2));
    let titled = text.replacen("title = \"", "title = \"Another ", 1);
    assert_ne!(titled, text);
    arena.write("small.toml", &titled);
    done(arena.compete("run", &[]));
    assert_eq!(arena.games("run").len(), games);
    let kept = fs::read_to_string(arena.path("run/assignment.toml")).unwrap();
    assert_eq!(kept, titled);
    arena.write("small.toml", &titled.replacen("seed", "# seed", 1).replacen('\n', "\nseed = 77\n", 1));
    let changed = said(arena.compete("run", &[]));
    assert_eq!(changed.status, Some(2), "{changed:#?}");
    assert_contains(&changed.err, "its games were played with another `seed`");
}

#[test]
#[ignore = "long: plays competitions"]
fn a_run_of_another_kind_is_refused_by_every_command() {
    let grade = "\n[[grade]]\nkind = \"games\"\nopponent = \"builtin:random\"\ngames = 1\npoints_each = 1\n";
    let arena = Arena::new(&(assignment("\"round-robin\"", &small_agents(2)) + grade));
    fs::create_dir(arena.path("class")).unwrap();
    fs::create_dir(arena.path("class/ada")).unwrap();
    arena.write("class/ada/homework.py", "pass\n");
    let grade = |out: &str| arena.referee(&["grade", "small.toml", "--class", "class", "--out", out]);
    done(arena.compete("competition", &[]));
    done(grade("grading"));
    let manifests = || ["competition", "grading"].map(|run| arena.manifest(run));
    let before = manifests();
    for (command, text) in [
        (
            arena.referee(&["gradebook", "competition"]),
            "referee: `competition` is the run directory of a competition, not of a grading: name one made by \
             `referee grade`\n",
        ),
        (
            grade("competition"),
            "referee: `competition` is the run directory of a competition, not of a grading: choose another directory \
             with `--out`\n",
        ),
        (
            arena.compete("grading", &["--withdraw", "ada"]),
            "referee: `grading` is the run directory of a grading, not of a competition: choose another directory \
             with `--out`\n",
        ),
    ] {
        refused(&said(command), 2, text);
    }
    assert_eq!(manifests(), before, "nothing has been changed");
}

#[test]
#[ignore = "long: plays competitions"]
fn a_machine_on_which_nothing_works_stops_the_run_and_says_why() {
    let arena = round_robin(5);
    let temporary = arena.path("temporary");
    fs::create_dir(&temporary).unwrap();
    program(&arena.path("sleeper"), SLEEPER);
    let spawn = |more: &[&str]| {
        let mut command = arena.compete("run", &[&["sleeper=sleeper"], more].concat());
        command.env("TMPDIR", &temporary).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let mut running = spawn(&["--events", "events.jsonl"]);
    while below(&running, "sleep").is_empty() {
        sleep(LOOK);
    }
    // From now on no seat can be opened, and most games of the sleeper have not begun.
    fs::rename(&temporary, arena.path("elsewhere")).unwrap();
    wake_to_the_end(&mut running);
    let failed = running.wait_with_output().unwrap();
    let told = String::from_utf8(failed.stderr).unwrap();
    assert_eq!(failed.status.code(), Some(4), "{told}");
    assert!(told.contains("  void, retrying: "), "{told}");
    assert!(
        told.contains("referee: cannot play games on this machine: `") && told.contains("` was void twice ("),
        "{told}"
    );
    assert!(told.contains("temporary"), "{told}");
    let events = fs::read_to_string(arena.path("events.jsonl")).unwrap();
    assert!(events.contains("\"event\":\"voided\""), "{events}");

    // When the machine is mended, the same command plays the rest, under the same names.
    fs::create_dir(&temporary).unwrap();
    let mut mended = spawn(&[]);
    wake_to_the_end(&mut mended);
    assert_eq!((mended.wait().unwrap().code(), arena.games("run").len()), (Some(0), 30));
}
