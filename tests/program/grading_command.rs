//! `referee grade` as its user meets it: what is graded, what is refused and with which exit status, what is printed.

mod one_line_each;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use nix::libc::SYS_landlock_create_ruleset;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use referee_games::KnownGames;
use referee_records::{RunFolder, TurnRecord};
use referee_seat::Isolation;
use referee_time::CpuTime;
use serde_json::{Value, json};

use crate::classroom::{Classroom, essence, honest, honest_and};
use crate::invocation::{assert_contains, assert_ends, command, stderr, stdout};
use crate::kernels::{Refusal, below};
use crate::levels::levels;
use crate::toolbox::{PYTHON3, has, require};

/// Three students, two of whom know the rules.
fn small_class() -> Option<Classroom> {
    if !has(PYTHON3) {
        return None;
    }
    let room = Classroom::of_single_moves();
    room.submit("ada", "homework.py", honest());
    room.submit("bob", "homework.py", "open('output.txt', 'w').write('E a1 h8\\n')\n");
    room.submit("cyd", "homework.py", honest());
    Some(room)
}

fn refused(room: &Classroom, more: &[&str], status: i32) -> String {
    let output = room.grade("run", more).output().unwrap();
    assert_eq!(output.status.code(), Some(status), "{more:?}: {}", stderr(&output));
    stderr(&output)
}

