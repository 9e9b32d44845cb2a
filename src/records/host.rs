//! The machine that a run was played on.

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZero;

use serde::{Deserialize, Serialize};

/// What is worth knowing of a machine when times are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Its name.
    pub name: String,
    /// The operating system and its release.
    pub system: String,
    /// The processor model, as the system calls it.
    pub cpu_model: String,
    /// How many processors this process may use.
    pub processors: usize,
    /// How many cores these are: two processors of one core slow each other down.
    #[serde(default)]
    pub cores: usize,
}

impl Host {
    /// This machine. What the system does not tell is called `unknown`.
    pub fn this() -> Self {
        let (name, system) = nix::sys::utsname::uname().map_or_else(
            |_| (unknown(), unknown()),
            |found| {
                let text = |part: &std::ffi::OsStr| part.to_string_lossy().into_owned();
                (
                    text(found.nodename()),
                    format!("{} {}", text(found.sysname()), text(found.release())),
                )
            },
        );
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self {
            name,
            system,
            cpu_model: cpu_model().unwrap_or_else(unknown),
            processors,
            cores: cores().map_or(processors, |cores| cores.clamp(1, processors)),
        }
    }
}

/// How many different cores the system tells of, where it does.
fn cores() -> Option<usize> {
    let processors = fs::read_dir("/sys/devices/system/cpu").ok()?;
    let siblings = |processor: fs::DirEntry| {
        let path = processor.path().join("topology/thread_siblings_list");
        fs::read_to_string(path).ok()
    };
    let cores: BTreeSet<String> = processors.flatten().filter_map(siblings).collect();
    (!cores.is_empty()).then_some(cores.len())
}

fn cpu_model() -> Option<String> {
    let description = fs::read_to_string("/proc/cpuinfo").ok()?;
    let model = description
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))?
        .1;
    Some(model.trim().to_owned())
}

fn unknown() -> String {
    "unknown".to_owned()
}
