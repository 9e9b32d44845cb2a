//! `referee autograder`: what a course uploads, unpacked where the platform unpacks it and run as the platform runs it.
//!
//! The root directory of such a run is the machine's own, with the platform's directories beside it, in a mount
//! namespace of its own: so the paths are the real ones.

use std::fs;
use std::io::{Cursor, Read};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;
use zip::ZipArchive;

use crate::classroom::{Classroom, honest};
use crate::invocation::{assert_contains, command, printed, stderr, stdout, words};
use crate::skips::{ISOLATION, MOUNTS, skip};
use crate::toolbox::{PYTHON3, has, require};

/// A course whose assignment is in a folder beside what it refers to, and demands isolation.
fn course() -> Classroom {
    let room = Classroom::changed("minimum_isolation = \"bare\"", "minimum_isolation = \"confined\"");
    let text = fs::read_to_string(room.path("assignment.toml")).unwrap();
    let text = text.replace("\"positions\"", "\"../positions\"").replace("=loser\"", "=../loser\"");
    room.write("spring/hw2.toml", text);
    room.write("unrelated/notes.txt", "not part of it");
    room
}

/// The archive for `platform`, with a `referee` that is the one under test.
fn archive(room: &Classroom, platform: &str) -> ZipArchive<Cursor<Vec<u8>>> {
    let binary = room.write("referee", format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_referee")));
    fs::set_permissions(&binary, fs::Permissions::from_mode(0o755)).unwrap();
    let output = command(&["autograder", platform, "spring/hw2.toml", "--binary", "referee"])
        .current_dir(room.path("."))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    ZipArchive::new(Cursor::new(output.stdout)).unwrap()
}

fn names_in(archive: &ZipArchive<Cursor<Vec<u8>>>) -> Vec<String> {
    archive.file_names().map(|name| name.unwrap().into_owned()).collect()
}

/// A root directory that has what `/` has, by mounts that only the runs in it see.
struct PlatformRoot(TempDir);

/// Makes `/` of the directory in `$1`, with everything that the machine's root has and that it lacks; then runs the
/// rest.
const ENTER: &str = r#"
set -e
new=$1; shift
mount --bind "$new" "$new"
for path in /*; do
    [ -d "$path" ] && [ ! -L "$path" ] && mkdir -p "$new$path" && mount --rbind "$path" "$new$path"
done
cd "$new"
mkdir -p .old
pivot_root . .old
umount -l /.old
cd "$1"; shift
exec "$@"
"#;

impl PlatformRoot {
    fn new() -> Self {
        let root = Self(TempDir::new().unwrap());
        for entry in fs::read_dir("/").unwrap() {
            let path = entry.unwrap().path();
            if let Ok(target) = fs::read_link(&path) {
                symlink(target, root.path(path.to_str().unwrap())).unwrap();
            }
        }
        root
    }

    /// The path outside of what is `path` inside.
    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path.trim_start_matches('/'))
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Runs `words` in the directory `folder`, both as they are inside.
    fn run(&self, folder: &str, words: &[&str], variables: &[(&str, &str)]) -> Output {
        let mut command = Command::new("unshare");
        if !nix::unistd::geteuid().is_root() {
            command.args(["--user", "--map-root-user"]);
        }
        command.args(["--mount", "sh", "-c", ENTER, "sh"]).arg(self.0.path()).arg(folder);
        command.args(words).envs(variables.iter().copied()).output().unwrap()
    }

    /// Whether this machine allows such roots; says so if not.
    fn works(&self) -> bool {
        let output = self.run("/", &["true"], &[]);
        if !output.status.success() {
            skip(&MOUNTS, stderr(&output));
        }
        output.status.success()
    }
}

/// A submission that plays well, but first takes the grader for its own, and leaves a process behind that has
/// `leftover` in its command line. If it could do anything, it tells what, and has no answer.
fn forger(leftover: &str, written: &[&str], read: &[&str]) -> String {
    format!(
        r#"
import os, subprocess, sys
def write(path):
    with open(path, "a") as file:
        file.write("forged")
def read(path):
    with open(path, "rb") as file:
        file.read(1)
done = []
for attempt, paths in ((write, {written:?}), (read, {read:?})):
    for path in paths:
        try:
            attempt(path)
            done.append(attempt.__name__ + " " + path)
        except OSError:
            pass
if len(sys.argv) == 1:
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(10 ** 6)", "{leftover}"])
if done:
    sys.exit("forged: " + ", ".join(done))
"#
    ) + &honest()
}

/// The processes that a submission left behind.
fn leftovers(leftover: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| Some(entry.ok()?.path()));
    let lines = processes.filter_map(|path| fs::read_to_string(path.join("cmdline")).ok());
    lines.filter(|line| line.ends_with(&format!("\0{leftover}\0"))).collect()
}

/// Grades with `words`; `None` if the machine cannot keep agents in, as the assignment demands.
fn graded(root: &PlatformRoot, folder: &str, words: &[&str], variables: &[(&str, &str)]) -> Option<Output> {
    let output = root.run(folder, words, variables);
    if output.status.code() == Some(4) {
        skip(&ISOLATION, stderr(&output));
        return None;
    }
    assert!(output.status.success(), "{}{}", stdout(&output), stderr(&output));
    Some(output)
}

/// A grader that runs the submission as it is hands over everything.
fn assert_open_without_referee(root: &PlatformRoot, submission: &str, written: &[&str], read: &[&str]) {
    let naive = root.run("/tmp", &["python3", submission, "alone"], &[]);
    let all = written.iter().map(|path| format!("write {path}")).chain(read.iter().map(|path| format!("read {path}")));
    let all: Vec<String> = all.collect();
    assert_eq!(stderr(&naive), format!("forged: {}\n", all.join(", ")));
}

#[test]
fn the_archive_has_the_assignment_and_what_it_refers_to() {
    let room = course();
    let mut archive = archive(&room, "gradescope");
    let names: Vec<String> = names_in(&archive);
    let expected = [
        "course/loser",
        "course/positions/01-opening.txt",
        "course/positions/02-forced-jump.txt",
        "course/spring/hw2.toml",
        "referee",
        "run_autograder",
        "setup.sh",
    ];
    assert_eq!(names, expected);
    let modes = expected.map(|name| archive.by_name(name).unwrap().unix_mode().unwrap() & 0o777);
    assert_eq!(modes, [0o755, 0o644, 0o644, 0o644, 0o755, 0o755, 0o755]);
}

/// An `apt-get` that only says what it is asked for, and fails for the package that the system lacks.
const APT_GET: &str = r#"#!/bin/sh
echo "apt-get $*"
for word; do [ "$word" != "$LACKS" ] || exit 100; done
"#;

#[test]
fn an_image_is_set_up_without_python_2_where_the_system_has_none_and_not_without_the_others() {
    let mut setup = String::new();
    archive(&course(), "gradescope").by_name("setup.sh").unwrap().read_to_string(&mut setup).unwrap();
    let root = TempDir::new().unwrap();
    let write = |name: &str, text: &str, mode| {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    };
    let here = root.path().join("autograder").display().to_string();
    let script = write("setup.sh", &setup.replace("/autograder", &here), 0o755);
    write("bin/apt-get", APT_GET, 0o755);
    // As unpacked by what forgets modes; and on a machine that is not fit.
    write("autograder/source/referee", "#!/bin/sh\necho \"referee $*\"\nexit 1\n", 0o644);
    let path = format!("{}:{}", root.path().join("bin").display(), std::env::var("PATH").unwrap());
    let set_up =
        |lacks: &str| Command::new("/bin/sh").arg(&script).env("PATH", &path).env("LACKS", lacks).output().unwrap();
    let without_python2 = set_up("python2");
    assert!(without_python2.status.success(), "{}", stderr(&without_python2));
    let expected = "apt-get update\n\
                    apt-get install -y --no-install-recommends g++ default-jdk-headless python3\n\
                    apt-get install -y --no-install-recommends python2\n\
                    referee doctor\n";
    assert_eq!(stdout(&without_python2), expected);
    assert_eq!(set_up("g++").status.code(), Some(100));
}

#[test]
fn the_same_course_gives_the_same_archive() {
    let bytes = |room: &Classroom| archive(room, "vocareum").into_inner().into_inner();
    assert_eq!(bytes(&course()), bytes(&course()));
}

#[test]
fn what_cannot_be_packed_is_refused() {
    let room = course();
    let refused = |assignment: &str| {
        let output = command(&["autograder", "gradescope", assignment, "--out", "autograder.zip"])
            .current_dir(room.path("."))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        assert!(!room.path("autograder.zip").exists());
        stderr(&output)
    };
    let text = fs::read_to_string(room.path("spring/hw2.toml")).unwrap();
    let absolute = room.path("positions").display().to_string();
    room.write("spring/absolute.toml", text.replace("../positions", &absolute));
    assert!(refused("spring/absolute.toml").contains("is an absolute path, which the platform does not have"));
    symlink(room.path("unrelated"), room.path("positions/link")).unwrap();
    assert!(refused("spring/hw2.toml").contains("it is a link to a folder"));
    assert!(refused("spring/none.toml").contains("cannot read the assignment"));
}

/// A new game, whose rules import a module of their own that a file beside them imports.
fn new_game() -> TempDir {
    let folder = TempDir::new().unwrap();
    let made = command(&["new-game", "pente"]).current_dir(folder.path()).output().unwrap();
    assert!(made.status.success(), "{}", stderr(&made));
    let rules = folder.path().join("pente/rules");
    let text = fs::read_to_string(rules.join("pente.py")).unwrap();
    let lines = text.lines().find(|line| line.starts_with("LINES = ")).unwrap().to_owned();
    fs::write(rules.join("pente.py"), text.replace(&lines, "from geometry.lines import LINES")).unwrap();
    fs::create_dir(rules.join("geometry")).unwrap();
    fs::write(rules.join("geometry/lines.py"), "from words import LINES\n").unwrap();
    fs::write(rules.join("words.py"), lines).unwrap();
    fs::write(rules.join("unrelated.py"), "").unwrap();
    folder
}

/// Packs the assignment of [`new_game`].
fn packed(folder: &TempDir, more: &[&str]) -> Output {
    let mut words = words("autograder vocareum pente/assignment.toml --binary referee --out course.zip", &[]);
    words.extend(more);
    let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_referee"));
    fs::write(folder.path().join("referee"), script).unwrap();
    fs::set_permissions(folder.path().join("referee"), fs::Permissions::from_mode(0o755)).unwrap();
    command(&words).current_dir(folder.path()).output().unwrap()
}

#[test]
#[ignore = "long: grades in the layout of a platform"]
fn rules_of_a_course_are_packed_with_all_that_they_import() {
    require!(PYTHON3);
    let folder = new_game();
    let output = packed(&folder, &["--sample", "pente/agents/first"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_contains(stderr(&output), "the sample earned ");
    let bytes = fs::read(folder.path().join("course.zip")).unwrap();
    let archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let names = names_in(&archive);
    let rules: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix("course/rules/")).collect();
    assert_eq!(rules, ["geometry/lines.py", "pente.py", "referee_rules.py", "words.py"]);
}

#[test]
fn an_archive_that_grades_nothing_is_not_written() {
    require!(PYTHON3);
    let folder = new_game();
    // It imports what nothing in its text names.
    let rules = folder.path().join("pente/rules/pente.py");
    let text = fs::read_to_string(&rules).unwrap();
    fs::write(&rules, text.replace("from geometry", "__import__(\"unrelated\")\nfrom geometry")).unwrap();
    let output = packed(&folder, &[]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("No module named 'unrelated'"), "{}", stderr(&output));
    assert!(!folder.path().join("course.zip").exists());
}

/// An archive is replaced when it has a fault, and that is found when it is used.
#[test]
fn a_deadline_that_has_passed_stops_no_archive() {
    let room = course();
    let text = fs::read_to_string(room.path("spring/hw2.toml")).unwrap();
    room.write("spring/hw2.toml", text + "\n[late]\ndeadline = 2020-11-20T23:59:00Z\npenalty_percent = 10\n");
    assert!(names_in(&archive(&room, "vocareum")).contains(&"grade.sh".to_owned()));
}

#[test]
fn the_packed_files_alone_are_tried() {
    let room = course();
    let graded = "#!/bin/sh\n[ \"$1\" = grade ] || exit 0\ncat \"$3\" >/dev/null && echo \"$PWD/$3\" >&2 && exit 3\n";
    let binary = room.write("referee", graded);
    fs::set_permissions(&binary, fs::Permissions::from_mode(0o755)).unwrap();
    let output = command(&["autograder", "gradescope", "spring/hw2.toml", "--binary", "referee"])
        .current_dir(room.path("."))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("/unpacked/course/spring/hw2.toml"), "{said}");
    assert!(!said.contains(room.path("spring").to_str().unwrap()), "{said}");
    assert_eq!(stdout(&output), "");
}

#[test]
#[ignore = "long: grades in the layout of a platform"]
fn a_submission_on_gradescope_earns_its_points_and_nothing_else() {
    let root = PlatformRoot::new();
    if !has(PYTHON3) || !root.works() {
        return;
    }
    archive(&course(), "gradescope").extract(root.path("/autograder/source")).unwrap();
    fs::create_dir_all(root.path("/autograder/results")).unwrap();
    // The platform copies the script out of the archive.
    fs::copy(root.path("/autograder/source/run_autograder"), root.path("/autograder/run_autograder")).unwrap();
    root.write("/autograder/submission_metadata.json", r#"{"users": [{"name": "Ada"}]}"#);
    let written = ["/autograder/results/results.json", "/autograder/source/run_autograder"];
    let read = [
        "/autograder/source/course/spring/hw2.toml",
        "/autograder/source/course/positions/01-opening.txt",
        "/autograder/source/course/loser",
        "/autograder/source/referee",
        "/autograder/submission_metadata.json",
    ];
    let forger = forger("leftover-on-gradescope", &written, &read);
    root.write("/autograder/submission/homework.py", &forger);
    let script = root.read("/autograder/source/run_autograder");

    let Some(output) = graded(&root, "/autograder", &["/autograder/run_autograder"], &[]) else {
        return;
    };
    assert!(stdout(&output).contains("Ada: "), "{}", stdout(&output));
    assert_eq!(leftovers("leftover-on-gradescope"), [""; 0], "processes outlive the grading");
    let results: Value = serde_json::from_str(&root.read("/autograder/results/results.json")).unwrap();
    let tests = results["tests"].as_array().unwrap();
    let passed = tests.iter().filter(|test| test["status"] == "passed").count();
    assert!(passed >= 3, "both moves and the walkover: {results:#}");
    assert_eq!(root.read("/autograder/source/run_autograder"), script);

    assert_open_without_referee(&root, "/autograder/submission/homework.py", &written, &read);
}

#[test]
#[ignore = "long: grades in the layout of a platform"]
fn a_submission_on_vocareum_earns_its_points_and_nothing_else() {
    let root = PlatformRoot::new();
    if !has(PYTHON3) || !root.works() {
        return;
    }
    archive(&course(), "vocareum").extract(root.path("/voc/scripts")).unwrap();
    let written = ["/voc/tmp/grades", "/voc/tmp/report", "/voc/scripts/grade.sh"];
    let read = ["/voc/scripts/course/positions/01-opening.txt", "/voc/scripts/course/loser"];
    root.write("/voc/work/homework.py", forger("leftover-on-vocareum", &written, &read));
    root.write("/voc/tmp/grades", "");
    root.write("/voc/tmp/report", "");
    let variables = [("vocareumGradeFile", "/voc/tmp/grades"), ("vocareumReportFile", "/voc/tmp/report")];

    let Some(_) = graded(&root, "/voc/work", &["/voc/scripts/grade.sh"], &variables) else {
        return;
    };
    assert_eq!(leftovers("leftover-on-vocareum"), [""; 0], "processes outlive the grading");
    let grades = root.read("/voc/tmp/grades");
    assert!(grades.starts_with("single-moves,2\n"), "{grades}");
    assert!(!grades.contains("forged"), "{grades}");
    assert!(root.read("/voc/tmp/report").starts_with("VOC_NO_REPORT_OUTPUT\n"));

    assert_open_without_referee(&root, "/voc/work/homework.py", &written, &read);
}

#[test]
fn the_platforms_and_their_purpose_are_in_the_help() {
    let help = printed(&["autograder", "--help"], 0);
    for word in ["Gradescope", "/voc/scripts", "--binary", "--out"] {
        assert!(help.contains(word), "{help}");
    }
}
