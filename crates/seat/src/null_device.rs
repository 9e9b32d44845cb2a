//! `/dev/null`, which every program has as its stdin: where it is not the device, no game can be played.

use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

/// Why `path` cannot serve as `/dev/null`, and the remedy; `None` where it is a device.
///
/// Containers and clumsy scripts leave a regular file there: opened for writing from a read-only root it is refused
/// (`EROFS`), and the refusal does not say which file it is about.
pub(super) fn complaint(path: &Path) -> Option<String> {
    let shown = path.display();
    let what = match fs::metadata(path) {
        Ok(found) if found.file_type().is_char_device() => return None,
        Ok(_) => format!("`{shown}` is not a device"),
        Err(error) => format!("cannot use `{shown}`: {error}"),
    };
    Some(format!("{what}; recreate it as root: `rm -f {shown} && mknod -m 666 {shown} c 1 3`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regular_file_is_named_with_the_remedy() {
        assert_eq!(complaint(Path::new("/dev/null")), None);
        let file = tempfile::NamedTempFile::new().unwrap();
        let path = file.path().display();
        assert_eq!(
            complaint(file.path()).unwrap(),
            format!("`{path}` is not a device; recreate it as root: `rm -f {path} && mknod -m 666 {path} c 1 3`")
        );
        let missing = complaint(Path::new("/no/null")).unwrap();
        assert!(missing.starts_with("cannot use `/no/null`: No such file"), "{missing}");
    }
}
