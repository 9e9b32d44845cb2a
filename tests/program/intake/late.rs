//! Deadlines, extensions, groups, and what lateness costs; by the times that platforms, rosters and files give.

use std::fs::File;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::packing::{ZipEntry, zip, zip_of};
use crate::classroom::{Classroom, honest};
use crate::invocation::{assert_contains, assert_starts, stderr};

const LATE: &str =
    "\n[late]\ndeadline = 2026-11-20T23:59:00-08:00\ngrace_minutes = 15\npenalty_percent = 10\nmax_days = 3\n";

fn with_deadline() -> Classroom {
    let room = Classroom::of_single_moves();
    set_rules(&room, LATE);
    room
}

/// The assignment with other rules for late submissions.
fn set_rules(room: &Classroom, rules: &str) {
    let text = std::fs::read_to_string(room.path("assignment.toml")).unwrap();
    let text = text.split("\n[late]").next().unwrap().to_owned();
    room.write("assignment.toml", text + rules);
}

/// Name, points, verdict, points before, and free days used of each student.
fn lines(gradebook: &Value) -> Vec<String> {
    let students = gradebook["students"].as_array().unwrap().iter();
    students
        .map(|student| {
            let late = &student["late"];
            let late = if late.is_null() {
                String::new()
            } else {
                format!(" {} {} {}", late["verdict"].as_str().unwrap(), late["earned"], late["free_days_used"])
            };
            format!("{}: {}{late}", student["name"].as_str().unwrap(), student["points"])
        })
        .collect()
}

/// A class of Gradescope: Gina in time, Roe a day and a half late, a group four days late, Noah unknown.
fn gradescope() -> Vec<u8> {
    let metadata = "submission_1:\n  :submitters:\n  - :name: Gina Good\n    :sid: '1'\n    :email: \
        gina@example.edu\n  \
        :created_at: 2026-11-21 08:14:00.000000000 Z\n\
        submission_2:\n  :submitters:\n  - :name: =Roe\n    :sid: '2'\n  :created_at: 2026-11-22 20:00:00 Z\n\
        submission_3:\n  :submitters:\n  - :name: Ada\n    :sid: '3'\n  - :name: Bob\n    :sid: '4'\n  \
        :created_at: 2026-11-24 23:00:00 Z\n\
        submission_4:\n  :submitters:\n  - :name: Noah\n    :sid: '5'\n";
    let honest = honest();
    let file = honest.as_bytes();
    zip(&[
        ("export/submission_metadata.yml", metadata.as_bytes()),
        ("export/submission_1/homework.py", file),
        ("export/submission_2/homework.py", file),
        ("export/submission_3/homework.py", file),
        ("export/submission_4/homework.py", file),
    ])
}

const ROSTER: &str = "sid,name,email,section,group,extension,late days,submitted\n\
    1,Gina Good,gina@example.edu,A,,,,\n2,=Roe,roe@example.edu,B,,,1,\n3,Ada,ada@example.edu,B,team,,,\n\
    4,Bob,bob@example.edu,A,team,5 days,,\n5,Noah,noah@example.edu,A,,,,2026-11-21T12:00:00Z\n\
    6,Cyd,cyd@example.edu,A,team,4d,,\n7,Left Out,left@example.edu,A,,,,\n";

