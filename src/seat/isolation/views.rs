//! What a program may see of the file system: the paths, and what may be done with each.
//!
//! What must always hold: nothing here belongs to another agent, to the referee's results or to the user's home, except
//! the folder of the program itself and the interpreter that runs it.

use std::path::{Path, PathBuf};

use crate::seat::Program;
use crate::seat::wire::SeatPurpose;

/// Where systems keep programs, libraries and their data.
const SYSTEM: [&str; 9] = [
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/bin",
    "/sbin",
    "/nix/store",
    "/gnu/store",
];

/// What loaders and runtimes read below `/etc`. Not all of it: root's own secrets are there.
const SETTINGS: [&str; 13] = [
    "/etc/alternatives",
    "/etc/group",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/timezone",
];

/// Of these, what a compiler has no use for: it repeats in its messages what it is told to include.
const ACCOUNTS: [&str; 2] = ["/etc/group", "/etc/passwd"];

/// And those whose names end in a version: `/etc/java-17-openjdk`.
const SETTINGS_BEGIN: [&str; 2] = ["java", "python"];

/// What runtimes ask of the machine.
const MACHINE: [&str; 2] = ["/sys/devices/system/cpu", "/sys/devices/system/node"];

/// Devices that hold nothing; what can be written to them is lost.
pub(super) const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// What belongs to an interpreter beside its folder of programs. Not all of the folder above: it may be anybody's home.
const INTERPRETER: [&str; 8] = [
    "bin",
    "lib",
    "lib64",
    "libexec",
    "share",
    "conf",
    "release",
    "pyvenv.cfg",
];

/// The paths that a program may read and execute, all of them there.
#[derive(Debug)]
pub(super) struct Views {
    readable: Vec<PathBuf>,
}

impl Views {
    /// What `program` may see.
    pub(super) fn of(program: &Program, purpose: SeatPurpose) -> Self {
        let wanted = |path: &&&str| purpose == SeatPurpose::Play || !ACCOUNTS.contains(*path);
        let settings = SETTINGS.iter().filter(wanted);
        let fixed = SYSTEM.iter().chain(settings).chain(&MACHINE).map(PathBuf::from);
        let mut readable: Vec<PathBuf> = fixed.chain(versioned_settings()).collect();
        readable.extend(program.folder.clone());
        if let Some(executable) = program.command.first().map(Path::new) {
            readable.extend(interpreter(executable, program.folder.as_deref()));
        }
        let mut readable: Vec<PathBuf> = readable.into_iter().filter(|path| path.exists()).collect();
        // What is in another one after it, by whatever links: `/bin/true` after `/usr`.
        readable.sort_by_key(|path| (path.components().count(), path.clone()));
        readable.dedup();
        Self { readable }
    }

    /// The paths, each after those that it is in.
    pub(super) fn readable(&self) -> impl Iterator<Item = &Path> {
        self.readable.iter().map(PathBuf::as_path)
    }
}

fn versioned_settings() -> Vec<PathBuf> {
    let Ok(settings) = std::fs::read_dir("/etc") else {
        return Vec::new();
    };
    let belongs = |name: &str| SETTINGS_BEGIN.iter().any(|begin| name.starts_with(begin));
    settings
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(belongs))
        .map(|entry| entry.path())
        .collect()
}

/// The executable by the path that it is called by and by its real one, each with what belongs to it where it is an
/// interpreter, which is where it is not a file of the program's own folder.
fn interpreter(executable: &Path, folder: Option<&Path>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in [Some(executable.to_owned()), executable.canonicalize().ok()]
        .into_iter()
        .flatten()
    {
        if folder.is_none_or(|folder| !path.starts_with(folder)) {
            found.extend(belongings(&path));
        }
        found.push(path);
    }
    found
}

fn belongings(executable: &Path) -> Vec<PathBuf> {
    let Some(programs) = executable.parent().filter(|folder| folder.ends_with("bin")) else {
        return Vec::new();
    };
    let above = programs.parent().unwrap_or(programs);
    INTERPRETER.iter().map(|name| above.join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(command: &Path, folder: Option<&Path>) -> Vec<PathBuf> {
        let program = Program {
            command: vec![command.into()],
            folder: folder.map(Path::to_owned),
            ..Program::default()
        };
        Views::of(&program, SeatPurpose::Play)
            .readable()
            .map(Path::to_owned)
            .collect()
    }

    #[test]
    fn an_interpreter_brings_its_libraries_and_nothing_else_of_the_home_it_is_in() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        for folder in ["bin", "lib", "papers"] {
            std::fs::create_dir(home.join(folder)).unwrap();
        }
        let python = home.join("bin/python3");
        std::fs::write(&python, "").unwrap();
        let seen = seen(&python, None);
        for expected in ["bin", "lib", "bin/python3"] {
            assert!(seen.contains(&home.join(expected)), "{expected}: {seen:?}");
        }
        assert!(
            !seen
                .iter()
                .any(|path| path == &home || path.starts_with(home.join("papers")))
        );
    }

    #[test]
    fn a_program_of_its_own_folder_brings_that_folder() {
        let home = tempfile::tempdir().unwrap();
        let bin = home.path().join("bin");
        std::fs::create_dir(&bin).unwrap();
        std::fs::create_dir(home.path().join("lib")).unwrap();
        let seen = seen(&bin.join("agent"), Some(&bin));
        assert!(
            seen.contains(&bin) && !seen.contains(&home.path().join("lib")),
            "{seen:?}"
        );
    }

    #[test]
    fn what_is_secret_in_settings_is_not_seen() {
        let seen = seen(Path::new("/bin/true"), None);
        for secret in ["/etc", "/etc/shadow", "/etc/ssl/private", "/root", "/home", "/"] {
            assert!(!seen.iter().any(|path| path == Path::new(secret)), "{secret}");
        }
    }
}
