//! `play` as a student uses it: is my agent stronger than that one, and than those?
//!
//! All games begin with openings of 124 plies of Duo-Othello, so a game has a dozen turns left. No game of these seeds
//! is level, which the clocks would have to decide.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use referee_games::KnownGames;
use referee_records::{GameRecord, Manifest, RunFolder};
use serde_json::Value;
use tempfile::TempDir;

use crate::invocation::{assert_contains, command, referee, stderr, words};

const MINIMAX: &str = "builtin:minimax,depth=2";
const RANDOM: &str = "builtin:random";
/// Decides within a dozen games. The openings of all games that could be needed are drawn at once, so not of thousands.
const TEST: [&str; 4] = ["--sprt", "elo0=0,elo1=200,alpha=0.1,beta=0.1", "--games", "100"];

/// A match of short games, kept in `out`.
fn short_games<'a>(agents: &[&'a str], more: &[&'a str], out: &'a Path) -> Vec<&'a str> {
    let out = out.to_str().expect("a temporary folder has a plain name");
    let terms = words("--game duo-othello --opening-plies 124 --seed 1 --out {}", &[out]);
    [&["play"], agents, &terms, more].concat()
}

/// What `arguments` print, where they succeed without a complaint.
fn said(arguments: &[&str]) -> String {
    let output = referee(arguments);
    let complaint = stderr(&output);
    let beginnings = ["resuming the run in `", "playing ", "drawing "];
    let is_expected = |line: &str| beginnings.iter().any(|begin| line.starts_with(begin));
    assert!(output.status.success() && complaint.lines().all(is_expected), "{arguments:?}: {complaint}");
    String::from_utf8(output.stdout).expect("it prints text")
}

/// What is said after the games, but for where they are kept and how many were in hand when the answer was known.
fn conclusion(said: &str) -> Vec<&str> {
    let is_of_this_run =
        |line: &&str| line.starts_with("g0") || line.starts_with("records: ") || line.contains("not counted");
    said.lines().filter(|line| !is_of_this_run(line)).collect()
}

fn run(out: &Path) -> (Manifest, Vec<GameRecord>) {
    let folder = RunFolder::open(out, &KnownGames::builtin()).expect("the run has a manifest");
    let manifest = folder.manifest().expect("the manifest can be read");
    let finished = folder.finished(&manifest).into_iter();
    let games = finished.map(|id| folder.game(&id).expect("a finished game has a whole record"));
    let games = games.collect();
    (manifest, games)
}

/// Expects that `verify` finds `games` and nothing else.
fn expect_verified(out: &Path, games: usize) {
    let verified = said(&["verify", out.to_str().expect("a temporary folder has a plain name")]);
    assert!(
        verified.contains(&format!(": {games} of {games} games finished\n")) && verified.ends_with(" 0 different\n"),
        "{verified}"
    );
}

/// Runs `arguments` and kills the run as soon as the game `id` is on disk; says whether it was in time.
fn kill_after(arguments: &[&str], out: &Path, id: &str) -> bool {
    let mut command = command(arguments);
    let running = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut running = running.expect("it starts");
    let record = out.join("games").join(format!("{id}.json"));
    while !record.exists() && running.try_wait().expect("it is ours").is_none() {
        sleep(Duration::from_millis(2));
    }
    running.kill().expect("it can be killed");
    let ended = running.wait().expect("it ends");
    assert!(record.exists(), "{id} was not played");
    !ended.success()
}

