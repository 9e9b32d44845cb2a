//! Measures the cost of starting an empty program in the submission's language: the part of each move that its author
//! cannot change. `examine` calls it for `budget`.

use std::fs;
use std::io;
use std::path::Path;

use super::error::CheckError;
use super::exercises::first_turn;
use super::prepared::PreparedSubmission;
use referee_matches::referee::ask;
use referee_submissions::agents::{AgentBuilder, AgentSpec, Language, Participant};
use referee_time::CpuTime;

/// The number of starts; the median counts.
const RUNS: usize = 5;

/// The limit for each start: far more than any takes.
const TIME: CpuTime = CpuTime::from_secs(10);

/// The cost of an empty program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StartCost {
    pub(super) language: Language,
    /// The charge of one run.
    pub(super) cost: CpuTime,
}

/// Measures it like the submission, in a new folder `folder`; `None` if no such program can be built here.
pub(super) fn measure_start(
    prepared: &PreparedSubmission<'_>,
    language: Language,
    builder: &AgentBuilder,
    folder: &Path,
) -> Result<Option<StartCost>, CheckError> {
    let source = folder.join("source");
    let file = builder.names.program_in(language);
    let written = || -> io::Result<()> {
        fs::create_dir_all(&source)?;
        fs::write(source.join(&file), language.empty_program(&file))
    };
    written().map_err(|error| CheckError::Machine(format!("cannot write `{}`: {error}", source.display())))?;
    let Ok(agent) = builder.prepare(&AgentSpec::of_path(source), &folder.join("built")) else {
        return Ok(None);
    };
    let assignment = prepared.assignment;
    let mut seat = Participant::new(agent).take_seat(assignment.game, 0, prepared.seats)?;
    let question = first_turn(assignment.game, TIME);
    let conditions = assignment.conditions(TIME);
    let mut costs = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let run = ask(&question, &conditions, &mut seat)?;
        costs.push(run.usage.charged(conditions.charge));
    }
    costs.sort_unstable();
    Ok(Some(StartCost { language, cost: costs[RUNS / 2] }))
}
