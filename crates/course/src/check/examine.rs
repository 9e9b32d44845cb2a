//! The course of a check: builds the submission, runs it in each situation that grading may bring, and collects the
//! findings. `cli/check` calls it and shows them.
//!
//! This file decides which steps there are and in what order. Each step has a file of its own, which runs the
//! submission and judges what it saw.

use std::path::Path;
use std::time::Instant;

use super::answers::{ExerciseResults, ask_all, judge_answers, judge_format};
use super::budget::{ClockUse, MovePace, StartCost, judge_memory, judge_pace, judge_slowest};
use super::calibration::judge_calibration;
use super::conduct::{ObservedConduct, judge_leftovers, judge_printing, judge_unread};
use super::error::CheckError;
use super::exercises::{exercises, first_turn, shows_remaining_time};
use super::games::{PlayedGame, judge_game, play_games};
use super::living::{judge_protocol, try_protocol};
use super::playdata::{judge_stale, try_stale};
use super::prepared::PreparedSubmission;
use super::references::{shortest_play_time, time_for_an_answer};
use super::report::{CheckItem, CheckReport, CheckResult};
use super::start::start_empty;
use super::submission::{Programs, judge_build, judge_fault, judge_files};
use super::time_pressure::{answer_with_little_time, judge_second, judge_with_little_time, most_used, with_a_second};
use crate::assignment::{Assignment, AssignmentAgent};
use referee_games::Memory;
use referee_games::protocol::{plain, quote};
use referee_records::Question;
use referee_seat::{Isolation, Protocol};
use referee_submissions::agents::{AgentBuilder, AgentError, AgentSpec, Language, Participant, SubmissionFault};
use referee_time::CpuTime;

/// What to check, and how.
#[derive(Debug)]
pub struct CheckPlan<'a> {
    /// The submission's canonical path, a folder or a file without an archive around it; or why an archive is refused.
    pub submission: Result<&'a Path, SubmissionFault>,
    /// The assignment.
    pub assignment: &'a Assignment,
    /// The opponents.
    pub references: &'a [AssignmentAgent],
    /// The assignment's own positions and cases, as far as the course shows them; asked first.
    pub own: &'a [Question],
    /// The missing folder of files that the course provides, if it is missing.
    pub missing_provided: Option<&'a Path>,
    /// The number of positions or cases.
    pub positions: u32,
    /// Whether to play games.
    pub games: GameChecks,
    /// The tools, with the options of the check's seats.
    pub builder: &'a AgentBuilder,
    /// An empty folder for builds, which must exist until the check is over.
    pub builds: &'a Path,
}

/// Whether to play games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameChecks {
    /// Play them.
    Play,
    /// Skip them.
    Skip,
}

