//! Classes as they really arrive: archives, hostile ones, and the downloads of platforms.

mod downloads;
mod late;
pub(crate) mod packing;
mod rosters;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tar::EntryType;

use self::packing::{ZipEntry, tar_gz, zip, zip_of};
use crate::classroom::{Classroom, honest};
use crate::invocation::{assert_contains, stderr};

const FILE: EntryType = EntryType::Regular;

/// The points of each student, or the code of what is wrong.
fn outcomes(gradebook: &Value) -> BTreeMap<String, String> {
    let students = gradebook["students"].as_array().unwrap().iter();
    students
        .map(|student| {
            let outcome = student["state"]["fault"]["code"].as_str().map(str::to_owned);
            let outcome = outcome.unwrap_or_else(|| student["points"].to_string());
            (student["name"].as_str().unwrap().to_owned(), outcome)
        })
        .collect()
}

fn expected(outcomes: &[(&str, &str)]) -> BTreeMap<String, String> {
    outcomes.iter().map(|(name, outcome)| ((*name).to_owned(), (*outcome).to_owned())).collect()
}

/// A zip of the honest agent and this entry.
fn beside_honest(entry: ZipEntry) -> Vec<u8> {
    zip_of(&[ZipEntry::new("homework.py", honest()), entry])
}

fn evil(name: &str) -> Vec<u8> {
    beside_honest(ZipEntry::new(name, "evil"))
}

/// The same with something else than a file.
fn tar_with(name: &str, kind: EntryType) -> Vec<u8> {
    tar_gz(&[("homework.py", FILE, honest().as_bytes()), (name, kind, b"/etc/passwd")])
}

