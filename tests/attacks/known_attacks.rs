//! Known attacks on other sandboxes and graders, by their published names.
//!
//! A test that cannot fail proves nothing. So each attack is also shown to succeed: against a naive host in a few lines
//! of the test, or without a seat.

use std::fs;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Stdio};

use nix::unistd::{Gid, Uid, geteuid, getgroups, setgroups};
use referee_seat::{Isolation, OutputFile, Termination};
use tempfile::TempDir;

use crate::attack_game::{AttackGame, attacker, content, own_folder, without_isolation};
use crate::files::{confined, foreign_folder, state};
use crate::kernels::in_container;
use crate::levels::levels;
use crate::skips::{MOUNTS, ROOT, skip};

// --- leaked descriptors: CVE-2024-21626 (runc) ---

#[test]
fn a_program_has_three_descriptors_and_none_of_them_leads_anywhere() {
    for level in levels() {
        let Some(mut game) = AttackGame::new(*level, &["descriptors"]) else {
            return;
        };
        let told = game.attempts();
        let numbers: Vec<&str> = told.keys().map(String::as_str).collect();
        assert_eq!(numbers, ["0", "1", "2"], "{level}: {told:?}");
        assert_eq!((told["0"].as_str(), told["1"].as_str()), ("/dev/null", "/dev/null"), "{level}");
        assert!(told["2"].starts_with("pipe:["), "{level}: {told:?}");
        game.end();
    }
}

#[test]
fn a_naive_host_leaks_a_descriptor() {
    let folder = tempfile::tempdir().unwrap();
    let secret = fs::File::open("/").unwrap();
    // A host that opens a directory without close-on-exec.
    let leaked = nix::unistd::dup(&secret).unwrap();
    let Some(told) = without_isolation(folder.path(), &["descriptors"]) else {
        return;
    };
    assert_eq!(told.get(&leaked.as_raw_fd().to_string()).map(String::as_str), Some("/"));
}

// --- overwriting the runtime: CVE-2019-5736 (runc) ---

#[test]
fn the_keeper_cannot_be_overwritten() {
    let keeper = Path::new(env!("CARGO_BIN_EXE_referee"));
    let before = (fs::metadata(keeper).unwrap().len(), fs::metadata(keeper).unwrap().mtime());
    for level in levels() {
        let Some(mut game) = AttackGame::new(*level, &["runtime"]) else {
            return;
        };
        assert_eq!(game.successful(), [""; 0], "{level}");
        game.end();
    }
    let after = (fs::metadata(keeper).unwrap().len(), fs::metadata(keeper).unwrap().mtime());
    assert_eq!(after, before);
}