#[test]
#[ignore = "long: grades downloads"]
fn a_class_is_graded_by_its_deadline_with_extensions_and_groups() {
    let room = with_deadline();
    let download = room.write("download.zip", gradescope());
    let roster = room.write("roster.csv", ROSTER);
    let grade = || {
        let mut command = crate::invocation::command(&["grade"]);
        command.arg(room.path("assignment.toml")).arg("--class").arg(&download);
        command.arg("--roster").arg(&roster).arg("--out").arg(room.path("run"));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        output
    };
    let told = stderr(&grade());
    for line in [
        "due 2026-11-20 23:59 UTC-08:00; each started day late costs 10 % of the maximum points, after a grace of 15 \
            min",
        "submission times: 1 from the roster, 5 from the platform\n",
        "`Cyd` gets the points of group `team` (submission `Ada + Bob`)",
    ] {
        assert!(told.contains(line), "{line:?} is not in:\n{told}");
    }
    let gradebook = room.gradebook("run");
    let rows = lines(&gradebook);
    assert_eq!(
        rows,
        [
            "=Roe: 1.8 late 2 1",
            "Ada: 0 too-late 2 0",
            "Bob: 2 in-time 2 0",
            "Cyd: 2 in-time 2 0",
            "Gina Good: 2 in-time 2 0",
            "Left Out: 0",
            "Noah: 1.8 late 2 0",
        ]
    );
    let table = std::fs::read_to_string(room.path("run/gradebook.csv")).unwrap();
    let rows: Vec<&str> = table.lines().collect();
    assert_starts(
        rows[0],
        "student,id,email,section,group,total,before_penalty,penalty,late_seconds,free_days_used,late,",
    );
    assert!(rows.iter().any(|row| row.starts_with("Cyd,6,cyd@example.edu,A,team,2,2,0,0,0,in-time,")), "{table}");
    // `=Roe`, whose name must not be a formula, has used a free day.
    assert!(rows.iter().any(|row| row.contains("=Roe,2,") && row.contains(",1,late,")), "{table}");
    let feedback = std::fs::read_to_string(room.path("run/feedback/Noah.txt")).unwrap();
    let feedback = feedback.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        feedback.contains(
            "Handed in 2026-11-21 04:00 UTC-08:00 (from the roster), due 2026-11-20 23:59 UTC-08:00: 1 day late, 0.2 \
             points taken off the 2 earned: 2 points before, 1.8 after."
        ),
        "{feedback}"
    );
    page_has_a_line_for_each_student(&room);
    pages_are_written(&room);
    // The rules may change later: nothing is played again, and the points follow.
    set_rules(&room, &LATE.replace("penalty_percent = 10", "penalty_percent = 50\nper = \"day\""));
    let again = stderr(&grade());
    assert!(again.contains("resuming the run in"), "{again}");
    assert!(lines(&room.gradebook("run")).contains(&"Noah: 1 late 2 0".to_owned()));
}

/// A page for each student under a name that cannot be guessed, and a list for a mail merge beside the run.
/// Each member of a group with the points after an own penalty.
fn page_has_a_line_for_each_student(room: &Classroom) {
    let students = |more: &[&str]| {
        let run = room.path("run");
        let output = crate::invocation::referee(&[&["report", run.to_str().unwrap(), "--json"], more].concat());
        let view: Value = serde_json::from_slice(&output.stdout).unwrap();
        view["grades"]["students"].as_array().unwrap().clone()
    };
    let group = |told: &[Value], name: &str| {
        let lines = told.iter().map(|student| ["name", "points", "remark"].map(|key| student[key].as_str().unwrap()));
        let lines = lines.filter(|[it, ..]| it.contains(name)).map(|line| line.join(" | "));
        lines.collect::<Vec<_>>()
    };
    let told = students(&[]);
    assert_eq!(told.len(), 7);
    let all = ["Ada", "Bob", "Cyd"].map(|name| group(&told, name)).concat();
    let expected = [
        "Ada | 0 | too late: -2 points of 2 earned; group: Ada + Bob",
        "Bob | 2 | group: Ada + Bob",
        "Cyd | 2 | group: Ada + Bob",
    ];
    assert_eq!(all, expected);
    let hidden = group(&students(&["--anonymous"]), ", member ");
    let hidden: Vec<&str> = hidden.iter().map(|line| line.split_once(", ").unwrap().1).collect();
    let expected = ["member 1 | 0 | too late: -2 points of 2 earned", "member 2 | 2 | ", "member 3 | 2 | "];
    assert_eq!(hidden, expected, "without a name");
}