/// Archives that are refused, by the codes of their faults.
fn hostile_archives() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let with = |change: fn(&mut ZipEntry)| {
        let mut entry = ZipEntry::new("other.py", "x".repeat(1000));
        change(&mut entry);
        beside_honest(entry)
    };
    let zeros = vec![0; 24 << 20];
    let many: Vec<ZipEntry> = (0..10_000).map(|number| ZipEntry::new(format!("f{number}"), "")).collect();
    // Fewer entries than may be, in more folders than may be.
    let folders: Vec<ZipEntry> =
        (0..600).map(|n| ZipEntry::new(format!("{n}{}f", "/d".repeat(10) + "/"), "")).collect();
    let inner = zip(&[("homework.py", honest().as_bytes())]);
    let nested = zip(&[("inner.zip", &inner)]);
    let whole = zip(&[("homework.py", honest().as_bytes())]);
    vec![
        ("absolute.zip", "archive-path-outside", evil("/tmp/evil-intake")),
        ("dots.zip", "archive-path-outside", evil("a/../../evil-intake")),
        ("backslashes.zip", "archive-path-outside", evil(r"..\..\evil-intake")),
        ("drive.zip", "archive-path-outside", evil(r"C:\evil-intake")),
        ("tar-dots.tar.gz", "archive-path-outside", tar_with("../evil-intake", FILE)),
        ("tar-absolute.tgz", "archive-path-outside", tar_with("/tmp/evil-intake", FILE)),
        ("nul.zip", "archive-bad-name", evil("a\0b")),
        ("escape.zip", "archive-bad-name", evil("\u{1b}[2J")),
        ("long.zip", "archive-bad-name", evil(&"n".repeat(300))),
        ("link.zip", "archive-link-or-device", with(|entry| entry.mode = 0o120_777)),
        ("device.zip", "archive-link-or-device", with(|entry| entry.mode = 0o060_666)),
        ("symlink.tar.gz", "archive-link-or-device", tar_with("data", EntryType::Symlink)),
        ("hardlink.tar.gz", "archive-link-or-device", tar_with("data", EntryType::Link)),
        ("tty.tar.gz", "archive-link-or-device", tar_with("data", EntryType::Char)),
        ("fifo.tar.gz", "archive-link-or-device", tar_with("data", EntryType::Fifo)),
        ("sparse.tar.gz", "broken-archive", tar_with("data", EntryType::GNUSparse)),
        ("twice.zip", "archive-duplicate-names", evil("homework.py")),
        ("letter-case.zip", "archive-duplicate-names", evil("Homework.py")),
        ("file-and-folder.zip", "archive-duplicate-names", evil("homework.py/x")),
        ("tar-twice.tar.gz", "archive-duplicate-names", tar_with("homework.py", FILE)),
        ("locked.zip", "encrypted-archive", with(|entry| entry.flags = 1)),
        ("small-claim.zip", "broken-archive", with(|entry| entry.claimed = Some(1))),
        ("large-claim.zip", "broken-archive", with(|entry| entry.claimed = Some(u32::MAX - 1))),
        ("overlap.zip", "broken-archive", with(|entry| entry.header_of = Some(0))),
        ("cut.zip", "broken-archive", whole[..whole.len() - 30].to_vec()),
        ("cut.tar.gz", "broken-archive", tar_with("x", FILE)[..400].to_vec()),
        ("cut-end.tar.gz", "broken-archive", without_end(tar_with("x", FILE), 1)),
        ("cut-checksum.tar.gz", "broken-archive", without_end(tar_with("x", FILE), 8)),
        ("text.zip", "broken-archive", b"I was ill\n".to_vec()),
        ("nothing.zip", "broken-archive", vec![]),
        ("bomb.zip", "submission-too-large", beside_honest(ZipEntry::new("zeros", zeros.clone()))),
        ("bomb.tar.gz", "submission-too-large", tar_gz(&[("zeros", FILE, &zeros)])),
        ("many.zip", "submission-too-large", zip_of(&many)),
        ("folders.zip", "submission-too-large", zip_of(&folders)),
        ("deep.zip", "submission-too-large", evil(&"d/".repeat(40))),
        ("deeper.zip", "archive-in-archive", zip(&[("inner.zip", &nested)])),
        ("nested.zip", "archive-in-archive", nested),
        ("other.7z", "unsupported-archive", b"7z\xbc\xaf\x27\x1c".to_vec()),
        ("rar.rar", "unsupported-archive", b"Rar!".to_vec()),
        ("really-rar.zip", "unsupported-archive", b"Rar!\x1a\x07\x01\0".to_vec()),
        ("empty.zip", "empty-folder", zip(&[])),
    ]
}

fn without_end(mut archive: Vec<u8>, bytes: usize) -> Vec<u8> {
    archive.truncate(archive.len() - bytes);
    archive
}

/// What a student is called whose file has this name: all of these have a name of their own.
fn student(file: &str) -> &str {
    let stem = file.rsplit_once('.').unwrap().0;
    stem.strip_suffix(".tar").unwrap_or(stem)
}

#[test]
#[ignore = "long: grades downloads"]
fn hostile_archives_are_refused_one_by_one_and_the_class_goes_on() {
    let room = Classroom::of_single_moves();
    let mut wanted = BTreeMap::new();
    for (file, code, bytes) in hostile_archives() {
        let file = file.replace("bomb.tar", "tar-bomb.tar").replace("cut.tar", "tar-cut.tar");
        room.write(&format!("class/{file}"), bytes);
        wanted.insert(student(&file).to_owned(), code.to_owned());
    }
    room.write("class/ada.zip", zip(&[("ada/homework.py", honest().as_bytes()), ("__MACOSX/ada/._homework.py", b"x")]));
    room.write("class/bob.tar.gz", tar_gz(&[("./homework.py", FILE, honest().as_bytes())]));
    room.submit("cyd", "cyd's work.zip", zip(&[("homework.py", honest().as_bytes())]));
    room.submit("dan", "homework.py", honest());
    room.submit("dan", "data.zip", b"no archive at all");
    room.submit("eve", "one.zip", zip(&[]));
    room.submit("eve", "two.zip", zip(&[]));
    for name in ["ada", "bob", "cyd", "dan"] {
        wanted.insert(name.to_owned(), "2".to_owned());
    }
    wanted.insert("eve".to_owned(), "several-archives".to_owned());
    let temporary = room.path("temporary");
    fs::create_dir(&temporary).unwrap();
    let output = room.grade("run", &[]).env("TMPDIR", &temporary).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(outcomes(&room.gradebook("run")), wanted);
    assert!(!Path::new("/tmp/evil-intake").exists());
    assert!(!room.path("evil-intake").exists());
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0, "nothing stays that was unpacked");
    let feedback = fs::read_to_string(room.path("run/feedback/symlink.txt")).unwrap();
    assert!(feedback.contains("a link in it, `data`") && feedback.contains("without links"), "{feedback}");
}

