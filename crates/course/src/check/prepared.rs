//! The submission in its seats: asks it as the course will, and records its behaviour. It judges only answers; the
//! steps of a check call it.

use super::conduct::ObservedConduct;
use super::error::CheckError;
use crate::assignment::Assignment;
use referee_games::protocol::{Tolerance, plain, quote};
use referee_matches::referee::{
    MissingAnswer, Player, ProcessEnd, UnjudgedAnswer, Void, as_lost_game, ask, explain, explain_missing_answer,
};
use referee_matches::tournament::player;
use referee_messages::{OutputStyle, answer_sentence, clock, explained_in_short};
use referee_records::{AnswerRecord, AnswerVerdict, Conditions, Fault, PersonClock, PlayerRecord, Question};
use referee_seat::{Run, RunRequest, Seat, SeatOptions, Termination};
use referee_submissions::agents::Participant;
use referee_time::{CpuTime, WallTime};

/// The maximum duration of a run. The course may wait longer, so exceeding it is no fault.
pub(super) const WALL_LIMIT: WallTime = WallTime::from_secs(60);

/// How many last lines of output are shown with a fault.
const LAST_WORDS: usize = 4;

/// A submission that is ready to run.
#[derive(Debug)]
pub(super) struct PreparedSubmission<'a> {
    pub(super) participant: Participant,
    pub(super) assignment: &'a Assignment,
    pub(super) seats: &'a SeatOptions,
    /// Observations from all runs.
    pub(super) conduct: ObservedConduct,
}

/// An answer, and whether it was cut short.
#[derive(Clone, Debug)]
pub(super) struct AnsweredTurn {
    pub(super) record: AnswerRecord,
    /// Stopped after [`WALL_LIMIT`], although the course would have waited longer: its verdict is meaningless.
    pub(super) cut_short: bool,
}

impl PreparedSubmission<'_> {
    /// A seat as in grading.
    pub(super) fn seat(&self) -> Result<Seat, CheckError> {
        Ok(self.participant.take_seat(self.assignment.game, 0, self.seats)?)
    }

    /// A seat in which each run begins with the shell script `prelude`, which must end with `exec "$@"`.
    pub(super) fn seat_behind(&self, prelude: &str) -> Result<Seat, CheckError> {
        let options = SeatOptions { prelude: Some(prelude.to_owned()), ..self.seats.clone() };
        Ok(self.participant.take_seat(self.assignment.game, 0, &options)?)
    }

    /// The end of its standard output when it answers `exercise`. An ordinary seat discards it.
    pub(super) fn listen(&mut self, exercise: &Question) -> Result<String, CheckError> {
        let mut seat = self.seat_behind("exec \"$@\" 1>&2 2>/dev/null")?;
        let before = self.conduct.clone();
        let answered = self.ask(&mut seat, exercise.clone(), CpuTime::ZERO)?;
        // In this run, the captured standard error was standard output.
        self.conduct = before;
        Ok(answered.record.run.stderr)
    }

    /// Asks `question` under the conditions of the assignment, in `seat`. A run that is out of time may continue for
    /// `overtime`, to measure what it would have used.
    pub(super) fn ask(
        &mut self,
        seat: &mut Seat,
        question: Question,
        overtime: CpuTime,
    ) -> Result<AnsweredTurn, CheckError> {
        let conditions = self.assignment.conditions(question.time);
        let patient = Conditions { grace: conditions.grace + overtime, ..conditions.clone() };
        let mut waiting = ImpatientPlayer { seat, cut_short: false };
        let run = ask(&question, &patient, &mut waiting)?;
        let cut_short = waiting.cut_short;
        self.conduct.note(&run);
        let answer = UnjudgedAnswer {
            id: question.name.clone(),
            game: self.assignment.game,
            agent: self.player(seat),
            question,
            conditions,
            began_unix_s: 0,
            run,
        };
        let record = answer.judged().map_err(|error| CheckError::Rules(error.to_string()))?;
        if record.verdict.is_right() {
            self.conduct.note_oddities(&record.run);
        }
        Ok(AnsweredTurn { record, cut_short })
    }

    /// The record of the player.
    pub(super) fn player(&self, seat: &Seat) -> PlayerRecord {
        player(&self.participant, seat, self.assignment.clock.charge)
    }
}

/// A player that is stopped after [`WALL_LIMIT`].
#[derive(Debug)]
pub(super) struct ImpatientPlayer<'a> {
    pub(super) seat: &'a mut Seat,
    /// Whether the last run was stopped.
    pub(super) cut_short: bool,
}