/// Name, state and points of each student.
fn points(room: &Classroom) -> Vec<(String, String, String)> {
    let gradebook = room.gradebook("run");
    let students = gradebook["students"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    students
        .map(|student| {
            let state = text(&student["state"]["state"]);
            (text(&student["name"]), state, student["points"].to_string())
        })
        .collect()
}

fn line(name: &str, state: &str, points: &str) -> (String, String, String) {
    (name.to_owned(), state.to_owned(), points.to_owned())
}

/// When each record was written, by its name.
fn written(room: &Classroom, student: &str) -> Vec<(String, std::time::SystemTime)> {
    let entries = fs::read_dir(room.path("run/answers")).unwrap().map(Result::unwrap);
    let mut times: Vec<_> = entries
        .map(|entry| (entry.file_name().into_string().unwrap(), entry.metadata().unwrap().modified().unwrap()))
        .filter(|(name, _)| name.starts_with(&format!("{student}.")))
        .collect();
    times.sort();
    times
}

/// The submission may do anything there, and the machine says what `confined` lacks.
#[test]
#[ignore = "long: grades classes"]
fn grading_and_competing_without_confinement_say_what_is_not_held() {
    let Some(room) = small_class() else { return };
    let without = [Refusal::Unknown(SYS_landlock_create_ruleset)];
    let said = |mut command: Command| stderr(&below(&without, || command.output().unwrap()));
    let warning = "nothing keeps agents from reading other submissions";
    let graded = said(room.grade("run", &[]));
    assert_contains(&graded, warning);
    assert_contains(&graded, "needs what is missing here (Landlock: ");
    assert!(!stderr(&room.graded("elsewhere", &[])).contains(warning) || levels() == [Isolation::Bare], "{graded}");

    let assignment = room.path("assignment.toml");
    let mut text = fs::read_to_string(&assignment).unwrap();
    text.push_str("[competition]\nformat = \"round-robin\"\n");
    fs::write(&assignment, text).unwrap();
    let compete = |out: &str, agents: &[&str]| {
        let mut command = command(&["plan"]);
        command.arg(&assignment).args(agents).arg("--out").arg(room.path(out));
        command
    };
    let ada = room.path("class/ada");
    assert_contains(said(compete("strangers", &[ada.to_str().unwrap(), "builtin:random"])), warning);
    let own = said(compete("own", &["builtin:greedy", "builtin:random"]));
    assert!(!own.contains(warning), "{own}");
}

#[test]
fn a_class_can_be_graded_in_parts() {
    let Some(room) = small_class() else { return };
    let output = room.graded("run", &["--only", "cyd"]);
    assert_eq!(points(&room), [line("cyd", "graded", "2")]);
    assert!(
        stderr(&output).contains(
            "2 submissions, `ada` the first of them, are not in this gradebook: excluded by `--only` or `--without`"
        ),
        "{}",
        stderr(&output)
    );
    let before = written(&room, "cyd");
    room.graded("run", &["--without", "bob"]);
    assert_eq!(points(&room), [line("ada", "graded", "2"), line("cyd", "graded", "2")]);
    let output = room.graded("run", &[]);
    assert_eq!(points(&room)[1], line("bob", "graded", "0"));
    assert!(!stderr(&output).contains("left out"));
    assert_eq!(written(&room, "cyd"), before);
}

#[test]
#[ignore = "long: grades classes"]
fn who_was_graded_before_can_be_left_out_and_come_back() {
    let Some(room) = small_class() else { return };
    room.graded("run", &[]);
    let answer = || fs::read(room.path("run/answers/bob.single-moves.01.json")).unwrap();
    let before = answer();
    let pages = room.path("pages");
    let pages = ["--pages", pages.to_str().unwrap()];
    // Whether or not it is in the class any more.
    fs::rename(room.path("class/bob"), room.path("bob")).unwrap();
    let kept =
        "`bob` is not in this class, but in the gradebook from an earlier grading: `--without STUDENT` takes one out\n";
    assert_contains(stderr(&room.graded("run", &pages)), kept);
    assert_eq!((points(&room).len(), fs::read_dir(pages[1]).unwrap().count()), (3, 3));
    let without = stderr(&room.graded("run", &[&pages[..], &["--without", "bob"]].concat()));
    assert!(!without.contains("earlier grading"), "{without}");
    assert_eq!(points(&room), [line("ada", "graded", "2"), line("cyd", "graded", "2")]);
    assert_eq!(fs::read_dir(pages[1]).unwrap().count(), 2, "a page stays published");
    fs::rename(room.path("bob"), room.path("class/bob")).unwrap();
    room.graded("run", &[]);
    assert!(answer() == before, "it was asked again");
}

#[test]
#[ignore = "long: grades classes"]
fn a_changed_submission_is_regraded_only_on_request() {
    let Some(room) = small_class() else { return };
    room.graded("run", &[]);
    let others = written(&room, "ada");
    room.submit("bob", "homework.py", honest());
    assert_eq!(
        refused(&room, &[], 2),
        "building 3 submissions\nreferee: changed since grading: bob; remove the old results and grade again with \
         `--regrade bob`, or keep both with another `--out`\n"
    );
    assert_eq!(points(&room)[1], line("bob", "graded", "0"));
    // Who is regraded is graded, whoever else is named.
    room.graded("run", &["--only", "ada", "--regrade", "bob"]);
    assert_eq!(points(&room)[1], line("bob", "graded", "2"));
    assert_eq!(written(&room, "ada"), others);

    // From graded to rejected and back: only the first takes points away, and has to be ordered.
    room.submit("bob", "homework.cpp", "int main() {}");
    assert!(refused(&room, &[], 2).contains("`--regrade bob`"));
    room.graded("run", &["--regrade", "bob"]);
    assert_eq!(points(&room)[1], line("bob", "rejected", "0"));
    assert_eq!(written(&room, "bob"), []);
    fs::remove_file(room.path("class/bob/homework.cpp")).unwrap();
    let output = room.graded("run", &[]);
    assert_eq!(
        stderr(&output),
        format!(
            "building 3 submissions\n`bob` was rejected before and is accepted now\n\
             resuming the run in `{}`: 4 of 6 answers finished\n",
            room.path("run").display()
        )
    );
    assert_eq!(points(&room)[1], line("bob", "graded", "2"));
}

#[test]
#[ignore = "long: grades classes"]
fn what_is_odd_about_a_calibration_is_remembered() {
    let Some(room) = small_class() else { return };
    room.submit("ada", "calibrate.py", "raise SystemExit(7)");
    let remarks = |room: &Classroom| room.gradebook("run")["students"][0]["remarks"].clone();
    room.graded("run", &[]);
    let expected = serde_json::json!(["calibrate exited with status 7 and wrote no `calibration.txt`"]);
    assert_eq!(remarks(&room), expected);
    room.graded("run", &[]);
    assert_eq!(remarks(&room), expected);
}

#[test]
#[ignore = "long: grades classes"]
fn close_calls_are_rechecked_without_a_change_of_points() {
    require!(PYTHON3);
    let room = Classroom::of_single_moves();
    let text = fs::read_to_string(room.path("assignment.toml")).unwrap();
    let text = text.replace("time = 2\npoints_each", "time = 0.5\npoints_each");
    let text = text.replace("[clock]", "[clock]\ngrace = 60");
    // What it does in system time takes as long as it takes on a busy machine.
    room.write("assignment.toml", text.replace("wall_limit_extra = 600", "wall_limit_extra = 3600"));
    // Too late by both kinds of time together, in time by user time alone.
    let in_system = "import os\nwhile sum(os.times()[:2]) < 0.55:\n    os.listdir('/')";
    room.submit("ada", "homework.py", honest_and(in_system));
    let output = room.graded("run", &["--recheck", "1"]);
    let gradebook = room.gradebook("run");
    let review = gradebook["review"].as_array().unwrap();
    assert_eq!(review.len(), 2, "{}", stdout(&output));
    for call in review {
        assert_eq!((&call["again"], &call["earned"]), (&json!([1, 0]), &json!(false)), "{call}");
    }
    assert_eq!(points(&room), [line("ada", "graded", "0")]);
    assert_contains(stdout(&output), "2 close calls to review:");
    assert!(stdout(&output).contains("replayed 1 time"), "{}", stdout(&output));
    // Once more makes two of each, and the first ones stay.
    let before = written(&room, "ada");
    room.graded("run", &["--recheck", "2"]);
    let after = written(&room, "ada");
    assert_eq!(after.len(), before.len() + 2);
    assert!(before.iter().all(|record| after.contains(record)));
    let verified = command(&[]).arg("verify").arg(room.path("run")).output().unwrap();
    assert!(verified.status.success(), "{}", stdout(&verified));
}

#[test]
fn an_assignment_with_faults_starts_nothing() {
    let Some(room) = small_class() else { return };
    room.write("assignment.toml", "game = \"chequers\"\n[[grade]]\nkind = \"single-moves\"\npositions = \"nowhere\"\n");
    let told = refused(&room, &[], 3);
    for fault in ["title", "chequers", "nowhere", "time", "points_each"] {
        assert!(told.contains(fault), "{fault}: {told}");
    }
    assert!(!room.path("run").exists());
    room.write("assignment.toml", "title = \"x\"\ngame = \"checkers\"\n[competition]\nformat = \"round-robin\"\n");
    assert!(refused(&room, &[], 3).contains("it has no `[[grade]]`: there is nothing to grade"));
    assert!(!room.path("run").exists());
}

#[test]
fn unknown_names_and_contradictory_options_are_refused() {
    let Some(room) = small_class() else { return };
    for (more, message) in [
        (&["--only", "eve"][..], "no student `eve` in this class: use a name that `--dry-run` lists"),
        (&["--only", "ada", "--without", "ada"], "`ada` is both included and excluded: remove one of the options"),
        (&["--without", "ada", "--without", "bob", "--without", "cyd"], "every student is excluded: nothing to grade"),
        (
            &["--export", "excel"],
            "unknown export `excel`: choose one of `csv`, `json`, `summary`, `feedback`, `gradescope`, `vocareum`, \
             `canvas`, `brightspace`, `moodle`, `blackboard`, `junit`",
        ),
    ] {
        let told = refused(&room, more, 2);
        assert!(told.starts_with(&format!("referee: {message}")), "{told}");
    }
    assert!(!room.path("run").exists());
    let output = room.grade("class/run", &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_contains(stderr(&output), "among the submissions: choose another directory with `--out`");
}

#[test]
fn a_tool_that_is_missing_is_nobodys_zero() {
    let Some(room) = small_class() else { return };
    let graded = |more: &[&str]| -> Output { room.grade("run", more).env("PATH", "/nonexistent").output().unwrap() };
    let output = graded(&[]);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert_contains(stderr(&output), "nothing was graded, because this machine cannot build 3 submissions:\n  ada: ");
    assert_ends(stderr(&output), "install the missing tools, or exclude the students with `--without STUDENT`\n");
    assert!(!room.path("run/manifest.json").exists());
}

#[test]
fn a_compiler_that_builds_nothing_is_nobodys_zero() {
    let Some(room) = small_class() else { return };
    room.submit("dan", "homework.cpp", "int main() { return 0 }\n");
    let tools = room.path("tools");
    fs::create_dir(&tools).unwrap();
    let compiler = tools.join("g++");
    fs::write(&compiler, "#!/bin/sh\necho 'fatal error: bits/c++config.h: No such file' >&2\nexit 1\n").unwrap();
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).unwrap();
    let output = room.grade("run", &["--only", "dan"]).env("PATH", &tools).output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert_contains(stderr(&output), "g++` fails on this machine even for an empty program: fatal error: bits/c++con");
    assert!(!room.path("run/manifest.json").exists());
}

#[test]
fn a_run_directory_is_graded_into_by_one_process_at_a_time() {
    let Some(room) = small_class() else { return };
    room.submit("ada", "homework.py", "import time\ntime.sleep(600)\n");
    let mut first = room.grade("run", &[]);
    let mut first = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !room.path("run/manifest.json").exists() {
        assert!(first.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(10));
    }
    let told = refused(&room, &[], 2);
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(told.contains("a grading is in progress in `"), "{told}");
}

#[test]
fn an_interruption_says_how_to_resume() {
    let Some(room) = small_class() else { return };
    room.submit("bob", "homework.py", "import time\ntime.sleep(600)\n");
    let mut grading = room.grade("run", &[]);
    let grading = grading.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while room.records("run") < 2 {
        std::thread::sleep(Duration::from_millis(10));
    }
    kill(Pid::from_raw(grading.id().try_into().unwrap()), Signal::SIGINT).unwrap();
    let output = grading.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let run = room.path("run").display().to_string();
    assert_eq!(
        stderr(&output),
        format!(
            "building 3 submissions\n\
             grading 3 students by 6 answers with 2 jobs; results go to `{run}`\n\
             referee: interrupted; finished games are kept in `{run}`: rerun the same command to resume, or see the \
             points so far with `referee gradebook {run}`\n"
        )
    );
    assert_eq!(points(&room)[1], line("bob", "unfinished", "0"));
}

#[test]
fn what_nohup_ignores_does_not_end_it() {
    let Some(room) = small_class() else { return };
    room.submit("bob", "homework.py", "import time\ntime.sleep(600)\n");
    let grade = room.grade("run", &[]);
    let mut nohup = Command::new("/bin/sh");
    nohup.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]).arg(grade.get_program()).args(grade.get_args());
    nohup.envs(grade.get_envs().filter_map(|(name, value)| Some((name, value?))));
    nohup.current_dir(grade.get_current_dir().unwrap_or_else(|| Path::new(".")));
    let grading = nohup.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while room.records("run") < 2 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let pid = Pid::from_raw(grading.id().try_into().unwrap());
    // proc(5): bit 0 is the signal of number 1.
    let state = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let ignored = state.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    assert_eq!(u64::from_str_radix(ignored.trim(), 16).unwrap() & 1, 1, "{ignored}");
    for signal in [Signal::SIGHUP, Signal::SIGTERM] {
        kill(pid, signal).unwrap();
    }
    assert_contains(stderr(&grading.wait_with_output().unwrap()), "referee: terminated; finished games are kept");
}

