//! The steps of a check, in their order.

use std::path::Path;
use std::time::Instant;

use super::answers::{ExerciseResults, ask_all, judge_answers, judge_format};
use super::budget::{MovePace, judge_memory, judge_pace, judge_slowest};
use super::calibration::judge_calibration;
use super::conduct::{ObservedConduct, judge_leftovers, judge_printing, listen};
use super::exercises::{Exercise, exercises};
use super::games::{judge_game, play_games};
use super::hurry::{judge_hardly_any, judge_second, most_used, with_a_second, with_hardly_any};
use super::playdata::{judge_stale, try_stale};
use super::prepared::PreparedSubmission;
use super::references::{Reference, shortest_play_time, time_for_an_answer};
use super::report::{CheckItem, CheckReport};
use super::start::measure_start;
use super::submission::{Programs, judge_build, judge_fault, judge_files};
use crate::agents::{AgentBuilder, AgentError, AgentSpec, Language, Participant};
use crate::assignment::Assignment;
use crate::positions::PositionsError;
use crate::protocol::{plain, quote};
use crate::referee::Void;
use crate::seat::{Isolation, SeatError};
use crate::time::CpuTime;

/// What is to be checked, and how.
#[derive(Debug)]
pub struct CheckPlan<'a> {
    /// The submission: a folder or a file, by its real path.
    pub submission: &'a Path,
    /// What it is for.
    pub assignment: &'a Assignment,
    /// Whom it meets.
    pub references: &'a [Reference],
    /// The folder of what the course provides, where it should be and is not.
    pub missing_kit: Option<&'a Path>,
    /// How many positions or cases it is asked.
    pub positions: u32,
    /// Whether games are played.
    pub quick: Quick,
    /// The tools; its seats are those of the check.
    pub builder: &'a AgentBuilder,
    /// An empty folder for what is built, which has to stay until the check is over.
    pub builds: &'a Path,
}

/// Whether games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quick {
    /// They are.
    No,
    /// They are left out.
    Yes,
}

/// What a check is doing.
#[derive(Clone, Copy, Debug)]
pub enum CheckStep<'a> {
    /// It has begun with something that may take a while.
    Began(&'a str),
    /// It has found something.
    Found(&'a CheckItem),
}

/// Why a check could not be brought to its end, through no fault of the submission.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// No agent could be made of what was named.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// This machine did not do what was asked of it.
    #[error("no agent can be run here: {0}")]
    Machine(String),
    /// There are not so many positions.
    #[error(transparent)]
    Positions(#[from] PositionsError),
}

impl From<SeatError> for CheckError {
    fn from(error: SeatError) -> Self {
        Self::Machine(error.to_string())
    }
}

impl From<Void> for CheckError {
    fn from(void: Void) -> Self {
        Self::Machine(void.reason)
    }
}

/// Does all steps; `on_event` is told of each.
///
/// # Errors
///
/// [`CheckError`]; whatever is wrong with the submission is in the report.
pub fn examine(plan: &CheckPlan<'_>, on_event: impl FnMut(CheckStep<'_>)) -> Result<CheckReport, CheckError> {
    let mut notes = Notes {
        report: CheckReport::default(),
        sources: format!("{}/", plan.builds.join("submission/sources").display()),
        on_event,
    };
    let Some((participant, language)) = build(plan, &mut notes)? else {
        return Ok(notes.report);
    };
    let mut prepared = PreparedSubmission {
        participant,
        assignment: plan.assignment,
        seats: &plan.builder.seats,
        conduct: ObservedConduct::default(),
    };
    if let Some(item) = judge_isolation(prepared.seat()?.isolation(), plan.assignment.minimum_isolation) {
        notes.add(item);
    }
    notes.begin("calibrate");
    let calibration = prepared.participant.run_calibrate(prepared.seats)?;
    notes.add(judge_calibration(calibration.as_ref()));
    let exercises = exercises(
        plan.assignment.game,
        plan.positions,
        time_for_an_answer(plan.assignment),
    )?;
    let answers = answer(&mut prepared, &exercises, &mut notes)?;
    let in_a_hurry = match plan.assignment.game.puzzles() {
        None => {
            let most_used = hurry(&mut prepared, &exercises, &mut notes)?;
            playdata(&mut prepared, &exercises, &answers, &mut notes)?;
            Some(most_used)
        }
        // Its inputs tell no time, and its programs have one run each.
        Some(_) => None,
    };
    let stdout = exercises
        .first()
        .map(|first| listen(&mut prepared, first))
        .transpose()?;
    let charges = games(plan, &mut prepared, &mut notes)?;
    notes.add(judge_leftovers(&prepared.conduct));
    notes.add(judge_printing(&prepared.conduct, &stdout.unwrap_or_default()));
    let mut pace = MovePace {
        game: plan.assignment.game,
        charges: &charges,
        play_time: shortest_play_time(plan.assignment),
        in_a_hurry,
        start: None,
    };
    if let Some(language) = language.filter(|_| pace.is_close()) {
        notes.begin("time");
        let folder = plan.builds.join("empty-program");
        pace.start = measure_start(&prepared, language, plan.builder, &folder)?;
    }
    notes.add(judge_time(&pace, &answers, plan.assignment));
    let limit = plan.assignment.limits.memory_bytes;
    notes.add(judge_memory(prepared.conduct.peak_rss_bytes, limit));
    Ok(notes.report)
}

