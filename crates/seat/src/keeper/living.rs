//! A program that lives for a whole game ([`Protocol::Stdio`](crate::Protocol)): its turns, from question to answer.
//!
//! It is started by its first question, or before that to start up without charge. As soon as it has answered, it is
//! stopped with all that it started, and only then the meter is read: nothing of it runs until its next question, and
//! what does all the same is charged to that turn. After its end every further question gets the same report.

use std::os::fd::AsFd;

use super::Keeper;
use super::run::{Go, RunCourse, RunningProgram, Watched, usage_of};
use crate::Charge;
use crate::fault::HostError;
use crate::freezer::Freezer;
use crate::limiter::Limiter;
use crate::line::{AgentLine, LineEvent};
use crate::processes::peak_rss_bytes;
use crate::report::{Bytes, Exceeded, OutputFile, Run, RunRequest, Task, Termination, Usage};
use crate::tree_meter::{Account, CpuSplit};
use crate::watch::{RunBounds, StopAt, WatchEnd};
use crate::wire::{KeeperReply, ProgramEnd, WireEnd};
use referee_time::{CpuTime, WallTime};

/// What a program has, of CPU time and of waiting, after the end of its input: to end, or to show what it had to say.
const FAREWELL: RunBounds = RunBounds {
    used_before: CpuTime::ZERO,
    kill_after: CpuTime::from_secs(1),
    wall_limit: WallTime::from_secs(1),
    stop: StopAt::End,
};

/// Where a living program is in its life.
#[derive(Default)]
pub(super) enum LifeStage {
    /// It is not started.
    #[default]
    Prepared,
    /// It is stopped between two turns.
    Stopped(Box<LivingProgram>),
    /// It has ended, with this report.
    Over(Box<Run>),
}

/// A program between its first question and its end.
pub(super) struct LivingProgram {
    running: RunningProgram,
    /// What was charged so far, and what it used before its first question.
    accounted: CpuSplit,
    /// The time in doubt that was reported so far.
    in_doubt: CpuTime,
    /// What it used before its first question without charge.
    startup: CpuTime,
}

impl Keeper {
    /// One turn of a living program; `None` if the referee is gone.
    pub(super) fn take_turn(&mut self, job: &RunRequest, referee: &WireEnd) -> Result<Option<KeeperReply>, HostError> {
        let Task::Move { input } = &job.task else {
            return Err(HostError::when("calibrate")("this program lives for a whole game"));
        };
        let run = match std::mem::take(&mut self.stage) {
            LifeStage::Over(run) => {
                let again = (*run).clone();
                self.stage = LifeStage::Over(run);
                return Ok(Some(KeeperReply::Ran(again)));
            }
            LifeStage::Prepared => self.first_turn(input, job, referee)?,
            LifeStage::Stopped(program) => self.next_turn(*program, input, job, referee)?,
        };
        Ok(run.map(KeeperReply::Ran))
    }

    fn first_turn(&mut self, input: &str, job: &RunRequest, referee: &WireEnd) -> Result<Option<Run>, HostError> {
        let running = self.take_prepared()?;
        let mut program =
            LivingProgram { running, accounted: CpuSplit::default(), in_doubt: CpuTime::ZERO, startup: CpuTime::ZERO };
        if self.startup == CpuTime::ZERO {
            program.line().ask(input);
            return self.turn(program, job, CpuTime::ZERO, referee, Go::Start);
        }
        let bounds = RunBounds {
            used_before: CpuTime::ZERO,
            kill_after: self.startup,
            wall_limit: job.wall_limit,
            stop: StopAt::Rest,
        };
        let watched = self.watch(&mut program.running, bounds, Some(referee.as_fd()), Go::Start);
        match watched {
            // A program that has used up its time to start is asked nevertheless; its clock runs from now on.
            Ok(Watched { outcome: WatchEnd::Rested | WatchEnd::OutOfCpu, .. }) => {}
            other => return self.finish(program, other, bounds, CpuTime::ZERO),
        }
        let Account { split, in_doubt, .. } = self.tree_meter.of_living()?;
        program.startup = usage_of(split).charged(Charge::Cpu).min(self.startup);
        program.in_doubt = in_doubt;
        program.accounted = CpuSplit { user: split.user.min(program.startup), system: CpuTime::ZERO };
        program.accounted.system = program.startup.saturating_sub(program.accounted.user);
        if let Some(written) = program.line().unasked() {
            return self.end_unasked(program, written, CpuTime::ZERO);
        }
        program.line().ask(input);
        self.turn(program, job, CpuTime::ZERO, referee, Go::Still)
    }