#[test]
fn a_naive_runtime_is_overwritten() {
    let Some(attacker) = attacker() else { return };
    let folder = own_folder(attacker);
    let runtime = folder.path().join("runtime");
    fs::copy(attacker, &runtime).unwrap();
    let started = Command::new(&runtime)
        .args(["naive-runtime", "./attacks"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .output()
        .unwrap();
    // Its output ends with the last process that holds it, the attacker.
    assert!(started.status.success());
    assert_eq!(fs::read(&runtime).unwrap(), b"owned");
}

// --- switches of the machine: CVE-2022-0492 (release_agent), CVE-2025-31133, -52565, -52881 (masked paths) ---

#[test]
fn the_switches_of_the_machine_are_out_of_reach() {
    for level in levels() {
        let Some(mut game) = AttackGame::new(*level, &["machine-files"]) else {
            return;
        };
        let done = game.successful();
        match (level, geteuid().is_root()) {
            // A container masks some of them, and its first process is this user's.
            (Isolation::Bare, _) if in_container() => {}
            // Root owns them, so only isolation prevents it: the attack is real.
            (Isolation::Bare, true) => {
                for reached in ["/proc/sys/kernel/core_pattern", "/dev", "/usr/lib"] {
                    assert!(done.iter().any(|name| name == reached), "{done:?}");
                }
            }
            (Isolation::Bare, false) => {
                let own = |name: &String| name.starts_with("/sys/fs/cgroup/");
                assert!(done.iter().all(own), "{done:?}");
            }
            (Isolation::Confined | Isolation::Sealed, _) => assert_eq!(done, [""; 0], "{level}"),
        }
        game.end();
    }
}

#[test]
fn what_looks_like_a_device_is_one() {
    for level in levels() {
        let Some(mut game) = AttackGame::new(*level, &["masks"]) else {
            return;
        };
        assert!(game.attempts().values().all(|is_one| is_one == "1"), "{level}");
        game.end();
    }
}

// --- supplementary groups: CVE-2023-25173 (containerd) ---

/// A group that no user of this machine is in.
const FOREIGN_GROUP: u32 = 54_321;

/// Only root has groups to drop; an ordinary user keeps his.
#[test]
fn of_roots_groups_none_is_left() {
    if !geteuid().is_root() {
        skip(&ROOT, "only root can give groups away");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    fs::write(&secret, "of the group").unwrap();
    std::os::unix::fs::chown(&secret, Some(65_534), Some(FOREIGN_GROUP)).unwrap();
    fs::set_permissions(&secret, PermissionsExt::from_mode(0o040)).unwrap();
    fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let mut groups = getgroups().unwrap();
    groups.push(Gid::from_raw(FOREIGN_GROUP));
    setgroups(&groups).unwrap();
    let words = ["groups", secret.to_str().unwrap()];
    for level in levels() {
        let Some(mut game) = AttackGame::new(*level, &words) else {
            return;
        };
        let told = game.attempts();
        assert_eq!(told["others"], "0", "{level}");
        assert_ne!(told["read"], "done", "{level}");
        game.end();
    }
    // Without a seat, the group alone would make it readable even without privileges.
    let Some(told) = without_isolation(folder.path(), &words) else {
        return;
    };
    assert_ne!(told["others"], "0");
}

// --- planted links: CVE-2024-28185, CVE-2024-28189 (judge0) ---

/// A host that trusts files left by a submission: each access would follow a link.
fn host_naively(folder: &Path, victim: &Path) {
    let secret = fs::read_to_string(victim).unwrap();
    assert_eq!(fs::read_to_string(folder.join("output.txt")).unwrap(), secret, "read");
    fs::set_permissions(folder.join("playdata.txt"), PermissionsExt::from_mode(0o777)).unwrap();
    assert_eq!(fs::metadata(victim).unwrap().mode() & 0o777, 0o777, "mode");
    if geteuid().is_root() {
        nix::unistd::chown(&folder.join("playdata.txt"), Some(Uid::from_raw(65_534)), None).unwrap();
        assert_eq!(fs::metadata(victim).unwrap().uid(), 65_534, "owner");
    }
    fs::write(folder.join("input.txt"), "the next turn").unwrap();
    assert_eq!(fs::read_to_string(victim).unwrap(), "the next turn", "written");
    fs::copy(folder.join("homework.py"), folder.join("folder").join("planted")).unwrap();
    assert!(victim.with_file_name("planted").exists(), "copied into");
    for entry in fs::read_dir(folder.join("tree/folder")).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
    assert!(!victim.exists(), "cleaned up");
}

#[test]
fn a_naive_host_follows_planted_links() {
    let (folder, foreign) = (tempfile::tempdir().unwrap(), foreign_folder());
    if without_isolation(folder.path(), &["plant-links", foreign.path().to_str().unwrap()]).is_none() {
        return;
    }
    host_naively(folder.path(), &foreign.path().join("victim"));
}

#[test]
#[ignore = "long: more of its family"]
fn planted_links_are_followed_by_nobody() {
    for level in levels() {
        for last in ["", "swap"] {
            let foreign = foreign_folder();
            let before = state(foreign.path());
            let words = ["plant-links", foreign.path().to_str().unwrap(), last];
            let Some(mut game) = AttackGame::new(*level, &words) else {
                return;
            };
            // The second run meets what the first has left, and the end what the second has.
            for _ in 0..2 {
                let run = game.run();
                assert_eq!(run.ended, Termination::Exited { status: 0 }, "{level}: {}", run.stderr);
                let found = "a symbolic link".to_owned();
                assert_eq!(run.output, OutputFile::NotAFile { found }, "{level}");
            }
            game.end();
            assert_eq!(state(foreign.path()), before, "{level}");
        }
    }
}

// --- an answer that changes under the eyes of the reader ---

/// Checks first and then reads: the vulnerable pattern.
fn read_naively(output: &Path) -> Option<String> {
    let is_file = output.symlink_metadata().is_ok_and(|found| found.is_file());
    is_file.then(|| fs::read_to_string(output).ok()).flatten()
}

#[test]
fn a_naive_host_reads_what_a_child_has_swapped_in() {
    let Some(attacker) = attacker() else { return };
    let (folder, foreign) = (TempDir::new().unwrap(), foreign_folder());
    let secret = fs::read_to_string(foreign.path().join("victim")).unwrap();
    let mut session = Command::new("/usr/bin/setsid")
        .arg(attacker)
        .args(["swap-output", foreign.path().to_str().unwrap()])
        .current_dir(folder.path())
        .spawn()
        .unwrap();
    assert!(session.wait().unwrap().success());
    let output = folder.path().join("output.txt");
    // The child swaps forever, so this ends; the child ends when its folder is gone.
    while read_naively(&output).as_deref() != Some(secret.as_str()) {}
    while folder.path().exists() {
        drop(fs::remove_dir_all(folder.path()));
    }
}

#[test]
#[ignore = "long: more of its family"]
fn an_answer_does_not_change_when_the_program_has_ended() {
    for level in levels() {
        let foreign = foreign_folder();
        let before = state(foreign.path());
        let Some(mut game) = AttackGame::new(*level, &["swap-output", foreign.path().to_str().unwrap()]) else {
            return;
        };
        for _ in 0..20 {
            let run = game.run();
            assert_eq!((run.ended.clone(), run.survivors), (Termination::Exited { status: 0 }, 1), "{level}");
            match &run.output {
                OutputFile::Content { .. } => assert!(["mine\n", ""].contains(&content(&run).as_str()), "{level}"),
                other => assert!(matches!(other, OutputFile::NotAFile { .. }), "{level}: {other:?}"),
            }
        }
        game.end();
        assert_eq!(state(foreign.path()), before, "{level}");
    }
}

// --- a directory that is another one when it is mounted on: CVE-2025-31133, -52565, -52881 (runc) ---

/// The attacker racing for the path `work` of a folder, until the folder is gone.
struct Race {
    place: TempDir,
    foreign: TempDir,
}

impl Race {
    fn begin() -> Option<Self> {
        let (place, foreign) = (TempDir::new().unwrap(), foreign_folder());
        fs::create_dir(place.path().join("work")).unwrap();
        let mut session = Command::new("/usr/bin/setsid")
            .arg(attacker()?)
            .args(["race-directory", foreign.path().to_str().unwrap()])
            .current_dir(place.path().join("work"))
            .spawn()
            .unwrap();
        assert!(session.wait().unwrap().success());
        Some(Self { place, foreign })
    }

    fn work(&self) -> std::path::PathBuf {
        self.place.path().join("work")
    }
}

impl Drop for Race {
    fn drop(&mut self) {
        while self.place.path().exists() {
            drop(fs::remove_dir_all(self.place.path()));
        }
    }
}

#[test]
fn a_naive_host_mounts_on_what_a_child_has_swapped_in() {
    let Some(race) = Race::begin() else { return };
    let host = TempDir::new().unwrap();
    let (work, foreign) = (race.work(), race.foreign.path());
    let words = ["naive-mount", work.to_str().unwrap(), foreign.to_str().unwrap()];
    let Some(told) = without_isolation(host.path(), &words) else {
        return;
    };
    if told["namespace"] != "done" || told.contains_key("mount") {
        skip(&MOUNTS, format!("nothing can be mounted: {told:?}"));
        return;
    }
    assert_eq!(told["hidden"], "done");
}

#[test]
fn a_naive_host_writes_where_a_child_has_led_it() {
    let Some(race) = Race::begin() else { return };
    // The child swaps forever, so this ends.
    while !race.foreign.path().join("input.txt").exists() {
        drop(fs::write(race.work().join("input.txt"), "the next turn"));
    }
}

/// While a seat mounts and copies, no attacking process is alive: everything mounted and copied is new.
#[test]
#[ignore = "long: more of its family"]
fn no_child_races_the_host() {
    for level in levels() {
        let foreign = foreign_folder();
        let before = state(foreign.path());
        let Some(mut game) = AttackGame::new(*level, &["race-directory", foreign.path().to_str().unwrap()]) else {
            return;
        };
        for _ in 0..20 {
            let run = game.run();
            assert_eq!(
                (run.ended.clone(), run.survivors),
                (Termination::Exited { status: 0 }, 1),
                "{level}: {}",
                run.stderr
            );
            assert_eq!(content(&run), "mine\n", "{level}");
        }
        game.end();
        assert_eq!(state(foreign.path()), before, "{level}");
    }
}

// --- the host's environment ---

/// The environment documented in `docs/students.md`, with `work` as working directory.
fn documented_environment(work: &str) -> String {
    let page = include_str!("../../docs/students.md");
    let (_, table) = page.split_once("| variable | value |").unwrap();
    let rows = table.lines().skip(2).take_while(|row| row.starts_with("| `"));
    let cells = rows.map(|row| row.trim_matches(['|', ' ']).split_once(" | ").unwrap());
    let variable = |(name, value): (&str, &str)| match value.strip_prefix("the working directory") {
        Some(_) => format!("{}={work}\0", name.trim_matches('`')),
        None => format!("{}={}\0", name.trim_matches('`'), value.trim_matches('`')),
    };
    cells.map(variable).collect()
}

#[test]
fn the_environment_is_the_documented_one_byte_by_byte() {
    for level in levels() {
        let Some(mut game) = AttackGame::new(*level, &["environment"]) else {
            return;
        };
        let work = game.directory().join("work").display().to_string();
        assert_eq!(content(&game.run()), documented_environment(&work), "{level}");
        game.end();
    }
}

#[test]
fn a_naive_host_passes_its_environment_on() {
    let Some(attacker) = attacker() else { return };
    let folder = TempDir::new().unwrap();
    let work = folder.path().to_str().unwrap();
    let started =
        Command::new(attacker).arg("environment").current_dir(work).env("HOME", work).env("TOKEN", "secret").status();
    assert!(started.unwrap().success());
    let found = fs::read_to_string(folder.path().join("output.txt")).unwrap();
    assert_ne!(found, documented_environment(work));
    assert!(found.split('\0').any(|variable| variable == "TOKEN=secret"), "{found}");
}

// --- running what was not handed in ---

/// The kernel's file rules stop `execve`, but not reading a file into memory and executing it there, as the system's
/// loader and every interpreter do; only a file system without execute permission does.
#[test]
fn what_a_program_writes_is_not_run() {
    for level in confined() {
        let Some(mut game) = AttackGame::new(level, &["load-written"]) else {
            return;
        };
        let told = game.attempts();
        assert_eq!(told["execute"], "EACCES", "{level}");
        let loaded = [told["loader"] == "done", told["map"] == "done"];
        assert_eq!(loaded, [level == Isolation::Confined; 2], "{level}: {told:?}");
        // Java compiles as it runs.
        assert_eq!(told["memory"], "done", "{level}");
        game.end();
    }
}
