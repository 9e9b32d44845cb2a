//! Serves pages over HTTP, to browsers on this machine and, if the user allows it, on others. `cli/serve` calls it.
//!
//! It contains a server ([`Server`]) for untrusted clients, and the pages of a run. [`crate::report`] decides what a
//! page shows; a server of reports writes nothing.
//!
//! No part of a request may reach the file system: requested names are looked up among the records. A request for
//! another host, or one that changes something and comes from another site, must be refused. Connections and the cost
//! of each must be bounded. The server must end on request, even with open streams.
//!
//! ```text
//! connections     connection.rs: limits on silence and size
//!                 slots.rs: which one is closed when there are too many
//! each request    request_filter.rs: whether it may pass; security headers of every answer
//! a run           watch.rs, a thread, polls its folder ──► latest_view.rs ──► routes.rs, clients
//! ```

mod connection;
mod latest_view;
mod play;
mod request_filter;
mod routes;
mod run;
mod server;
mod slots;
mod watch;

pub use play::{PlaySession, routes as play_routes};
pub use request_filter::RequestPolicy;
pub use run::serve_run;
pub use server::{Server, listen};
pub use watch::{IsOver, WatchedRun};
