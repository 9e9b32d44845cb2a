//! The options of a submission to the cluster, as `cli/slurm` parses and `jobs` stores them; `script` writes them.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::TimeLimit;
use super::cluster::Cluster;

/// More tasks than this are useless: shares become small, and every task scans the run's folder.
const MAX_SHARDS: u32 = 1_000;

/// The number of tasks if nothing is known about the partition.
const SHARDS_OF_AN_UNKNOWN_PARTITION: u32 = 16;

/// The options of `referee slurm submit`, stored with the job so that the next round uses the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Args)]
pub struct SlurmRequest {
    /// Number of array tasks [default: CPUs of the partition divided by --cpus, at most 1000 and at most the number of
    /// missing pairs of games]
    #[arg(long, value_name = "N")]
    pub shards: Option<NonZeroU32>,
    /// Partition [default: the cluster's default]
    #[arg(long, value_name = "P")]
    pub partition: Option<ScriptWord>,
    /// Time limit of each task, in Slurm's format: 90, 4:00:00, 2-0; at least 5 minutes [default: the partition's]
    #[arg(long, value_name = "T", value_parser = task_time)]
    pub time: Option<TimeLimit>,
    /// Maximum number of tasks running at the same time [default: no maximum]
    #[arg(long, value_name = "K")]
    pub throttle: Option<NonZeroU32>,
    /// CPUs of each task, which is also the number of games it plays in parallel
    #[arg(long, value_name = "C", default_value = "1")]
    pub cpus: NonZeroU32,
    /// Memory of each task, in Slurm's format: 4G [default: the partition's]
    #[arg(long, value_name = "M")]
    pub mem: Option<ScriptWord>,
    /// Account to charge [default: your default account]
    #[arg(long, value_name = "A")]
    pub account: Option<ScriptWord>,
    /// Pass an option to `sbatch`, such as `--sbatch-option=--qos=low`; may be repeated
    #[arg(long = "sbatch-option", value_name = "OPTION", allow_hyphen_values = true, value_parser = sbatch_option)]
    pub options: Vec<String>,
    /// Number of automatic resubmissions of a round with missing games; stops earlier if two in a row finish no game
    #[arg(long, value_name = "R", default_value_t = 10)]
    pub retries: u32,
}

/// Slurm may send its notice a minute early, and time to play must remain.
fn task_time(text: &str) -> Result<TimeLimit, String> {
    let limit: TimeLimit = text.parse()?;
    if limit.seconds() < 300 {
        return Err("a task needs at least 5 minutes: Slurm may signal it a minute before the end".to_owned());
    }
    Ok(limit)
}

/// What a script sets itself, in its long and its short form: another value would break the run.
const SET_BY_SCRIPTS: [[&str; 2]; 8] = [
    ["--array", "-a"],
    ["--chdir", "-D"],
    ["--dependency", "-d"],
    ["--job-name", "-J"],
    ["--signal", ""],
    ["--time", "-t"],
    ["--test-only", ""],
    ["--wrap", ""],
];

fn sbatch_option(text: &str) -> Result<String, String> {
    let word = text.split(['=', ' ']).next().unwrap_or_default();
    let is_own = |[long, short]: &[&str; 2]| {
        word == *long || (!short.is_empty() && !word.starts_with("--") && word.starts_with(short))
    };
    if let Some([long, _]) = SET_BY_SCRIPTS.iter().find(|own| is_own(own)) {
        return Err(format!("`{long}` is set by the scripts of the run: use the options of `referee slurm submit`"));
    }
    if text.starts_with('-') && !text.chars().any(char::is_control) {
        Ok(text.to_owned())
    } else {
        Err("expected one option of `sbatch` with its value, such as `--qos=low`".to_owned())
    }
}

/// A name or amount that needs no quotes in a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ScriptWord(String);

impl FromStr for ScriptWord {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_fit = |character: char| character.is_ascii_alphanumeric() || "_.,:@+-".contains(character);
        if !text.is_empty() && text.chars().all(is_fit) {
            Ok(Self(text.to_owned()))
        } else {
            Err("expected letters, digits and any of _ . , : @ + -".to_owned())
        }
    }
}

impl TryFrom<String> for ScriptWord {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<ScriptWord> for String {
    fn from(word: ScriptWord) -> Self {
        word.0
    }
}

impl fmt::Display for ScriptWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl SlurmRequest {
    /// The number of tasks in an array for `missing` games: the requested one, or as many as the partition's CPUs
    /// allow. Never more than there are pairs of games to play concurrently, since the rest would find nothing to do,
    /// nor more than the cluster allows in one array.
    pub fn shards_for(&self, missing: usize, cluster: &Cluster) -> u32 {
        let at_once = cluster.partition.as_ref().map(|partition| partition.cpus / self.cpus);
        let asked = self.shards.map(NonZeroU32::get);
        let pairs = u32::try_from(missing.div_ceil(2)).unwrap_or(u32::MAX).div_ceil(self.cpus.get());
        let chosen =
            asked.unwrap_or_else(|| at_once.unwrap_or(SHARDS_OF_AN_UNKNOWN_PARTITION).min(MAX_SHARDS).min(pairs));
        chosen.clamp(1, cluster.max_array_size.max(1))
    }

    /// The time limit of a task, if known.
    pub fn limit(&self, cluster: &Cluster) -> Option<TimeLimit> {
        self.time.or(cluster.partition.as_ref()?.time_limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slurm::cluster::Partition;

    impl SlurmRequest {
        /// A request for the defaults.
        pub(in crate::slurm) fn plain() -> Self {
            Self {
                shards: None,
                throttle: None,
                cpus: NonZeroU32::MIN,
                partition: None,
                account: None,
                mem: None,
                time: None,
                retries: 10,
                options: vec![],
            }
        }
    }

    fn request(shards: Option<u32>, cpus: u32) -> SlurmRequest {
        let (shards, cpus) = (shards.and_then(NonZeroU32::new), NonZeroU32::new(cpus).unwrap());
        SlurmRequest { shards, cpus, ..SlurmRequest::plain() }
    }

    fn cluster(cpus: Option<u32>, max_array_size: u32) -> Cluster {
        Cluster { max_array_size, partition: cpus.map(|cpus| Partition { cpus, time_limit: None }) }
    }

    #[test]
    fn there_are_as_many_tasks_as_are_of_use() {
        for (shards, cpus, of_partition, missing, expected) in [
            (None, 1, Some(64), 132, 64),
            (None, 4, Some(64), 132, 16),
            (None, 1, Some(64), 10, 5),
            (None, 1, Some(4_096), 249_500, 1_000),
            (None, 1, None, 249_500, 16),
            (None, 8, Some(4), 10, 1),
            (Some(8), 1, Some(4), 3, 8),
            (Some(5_000), 1, Some(4), 3, 1_001),
        ] {
            let found = request(shards, cpus).shards_for(missing, &cluster(of_partition, 1_001));
            assert_eq!(found, expected, "{shards:?} {cpus} {of_partition:?} {missing}");
        }
    }

    #[test]
    fn a_word_cannot_begin_another_line_or_option() {
        for text in ["", "a b", "a\n#SBATCH --wrap", "$(id)", "a'b", "a;b", "é"] {
            assert!(text.parse::<ScriptWord>().is_err(), "{text:?}");
        }
        assert_eq!("gpu,main".parse::<ScriptWord>().unwrap().to_string(), "gpu,main");
    }
}
