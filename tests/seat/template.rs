//! The files of a submission in the working directory: there at every run, as they were handed in.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use nix::sys::statfs::{TMPFS_MAGIC, statfs};
use referee_seat::{
    Bytes, Exceeded, Isolation, Limits, OutputFile, Persistence, Program, Run, RunRequest, Seat, SeatOptions, Task,
    Termination,
};
use referee_time::{CpuTime, WallTime};

use crate::fixture_seat::{calibrate, content, job, options_at};
use crate::levels::levels;
use crate::skips::{FILE_TIMES, skip};

/// What a submission is made of here. Its program is a shell script; what that does is told by its `input.txt`.
const FILES: [(&str, &str); 4] = [
    ("agent.sh", ". ./input.txt\n"),
    ("data.txt", "data\n"),
    ("sub/inner.txt", "inner\n"),
    ("sub/deeper/leaf.txt", "leaf\n"),
];

/// Everything that can be seen of it, apart from what belongs to the run.
const LOOK: &str = "find . ! -name input.txt ! -name output.txt -printf '%p %y %m %l\\n' | sort > output.txt
cat data.txt sub/inner.txt sub/deeper/leaf.txt >> output.txt\n";

fn submission(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

fn program(template: &Path) -> Program {
    Program {
        command: vec!["/bin/sh".into(), "agent.sh".into()],
        template: Some(template.to_owned()),
        ..Program::default()
    }
}

fn script(text: &str) -> RunRequest {
    RunRequest { task: Task::Move { input: text.to_owned() }, ..job(CpuTime::from_secs(60), WallTime::from_secs(600)) }
}

fn run(seat: &mut Seat, text: &str) -> Run {
    seat.run(&script(text)).unwrap()
}

fn look(seat: &mut Seat) -> String {
    let run = run(seat, LOOK);
    assert_eq!(run.stderr, "");
    String::from_utf8(content(&run).to_vec()).unwrap()
}

/// Everything in a folder with what can be seen of it.
fn state(folder: &Path) -> BTreeMap<PathBuf, (u32, i64, i64, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(path) = waiting.pop() {
        let about = path.symlink_metadata().unwrap();
        if about.is_dir() {
            waiting.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        let bytes = fs::read(&path).unwrap_or_default();
        found.insert(path, (about.mode(), about.mtime(), about.ctime(), bytes));
    }
    found
}

#[test]
fn the_files_are_restored_before_every_run() {
    let crimes = [
        ":",
        "echo more >> data.txt; echo less > sub/inner.txt",
        ": > data.txt; rm sub/inner.txt",
        "rm -r sub data.txt",
        "rm -r sub; ln -s /etc sub; ln -sf /etc/passwd data.txt",
        "mv data.txt sub/data.txt; mv sub/inner.txt data.txt",
        "cp -r sub copy; rm -r sub; mv copy sub",
        "rm data.txt; mkdir data.txt; mkfifo sub/fifo",
        "ln data.txt second; ln sub/inner.txt inner",
        "touch sub/stray sub/deeper/stray; rm sub/stray sub/deeper/stray; touch notes.txt",
        "chmod 000 data.txt sub/deeper sub .",
        "touch -d 1999-01-01 data.txt sub",
        "rm agent.sh; echo 'echo mine > output.txt' > agent.sh",
        "rm -rf ./*",
    ];
    for level in levels() {
        let folder = submission(&FILES);
        let before = state(folder.path());
        let mut seat = Seat::open(&program(folder.path()), &options_at(*level)).unwrap();
        let mut opponent = Seat::open(&program(folder.path()), &options_at(*level)).unwrap();
        let expected = look(&mut seat);
        assert!(expected.contains("./sub/deeper/leaf.txt f 755"), "{level}: {expected}");
        assert!(expected.ends_with("data\ninner\nleaf\n"), "{level}: {expected}");
        for crime in crimes {
            run(&mut seat, &format!("{crime}\n"));
            assert_eq!(look(&mut opponent), expected, "{level}: {crime}");
            assert_eq!(look(&mut seat), expected, "{level}: {crime}");
        }
        assert_eq!(state(folder.path()), before, "{level}");
    }
}

#[test]
fn what_is_changed_within_a_run_is_changed() {
    for level in levels() {
        let folder = submission(&FILES);
        let mut seat = Seat::open(&program(folder.path()), &options_at(*level)).unwrap();
        let found = run(
            &mut seat,
            "echo more >> data.txt; rm -r sub; mkdir sub; echo new > sub/new; cat data.txt sub/* > output.txt\n",
        );
        assert_eq!(content(&found), b"data\nmore\nnew\n", "{level}: {}", found.stderr);
    }
}

#[test]
fn files_with_the_names_of_the_referees_own_do_no_harm() {
    let reserved = ["input.txt", "output.txt", "playdata.txt", "calibration.txt"];
    let as_files = reserved.map(|name| (name, "handed in\n"));
    let inner = reserved.map(|name| format!("{name}/file"));
    let as_folders = inner.each_ref().map(|name| (name.as_str(), "handed in\n"));
    for level in levels() {
        for files in [as_files, as_folders] {
            let folder = submission(&[FILES.as_slice(), &files].concat());
            let mut seat = Seat::open(&program(folder.path()), &options_at(*level)).unwrap();
            let said = run(&mut seat, "ls >&2\n");
            assert_eq!(said.stderr, "agent.sh\ncalibration.txt\ndata.txt\ninput.txt\nsub\n", "{level}");
            assert_eq!(said.output, OutputFile::Missing { lookalike: None }, "{level}");
            assert_eq!(said.removed, [""; 0], "{level}");
            run(&mut seat, "echo kept > playdata.txt\n");
            let answered = run(&mut seat, "cat playdata.txt > output.txt\n");
            assert_eq!(content(&answered), b"kept\n", "{level}");
            let calibrated = seat.run(&calibrate()).unwrap();
            assert_eq!(calibrated.output, OutputFile::Missing { lookalike: None }, "{level}");
        }
    }
}

/// RULES.md, section 1: a `calibration.txt` of the submission is there like its other files, until `calibrate` writes a
/// new one.
#[test]
fn a_calibration_that_was_handed_in_is_there_until_a_new_one_is_written() {
    const LOOK_AND_SPOIL: &str = "cat calibration.txt > output.txt; rm calibration.txt; mkdir calibration.txt\n";
    let handed_in = [FILES.as_slice(), &[("calibration.txt", "handed in\n")]].concat();
    for level in levels() {
        let folder = submission(&handed_in);
        for persistence in [Persistence::Playdata, Persistence::Everything] {
            let found = |calibration: Option<&[u8]>, turns: usize| {
                let calibration = calibration.map(<[u8]>::to_vec);
                let options = SeatOptions { calibration, persistence, ..options_at(*level) };
                let mut seat = Seat::open(&program(folder.path()), &options).unwrap();
                let texts = (0..turns).map(|_| content(&run(&mut seat, LOOK_AND_SPOIL)).to_vec());
                texts.collect::<Vec<_>>()
            };
            // Where everything lives on, so does what became of it.
            let turns = if persistence == Persistence::Everything { 1 } else { 2 };
            assert_eq!(found(None, turns), vec![b"handed in\n".to_vec(); turns], "{level}");
            assert_eq!(found(Some(b"new\n"), 2), vec![b"new\n".to_vec(); 2], "{level}");
        }
    }
}

#[test]
fn calibrate_writes_a_new_calibration_or_leaves_the_one_that_was_handed_in() {
    let new = |text: &str| OutputFile::Content { bytes: Bytes(text.as_bytes().to_vec()) };
    let none = || OutputFile::Missing { lookalike: None };
    let cases = [
        ("exit 3", none()),
        ("cat calibration.txt > /dev/null", none()),
        ("rm calibration.txt", none()),
        ("cat calibration.txt > copy; cat copy >> calibration.txt", new("handed in\nhanded in\n")),
        ("echo new > calibration.txt; exit 3", new("new\n")),
        (": > calibration.txt; exit 3", new("")),
        (
            "rm calibration.txt; ln -s data.txt calibration.txt",
            OutputFile::NotAFile { found: "a symbolic link".into() },
        ),
        ("echo new > Calibration.txt", OutputFile::Missing { lookalike: Some("Calibration.txt".into()) }),
    ];
    for level in levels() {
        for (script, expected) in &cases {
            let folder = submission(&[("agent.sh", script), ("calibration.txt", "handed in\n")]);
            let mut seat = Seat::open(&program(folder.path()), &options_at(*level)).unwrap();
            assert_eq!(seat.run(&calibrate()).unwrap().output, *expected, "{level}: {script}");
        }
    }
}

#[test]
fn what_was_handed_in_counts_for_no_limit_and_what_is_added_does() {
    const MIB: usize = 1 << 20;
    let large = "x".repeat(MIB);
    let names: Vec<String> = (0..40).map(|index| format!("file-{index}")).collect();
    let mut files = FILES.to_vec();
    files.extend(["one", "two", "three"].map(|name| (name, large.as_str())));
    files.extend(names.iter().map(|name| (name.as_str(), "")));
    let limits = Limits { directory_bytes: 2 * MIB as u64, directory_files: 20, ..Limits::default() };
    for level in levels() {
        let folder = submission(&files);
        let options = SeatOptions { limits, ..options_at(*level) };
        let mut seat = Seat::open(&program(folder.path()), &options).unwrap();
        for (crime, expected) in [
            ("echo yes > output.txt", "nothing"),
            ("cat one two three > more; sleep 60", "bytes"),
            ("mkdir n; cd n; for i in 0 1 2 3 4 5 6 7 8 9; do touch a$i b$i c$i; done; sleep 60", "files"),
            ("echo yes > output.txt", "nothing"),
        ] {
            let found = match run(&mut seat, crime).ended {
                Termination::Exited { status: 0 } => "nothing",
                Termination::Exceeded { limit: Exceeded::DirectorySize { .. } } => "bytes",
                Termination::Exceeded { limit: Exceeded::DirectoryFiles { .. } } => "files",
                other => panic!("{level}: {crime}: {other:?}"),
            };
            assert_eq!(found, expected, "{level}: {crime}");
        }
    }
}

/// On disk a large data file must not be copied at every move: it is the same file as before, and another one once it
/// has been written to.
#[test]
fn only_what_was_touched_is_copied_again() {
    for level in levels().iter().filter(|level| **level < Isolation::Sealed) {
        let folder = submission(&FILES);
        if statfs(folder.path()).unwrap().filesystem_type() == TMPFS_MAGIC {
            skip(&FILE_TIMES, "temporary files are in memory, where everything is copied");
            return;
        }
        let mut seat = Seat::open(&program(folder.path()), &options_at(*level)).unwrap();
        if made(&mut seat).iter().any(|made| made.ends_with('-')) {
            skip(&FILE_TIMES, "the file system does not tell when a file was made");
            return;
        }
        // What was copied within one tick of the file system's clock of the run is not trusted, and copied again.
        let kept = (0..1000).any(|_| made(&mut seat) == made(&mut seat));
        assert!(kept, "{level}: everything is copied at every run");
        let touched = (0..1000).any(|_| {
            let before = made(&mut seat);
            run(&mut seat, "cat data.txt sub/* > notes; echo more >> sub/inner.txt\n");
            let after = made(&mut seat);
            assert_ne!(before[1], after[1], "{level}: a file that was written to stayed");
            (&before[0], &before[2]) == (&after[0], &after[2])
        });
        assert!(touched, "{level}: what was not touched is copied, too");
    }
}

/// Which files they are: the inode and the time when it was made.
fn made(seat: &mut Seat) -> Vec<String> {
    let found = run(seat, "stat -c '%i %w' data.txt sub/inner.txt sub/deeper/leaf.txt > output.txt\n");
    let text = String::from_utf8(content(&found).to_vec()).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_program_finds_the_name_that_it_is_given() {
    let folder = submission(&FILES);
    for level in levels() {
        let named = Program {
            command: vec!["/bin/sh".into(), "-c".into(), "cat /proc/$$/cmdline > output.txt; :".into()],
            arg0: Some("./homework".into()),
            template: Some(folder.path().to_owned()),
            ..Program::default()
        };
        let mut seat = Seat::open(&named, &options_at(*level)).unwrap();
        let found = run(&mut seat, "");
        assert!(content(&found).starts_with(b"./homework\0-c\0"), "{level}: {found:?}");
    }
}

#[test]
fn where_everything_lives_on_a_game_begins_with_what_was_handed_in() {
    for level in levels() {
        let folder = submission(&FILES);
        let options = SeatOptions {
            persistence: Persistence::Everything,
            calibration: Some(b"1000 nodes\n".to_vec()),
            ..options_at(*level)
        };
        let mut seat = Seat::open(&program(folder.path()), &options).unwrap();
        let written = run(
            &mut seat,
            "echo more >> data.txt; echo 1 > sub/count; echo 0 > calibration.txt; rm sub/inner.txt; mkdir output.txt\n",
        );
        assert_eq!(written.removed, [""; 0]);
        let found = run(
            &mut seat,
            "{ cat data.txt sub/count calibration.txt; ls sub; ls -d output.txt; } > answer; mv answer output.txt\n",
        );
        assert_eq!(content(&found), b"data\nmore\n1\n1000 nodes\ncount\ndeeper\n", "{level}");
        let mut next = Seat::open(&program(folder.path()), &options).unwrap();
        let found = run(&mut next, "cat data.txt > output.txt; ls sub >> output.txt\n");
        assert_eq!(content(&found), b"data\ndeeper\ninner.txt\n", "{level}");
    }
}

/// What programs do to a directory in which everything lives on, and nobody's game may be void for.
const CRIMES: [&str; 12] = [
    "ln -s /etc/passwd anything.bin; ln -s . loop; ln data.txt twice; mkfifo fifo",
    "rm input.txt; mkdir -p input.txt/a/b; mkdir output.txt; ln -s data.txt output.txt/x",
    "rm input.txt; mkfifo input.txt output.txt",
    "ln -sf /etc/passwd input.txt; ln -s sub output.txt; ln -s data.txt calibration.txt",
    "i=0; while [ $i -lt 3000 ]; do : > file$i; i=$((i + 1)); done",
    "i=0; while [ $i -lt 300 ]; do mkdir d; cd d; i=$((i + 1)); done",
    "dd if=/dev/null of=sparse bs=1 seek=60000000 2> /dev/null",
    "dd if=/dev/zero of=full bs=4096 count=255 2> /dev/null",
    "cat /dev/zero > full",
    "chmod 0 . sub",
    "mv ../work ../elsewhere && mkdir ../work && echo foreign > ../work/data.txt",
    "rm -rf ../work; cd /",
];

#[test]
#[ignore = "long: waits for survivors"]
fn survivors_cost_only_their_own_program() {
    for level in levels() {
        let folder = submission(&FILES);
        let before = state(folder.path());
        let options = SeatOptions {
            persistence: Persistence::Everything,
            limits: Limits { directory_bytes: 1 << 20, ..Limits::default() },
            ..options_at(*level)
        };
        for crime in CRIMES {
            let mut seat = Seat::open(&program(folder.path()), &options).unwrap();
            run(&mut seat, &format!("{crime}\n"));
            // A void would be an error here; a run that ends for passing a limit is the program's own loss.
            for turn in 0..2 {
                let again = run(&mut seat, "cat data.txt > output.txt\n");
                let is_lost =
                    matches!(again.ended, Termination::Exceeded { .. } | Termination::Exited { status: 1..=127 });
                assert!(is_lost || content(&again) == b"data\n", "{level} {crime} {turn}: {again:?}");
            }
            let mut next = Seat::open(&program(folder.path()), &options).unwrap();
            let found = run(&mut next, "{ cat data.txt; ls -A; } > answer; mv answer output.txt\n");
            let names = "agent.sh\nanswer\ndata.txt\ninput.txt\nsub\n";
            assert_eq!(content(&found), format!("data\n{names}").as_bytes(), "{level} {crime}");
        }
        assert_eq!(state(folder.path()), before, "{level}");
    }
}
