//! Where builds of rules programs are cached: a folder of this user.
//!
//! `launch` calls it. Compiling rules in C++ or Java takes longer than most commands that use them. A run's own folder
//! caches the builds of its agents; rules are used outside runs, too. Nothing depends on what is here: a missing or
//! damaged entry is built anew. It must not grow without limit, and nobody else may write to it, because these programs
//! judge.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use nix::unistd::geteuid;

/// How many builds stay: an author needs the latest, and a program in C++ takes some hundred KB.
const MAX_ENTRIES: usize = 32;

/// The folder, by the [XDG Base Directory Specification], made if it is missing; `None` if this user has none.
///
/// [XDG Base Directory Specification]: https://specifications.freedesktop.org/basedir-spec/latest/
pub(super) fn folder() -> Option<PathBuf> {
    private(folder_for(std::env::var_os("XDG_CACHE_HOME"), std::env::var_os("HOME"))?)
}

/// The folder, if it belongs to this user, and nobody else may write to it.
fn private(folder: PathBuf) -> Option<PathBuf> {
    const OTHERS_WRITE: u32 = 0o022;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).ok()?;
    let found = fs::symlink_metadata(&folder).ok()?;
    let is_own = found.is_dir() && found.uid() == geteuid().as_raw() && found.mode() & OTHERS_WRITE == 0;
    is_own.then_some(folder)
}

/// Relative paths must be ignored.
fn folder_for(cache: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let absolute = |path: Option<OsString>| path.map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute(cache).or_else(|| Some(absolute(home)?.join(".cache")))?;
    Some(cache.join("referee/rules"))
}

/// Removes all entries but the latest. Another command may do the same.
pub(super) fn prune(folder: &Path) {
    let written = |path: &Path| fs::metadata(path).and_then(|found| found.modified()).ok();
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<(SystemTime, PathBuf)> =
        entries.filter_map(|entry| Some((written(&entry.path())?, entry.path()))).collect();
    entries.sort_unstable();
    entries.reverse();
    for (_, path) in entries.iter().skip(MAX_ENTRIES) {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_folder_is_the_users() {
        let folder = |cache: &str, home: &str| {
            let path = |path: &str| Some(OsString::from(path)).filter(|path| !path.is_empty());
            folder_for(path(cache), path(home))
        };
        assert_eq!(folder("/c", "/home/ada"), Some("/c/referee/rules".into()));
        assert_eq!(folder("c", "/home/ada"), Some("/home/ada/.cache/referee/rules".into()));
        assert_eq!(folder("", "/home/ada"), Some("/home/ada/.cache/referee/rules".into()));
        assert_eq!(folder("", "ada"), None);
        assert_eq!(folder("", ""), None);
    }

    #[test]
    fn a_folder_to_which_others_may_write_is_not_used() {
        let within = tempfile::tempdir().unwrap();
        let folder = within.path().join("cache/referee/rules");
        assert_eq!(private(folder.clone()).as_ref(), Some(&folder));
        assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o770)).unwrap();
        assert_eq!(private(folder), None);
        let link = within.path().join("link");
        std::os::unix::fs::symlink(within.path(), &link).unwrap();
        assert_eq!(private(link), None);
    }

    #[test]
    fn the_latest_builds_stay() {
        let folder = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        for age in 0..MAX_ENTRIES + 5 {
            let file = fs::File::create(folder.path().join(format!("{age}.built"))).unwrap();
            let written = now - Duration::from_secs(60 * age as u64);
            file.set_modified(written).unwrap();
        }
        prune(folder.path());
        let left = |age: usize| folder.path().join(format!("{age}.built")).exists();
        assert!((0..MAX_ENTRIES).all(left));
        assert!(!(MAX_ENTRIES..MAX_ENTRIES + 5).any(left));
        prune(&folder.path().join("missing"));
    }
}
