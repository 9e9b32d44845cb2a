//! Pages over HTTP, for browsers on this machine and, where the user says so, around it.
//!
//! For: a server ([`Server`]) that anybody may knock at, and what it is ready to show. Deliberately not here: what a
//! page shows ([`crate::report`]), and everything that is written: a server of reports reads records and nothing else.
//!
//! What must always hold: no part of a request ever reaches the file system, for what can be asked for is asked for by
//! names that the records have; a request that was meant for another host, or comes from another site's page and would
//! change something, is refused; connections, and what one of them may cost, are bounded; the server ends when it is
//! told to, whoever is still listening.
//!
//! ```text
//! connections     connection.rs: how long one may be silent, how much it may send
//!                 slots.rs: who goes when there are too many
//! each request    gate.rs: for whom it is meant and what it may do; what every answer forbids the browser
//! a run           watch.rs, a thread, looks at its folder ──► news.rs, what is shown now ──► routes.rs, whoever asks
//! ```

mod connection;
mod gate;
mod news;
mod play;
mod routes;
mod run;
mod server;
mod slots;
mod watch;

pub use gate::RequestPolicy;
pub use play::{PlaySession, routes as play_routes};
pub use run::serve_run;
pub use server::{Server, listen};
pub use watch::{IsOver, WatchedRun};
