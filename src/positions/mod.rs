//! Positions that are worth asking for.
//!
//! For: the cases of Star and Circle, which have one right answer each ([`case`]). Deliberately not here: files, and
//! judging answers.

mod cases;

pub use cases::{Case, CaseKind, case};
