//! Tests which languages agents can use here, and measures an empty start of each. `cli/doctor` calls it.

use std::fs;
use std::path::Path;

use serde::Serialize;

use super::meters::run;
use referee_games::GameRef;
use referee_games::protocol::plain;
use referee_seat::{Charge, Scratch, ScratchDir, Seat, SeatError, SeatOptions, Termination};
use referee_submissions::agents::{
    AgentBuilder, AgentError, AgentSpec, CppStandard, Language, PythonVersion, python_packages,
};
use referee_time::CpuTime;

/// A language, and the cost of its empty program.
#[derive(Clone, Debug, Serialize)]
pub struct ToolTrial {
    /// The language.
    pub language: &'static str,
    /// The charge of one start: the median of five; `None` if the language is unavailable.
    #[serde(rename = "start_cpu_us")]
    pub start: Option<CpuTime>,
    /// The tool, or why it is unavailable.
    pub detail: String,
}

/// The name of a Python 3 program.
const PYTHON3: &str = "homework.py";

/// The languages, with the file names that students use.
const TRIED: [(&str, &str, Language); 4] = [
    ("Python 3", PYTHON3, Language::Python(PythonVersion::Three)),
    ("Python 2", "homework2.py", Language::Python(PythonVersion::Two)),
    ("C++", "homework.cpp", Language::Cpp(CppStandard::Cpp17)),
    ("Java", "homework.java", Language::Java),
];

/// Builds and starts an empty program in every language.
///
/// # Errors
///
/// [`SeatError`] if no program can be run at all.
pub fn try_tools(builder: &AgentBuilder, options: &SeatOptions) -> Result<Vec<ToolTrial>, SeatError> {
    let folder = ScratchDir::new(Scratch::Builds).map_err(|error| SeatError::Failed(error.to_string()))?;
    let tried = TRIED.map(|(name, file, language)| {
        let place = folder.path().join(name);
        try_tool(builder, options, &place, (name, file, &language.empty_program(file)))
    });
    tried.into_iter().collect()
}

fn try_tool(
    builder: &AgentBuilder,
    options: &SeatOptions,
    place: &Path,
    (language, file, source): (&'static str, &str, &str),
) -> Result<ToolTrial, SeatError> {
    let sources = place.join("sources");
    let written = fs::create_dir_all(&sources).and_then(|()| fs::write(sources.join(file), source));
    written.map_err(|error| SeatError::Failed(error.to_string()))?;
    let unavailable = |detail: String| ToolTrial { language, start: None, detail };
    match builder.prepare(&AgentSpec::of_path(sources), &place.join("build")) {
        Err(AgentError::MissingTool { tool, .. }) => Ok(unavailable(tool.to_string())),
        Err(AgentError::BrokenTool { broken, .. }) => Ok(unavailable(plain(&broken.to_string()))),
        Err(other) => Ok(unavailable(other.to_string())),
        Ok(agent) => {
            let program = agent.program_for(GameRef::all().next().expect("there are games"), 0);
            let executable = program.command.first().map(|word| word.to_string_lossy().into_owned());
            let mut seat = Seat::open(&program, options)?;
            let mut charges = Vec::new();
            for _ in 0..5 {
                let run = run(&mut seat)?;
                if !matches!(run.ended, Termination::Answered | Termination::Exited { status: 0 }) {
                    let problem = run.stderr.lines().find(|line| !line.trim().is_empty());
                    let problem = problem.map_or_else(|| "no error message".to_owned(), plain);
                    return Ok(unavailable(format!("an empty program fails: {problem}")));
                }
                charges.push(run.usage.charged(Charge::Cpu));
            }
            charges.sort_unstable();
            let detail = executable.unwrap_or_default();
            let detail = if file == PYTHON3 { with_packages(&detail) } else { detail };
            Ok(ToolTrial { language, start: Some(charges[2]), detail })
        }
    }
}

/// The interpreter with what agents can import in it.
fn with_packages(interpreter: &str) -> String {
    let packages = python_packages(Path::new(interpreter));
    if packages.is_empty() {
        return format!("{interpreter}; modules: the standard library alone");
    }
    let packages: Vec<String> = packages.iter().map(|package| plain(package)).collect();
    format!("{interpreter}; modules beside the standard library: {}", packages.join(", "))
}
