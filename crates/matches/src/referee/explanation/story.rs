//! The sentences about the run that lost a game, and hints for its author.
//!
//! Facts from the record in words, without the agent's name. Called by [`super::explain`] alone.

use super::process::{cpu_of, has_crashed, last_words};
use referee_games::Side;
use referee_games::protocol::{Finding, Tolerance, is_blank_text, plain, quote};
use referee_records::{CloseCall, Fault, GameRecord, OtherClockResult, TurnRecord};
use referee_seat::{Bytes, Charge, Exceeded, OutputFile, Protocol, Run, Termination};
use referee_time::CpuTime;

/// A lost run, and the game around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct LostRun<'a> {
    pub(super) record: &'a GameRecord,
    pub(super) loser: Side,
    pub(super) fault: &'a Fault,
    pub(super) run: &'a Run,
}

impl LostRun<'_> {
    /// Whether a person lost it.
    pub(super) fn is_person(&self) -> bool {
        self.record.players.of(self.loser).person().is_some()
    }

    /// How it was asked, and answered.
    pub(super) fn protocol(&self) -> Protocol {
        self.record.players.of(self.loser).protocol()
    }

    /// What it wrote its answer to, with `its` before it.
    fn its_answer(&self) -> &'static str {
        match self.protocol() {
            Protocol::Files => "its `output.txt`",
            Protocol::Stdio => "its answer on standard output",
        }
    }

    /// The facts, one sentence each; "it" is the agent.
    pub(super) fn sentences(&self) -> Vec<String> {
        match self.fault {
            Fault::OutOfTime { left, charged, .. } if self.is_person() => self.thought_too_long(*left, *charged),
            Fault::OutOfTime { left, charged, .. } => self.overrun(*left, *charged),
            Fault::OutOfMoveTime { limit, charged, .. } => {
                let cost = self.cost(*charged);
                vec![format!("a move may take {limit} s; this run was charged {cost}"), self.what_it_left()]
            }
            Fault::NeverReturned { wall_limit } => {
                let used = cpu_of(self.run).as_secs_f64();
                let did_not = match self.protocol() {
                    Protocol::Files => "exit",
                    Protocol::Stdio => "finish its answer with an empty line",
                };
                let mut story = vec![format!(
                    "in {wall_limit} s of wall-clock time it used {used:.2} s of CPU time and did not {did_not}"
                )];
                story.extend(self.not_counted());
                story
            }
            Fault::LimitExceeded { .. } => {
                one("its processes were killed for exceeding the limit, and it had not written a valid answer")
            }
            Fault::NotStarted { error } => vec![format!("the system could not start the program: {}", plain(error))],
            Fault::NoOutput { .. } => self.left_no_output(),
            Fault::NoAnswer => vec![match self.run.ended {
                Termination::NotStarted { .. }
                | Termination::Answered
                | Termination::OutOfCpu
                | Termination::Guarded => "it closed its standard output without an answer".to_owned(),
                Termination::Exited { .. } | Termination::Signalled { .. } | Termination::Exceeded { .. } => {
                    "its program ended without an answer to this question".to_owned()
                }
            }],
            Fault::Unasked { found } => {
                vec![format!("before it was asked, it had written to its standard output: {}", plain(found))]
            }
            Fault::UnusableOutput { found } => {
                vec![format!("after it exited, `output.txt` was {}", plain(found))]
            }
            Fault::EmptyOutput => vec![match self.run.output.content().map_or(0, <[u8]>::len) {
                0 => "its `output.txt` has 0 bytes".to_owned(),
                bytes => format!("its `output.txt` has {bytes} bytes, all white space"),
            }],
            Fault::WrongFormat { .. } => vec![match self.record.conditions.tolerance {
                Tolerance::Tolerant => format!("{} cannot be read as a move", self.its_answer()),
                Tolerance::Exact => format!(
                    "{} must have the exact format: extra blanks, empty lines and the other letter case lose",
                    self.its_answer()
                ),
            }],
            Fault::IllegalMove { .. } => {
                vec![format!("{} is well formed, but the move is illegal in this position", self.its_answer())]
            }
            Fault::Resigned => one("it resigned"),
        }
    }

    /// Time that the guard did not count, if it is worth a sentence.
    fn not_counted(&self) -> Option<String> {
        let delayed = self.run.delayed;
        (delayed.saturating_mul(10) > self.run.usage.wall).then(|| {
            format!(
                "the {:.1} s in which it was ready to run and waited for a processor do not count",
                delayed.as_secs_f64()
            )
        })
    }

    fn thought_too_long(&self, left: CpuTime, charged: CpuTime) -> Vec<String> {
        let had = self.record.conditions.play_time.of(self.loser);
        vec![format!("it had {left} s of its {had} s of wall-clock time left, and did not answer within {charged} s")]
    }

    fn overrun(&self, left: CpuTime, charged: CpuTime) -> Vec<String> {
        let had = self.record.conditions.play_time.of(self.loser);
        let cost = self.cost(charged);
        vec![
            format!("it had {left} s of its {had} s of play time left, and this run was charged {cost}"),
            self.what_it_left(),
            self.by_the_other_clock(),
        ]
    }

    /// The run's charge and its parts.
    fn cost(&self, charged: CpuTime) -> String {
        let usage = self.run.usage;
        match self.record.conditions.charge {
            Charge::Cpu => format!("{charged} s: {} s user time and {} s system time", usage.user, usage.system),
            Charge::User => format!("{charged} s of user time; its {} s of system time are not charged", usage.system),
        }
    }

    /// What happens to an answer that came too late.
    fn what_it_left(&self) -> String {
        match self.run.ended {
            Termination::Guarded => format!(
                "it was killed after {:.1} s of wall-clock time, so its output does not count",
                self.run.usage.wall.as_secs_f64()
            ),
            Termination::OutOfCpu | Termination::Exceeded { .. } => {
                "it was killed, so its output does not count".to_owned()
            }
            Termination::Answered => "it answered, but too late: time is judged before the answer".to_owned(),
            Termination::Exited { .. } | Termination::Signalled { .. } | Termination::NotStarted { .. } => {
                "it exited by itself, but too late: time is judged before the answer".to_owned()
            }
        }
    }

    fn by_the_other_clock(&self) -> String {
        let other = match self.record.conditions.charge {
            Charge::Cpu => "user time only",
            Charge::User => "user and system time",
        };
        match self.other_clock() {
            None if self.was_killed() => format!("its time with {other} charged is unknown"),
            Some(OtherClockResult::GoesOn) => format!("with {other} charged it would not have run out of time here"),
            Some(OtherClockResult::OutOfTime { turn, .. }) => {
                format!("with {other} charged a clock would have run out earlier, on turn {turn}")
            }
            Some(OtherClockResult::DrawGoesTo { .. } | OtherClockResult::TooLate) | None => {
                format!("with {other} charged it would have lost here, too")
            }
        }
    }

    fn was_killed(&self) -> bool {
        self.run.ended.is_timeout() || self.run.ended.exceeded().is_some()
    }

    fn other_clock(&self) -> Option<OtherClockResult> {
        self.record.close_calls.iter().find_map(|call| match call {
            CloseCall::OtherClock { otherwise, .. } => Some(*otherwise),
            CloseCall::WithinUncertainty { .. } | CloseCall::WithinNoise { .. } => None,
        })
    }

    fn left_no_output(&self) -> Vec<String> {
        let mut story = one("it exited without writing `output.txt`");
        if !self.run.removed.is_empty() {
            let names: Vec<String> = self.run.removed.iter().map(|name| quote(name.as_bytes())).collect();
            story.push(format!("other files it wrote: {}", names.join(", ")));
        }
        story
    }

    /// Hints, the likeliest first.
    pub(super) fn hints(&self) -> Vec<String> {
        if self.is_person() {
            return vec![];
        }
        let of_fault = match self.fault {
            Fault::OutOfTime { charged, .. } => self.hints_on_time(self.hint_on_clock(), *charged),
            Fault::OutOfMoveTime { limit, charged, .. } => {
                let hint = format!("no move may take more than {limit} s: stop the search well before");
                self.hints_on_time(hint, *charged)
            }
            Fault::NeverReturned { .. } => vec![self.hint_on_waiting()],
            Fault::LimitExceeded { limit: Exceeded::AnswerSize { .. } } => {
                one("an answer ends with an empty line: without one, all that the program writes belongs to it")
            }
            Fault::LimitExceeded { .. } => {
                one("does a table, a cache, a file or the number of processes grow without bound?")
            }
            Fault::NotStarted { .. } | Fault::Resigned => vec![],
            Fault::NoOutput { lookalike } => hint_on_no_output(self.run, lookalike.as_deref()).into_iter().collect(),
            Fault::NoAnswer => hint_on_unfinished(self.run).into_iter().collect(),
            Fault::Unasked { .. } => one(HINT_ON_UNASKED),
            Fault::UnusableOutput { .. } => {
                one("on every run, open `output.txt` for writing, write the move and close it")
            }
            Fault::EmptyOutput if !has_crashed(self.run) => {
                one("is the file flushed and closed before the program ends? is the move written in every case?")
            }
            Fault::EmptyOutput => one("the file was opened, but the program ended before it wrote the move"),
            Fault::WrongFormat { finding } | Fault::IllegalMove { finding } => self.hints_on_answer(finding),
        };
        hint_on_crash(self.run).into_iter().chain(of_fault).collect()
    }

    fn hint_on_clock(&self) -> String {
        let (input, run) = match self.protocol() {
            Protocol::Files => ("`input.txt`", "on every run"),
            Protocol::Stdio => ("each question", "each time"),
        };
        match self.record.game.profile().input.time_line {
            Some(line) => {
                format!("line {line} of {input} is the remaining time: read it {run}, and stop the search well before")
            }
            None => {
                format!(
                    "{input} does not contain the remaining time: limit the search depth so that the time lasts for a \
                     whole game"
                )
            }
        }
    }

    fn hints_on_time(&self, first: String, charged: CpuTime) -> Vec<String> {
        let mut hints = vec![first];
        let usage = self.run.usage;
        let on_wall = usage.wall.to_duration();
        if charged.to_duration() > on_wall + on_wall / 2 {
            hints.push(format!(
                "{charged} s of CPU time in {} s of wall-clock time: the times of all threads and processes add up",
                usage.wall
            ));
        }
        if usage.system > usage.user {
            hints.push("most of it is system time: file access, or memory allocated and freed repeatedly".to_owned());
        }
        hints
    }

    fn hint_on_waiting(&self) -> String {
        let usage = self.run.usage;
        let is_idle = cpu_of(self.run).saturating_mul(20).micros() < usage.wall.micros();
        let hint = if is_idle {
            "it was waiting, not computing: for stdin (which is empty), in a sleep, for a lock, or for a child process"
        } else {
            "it computed for only a part of that time: does it sleep, or wait for its own processes or threads?"
        };
        hint_on_unfinished(self.run).unwrap_or_else(|| hint.to_owned())
    }

    fn hints_on_answer(&self, finding: &Finding) -> Vec<String> {
        // The protocol has quoted foreign text, but the record may have been edited since.
        let stale = self.earlier_turn_with_the_same_answer().map(|turn| {
            format!("it is identical to the answer of turn {turn}: does the program choose a new move each time?")
        });
        let is_misread = self.protocol() == Protocol::Stdio && matches!(self.fault, Fault::WrongFormat { .. });
        let printed = is_misread.then(|| {
            "all of standard output up to the empty line is the answer: prompts and messages belong on standard error"
                .to_owned()
        });
        finding.hint.as_deref().map(plain).into_iter().chain(stale).chain(printed).collect()
    }

    fn earlier_turn_with_the_same_answer(&self) -> Option<usize> {
        let earlier = &self.record.turns[..self.record.turns.len().saturating_sub(1)];
        let is_same = |turn: &TurnRecord| {
            turn.side() == self.loser && turn.run().is_some_and(|run| run.output == self.run.output)
        };
        earlier.iter().rposition(is_same).map(|index| index + 1)
    }
}

