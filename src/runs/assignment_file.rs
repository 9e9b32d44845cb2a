//! Reads what is known of a run before it is prepared: its assignment, in a file or in the run's folder, and the
//! earlier run that is resumed. It changes nothing.

use std::mem::discriminant;
use std::path::Path;

use super::error::RunFailure;
use super::kind::expect_kind_in;
use super::progress::{OnProgress, Progress};
use super::run_path::expect_place_for_run;
use referee_course::assignment::{Assignment, Competition};
use referee_games::{GameRef, KnownGames};
use referee_matches::tournament::{Format, NextStep, RankBy, Results};
use referee_records::{MAX_ASSIGNMENT_BYTES, Manifest, RunFolder, RunKind, read_bounded_text};

/// Reads an assignment that must have something to grade.
///
/// # Errors
///
/// [`RunFailure::Input`].
pub fn load_grading(path: &Path, games: &KnownGames) -> Result<Assignment, RunFailure> {
    let assignment = Assignment::load(path, games)?;
    if assignment.criteria.is_empty() {
        return Err(RunFailure::input(path, "it has no `[[grade]]`: there is nothing to grade"));
    }
    Ok(assignment)
}

/// Reads an assignment that must have a competition.
///
/// # Errors
///
/// [`RunFailure::Input`].
pub fn load_competition(path: &Path, games: &KnownGames) -> Result<(Assignment, Competition), RunFailure> {
    let assignment = Assignment::load(path, games)?;
    match assignment.competition.clone() {
        Some(competition) => Ok((assignment, competition)),
        None => Err(RunFailure::input(path, "it has no `[competition]`: add one, see tournaments/README.md")),
    }
}

/// The text of an assignment, to store with its run.
pub(super) fn assignment_text(path: &Path) -> Result<String, RunFailure> {
    read_bounded_text(path, MAX_ASSIGNMENT_BYTES).map_err(|error| RunFailure::input(path, error))
}

/// Refuses the folder `out` if a run of this kind can be neither begun nor resumed in it.
pub(super) fn expect_place(out: &Path, kind: RunKind) -> Result<(), RunFailure> {
    expect_place_for_run(out)?;
    expect_kind_in(out, kind)
}

/// A run in its folder, with its assignment and the one that is named now.
pub(super) struct EarlierRun {
    pub folder: RunFolder,
    pub manifest: Manifest,
    /// The text of its assignment.
    pub text: String,
    /// Its assignment, with paths as they are written.
    pub then: Assignment,
    /// The assignment that is named now, likewise.
    pub now: Assignment,
}

impl EarlierRun {
    /// The run in the folder `out`, if there is one; the assignment is `now`, in the file `path`.
    pub(super) fn read(out: &Path, path: &Path, now: &str, games: &KnownGames) -> Result<Option<Self>, RunFailure> {
        if !RunFolder::is_begun(out) {
            return Ok(None);
        }
        let (folder, manifest) = RunFolder::open_with_manifest(out, games)?;
        let Some(text) = folder.assignment()? else {
            let difference = format!("it was not started by `{}`", manifest.kind.command());
            return Err(RunFailure::other_run(out, difference));
        };
        let (then, now) = (Assignment::parse(&text, path, games)?, Assignment::parse(now, path, games)?);
        Ok(Some(Self { folder, manifest, text, then, now }))
    }

    /// Refuses a competition whose games were played by another assignment than the one in the file `path`.
    pub(super) fn expect_same_competition(&self, path: &Path) -> Result<(), RunFailure> {
        let Some(part) = difference(&self.then, &self.now) else { return Ok(()) };
        let difference = format!("its games were played with another {part}: restore that in `{}`", path.display());
        Err(RunFailure::other_run(self.folder.path(), difference))
    }
}

/// What the games of two competitions differ in. Titles, criteria, late penalties and what a ranking goes by are
/// computed from the records each time, and agents may be added.
fn difference(then: &Assignment, now: &Assignment) -> Option<&'static str> {
    let played = |assignment: &Assignment| {
        assignment.competition.as_ref().map(|competition| Competition {
            rank_by: RankBy::default(),
            agents: vec![],
            ..competition.clone()
        })
    };
    let (before, after) = (played(then)?, played(now)?);
    let parts = [
        (then.game == now.game, "game"),
        (then.seed == now.seed, "`seed`"),
        (discriminant(&before.format) == discriminant(&after.format), "`format`"),
        (before.format == after.format, key_of(&before.format)),
        (before.games_per_pairing == after.games_per_pairing, "`games_per_pairing`"),
        (before.play_time == after.play_time, "`play_time`"),
        (before.opening_plies == after.opening_plies, "`opening_plies`"),
        (before == after, "`first_move`"),
        (then.conditions(before.play_time) == now.conditions(after.play_time), "tolerance, clock, limits or draws"),
    ];
    parts.into_iter().find(|(same, _)| !same).map(|(_, part)| part)
}

/// The key that makes two competitions of this format differ.
const fn key_of(format: &Format) -> &'static str {
    match format {
        Format::Gauntlet { .. } => "`challenger`",
        Format::Swiss { .. } => "`rounds`",
        Format::Elimination { .. } => "`round_limit`",
        Format::RandomRounds { .. } => "`opponents` or `rounds`",
        Format::RoundRobin | Format::Knockout | Format::DoubleKnockout => "`format`",
    }
}

/// Says that the rules of `game` are no longer those of the run `before`, which keeps its own.
pub(super) fn report_kept_rules(before: Option<&Manifest>, game: GameRef, on_progress: &OnProgress) {
    if before.is_some_and(|before| before.game != game) {
        on_progress(Progress::RulesKept(game));
    }
}

/// The assignment of the run in `folder`; `None` if it has none.
///
/// # Errors
///
/// [`RunFailure::Input`].
pub fn assignment_of(folder: &RunFolder) -> Result<Option<Assignment>, RunFailure> {
    let file = folder.assignment_path();
    let text = folder.assignment()?;
    Ok(text.map(|text| Assignment::parse(&text, &file, folder.games())).transpose()?)
}

/// The competition of the run in `folder`; `None` for games between named agents, and for a grading.
///
/// # Errors
///
/// [`RunFailure::Input`].
pub fn competition_of(folder: &RunFolder, manifest: &Manifest) -> Result<Option<Competition>, RunFailure> {
    let assignment = assignment_of(folder)?;
    Ok(assignment.and_then(|assignment| assignment.competition_of(manifest).cloned()))
}

/// The next step, from the plan and the records; unreadable records count as missing.
pub fn next_step(manifest: &Manifest, competition: &Competition, folder: &RunFolder) -> NextStep {
    let results: Results =
        folder.summaries(manifest).flatten().map(|summary| (summary.id, summary.outcome.winner())).collect();
    competition.next(manifest, &results)
}
