//! Reading and writing foreign files.

use std::fs::{self, FileTimes};
use std::net::TcpListener;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use referee_seat::Isolation;
use tempfile::TempDir;

use crate::attack_game::{AttackGame, attacker, without_isolation};
use crate::levels::levels;
use crate::skips::{FILE_TIMES, ROOT, skip};

pub(crate) fn confined() -> impl Iterator<Item = Isolation> {
    levels().iter().copied().filter(|level| *level >= Isolation::Confined)
}

/// A folder of the user, like another submission or the results.
pub(crate) fn foreign_folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["victim", "empty"] {
        fs::write(folder.path().join(name), name).unwrap();
    }
    folder
}

#[test]
fn nothing_foreign_can_be_read() {
    let foreign = foreign_folder();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut secrets: Vec<PathBuf> = vec![
        foreign.path().to_owned(),
        foreign.path().join("victim"),
        here.join("Cargo.toml"),
        here.join("results"),
        std::env::current_exe().unwrap(),
        format!("/proc/{}/environ", std::process::id()).into(),
        format!("/proc/{}/cwd", std::process::id()).into(),
    ];
    secrets.extend(std::env::var_os("HOME").map(PathBuf::from));
    secrets.extend(
        ["/", "/tmp", "/etc", "/etc/shadow", "/root", "/home", "/var", "/run", "/mnt", "/boot", "/sys", "/sys/fs"]
            .map(PathBuf::from),
    );
    for level in confined() {
        let secrets: Vec<&str> = secrets.iter().filter_map(|path| path.to_str()).collect();
        let words: Vec<&str> = ["read"].into_iter().chain(secrets).collect();
        let Some(mut game) = AttackGame::new(level, &words) else {
            return;
        };
        let mut done = game.successful();
        // There it is another root: empty, with only the visible paths.
        if level == Isolation::Sealed {
            done.retain(|path| !["/", "/tmp", "/etc", "/sys"].contains(&path.as_str()));
        }
        assert_eq!(done, [""; 0], "{level}");
        game.end();
    }
}

/// Landlock restricts opening: at `confined` a known path still tells whether it exists, how large and how old it is.
#[test]
fn of_foreign_files_only_those_of_another_root_tell_nothing() {
    let foreign = foreign_folder();
    let paths = ["victim", "link", "."].map(|name| foreign.path().join(name).display().to_string());
    std::os::unix::fs::symlink("elsewhere", &paths[1]).unwrap();
    let words = ["metadata", &paths[0], &paths[1], &paths[2]];
    for level in levels() {
        let Some(mut game) = AttackGame::new(*level, &words) else {
            return;
        };
        let told = game.attempts();
        let expected = if *level == Isolation::Sealed { "ENOENT" } else { "done" };
        assert!(told.len() == 4 && told.values().all(|came| came == expected), "{level}: {told:?}");
        game.end();
    }
}

/// What runtimes read of it is the same for everybody; the rest tells of the machine, some of it to root alone. At
/// `sealed` the counters that everybody may read stay.
#[test]
fn of_proc_a_program_reads_its_own_part_and_little_else() {
    const SHARED: [&str; 8] = ["cpuinfo", "filesystems", "meminfo", "stat", "self", "thread-self", "mounts", "net"];
    let listed = |folder: &str| {
        let entries = fs::read_dir(folder).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path().display().to_string());
        paths.collect::<Vec<_>>()
    };
    let is_of_a_process = |path: &String| path.ends_with(|last: char| last.is_ascii_digit());
    let is_shared = |path: &String| SHARED.iter().any(|name| *path == format!("/proc/{name}"));
    // A container covers some of it by a device that swallows everything and tells nothing.
    let is_covered = |path: &String| fs::metadata(path).is_ok_and(|found| found.file_type().is_char_device());
    let mut paths = listed("/proc");
    paths.retain(|path| !is_of_a_process(path) && !is_shared(path));
    paths.extend(listed("/proc/sys"));
    paths.extend(listed("/proc/sys/kernel"));
    // At `sealed` these two hold nothing but the shared ones.
    let shared = ["/proc/sys", "/proc/sys/kernel", "/proc/sys/vm", "/proc/sys/kernel/random"];
    paths.retain(|path| !shared.contains(&path.as_str()));
    paths.retain(|path| !is_covered(path));
    paths.extend(["/proc/1", "/proc/1/environ", "/proc/1/root", "/proc/1/fd"].map(str::to_owned));
    let is_counter = |path: &str| {
        let found = fs::metadata(path).ok().filter(|found| path.matches('/').count() == 2 && found.is_file());
        found.is_some_and(|found| found.permissions().mode() & 0o004 != 0)
    };
    let words: Vec<&str> = ["read"].into_iter().chain(paths.iter().map(String::as_str)).collect();
    for level in confined() {
        let is_tried = |word: &&str| level == Isolation::Confined || !is_counter(word);
        let words: Vec<&str> = words.iter().copied().filter(is_tried).collect();
        let Some(mut game) = AttackGame::new(level, &words) else {
            return;
        };
        assert_eq!(game.successful(), [""; 0], "{level}");
        game.end();
    }
    // Without a seat most of it can be read; root would wait for messages of the kernel.
    let here = tempfile::tempdir().unwrap();
    let words: Vec<&str> = words.into_iter().filter(|path| *path != "/proc/kmsg").collect();
    if let Some(told) = without_isolation(here.path(), &words) {
        assert!(told.values().filter(|came| *came == "done").count() > 20, "{told:?}");
    }
}

