//! `referee serve`: serves the page of a run through [`referee_pages::serve`].

use std::path::{Path, PathBuf};

use clap::Args;

use super::listen::ListenArgument;
use super::serve_play::PlayArguments;
use super::session::{interruption, on_threads};
use super::{CommandOutcome, Failure};
use crate::runs::{assignment_of, open_run};
use referee_course::assignment::Competition;
use referee_games::KnownGames;
use referee_matches::tournament::NextStep;
use referee_pages::report::{AnonymousRng, Ledger, Naming};
use referee_pages::serve::{RequestPolicy, WatchedRun, serve_run};
use referee_records::{Manifest, RunKind};

/// Show a run live in the browser, or play against an agent there
///
/// Shows the standings and every running game, move by move. Only reads the run directory, so the run can be in
/// progress on this machine or on others. With `--play`, serves a board on which you play against an agent. Press
/// Ctrl-C to stop.
#[derive(Debug, Args)]
pub(super) struct ServeCommand {
    /// Run directory
    #[arg(value_name = "RUN", required_unless_present = "play", conflicts_with = "play")]
    run: Option<PathBuf>,
    #[command(flatten)]
    listen: ListenArgument,
    /// Replace names by `agent 01`, ... in random order and omit the agents' output, for a public page
    #[arg(long)]
    anonymous: bool,
    #[command(flatten)]
    play: PlayArguments,
}

impl ServeCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        let served = match &self.run {
            Some(run) => {
                let watch = self.watch(run, games)?;
                on_threads(self.serve(watch))
            }
            None => self.play.run(self.listen, games),
        };
        served.map(|()| CommandOutcome::Yes)
    }

    fn watch(&self, run: &Path, games: &KnownGames) -> Result<WatchedRun, Failure> {
        let (folder, manifest) = open_run(run, games)?;
        let assignment = assignment_of(&folder)?;
        let competition = assignment.as_ref().and_then(|assignment| assignment.competition_of(&manifest).cloned());
        let naming = if self.anonymous { Naming::Lot(AnonymousRng::draw()) } else { Naming::Real };
        Ok(WatchedRun {
            folder,
            assignment,
            naming,
            is_over: Box::new(move |manifest, ledger| is_over(competition.as_ref(), manifest, ledger)),
        })
    }

    async fn serve(self, watch: WatchedRun) -> Result<(), Failure> {
        let server = self.listen.open(RequestPolicy::Look, "").await?;
        let end = async {
            interruption().await;
        };
        let ended = serve_run(server, watch, end).await?;
        ended.map_err(|error| Failure::Machine(format!("the server failed: {error}")))
    }
}

/// Whether the run is finished, once all planned games are.
fn is_over(competition: Option<&Competition>, manifest: &Manifest, ledger: &Ledger) -> bool {
    if manifest.kind == RunKind::Ladder {
        return false;
    }
    match competition.map(|competition| competition.next(manifest, &ledger.results())) {
        None | Some(NextStep::Over(_)) => true,
        Some(NextStep::Play(_) | NextStep::Waiting) => false,
    }
}
