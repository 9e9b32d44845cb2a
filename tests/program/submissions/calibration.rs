//! The one run of a `calibrate` program.

use std::fs;

use referee::agents::{AgentSpec, Calibration, Contestant};
use referee::seat::{Ended, Job, OutputFile, Task};
use referee::time::{CpuTime, WallTime};

use crate::toolbox::{PYTHON3, has};
use crate::workshop::workshop;

const CALIBRATE: &str =
    "import os, time\nwhile time.process_time() < 1.0: pass\nopen('calibration.txt', 'wb').write(os.urandom(8))\n";
const HOMEWORK: &str =
    "open('output.txt', 'wb').write(open('calibration.txt', 'rb').read())\nopen('calibration.txt', 'w').write('x')\n";

/// It computes for a second and draws a number: all games have the same one, whatever an agent does to it, and none of
/// them has the second on its clock.
#[test]
fn calibrate_runs_once_for_all_games_and_is_charged_to_nobody() {
    if !has(PYTHON3) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("homework.py"), HOMEWORK).unwrap();
    fs::write(folder.path().join("calibrate.py"), CALIBRATE).unwrap();
    let build = tempfile::tempdir().unwrap();
    let workshop = workshop();
    let agent = workshop
        .prepare(&AgentSpec::of_path(folder.path()), build.path())
        .unwrap();
    let mut contestant = Contestant::new(agent);
    assert_eq!(contestant.calibrate(&workshop.seats).unwrap(), Calibration::Done);
    let job = Job {
        task: Task::Move { input: String::new() },
        kill_after: CpuTime::from_millis(990),
        guard: WallTime::from_secs(60),
    };
    let mut answers = Vec::new();
    for _ in 0..2 {
        let mut seat = contestant
            .take_seat(referee::games::checkers::ID, 0, &workshop.seats)
            .unwrap();
        for _ in 0..2 {
            let run = seat.run(&job).unwrap();
            assert_eq!(run.ended, Ended::Exited { status: 0 }, "{}", run.stderr);
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