/// The network's tables are in every process's own part of `/proc`: those of the machine, unless there is a network
/// without anything. And there are counters in `/sys`, which runtimes read to place their memory.
#[test]
fn the_machines_own_network_is_visible_unless_it_is_sealed() {
    const NODE: &str = "/sys/devices/system/node/node0/vmstat";
    let _listener = TcpListener::bind("127.0.0.1:0").unwrap();
    for level in levels() {
        let Some(mut game) = AttackGame::new(*level, &["lines", "/proc/self/net/tcp", NODE]) else {
            return;
        };
        let told = game.attempts();
        // One of them is the heading.
        let connections = told["/proc/self/net/tcp"].parse::<i32>().unwrap();
        assert_eq!(connections > 1, *level != Isolation::Sealed, "{level}: {told:?}");
        assert_eq!(told[NODE] == "-1", !Path::new(NODE).exists(), "{level}: {told:?}");
        game.end();
    }
}

/// What a program reads of its own folder, which is not copied into its working directory, tells the next game that it
/// was read: at `sealed` alone it does not.
#[test]
fn access_times_stay_where_it_is_sealed() {
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(123_456_789);
    let set = |path: &Path| {
        let times = FileTimes::new().set_accessed(long_ago);
        fs::File::options().write(true).open(path).unwrap().set_times(times).unwrap();
    };
    let accessed = |path: &Path| fs::metadata(path).unwrap().accessed().unwrap();
    let here = foreign_folder();
    let own = here.path().join("victim");
    set(&own);
    fs::read(&own).unwrap();
    if accessed(&own) == long_ago {
        skip(&FILE_TIMES, "this file system is mounted without access times");
        return;
    }
    for level in levels() {
        let Some(mut game) = AttackGame::new(*level, &["read", "FOLDER/victim"]) else {
            return;
        };
        let victim = game.folder().join("victim");
        set(&victim);
        assert_eq!(game.successful().len(), 1, "{level}");
        assert_eq!(accessed(&victim) == long_ago, *level == Isolation::Sealed, "{level}");
        game.end();
    }
}

#[test]
fn the_opponents_files_cannot_be_read() {
    for level in confined() {
        let Some(other) = AttackGame::new(level, &["who"]) else {
            return;
        };
        let opponents =
            [other.folder(), &other.opponent().directory().join("work")].map(|path| path.display().to_string());
        let Some(mut game) = AttackGame::new(level, &["read", &opponents[0], &opponents[1]]) else {
            return;
        };
        assert_eq!(game.successful(), [""; 0], "{level}");
        game.end();
        other.end();
    }
}

/// The reverse: a rule that forbids everything would pass all other tests.
#[test]
fn what_a_program_needs_can_be_read() {
    let needed = [
        "FOLDER",
        "FOLDER/victim",
        "/usr/lib",
        "/etc/passwd",
        "/dev/null",
        "/proc/self/status",
        "/proc/cpuinfo",
        ".",
        "input.txt",
    ];
    for level in levels() {
        let words: Vec<&str> = ["read"].into_iter().chain(needed).collect();
        let Some(mut game) = AttackGame::new(*level, &words) else {
            return;
        };
        assert_eq!(game.successful().len(), needed.len(), "{level}");
        game.end();
    }
}

/// All metadata of a folder that is visible from outside.
pub(crate) fn state(folder: &Path) -> Vec<(PathBuf, u32, u32, i64, i64, Vec<u8>)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.push(folder.to_owned());
    paths.sort();
    let state_of = |path: PathBuf| {
        let found = path.symlink_metadata().unwrap();
        let content = fs::read(&path).unwrap_or_default();
        (path, found.mode(), found.uid(), found.mtime(), found.ctime(), content)
    };
    paths.into_iter().map(state_of).collect()
}

#[test]
fn nothing_foreign_can_be_changed() {
    for level in confined() {
        let foreign = foreign_folder();
        let before = state(foreign.path());
        let Some(mut game) = AttackGame::new(level, &["write", foreign.path().to_str().unwrap()]) else {
            return;
        };
        assert_eq!(game.successful(), [""; 0], "{level}");
        assert_eq!(state(foreign.path()), before, "{level}");
        game.end();
    }
}

#[test]
fn a_programs_own_folder_cannot_be_changed() {
    for level in confined() {
        let Some(mut game) = AttackGame::new(level, &["write", "FOLDER"]) else {
            return;
        };
        let before = state(game.folder());
        assert_eq!(game.successful(), [""; 0], "{level}");
        assert_eq!(state(game.folder()), before, "{level}");
        game.end();
    }
}

#[test]
fn the_directory_around_the_working_directory_cannot_be_changed() {
    for level in confined() {
        let Some(mut game) = AttackGame::new(level, &["write", ".."]) else {
            return;
        };
        assert_eq!(game.successful(), [""; 0], "{level}");
        game.end();
    }
}

/// Only root can make a file for another user.
#[test]
fn a_program_does_not_change_its_user() {
    if !nix::unistd::geteuid().is_root() {
        skip(&ROOT, "only root can make a program that changes its user");
        return;
    }
    for level in levels() {
        let Some(mut game) = AttackGame::new(*level, &["setuid", "FOLDER/changing"]) else {
            return;
        };
        let changing = game.folder().join("changing");
        fs::copy(attacker().unwrap(), &changing).unwrap();
        std::os::unix::fs::chown(&changing, Some(65534), Some(65534)).unwrap();
        fs::set_permissions(&changing, PermissionsExt::from_mode(0o6755)).unwrap();
        assert_eq!(game.attempts()["changed"], "0", "{level}");
        game.end();
    }
}
