//! The submission in its seats: asked as the course will ask it, and watched while it answers.

use super::conduct::ObservedConduct;
use super::examine::CheckError;
use crate::agents::Participant;
use crate::assignment::Assignment;
use crate::messages::{Look, answer_sentence, clock, explained_in_short};
use crate::protocol::{Tolerance, plain, quote};
use crate::records::{AnswerRecord, AnswerVerdict, Conditions, Fault, PlayerRecord, Question};
use crate::referee::{
    MissingAnswer, Player, ProcessEnd, UnjudgedAnswer, Void, as_lost_game, ask, explain, explain_missing_answer,
    judge_answer,
};
use crate::seat::{OutputFile, Run, RunRequest, Seat, SeatOptions, Termination};
use crate::time::{CpuTime, WallTime};
use crate::tournament::player;

/// No run is waited for longer. The course may wait longer, so what is stopped by this is no fault.
pub(super) const PATIENCE: WallTime = WallTime::from_secs(60);

/// How many of its last words are shown beside a fault.
const LAST_WORDS: usize = 4;

/// A submission that is made ready.
#[derive(Debug)]
pub(super) struct PreparedSubmission<'a> {
    pub(super) participant: Participant,
    pub(super) assignment: &'a Assignment,
    pub(super) seats: &'a SeatOptions,
    /// What was seen in all runs.
    pub(super) conduct: ObservedConduct,
}

/// An answer, and whether it was waited for.
#[derive(Clone, Debug)]
pub(super) struct AnsweredTurn {
    pub(super) record: AnswerRecord,
    /// Stopped by [`PATIENCE`], although the course would have waited longer: its verdict says nothing.
    pub(super) cut_short: bool,
}

impl PreparedSubmission<'_> {
    /// A seat as in grading.
    pub(super) fn seat(&self) -> Result<Seat, CheckError> {
        Ok(self.participant.take_seat(self.assignment.game, 0, self.seats)?)
    }

    /// A seat in which each run begins with `prelude`, for the shell, which has to end with `exec "$@"`.
    pub(super) fn seat_behind(&self, prelude: &str) -> Result<Seat, CheckError> {
        let options = SeatOptions {
            prelude: Some(prelude.to_owned()),
            ..self.seats.clone()
        };
        Ok(self.participant.take_seat(self.assignment.game, 0, &options)?)
    }

    /// Puts `question` under the conditions of the assignment, in `seat`. A run that is out of time is let go on for
    /// `overtime`, so that it is known what it would have used.
    pub(super) fn ask(
        &mut self,
        seat: &mut Seat,
        question: Question,
        overtime: CpuTime,
    ) -> Result<AnsweredTurn, CheckError> {
        let conditions = self.assignment.conditions(question.time);
        let patient = Conditions {
            grace: conditions.grace + overtime,
            ..conditions.clone()
        };
        let mut waiting = Waiting { seat, cut_short: false };
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
        let record = answer.judged().expect("exercises are questions of the game");
        if record.verdict.is_right() {
            self.conduct.note_oddities(&record.run);
        }
        Ok(AnsweredTurn { record, cut_short })
    }

    /// Who sits there.
    pub(super) fn player(&self, seat: &Seat) -> PlayerRecord {
        player(&self.participant, seat, self.assignment.clock.charge)
    }
}

/// A player who is not waited for longer than [`PATIENCE`].
#[derive(Debug)]
pub(super) struct Waiting<'a> {
    pub(super) seat: &'a mut Seat,
    /// Whether the last run was stopped for that.
    pub(super) cut_short: bool,
}

impl Player for Waiting<'_> {
    fn run(&mut self, job: &RunRequest) -> Result<Run, Void> {
        let run = self.seat.run(&RunRequest {
            wall_limit: job.wall_limit.min(PATIENCE),
            ..job.clone()
        })?;
        self.cut_short = run.ended == Termination::Guarded && job.wall_limit > PATIENCE;
        Ok(run)
    }
}

impl AnsweredTurn {
    /// The answer is right.
    pub(super) fn is_right(&self) -> bool {
        !self.cut_short && self.record.verdict.is_right()
    }

    /// The answer is wrong, or there is none. Of a run that was not waited for, that is known where it computed
    /// nothing.
    pub(super) fn is_wrong(&self) -> bool {
        (!self.cut_short || self.is_idle()) && !self.record.verdict.is_right()
    }