/// The progress of a check.
#[derive(Clone, Copy, Debug)]
pub enum CheckStep<'a> {
    /// A step that may take a while began.
    Began(&'a str),
    /// A result.
    Found(&'a CheckItem),
}

/// Runs all steps and reports each to `on_event`.
///
/// # Errors
///
/// [`CheckError`]; faults of the submission are in the report.
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
    // Only a handout mentions the program; rules of a program of their own do not.
    if calibration.is_some() || plan.assignment.game.profile().handout.is_some() {
        notes.add(judge_calibration(calibration.as_ref(), plan.builder.calibrate_limit));
    }
    let lives = plan.assignment.protocol == Protocol::Stdio;
    let is_puzzle = plan.assignment.game.puzzles().is_some();
    if lives && !is_puzzle {
        notes.begin("protocol");
        let probe = try_protocol(&mut prepared)?;
        notes.add(judge_protocol(&probe));
        if probe.is_mute() {
            notes.report.waits = prepared.conduct.waits;
            return Ok(notes.report);
        }
    }
    let time = time_for_an_answer(plan.assignment);
    // A program that keeps a board of its own has to be asked from the start of a game on.
    let practice = if lives && !is_puzzle {
        vec![first_turn(plan.assignment.game, time)]
    } else {
        exercises(plan.assignment.game, plan.positions, time)?
    };
    let exercises: Vec<Question> = plan.own.iter().cloned().chain(practice).collect();
    let answers = answer(&mut prepared, &exercises, plan.own.len(), &mut notes)?;
    // A puzzle is one run without a clock.
    let in_a_hurry = (!is_puzzle && shows_remaining_time(plan.assignment.game))
        .then(|| time_pressure(&mut prepared, &exercises, &mut notes))
        .transpose()?;
    if !is_puzzle && !lives {
        playdata(&mut prepared, &exercises, &answers, &mut notes)?;
    }
    // The standard output of a program that lives is its answers.
    let stdout = exercises.first().filter(|_| !lives).map(|first| prepared.listen(first)).transpose()?;
    let played = games(plan, &mut prepared, &mut notes)?;
    let charges: Vec<CpuTime> = played.iter().flat_map(|game| &game.charges).copied().collect();
    notes.add(judge_leftovers(&prepared.conduct));
    let stdout = stdout.unwrap_or_default();
    let unread = answers.wrote_nothing().then(|| judge_unread(&stdout)).flatten();
    let printing = unread.unwrap_or_else(|| judge_printing(&prepared.conduct, &stdout));
    if !lives || printing.light != CheckResult::Green {
        notes.add(printing);
    }
    let mut pace = MovePace {
        game: plan.assignment.game,
        charges: &charges,
        finished: longest_finished(&played),
        play_time: shortest_play_time(plan.assignment),
        in_a_hurry,
        start: None,
    };
    if let Some(language) = language.filter(|_| pace.is_close()) {
        notes.begin("time");
        let folder = plan.builds.join("empty-program");
        let file = plan.builder.names.program_in(language);
        let started = start_empty(plan.builder, prepared.seats, language, &file, &folder)?;
        pace.start = started.ok().map(|started| StartCost { language, cost: started.cost });
    }
    notes.add(judge_time(&pace, &answers, plan.assignment));
    let limit = plan.assignment.limits.memory_bytes;
    notes.add(judge_memory(prepared.conduct.peak_rss_bytes, limit));
    notes.report.waits = prepared.conduct.waits;
    Ok(notes.report)
}

/// Judges the time of moves in games, or of answers if none were played; where each move has a limit, the slowest of
/// both.
fn judge_time(pace: &MovePace<'_>, answers: &ExerciseResults, assignment: &Assignment) -> CheckItem {
    if let Some(limit) = assignment.clock.move_time {
        let moves = answers.given.len() + pace.charges.len();
        let slowest = pace.charges.iter().copied().fold(answers.slowest(), CpuTime::max);
        return judge_slowest(moves, slowest, limit);
    }
    let limit = time_for_an_answer(assignment);
    judge_pace(pace).unwrap_or_else(|| judge_slowest(answers.given.len(), answers.slowest(), limit))
}

/// A weaker isolation than in grading cannot show what would be forbidden there.
fn judge_isolation(here: Isolation, grading: Isolation) -> Option<CheckItem> {
    (here < grading).then(|| {
        let found = format!(
            "this machine supports `{here}`, grading uses `{grading}`: there, other programs, the network and files \
             outside the working directory are inaccessible"
        );
        CheckItem::ok("isolation", found)
    })
}

/// Replaces the submission's folder, whose copy is elsewhere.
const SUBMISSION: &str = "<submission>/";

