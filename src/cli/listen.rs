//! The option `--listen` of commands that serve a page. `serve` and `serve_play` have it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use clap::Args;

use super::Failure;
use super::output::{note, print};
use referee_pages::serve::{RequestPolicy, Server, listen};

/// Where a server listens.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct ListenArgument {
    /// Address to listen on; port 0 picks a free port. Any address but a loopback address lets other machines connect
    #[arg(long, value_name = "ADDRESS:PORT", default_value_t = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0))]
    listen: SocketAddr,
}

impl ListenArgument {
    /// A bound server; prints the address of its page in `folder`, and what others may do there.
    pub(super) async fn open(self, conduct: RequestPolicy, folder: &str) -> Result<Server, Failure> {
        let server = listen(self.listen).await.map_err(|error| {
            let (address, port) = (self.listen, self.listen.port());
            let remedy = match port {
                0 => "",
                _ => "; port 0 picks a free port",
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
                RequestPolicy::Look => "can see this page, without a password or encryption",
                RequestPolicy::LookAndAct => "and knows the whole address can play on this page, without encryption",
            };
            note(&format!(
                "referee: warning: anyone who can reach this machine {whom} {may}; omit `--listen` to serve only this \
                 machine"
            ));
        }
        print(&format!("serving: {server}{folder} (Ctrl-C to stop)\n"))?;
        Ok(server)
    }
}