impl Player for ImpatientPlayer<'_> {
    fn run(&mut self, job: &RunRequest) -> Result<Run, Void> {
        let job_cut_short = RunRequest { wall_limit: job.wall_limit.min(WALL_LIMIT), ..job.clone() };
        let run = Player::run(self.seat, &job_cut_short)?;
        self.cut_short = run.ended == Termination::Guarded && job.wall_limit > WALL_LIMIT;
        Ok(run)
    }

    fn reads_position(&self) -> bool {
        Player::reads_position(self.seat)
    }

    fn person(&self) -> Option<PersonClock> {
        Player::person(self.seat)
    }
}

impl AnsweredTurn {
    /// Whether the answer is right.
    pub(super) fn is_right(&self) -> bool {
        !self.cut_short && self.record.verdict.is_right()
    }

    /// Whether the answer is wrong or missing. For a run cut short, this is only known if it did not compute.
    pub(super) fn is_wrong(&self) -> bool {
        (!self.cut_short || self.is_idle()) && !self.record.verdict.is_right()
    }

    fn is_idle(&self) -> bool {
        let usage = self.record.run.usage;
        let could_compute = usage.wall.saturating_sub(self.record.run.delayed);
        (usage.user + usage.system).saturating_mul(10).micros() < could_compute.micros()
    }

    /// The result, as the end of a sentence about the program.
    pub(super) fn sentence(&self) -> String {
        let run = &self.record.run;
        let used = clock(run.usage.user + run.usage.system);
        if self.cut_short {
            return format!("no answer in {WALL_LIMIT} s of wall-clock time, with {used} s of CPU time used");
        }
        let sentence = answer_sentence(&self.record.verdict);
        match &self.record.verdict {
            AnswerVerdict::Fault { fault: Fault::NoOutput { lookalike: None } } => match run.misspelled("output.txt") {
                Some(name) => format!("{sentence}, but {}", quote(name.as_bytes())),
                None => sentence,
            },
            AnswerVerdict::Fault { fault: Fault::NeverReturned { .. } } => {
                format!("{sentence}, with {used} s of CPU time used")
            }
            AnswerVerdict::Fault { .. } if run.ended == Termination::Guarded => format!(
                "{sentence}; stopped after {:.1} s of wall-clock time, with {used} s of CPU time used",
                run.usage.wall.as_secs_f64()
            ),
            AnswerVerdict::Legal { .. }
            | AnswerVerdict::Equal
            | AnswerVerdict::Different { .. }
            | AnswerVerdict::Fault { .. } => sentence,
        }
    }

    /// Whether it was late without any other known fault.
    pub(super) fn is_late(&self) -> bool {
        matches!(
            self.record.verdict,
            AnswerVerdict::Fault { fault: Fault::OutOfTime { .. } | Fault::OutOfMoveTime { .. } }
        )
    }

    /// The verdict of an exact reading.
    pub(super) fn read_exactly(&self) -> AnswerVerdict {
        let conditions = Conditions { tolerance: Tolerance::Exact, ..self.record.conditions.clone() };
        let judged = UnjudgedAnswer { conditions, ..UnjudgedAnswer::of(&self.record) }.judged();
        // Only a rules program may judge the same answer differently.
        judged.map_or_else(|_| self.record.verdict.clone(), |judged| judged.verdict)
    }

    /// Its `output.txt`.
    pub(super) fn output(&self) -> Option<&[u8]> {
        self.record.run.output.content()
    }

    /// Why a move was no answer: the text with the place at fault, the rule, hints, and the program's last output.
    pub(super) fn explained(&self) -> Vec<String> {
        // The record of a run cut short does not show why it lost.
        if self.cut_short {
            return Vec::new();
        }
        let lost = as_lost_game(&self.record).ok().flatten();
        let Some(explanation) = lost.and_then(|lost| explain(&lost).ok()) else {
            let is_fault = matches!(self.record.verdict, AnswerVerdict::Fault { .. });
            return if is_fault { explained_run(&self.record.run) } else { Vec::new() };
        };
        let mut lines = explained_in_short(&explanation, OutputStyle::PLAIN);
        if let Some(forfeit) = &explanation.forfeit {
            lines.extend(last_words(&forfeit.process));
        }
        lines
    }

    /// Whether the wall-clock limit ended it, rather than CPU time.
    pub(super) fn is_guarded(&self) -> bool {
        self.record.run.ended == Termination::Guarded
    }
}

/// How the program of a run without an answer ended, and why that may be.
pub(super) fn explained_run(run: &Run) -> Vec<String> {
    let MissingAnswer { process, hints } = explain_missing_answer(run);
    let hints = hints.iter().map(|hint| format!("hint: {hint}"));
    std::iter::once(process.how.clone()).chain(hints).chain(last_words(&process)).collect()
}

/// The end of a program's standard error.
fn last_words(process: &ProcessEnd) -> Vec<String> {
    let words = &process.stderr;
    let end = words[words.len().saturating_sub(LAST_WORDS)..].iter();
    end.map(|line| format!("stderr     {}", plain(line))).collect()
}
