//! A class with every crime, graded by the program itself: killed and resumed, verified, counted again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;
use std::time::Duration;

use referee_matches::tournament::derive_seed;
use serde_json::Value;

use crate::classroom::{Classroom, essence, honest, honest_and};
use crate::invocation::{command, stderr, stdout};
use crate::toolbox::{CPP, JAVA, PYTHON3, has, require};

/// Names that look like options, paths, formulas, references and other students.
const HONEST: [&str; 12] = [
    "ada",
    "O'Brien, Cyd (12)",
    "Zoë",
    "学生",
    "-rf",
    "two  words",
    "=1+1",
    "minimax",
    "random",
    "loser",
    "ADA",
    "x.y.again1",
];

/// What an honest agent may do around a good answer without losing anything by it.
const ODD_BUT_FINE: [(&str, &str); 8] = [
    ("odd-crash", "raise SystemExit('after a good answer')"),
    ("odd-status", "import os\nos._exit(3)"),
    ("odd-signal", "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)"),
    ("odd-stdout", "print('\\x1b[2J\\x1b]0;owned\\x07' * 1000)"),
    (
        "odd-lines",
        "s = open('output.txt').read()\nopen('output.txt', 'w').write('\\r\\n' + s.replace('\\n', ' \\r\\n'))",
    ),
    ("odd-case", "s = open('output.txt').read()\nopen('output.txt', 'w').write(s.lower())"),
    ("odd-daemon", "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(600)"),
    ("odd-files", "for n in range(50):\n    open('junk%d' % n, 'w').write('x' * 1000)"),
];

/// What a program may do instead of answering.
const CRIMES: [(&str, &str); 16] = [
    ("bad-crash", "raise ValueError('no')"),
    ("bad-daemon", "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(600)"),
    ("bad-directory", "import os\nos.mkdir('output.txt')"),
    ("bad-empty", "open('output.txt', 'w').close()"),
    ("bad-fifo", "import os\nos.mkfifo('output.txt')"),
    ("bad-flood", "with open('output.txt', 'w') as f:\n    f.write('E a1 b2\\n' * 100000)"),
    (
        // No more than 64 of them, of 32 that may be.
        "bad-fork",
        "import os, signal\nfor _ in range(6):\n    os.fork()\nwhile True:\n    signal.pause()",
    ),
    ("bad-format", "open('output.txt', 'w').write('I resign\\n')"),
    ("bad-illegal", "open('output.txt', 'w').write('E a1 h8\\n')"),
    ("bad-link", "import os\nos.symlink('/etc/passwd', 'output.txt')"),
    ("bad-memory", "x = bytearray(1 << 31)\nfor i in range(0, 1 << 31, 4096):\n    x[i] = 1"),
    ("bad-name", "open('OuTpUt.TxT', 'w').write('E a1 b2\\n')"),
    ("bad-nothing", "pass"),
    ("bad-spin", "while True:\n    pass"),
    ("bad-stderr", "import sys\nsys.stderr.write('\\x1b[2J' * 1000000)"),
    ("bad-utf8", "open('output.txt', 'wb').write(b'E \\xff\\xfe b2\\n')"),
];

/// Submissions that cannot take part, by the code of their fault.
const REJECTED: [(&str, &str); 17] = [
    ("no-broken-python", "build-error"),
    ("no-copy", "wrong-name"),
    ("no-empty-folder", "empty-folder"),
    ("no-fifo", "not-a-file"),
    ("no-huge", "submission-too-large"),
    ("no-hw2", "no-program"),
    ("no-link", "link"),
    ("no-linked-folder", "link"),
    ("no-nested-twice", "no-program"),
    ("no-not-utf-8", "not-utf-8"),
    ("no-text", "not-a-source"),
    ("no-twice", "same-student"),
    ("no-twice-2", "same-student"),
    ("no-two-folders", "several-folders"),
    ("no-two-programs", "several-programs"),
    ("no-txt", "wrong-name"),
    ("no-upper-case", "wrong-letter-case"),
];

fn honest_ones(room: &Classroom) {
    for name in HONEST {
        room.submit(name, "homework.py", honest_and(&format!("# {name}")));
    }
    room.write("class/alone.py", honest());
    room.submit("odd\u{1b}escape", "homework.py", honest());
    room.submit("nested", "nested_1234/homework.py", honest());
    room.submit("nested", "__MACOSX/._homework.py", "junk");
    room.submit("calibrated", "homework.py", honest());
    room.submit("calibrated", "calibrate.py", "open('calibration.txt', 'w').write('9000')");
    room.submit("miscalibrated", "homework.py", honest());
    room.submit("miscalibrated", "calibrate.py", "raise SystemExit(7)");
    room.submit("modules", "homework.py", "import game\ngame.main()\n");
    room.submit("modules", "game.py", honest().replace("if __name__ == \"__main__\":", "if False:"));
}

