//! What a program says on its standard error: read to the last byte, so that it never blocks, and the end of it kept.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::unistd::{pipe2, read};

/// How much of it is kept.
const KEPT_BYTES: usize = 2 << 10;

/// The reading end of a program's standard error, a new one for each run.
#[derive(Debug)]
pub(super) struct StderrPipe {
    pipe: OwnedFd,
    kept: Vec<u8>,
    open: bool,
}

impl StderrPipe {
    /// A pipe, and the end that is to be given to the program.
    pub(super) fn open() -> nix::Result<(Self, OwnedFd)> {
        let (pipe, theirs) = pipe2(OFlag::O_CLOEXEC)?;
        // Of the two ends only this one: a program may expect that it can write without `EAGAIN`.
        fcntl(&pipe, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        let pipe = Self {
            pipe,
            kept: Vec::new(),
            open: true,
        };
        Ok((pipe, theirs))
    }

    /// Whether there may be more to come: not after the program has closed its end.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Reads one portion of what is there, and tells whether there may be more right now.
    pub(super) fn drain(&mut self) -> bool {
        let mut portion = [0; 16 << 10];
        match read(&self.pipe, &mut portion) {
            Ok(0) => self.open = false,
            Ok(length) => {
                self.keep(&portion[..length]);
                return length == portion.len();
            }
            Err(Errno::EAGAIN | Errno::EINTR) => {}
            Err(_) => self.open = false,
        }
        false
    }

    fn keep(&mut self, portion: &[u8]) {
        let portion = &portion[portion.len().saturating_sub(KEPT_BYTES)..];
        let surplus = (self.kept.len() + portion.len()).saturating_sub(KEPT_BYTES);
        self.kept.drain(..surplus);
        self.kept.extend_from_slice(portion);
    }

    /// The end of all that was said, lossy, at most `KEPT_BYTES` long.
    pub(super) fn into_text(mut self) -> String {
        // Bounded, for a pipe holds 64 KiB unless somebody who is not of the agent's processes goes on writing.
        for _ in 0..64 {
            if !self.drain() {
                break;
            }
        }
        last_text(&self.kept)
    }
}

impl AsFd for StderrPipe {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }
}

fn last_text(kept: &[u8]) -> String {
    // The cut may have gone through a character; its rest is no information.
    let is_rest = |byte: &u8| byte & 0b1100_0000 == 0b1000_0000;
    let rest = match kept.len() {
        KEPT_BYTES => kept.iter().take(3).take_while(|byte| is_rest(byte)).count(),
        _ => 0,
    };
    let text = String::from_utf8_lossy(&kept[rest..]);
    // A replacement character is longer than the byte that it stands for.
    let mut start = text.len().saturating_sub(KEPT_BYTES);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text[start..].to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_end_of_any_bytes_is_kept_within_its_bound(portions: Vec<Vec<u8>>, filler in 0_usize..5000) {
            let (mut pipe, _theirs) = StderrPipe::open().unwrap();
            let mut all = vec![b'x'; filler];
            pipe.keep(&all);
            for portion in &portions {
                pipe.keep(portion);
                all.extend(portion);
            }
            prop_assert!(all.ends_with(&pipe.kept));
            prop_assert_eq!(pipe.kept.len(), all.len().min(KEPT_BYTES));
            prop_assert!(pipe.into_text().len() <= KEPT_BYTES);
        }
    }

    #[test]
    fn a_character_cut_in_two_is_left_out() {
        let text = format!("é{}", "x".repeat(KEPT_BYTES - 1));
        let kept = &text.as_bytes()[1..];
        assert_eq!(last_text(kept), "x".repeat(KEPT_BYTES - 1));
    }
}