#[test]
#[ignore = "long: grades downloads"]
fn nobody_loses_points_for_a_name() {
    let room = Classroom::of_single_moves();
    let long = "n".repeat(80);
    let shown = [
        ("d’Arc – Ann & Bob", "d’Arc – Ann & Bob"),
        ("Zoe\u{308} O'Brien", "Zoë O'Brien"),
        ("प्रिया", "प्रिया"),
        ("علی\u{200c}رضا", "علیرضا"),
        ("山田\u{3000}太郎", "山田 太郎"),
        ("<b>Eve</b> \"X\" | * ? % ; $HOME #1", "<b>Eve<"),
        ("gina \u{1f600}", "gina \u{1f600}"),
        ("-rf", "-rf"),
        ("=1+1", "=1+1"),
        ("ada", "ada"),
        ("Ada", "Ada"),
        ("a\u{1b}[2Jb", "a_[2Jb"),
        (long.as_str(), &long[..60]),
        ("d'Arc : Ann & Bob", "d'Arc : Ann & Bob"),
        ("d_Arc ? Ann & Bob", "d_Arc ? Ann & Bob"),
    ];
    for (folder, _) in shown {
        room.submit(folder.split('/').next().unwrap(), "homework.py", honest());
    }
    let output = room.graded("run", &["--export", "gradescope,junit"]);
    let wanted: BTreeMap<String, String> = shown.map(|(_, name)| (name.to_owned(), "2".to_owned())).into();
    assert_eq!(outcomes(&room.gradebook("run")), wanted, "{}", stderr(&output));
    let feedback = fs::read_dir(room.path("run/feedback")).unwrap();
    let files: Vec<String> =
        feedback.map(|entry| entry.unwrap().file_name().to_string_lossy().to_lowercase()).collect();
    let texts = files.iter().filter(|file| Path::new(file).extension().is_some_and(|kind| kind == "txt")).count();
    let distinct: std::collections::BTreeSet<&String> = files.iter().collect();
    assert!(texts >= shown.len() && distinct.len() == files.len(), "{files:?}");
    let is_safe = |file: &String| !file.contains(['<', '"', '|', '*', '?', ':', '$']) && !file.starts_with('-');
    assert!(files.iter().all(is_safe), "{files:?}");
    // The names are those of the run: nothing is played again.
    let again = room.graded("run", &["--only", "d’Arc – Ann & Bob"]);
    assert!(!stderr(&again).contains("changed"), "{}", stderr(&again));
    let report = crate::invocation::command(&["report"]).arg(room.path("run")).output().unwrap();
    assert!(report.status.success(), "{}", stderr(&report));
}

