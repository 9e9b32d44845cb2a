//! The working directory: what is read from it, and what lives on.

use proptest::prelude::*;
use referee_seat::{Bytes, Exceeded, Isolation, Limits, OutputFile, RunRequest, Seat, SeatOptions, Task, Termination};
use referee_time::{CpuTime, WallTime};

use crate::fixture_seat::{
    ANSWER, FixtureSeat, calibrate, content, exited, job, options_at, two_acts, two_acts_program,
};
use crate::levels::levels;

#[test]
fn anything_named_output_txt_is_reported_and_never_followed() {
    let named = |found: &str| OutputFile::NotAFile { found: found.to_owned() };
    let alike = |name: &str| OutputFile::Missing { lookalike: Some(name.to_owned()) };
    let cases: [(&[&str], OutputFile); 9] = [
        (&["nothing"], OutputFile::Missing { lookalike: None }),
        (&["lookalike"], alike("OuTpUt.TxT")),
        (&["lookalike", "OUTPUT.TXT"], alike("OUTPUT.TXT")),
        (&["link", "/etc/passwd"], named("a symbolic link")),
        (&["link", "nowhere"], named("a symbolic link")),
        (&["fifo"], named("a FIFO")),
        (&["directory"], named("a directory")),
        (&["socket"], named("a socket")),
        (&["huge", "65537"], OutputFile::TooLarge { bytes: 65537 }),
    ];
    for (verb, expected) in cases {
        // At any other level there are no sockets.
        let Some(mut fixture_seat) = FixtureSeat::at(Isolation::Bare, verb) else {
            return;
        };
        let run = fixture_seat.run();
        assert_eq!((run.ended, run.output), (exited(0), expected), "{verb:?}");
        fixture_seat.end();
    }
}

#[test]
fn a_device_in_the_place_of_output_is_not_opened() {
    let Some(mut fixture_seat) = FixtureSeat::new(&["device"]) else {
        return;
    };
    let run = fixture_seat.run();
    if run.ended == exited(99) {
        println!("nobody can make a device, not even root");
    } else {
        let found = "a device".to_owned();
        assert_eq!(run.output, OutputFile::NotAFile { found });
    }
    fixture_seat.end();
}

/// It would be read if root ran the referee, so it is read.
#[test]
fn an_answer_that_its_program_has_locked_is_read() {
    for level in levels() {
        let Some(mut fixture_seat) = FixtureSeat::at(*level, &["stand", "output.txt", "locked"]) else {
            return;
        };
        for _ in 0..2 {
            let run = fixture_seat.run();
            assert_eq!((&run.ended, content(&run)), (&exited(0), ANSWER), "{level}");
        }
        fixture_seat.end();
    }
}

#[test]
fn an_answer_of_a_terabyte_is_too_large_a_file() {
    for level in levels() {
        let Some(mut fixture_seat) = FixtureSeat::at(*level, &["huge", "1099511627776"]) else {
            return;
        };
        let limit_bytes = Limits::default().file_bytes;
        let limit = Exceeded::FileSize { limit_bytes };
        assert_eq!(fixture_seat.run().ended, Termination::Exceeded { limit }, "{level}");
        fixture_seat.end();
    }
}

#[test]
fn the_largest_output_comes_back_whole() {
    let Some(mut fixture_seat) = FixtureSeat::new(&["huge", "65536"]) else {
        return;
    };
    let run = fixture_seat.run();
    let mut expected = ANSWER.to_vec();
    expected.resize(65536, 0);
    assert!(content(&run) == expected);
    fixture_seat.end();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn any_bytes_come_back_unchanged(bytes in prop::collection::vec(any::<u8>(), 0..400), text: String) {
        let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let hex = hex.concat();
        let Some(mut fixture_seat) = FixtureSeat::new(&["bytes", &hex]) else { return Ok(()) };
        let run = fixture_seat.run();
        prop_assert_eq!(content(&run), &bytes);
        let Some(mut fixture_seat) = FixtureSeat::new(&["echo"]) else { return Ok(()) };
        let task = Task::Move { input: text.clone() };
        let echo = RunRequest { task, ..job(CpuTime::from_secs(60), WallTime::from_secs(600)) };
        let run = fixture_seat.seat.run(&echo).unwrap();
        prop_assert_eq!(run.output, OutputFile::Content { bytes: Bytes(text.into_bytes()) });
    }
}

#[test]
fn playdata_lives_from_run_to_run_and_nothing_else_does() {
    let Some(mut fixture_seat) = FixtureSeat::new(&["remember"]) else {
        return;
    };
    for expected in ["x", "xx", "xxx"] {
        let run = fixture_seat.run();
        assert_eq!((content(&run), run.removed.len()), (expected.as_bytes(), 0));
    }
    fixture_seat.end();

    let Some(mut fixture_seat) = FixtureSeat::new(&["litter"]) else {
        return;
    };
    for _ in 0..2 {
        let mut run = fixture_seat.run();
        run.removed.sort();
        assert_eq!(run.removed, ["\u{1b}[31mred\u{fffd}", "notes.txt"]);
    }
    // The sweeping is done before the next order is read.
    let outer = std::fs::read_dir(fixture_seat.seat.directory()).unwrap();
    let names: Vec<_> = outer.map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.len() <= 3, "{names:?}");
    fixture_seat.end();
}

