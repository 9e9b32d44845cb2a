//! How agents are built and seated: the same in gradings, competitions and shards. It opens no seat.

use std::path::{Path, PathBuf};

use super::Failure;
use crate::agents::{AgentBuilder, Python2};
use crate::assignment::Assignment;
use crate::records::{RecordError, Seating};
use crate::seat::{IsolationRange, SeatOptions};

/// The options of seats in an assignment's games.
pub(super) fn seats(seating: Seating, assignment: &Assignment) -> SeatOptions {
    SeatOptions {
        charge: assignment.clock.charge,
        meter: seating.meter,
        isolation: IsolationRange::at_least(seating.at_least),
        limits: assignment.limits,
        ..SeatOptions::default()
    }
}

/// The builder of an assignment's agents for these seats; the folder `built` caches builds.
pub(super) fn builder(
    seating: Seating,
    assignment: &Assignment,
    seats: &SeatOptions,
    built: PathBuf,
) -> Result<AgentBuilder, Failure> {
    let builder = AgentBuilder::for_game(assignment.game)
        .map_err(|error| Failure::Machine(format!("cannot find the path of `referee` itself: {error}")))?;
    Ok(AgentBuilder {
        names: assignment.submission.names.clone(),
        provide: assignment.submission.provide.clone(),
        python2: if seating.python2_by_python3 {
            Python2::ByPython3
        } else {
            Python2::Required
        },
        seats: seats.clone(),
        cache: Some(built),
        ..builder
    })
}

/// The error that the folder `out` contains a different run.
pub(super) fn other_run(out: &Path, difference: &str) -> Failure {
    let (path, difference) = (out.to_owned(), difference.to_owned());
    RecordError::OtherRun { path, difference }.into()
}
