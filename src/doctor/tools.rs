//! Tests which languages agents can use here, and measures an empty start of each. `cli/doctor` calls it.

use std::path::Path;

use serde::Serialize;

use referee_course::check::{EmptyStart, start_empty};
use referee_games::protocol::plain;
use referee_seat::{Scratch, ScratchDir, SeatError, SeatOptions};
use referee_submissions::agents::{AgentBuilder, CppStandard, Language, PythonVersion, python_packages};
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
        let started = start_empty(builder, options, language, file, &folder.path().join(name))?;
        let (start, detail) = match started {
            Ok(EmptyStart { cost, executable }) if file == PYTHON3 => (Some(cost), with_packages(&executable)),
            Ok(EmptyStart { cost, executable }) => (Some(cost), executable),
            Err(why) => (None, why),
        };
        Ok(ToolTrial { language: name, start, detail })
    });
    tried.into_iter().collect()
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
