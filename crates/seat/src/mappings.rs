//! The mappings of a process, as the lines of `/proc/PID/maps` show them (proc(5)).
//!
//! `limiter` counts shared memory by them, `unlinked` deleted files. A line that cannot be read is no mapping.

/// One mapping of a file or of shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mapping<'a> {
    /// The major and minor number of its device.
    pub(super) device: (u64, u64),
    pub(super) inode: u64,
    /// The offset in the file behind the last mapped byte: the file was at least as large.
    pub(super) end: u64,
    /// As the kernel prints it; a program can choose what is printed for memory without a file (`PR_SET_VMA`).
    pub(super) path: &'a str,
}

impl<'a> Mapping<'a> {
    pub(super) fn read(line: &'a str) -> Option<Self> {
        let number = |text: &str| u64::from_str_radix(text, 16).ok();
        let mut fields = line.splitn(6, ' ');
        let (start, end) = fields.next()?.split_once('-')?;
        let length = number(end)?.checked_sub(number(start)?)?;
        let offset = number(fields.nth(1)?)?;
        let (major, minor) = fields.next()?.split_once(':')?;
        Some(Self {
            device: (number(major)?, number(minor)?),
            inode: fields.next()?.parse().ok()?,
            end: offset.checked_add(length)?,
            path: fields.next()?.trim_start(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_is_read_from_its_line() {
        let line = "7f01a000-7f02a000 rw-s 00001000 08:1f 1055 /tmp/a b/file (deleted)";
        let expected = Mapping { device: (8, 31), inode: 1055, end: 0x11000, path: "/tmp/a b/file (deleted)" };
        assert_eq!(Mapping::read(line), Some(expected));
        let padded = "7f01a000-7f02a000 rw-s 00000000 00:01 7                    /dev/zero (deleted)";
        let expected = Mapping { device: (0, 1), inode: 7, end: 0x10000, path: "/dev/zero (deleted)" };
        assert_eq!(Mapping::read(padded), Some(expected));
        for other in ["", "7f01a000-7f02a000 rw-p 00000000", "80-7f r--p 0 08:01 9 /usr/lib/libc.so.6"] {
            assert_eq!(Mapping::read(other), None, "{other}");
        }
    }
}