#[test]
#[ignore = "long: plays many games"]
fn a_sequential_test_stops_with_the_same_answer_for_any_jobs_and_kills() {
    let folder = TempDir::new().expect("there is room for a run");
    let path = |name: &str| folder.path().join(name);
    let agents = [MINIMAX, RANDOM];
    let one = path("one");
    let alone = said(&short_games(&agents, &TEST, &one));
    let (manifest, games) = run(&one);
    // With one game at a time, nothing is in hand when the answer is known.
    assert_eq!(manifest.games.len(), games.len());
    assert!(games.len() > 4 && games.len() < 100, "{alone}");
    let games = games.len();
    let answer = format!(
        "decided after {games} games: that minimax,depth=2 is 200 Elo stronger than random fits them better than 0 Elo \
             (H1 accepted)"
    );
    let expected = conclusion(&alone);
    assert_eq!(expected.last(), Some(&answer.as_str()));
    assert!(expected.iter().any(|line| line.starts_with("sequential test: decided for `elo1`, ")), "{alone}");

    let two = path("two");
    let by_two = said(&short_games(&agents, &[&TEST[..], &["--jobs", "2"]].concat(), &two));
    assert_eq!(conclusion(&by_two), expected);
    let killed = path("killed");
    let arguments = short_games(&agents, &[&TEST[..], &["--jobs", "2"]].concat(), &killed);
    while !kill_after(&arguments, &killed, "g0003") {
        // It had come to its end before it was killed: all of it again.
        fs::remove_dir_all(&killed).expect("it is ours");
    }
    assert_eq!(conclusion(&said(&arguments)), expected);
    for out in [&one, &two, &killed] {
        let played = run(out).1.len();
        // While the game that decides goes on in one place, the other one plays on.
        assert!((games..2 * games).contains(&played), "{played} games");
        expect_verified(out, played);
    }

    // It is over: the same command plays no more and says the same.
    let again = said(&short_games(&agents, &TEST, &two));
    assert!(!again.lines().any(|line| line.starts_with("g0")), "{again}");
    assert_eq!(conclusion(&again), expected);
    let kept = fs::read(two.join("sprt.json")).expect("the test is kept");
    let kept: Value = serde_json::from_slice(&kept).expect("it is JSON");
    assert_eq!(kept[0]["state"]["decision"], "accept-h1");
    let counted: u64 = kept[0]["pairs"].as_array().expect("five counts").iter().filter_map(Value::as_u64).sum();
    assert_eq!(usize::try_from(2 * counted), Ok(games));
}

#[test]
#[ignore = "long: plays many games"]
fn the_weaker_agent_is_found_to_be_no_stronger() {
    let folder = TempDir::new().expect("there is room for a run");
    let out = folder.path().join("run");
    let said = said(&short_games(&[RANDOM, MINIMAX], &TEST, &out));
    let games = run(&out).1.len();
    let answer = format!(
        "decided after {games} games: that random is 0 Elo stronger than minimax,depth=2 fits them better than 200 Elo \
             (H0 accepted)"
    );
    assert_eq!(conclusion(&said).last(), Some(&answer.as_str()));
}

#[test]
#[ignore = "long: plays many games"]
fn a_test_that_runs_out_of_games_is_undecided_and_goes_on_with_more() {
    let folder = TempDir::new().expect("there is room for a run");
    let out = folder.path().join("run");
    let with =
        |games: &'static str| said(&short_games(&[MINIMAX, RANDOM], &[&TEST[..2], &["--games", games]].concat(), &out));
    let few = with("2");
    assert_eq!(conclusion(&few).last(), Some(&"undecided after 2 games: rerun with more `--games` to continue"));
    let more = with("4");
    assert!(!more.contains("g0002  ") && more.contains("g0003  "), "{more}");
    assert_eq!(run(&out).1.len(), 4);
}

#[test]
#[ignore = "long: plays many games"]
fn one_against_many_plays_every_opponent_and_tells_them_apart() {
    let folder = TempDir::new().expect("there is room for a run");
    let out = folder.path().join("run");
    let agents = [MINIMAX, RANDOM, "builtin:minimax,depth=1", RANDOM];
    let said = said(&short_games(&agents, &["--games", "2", "--jobs", "2"], &out));
    let opponents = ["random-1", "minimax,depth=1", "random-2"];
    let (_, games) = run(&out);
    let games: BTreeMap<String, [String; 2]> =
        games.into_iter().map(|game| (game.id, [game.players.black.name, game.players.white.name])).collect();
    assert_eq!(games.len(), 6);
    for (number, opponent) in (1..).zip(opponents) {
        for game in 1..=2 {
            let players = &games[&format!("o{number:02}-g{game:04}")];
            let both = ["minimax,depth=2", opponent].map(str::to_owned);
            assert!(both.iter().all(|name| players.contains(name)), "{players:?}");
        }
        let difference = format!("minimax,depth=2 against {opponent}: ");
        assert!(said.lines().any(|line| line.starts_with(&difference)), "{said}");
    }
    assert!(said.contains("minimax,depth=2: ") && said.contains(" of 6 points"), "{said}");
    expect_verified(&out, 6);
}