    fn is_idle(&self) -> bool {
        let usage = self.record.run.usage;
        (usage.user + usage.system).saturating_mul(10).micros() < usage.wall.micros()
    }

    /// What came of it, as the end of a sentence about the program.
    pub(super) fn sentence(&self) -> String {
        let run = &self.record.run;
        let used = clock(run.usage.user + run.usage.system);
        if self.cut_short {
            return format!("no answer in {PATIENCE} s of wall-clock time, with {used} s of CPU time used");
        }
        let sentence = answer_sentence(&self.record.verdict);
        match &self.record.verdict {
            AnswerVerdict::Fault {
                fault: Fault::NoOutput { lookalike: None },
            } => match run.misspelled("output.txt") {
                Some(name) => format!("{sentence}, but {}", quote(name.as_bytes())),
                None => sentence,
            },
            AnswerVerdict::Fault {
                fault: Fault::NeverReturned { .. },
            } => format!("{sentence}, with {used} s of CPU time used"),
            AnswerVerdict::Fault { .. } if run.ended == Termination::Guarded => format!(
                "{sentence}; the guard stopped it after {:.1} s of wall-clock time, with {used} s of CPU time used",
                run.usage.wall.as_secs_f64()
            ),
            AnswerVerdict::Legal { .. }
            | AnswerVerdict::Equal
            | AnswerVerdict::Different { .. }
            | AnswerVerdict::Fault { .. } => sentence,
        }
    }

    /// Whether time ran out, and nothing else is known to be wrong.
    pub(super) fn is_late(&self) -> bool {
        matches!(
            self.record.verdict,
            AnswerVerdict::Fault {
                fault: Fault::OutOfTime { .. } | Fault::OutOfMoveTime { .. }
            }
        )
    }

    /// What an exact reading says of it.
    pub(super) fn read_exactly(&self) -> AnswerVerdict {
        let AnswerRecord {
            game,
            question,
            conditions,
            run,
            agent,
            ..
        } = &self.record;
        let exact = Conditions {
            tolerance: Tolerance::Exact,
            ..conditions.clone()
        };
        let judged = judge_answer(*game, question, &exact, run, agent.uncertainty());
        judged.expect("it was judged before").verdict
    }

    /// What it left as `output.txt`.
    pub(super) fn output(&self) -> Option<&[u8]> {
        match &self.record.run.output {
            OutputFile::Content { bytes } => Some(&bytes.0),
            OutputFile::Missing { .. }
            | OutputFile::NotAFile { .. }
            | OutputFile::TooLarge { .. }
            | OutputFile::Unreadable { .. } => None,
        }
    }

    /// Why a move was no answer: the text with the place at fault, the rule, what helps, and the program's last words.
    pub(super) fn explained(&self) -> Vec<String> {
        // One that was not waited for did not lose in the way that its record says.
        if self.cut_short {
            return Vec::new();
        }
        let Some(lost) = as_lost_game(&self.record).ok().flatten() else {
            return self.explained_without_a_board();
        };
        let explanation = explain(&lost).expect("the game was made of this answer");
        let mut lines = explained_in_short(&explanation, Look::PLAIN);
        if let Some(forfeit) = &explanation.forfeit {
            lines.extend(last_words(&forfeit.process));
        }
        lines
    }

    /// The same where no move was asked for: nothing where there was an answer.
    fn explained_without_a_board(&self) -> Vec<String> {
        if !matches!(self.record.verdict, AnswerVerdict::Fault { .. }) {
            return Vec::new();
        }
        let MissingAnswer { process, hints } = explain_missing_answer(&self.record.run);
        let hints = hints.iter().map(|hint| format!("hint: {hint}"));
        std::iter::once(process.how.clone())
            .chain(hints)
            .chain(last_words(&process))
            .collect()
    }

    /// Whether the guard on wall-clock time ended it, rather than its CPU time.
    pub(super) fn is_guarded(&self) -> bool {
        self.record.run.ended == Termination::Guarded
    }
}

/// The end of what a program wrote to its standard error.
fn last_words(process: &ProcessEnd) -> Vec<String> {
    let words = &process.stderr;
    let end = words[words.len().saturating_sub(LAST_WORDS)..].iter();
    end.map(|line| format!("stderr     {}", plain(line))).collect()
}
