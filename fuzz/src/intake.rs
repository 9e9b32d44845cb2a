//! What must hold of everything that is handed in as an archive, or downloaded from a platform.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use referee_games::GameRef;
use referee_submissions::agents::{AgentSource, ClassEntry, FileNames, SubmissionLimits};
use referee_submissions::intake::{ClassIntake, IntakeError, as_handed_in, import_class};
use tempfile::TempDir;

use super::assert_printable;

/// How much may come of the archive of one submission, and how many times its own size beyond that
/// (`docs/grading.md`).
const FREE_BYTES: u64 = 16 << 20;
const MAX_RATIO: u64 = 100;

/// Between the parts of a download: the names, what its files say, and the roster.
const PART: &str = "\n----\n";

/// An archive, of a class or of one submission, becomes files in its own folder alone, or is refused; the same bytes
/// give the same twice.
pub fn archives(bytes: &[u8]) {
    let place = Place::new();
    let archive = place.path().join("class.zip");
    write(&archive, &with_checksums(bytes));
    for unpack in [of_a_class, of_a_submission] {
        let before = listed(place.path());
        let once = unpack(&place, &archive);
        assert_eq!(listed(place.path()), before, "something is written beside the scratch folder");
        assert_eq!(unpack(&place, &archive), once);
    }
}

/// What came of it, in words, and all that was written.
type Unpacked = (String, Vec<Listed>);

fn of_a_class(place: &Place, archive: &Path) -> Unpacked {
    place.in_scratch(|scratch| told_of_class(import_class(archive, None, &names(), scratch), scratch))
}

fn of_a_submission(place: &Place, archive: &Path) -> Unpacked {
    let unpacked = place.in_scratch(|scratch| {
        fs::create_dir_all(scratch).expect("a scratch folder can be made");
        match as_handed_in(archive, &names(), scratch) {
            Ok((Ok(folder), _)) => {
                assert!(folder.starts_with(scratch), "{}", folder.display());
                format!("unpacked into {}", folder.display())
            }
            Ok((Err(fault), _)) => {
                assert_printable(&fault.to_string());
                assert_eq!(listed(scratch), [], "what was refused takes room: {fault}");
                fault.to_string()
            }
            Err(error) => panic!("the machine is blamed: {error}"),
        }
    });
    let bytes: u64 = unpacked.1.iter().map(|file| file.bytes).sum();
    let packed = fs::metadata(archive).expect("it is there").len();
    assert!(bytes <= FREE_BYTES + MAX_RATIO * packed, "{bytes} of {packed}");
    assert!(unpacked.1.len() <= SubmissionLimits::ALL.files + SubmissionLimits::ALL.depth);
    unpacked
}

/// A folder with any names and texts of platforms is a class whose students have names of their own, or it is refused;
/// nothing in it changes; and a roster takes nobody's submission away.
pub fn downloads(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    let mut parts = text.splitn(3, PART);
    let (listing, content, roster) = (parts.next(), parts.next().unwrap_or_default(), parts.next());
    let place = Place::new();
    let class = place.path().join("class");
    fs::create_dir(&class).expect("a folder can be made");
    for path in listing.into_iter().flat_map(str::lines).filter_map(within) {
        let file = class.join(path);
        // Two names may want one place, and a name may be a folder's alone, such as one that ends with `/`.
        if fs::create_dir_all(file.parent().unwrap_or(&class)).is_ok() && !file.exists() {
            let _ = fs::write(&file, content);
        }
    }
    let list = place.path().join("roster.csv");
    write(&list, roster.unwrap_or_default().as_bytes());
    let before = listed(place.path());
    let take_in = || {
        place.in_scratch(|scratch| {
            let mut taken = import_class(&class, None, &names(), scratch);
            if let (Ok(taken), Some(_)) = (&mut taken, roster) {
                match_roster(taken, &list);
            }
            told_of_class(taken, scratch)
        })
    };
    let once = take_in();
    assert_eq!(listed(place.path()), before, "a download is changed");
    assert_eq!(take_in(), once);
}