#[test]
#[ignore = "long: grades downloads"]
fn the_archive_of_a_class_loses_no_student_to_another_one() {
    let room = Classroom::of_single_moves();
    let honest = honest();
    let file = |name: &str| ZipEntry::new(name, honest.as_bytes());
    let link = ZipEntry { mode: 0o120_777, ..ZipEntry::new("class/eve/data", "/etc/passwd") };
    let mut entries = vec![
        file("class/ada/homework.py"),
        file("class/bob.py"),
        ZipEntry::new("class/cyd.zip", zip(&[("homework.py", honest.as_bytes())])),
        file("class/eve/homework.py"),
        link,
        file("class/eve/later.py"),
        file("class/fay/homework.py"),
        file("class/fay/../../../evil-intake"),
        ZipEntry::new("class/gus/zeros", vec![0; 24 << 20]),
        ZipEntry::new("../../evil-intake", "x"),
        ZipEntry::new("__MACOSX/class/._ada", "x"),
        ZipEntry::new("class/.DS_Store", "x"),
    ];
    entries.extend((0..6_000).map(|number| ZipEntry::new(format!("class/hal/{number}"), "")));
    let class = room.write("class.zip", zip_of(&entries));
    let output = crate::invocation::command(&["grade"])
        .arg(room.path("assignment.toml"))
        .arg("--class")
        .arg(&class)
        .arg("--out")
        .arg(room.path("run"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let wanted = expected(&[
        ("ada", "2"),
        ("bob", "2"),
        ("cyd", "2"),
        ("eve", "archive-link-or-device"),
        ("fay", "archive-path-outside"),
        ("gus", "submission-too-large"),
        ("hal", "submission-too-large"),
    ]);
    let gradebook = room.gradebook("run");
    assert_eq!(outcomes(&gradebook), wanted);
    assert_contains(stderr(&output), "skipped `../../evil-intake`: its path leads outside the archive");
    let origin = gradebook["students"][0]["origin"].as_str().unwrap();
    assert_eq!(Path::new(origin), class.join("class/ada"));
}

#[test]
fn names_in_any_encoding_stay_distinct() {
    let room = Classroom::of_single_moves();
    let entry = |name: &[u8]| ZipEntry::new(name, "data");
    let flagged = ZipEntry { flags: 1 << 11, ..ZipEntry::new("学生.txt", "data") };
    let broken = ZipEntry { flags: 1 << 11, ..entry(b"caf\xff.txt") };
    let archive = zip_of(&[
        ZipEntry::new("homework.py", honest()),
        entry(b"caf\x82.txt"),
        entry(b"\x8aw\x90\xb6.txt"),
        entry(b"\x8aw\x90\xb7.txt"),
        entry("é.txt".as_bytes()),
        flagged,
        broken,
    ]);
    room.write("class/ada.zip", archive);
    let mut setuid = ZipEntry::new(r"src\homework.py", honest());
    setuid.mode = 0o106_777;
    room.write("class/bob.zip", zip_of(&[setuid]));
    room.graded("run", &[]);
    assert_eq!(outcomes(&room.gradebook("run")), expected(&[("ada", "2"), ("bob", "2")]));
}

#[test]
fn a_zip_with_64_bit_sizes_is_read() {
    let room = Classroom::of_single_moves();
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().large_file(true);
    archive.start_file("homework.py", options).unwrap();
    std::io::Write::write_all(&mut archive, honest().as_bytes()).unwrap();
    room.write("class/ada.zip", archive.finish().unwrap().into_inner());
    room.graded("run", &[]);
    assert_eq!(outcomes(&room.gradebook("run")), expected(&[("ada", "2")]));
}

#[test]
fn the_archive_of_a_class_that_cannot_be_read_is_for_the_user() {
    let room = Classroom::of_single_moves();
    let cases: [(&str, &[u8], &str); 5] = [
        ("class.tar.xz", b"xz", "it is an xz archive, and only `.zip`, `.tar` and `.tar.gz` are read"),
        ("class.7z", b"7z", "it is a 7z archive, and only `.zip`, `.tar` and `.tar.gz` are read"),
        ("class.zip", b"PK\x03\x04", "download it again"),
        ("cut.zip", b"PK\x03\x04", "its end is missing, as if the upload or the download was cut off"),
        ("empty.zip", &zip(&[]), "no submission in"),
    ];
    for (name, bytes, message) in cases {
        let path = room.write(name, bytes);
        let output = crate::invocation::command(&["grade"])
            .arg(room.path("assignment.toml"))
            .arg("--class")
            .arg(&path)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}