fn pages_are_written(room: &Classroom) {
    let pages = room.path("pages");
    let write = |folder: &std::path::Path| {
        let mut command = crate::invocation::command(&["gradebook"]);
        command.arg(room.path("run")).arg("--pages").arg(folder).output().unwrap()
    };
    let output = write(&pages);
    assert!(output.status.success(), "{}", stderr(&output));
    let index = std::fs::read_to_string(room.path("run/pages.csv")).unwrap();
    let mut table = csv::Reader::from_reader(index.as_bytes());
    assert_eq!(table.headers().unwrap(), vec!["name", "id", "email", "file", "points", "of"]);
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    let names: Vec<&str> = rows.iter().map(|row| &row[0]).collect();
    assert_eq!(names, ["'=Roe", "Ada", "Bob", "Cyd", "Gina Good", "Left Out", "Noah"]);
    assert_eq!(&rows[6][2], "noah@example.edu");
    assert_eq!(std::fs::read_dir(&pages).unwrap().count(), rows.len(), "nothing else is in the folder");
    for row in &rows {
        let token = row[3].strip_suffix(".html").unwrap();
        assert_eq!(token.len(), 32, "{token}");
        let page = std::fs::read_to_string(pages.join(&row[3])).unwrap();
        let (name, points) = (row[0].trim_start_matches('\''), &row[4]);
        assert_contains(&page, &format!("<h1>Homework of the tests: {name}</h1>"));
        assert!(page.contains(&format!("<p>{points} of 2 points</p>")), "{page}");
        let others = names.iter().filter(|other| **other != &row[0] && !row[0].contains(**other));
        for other in others {
            assert!(!page.contains(*other), "{other} is on the page of {name}");
        }
    }
    write(&pages);
    assert_eq!(std::fs::read_to_string(room.path("run/pages.csv")).unwrap(), index, "names stay");
    let refused = write(&room.path(""));
    assert_eq!(refused.status.code(), Some(2));
    assert_contains(stderr(&refused), "would publish the run directory inside it");
}

#[test]
fn times_come_from_files_where_no_platform_gives_them() {
    let room = with_deadline();
    let deadline = SystemTime::UNIX_EPOCH + Duration::from_mins(29_920_799);
    for (student, hours) in [("ada", -1_i64), ("bob", 25)] {
        room.submit(student, "homework.py", honest());
        let file = File::options().append(true).open(room.path(&format!("class/{student}/homework.py"))).unwrap();
        let distance = Duration::from_secs(hours.unsigned_abs() * 3600);
        let time = if hours < 0 { deadline - distance } else { deadline + distance };
        file.set_modified(time).unwrap();
    }
    let output = room.graded("run", &[]);
    let told = stderr(&output);
    assert!(told.contains("submission times: 2 from file times"), "{told}");
    assert_eq!(lines(&room.gradebook("run")), ["ada: 2 in-time 2 0", "bob: 1.6 late 2 0"]);
}

