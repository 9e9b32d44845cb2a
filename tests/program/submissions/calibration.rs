//! The one run of a `calibrate` program.

use std::fs;

use referee_seat::{OutputFile, RunRequest, Task, Termination};
use referee_submissions::agents::{AgentSpec, Participant};
use referee_time::{CpuTime, WallTime};

use crate::builder::builder;
use crate::toolbox::{PYTHON3, require};

const CALIBRATE: &str =
    "import os, time\nwhile time.process_time() < 1.0: pass\nopen('calibration.txt', 'wb').write(os.urandom(8))\n";
const HOMEWORK: &str =
    "open('output.txt', 'wb').write(open('calibration.txt', 'rb').read())\nopen('calibration.txt', 'w').write('x')\n";

/// It computes for a second and draws a number: all games have the same one, whatever an agent does to it, and none of
/// them has the second on its clock.
#[test]
#[ignore = "long: builds agents"]
fn calibrate_runs_once_for_all_games_and_is_charged_to_nobody() {
    require!(PYTHON3);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("homework.py"), HOMEWORK).unwrap();
    fs::write(folder.path().join("calibrate.py"), CALIBRATE).unwrap();
    let build = tempfile::tempdir().unwrap();
    let builder = builder();
    let agent = builder.prepare(&AgentSpec::of_path(folder.path()), build.path()).unwrap();
    let mut participant = Participant::new(agent);
    assert_eq!(participant.calibrate(&builder.seats).unwrap(), None);
    let job = RunRequest {
        task: Task::Move { input: String::new() },
        kill_after: CpuTime::from_millis(990),
        wall_limit: WallTime::from_secs(60),
    };
    let mut answers = Vec::new();
    for _ in 0..2 {
        let mut seat = participant.take_seat(referee_games::checkers::ID, 0, &builder.seats).unwrap();
        for _ in 0..2 {
            let run = seat.run(&job).unwrap();
            assert_eq!(run.ended, Termination::Exited { status: 0 }, "{}", run.stderr);
            assert!(run.usage.user + run.usage.system < CpuTime::from_millis(990));
            match run.output {
                OutputFile::Content { bytes } => answers.push(bytes.0),
                other => panic!("{other:?}"),
            }
        }
    }
    assert_eq!(answers[0].len(), 8);
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}

/// RULES.md, section 1: a `calibration.txt` that was handed in counts until `calibrate` has written a new one, even one
/// that then fails.
#[test]
#[ignore = "long: builds agents"]
fn a_calibration_that_was_handed_in_plays_unless_calibrate_writes_a_new_one() {
    require!(PYTHON3);
    let cases = [
        (None, "handed in"),
        (Some("raise SystemExit(1)\n"), "handed in"),
        (Some("open('calibration.txt', 'w').write('new')\nraise SystemExit(1)\n"), "new"),
        (Some("text = open('calibration.txt').read()\nopen('calibration.txt', 'w').write(text + '!')\n"), "handed in!"),
    ];
    for (calibrate, expected) in cases {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("homework.py"), HOMEWORK).unwrap();
        fs::write(folder.path().join("calibration.txt"), "handed in").unwrap();
        if let Some(calibrate) = calibrate {
            fs::write(folder.path().join("calibrate.py"), calibrate).unwrap();
        }
        let build = tempfile::tempdir().unwrap();
        let builder = builder();
        let agent = builder.prepare(&AgentSpec::of_path(folder.path()), build.path()).unwrap();
        let mut participant = Participant::new(agent);
        participant.calibrate(&builder.seats).unwrap();
        let mut seat = participant.take_seat(referee_games::checkers::ID, 0, &builder.seats).unwrap();
        let job = RunRequest {
            task: Task::Move { input: String::new() },
            kill_after: CpuTime::from_secs(60),
            wall_limit: WallTime::from_secs(600),
        };
        for _ in 0..2 {
            let run = seat.run(&job).unwrap();
            let OutputFile::Content { bytes } = run.output else { panic!("{calibrate:?}: {}", run.stderr) };
            assert_eq!(String::from_utf8(bytes.0).unwrap(), expected, "{calibrate:?}");
        }
    }
}
