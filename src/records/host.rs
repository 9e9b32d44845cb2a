//! The machine that a run, or one game of it, was played on.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::num::NonZero;

use serde::{Deserialize, Serialize};

/// What is worth knowing of a machine when times are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Its name; within a Slurm job that of the node, which is not always the machine's own.
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
    /// What decides on the frequency of these processors, where the system tells: `performance` is fair, others cost a
    /// program more CPU time at one moment than at another. Several governors stand with commas between them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub governor: Option<String>,
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
        let node = std::env::var("SLURMD_NODENAME").ok().filter(|node| !node.is_empty());
        Self {
            name: node.unwrap_or(name),
            system,
            cpu_model: cpu_model().unwrap_or_else(unknown),
            processors,
            cores: cores().map_or(processors, |cores| cores.clamp(1, processors)),
            governor: governor(),
        }
    }

    /// What makes the CPU time of a program here comparable with that on another machine.
    pub fn kind(&self) -> HostKind {
        HostKind {
            cpu_model: self.cpu_model.clone(),
            governor: self.governor.clone(),
        }
    }
}

/// A kind of machine: on two of one kind a program is thought to use the same CPU time.
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

/// The governors of all processors, each once.
fn governor() -> Option<String> {
    let processors = fs::read_dir("/sys/devices/system/cpu").ok()?;
    let of = |processor: fs::DirEntry| fs::read_to_string(processor.path().join("cpufreq/scaling_governor")).ok();
    let governors: BTreeSet<String> = processors
        .flatten()
        .filter_map(of)
        .map(|text| text.trim().to_owned())
        .collect();
    let governors: Vec<String> = governors.into_iter().collect();
    (!governors.is_empty()).then(|| governors.join(", "))
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