/// A class that was copied after the deadline, or without times.
#[test]
#[ignore = "long: grades downloads"]
fn times_that_copying_has_made_are_asked_for() {
    let room = with_deadline();
    let deadline = SystemTime::UNIX_EPOCH + Duration::from_mins(29_920_799);
    let set = |time: [SystemTime; 2]| {
        for (student, time) in ["ada", "bob"].into_iter().zip(time) {
            room.submit(student, "homework.py", honest());
            let file = File::options().append(true).open(room.path(&format!("class/{student}/homework.py"))).unwrap();
            file.set_modified(time).unwrap();
        }
    };
    let late = |days: u64| deadline + Duration::from_hours(24 * days);
    let before = deadline - Duration::from_hours(1);
    for (times, doubt) in [
        ([late(5), late(6)], "2 submissions were handed in, and all of them are after the deadline, 2026-11-20 23:59"),
        ([before; 2], "2 submissions were handed in, and all of them are at the same moment, 2026-11-20 22:59"),
    ] {
        set(times);
        let refused = room.grade("run", &[]).output().unwrap();
        assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
        assert_contains(stderr(&refused), doubt);
        assert!(!room.path("run").exists(), "nothing is begun");
        let listed = room.grade("run", &["--dry-run"]).output().unwrap();
        assert!(listed.status.success() && stderr(&listed).contains(doubt), "{}", stderr(&listed));
    }
    set([late(5), late(1)]);
    let told = stderr(&room.graded("believed", &["--received-at", "files"]));
    assert_contains(told, "submission times: 2 from file times");
    assert_eq!(lines(&room.gradebook("believed")), ["ada: 0 too-late 2 0", "bob: 1.8 late 2 0"]);
    let roster = room.write("roster.csv", "name,submitted\nada,2026-11-20T12:00:00-08:00\nbob,\n");
    let more = ["--received-at", "2026-11-21T12:00:00-08:00", "--roster", roster.to_str().unwrap()];
    let told = stderr(&room.graded("stated", &more));
    assert_contains(told, "submission times: 1 from the roster, 1 stated by the grader");
    assert_eq!(lines(&room.gradebook("stated")), ["ada: 2 in-time 2 0", "bob: 1.8 late 2 0"]);
    let refused = room.grade("run", &["--received-at", "yesterday"]).output().unwrap();
    assert_contains(stderr(&refused), "expected `files`, or a time with its offset from UTC");
}