/// A list of one sentence.
fn one(sentence: &str) -> Vec<String> {
    vec![sentence.to_owned()]
}

/// The cause of a crash, if the program's output names it.
pub(super) fn hint_on_crash(run: &Run) -> Option<String> {
    if !has_crashed(run) {
        return None;
    }
    let words = last_words(run)?;
    let missing = "ModuleNotFoundError";
    Some(if words.contains(missing) {
        format!(
            "it crashed with {words}: the Python of this machine has no such module, nor has the submission; `referee \
             doctor` names that Python and its modules"
        )
    } else {
        format!("it crashed with {words}: see the end of its stderr")
    })
}

/// The reason for an answer on standard output that no empty line ended, if that is what `run` left.
pub(super) fn hint_on_unfinished(run: &Run) -> Option<String> {
    let OutputFile::Unfinished { bytes: Bytes(bytes), after_input: Bytes(after_input) } = &run.output else {
        return None;
    };
    let is_answer = |bytes: &[u8]| !is_blank_text(bytes);
    if run.ended == Termination::Guarded && is_answer(bytes) {
        let last = bytes.trim_ascii_end().rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        let written = quote(last);
        return Some(format!("no empty line followed {written}: end each answer with an empty line, and flush"));
    }
    let hint = match (&run.ended, is_answer(after_input)) {
        (Termination::Guarded, true) => {
            "it answered only when its input ended: flush standard output after each answer, and read a question up to \
             its empty line, not to the end of the input"
        }
        (Termination::Guarded, false) => {
            "is the answer flushed? does the program read on after the empty line that ends a question, or wait for \
             something else?"
        }
        (Termination::Answered, _) => "keep standard output open up to the end of the input",
        // The limit says it.
        (Termination::OutOfCpu | Termination::Exceeded { .. }, _) => return None,
        _ if has_crashed(run) => return None,
        _ => {
            "the program must live for the whole game: read and answer questions in a loop, up to the end of the input"
        }
    };
    Some(hint.to_owned())
}

/// What to do about output that nobody asked for.
pub(super) const HINT_ON_UNASKED: &str = "write one answer and one empty line for each question; messages of its own, \
                                          also those of a library, belong on standard error";

/// The reason for a missing `output.txt`.
pub(super) fn hint_on_no_output(run: &Run, lookalike: Option<&str>) -> Option<String> {
    let found = |name: &str| format!("found {}: the name must be `output.txt`", quote(name.as_bytes()));
    match (lookalike, run.misspelled("output.txt")) {
        (Some(name), _) => Some(found(name) + ", all lower case"),
        (None, Some(name)) => Some(found(name)),
        (None, None) if has_crashed(run) => None,
        (None, None) => Some("write `output.txt` to the current directory, without a path".to_owned()),
    }
}