/// A roster adds students without a submission, and changes nothing for the others.
fn match_roster(taken: &mut ClassIntake, roster: &Path) {
    let before = taken.class.entries.clone();
    match taken.match_roster(roster) {
        Ok(()) => {
            let stays = |entry: &&ClassEntry| !before.contains(entry);
            assert!(taken.class.entries.iter().filter(stays).all(|added| added.spec.is_err()));
            assert!(before.iter().all(|entry| taken.class.entries.contains(entry)));
        }
        Err(error) => {
            assert_printable(&error.to_string());
            assert_eq!(taken.class.entries, before);
        }
    }
}

fn told_of_class(taken: Result<ClassIntake, IntakeError>, scratch: &Path) -> String {
    let taken = match taken {
        Ok(taken) => taken,
        Err(IntakeError::System { error, .. }) => panic!("the machine is blamed: {error}"),
        Err(error) => {
            assert_printable(&error.to_string());
            return error.to_string();
        }
    };
    taken.class.remarks.iter().for_each(|remark| assert_printable(remark));
    let mut students = BTreeSet::new();
    for entry in &taken.class.entries {
        assert!(students.insert(entry.student.as_str()), "{}", entry.student);
        match &entry.spec {
            Ok(spec) => {
                let AgentSource::Submission(path) = spec.source() else {
                    panic!("what a student has handed in is trusted: {spec:?}")
                };
                let around = scratch.parent().expect("it is in a folder");
                assert!(path.starts_with(around) && is_plain(path), "{}", path.display());
            }
            Err(fault) => assert_printable(&fault.to_string()),
        }
    }
    let records = taken.student_records();
    let names: BTreeSet<&String> = records.iter().map(|record| &record.name).collect();
    assert_eq!(names.len(), records.len(), "{records:?}");
    assert!(records.iter().all(|record| students.contains(&*record.submission)));
    format!("{taken:?}")
}

fn is_plain(path: &Path) -> bool {
    path.components().all(|part| part != Component::ParentDir)
}

fn names() -> FileNames {
    let game = GameRef::all_variants().next().expect("there are games");
    FileNames::of_game(game)
}

/// A relative path that a listing may have, and that leads nowhere else.
fn within(line: &str) -> Option<PathBuf> {
    let path: PathBuf = line.split('/').take(3).collect();
    let is_name = |part| matches!(part, Component::Normal(name) if name.len() < 256);
    let fits = path.is_relative() && !line.contains('\0') && path.components().all(is_name);
    (fits && path.components().next().is_some()).then_some(path)
}

/// A private folder with what is read, and beside it, for a moment, what is written.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder can be made"))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// What `act` tells, and what it has written into the scratch folder that it is given.
    fn in_scratch(&self, act: impl FnOnce(&Path) -> String) -> Unpacked {
        let scratch = self.path().join("scratch");
        let told = act(&scratch);
        let written = if scratch.exists() { listed(&scratch) } else { Vec::new() };
        for file in &written {
            assert_eq!(file.mode & 0o6000, 0, "it changes its user: {file:?}");
        }
        if scratch.exists() {
            fs::remove_dir_all(&scratch).expect("it can be removed");
        }
        (told, written)
    }
}

/// One file or folder.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Listed {
    path: PathBuf,
    mode: u32,
    bytes: u64,
}

/// Everything below `folder`, which may have nothing but folders and files in it.
fn listed(folder: &Path) -> Vec<Listed> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("it can be listed") {
            let path = entry.expect("it can be listed").path();
            let about = path.symlink_metadata().expect("it is there");
            assert!(about.is_dir() || about.is_file(), "neither a file nor a folder: {}", path.display());
            let bytes = if about.is_file() { about.len() } else { 0 };
            if about.is_dir() {
                folders.push(path.clone());
            }
            let mode = about.permissions().mode();
            found.push(Listed { path, mode, bytes });
        }
    }
    found.sort();
    found
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).expect("a file can be written");
}

/// The bytes, if they are a tar with the checksum of each header put right: by chance none would be.
fn with_checksums(bytes: &[u8]) -> Vec<u8> {
    const BLOCK: usize = 512;
    let mut bytes = bytes.to_vec();
    if bytes.get(257..262) != Some(b"ustar") {
        return bytes;
    }
    let mut start = 0;
    while let Some(header) = bytes.get_mut(start..start + BLOCK) {
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        let size = str::from_utf8(&header[124..135]).unwrap_or_default();
        let size = usize::from_str_radix(size.trim(), 8).unwrap_or(0);
        start += BLOCK + size.div_ceil(BLOCK) * BLOCK;
    }
    bytes
}
