//! Measures the cost of starting an empty program in a language: the part of each move that no author can change.
//! `examine` calls it for `budget`, and the doctor for every language.

use std::fs;
use std::path::Path;

use referee_games::GameRef;
use referee_games::protocol::plain;
use referee_seat::{Protocol, RunRequest, Seat, SeatError, SeatOptions, Task, Termination};
use referee_submissions::agents::{AgentBuilder, AgentError, AgentSpec, Language};
use referee_time::{CpuTime, WallTime};

/// The number of starts; the median counts.
const RUNS: usize = 5;

/// An empty program that was started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmptyStart {
    /// What one start is charged.
    pub cost: CpuTime,
    /// The program or the interpreter that was run.
    pub executable: String,
}

/// Builds an empty program in `language`, named `file`, in the new folder `folder`, and starts it in a seat with these
/// `options`, as often as is needed to know the cost; inside, why there is none here.
///
/// # Errors
///
/// [`SeatError`] if no program can be run at all.
pub fn start_empty(
    builder: &AgentBuilder,
    options: &SeatOptions,
    language: Language,
    file: &str,
    folder: &Path,
) -> Result<Result<EmptyStart, String>, SeatError> {
    let sources = folder.join("sources");
    let text = language.empty_program(file);
    let written = fs::create_dir_all(&sources).and_then(|()| fs::write(sources.join(file), text));
    written.map_err(|error| SeatError::Failed(error.to_string()))?;
    let agent = match builder.prepare(&AgentSpec::of_path(sources), &folder.join("build")) {
        Ok(agent) => agent,
        Err(AgentError::MissingTool { tool, .. }) => return Ok(Err(tool.to_string())),
        Err(AgentError::BrokenTool { broken, .. }) => return Ok(Err(plain(&broken.to_string()))),
        Err(other) => return Ok(Err(other.to_string())),
    };
    let program = agent.program_for(GameRef::all().next().expect("there are games"), 0);
    // It does not live on, whatever agents of the course do.
    let mut seat = Seat::open(&program, &SeatOptions { protocol: Protocol::Files, ..options.clone() })?;
    let request = RunRequest {
        task: Task::Move { input: "go\n".to_owned() },
        kill_after: CpuTime::from_secs(10),
        wall_limit: WallTime::from_secs(20),
    };
    let mut costs = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let run = seat.run(&request)?;
        if run.ended != (Termination::Exited { status: 0 }) {
            let problem = run.stderr.lines().find(|line| !line.trim().is_empty());
            let problem = problem.map_or_else(|| "no error message".to_owned(), plain);
            return Ok(Err(format!("an empty program fails: {problem}")));
        }
        costs.push(run.usage.charged(options.charge));
    }
    costs.sort_unstable();
    let executable = program.command.first().map(|word| word.to_string_lossy().into_owned());
    Ok(Ok(EmptyStart { cost: costs[RUNS / 2], executable: executable.unwrap_or_default() }))
}
