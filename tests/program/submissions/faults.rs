//! A class in which nobody has handed in what was asked for, with the verdict on each.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use referee_seat::{OutputFile, RunRequest, Seat, Task, Termination};
use referee_submissions::agents::{
    Agent, AgentBuilder, AgentError, AgentSpec, Class, FileNames, Language, Python2, PythonVersion, Toolchain,
};
use referee_time::{CpuTime, WallTime};

use crate::builder::builder;
use crate::invocation::assert_contains;
use crate::skips::{UNPRIVILEGED, skip};
use crate::toolbox::{CPP, JAVA, PYTHON3, has, require};

/// Files below `folder`, by their names.
fn write(folder: &Path, files: &[(&str, &[u8])]) {
    for (name, content) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
}

/// The code and the text of what is wrong with each student's submission.
fn verdicts(builder: &AgentBuilder, class: &Class) -> Vec<(String, String, String)> {
    let builds = tempfile::tempdir().unwrap();
    let mut verdicts = Vec::new();
    for (index, entry) in class.entries.iter().enumerate() {
        let finding = match &entry.spec {
            Err(fault) => Some(fault.finding()),
            Ok(spec) => match builder.prepare(spec, &builds.path().join(index.to_string())) {
                Ok(_) => None,
                Err(error) => Some(error.finding().unwrap_or_else(|| panic!("{error}"))),
            },
        };
        let (code, text) = finding
            .map_or(("fine".to_owned(), String::new()), |finding| (finding.code.to_string(), finding.to_string()));
        verdicts.push((entry.student.to_string(), code, text));
    }
    verdicts
}