/// A whole story for each: what the first run does to the directory must not change what the second run finds.
#[test]
#[ignore = "long: many runs"]
fn no_shambles_outlives_the_run() {
    let verbs: [&[&str]; 15] = [
        &["files", "3000"],
        &["deep", "300"],
        &["close-workdir"],
        &["chmod-workdir"],
        &["remove-workdir"],
        &["remove-everything"],
        &["playdata-link"],
        &["link-input", "/etc/passwd"],
        &["spoil-calibration"],
        &["stand", "playdata.txt", "fifo"],
        &["stand", "playdata.txt", "directory"],
        &["stand", "playdata.txt", "sparse"],
        &["stand", "input.txt", "fifo"],
        &["stand", "input.txt", "directory"],
        &["stand", "calibration.txt", "directory"],
    ];
    for level in levels() {
        for verb in verbs {
            assert_no_shambles(*level, verb);
        }
    }
}

fn assert_no_shambles(level: Isolation, verb: &[&str]) {
    let marker = "look only: ";
    let Some(folder) = two_acts(verb) else { return };
    let calibrated = SeatOptions { calibration: Some(b"1000 nodes\n".to_vec()), ..options_at(level) };
    let mut seat = Seat::open(&two_acts_program(&folder), &calibrated).unwrap();
    let order = |input: &str| RunRequest {
        task: Task::Move { input: input.to_owned() },
        ..job(CpuTime::from_secs(20), WallTime::from_secs(600))
    };
    let first = seat.run(&order("act\n")).unwrap();
    // What the program may not do to the directories around it makes it give up.
    let refused = level > Isolation::Bare && first.ended == exited(99);
    assert!(refused || first.ended == exited(0), "{level}: {verb:?}: {first:?}");
    assert!(first.removed.len() <= 10, "{level}: {verb:?}");
    let second = seat.run(&order(marker)).unwrap();
    assert_eq!(
        String::from_utf8_lossy(content(&second)),
        ". .. calibration.txt input.txt 1000 nodes\nlook only: ",
        "{level}: {verb:?}"
    );
    let directory = seat.directory().to_owned();
    drop(seat);
    assert!(!directory.exists(), "{level}: {verb:?}");
}

#[test]
fn playdata_survives_a_working_directory_that_was_moved_away() {
    let Some(mut fixture_seat) = FixtureSeat::new(&["rename-workdir"]) else {
        return;
    };
    for expected in ["x", "xx"] {
        assert_eq!(content(&fixture_seat.run()), expected.as_bytes());
    }
    fixture_seat.end();
}

#[test]
fn playdata_with_a_second_link_outside_does_not_live_on() {
    let outside = tempfile::tempdir_in("/tmp").unwrap();
    let second = outside.path().join("second");
    let verb = ["link-playdata", "1", second.to_str().unwrap()];
    let Some(mut fixture_seat) = FixtureSeat::at(Isolation::Bare, &verb) else {
        return;
    };
    let mut run = fixture_seat.run();
    run.removed.sort();
    assert_eq!(
        (run.ended, run.removed.as_slice()),
        (exited(0), ["playdata.txt", "second"].map(String::from).as_slice())
    );
    std::fs::remove_file(&second).unwrap();
    // The verb would fail at linking if any of its files were still there.
    assert_eq!(fixture_seat.run().ended, exited(0));
    fixture_seat.end();
}

#[test]
fn what_the_calibration_run_writes_is_its_output() {
    let Some(mut fixture_seat) = FixtureSeat::new(&["calibrate", "2500 nodes\n"]) else {
        return;
    };
    let run = fixture_seat.seat.run(&calibrate()).unwrap();
    assert_eq!((run.ended.clone(), content(&run)), (exited(0), b"2500 nodes\n".as_slice()));
    assert!(run.removed.is_empty());
    fixture_seat.end();

    let Some(mut fixture_seat) = FixtureSeat::new(&["show", "input.txt"]) else {
        return;
    };
    let run = fixture_seat.seat.run(&calibrate()).unwrap();
    assert_eq!(
        (run.output, run.removed.as_slice()),
        (OutputFile::Missing { lookalike: None }, ["output.txt".to_owned()].as_slice())
    );
    fixture_seat.end();
}

#[test]
fn no_flood_blocks_a_program_and_the_end_of_standard_error_is_kept() {
    for verb in ["flood-stdout", "flood-stderr"] {
        let Some(mut fixture_seat) = FixtureSeat::new(&[verb, "3000000"]) else {
            return;
        };
        let run = fixture_seat.run();
        assert_eq!((&run.ended, content(&run)), (&exited(0), ANSWER), "{verb}");
        if verb == "flood-stderr" {
            assert_eq!(run.stderr, format!("{}the end\n", "x".repeat(2048 - 8)));
        }
        fixture_seat.end();
    }
}
