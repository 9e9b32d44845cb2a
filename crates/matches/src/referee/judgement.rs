//! Judges one run: the agent's fault, or the move that it made.
//!
//! A pure function of the run's report and the rules; it plays no move and keeps no clock. Called by
//! [`super::ongoing_game`] and [`super::answer`].

use referee_games::protocol::{Finding, compare, is_blank_text, plain, quote};
use referee_games::{Judged, State};
use referee_records::{AnswerVerdict, Conditions, Fault, PersonClock};
use referee_seat::{Charge, OutputFile, Run, Termination, Usage};
use referee_time::{CpuTime, WallTime};

/// The time that a run had, and its charge.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeAllowance {
    /// The clock before the run.
    pub(super) left: CpuTime,
    pub(super) charged: CpuTime,
    /// How often the side has overrun the limit for a move before.
    pub(super) overruns: u32,
    /// The clock of a person, if it was a person's turn.
    pub(super) person: Option<PersonClock>,
}

impl TimeAllowance {
    /// The allowance of a program with `left` on its clock.
    pub(super) fn of_program(left: CpuTime, conditions: &Conditions, run: &Run) -> Self {
        Self { left, charged: run.usage.charged(conditions.charge), overruns: 0, person: None }
    }
}

/// The answer by which a person resigns. From a program it is a wrong format.
pub const RESIGNATION: &str = "resign";

/// Judges `run`, made in `position`: time first, then existence, format, legality. Oddities that cost nothing are among
/// the warnings. Whatever the fault, the rules are asked whether it is theirs: if so, they break the position, and
/// nobody loses by that.
pub(super) fn judge(
    position: &State,
    allowance: TimeAllowance,
    conditions: &Conditions,
    run: &Run,
) -> Result<Judged, Fault> {
    let read = |text: &[u8]| {
        if allowance.person.is_some() && text.trim_ascii() == RESIGNATION.as_bytes() {
            return Err(Fault::Resigned);
        }
        let judged = position.judge(text, conditions.tolerance);
        Ok(judged.inspect_err(|_| position.recheck_forfeit(Some(text), conditions.tolerance))?)
    };
    let judged = judge_run(allowance, conditions, run, read);
    let mut judged = judged.inspect_err(|_| position.recheck_forfeit(None, conditions.tolerance))?;
    judged.warnings.extend(overrun(allowance, conditions));
    judged.warnings.extend(oddities(run, conditions.charge));
    Ok(judged)
}

/// Judges `run` against the only right answer, `expected`.
pub(super) fn judge_text(
    expected: &str,
    left: CpuTime,
    conditions: &Conditions,
    run: &Run,
) -> Result<(AnswerVerdict, Vec<Finding>), Fault> {
    let read = |text: &[u8]| {
        if is_blank_text(text) && !expected.is_empty() {
            return Err(Fault::EmptyOutput);
        }
        Ok(compare(expected, text, conditions.tolerance))
    };
    match judge_run(TimeAllowance::of_program(left, conditions, run), conditions, run, read)? {
        Ok(mut warnings) => {
            warnings.extend(oddities(run, conditions.charge));
            Ok((AnswerVerdict::Equal, warnings))
        }
        Err(lines) => match run.ended.exceeded() {
            Some(limit) => Err(Fault::LimitExceeded { limit }),
            None => Ok((AnswerVerdict::Different { lines }, oddities(run, conditions.charge))),
        },
    }
}

/// Judges the time of `run` and the existence of an answer, then passes the answer to `read`. For a program killed for
/// exceeding a limit, blames the limit instead of the missing answer.
fn judge_run<T>(
    allowance: TimeAllowance,
    conditions: &Conditions,
    run: &Run,
    read: impl FnOnce(&[u8]) -> Result<T, Fault>,
) -> Result<T, Fault> {
    judge_time(allowance, conditions, run)?;
    let blamed = |fault| run.ended.exceeded().map_or(fault, |limit| Fault::LimitExceeded { limit });
    text_of(&run.output).and_then(read).map_err(blamed)
}

/// The wall-clock limit of a run: a sleeping agent uses no CPU time.
pub(super) fn wall_limit(conditions: &Conditions, left: CpuTime) -> WallTime {
    let sleeping = WallTime::from_micros(left.saturating_mul(u64::from(conditions.wall_limit_factor)).micros());
    sleeping + conditions.wall_limit_extra
}