#[test]
#[ignore = "long: grades classes"]
fn compiler_messages_are_kept_and_answers_are_explained() {
    let Some(room) = small_class() else { return };
    room.submit("dan", "homework.py", "def main(:\n");
    room.graded("run", &[]);
    let said = fs::read_to_string(room.path("run/compiler/dan.txt")).unwrap();
    assert!(said.contains("SyntaxError"), "{said}");
    let explained = |id: &str, more: &[&str]| -> String {
        let record = room.path(&format!("run/answers/{id}.json"));
        let output = command(&[]).arg("explain").arg(record).args(more).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let lost = explained("bob.single-moves.01", &[]);
    assert!(lost.contains("bob (black) loses: illegal move"), "{lost}");
    assert!(lost.contains("  1 | E a1 h8\n"), "{lost}");
    let won = explained("ada.single-moves.01", &[]);
    assert!(won.starts_with("ada.single-moves.01  ada  legal: E "), "{won}");
    let json: Value = serde_json::from_str(&explained("bob.single-moves.01", &["--json"])).unwrap();
    assert_eq!(json["verdict"]["fault"]["kind"], "illegal-move");
    let page = fs::read_to_string(room.path("run/feedback/bob.txt")).unwrap();
    assert_contains(&page, "`answers/bob.single-moves.01.json`");
}

#[test]
#[ignore = "long: grades classes"]
fn a_student_may_be_called_like_a_reference_but_not_too_late() {
    require!(PYTHON3);
    let room = Classroom::new();
    room.submit("ada", "homework.py", honest());
    room.graded("run", &[]);
    room.submit("random", "homework.py", honest());
    let told = refused(&room, &[], 2);
    assert_contains(&told, "its reference agent `random` has the same name as a new submission; rename the submission");
    // Ordering it anew must not touch the games that others have played against the reference.
    refused(&room, &["--regrade", "random"], 2);
    assert_eq!(points(&room), [line("ada", "graded", "7")]);
    room.graded("fresh", &[]);
    let fresh = room.gradebook("fresh");
    assert_eq!(fresh["students"][1]["name"], "random");
    assert_eq!(fresh["students"][1]["criteria"][1][0]["opponent"], "random+");
}

#[test]
#[ignore = "long: grades classes"]
fn a_reference_that_has_changed_ends_the_grading() {
    require!(PYTHON3);
    let room = Classroom::new();
    room.submit("ada", "homework.py", honest());
    room.graded("run", &[]);
    let loser = room.path("loser");
    let text = fs::read_to_string(&loser).unwrap();
    fs::write(&loser, text + "# changed\n").unwrap();
    let told = refused(&room, &[], 2);
    assert_contains(&told, "the files of its reference agent `loser` have changed");
}

/// The gradebook of one honest student whose game against the first reference, `reference`, is drawn by its turn limit.
fn drawn_game(reference: &str) -> Option<(Classroom, Value)> {
    if !has(PYTHON3) {
        return None;
    }
    let room = Classroom::changed("opponent = \"builtin:random\"", reference);
    room.submit("ada", "homework.py", honest());
    room.graded("run", &[]);
    let gradebook = room.gradebook("run");
    assert_eq!(gradebook["students"][0]["criteria"][1][0]["verdict"]["result"], "drawn", "{gradebook:#}");
    Some((room, gradebook))
}

#[test]
#[ignore = "long: grades classes"]
fn a_drawn_game_is_worth_what_the_assignment_says_and_shown_apart() {
    let cases = [
        // The two moves, the game that the other reference gives up, and ...
        (
            "",
            "by-time",
            "7",
            "0",
            "1 game was drawn on the board. A draw is won by the side with more remaining time: 0 won, 1 lost.",
        ),
        (
            "drawn = \"half\"",
            "half",
            "8.25",
            "0",
            "1 game was drawn on the board. A draw counts half, regardless of the remaining times.",
        ),
        (
            "drawn = \"won\"",
            "won",
            "9.5",
            "1",
            "1 game was drawn on the board. A draw counts as won, regardless of the remaining times.",
        ),
    ];
    for (line, worth, points, won, sentence) in cases {
        let Some((room, gradebook)) = drawn_game(&format!("opponent = \"builtin:random\"\n{line}")) else {
            return;
        };
        assert_eq!(gradebook["students"][0]["points"].to_string(), points, "{worth}");
        assert_eq!(gradebook["students"][0]["criteria"][1][0]["drawn"], worth);
        assert_eq!(gradebook["criteria"][1]["drawn"], worth);
        assert!(gradebook["criteria"][0]["drawn"].is_null());
        let csv = fs::read_to_string(room.path("run/gradebook.csv")).unwrap();
        let mut rows = csv.lines().map(|row| row.split(',').map(str::to_owned).collect::<Vec<_>>());
        let (head, row) = (rows.next().unwrap(), rows.next().unwrap());
        let cell = |name: &str| row[head.iter().position(|column| column == name).unwrap()].clone();
        assert_eq!([cell("drawn"), cell("drawn_won")], ["1", won], "{csv}");
        let feedback = fs::read_to_string(room.path("run/feedback/ada.txt")).unwrap();
        assert!(feedback.replace('\n', " ").contains(sentence), "{feedback}");
    }
}

/// Draws count half a win here, so that three of them are half of the wins that there could be.
#[test]
#[ignore = "long: grades classes"]
fn points_go_by_the_win_rate_where_the_assignment_says_so() {
    require!(PYTHON3);
    let room = Classroom::changed(
        "games = 1\npoints_each = 2.5",
        "games = 3\nfirst_move = \"lot\"\ndrawn = \"half\"\n\
         points_by_win_rate = [{ from = 90, points = 5 }, { from = 30, points_times_rate = 5 }, \
         { from = 0, points = 1 }]",
    );
    room.submit("ada", "homework.py", honest());
    room.submit("abe", "homework.pyx", "nothing that runs\n");
    room.graded("run", &[]);
    let before = room.gradebook("run");
    let [abe, ada] = [0, 1].map(|index| &before["students"][index]);
    assert_eq!(before["meters"].as_array().unwrap().len(), 1, "of all games");
    // The two moves, half of five points, and the game that the other reference gives up.
    assert_eq!((&ada["points"], &ada["of"]), (&json!(9.5), &json!(12)), "{before:#}");
    assert_eq!(abe["points"], 0, "{abe:#}");
    assert!(ada["criteria"][2][0]["explanation"].is_null(), "a win explains nothing");
    let items = ada["criteria"][1].as_array().unwrap();
    let [games @ .., rate] = items.as_slice() else { panic!("{ada:#}") };
    assert!(games.iter().all(|game| game["of"] == 0 && game["drawn"] == "half"), "{ada:#}");
    let told = json!({
        "id": "ada.random.win-rate",
        "title": "win rate: 5 points from 90 %, 5 points x win rate from 30 %, 1 point from 0 %",
        "of": 5, "points": 2.5, "item": "win-rate", "half_wins": 3, "games": 3, "missing": 0,
        "band": { "from": 30, "points_times_rate": 5 },
    });
    assert_eq!(*rate, told);
    let run = RunFolder::open(&room.path("run"), &KnownGames::builtin()).unwrap();
    for game in games {
        let record = run.game(game["id"].as_str().unwrap()).unwrap();
        let own = record.turns.iter().filter(|turn| json!(turn.side()) == game["side"]);
        assert_eq!(game["charged_cpu_us"], json!(own.map(TurnRecord::charged).sum::<CpuTime>()));
        assert_eq!((&game["turns"], &game["last_turns"][0]["turn"]), (&json!(6), &json!(1)));
        assert_eq!(game["close_calls"], json!(record.close_calls));
    }
    let begun = games.iter().filter(|game| game["side"] == game["first"]).count();
    let titled = games.iter().filter(|game| game["title"].as_str().unwrap().contains("first to move"));
    assert!([1, 2].contains(&begun) && titled.count() == begun, "{ada:#}");

    let read = |path: &str| fs::read_to_string(room.path(path)).unwrap();
    let csv = read("run/gradebook.csv");
    assert!(csv.contains("ada,9.5,2,2.5,5,"), "{csv}");
    let feedback = read("run/feedback/ada.txt");
    for told in ["2.5 of 5 points", "half a win", "1.5 of 3 games won, 50 %", "0 of 3"] {
        assert!(feedback.contains(told), "{told}: {feedback}");
    }
    let out = room.path("gradescope");
    let exported = command(&[])
        .arg("gradebook")
        .arg(room.path("run"))
        .args(["--export", "gradescope"])
        .arg("--export-to")
        .arg(&out)
        .output();
    let exported = exported.unwrap();
    assert!(exported.status.success(), "{}", stderr(&exported));
    let result: Value = serde_json::from_str(&fs::read_to_string(out.join("gradescope/ada.json")).unwrap()).unwrap();
    let tests = result["tests"].as_array().unwrap();
    let sum: f64 = tests.iter().map(|test| test["score"].as_f64().unwrap()).sum();
    assert!((sum - 9.5).abs() < 1e-9, "{result:#}");
    let verified = command(&["verify"]).arg(room.path("run")).output().unwrap();
    assert!(verified.status.success(), "{}", stderr(&verified));
    // An unfinished run tells so, and ends as it would have.
    let lost = room.path("run/games/ada.random.02.json");
    fs::remove_file(&lost).unwrap();
    let unfinished = room.gradebook("run");
    let rate = &unfinished["students"][1]["criteria"][1][3];
    assert_eq!((&rate["half_wins"], &rate["missing"], &rate["points"]), (&json!(2), &json!(1), &json!(1.67)));
    room.graded("run", &[]);
    assert_eq!(essence(&room.gradebook("run")), essence(&before));
}

#[test]
#[ignore = "long: grades classes"]
fn a_reference_that_states_its_pace_does_not_win_every_draw_and_its_games_verify() {
    let reference = "opponent = \"builtin:minimax,depth=1,pace=3\"\nplay_time = 100";
    let Some((room, gradebook)) = drawn_game(reference) else {
        return;
    };
    // Three moves of three seconds each: who is honest needs less for his.
    assert_eq!(gradebook["students"][0]["points"].to_string(), "9.5", "{gradebook:#}");
    let verified = command(&[]).arg("verify").arg(room.path("run")).output().unwrap();
    assert!(verified.status.success(), "{}{}", stdout(&verified), stderr(&verified));
    // The pace is a part of the record, and whoever changes it is found out.
    let record = room.path("run/games/ada.random.01.json");
    let text = fs::read_to_string(&record).unwrap();
    let pace = "\"pace_cpu_us\":3000000";
    assert!(text.contains(pace), "{text}");
    fs::write(&record, text.replace(pace, "\"pace_cpu_us\":2000000")).unwrap();
    let verified = command(&[]).arg("verify").arg(room.path("run")).output().unwrap();
    assert_eq!(verified.status.code(), Some(1), "{}", stderr(&verified));
}

#[test]
#[ignore = "long: grades classes"]
fn what_the_course_provides_is_beside_every_submission() {
    require!(PYTHON3);
    let room = Classroom::changed(
        "minimum_isolation = \"bare\"",
        "minimum_isolation = \"bare\"\nsubmission = { provide = \"kit\" }",
    );
    room.write("kit/kit.py", "KNOWN = True\n");
    room.submit("ada", "homework.py", format!("import kit\nassert kit.KNOWN\n{}", honest()));
    room.graded("run", &[]);
    assert_eq!(points(&room), [line("ada", "graded", "7")]);
}