#[test]
fn every_submission_has_a_verdict_and_stops_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    write(
        folder.path(),
        &[
            ("case/Homework.py", b"pass"),
            ("file", b"not a program"),
            ("junk/.DS_Store", b""),
            ("name/hw2.py", b"pass"),
            ("nil.py", b""),
            ("pack.zip", b"PK"),
            ("two-cases/Homework2.py", b"pass"),
            ("text/homework.py.txt", b"pass"),
            ("two/homework.cpp", b""),
            ("two/homework.py", b""),
            ("within/link/x", b""),
        ],
    );
    fs::create_dir(path("empty")).unwrap();
    symlink("/etc", path("link")).unwrap();
    symlink("/etc/passwd", path("within/homework.py")).unwrap();
    nix::unistd::mkfifo(&path("fifo"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    write(folder.path(), &[("huge/homework.py", b"pass")]);
    File::create(path("huge/book.bin")).unwrap().set_len(2 << 30).unwrap();
    File::create(path("vast.py")).unwrap().set_len(2 << 30).unwrap();

    let class = Class::submissions_in(folder.path(), &FileNames::default()).unwrap();
    let names = "`homework.py`, `homework2.py`, `homework3.py`, `homework.cpp`, `homework11.cpp` or `homework.java`";
    let source = "hand in a directory, a `.zip`, a `.tar.gz`, a `.py`, `.cpp` or `.java` source, or an executable";
    let large = "the submission has more than 256 MiB (hand in only sources and their data)".to_owned();
    let expected = [
        (
            "case",
            "wrong-letter-case",
            "`Homework.py` has the wrong case (rename it to `homework.py` if it is Python 3, or to `homework2.py` if \
                it is \
             Python 2)"
                .to_owned(),
        ),
        ("empty", "empty-folder", format!("the directory is empty (add {names})")),
        (
            "fifo",
            "not-a-file",
            "`fifo` is a FIFO, not a file (replace it with the program's source)".to_owned(),
        ),
        (
            "file",
            "not-a-source",
            format!("`file` is neither a source file nor a program ({source})"),
        ),
        ("huge", "submission-too-large", large.clone()),
        ("junk", "empty-folder", format!("the directory is empty (add {names})")),
        (
            "link",
            "link",
            "`link` is a link (hand in the file or directory itself, not a link)".to_owned(),
        ),
        (
            "name",
            "no-program",
            "no program found in `hw2.py` (rename the program to `homework.py` if it is Python 3, or to `homework2.py` \
             if it is Python 2)"
                .to_owned(),
        ),
        ("nil", "empty-file", "the file is empty (hand in a program)".to_owned()),
        (
            "pack",
            "not-a-source",
            format!("`pack.zip` is neither a source file nor a program ({source})"),
        ),
        (
            "text",
            "wrong-name",
            "`homework.py.txt` has the wrong name (rename it to `homework.py` if it is Python 3, or to `homework2.py` \
                if \
             it is Python 2)"
                .to_owned(),
        ),
        (
            "two",
            "several-programs",
            "several programs, unclear which to run: `homework.cpp`, `homework.py` (keep one of them)".to_owned(),
        ),
        (
            "two-cases",
            "wrong-letter-case",
            "`Homework2.py` has the wrong case (rename it to `homework2.py` if it is Python 2, or to `homework.py` if \
             it is Python 3)"
                .to_owned(),
        ),
        ("vast", "submission-too-large", large),
        (
            "within",
            "link",
            "`homework.py` is a link (hand in the file or directory itself, not a link)".to_owned(),
        ),
    ]
    .map(|(student, code, text)| (student.to_owned(), code.to_owned(), text));
    assert_eq!(verdicts(&builder(), &class), expected);
}

/// Root may read everything, unless it is kept from it.
#[test]
fn a_folder_that_nobody_may_read_has_a_verdict() {
    if nix::unistd::geteuid().is_root() {
        return skip(&UNPRIVILEGED, "root may read everything");
    }
    let folder = tempfile::tempdir().unwrap();
    let closed = folder.path().join("ada");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    let found = verdicts(&builder(), &Class::submissions_in(folder.path(), &FileNames::default()).unwrap());
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!((found[0].0.as_str(), found[0].1.as_str()), ("ada", "unreadable"));
}

#[test]
#[ignore = "long: builds agents"]
fn what_cannot_be_built_has_a_verdict_with_what_the_compiler_said() {
    let cases: [(_, &str, &[u8], _, _); 8] = [
        (PYTHON3, "homework.py", b"x = 'caf\xe9'\n", "not-utf-8", "codec can't decode"),
        (PYTHON3, "homework.py", b"# caf\xe9\nx = 1\n", "not-utf-8", "missing encoding declaration"),
        (PYTHON3, "homework.py", b"def\n", "build-error", "SyntaxError"),
        (PYTHON3, "homework.py", b"# -*- coding: latin-1 -*-\nx = 'caf\xe9'\n", "fine", ""),
        (CPP, "homework.cpp", b"int main() { return y; }\n", "build-error", "was not declared"),
        (CPP, "homework.cpp", b"int helper() { return 1; }\n", "build-error", "undefined reference"),
        (JAVA, "homework.java", b"class Homework {}\n", "no-main-class", ""),
        (JAVA, "homework.java", b"// caf\xe9\nclass homework { String s = \"\xe9\"; }\n", "not-utf-8", "unmappable"),
    ];
    for (language, file, source, code, said) in cases {
        if !has(language) {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &[(file, source)]);
        let prepared = prepare(&builder(), folder.path());
        let (found, output) = match &prepared {
            Ok(_) => ("fine".to_owned(), String::new()),
            Err(AgentError::Submission { fault, .. }) => {
                (fault.code().to_owned(), fault.compiler_output().unwrap_or_default().to_owned())
            }
            Err(other) => panic!("{other}"),
        };
        assert_eq!(found, code, "{file}: {output}");
        assert!(output.contains(said), "{file}: {output}");
        assert!(!output.contains("referee-seat"), "{output}");
    }
}

fn prepare(builder: &AgentBuilder, path: &Path) -> Result<Agent, AgentError> {
    let build = tempfile::tempdir().unwrap();
    let spec = AgentSpec::of_submission("ada".parse().unwrap(), path);
    builder.prepare(&spec, build.path())
}

#[test]
fn what_a_compiler_says_of_a_good_program_is_kept() {
    require!(CPP);
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("homework.cpp", b"#warning mind the gap\nint main() {}\n")]);
    let agent = prepare(&builder(), folder.path()).unwrap();
    let said = agent.compiler_output.unwrap();
    assert!(said.contains("mind the gap"), "{said}");
    write(folder.path(), &[("homework.cpp", b"int main() {}\n")]);
    assert_eq!(prepare(&builder(), folder.path()).unwrap().compiler_output, None);
}

