//! A class beside programs of other people that want all processors: points and verdicts are those of an idle machine.

use serde_json::Value;

use crate::busy::BusyProcessors;
use crate::classroom::{Classroom, essence};
use crate::invocation::assert_contains;
use crate::toolbox::{CPP, JAVA, PYTHON3, require};

const ASSIGNMENT: &str = r#"
title = "Homework of a busy class"
game = "checkers"
minimum_isolation = "bare"

[clock]
wall_limit_factor = 1
wall_limit_extra = 0.5

[[grade]]
kind = "single-moves"
positions = "positions"
time = 2
points_each = 1
"#;

/// Programs that compute by their own CPU time, so that they take the same share of theirs on any machine. Beside the
/// others that takes longer than the wall-clock guard.
const CLASS: [(&str, &str, &str); 5] = [
    (
        "cpp",
        "homework.cpp",
        "#include <cstdio>\n#include <ctime>\nint main() {\n    while (clock() < CLOCKS_PER_SEC * 6 / 10) {}\n    \
         FILE* file = fopen(\"output.txt\", \"w\");\n    fputs(\"E d6 e5\\n\", file);\n    fclose(file);\n}\n",
    ),
    (
        "java",
        "homework.java",
        "import java.lang.management.ManagementFactory;\nimport java.nio.file.*;\nclass homework {\n    \
         public static void main(String[] arguments) throws Exception {\n        \
         var clock = ManagementFactory.getThreadMXBean();\n        \
         while (clock.getCurrentThreadCpuTime() < 400_000_000L) {}\n        \
         Files.writeString(Path.of(\"output.txt\"), \"E d6 e5\\n\");\n    }\n}\n",
    ),
    ("loop", "homework.py", "while True:\n    pass\n"),
    (
        "python",
        "homework.py",
        "import time\nwhile time.process_time() < 0.6:\n    pass\nopen(\"output.txt\", \"w\").write(\"E d6 e5\\n\")\n",
    ),
    ("sleeper", "homework.py", "import time\ntime.sleep(600)\n"),
];

#[test]
#[ignore = "long: grades beside busy loops"]
fn a_busy_machine_changes_no_points_and_no_verdict() {
    for language in [PYTHON3, CPP, JAVA] {
        require!(language);
    }
    let room = Classroom::with(ASSIGNMENT);
    std::fs::remove_file(room.path("positions/02-forced-jump.txt")).unwrap();
    for (student, file, text) in CLASS {
        room.submit(student, file, text);
    }
    let idle = {
        let _alone = BusyProcessors::new(1, 0);
        room.graded("idle", &[]);
        room.gradebook("idle")
    };
    let said = {
        let _busy = BusyProcessors::new(1, 4);
        room.graded("busy", &[])
    };
    let busy = room.gradebook("busy");
    assert_eq!(essence(&busy), essence(&idle));
    let verdicts: Vec<(&str, f64, Option<&str>)> = essence_of(&busy).collect();
    let expected = [
        ("cpp", 1.0, None),
        ("java", 1.0, None),
        ("loop", 0.0, Some("out-of-time")),
        ("python", 1.0, None),
        ("sleeper", 0.0, Some("never-returned")),
    ];
    assert_eq!(verdicts, expected);
    assert_contains(
        String::from_utf8_lossy(&said.stderr),
        "the machine was too busy: programs waited for a processor in ",
    );
}

/// Each student with points, and the fault of the only answer.
fn essence_of(gradebook: &Value) -> impl Iterator<Item = (&str, f64, Option<&str>)> {
    gradebook["students"].as_array().unwrap().iter().map(|student| {
        let fault = &student["criteria"][0][0]["verdict"]["fault"]["kind"];
        (student["name"].as_str().unwrap(), student["points"].as_f64().unwrap(), fault.as_str())
    })
}
