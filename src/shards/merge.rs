//! Copies of one run, played on machines without a common disk, become one again.
//!
//! What must always hold: nothing is written before everything has been looked at; records are added and never changed,
//! each whole or not at all, and the plan is replaced after the records that it follows from. So an interrupted merge
//! is gone on with by the same command. Of two results of one game the one that was here stays, and the other is told.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use crate::records::{
    Kept, LARGEST_RECORD_BYTES, Manifest, ManifestIndex, RecordError, RunFolder, read_bounded, read_game,
};

/// A merge that can be carried out.
#[derive(Debug)]
pub struct Merge {
    into: RunFolder,
    /// The longest plan, where it is not that of `into`.
    plan: Option<Manifest>,
    /// The games to be added, with the run that has them.
    additions: BTreeMap<String, RunFolder>,
    from: Vec<RunFolder>,
    report: MergeReport,
}

/// What a merge comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct MergeReport {
    /// How many games are added.
    pub added: usize,
    /// How many were there already, to the byte.
    pub same: usize,
    /// Games of which there is another result already, which stays, with the run whose result is left out.
    pub different: Vec<(String, PathBuf)>,
    /// How many games of the plan are added to that of the first run.
    pub planned: usize,
    /// How many games of the plan are missing after it.
    pub missing: usize,
}

/// Why runs cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// They are not copies of one run.
    #[error("`{}` cannot be joined with `{}`: {difference}", from.display(), into.display())]
    Different {
        /// The run to be joined with.
        into: PathBuf,
        /// The other.
        from: PathBuf,
        /// What differs.
        difference: String,
    },
    /// A record is not of the run that it is in.
    #[error("`{}` is no game of its run: {reason}; remove it, or play it again", path.display())]
    Foreign {
        /// The record.
        path: PathBuf,
        /// What contradicts.
        reason: String,
    },
    /// Something could not be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// Looks at everything that is to be joined into `into`, and writes nothing.
///
/// # Errors
///
/// [`MergeError`].
pub fn merge(into: &RunFolder, from: &[RunFolder]) -> Result<Merge, MergeError> {
    let manifest = into.manifest()?;
    let mut others = Vec::with_capacity(from.len());
    for folder in from {
        let other = folder.manifest()?;
        expect_kin(into, &manifest, folder, &other)?;
        others.push(other);
    }
    let plans = || std::iter::once(&manifest).chain(&others);
    let longest = plans().max_by_key(|plan| plan.games.len()).unwrap_or(&manifest);
    for (other, folder) in others.iter().zip(from) {
        expect_prefix(into, longest, folder, other)?;
    }
    let common = plans().map(|plan| plan.games.len()).min().unwrap_or(0);
    let went_on = longest.games.len() > common;
    let mut there: HashMap<String, RunFolder> = into
        .finished(&manifest)
        .into_iter()
        .map(|id| (id, into.clone()))
        .collect();
    let mut merge = Merge {
        into: into.clone(),
        plan: (longest.games.len() > manifest.games.len()).then(|| longest.clone()),
        additions: BTreeMap::new(),
        from: from.to_vec(),
        report: MergeReport {
            planned: longest.games.len() - manifest.games.len(),
            ..MergeReport::default()
        },
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
                Some(known) if text(known, &id)? == text(folder, &id)? => merge.report.same += 1,
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
    /// What it comes to.
    pub const fn report(&self) -> &MergeReport {
        &self.report
    }

    /// Carries it out.
    ///
    /// # Errors
    ///
    /// [`MergeError::Record`]; what was added stays, and the same merge goes on.
    pub fn carry_out(mut self) -> Result<MergeReport, MergeError> {
        for (id, folder) in &self.additions {
            match self.into.keep_text(id, &text(folder, id)?)? {
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

/// Both were planned by one assignment, for the same agents under the same conditions.
fn expect_kin(into: &RunFolder, manifest: &Manifest, folder: &RunFolder, other: &Manifest) -> Result<(), MergeError> {
    let without_plan = |manifest: &Manifest| Manifest {
        games: vec![],
        rounds: vec![],
        ..manifest.clone()
    };
    let roles = |manifest: &Manifest| -> Vec<_> { manifest.agents.iter().map(|agent| agent.role).collect() };
    let difference = if into.assignment()? != folder.assignment()? {
        Some("its assignment is another".to_owned())
    } else if manifest.seating != other.seating {
        Some("its agents are isolated or measured otherwise".to_owned())
    } else {
        let difference = without_plan(other).difference(&without_plan(manifest));
        let withdrawn = || "an agent has withdrawn from one and not from the other".to_owned();
        difference.or_else(|| (roles(manifest) != roles(other)).then(withdrawn))
    };
    difference.map_or(Ok(()), |difference| Err(different(into, folder, difference)))
}

/// The plan of `other` is the beginning of `longest`.
fn expect_prefix(into: &RunFolder, longest: &Manifest, folder: &RunFolder, other: &Manifest) -> Result<(), MergeError> {
    if longest.games.starts_with(&other.games) && longest.rounds.starts_with(&other.rounds) {
        return Ok(());
    }
    let difference = "its pairings are others: both went on from different results, or it is another competition";
    Err(different(into, folder, difference.to_owned()))
}

/// Later rounds follow from who won the earlier ones.
fn expect_same_winner(known: &RunFolder, folder: &RunFolder, id: &str) -> Result<(), MergeError> {
    let winner = |folder: &RunFolder| folder.game(id).map(|game| game.verdict.winner());
    if winner(known)? == winner(folder)? {
        return Ok(());
    }
    let difference = format!(
        "game `{id}` has another winner there, and one of the two has gone on to a later round from its own result"
    );
    Err(different(known, folder, difference))
}

/// The record is one of its own run.
fn expect_own(folder: &RunFolder, index: &ManifestIndex<'_>, id: &str) -> Result<(), MergeError> {
    let path = folder.path_of(id);
    let record = read_game(&path)?;
    let another = (record.id != id).then(|| format!("it is the record of `{}`", record.id));
    match another.or_else(|| index.contradiction(&record)) {
        None => Ok(()),
        Some(reason) => Err(MergeError::Foreign { path, reason }),
    }
}

fn text(folder: &RunFolder, id: &str) -> Result<Vec<u8>, RecordError> {
    let path = folder.path_of(id);
    read_bounded(&path, LARGEST_RECORD_BYTES).map_err(|source| RecordError::Read { path, source })
}

fn different(into: &RunFolder, from: &RunFolder, difference: String) -> MergeError {
    MergeError::Different {
        into: into.path().to_owned(),
        from: from.path().to_owned(),
        difference,
    }
}
