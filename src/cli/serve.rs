//! `referee serve`: serves the page of a run through [`crate::serve`].

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use clap::Args;

use super::compete::assignment_of;
use super::output::{note, print};
use super::serve_play::PlayArguments;
use super::session::{interruption, on_threads};
use super::{CommandOutcome, Failure};
use crate::assignment::Competition;
use crate::records::{Manifest, RunFolder};
use crate::report::{Ledger, Lot, Naming};
use crate::serve::{RequestPolicy, Server, WatchedRun, listen, serve_run};
use crate::tournament::NextStep;

/// Shows a run in the browser while it goes on: standings, and the running games move by move. Reads the records of the
/// run and changes nothing; whoever plays the run, on this machine or on others that share its folder, needs no word of
/// it. Ends when it is interrupted.
///
/// With `--play`, shows a board instead on which you play against an agent.
#[derive(Debug, Args)]
pub(super) struct ServeCommand {
    /// The folder of the run
    #[arg(value_name = "RUN", required_unless_present = "play", conflicts_with = "play")]
    run: Option<PathBuf>,
    #[command(flatten)]
    listen: ListenArgument,
    #[command(flatten)]
    play: PlayArguments,
    /// Call the agents `agent 01` and so on by lot, and leave out what they wrote, for a page that anybody may read
    #[arg(long)]
    anonymous: bool,
}

/// Where a server listens.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct ListenArgument {
    /// Where to listen; port 0 is one that is free. Every address but a loopback one lets other machines in
    #[arg(long, value_name = "ADDRESS:PORT", default_value_t = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0))]
    listen: SocketAddr,
}

impl ListenArgument {
    /// A bound server; prints its address, and what others may do there.
    pub(super) async fn open(self, conduct: RequestPolicy) -> Result<Server, Failure> {
        let server = listen(self.listen).await;
        let server = server.map_err(|error| {
            let (address, port) = (self.listen, self.listen.port());
            let remedy = match port {
                0 => "",
                _ => "; port 0 is one that is free",
            };
            Failure::Machine(format!("cannot listen at `{address}`: {error}{remedy}"))
        })?;
        if server.is_public() {
            let whom = if server.address().ip().is_unspecified() {
                "at any of its addresses".to_owned()
            } else {
                format!("at `{}`", server.address().ip())
            };
            let may = match conduct {
                RequestPolicy::Look => "see this page",
                RequestPolicy::LookAndAct => "see this page and play on it",
            };
            note(&format!(
                "referee: whoever can reach this machine {whom} can {may}, without a password and unencrypted; \
                 without `--listen` only this machine can"
            ));
        }
        print(&format!("serving: {server} (interrupt to end)\n"))?;
        Ok(server)
    }
}

impl ServeCommand {
    pub(super) fn run(self) -> Result<CommandOutcome, Failure> {
        let served = match &self.run {
            Some(run) => {
                let watch = self.watch(run)?;
                on_threads(self.serve(watch))
            }
            None => self.play.run(self.listen),
        };
        served.map(|()| CommandOutcome::Yes)
    }

    fn watch(&self, run: &Path) -> Result<WatchedRun, Failure> {
        if !RunFolder::is_begun(run) {
            return Err(Failure::Input(format!(
                "there is no run in `{}` yet: begin it first, with `referee play`, `compete` or `grade` and `--out`",
                run.display()
            )));
        }
        let folder = RunFolder::open(run)?;
        let manifest = folder.manifest()?;
        let assignment = assignment_of(&folder)?;
        let competition = assignment
            .as_ref()
            .and_then(|assignment| assignment.competition_of(&manifest).cloned());
        let naming = if self.anonymous {
            Naming::Lot(Lot::draw())
        } else {
            Naming::Real
        };
        Ok(WatchedRun {
            folder,
            assignment,
            naming,
            is_over: Box::new(move |manifest, ledger| is_over(competition.as_ref(), manifest, ledger)),
        })
    }

    async fn serve(self, watch: WatchedRun) -> Result<(), Failure> {
        let server = self.listen.open(RequestPolicy::Look).await?;
        let end = async {
            interruption().await;
        };
        let ended = serve_run(server, watch, end).await?;
        ended.map_err(|error| Failure::Machine(format!("cannot serve any more: {error}")))
    }
}

/// Whether the run is finished, once all planned games are.
fn is_over(competition: Option<&Competition>, manifest: &Manifest, ledger: &Ledger) -> bool {
    match competition.map(|competition| competition.next(manifest, &ledger.results())) {
        None | Some(NextStep::Over(_)) => true,
        Some(NextStep::Play(_) | NextStep::Waiting) => false,
    }
}
