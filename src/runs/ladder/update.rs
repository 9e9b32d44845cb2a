//! Takes the submissions of a class into a ladder: what has changed becomes a new version. [`super::admission`] tries
//! it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::admission::{AdmissionTrial, TrialResult};
use super::new::follow_settings;
use super::{OpenLadder, RosterLock, agent_setup, entry_folder, open_ladder};
use crate::runs::error::RunFailure;
use crate::runs::playing::blocking;
use crate::runs::progress::{OnProgress, Progress, StepKind};
use crate::runs::scratch::scratch_dir;
use crate::runs::submissions::{expect_elsewhere, import};
use referee_course::assignment::{Assignment, LadderRules};
use referee_course::grading::{enrol, to_build};
use referee_games::KnownGames;
use referee_games::protocol::Finding;
use referee_matches::tournament::{Slots, agent_record};
use referee_messages::{counted, plain};
use referee_records::{
    AdmissionRecord, AgentRecord, AgentRole, Manifest, ParticipantRecord, Rejection, RunFolder, VersionRecord,
    new_folder,
};
use referee_seat::Scratch;
use referee_submissions::agents::{Participant, SourceStore};

/// Submissions to take in.
#[derive(Debug)]
pub struct LadderUpdateRequest {
    /// The folder of the ladder.
    pub ladder: PathBuf,
    /// A folder or archive of submissions.
    pub class: PathBuf,
    /// The roster of the course.
    pub roster: Option<PathBuf>,
    /// Which part of an assignment with parts the class is taken from.
    pub part: Option<String>,
    /// The slots for test games. So many submissions are also built at a time.
    pub slots: Slots,
    /// The time, in seconds since 1970.
    pub now_unix_s: u64,
    /// The games that the ladder may be of.
    pub known_games: KnownGames,
}

/// What became of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VersionOutcome {
    /// It is the participant's version already.
    Unchanged,
    /// It plays from now on.
    Admitted {
        /// The number of the version.
        version: u32,
    },
    /// It does not play; the version before it stays.
    Refused {
        /// The number of the version.
        version: u32,
        /// The fault.
        fault: Finding,
        /// The record of the test game that it failed, below the ladder's folder.
        trial: Option<String>,
    },
    /// A later update takes it: its participant has handed in too many versions within 24 hours, or it could not be
    /// built or tried, through no fault of its own.
    Postponed {
        /// The reason.
        reason: String,
    },
}

const A_DAY_S: u64 = 86_400;

/// How many versions are tried before they are taken in: a kill loses no more than their games.
const BATCH: usize = 16;

/// Takes in what has changed since the last update. Returns what became of each submission, by the name of its
/// participant; whoever has handed in nothing is left out.
///
/// # Errors
///
/// [`RunFailure`], never for what is wrong with one submission. Versions that were taken in stay.
pub async fn update_ladder(
    request: LadderUpdateRequest,
    on_progress: OnProgress,
) -> Result<Vec<(String, VersionOutcome)>, RunFailure> {
    let builds = scratch_dir(Scratch::Builds)?;
    let slots = request.slots.clone();
    let (mut update, changed) = {
        let (builds, on_progress) = (builds.path().to_owned(), Arc::clone(&on_progress));
        blocking(move || Update::begin(&request, &builds, &on_progress)).await?
    };
    let mut changed = changed.into_iter();
    loop {
        let batch: Vec<NewVersion> = changed.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            break;
        }
        let (jobs, told) = (slots.count(), Arc::clone(&on_progress));
        let (going_on, batch, trial) = blocking(move || {
            let trial = update.trial(&batch, jobs, &told)?;
            Ok((update, batch, trial))
        })
        .await?;
        update = going_on;
        let (name, trial) = trial;
        let mut results = trial.play(&slots, &on_progress).await?;
        for version in batch {
            let result = results.remove(version.participant.name()).unwrap_or(TrialResult::Unknown);
            update.settle(version, result, &name)?;
        }
    }
    update.outcomes.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(update.outcomes)
}

/// An update under way.
struct Update {
    folder: RunFolder,
    manifest: Manifest,
    lock: RosterLock,
    rules: LadderRules,
    assignment: Assignment,
    now_unix_s: u64,
    outcomes: Vec<(String, VersionOutcome)>,
}

/// A version that was built.
struct NewVersion {
    /// The name in the class.
    name: String,
    number: u32,
    /// Under the name of the version.
    participant: Participant,
}