fn rejected_ones(room: &Classroom) {
    room.submit("no-broken-python", "homework.py", "def main(:\n");
    room.submit("no-copy", "homework (1).py", honest());
    fs::create_dir(room.path("class/no-empty-folder")).unwrap();
    fs::create_dir(room.path("class/no-fifo")).unwrap();
    let fifo = room.path("class/no-fifo/homework.py");
    nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRWXU).unwrap();
    room.submit("no-huge", "homework.py", honest());
    let huge = fs::File::create(room.path("class/no-huge/data.bin")).unwrap();
    huge.set_len(2 << 30).unwrap();
    room.submit("no-hw2", "hw2.py", honest());
    fs::create_dir(room.path("class/no-link")).unwrap();
    symlink("/etc/passwd", room.path("class/no-link/homework.py")).unwrap();
    symlink(room.path("class/ada"), room.path("class/no-linked-folder")).unwrap();
    room.submit("no-nested-twice", "a/b/homework.py", honest());
    room.submit("no-not-utf-8", "homework.py", b"# caf\xe9\nopen('output.txt', 'w')\n");
    room.write("class/no-text.txt", "I was ill\n");
    room.submit("no-twice", "homework.py", honest());
    room.write("class/no-twice.py", honest());
    room.submit("no-two-folders", "first/homework.py", honest());
    room.submit("no-two-folders", "second/homework.py", honest());
    room.submit("no-two-programs", "homework.py", honest());
    room.submit("no-two-programs", "homework.cpp", "int main() {}");
    room.submit("no-txt", "homework.py.txt", honest());
    room.submit("no-upper-case", "Homework.py", honest());
}

/// What each student of another language is expected to be: `None` where the agent takes part.
fn compiled_ones(room: &Classroom) -> Vec<(&'static str, Option<&'static str>)> {
    let mut class = vec![];
    if has(CPP) {
        // A C++ program starts as quickly as the random agent does, so that a draw would be won by chance.
        let sample = include_str!("../../agents/checkers-cpp/homework.cpp");
        let slow = sample.replace("int main() {", "int main() {\n    while (std::clock() < CLOCKS_PER_SEC / 10) {}");
        room.submit("cpp", "homework.cpp", format!("#include <ctime>\n{slow}"));
        room.submit("cpp-crash", "homework11.cpp", "int main() { *(volatile int *)0 = 1; }\n");
        room.submit("cpp-broken", "homework.cpp", "int main() { return \"no\" }\n");
        class.extend([("cpp", None), ("cpp-crash", None), ("cpp-broken", Some("build-error"))]);
    }
    if has(JAVA) {
        room.submit("java", "homework.java", include_str!("../../agents/checkers-java/homework.java"));
        room.submit("java", "Board.java", include_str!("../../agents/checkers-java/Board.java"));
        room.submit("java-class", "homework.java", "class Main { public static void main(String[] a) {} }\n");
        class.extend([("java", None), ("java-class", Some("no-main-class"))]);
    }
    class
}

/// The class, and who of it is to be rejected by which fault.
fn fill(room: &Classroom) -> BTreeMap<&'static str, Option<&'static str>> {
    honest_ones(room);
    rejected_ones(room);
    for (name, more) in ODD_BUT_FINE {
        room.submit(name, "homework.py", honest_and(more));
    }
    for (name, text) in CRIMES {
        room.submit(name, "homework.py", text);
    }
    let others = ["alone", "odd_escape", "nested", "calibrated", "miscalibrated", "modules"];
    let odd = ODD_BUT_FINE.iter().map(|(name, _)| *name);
    let crimes = CRIMES.iter().map(|(name, _)| *name);
    let playing = HONEST.into_iter().chain(others).chain(odd).chain(crimes);
    playing
        .map(|name| (name, None))
        .chain(REJECTED.iter().map(|(name, code)| (*name, Some(*code))))
        .chain(compiled_ones(room))
        .collect()
}

/// Begins the grading and kills it as soon as `run` has so many records; says whether it was in time.
fn kill_after(room: &Classroom, run: &str, records: usize) -> bool {
    let mut grading = room.grade(run, &[]);
    grading.stdout(Stdio::null()).stderr(Stdio::null());
    let mut grading = grading.spawn().unwrap();
    while room.records(run) < records && grading.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    grading.kill().unwrap();
    !grading.wait().unwrap().success()
}