/// Reports results as they are found.
struct Notes<H> {
    report: CheckReport,
    /// The path of the submission's copy, which means nothing to its author.
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

/// The line with [`SUBMISSION`] instead of every path of a working directory, which is the submission's folder in a
/// seat.
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

/// Makes the submission an agent; also returns its language. `None` if it fails through its own fault.
fn build(
    plan: &CheckPlan<'_>,
    notes: &mut Notes<impl FnMut(CheckStep<'_>)>,
) -> Result<Option<(Participant, Option<Language>)>, CheckError> {
    if let Some(provided) = plan.missing_provided {
        let found = format!("the course's files are missing: {}", quote(provided.as_os_str().as_encoded_bytes()));
        let remedy = "get them from your course and put them where the assignment says; grading has them";
        notes.add(CheckItem::warning("provided", found, remedy));
    }
    notes.begin("build");
    let submission = match &plan.submission {
        Ok(submission) => *submission,
        Err(fault) => {
            notes.add(judge_fault(fault));
            return Ok(None);
        }
    };
    let name = AgentSpec::of_path(submission).name();
    let spec = AgentSpec::of_submission(name, submission);
    let began = Instant::now();
    match plan.builder.prepare(&spec, &plan.builds.join("submission")) {
        Ok(agent) => {
            let programs = Programs::of(submission, &plan.builder.names);
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

/// Asks the exercises, of which the first `own` are the assignment's.
fn answer(
    prepared: &mut PreparedSubmission<'_>,
    exercises: &[Question],
    own: usize,
    notes: &mut Notes<impl FnMut(CheckStep<'_>)>,
) -> Result<ExerciseResults, CheckError> {
    notes.begin("answers");
    let answers = ask_all(prepared, exercises)?;
    notes.report.failed = answers.failed();
    notes.add(judge_answers(&answers, own));
    if let Some(item) = judge_format(&answers, prepared.assignment.tolerance, prepared.assignment.game) {
        notes.add(item);
    }
    Ok(answers)
}

/// Also returns the maximum charge of a move with one second left.
fn time_pressure(
    prepared: &mut PreparedSubmission<'_>,
    exercises: &[Question],
    notes: &mut Notes<impl FnMut(CheckStep<'_>)>,
) -> Result<CpuTime, CheckError> {
    notes.begin("little time");
    let answers = with_a_second(prepared, exercises)?;
    notes.add(judge_second(&answers));
    notes.add(judge_with_little_time(&answer_with_little_time(prepared)?));
    Ok(most_used(&answers))
}

fn playdata(
    prepared: &mut PreparedSubmission<'_>,
    exercises: &[Question],
    answers: &ExerciseResults,
    notes: &mut Notes<impl FnMut(CheckStep<'_>)>,
) -> Result<(), CheckError> {
    // Where everything in the working directory lives on, no file of this name means anything.
    if prepared.assignment.game.profile().memory != Memory::Playdata {
        return Ok(());
    }
    notes.begin("playdata");
    // Without any answer, a stale file cannot do harm.
    let Some(exercise) = answers.first_correct().and_then(|place| exercises.get(place)) else {
        return Ok(());
    };
    let other = exercises.last().unwrap_or(exercise);
    let stale = try_stale(prepared, exercise, other)?;
    let judged = judge_stale(&stale);
    // Only a handout mentions the file; in other games it is worth a word where it does harm.
    if judged.light != CheckResult::Green || prepared.assignment.game.profile().handout.is_some() {
        notes.add(judged);
    }
    Ok(())
}

fn longest_finished(played: &[PlayedGame]) -> Option<ClockUse> {
    played.iter().filter_map(PlayedGame::clock_use).max_by_key(|game| game.moves)
}

/// Plays the games, if wanted.
fn games(
    plan: &CheckPlan<'_>,
    prepared: &mut PreparedSubmission<'_>,
    notes: &mut Notes<impl FnMut(CheckStep<'_>)>,
) -> Result<Vec<PlayedGame>, CheckError> {
    let play_time = shortest_play_time(plan.assignment);
    let mut all = Vec::new();
    if plan.games == GameChecks::Skip {
        return Ok(all);
    }
    for (index, reference) in plan.references.iter().enumerate() {
        notes.begin(&format!("game against {}", reference.name));
        let build = plan.builds.join(format!("reference-{index}"));
        let agent = match plan.builder.prepare(&reference.spec, &build) {
            Ok(agent) => agent,
            Err(error) => {
                let found = format!("not played against {}: {}", reference.name, plain(&error.to_string()));
                let remedy = "get the reference agent from your course and put it where the assignment says";
                notes.add(CheckItem::warning("game", found, remedy));
                continue;
            }
        };
        let mut reference = Participant::new(agent).renamed(reference.name.to_string());
        drop(reference.calibrate(prepared.seats)?);
        for played in play_games(prepared, &reference, play_time)? {
            notes.add(judge_game(&played));
            all.push(played);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::report::CheckResult;

    #[test]
    fn a_path_in_a_seat_is_one_in_the_submission() {
        let cases = [
            ("File \"/tmp/referee-seat.a1/work/b/x.py\", line 2", "File \"<submission>/b/x.py\", line 2"),
            ("'/referee-seat.a/work/x' '/t/referee-seat.b/work/y'", "'<submission>/x' '<submission>/y'"),
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
        assert_eq!(item.light, CheckResult::Green);
        assert!(item.found.starts_with("this machine supports `bare`, grading uses `confined`: "));
    }
}