/// What an agent answers in a seat as good as this machine has.
fn answer(agent: &Agent) -> String {
    let mut seat = Seat::open(&agent.program_for(referee_games::checkers::ID, 0), &builder().seats).unwrap();
    let run = seat
        .run(&RunRequest {
            task: Task::Move { input: String::new() },
            kill_after: CpuTime::from_secs(30),
            wall_limit: WallTime::from_secs(90),
        })
        .unwrap();
    assert_eq!(run.ended, Termination::Exited { status: 0 }, "{}", run.stderr);
    match run.output {
        OutputFile::Content { bytes } => String::from_utf8(bytes.0).unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
#[ignore = "long: builds agents"]
fn a_file_alone_is_a_submission_that_sees_no_neighbours() {
    let class = tempfile::tempdir().unwrap();
    let python = b"try:\n    import bob\n    found = 'bob'\nexcept ImportError:\n    found = \
                   'nobody'\nopen('output.txt', 'w').write(found)\n";
    let java =
        b"import java.nio.file.*;\npublic class homework { public static void main(String[] a) throws Exception { \
                 Files.writeString(Path.of(\"output.txt\"), \"cyd\"); } }\n";
    write(
        class.path(),
        &[
            ("ada.py", python),
            ("bob.py", b"open('output.txt', 'w').write('bob')\n"),
            ("cyd.java", java),
            ("dan", b"#!/bin/sh\nprintf dan > output.txt\n"),
        ],
    );
    fs::set_permissions(class.path().join("dan"), fs::Permissions::from_mode(0o755)).unwrap();
    let builds = tempfile::tempdir().unwrap();
    let expected = [
        ("ada", Some(PYTHON3), "nobody"),
        ("bob", Some(PYTHON3), "bob"),
        ("cyd", Some(JAVA), "cyd"),
        ("dan", None, "dan"),
    ];
    let class = Class::submissions_in(class.path(), &FileNames::default()).unwrap();
    assert_eq!(class.entries.len(), expected.len());
    for (entry, (student, language, said)) in class.entries.iter().zip(expected) {
        assert_eq!(entry.student.as_str(), student);
        if language.is_none_or(has) {
            let spec = entry.spec.as_ref().unwrap();
            let agent = builder().prepare(spec, &builds.path().join(student)).unwrap();
            assert_eq!(answer(&agent), said);
        }
    }
}

#[test]
fn a_link_counts_for_what_it_is_in_a_class_and_for_what_it_means_to_a_user() {
    require!(PYTHON3);
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("real/homework.py", b"pass\n")]);
    let link = folder.path().join("link");
    symlink(folder.path().join("real"), &link).unwrap();
    let code = |error: AgentError| error.finding().unwrap().code;
    assert_eq!(code(prepare(&builder(), &link).unwrap_err()), "link");
    let build = tempfile::tempdir().unwrap();
    assert!(builder().prepare(&AgentSpec::of_path(link), build.path()).is_ok());
}

#[test]
fn python_2_is_run_by_python_3_only_where_the_grader_says_so() {
    require!(PYTHON3);
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("hw1cs561s2018.py", b"open('output.txt', 'w').write('2018')\n")]);
    // The tools of this machine, but for Python 2.
    let tools = Toolchain::from_environment();
    let bin = tempfile::tempdir().unwrap();
    let python3 = tools.python(PythonVersion::Three).unwrap();
    symlink(python3, bin.path().join("python3")).unwrap();
    let mut builder = builder();
    builder.toolchain = Toolchain::in_folders(vec![bin.path().to_owned()]);
    let of_2018 = ("hw1cs561s2018.py".parse().unwrap(), Language::Python(PythonVersion::Two));
    builder.names = FileNames::new(vec![of_2018], None);
    let refused = prepare(&builder, folder.path()).unwrap_err();
    assert!(refused.finding().is_none());
    assert_contains(refused.to_string(), "no working `python2` found in `PATH`");

    builder.python2 = Python2::ByPython3;
    let build = tempfile::tempdir().unwrap();
    let agent = builder.prepare(&AgentSpec::of_path(folder.path()), build.path()).unwrap();
    let remark = "`hw1cs561s2018.py` is Python 2, which is not installed here: it runs with Python 3";
    assert_eq!((agent.remarks.as_slice(), answer(&agent).as_str()), ([remark.to_owned()].as_slice(), "2018"));
}
