//! Runs a ladder: makes one, takes versions in, changes who takes part, and plays. Pairs and ratings are in
//! [`referee_matches::ladder`].
//!
//! A ladder is a folder like that of any run, with an assignment called `ladder.toml`. Only one command at a time
//! changes its manifest, which a claim ensures; any number of processes play. Every change is written whole before the
//! next one begins, so a kill at any moment loses at most the work of the moment.

mod admission;
mod freeze;
mod new;
mod pack;
mod participants;
mod play;
mod update;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};

use super::agent_setup::AgentSetup;
use super::assignment_file::assignment_of;
use super::error::RunFailure;
use super::kind::{WantedKind, expect_kind};
use super::run_path::open_roster;
pub use freeze::freeze_ladder;
pub use new::NewLadder;
pub use pack::pack_ladder;
pub use participants::{LadderChange, change_ladder, request_games};
pub use play::LadderPlayRequest;
use referee_course::assignment::{Assignment, LadderRules};
use referee_games::KnownGames;
use referee_matches::ladder::expected_pairing;
use referee_records::{AgentRole, Claim, Claims, LadderGame, Manifest, RunFolder, RunKind, StaleClaim};
pub use update::{LadderUpdateRequest, VersionOutcome, update_ladder};

/// The folder of the files that the course provides, in a ladder.
const PROVIDED: &str = "provided";

/// A ladder as its folder has it.
#[derive(Debug)]
pub struct OpenLadder {
    /// Its folder.
    pub folder: RunFolder,
    /// Its versions. Lists no games: [`Pairing`](referee_records::Pairing)s of half a million need 100 MB.
    pub manifest: Manifest,
    /// The games that have a record, in the order in which they were planned.
    pub games: Vec<LadderGame>,
    /// Its `ladder.toml`.
    pub assignment: Assignment,
    /// The `[ladder]` in it.
    pub rules: LadderRules,
}

/// Opens the ladder in the directory `path`.
///
/// # Errors
///
/// [`RunFailure`], also if its `ladder.toml` has an error.
pub fn open_ladder(path: &Path, known_games: &KnownGames) -> Result<OpenLadder, RunFailure> {
    let (folder, mut manifest) = open_roster(path, known_games)?;
    expect_kind(path, &manifest, RunKind::Ladder, WantedKind::ToRead)?;
    let missing = || RunFailure::input(&folder.assignment_path(), "it is missing: restore it");
    let mut assignment = assignment_of(&folder)?.ok_or_else(missing)?;
    let rules = assignment.ladder.clone();
    let rules = rules.ok_or_else(|| RunFailure::input(&folder.assignment_path(), "it has no `[ladder]`: add one"))?;
    let reference = manifest.agents.iter().find(|agent| agent.role == AgentRole::Reference);
    let is_same = assignment.conditions(rules.play_time) == manifest.conditions
        && assignment.game == manifest.game
        && reference.is_some_and(|agent| agent.origin == format!("builtin:{}", rules.reference));
    let games = folder.ladder_games();
    // The first version takes over the settings.
    if manifest.participants.is_empty() {
        manifest.conditions = assignment.conditions(rules.play_time);
    } else if !is_same || !has_openings(&folder, &manifest, &games, rules.opening_plies) {
        let problem = "its game, reference, openings, times, limits or draw rules are not those of the games played so \
                       far: undo the change, or begin a new ladder with `referee ladder new`";
        return Err(RunFailure::input(&folder.assignment_path(), problem));
    }
    assignment.submission.provide = assignment.submission.provide.map(|_| folder.path().join(PROVIDED));
    Ok(OpenLadder { folder, manifest, games, assignment, rules })
}

/// Whether openings of so many plies are those of the games played so far: of the first, since all have the same
/// length. `verify` compares all.
fn has_openings(folder: &RunFolder, manifest: &Manifest, games: &[LadderGame], plies: u32) -> bool {
    let first = games.first().and_then(|game| Some((game, folder.game(&game.to_string()).ok()?)));
    let Some((&LadderGame { pair, second }, record)) = first else { return true };
    let expected = expected_pairing(manifest, pair, plies).ok().flatten();
    let expected = expected.and_then(|games| games.into_iter().nth(usize::from(second)));
    // Without an opening a game begins as the rules say.
    let usual = || manifest.game.start().with_side_to_move(record.first).setup();
    expected.is_none_or(|expected| expected.start.unwrap_or_else(usual) == record.start)
}

/// The right to change the manifest, held by one process at a time. A thread renews it: an update of a class takes
/// longer than a claim lives.
struct RosterLock {
    held: Arc<(Claims, Claim)>,
    /// Dropped when the lock is, which ends the thread.
    _until_dropped: Sender<()>,
}

impl RosterLock {
    /// The name of the claim: no game has it.
    const NAME: &str = ".roster";

    /// Waits until no other process changes the ladder in `folder`.
    fn acquire(folder: &RunFolder) -> Result<Self, RunFailure> {
        let claims = Claims::in_folder(folder.claims(), None, StaleClaim::default())?;
        let claim = claims.wait_for(Self::NAME)?;
        let (held, (sender, dropped)) = (Arc::new((claims, claim)), channel());
        let renewed = Arc::clone(&held);
        std::thread::spawn(move || Self::renew(&renewed, &dropped));
        Ok(Self { held, _until_dropped: sender })
    }

    fn renew((claims, claim): &(Claims, Claim), dropped: &Receiver<()>) {
        while dropped.recv_timeout(claims.stale().heartbeat()) == Err(RecvTimeoutError::Timeout) {
            // What fails now may succeed later, and `revise` notices a lost claim.
            drop(claims.touch(claim));
        }
    }

    /// Writes the manifest, if no other process has taken this one for dead.
    fn revise(&self, folder: &RunFolder, manifest: &Manifest) -> Result<(), RunFailure> {
        let (claims, claim) = &*self.held;
        if !claims.touch(claim).unwrap_or(true) {
            let problem = "another process changes the ladder, because this one was silent for a minute";
            return Err(RunFailure::request(format!("{problem}: rerun the same command")));
        }
        Ok(folder.revise(manifest)?)
    }
}

impl Drop for RosterLock {
    fn drop(&mut self) {
        // A claim that stays becomes stale.
        let (claims, claim) = &*self.held;
        drop(claims.release(claim));
    }
}

/// How the agents of a ladder are built and seated.
fn agent_setup(folder: &RunFolder, manifest: &Manifest, assignment: &Assignment) -> Result<AgentSetup, RunFailure> {
    let seating = manifest.seating;
    let seating = seating.ok_or_else(|| RunFailure::input(folder.path(), "its manifest has no seating"))?;
    AgentSetup::of_assignment(assignment, seating, folder.built())
}

/// The folder below `entries` of the participant with this key.
fn entry_folder(ladder: &Path, key: &str) -> PathBuf {
    ladder.join("entries").join(key)
}