/// By the moves of games, or where none were played, by the answers.
fn judge_time(pace: &MovePace<'_>, answers: &ExerciseResults, assignment: &Assignment) -> CheckItem {
    let limit = time_for_an_answer(assignment);
    judge_pace(pace).unwrap_or_else(|| judge_slowest(answers.given.len(), answers.slowest(), limit))
}

/// A machine that keeps agents in less than grading does cannot show what would be forbidden there.
fn judge_isolation(here: Isolation, grading: Isolation) -> Option<CheckItem> {
    (here < grading).then(|| {
        let found = format!(
            "`{here}` is the best that this machine can do, grading has `{grading}`: other programs, the network and \
             files \
             outside of the working directory are out of reach there, even if they are not here"
        );
        CheckItem::ok("isolation", found)
    })
}

/// What stands for the folder of the submission, whose copy is elsewhere.
const SUBMISSION: &str = "<submission>/";

/// What is found as it is found.
struct Notes<H> {
    report: CheckReport,
    /// Where the copy of the submission is that is run: a path that means nothing to its author.
    sources: String,
    on_event: H,
}

impl<H: FnMut(CheckStep<'_>)> Notes<H> {
    fn begin(&mut self, what: &str) {
        (self.on_event)(CheckStep::Began(what));
    }

    fn add(&mut self, mut item: CheckItem) {
        for line in &mut item.details {
            *line = without_seats(&line.replace(&self.sources, SUBMISSION));
        }
        (self.on_event)(CheckStep::Found(&item));
        self.report.items.push(item);
    }
}

/// The line with [`SUBMISSION`] in the place of every path to a working directory, which is the submission's folder in
/// a seat.
fn without_seats(line: &str) -> String {
    const SEAT: &str = "/referee-seat.";
    const WORK: &str = "/work/";
    let Some((before, after)) = line.split_once(SEAT) else {
        return line.to_owned();
    };
    let start = before.rfind(['"', '\'', '`', '(', ' ']).map_or(0, |quote| quote + 1);
    match after.split_once(WORK) {
        Some((name, rest)) if !name.contains(['/', ' ']) => {
            format!("{}{SUBMISSION}{}", &before[..start], without_seats(rest))
        }
        Some(_) | None => format!("{before}{SEAT}{}", without_seats(after)),
    }
}

