//! `referee serve`

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use axum::Router;
use clap::Args;

use super::output::{note, print};
use super::serve_play::PlayArguments;
use super::session::{interruption, on_threads};
use super::{Answer, Failure};
use crate::records::RunFolder;
use crate::serve::{Conduct, Server, listen};

/// Shows a run in the browser while it goes on: standings, and the running games move by move. Reads the records of the
/// run and changes nothing; whoever plays the run, on this machine or on others that share its folder, needs no word of it.
/// Ends when it is interrupted.
///
/// With `--play`, shows a board instead on which you play against an agent.
#[derive(Debug, Args)]
pub(super) struct Serve {
    /// The folder of the run
    #[arg(value_name = "RUN", required_unless_present = "play", conflicts_with = "play")]
    run: Option<PathBuf>,
    #[command(flatten)]
    listen: ListenArgument,
    #[command(flatten)]
    play: PlayArguments,
    /// Call the agents `agent 01` and so on by their rank, and leave out what they wrote, for a page that anybody may read
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
    /// A server there, that the user has been told of.
    pub(super) async fn open(self) -> Result<Server, Failure> {
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
            note(&format!(
                "referee: whoever can reach this machine {whom} can see this page, without a password and unencrypted; \
                 without `--listen` only this machine can"
            ));
        }
        print(&format!("serving: {server} (interrupt to end)\n"))?;
        Ok(server)
    }
}

impl Serve {
    pub(super) fn run(self) -> Result<Answer, Failure> {
        let served = match &self.run {
            Some(run) => {
                RunFolder::open(run)?;
                on_threads(self.serve())
            }
            None => self.play.run(self.listen),
        };
        served.map(|()| Answer::Yes)
    }

    async fn serve(self) -> Result<(), Failure> {
        let server = self.listen.open().await?;
        let end = async {
            interruption().await;
        };
        let served = server.serve(Router::new(), Conduct::Look, end).await;
        served.map_err(|error| Failure::Machine(format!("cannot serve any more: {error}")))
    }
}
