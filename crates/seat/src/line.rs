//! The line to a living program: its standard input and output, two pipes, with questions written and answers read.
//!
//! A question is a text and an empty line. An answer ends at the first empty line after a line that is not blank; blank
//! lines before it are skipped. Nothing here blocks: the keeper must never wait for a program that does not read or
//! write. It judges nothing; `keeper` asks, `watch` reads and writes. What a program wrote after its answer must be
//! found before the next question ([`AgentLine::unasked`]).

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::unistd::{pipe2, read, write};

/// The most to read at once, so that a program that never stops writing does not keep the keeper.
const PORTION: usize = 16 << 10;

/// The keeper's ends of the pipes.
#[derive(Debug)]
pub(super) struct AgentLine {
    /// `None` once closed, by either side.
    input: Option<OwnedFd>,
    /// `None` once the program, and all that it started, have closed theirs.
    output: Option<OwnedFd>,
    /// The rest of the question.
    question: Vec<u8>,
    answer: AnswerReader,
}

/// The program's ends.
#[derive(Debug)]
pub(super) struct ProgramEnds {
    pub(super) stdin: OwnedFd,
    pub(super) stdout: OwnedFd,
}

/// What reading has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineEvent {
    /// The answer is not finished.
    Nothing,
    /// It is.
    Answered,
    /// It is longer than allowed.
    TooLong,
}

impl AgentLine {
    /// A line for answers of at most `most` bytes.
    pub(super) fn open(most: u64) -> nix::Result<(Self, ProgramEnds)> {
        let (stdin, input) = pipe2(OFlag::O_CLOEXEC)?;
        let (output, stdout) = pipe2(OFlag::O_CLOEXEC)?;
        // Only these ends: a program may expect to read and write without `EAGAIN`.
        for end in [&input, &output] {
            fcntl(end, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        }
        let answer = AnswerReader::new(usize::try_from(most).unwrap_or(usize::MAX));
        let line = Self { input: Some(input), output: Some(output), question: Vec::new(), answer };
        Ok((line, ProgramEnds { stdin, stdout }))
    }

    /// Begins to ask `text`.
    pub(super) fn ask(&mut self, text: &str) {
        self.question = text.as_bytes().to_vec();
        if !text.ends_with('\n') {
            self.question.push(b'\n');
        }
        self.question.push(b'\n');
        self.write();
    }

    /// Where the rest of the question can be written, if there is one.
    pub(super) fn wants_to_write(&self) -> Option<BorrowedFd<'_>> {
        self.input.as_ref().filter(|_| !self.question.is_empty()).map(AsFd::as_fd)
    }

    /// Where an answer can be read, unless the program has closed its end.
    pub(super) fn wants_to_read(&self) -> Option<BorrowedFd<'_>> {
        self.output.as_ref().map(AsFd::as_fd)
    }

    /// Whether no answer can come any more.
    pub(super) const fn is_closed(&self) -> bool {
        self.output.is_none()
    }

    /// Writes as much of the question as the program has room for.
    pub(super) fn write(&mut self) {
        let Some(input) = &self.input else {
            return;
        };
        match write(input, &self.question) {
            Ok(written) => drop(self.question.drain(..written)),
            Err(Errno::EAGAIN | Errno::EINTR) => {}
            // The program has closed its standard input; it ends, or is guarded.
            Err(_) => self.input = None,
        }
    }

    /// Reads once.
    pub(super) fn read(&mut self) -> LineEvent {
        let mut portion = [0; PORTION];
        match self.output.as_ref().map(|output| read(output, &mut portion)) {
            Some(Ok(length @ 1..)) => self.answer.push(&portion[..length]),
            Some(Err(Errno::EAGAIN | Errno::EINTR)) | None => LineEvent::Nothing,
            Some(Ok(_) | Err(_)) => {
                self.output = None;
                LineEvent::Nothing
            }
        }
    }

    /// Reads what has come and is not read yet, up to an answer or to what may have come.
    pub(super) fn read_all(&mut self) -> LineEvent {
        // As much as a pipe holds: a process that survives the program could write for ever.
        for _ in 0..=(1 << 20) / PORTION {
            let before = self.answer.text.len();
            match self.read() {
                LineEvent::Nothing if self.answer.text.len() > before => {}
                other => return other,
            }
        }
        LineEvent::Nothing
    }

    /// Takes the finished answer.
    pub(super) fn take_answer(&mut self) -> Vec<u8> {
        self.answer.take()
    }

    /// Takes what has come of an answer that is not finished.
    pub(super) fn take_unfinished(&mut self) -> Vec<u8> {
        self.answer.take_unfinished()
    }

    /// What the program wrote since its last answer, without having been asked; blank lines are forgiven.
    pub(super) fn unasked(&mut self) -> Option<Vec<u8>> {
        self.read_all();
        let written = self.take_unfinished();
        (!written.trim_ascii().is_empty()).then_some(written)
    }

    /// Closes the program's input: it is not asked any more.
    pub(super) fn close_input(&mut self) {
        self.input = None;
    }
}