    fn next_turn(
        &mut self,
        mut program: LivingProgram,
        input: &str,
        job: &RunRequest,
        referee: &WireEnd,
    ) -> Result<Option<Run>, HostError> {
        self.tree_meter.resume()?;
        let now = self.tree_meter.of_living()?.split;
        let between = usage_of(now.since(program.accounted)).charged(Charge::Cpu);
        program.startup = CpuTime::ZERO;
        if let Some(written) = program.line().unasked() {
            return self.end_unasked(program, written, between);
        }
        program.line().ask(input);
        self.turn(program, job, between, referee, Go::Thaw)
    }

    /// From the question to the answer, or to the program's end.
    fn turn(
        &mut self,
        mut program: LivingProgram,
        job: &RunRequest,
        between_turns: CpuTime,
        referee: &WireEnd,
        go: Go,
    ) -> Result<Option<Run>, HostError> {
        let bounds = RunBounds {
            used_before: usage_of(program.accounted).charged(self.charge),
            kill_after: job.kill_after,
            wall_limit: job.wall_limit,
            stop: StopAt::Answer,
        };
        let watched = self.watch(&mut program.running, bounds, Some(referee.as_fd()), go);
        let (wall, delayed) = match watched {
            Ok(Watched { outcome: WatchEnd::Answered, wall, delayed, .. }) => (wall, delayed),
            other => return self.finish(program, other, bounds, between_turns),
        };
        if let Some(freezer) = &self.freezer {
            freezer.freeze()?;
        }
        if let Some(limit) = self.exceeded_when_stopped() {
            let watched = Watched { outcome: WatchEnd::Exceeded(limit), wall, delayed, disk_was_full: false };
            return self.finish(program, Ok(watched), bounds, between_turns);
        }
        let account = self.tree_meter.of_living()?;
        let usage =
            Usage { wall, peak_rss_bytes: peak_rss_bytes(), ..usage_of(account.split.since(program.accounted)) };
        let run = Run {
            discrepancy: account.discrepancy,
            in_doubt: account.in_doubt.saturating_sub(program.in_doubt),
            delayed,
            between_turns,
            startup: program.startup,
            stderr: program.running.launcher.stderr.take_text(),
            ..Run::of_turn(Termination::Answered, usage, content(program.line().take_answer()))
        };
        (program.accounted, program.in_doubt) = (account.split, program.in_doubt.max(account.in_doubt));
        self.stage = LifeStage::Stopped(Box::new(program));
        Ok(Some(run))
    }

    /// The limit that a stopped program exceeds, which short turns may have hidden from the samples.
    fn exceeded_when_stopped(&mut self) -> Option<Exceeded> {
        let memory_group = self.kernel.parts().0;
        let mut limiter = Limiter::new(self.context.limits, &self.workdir, self.context.room, memory_group);
        limiter.look().1.or_else(|| limiter.last_look(0))
    }

    /// Ends a program that wrote before it was asked.
    fn end_unasked(
        &mut self,
        mut program: LivingProgram,
        written: Vec<u8>,
        between_turns: CpuTime,
    ) -> Result<Option<Run>, HostError> {
        let watched = Watched::nothing(WatchEnd::Answered);
        let RunCourse { run, .. } = self.end(&mut program.running, Ok(watched), FAREWELL)?;
        let output = OutputFile::Unasked { bytes: Bytes(written) };
        let run = Run { ended: Termination::Answered, output, ..run };
        Ok(Some(self.last_run(&program, run, between_turns)))
    }

    /// Ends a turn that has no answer, and the program; `None` if the referee is gone.
    fn finish(
        &mut self,
        mut program: LivingProgram,
        watched: Result<Watched, HostError>,
        bounds: RunBounds,
        between_turns: CpuTime,
    ) -> Result<Option<Run>, HostError> {
        let outcome = watched.as_ref().map_or(WatchEnd::Abandoned, |watched| watched.outcome);
        if bounds.stop == StopAt::Rest && outcome == WatchEnd::Answered {
            let written = program.line().take_unfinished();
            return self.end_unasked(program, written, between_turns);
        }
        let farewell = if outcome == WatchEnd::Guarded {
            let used = self.tree_meter.of_living()?.split;
            Some((used, program.line().take_unfinished(), self.after_input(&mut program)?))
        } else {
            None
        };
        let RunCourse { is_abandoned, mut run } = self.end(&mut program.running, watched, bounds)?;
        if is_abandoned {
            return Ok(None);
        }
        run.output = if let Some((used, bytes, after_input)) = farewell {
            // It may have ended by itself since, but too late; and what it used since is not charged.
            run.ended = Termination::Guarded;
            (run.usage.user, run.usage.system) = (used.user, used.system);
            OutputFile::Unfinished { bytes: Bytes(bytes), after_input: Bytes(after_input) }
        } else {
            let (ended, output) = last_words(program.line(), outcome, self.context.limits.output_bytes);
            run.ended = ended.unwrap_or(run.ended);
            output
        };
        Ok(Some(self.last_run(&program, run, between_turns)))
    }

