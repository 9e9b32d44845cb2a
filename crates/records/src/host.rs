//! The machine of a run or of one game, described so that CPU times can be compared. It measures nothing; manifests and
//! records contain it.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::num::NonZero;

use serde::{Deserialize, Serialize};

/// The properties of a machine that matter for comparing times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Its name; within a Slurm job that of the node, which may differ from the host name.
    pub name: String,
    /// The operating system and its release.
    pub system: String,
    /// The processor model, as reported by the system.
    pub cpu_model: String,
    /// The number of processors that this process may use.
    pub processors: usize,
    /// The number of their physical cores: two processors of one core slow each other down.
    #[serde(default)]
    pub cores: usize,
    /// The frequency governor of these processors, if the system reports it: `performance` is fair; with others the
    /// same work costs different CPU times at different moments. Several governors are joined by commas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub governor: Option<String>,
}

impl Host {
    /// This machine; unreported properties are `unknown`.
    pub fn this() -> Self {
        let (name, system) = nix::sys::utsname::uname().map_or_else(
            |_| (unknown(), unknown()),
            |found| {
                let text = |part: &std::ffi::OsStr| part.to_string_lossy().into_owned();
                (text(found.nodename()), format!("{} {}", text(found.sysname()), text(found.release())))
            },
        );
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        let node = std::env::var("SLURMD_NODENAME").ok().filter(|node| !node.is_empty());
        Self {
            name: node.unwrap_or(name),
            system,
            cpu_model: cpu_model().unwrap_or_else(unknown),
            processors,
            cores: referee_seat::cores().map_or(processors, |cores| cores.len()),
            governor: governor(),
        }
    }

    /// The properties that make CPU times comparable between machines.
    pub fn kind(&self) -> HostKind {
        HostKind { cpu_model: self.cpu_model.clone(), governor: self.governor.clone() }
    }
}

/// A kind of machine: a program is assumed to use the same CPU time on all machines of a kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct HostKind {
    /// As in [`Host::cpu_model`].
    pub cpu_model: String,
    /// As in [`Host::governor`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub governor: Option<String>,
}

impl fmt::Display for HostKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cpu_model)?;
        match &self.governor {
            Some(governor) => write!(f, ", governor {governor}"),
            None => Ok(()),
        }
    }
}

/// The distinct governors of all processors.
fn governor() -> Option<String> {
    let processors = fs::read_dir("/sys/devices/system/cpu").ok()?;
    let of = |processor: fs::DirEntry| fs::read_to_string(processor.path().join("cpufreq/scaling_governor")).ok();
    let governors: BTreeSet<String> = processors.flatten().filter_map(of).map(|text| text.trim().to_owned()).collect();
    let governors: Vec<String> = governors.into_iter().collect();
    (!governors.is_empty()).then(|| governors.join(", "))
}

fn cpu_model() -> Option<String> {
    let description = fs::read_to_string("/proc/cpuinfo").ok()?;
    let model = description.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'))?.1;
    Some(model.trim().to_owned())
}

fn unknown() -> String {
    "unknown".to_owned()
}