/// One download of each layout: where each file is, and the day of January 2025 and the hour when it was changed.
type TimedFiles<'a> = &'a [(&'a str, (u16, u16))];

/// With the verdict on its submissions, whose times, where they can be told at all, are after the deadline.
const TIMED_DOWNLOADS: [(&str, &str, TimedFiles<'_>); 8] = [
    (
        "Canvas",
        "unknown",
        &[
            ("goodgina_LATE_12_34_homework.py", (6, 1)),
            ("goodgina_LATE_12_35_notes.txt", (6, 1)),
            ("roe_LATE_56_78_homework.py", (6, 1)),
        ],
    ),
    (
        "Gradescope",
        "unknown",
        &[
            ("export/submission_1/homework.py", (6, 1)),
            ("export/submission_1/data/notes.txt", (6, 1)),
            ("export/submission_2/homework.py", (6, 1)),
            ("export/submission_metadata.yml", (6, 1)),
        ],
    ),
    (
        "Blackboard",
        "late",
        &[
            ("Hw_gina_attempt_2025-01-03-01-00-00_homework.py", (9, 1)),
            ("Hw_gina_attempt_2025-01-02-01-00-00_homework.py", (8, 1)),
        ],
    ),
    (
        "Brightspace",
        "late",
        &[
            ("1-9 - Gina Good - Jan 3, 2025 100 AM/homework.py", (9, 1)),
            ("1-9 - Gina Good - Jan 2, 2025 100 AM/homework.py", (8, 1)),
        ],
    ),
    (
        "Moodle",
        "unknown",
        &[
            ("Gina_12_assignsubmission_file/homework.py", (6, 1)),
            ("Roe_13_assignsubmission_file_homework.py", (6, 1)),
            ("Roe_13_assignsubmission_file_notes.txt", (6, 1)),
        ],
    ),
    (
        "Vocareum",
        "late",
        &[
            ("gina@x.edu/submission_1/homework.py", (2, 1)),
            ("gina@x.edu/submission_2/homework.py", (3, 1)),
            ("gina@x.edu/work/homework.py", (5, 1)),
            ("Ann Roe_roe@x.edu/homework.py", (2, 3)),
        ],
    ),
    (
        "GitHub Classroom",
        "unknown",
        &[
            ("hw/grades.csv", (6, 1)),
            ("hw/hw-gina/homework.py", (6, 1)),
            ("hw/hw-gina/a/b/notes.txt", (6, 1)),
            ("hw/hw-roe/homework.py", (6, 1)),
        ],
    ),
    ("no platform", "late", &[("gina/homework.py", (3, 1)), ("roe.py", (2, 3))]),
];

/// Four days after the deadline, when a class is downloaded, nobody's submission may have become late.
#[test]
#[ignore = "long: grades downloads"]
fn a_download_has_the_same_times_zipped_and_unpacked() {
    let midnight = SystemTime::UNIX_EPOCH + Duration::from_hours(482_136);
    for (layout, verdict, files) in TIMED_DOWNLOADS {
        let room = Classroom::of_single_moves();
        set_rules(&room, "\n[late]\ndeadline = 2025-01-02T00:00:00Z\npenalty_percent = 10\n");
        let entry = |(place, changed): &(&str, (u16, u16))| {
            let text = match place.rsplit('/').next().unwrap() {
                "grades.csv" => "github_username,student_repository_name\ngina,hw-gina\n".to_owned(),
                "submission_metadata.yml" => "submission_1:\n  :submitters:\n  - :name: Gina\n".to_owned(),
                _ => honest(),
            };
            let path = room.write(&format!("unpacked/{place}"), &text);
            let hours = u64::from(changed.0 - 1) * 24 + u64::from(changed.1);
            let file = File::options().append(true).open(path).unwrap();
            file.set_modified(midnight + Duration::from_hours(hours)).unwrap();
            ZipEntry { changed: *changed, ..ZipEntry::new(*place, text) }
        };
        let entries: Vec<ZipEntry> = files.iter().map(entry).collect();
        room.write("class.zip", zip_of(&entries));
        let graded = |class: &str, run: &str| {
            let told = stderr(&grade_class(&room, class, run, &["--received-at", "files"]));
            assert_eq!(told.contains(&format!("a download of {layout}")), layout != "no platform", "{told}");
            let says_what_to_do = told.contains("give times in the column `submitted` of the roster");
            assert_eq!(says_what_to_do, verdict == "unknown", "{told}");
            lines(&room.gradebook(run))
        };
        let unpacked = graded("unpacked", "run-unpacked");
        assert_eq!(graded("class.zip", "run-zipped"), unpacked, "{layout}");
        let verdict = format!(" {verdict} ");
        assert!(unpacked.iter().all(|line| line.contains(&verdict)), "{layout}: {unpacked:?}");
    }
}

/// Grades `class`, a folder or an archive in `room`.
fn grade_class(room: &Classroom, class: &str, run: &str, more: &[&str]) -> std::process::Output {
    let mut command = crate::invocation::command(&["grade"]);
    command.arg(room.path("assignment.toml"));
    command.arg("--class").arg(room.path(class));
    command.arg("--out").arg(room.path(run)).args(more);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    output
}

/// Where the class of `files` is downloaded, as all are, after the deadline.
fn downloaded(files: &[&str]) -> Classroom {
    let room = Classroom::of_single_moves();
    set_rules(&room, &LATE.replace("2026-11-20", "2025-01-20"));
    let entry = |name: &&str| ZipEntry { changed: (25, 12), ..ZipEntry::new(*name, honest()) };
    let entries: Vec<ZipEntry> = files.iter().map(entry).collect();
    room.write("download.zip", zip_of(&entries));
    room
}

#[test]
#[ignore = "long: grades downloads"]
fn a_platform_that_gives_local_times_or_only_a_word_is_believed() {
    for (files, expected, note) in [
        (
            &["1-9 - Gina Good - Jan 20, 2025 1159 PM/homework.py", "2-9 - Ann Roe - Jan 21, 2025 1205 PM/homework.py"]
                [..],
            &["Ann Roe: 1.8 late 2 0", "Gina Good: 2 in-time 2 0"][..],
            "2 from the platform\ntimes that the platform gives without a time zone are read in the \
             deadline's time zone",
        ),
        (
            &["goodgina_12_34_homework.py", "roeann_LATE_56_78_homework.py"],
            &["goodgina: 2 in-time 2 0", "roeann: 2 unknown 2 0"],
            "1 in time by the platform, 1 unknown\nlate submissions of unknown time have no penalty",
        ),
    ] {
        let room = downloaded(files);
        let told = stderr(&grade_class(&room, "download.zip", "run", &[]));
        assert!(told.contains(note), "{told}");
        assert_eq!(lines(&room.gradebook("run")), expected);
    }
}

/// As its code writes it: `userdate` in the time zone of the teacher, and `-` for none.
const WORKSHEET: &str = "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum grade\",\"Grade can be \
    changed\",\"Last modified (submission)\",\"Last modified (grade)\",\"Feedback comments\"\n\
    \"Participant 12\",\"Gina Good\",g@x.edu,\"Submitted for grading - \",,2.00,Yes,\"Monday, 20 January 2025, 11:59 \
    PM\",-,\n\
    \"Participant 13\",\"Ann Roe\",a@x.edu,\"Submitted for grading - \",,2.00,Yes,\"Wednesday, 22 January 2025, 9:05 \
    AM\",-,\n\
    \"Participant 14\",\"Left Out\",l@x.edu,\"No submission - \",,2.00,Yes,-,-,\n";

#[test]
#[ignore = "long: grades downloads"]
fn moodle_tells_the_times_in_its_grading_worksheet() {
    let names = ["Gina Good_12_assignsubmission_file", "Ann Roe_13_assignsubmission_file"];
    let files = names.map(|name| format!("{name}/homework.py"));
    let room = downloaded(&[&files[0], &files[1]]);
    grade_class(&room, "download.zip", "run", &[]);
    let unknown = ["Ann Roe: 2 unknown 2 0", "Gina Good: 2 unknown 2 0"];
    assert_eq!(lines(&room.gradebook("run")), unknown);
    let roster = room.write("worksheet.csv", WORKSHEET);
    let told = grade_class(&room, "download.zip", "run", &["--roster", roster.to_str().unwrap()]);
    assert_contains(stderr(&told), "submission times: 2 from the roster\n");
    let known = ["Ann Roe: 1.6 late 2 0", "Gina Good: 2 in-time 2 0", "Left Out: 0"];
    assert_eq!(lines(&room.gradebook("run")), known);
}

#[test]
fn a_time_without_a_zone_is_refused_with_its_line() {
    let room = with_deadline();
    room.submit("ada", "homework.py", honest());
    let refused = |roster: &str| {
        let roster = room.write("roster.csv", roster);
        let output = room.grade("run", &["--roster", roster.to_str().unwrap()]).output().unwrap();
        assert_eq!(output.status.code(), Some(3));
        stderr(&output)
    };
    for (cells, text) in [
        ("2026-11-21 10:00,,,", "line 2: `deadline`: expected a date and time with its offset from UTC, such as"),
        (",,,yesterday", "line 2: `submitted`: expected a date and time with its offset from UTC, such as"),
        (",soon,,", "line 2: `extension`: expected a time such as `2 days`, `36 hours` or `90 min`, found `soon`"),
        (",,-1,", "line 2: `late days`: expected a whole number of days, found `-1`"),
        ("2026-11-21T10:00:00Z,1,,", "line 2: `deadline` and `extension`: keep one of them"),
    ] {
        let told = refused(&format!("name,deadline,extension,late days,submitted\nada,{cells}\n"));
        assert!(told.contains(text), "{told}");
    }
    set_rules(&room, "\n[late]\ndeadline = 2026-11-20T23:59:00\npenalty_percent = 10\n");
    let told = refused("name\nada\n");
    assert_contains(&told, "`deadline`: expected a date and time with its offset from UTC");
}

/// A file of the IANA database with a rule alone: eight hours behind UTC, and seven from the second Sunday in March to
/// the first in November (RFC 9636).
fn pacific_time() -> Vec<u8> {
    let counts = [0_u32, 0, 0, 0, 1, 4].map(u32::to_be_bytes).concat();
    let (offset, designation) = ((-8 * 3600_i32).to_be_bytes(), *b"\0\0PST\0");
    let block = [b"TZif2".as_slice(), &[0; 15], &counts, &offset, &designation].concat();
    [block.as_slice(), &block, b"\nPST8PDT,M3.2.0,M11.1.0\n"].concat()
}

/// The night of the deadline has one hour more.
#[test]
#[ignore = "long: grades downloads"]
fn a_deadline_in_a_time_zone_is_right_on_both_sides_of_a_change_of_clocks() {
    let room = Classroom::of_single_moves();
    room.write("zones/America/Los_Angeles", pacific_time());
    let honest = honest();
    let file = honest.as_bytes();
    let names = ["Oct 31, 2026 1159 PM", "Nov 1, 2026 1059 PM", "Nov 1, 2026 1159 PM"];
    let places: Vec<String> =
        (1..).zip(names).map(|(id, time)| format!("{id}-9 - Student {id} - {time}/homework.py")).collect();
    let entries: Vec<(&str, &[u8])> = places.iter().map(|place| (place.as_str(), file)).collect();
    let download = room.write("download.zip", zip(&entries));
    let grade = |rules: &str, zones: &str| {
        set_rules(&room, &format!("\n[late]\n{rules}\npenalty_percent = 10\n"));
        let mut command = crate::invocation::command(&["grade"]);
        command.arg(room.path("assignment.toml")).arg("--class").arg(&download);
        command.arg("--out").arg(room.path("run")).env("TZDIR", room.path(zones));
        let output = command.output().unwrap();
        (output.status.code(), stderr(&output))
    };
    let zone = "zone = \"America/Los_Angeles\"";
    let (status, told) = grade(&format!("deadline = 2026-10-31T23:59:00\n{zone}"), "zones");
    assert_eq!(status, Some(0), "{told}");
    assert!(told.contains("due 2026-10-31 23:59 UTC-07:00"), "{told}");
    let expected = ["Student 1: 2 in-time 2 0", "Student 2: 1.8 late 2 0", "Student 3: 1.6 late 2 0"];
    assert_eq!(lines(&room.gradebook("run")), expected);
    let feedback = std::fs::read_to_string(room.path("run/feedback/Student 3.txt")).unwrap();
    assert!(feedback.contains("2026-11-01 23:59 UTC-08:00"), "{feedback}");
    let remedy = "write `deadline` with its offset from UTC, such as `2026-11-20T23:59:00-08:00`, and no `zone`";
    for (time, zone, zones, text) in [
        ("2026-11-01T01:30:00", zone, "zones", "clocks change then, so that this time comes twice"),
        ("2027-03-14T02:30:00", zone, "zones", "clocks change then, so that this time does not come"),
        ("2026-11-01T23:59:00", "zone = \"PST\"", "zones", "`PST` is no time zone of the IANA database"),
        ("2026-11-01T23:59:00", zone, "none", "install the package `tzdata`"),
    ] {
        let (status, told) = grade(&format!("deadline = {time}\n{zone}"), zones);
        assert_eq!(status, Some(3), "{told}");
        assert!(told.contains(text) && told.contains(remedy), "{told}");
    }
    for (time, text) in [
        ("2026-11-01T23:59:00-08:00", "it has an offset from UTC, and there is a `zone`"),
        ("2026-11-01", "expected a date and time"),
    ] {
        let (status, told) = grade(&format!("deadline = {time}\n{zone}"), "zones");
        assert_eq!(status, Some(3), "{told}");
        assert!(told.contains(text), "{told}");
    }
}