impl Update {
    /// Builds the class, and tells what has changed; faults are taken in at once.
    fn begin(
        request: &LadderUpdateRequest,
        builds: &std::path::Path,
        on_progress: &OnProgress,
    ) -> Result<(Self, Vec<NewVersion>), RunFailure> {
        let mut ladder = open_ladder(&request.ladder, &request.known_games)?;
        let lock = RosterLock::acquire(&ladder.folder)?;
        ladder.manifest = ladder.folder.roster()?;
        let setup = agent_setup(&ladder.folder, &ladder.manifest, &ladder.assignment)?;
        if ladder.manifest.participants.is_empty() {
            follow_settings(&mut ladder, &setup)?;
        }
        let OpenLadder { folder, manifest, assignment, rules, .. } = ladder;
        let mut update =
            Self { manifest, folder, lock, rules, assignment, now_unix_s: request.now_unix_s, outcomes: vec![] };
        let names = &update.assignment.submission.names;
        let of = (request.roster.as_deref(), request.part.as_deref());
        let class = import((&[], Some(&request.class)), of, names, builds, on_progress)?;
        let mut entries = class.class.entries;
        expect_elsewhere(&request.ladder, &entries, Some(&request.class))?;
        entries.retain(|entry| !entry.spec.as_ref().is_err_and(|fault| fault.code() == "nothing-handed-in"));
        on_progress(Progress::StepsBegan(StepKind::Building, to_build(&entries)));
        let built = || on_progress(Progress::StepDone);
        let enrolled = enrol(&entries, &setup.builder, &builds.join("class"), request.slots.count(), built);
        on_progress(Progress::StepsEnded);
        if let Some(participant) = enrolled.participants.values().next() {
            let level = setup.expect_seat(update.assignment.game, participant)?;
            setup.note_unconfined(level, on_progress)?;
        }
        for rejection in enrolled.rejected {
            update.refuse_unbuilt(rejection)?;
        }
        for (name, error) in enrolled.lacking {
            update.join(&name)?;
            update.conclude(name, VersionOutcome::Postponed { reason: plain(&error.to_string()) })?;
        }
        let mut changed = vec![];
        for (name, participant) in enrolled.participants {
            let latest = update.known(&name).and_then(|known| known.versions.last());
            if latest.is_some_and(|latest| latest.digest.as_ref() == Some(&participant.digest())) {
                update.conclude(name, VersionOutcome::Unchanged)?;
            } else if let Some(number) = update.next_number(&name)? {
                let agent_name = update.known(&name).expect("it was added").agent_name(number);
                changed.push(NewVersion { name, number, participant: participant.renamed(agent_name) });
            }
        }
        Ok((update, changed))
    }

    /// The games that try these versions, and the name of their run below the ladder's folder.
    fn trial(
        &self,
        versions: &[NewVersion],
        jobs: usize,
        on_progress: &OnProgress,
    ) -> Result<(String, AdmissionTrial), RunFailure> {
        let failed = |error| RunFailure::write(format!("cannot write `{}`: {error}", self.folder.path().display()));
        let out = new_folder(&self.folder.path().join("trials"), "trial").map_err(failed)?;
        let name = format!("trials/{}", out.file_name().unwrap_or_default().to_string_lossy());
        let participants: Vec<Participant> = versions.iter().map(|version| version.participant.clone()).collect();
        let setup = agent_setup(&self.folder, &self.manifest, &self.assignment)?;
        let (place, plies) = ((out, self.folder.games()), self.rules.opening_plies);
        let trial = AdmissionTrial::prepare((setup, &self.manifest), plies, &participants, place, jobs, on_progress)?;
        Ok((name, trial))
    }

    fn known(&self, name: &str) -> Option<&ParticipantRecord> {
        self.manifest.participants.iter().find(|participant| participant.name == name)
    }

    /// Makes `name` a participant, if it is none.
    fn join(&mut self, name: &str) -> Result<(), RunFailure> {
        if self.known(name).is_some() {
            return Ok(());
        }
        let key = free_key(name, &self.manifest);
        let (name, versions) = (name.to_owned(), vec![]);
        let new = ParticipantRecord { name, key, withdrawn: false, not_taken_in: None, versions };
        self.manifest.participants.push(new);
        self.lock.revise(&self.folder, &self.manifest)
    }

    /// The number of the next version of the participant `name`, who joins if it is new; `None` if it has handed in too
    /// many today.
    fn next_number(&mut self, name: &str) -> Result<Option<u32>, RunFailure> {
        self.join(name)?;
        let versions = self.known(name).map_or(&[][..], |known| &known.versions);
        // A clock that was set back makes no version older.
        let is_recent = |version: &&VersionRecord| self.now_unix_s.saturating_sub(version.received_unix_s) < A_DAY_S;
        let recent = versions.iter().filter(is_recent).count();
        if recent >= usize::try_from(self.rules.versions_per_day).unwrap_or(usize::MAX) {
            let reason = format!("{} within 24 hours", counted(self.rules.versions_per_day as usize, "version"));
            self.conclude(name.to_owned(), VersionOutcome::Postponed { reason })?;
            return Ok(None);
        }
        Ok(Some(versions.last().map_or(0, |last| last.number) + 1))
    }