/// The submission made an agent, and its language, if it has one; `None` where that cannot be done, by its own fault.
fn build(
    plan: &CheckPlan<'_>,
    notes: &mut Notes<impl FnMut(CheckStep<'_>)>,
) -> Result<Option<(Participant, Option<Language>)>, CheckError> {
    if let Some(kit) = plan.missing_kit {
        let found = format!(
            "the files that the course provides are not here: {}",
            quote(kit.as_os_str().as_encoded_bytes())
        );
        let remedy = "get them from your course, and put them where the assignment says; they are there in grading";
        notes.add(CheckItem::warning("provided", found, remedy));
    }
    notes.begin("build");
    let name = AgentSpec::of_path(plan.submission).name();
    let spec = AgentSpec::of_submission(name, plan.submission);
    let began = Instant::now();
    match plan.builder.prepare(&spec, &plan.builds.join("submission")) {
        Ok(agent) => {
            let programs = Programs::of(plan.submission, &plan.builder.names);
            notes.add(judge_files(&programs, &agent.remarks));
            notes.add(judge_build(&programs, &agent, began.elapsed()));
            Ok(Some((Participant::new(agent), programs.language())))
        }
        Err(AgentError::Submission { fault, .. }) => {
            notes.add(judge_fault(&fault));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

fn answer(
    prepared: &mut PreparedSubmission<'_>,
    exercises: &[Exercise],
    notes: &mut Notes<impl FnMut(CheckStep<'_>)>,
) -> Result<ExerciseResults, CheckError> {
    notes.begin("answers");
    let answers = ask_all(prepared, exercises)?;
    notes.report.failed = answers.failed();
    notes.add(judge_answers(&answers));
    if let Some(item) = judge_format(&answers, prepared.assignment.tolerance) {
        notes.add(item);
    }
    Ok(answers)
}

/// Also tells the most that a move took with one second left.
fn hurry(
    prepared: &mut PreparedSubmission<'_>,
    exercises: &[Exercise],
    notes: &mut Notes<impl FnMut(CheckStep<'_>)>,
) -> Result<CpuTime, CheckError> {
    notes.begin("little time");
    let answers = with_a_second(prepared, exercises)?;
    notes.add(judge_second(&answers));
    notes.add(judge_hardly_any(&with_hardly_any(prepared)?));
    Ok(most_used(&answers))
}

fn playdata(
    prepared: &mut PreparedSubmission<'_>,
    exercises: &[Exercise],
    answers: &ExerciseResults,
    notes: &mut Notes<impl FnMut(CheckStep<'_>)>,
) -> Result<(), CheckError> {
    notes.begin("playdata");
    // Where nothing was answered, there is nothing that could be harmed.
    let Some(exercise) = answers.first_right().and_then(|place| exercises.get(place)) else {
        return Ok(());
    };
    let other = exercises.last().unwrap_or(exercise);
    let stale = try_stale(prepared, exercise, other)?;
    notes.add(judge_stale(&stale));
    Ok(())
}

/// Plays the games, if any are to be played, and tells what each of its moves was charged.
fn games(
    plan: &CheckPlan<'_>,
    prepared: &mut PreparedSubmission<'_>,
    notes: &mut Notes<impl FnMut(CheckStep<'_>)>,
) -> Result<Vec<CpuTime>, CheckError> {
    let play_time = shortest_play_time(plan.assignment);
    let mut charges = Vec::new();
    if plan.quick == Quick::Yes {
        return Ok(charges);
    }
    for (index, reference) in plan.references.iter().enumerate() {
        notes.begin(&format!("game against {}", reference.name));
        let build = plan.builds.join(format!("reference-{index}"));
        let agent = match plan.builder.prepare(&reference.spec, &build) {
            Ok(agent) => agent,
            Err(error) => {
                let found = format!("not played against {}: {}", reference.name, plain(&error.to_string()));
                let remedy = "get the reference from your course, and put it where the assignment says";
                notes.add(CheckItem::warning("game", found, remedy));
                continue;
            }
        };
        let mut reference = Participant::new(agent).renamed(reference.name.to_string());
        drop(reference.calibrate(prepared.seats)?);
        for played in play_games(prepared, &reference, play_time)? {
            notes.add(judge_game(&played));
            charges.extend(played.charges);
        }
    }
    Ok(charges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Light;

    #[test]
    fn a_path_in_a_seat_is_one_in_the_submission() {
        let cases = [
            (
                "File \"/tmp/referee-seat.a1/work/b/x.py\", line 2",
                "File \"<submission>/b/x.py\", line 2",
            ),
            (
                "'/referee-seat.a/work/x' '/t/referee-seat.b/work/y'",
                "'<submission>/x' '<submission>/y'",
            ),
            ("/tmp/referee-seat.a1/work/x", "<submission>/x"),
            ("No such file: 'input.txt'", "No such file: 'input.txt'"),
            ("/tmp/referee-seat.a1/other", "/tmp/referee-seat.a1/other"),
        ];
        for (line, shown) in cases {
            assert_eq!(without_seats(line), shown);
        }
    }

    #[test]
    fn a_machine_that_keeps_agents_in_less_is_told_of_and_is_no_fault() {
        assert_eq!(judge_isolation(Isolation::Sealed, Isolation::Confined), None);
        let item = judge_isolation(Isolation::Bare, Isolation::Confined).unwrap();
        assert_eq!(item.light, Light::Green);
        assert!(
            item.found
                .starts_with("`bare` is the best that this machine can do, grading has `confined`: ")
        );
    }
}
