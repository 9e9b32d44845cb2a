//! The HTTP server: binds, serves and ends. It knows no pages; `run` and `cli/serve_play` give it routes.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use axum::Router;
use axum::middleware;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::connection::{ConnectionLimits, LimitedListener};
use super::request_filter::{RequestFilter, RequestPolicy, pass};

/// How long answers in progress may take after the end.
const LAST_ANSWERS: Duration = Duration::from_secs(1);

/// A bound server that does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

/// Binds `address`; port 0 chooses a free one.
///
/// # Errors
///
/// The system's, if the address is not this machine's or the port is taken.
pub async fn listen(address: SocketAddr) -> io::Result<Server> {
    let listener = TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    Ok(Server { listener, address })
}

impl Server {
    /// The bound address, with the actual port.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Whether other machines can reach it.
    pub fn is_public(&self) -> bool {
        !self.address.ip().is_loopback()
    }

    /// Answers with `routes` until `end` completes, and then finishes answers in progress.
    ///
    /// Endless streams must end with `end` too, or are cut.
    ///
    /// # Errors
    ///
    /// The system's, if connections cannot be accepted any more.
    pub async fn serve(
        self,
        routes: Router,
        conduct: RequestPolicy,
        end: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        let request_filter = RequestFilter::new(self.address.ip(), conduct);
        let routes = routes.layer(middleware::from_fn_with_state(request_filter, pass));
        let (told, ending) = oneshot::channel();
        let end = async move {
            end.await;
            // Fails only if nobody waits for it any more.
            told.send(()).unwrap_or_default();
        };
        let serving = axum::serve(LimitedListener::new(self.listener, ConnectionLimits::USUAL), routes)
            .with_graceful_shutdown(end);
        let cut = async {
            match ending.await {
                Ok(()) => tokio::time::sleep(LAST_ANSWERS).await,
                Err(_) => std::future::pending().await,
            }
        };
        tokio::select! {
            served = serving.into_future() => served,
            () = cut => Ok(()),
        }
    }
}

/// The URL for a browser on this machine. A browser cannot open the address that stands for all of them.
impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut address = self.address;
        match address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
            IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
            IpAddr::V4(_) | IpAddr::V6(_) => {}
        }
        write!(f, "http://{address}/")
    }
}
