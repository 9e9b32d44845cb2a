//! How agents are built and seated: the same in a grading, in a competition, and in a part of one on another machine.

use std::path::{Path, PathBuf};

use super::Failure;
use crate::agents::{AgentBuilder, Python2};
use crate::assignment::Assignment;
use crate::records::{RecordError, Seating};
use crate::seat::{IsolationRange, SeatOptions};

/// The seats of an assignment's games.
pub(super) fn seats(seating: Seating, assignment: &Assignment) -> SeatOptions {
    SeatOptions {
        charge: assignment.clock.charge,
        meter: seating.meter,
        isolation: IsolationRange::at_least(seating.at_least),
        limits: assignment.limits,
        ..SeatOptions::default()
    }
}

/// Where an assignment's agents are made for these seats; what is built is kept in the folder `built`.
pub(super) fn builder(
    seating: Seating,
    assignment: &Assignment,
    seats: &SeatOptions,
    built: PathBuf,
) -> Result<AgentBuilder, Failure> {
    let builder = AgentBuilder::for_game(assignment.game)
        .map_err(|error| Failure::Machine(format!("cannot tell where `referee` itself is: {error}")))?;
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

/// The folder `out` has a run that this is not.
pub(super) fn other_run(out: &Path, difference: &str) -> Failure {
    let (path, difference) = (out.to_owned(), difference.to_owned());
    RecordError::OtherRun { path, difference }.into()
}
