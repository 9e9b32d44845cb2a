//! What moves on a terminal while a run goes on.
//!
//! For: progress, boards and clocks that change. Deliberately not here: deciding anything, and the words
//! ([`crate::wording`]).
//!
//! What must always hold: everything is legible without colours and when piped into a file.

mod live;

pub use live::Live;