fn judge_time(allowance: TimeAllowance, conditions: &Conditions, run: &Run) -> Result<(), Fault> {
    let TimeAllowance { left, charged, overruns, .. } = allowance;
    let limit = conditions.move_limit(overruns).filter(|&limit| limit < left);
    let still_computing = run.ended == Termination::OutOfCpu;
    match (&run.ended, limit) {
        // A program killed for its CPU time is out of time even if the last sample of its use was below the limit.
        (Termination::OutOfCpu, Some(limit)) => Err(Fault::OutOfMoveTime { limit, charged, still_computing }),
        (Termination::OutOfCpu, None) => Err(Fault::OutOfTime { left, charged, still_computing }),
        _ if charged >= left => Err(Fault::OutOfTime { left, charged, still_computing }),
        // A move may take exactly the limit; only a longer one loses.
        (_, Some(limit)) if charged > limit => Err(Fault::OutOfMoveTime { limit, charged, still_computing }),
        (Termination::Guarded, _) => Err(Fault::NeverReturned {
            wall_limit: wall_limit(conditions, conditions.longest_run_after(overruns, left)),
        }),
        (Termination::NotStarted { error }, _) => Err(Fault::NotStarted { error: plain(error) }),
        (
            Termination::Answered
            | Termination::Exited { .. }
            | Termination::Signalled { .. }
            | Termination::Exceeded { .. },
            _,
        ) => Ok(()),
    }
}

/// The warning on a move that took longer than the limit and may.
fn overrun(allowance: TimeAllowance, conditions: &Conditions) -> Option<Finding> {
    let TimeAllowance { charged, overruns, .. } = allowance;
    let limit = conditions.move_time.filter(|&limit| charged > limit && overruns < conditions.overruns)?;
    let allowed = conditions.overruns;
    let found = format!("it used {charged} s of {limit} s for a move: overrun {} of {allowed} allowed", overruns + 1);
    Some(Finding::new("slow-move", found))
}

/// The text of a program's answer.
///
/// # Errors
///
/// The [`Fault`] of a program without a readable answer.
pub fn text_of(output: &OutputFile) -> Result<&[u8], Fault> {
    match output {
        OutputFile::Missing { lookalike } => Err(Fault::NoOutput { lookalike: lookalike.as_deref().map(plain) }),
        OutputFile::NotAFile { found } => Err(Fault::UnusableOutput { found: plain(found) }),
        OutputFile::TooLarge { bytes } => {
            Err(Fault::UnusableOutput { found: format!("a file of {bytes} bytes, too many for an answer") })
        }
        OutputFile::Unreadable { error } => {
            Err(Fault::UnusableOutput { found: format!("an unreadable file ({})", plain(error)) })
        }
        OutputFile::Unfinished { .. } => Err(Fault::NoAnswer),
        OutputFile::Unasked { bytes } => Err(Fault::Unasked { found: beginning(&bytes.0) }),
        OutputFile::Content { bytes } => Ok(&bytes.0),
    }
}

/// The first line of what a program wrote unasked that has more than blanks, cut and quoted.
fn beginning(text: &[u8]) -> String {
    quote(text.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty()).unwrap_or_default())
}

fn oddities(run: &Run, charge: Charge) -> Vec<Finding> {
    let ending = match &run.ended {
        Termination::Answered
        | Termination::Exited { status: 0 }
        | Termination::OutOfCpu
        | Termination::Guarded
        | Termination::NotStarted { .. } => None,
        Termination::Exited { status } => {
            Some(Finding::new("exit-status", format!("the program exited with status {status}")))
        }
        Termination::Signalled { name, .. } => {
            Some(Finding::new("signal", format!("the program was terminated by {name}")))
        }
        Termination::Exceeded { .. } => Some(Finding::new("limit", "the program was killed for exceeding a limit")),
    };
    let survivors = (run.survivors > 0).then(|| {
        Finding::new("processes-left", format!("{} of its processes were still running and were killed", run.survivors))
    });
    let removed = (!run.removed.is_empty()).then(|| {
        Finding::new("files-removed", "it wrote files that are removed before the next move").hint(quoted(&run.removed))
    });
    let between_turns = (run.between_turns > CpuTime::ZERO).then(|| {
        let found = format!("it used {} s between its last answer and this question", run.between_turns);
        Finding::new("used-between-turns", found)
            .hint("a program is stopped when it has answered; this time is charged")
    });
    let discrepancy = run.discrepancy.map(|found| Finding::new("hidden-cpu-time", found.to_string()));
    let uncharged = (charge == Charge::User && is_mostly_system_time(&run.usage)).then(|| {
        let Usage { user, system, .. } = run.usage;
        let found = format!("{system} s of its {} s were system time, which is not charged", user + system);
        Finding::new("system-time", found).hint("the kernel samples the two by clock ticks, which a program can evade")
    });
    [ending, survivors, removed, between_turns, discrepancy, uncharged].into_iter().flatten().collect()
}

/// The shortest run in which clock ticks (at the slowest, 100 a second) separate user time from system time.
const LONG_ENOUGH_TO_TELL: CpuTime = CpuTime::from_millis(100);

/// Agents compute in user mode. One that does not is busy with something else, or disguises its computing.
fn is_mostly_system_time(usage: &Usage) -> bool {
    usage.system > usage.user && usage.user + usage.system >= LONG_ENOUGH_TO_TELL
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| quote(name.as_bytes())).collect::<Vec<_>>().join(", ")
}
