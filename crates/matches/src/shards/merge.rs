//! Merges copies of one run that were played on machines without a shared disk. `cli/merge` calls it.
//!
//! Nothing may be written before everything was checked. Records must be added, never changed, each whole or not at
//! all, and the plan must be replaced after the records that it follows from. So an interrupted merge is resumed by the
//! same command. Of two results of one game the existing one stays, and the other is reported.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use referee_records::{GameRecord, GameSummary, Kept, Manifest, ManifestIndex, RecordError, RunFolder, read_game};

/// A checked merge.
#[derive(Debug)]
pub struct Merge {
    into: RunFolder,
    /// The longest plan, if it differs from that of `into`.
    plan: Option<Manifest>,
    /// The games to add, with the run that has them.
    additions: BTreeMap<String, RunFolder>,
    from: Vec<RunFolder>,
    report: MergeReport,
}

/// The effect of a merge.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct MergeReport {
    /// The number of added games.
    pub added: usize,
    /// The number of games already present, with the same moves and outcome; times may differ.
    pub same: usize,
    /// Games with another result already present, which stays, and the run whose result is ignored.
    pub different: Vec<(String, PathBuf)>,
    /// The number of games added to the plan.
    pub planned: usize,
    /// The number of games still missing.
    pub missing: usize,
}

/// Why runs cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// They are not copies of one run.
    #[error("cannot merge `{}` into `{}`: {difference}", from.display(), into.display())]
    Different {
        /// The target run.
        into: PathBuf,
        /// The other run.
        from: PathBuf,
        /// The difference.
        difference: String,
    },
    /// A record does not belong to its run.
    #[error("`{}` is not a game of its run: {reason}; remove it, or play it again", path.display())]
    Foreign {
        /// The record.
        path: PathBuf,
        /// The contradiction.
        reason: String,
    },
    /// Something could not be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// Checks the runs to merge into `into`; writes nothing.
///
/// # Errors
///
/// [`MergeError`].
pub fn merge(into: &RunFolder, from: &[RunFolder]) -> Result<Merge, MergeError> {
    let manifest = into.manifest()?;
    let mut others = Vec::with_capacity(from.len());
    for folder in from {
        let other = folder.manifest()?;
        expect_same_plan(into, &manifest, folder, &other)?;
        others.push(other);
    }
    let plans = || std::iter::once(&manifest).chain(&others);
    let longest = plans().max_by_key(|plan| plan.games.len()).unwrap_or(&manifest);
    for (other, folder) in others.iter().zip(from) {
        expect_prefix(into, longest, folder, other)?;
    }
    let common = plans().map(|plan| plan.games.len()).min().unwrap_or(0);
    let went_on = longest.games.len() > common;
    let mut there: HashMap<String, RunFolder> =
        into.finished(&manifest).into_iter().map(|id| (id, into.clone())).collect();
    let mut merge = Merge {
        into: into.clone(),
        plan: (longest.games.len() > manifest.games.len()).then(|| longest.clone()),
        additions: BTreeMap::new(),
        from: from.to_vec(),
        report: MergeReport { planned: longest.games.len() - manifest.games.len(), ..MergeReport::default() },
    };
    for (folder, other) in from.iter().zip(&others) {
        let index = ManifestIndex::of(other);
        for id in folder.finished(other) {
            match there.get(&id) {
                None => {
                    expect_own(folder, &index, &id)?;
                    merge.additions.insert(id.clone(), folder.clone());
                    there.insert(id, folder.clone());
                }
                Some(known) if is_same_game(known, folder, &id)? => merge.report.same += 1,
                Some(known) => {
                    if went_on {
                        expect_same_winner(known, folder, &id)?;
                    }
                    merge.report.different.push((id, folder.path().to_owned()));
                }
            }
        }
    }
    merge.report.added = merge.additions.len();
    merge.report.missing = longest.games.len() - there.len();
    Ok(merge)
}

impl Merge {
    /// The effect.
    pub const fn report(&self) -> &MergeReport {
        &self.report
    }

