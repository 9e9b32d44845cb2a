//! Captures a program's standard error, and a compiler's standard output too. It is read to the end, so that the
//! program never blocks. The end is kept for an agent; the beginning for a compiler, whose first error matters. It
//! interprets nothing; `launcher` and `watch` use it.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::unistd::{pipe2, read};

/// Which part of the output is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeptPart {
    /// The last 2 KiB.
    End,
    /// The first 64 KiB.
    Beginning,
}

impl KeptPart {
    const fn bytes(self) -> usize {
        match self {
            Self::End => 2 << 10,
            Self::Beginning => 64 << 10,
        }
    }
}

/// The pipe of a program's standard error, new for each run.
#[derive(Debug)]
pub(super) struct StderrPipe {
    keep: KeptPart,
    pipe: OwnedFd,
    /// The program's end. Kept here too, so that nobody who waits for this pipe wakes up because the program closed it.
    theirs: OwnedFd,
    kept: Vec<u8>,
}

impl StderrPipe {
    pub(super) fn open(keep: KeptPart) -> nix::Result<Self> {
        let (pipe, theirs) = pipe2(OFlag::O_CLOEXEC)?;
        // Only this end: a program may expect to write without `EAGAIN`.
        fcntl(&pipe, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        Ok(Self { keep, pipe, theirs, kept: Vec::new() })
    }

    /// The program's end.
    pub(super) fn theirs(&self) -> BorrowedFd<'_> {
        self.theirs.as_fd()
    }

    /// Reads once; returns whether more may be available now.
    pub(super) fn drain(&mut self) -> bool {
        let mut portion = [0; 4 << 10];
        // An error is nearly always `EAGAIN`: there is nothing.
        let length = read(&self.pipe, &mut portion).unwrap_or(0);
        self.take(&portion[..length]);
        length == portion.len()
    }

    fn take(&mut self, portion: &[u8]) {
        let most = self.keep.bytes();
        match self.keep {
            KeptPart::End => {
                let portion = &portion[portion.len().saturating_sub(most)..];
                let surplus = (self.kept.len() + portion.len()).saturating_sub(most);
                self.kept.drain(..surplus);
                self.kept.extend_from_slice(portion);
            }
            KeptPart::Beginning => {
                let room = most.saturating_sub(self.kept.len());
                self.kept.extend_from_slice(&portion[..portion.len().min(room)]);
            }
        }
    }

    /// Takes the kept text, lossy and no longer than the limit.
    pub(super) fn take_text(&mut self) -> String {
        // Bounded: a pipe holds 64 KiB, unless a process outside the run keeps writing.
        for _ in 0..64 {
            if !self.drain() {
                break;
            }
        }
        let kept = std::mem::take(&mut self.kept);
        match self.keep {
            KeptPart::End => last_text(&kept),
            KeptPart::Beginning => first_text(&kept),
        }
    }
}

impl AsFd for StderrPipe {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }
}

fn last_text(kept: &[u8]) -> String {
    let most = KeptPart::End.bytes();
    // The cut may have split a character; drop the rest of it.
    let is_rest = |byte: &u8| byte & 0b1100_0000 == 0b1000_0000;
    let rest = if kept.len() == most { kept.iter().take(3).take_while(|byte| is_rest(byte)).count() } else { 0 };
    let text = String::from_utf8_lossy(&kept[rest..]);
    // A replacement character is longer than the byte that it replaces.
    let mut start = text.len().saturating_sub(most);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text[start..].to_owned()
}

fn first_text(kept: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(kept).into_owned();
    let most = KeptPart::Beginning.bytes();
    if kept.len() == most {
        // The cut may have split a character here too.
        while text.ends_with('\u{fffd}') {
            text.pop();
        }
    }
    text.truncate(text.floor_char_boundary(most));
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn of_any_bytes_the_right_part_is_kept_within_its_bound(
            portions: Vec<Vec<u8>>,
            filler in prop_oneof![0_usize..5000, 65_000_usize..66_000],
        ) {
            for keep in [KeptPart::End, KeptPart::Beginning] {
                let mut pipe = StderrPipe::open(keep).unwrap();
                let mut all = vec![b'x'; filler];
                pipe.take(&all);
                for portion in &portions {
                    pipe.take(portion);
                    all.extend(portion);
                }
                let is_right = match keep {
                    KeptPart::End => all.ends_with(&pipe.kept),
                    KeptPart::Beginning => all.starts_with(&pipe.kept),
                };
                prop_assert!(is_right, "{:?}", keep);
                prop_assert_eq!(pipe.kept.len(), all.len().min(keep.bytes()));
                prop_assert!(pipe.take_text().len() <= keep.bytes());
            }
        }
    }

    #[test]
    fn a_character_cut_in_two_is_left_out() {
        let text = format!("é{}", "x".repeat(KeptPart::End.bytes() - 1));
        let kept = &text.as_bytes()[1..];
        assert_eq!(last_text(kept), "x".repeat(KeptPart::End.bytes() - 1));
        let text = format!("{}é", "x".repeat(KeptPart::Beginning.bytes() - 1));
        let kept = &text.as_bytes()[..KeptPart::Beginning.bytes()];
        assert_eq!(first_text(kept), "x".repeat(KeptPart::Beginning.bytes() - 1));
    }
}