    /// Takes in a submission that is no program. The same fault again is no new version.
    fn refuse_unbuilt(&mut self, rejection: Rejection) -> Result<(), RunFailure> {
        let Rejection { name, fault, compiler_output, .. } = rejection;
        let refused = AdmissionRecord::Refused { fault: fault.clone(), compiler_output, trial: None };
        let latest = self.known(&name).and_then(|known| known.versions.last());
        if latest.is_some_and(|latest| is_same(&latest.admission, &refused)) {
            return self.conclude(name, VersionOutcome::Unchanged);
        }
        let Some(number) = self.next_number(&name)? else { return Ok(()) };
        self.add(&name, VersionRecord { number, digest: None, received_unix_s: self.now_unix_s, admission: refused })?;
        self.conclude(name, VersionOutcome::Refused { version: number, fault, trial: None })
    }

    /// Takes in a version that was tried.
    fn settle(&mut self, version: NewVersion, result: TrialResult, trial: &str) -> Result<(), RunFailure> {
        let NewVersion { name, number, participant } = version;
        let digest = participant.digest();
        let key = self.known(&name).expect("it has joined").key.clone();
        let folder = format!("v{number:03}-{digest:.12}");
        let (admission, outcome) = match result {
            TrialResult::Unknown => {
                let reason = format!("its test games in `{trial}` have no result");
                return self.conclude(name, VersionOutcome::Postponed { reason });
            }
            TrialResult::Admitted => {
                let agent = u32::try_from(self.manifest.agents.len()).unwrap_or(u32::MAX);
                let origin = format!("entries/{key}/{folder}");
                let record = agent_record(&participant, AgentRole::Participant);
                self.manifest.agents.push(AgentRecord { origin, ..record });
                let admission = AdmissionRecord::Admitted { agent, since_pair: self.last_pair() };
                (admission, VersionOutcome::Admitted { version: number })
            }
            TrialResult::Refused { fault, record } => {
                let trial = Some(format!("{trial}/{record}"));
                let outcome = VersionOutcome::Refused { version: number, fault: fault.clone(), trial: trial.clone() };
                (AdmissionRecord::Refused { fault, compiler_output: None, trial }, outcome)
            }
        };
        // The sources first: a version in the manifest has them.
        SourceStore::keep_as(participant.agent(), &entry_folder(self.folder.path(), &key), &folder)?;
        let received_unix_s = self.now_unix_s;
        self.add(&name, VersionRecord { number, digest: Some(digest), received_unix_s, admission })?;
        self.conclude(name, outcome)
    }

    /// Notes what became of the submission of `name`: to be printed, and for the participant's page, what waits for a
    /// later update.
    fn conclude(&mut self, name: String, outcome: VersionOutcome) -> Result<(), RunFailure> {
        let waits = if let VersionOutcome::Postponed { reason } = &outcome { Some(reason.clone()) } else { None };
        let known = self.manifest.participants.iter_mut().find(|participant| participant.name == name);
        if let Some(known) = known.filter(|known| known.not_taken_in != waits) {
            known.not_taken_in = waits;
            self.lock.revise(&self.folder, &self.manifest)?;
        }
        self.outcomes.push((name, outcome));
        Ok(())
    }

    fn add(&mut self, name: &str, version: VersionRecord) -> Result<(), RunFailure> {
        let known = self.manifest.participants.iter_mut().find(|participant| participant.name == name);
        known.expect("it has joined").versions.push(version);
        self.lock.revise(&self.folder, &self.manifest)
    }

    /// The number of the last pair that has a record.
    fn last_pair(&self) -> u32 {
        let games = self.folder.ladder_games();
        games.iter().filter(|game| game.pair.rated).map(|game| game.pair.sequence).max().unwrap_or(0)
    }
}

fn is_same(known: &AdmissionRecord, new: &AdmissionRecord) -> bool {
    let fault = |admission: &AdmissionRecord| {
        let AdmissionRecord::Refused { fault, compiler_output, .. } = admission else { return None };
        Some((fault.code.clone(), fault.message.clone(), compiler_output.clone()))
    };
    fault(known).is_some() && fault(known) == fault(new)
}

/// A folder name for `name` that no other participant has, not even on a file system that ignores case.
fn free_key(name: &str, manifest: &Manifest) -> String {
    let taken: BTreeSet<String> = manifest.participants.iter().map(|one| one.key.to_lowercase()).collect();
    let numbered = (2..).map(|number: u32| format!("{name}-{number}"));
    let mut keys = std::iter::once(name.to_owned()).chain(numbered);
    keys.find(|key| !taken.contains(&key.to_lowercase())).expect("there are more numbers than participants")
}