    /// What a program that was asked and did not answer writes when its input ends.
    fn after_input(&mut self, program: &mut LivingProgram) -> Result<Vec<u8>, HostError> {
        program.line().close_input();
        let bounds = RunBounds { used_before: self.tree_meter.so_far()?, stop: StopAt::Answer, ..FAREWELL };
        let watched = self.watch(&mut program.running, bounds, None, Go::Still)?;
        let line = program.line();
        Ok(match (watched.outcome, line.read_all()) {
            (WatchEnd::Answered, _) | (_, LineEvent::Answered) => line.take_answer(),
            _ => line.take_unfinished(),
        })
    }

    /// The report of a program's last turn.
    fn last_run(&mut self, program: &LivingProgram, whole: Run, between_turns: CpuTime) -> Run {
        let Usage { user, system, wall, peak_rss_bytes } = whole.usage;
        let usage = usage_of(CpuSplit { user, system }.since(program.accounted));
        let run = Run {
            usage: Usage { wall, peak_rss_bytes, ..usage },
            in_doubt: whole.in_doubt.saturating_sub(program.in_doubt),
            between_turns,
            startup: program.startup,
            ..whole
        };
        self.stage = LifeStage::Over(Box::new(run.repeated()));
        run
    }

    /// Ends the game: the program's input ends, and it has a second to end. Returns how it ended, and the end of what
    /// it wrote to standard error.
    pub(super) fn end_game(&mut self) -> Result<KeeperReply, HostError> {
        let mut program = match std::mem::take(&mut self.stage) {
            LifeStage::Prepared => return Ok(KeeperReply::GameEnded(None)),
            LifeStage::Over(run) => {
                let Run { ended, stderr: said, .. } = *run;
                return Ok(KeeperReply::GameEnded(Some(ProgramEnd { ended, said })));
            }
            LifeStage::Stopped(program) => *program,
        };
        program.line().close_input();
        let bounds = RunBounds { used_before: self.tree_meter.so_far()?, ..FAREWELL };
        let watched = self.watch(&mut program.running, bounds, None, Go::Thaw);
        let RunCourse { run, .. } = self.end(&mut program.running, watched, bounds)?;
        Ok(KeeperReply::GameEnded(Some(ProgramEnd { ended: run.ended, said: run.stderr })))
    }

    /// Keeps a stopped program stopped.
    pub(super) fn hold(&self) -> Result<(), HostError> {
        match self.stage {
            LifeStage::Stopped(_) => self.freezer.as_ref().map_or(Ok(()), Freezer::hold),
            LifeStage::Prepared | LifeStage::Over(_) => Ok(()),
        }
    }
}

impl LivingProgram {
    fn line(&mut self) -> &mut AgentLine {
        self.running.launcher.line.as_mut().expect("a living program is launched with a line")
    }
}

impl CpuSplit {
    fn since(self, before: Self) -> Self {
        let sum = usage_of(self).charged(Charge::Cpu).saturating_sub(usage_of(before).charged(Charge::Cpu));
        let user = self.user.saturating_sub(before.user).min(sum);
        Self { user, system: sum.saturating_sub(user) }
    }
}

fn content(bytes: Vec<u8>) -> OutputFile {
    OutputFile::Content { bytes: Bytes(bytes) }
}

/// What a program that has ended, was ended or closed its output wrote last; and how it ended, if that shows only here.
fn last_words(line: &mut AgentLine, outcome: WatchEnd, limit_bytes: u64) -> (Option<Termination>, OutputFile) {
    let unfinished = |bytes| OutputFile::Unfinished { bytes: Bytes(bytes), after_input: Bytes(Vec::new()) };
    if !matches!(outcome, WatchEnd::Ended | WatchEnd::Closed) {
        return (None, unfinished(line.take_unfinished()));
    }
    match line.read_all() {
        LineEvent::Answered => (None, content(line.take_answer())),
        LineEvent::TooLong => {
            let limit = Exceeded::AnswerSize { limit_bytes };
            (Some(Termination::Exceeded { limit }), unfinished(line.take_unfinished()))
        }
        LineEvent::Nothing => {
            let bytes = line.take_unfinished();
            (None, if bytes.trim_ascii().is_empty() { unfinished(bytes) } else { content(bytes) })
        }
    }
}