/// Finds the end of an answer in what comes in pieces.
#[derive(Debug)]
struct AnswerReader {
    text: Vec<u8>,
    /// Where the line begins that has not ended yet.
    line: usize,
    /// Whether a line before that is not blank.
    has_text: bool,
    /// Where the finished answer ends, and what follows its empty line begins.
    end: Option<(usize, usize)>,
    most: usize,
}

impl AnswerReader {
    fn new(most: usize) -> Self {
        Self { text: Vec::new(), line: 0, has_text: false, end: None, most }
    }

    fn push(&mut self, portion: &[u8]) -> LineEvent {
        let from = self.text.len();
        self.text.extend_from_slice(portion);
        self.look(from)
    }

    /// Looks for the end from this byte on.
    fn look(&mut self, from: usize) -> LineEvent {
        let mut at = from;
        while self.end.is_none()
            && let Some(length) = self.text[at..].iter().position(|&byte| byte == b'\n')
        {
            let (line, next) = (&self.text[self.line..at + length], at + length + 1);
            match line {
                [] | b"\r" if self.has_text => self.end = Some((self.line, next)),
                blank if blank.trim_ascii().is_empty() => {}
                _ => self.has_text = true,
            }
            (self.line, at) = (next, next);
        }
        match self.end {
            Some((end, _)) if end <= self.most => LineEvent::Answered,
            None if self.text.len() <= self.most => LineEvent::Nothing,
            Some(_) | None => LineEvent::TooLong,
        }
    }

    /// Takes the finished answer, without blank lines before it; what follows stays.
    fn take(&mut self) -> Vec<u8> {
        let (end, next) = self.end.take().unwrap_or((self.text.len(), self.text.len()));
        let rest = self.text.split_off(next);
        let mut answer = std::mem::replace(&mut self.text, rest);
        answer.truncate(end);
        (self.line, self.has_text) = (0, false);
        self.look(0);
        without_blank_lines_before(answer)
    }

    fn take_unfinished(&mut self) -> Vec<u8> {
        let mut text = std::mem::take(&mut self.text);
        text.truncate(self.most);
        *self = Self::new(self.most);
        text
    }
}

fn without_blank_lines_before(mut answer: Vec<u8>) -> Vec<u8> {
    let text = answer.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
    let line = answer[..text].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    answer.drain(..line);
    answer
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MOST: usize = 40;

    /// The answers, and what remains, of a text that comes in `pieces`.
    fn read_in(pieces: &[&[u8]]) -> (Vec<String>, String) {
        let (mut reader, mut answers) = (AnswerReader::new(MOST), Vec::new());
        for piece in pieces {
            let mut event = reader.push(piece);
            while event == LineEvent::Answered {
                answers.push(String::from_utf8_lossy(&reader.take()).into_owned());
                event = reader.look(reader.text.len());
            }
        }
        (answers, String::from_utf8_lossy(&reader.take_unfinished()).into_owned())
    }

    #[test]
    fn an_answer_ends_at_an_empty_line_and_blank_lines_before_it_are_skipped() {
        let cases: [(&str, &[&str], &str); 8] = [
            ("E c3 d4\n\n", &["E c3 d4\n"], ""),
            ("E c3 d4\r\n\r\n", &["E c3 d4\r\n"], ""),
            ("\n \n\nE c3 d4\n\n\n", &["E c3 d4\n"], "\n"),
            ("J a1 c3\nJ c3 e5\n\nE b2 a3\n\n", &["J a1 c3\nJ c3 e5\n", "E b2 a3\n"], ""),
            ("E c3 d4\n", &[], "E c3 d4\n"),
            ("E c3 d4", &[], "E c3 d4"),
            ("  E c3 d4\n \n\n", &["  E c3 d4\n \n"], ""),
            ("\0\n\n", &["\0\n"], ""),
        ];
        for (text, answers, rest) in cases {
            let found = read_in(&[text.as_bytes()]);
            assert_eq!(found, (answers.iter().map(ToString::to_string).collect(), rest.to_owned()), "{text:?}");
        }
    }

    #[test]
    fn what_never_ends_is_too_long_and_is_kept_up_to_the_limit() {
        let mut reader = AnswerReader::new(MOST);
        assert_eq!(reader.push(&[b'x'; MOST]), LineEvent::Nothing);
        assert_eq!(reader.push(b"x"), LineEvent::TooLong);
        assert_eq!(reader.take_unfinished(), [b'x'; MOST]);
        let blank = AnswerReader::new(MOST).push(&[b'\n'; MOST + 1]);
        assert_eq!(blank, LineEvent::TooLong);
    }

    proptest! {
        #[test]
        fn an_answer_does_not_depend_on_its_pieces(text in "[ab\r\n ]{0,30}", cut: prop::sample::Index) {
            let cut = cut.index(text.len() + 1);
            let (before, after) = text.as_bytes().split_at(cut);
            prop_assert_eq!(read_in(&[before, after]), read_in(&[text.as_bytes()]));
        }
    }
}