    /// Performs the merge.
    ///
    /// # Errors
    ///
    /// [`MergeError::Record`]; added records stay, and the same merge resumes.
    pub fn execute(mut self) -> Result<MergeReport, MergeError> {
        for (id, folder) in &self.additions {
            match self.into.keep_text(id, &folder.text_of_game(id)?)? {
                Kept::First | Kept::Again => {}
                Kept::Superseded => {
                    self.report.added -= 1;
                    self.report.different.push((id.clone(), folder.path().to_owned()));
                }
            }
        }
        for folder in &self.from {
            for calibration in folder.calibrations()? {
                self.into.keep_calibration(&calibration)?;
            }
        }
        if let Some(plan) = &self.plan {
            self.into.revise(plan)?;
        }
        Ok(self.report)
    }
}

/// Checks that both were planned by one assignment, for the same agents under the same conditions.
fn expect_same_plan(
    into: &RunFolder,
    manifest: &Manifest,
    folder: &RunFolder,
    other: &Manifest,
) -> Result<(), MergeError> {
    let without_plan = |manifest: &Manifest| Manifest { games: vec![], rounds: vec![], ..manifest.clone() };
    let roles = |manifest: &Manifest| -> Vec<_> { manifest.agents.iter().map(|agent| agent.role).collect() };
    let difference = if into.assignment()? != folder.assignment()? {
        Some("its assignment differs".to_owned())
    } else if manifest.seating != other.seating {
        Some("its isolation or meter differs".to_owned())
    } else {
        let difference = without_plan(other).difference(&without_plan(manifest));
        let withdrawn = || "an agent has withdrawn from only one of them".to_owned();
        difference.or_else(|| (roles(manifest) != roles(other)).then(withdrawn))
    };
    difference.map_or(Ok(()), |difference| Err(different(into, folder, difference)))
}

/// Checks that the plan of `other` is a prefix of `longest`.
fn expect_prefix(into: &RunFolder, longest: &Manifest, folder: &RunFolder, other: &Manifest) -> Result<(), MergeError> {
    if longest.games.starts_with(&other.games) && longest.rounds.starts_with(&other.rounds) {
        return Ok(());
    }
    let difference = "its pairings differ: both went on from different results, or it is another competition";
    Err(different(into, folder, difference.to_owned()))
}

/// Checks that both have the same winner: later rounds depend on earlier winners.
fn expect_same_winner(known: &RunFolder, folder: &RunFolder, id: &str) -> Result<(), MergeError> {
    let winner = |folder: &RunFolder| folder.game(id).map(|game| game.verdict.winner());
    if winner(known)? == winner(folder)? {
        return Ok(());
    }
    let difference = format!(
        "game `{id}` has another winner there, and one of the two runs has planned a later round from its own result"
    );
    Err(different(known, folder, difference))
}

/// Checks that the record belongs to its run.
fn expect_own(folder: &RunFolder, index: &ManifestIndex<'_>, id: &str) -> Result<(), MergeError> {
    let path = folder.path_of(id);
    let record = read_game(&path, folder.games())?;
    let another = (record.id != id).then(|| format!("it is the record of `{}`", record.id));
    match another.or_else(|| index.contradiction(&record)) {
        None => Ok(()),
        Some(reason) => Err(MergeError::Foreign { path, reason }),
    }
}

/// Whether both have the same record of a game, or records that agree on its moves and its outcome.
fn is_same_game(known: &RunFolder, folder: &RunFolder, id: &str) -> Result<bool, RecordError> {
    if known.text_of_game(id)? == folder.text_of_game(id)? {
        return Ok(true);
    }
    let (Ok(known), Ok(other)) = (known.game(id), folder.game(id)) else {
        return Ok(false);
    };
    let moves = |record: &GameRecord| record.turns.iter().map(|turn| turn.mv().map(str::to_owned)).collect::<Vec<_>>();
    let outcome = |record: &GameRecord| GameSummary::of(record).outcome;
    Ok(moves(&known) == moves(&other) && outcome(&known) == outcome(&other))
}

fn different(into: &RunFolder, from: &RunFolder, difference: String) -> MergeError {
    MergeError::Different { into: into.path().to_owned(), from: from.path().to_owned(), difference }
}