fn student<'a>(gradebook: &'a Value, name: &str) -> &'a Value {
    let students = gradebook["students"].as_array().unwrap();
    students.iter().find(|student| student["name"] == name).unwrap()
}

#[test]
#[ignore = "long: killed at random moments"]
fn a_class_with_every_crime_is_graded_the_same_however_often_it_is_killed() {
    require!(PYTHON3);
    let room = Classroom::new();
    let class = fill(&room);
    assert!(class.len() >= 59, "{}", class.len());

    room.graded("left-alone", &[]);
    let undisturbed = room.gradebook("left-alone");
    let all = room.records("left-alone");
    let mut moments: Vec<usize> =
        (0_u8..3).map(|kill| usize::try_from(derive_seed(4, &["kill", &kill.to_string()])).unwrap() % all).collect();
    moments.sort_unstable();
    while !moments.iter().all(|records| kill_after(&room, "killed", *records)) {
        // It had come to its end before it was killed: all of it again.
        fs::remove_dir_all(room.path("killed")).unwrap();
    }
    room.graded("killed", &[]);
    let disturbed = room.gradebook("killed");

    let names = |gradebook: &Value| -> BTreeSet<String> {
        let students = gradebook["students"].as_array().unwrap().iter();
        students.map(|student| student["name"].as_str().unwrap().to_owned()).collect()
    };
    let expected: BTreeSet<String> = class.keys().map(|name| (*name).to_owned()).collect();
    assert_eq!(names(&disturbed), expected);
    let (one, other) = (essence(&undisturbed), essence(&disturbed));
    for (one, other) in one.as_array().unwrap().iter().zip(other.as_array().unwrap()) {
        assert_eq!(one, other);
    }
    expect_fates(&class, &disturbed);
    expect_the_records_to_say_so(&room);
}

/// Alone in its class and without opponents, so that nobody else is to be back before the timeout.
#[test]
#[ignore = "long: killed at random moments"]
fn a_sleeper_is_waited_for_until_the_timeout() {
    require!(PYTHON3);
    let room = Classroom::of_single_moves();
    let text = fs::read_to_string(room.path("assignment.toml")).unwrap();
    let (long, short) = ("wall_limit_extra = 600", "wall_limit_extra = 0.1");
    assert!(text.contains(long));
    room.write("assignment.toml", text.replace(long, short));
    room.submit("bad-sleep", "homework.py", "import time\ntime.sleep(600)");
    room.graded("run", &[]);
    let gradebook = room.gradebook("run");
    let sleeper = student(&gradebook, "bad-sleep");
    assert_eq!(sleeper["points"], 0, "{sleeper:#}");
    let items = sleeper["criteria"][0].as_array().unwrap();
    assert_eq!(items.len(), 2);
    for item in items {
        assert_eq!(item["verdict"]["fault"]["kind"], "never-returned", "{item:#}");
    }
}

/// Nobody has lost what was not his to lose.
fn expect_fates(class: &BTreeMap<&str, Option<&str>>, gradebook: &Value) {
    for (name, rejected_by) in class {
        let student = student(gradebook, name);
        let points = student["points"].to_string();
        if let Some(code) = rejected_by {
            assert_eq!(student["state"]["state"], "rejected", "{name}");
            assert_eq!(student["state"]["fault"]["code"], *code, "{name}");
            assert_eq!(points, "0", "{name}");
        } else {
            assert_eq!(student["state"]["state"], "graded", "{name}: {}", student["state"]);
            // Two moves, and the game that the opponent gives up; the other is drawn, and lost on time.
            let earns = !name.starts_with("bad-") && *name != "cpp-crash";
            assert_eq!(points, if earns { "7" } else { "0" }, "{name}: {student:#}");
        }
    }
}

/// The records alone verify, and yield the same files once more.
fn expect_the_records_to_say_so(room: &Classroom) {
    let run = room.path("killed");
    let verified = command(&[]).arg("verify").arg(&run).output().unwrap();
    assert!(verified.status.success(), "{}{}", stdout(&verified), stderr(&verified));
    let before = fs::read(run.join("gradebook.csv")).unwrap();
    fs::remove_file(run.join("gradebook.csv")).unwrap();
    // Neither the submissions nor the assignment are needed for it.
    fs::rename(room.path("class"), room.path("away")).unwrap();
    let counted = command(&[]).arg("gradebook").arg(&run).output().unwrap();
    assert!(counted.status.success(), "{}", stderr(&counted));
    assert_eq!(fs::read(run.join("gradebook.csv")).unwrap(), before);
    let table = stdout(&counted);
    assert!(!table.contains('\u{1b}'), "{table}");
}