#[test]
fn two_games_share_their_opening_and_a_record_with_another_is_found_out() {
    let folder = TempDir::new().expect("there is room for a run");
    let out = folder.path().join("run");
    said(&short_games(&[RANDOM, RANDOM], &["--games", "4"], &out));
    let (_, games) = run(&out);
    let start = |index: usize| (&games[index].start, games[index].first);
    assert_eq!((start(0), start(2)), (start(1), start(3)));
    assert_ne!(start(0), start(2));
    assert_eq!(games[0].players.black.name, games[1].players.white.name);
    expect_verified(&out, 4);
    // A game that is in order by itself, but was begun from the opening of another.
    let record = |id: &str| out.join(format!("games/{id}.json"));
    let other = fs::read_to_string(record("g0003")).expect("a record is a text");
    fs::write(record("g0001"), other.replace("g0003", "g0001")).expect("a record can be written");
    let verified = referee(&["verify", out.to_str().expect("a temporary folder has a plain name")]);
    assert_eq!(verified.status.code(), Some(1));
    let verified = String::from_utf8_lossy(&verified.stdout);
    assert_contains(&verified, "the record has another start than the run's manifest");
}

#[test]
fn what_cannot_be_played_is_refused_with_the_remedy() {
    let cases: [(&[&str], &str); 6] = [
        (&[MINIMAX], "error: the following required arguments were not provided:\n  <B>...\n"),
        (
            &[MINIMAX, RANDOM, "--sprt", "elo0=10,elo1=0"],
            "error: invalid value 'elo0=10,elo1=0' for '--sprt <TEST>': `elo0` must be less than `elo1`: to test \
             whether an \
             agent \
             is at least 10 Elo stronger, write `elo0=0,elo1=10`\n",
        ),
        (
            &[MINIMAX, RANDOM, "--sprt", "50"],
            "error: invalid value '50' for '--sprt <TEST>': expected `name=number`, found `50`: write for example \
             `elo0=0,elo1=10,alpha=0.05,beta=0.05`\n",
        ),
        (
            &[MINIMAX, RANDOM, "--sprt", "elo0=0,elo1=5", "--games", "7"],
            "referee: `--sprt` counts pairs of games: expected an even number of `--games`, found `7`\n",
        ),
        (
            &[MINIMAX, RANDOM, "--opening-plies", "1000"],
            "drawing 1 opening\nreferee: an opening of 1000 plies is longer than random games of Duo-Othello: use \
             fewer plies\n",
        ),
        (
            &[MINIMAX, RANDOM, "--opening-plies", "few"],
            "error: invalid value 'few' for '--opening-plies <K>': invalid digit found in string\n",
        ),
    ];
    let folder = TempDir::new().expect("there is room for a run");
    let out = folder.path().join("run");
    for (arguments, message) in cases {
        let terms = ["--game", "duo-othello", "--out", out.to_str().expect("a plain name")];
        let output = referee(&[&["play"], arguments, &terms].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.starts_with(message), "{arguments:?}: {said}");
        assert!(!out.exists(), "{arguments:?} left something behind");
    }
}

/// A shell may give its programs another stack than most systems do, and the depth of a recursion would decide a game.
#[test]
fn the_stack_of_an_agent_is_not_that_of_the_shell() {
    let folder = TempDir::new().expect("there is room for a run");
    let [agent, out] = ["agent", "run"].map(|name| folder.path().join(name));
    fs::write(&agent, "#!/bin/sh\nulimit -S -s >&2\nexit 3\n").expect("there is room for it");
    fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let mut shell = Command::new("sh");
    // Where the hard limit is lower, it stays as it is.
    shell.args(["-c", "ulimit -S -s 16384; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_referee"), "play"]);
    let played = shell.arg(&agent).args(["builtin:random", "--game", "checkers", "--out"]).arg(&out).output();
    let played = played.expect("there is a shell");
    assert!(played.status.success(), "{}", stderr(&played));
    let record: Value = serde_json::from_slice(&fs::read(out.join("games/g0001.json")).unwrap()).unwrap();
    let said = record["turns"].as_array().unwrap().iter().find_map(|turn| turn["stderr"].as_str());
    assert_eq!(said, Some("8192\n"), "{record}");
}
