//! The options of a submission to the cluster. Plain data with defaults; `cli/slurm` parses them, and `script` writes
//! them.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::TimeLimit;
use super::cluster::Cluster;

/// More tasks than this are useless: shares become small, and every task scans the run's folder.
const MAX_SHARDS: u32 = 1_000;

/// The number of tasks if nothing is known about the partition.
const SHARDS_OF_AN_UNKNOWN_PARTITION: u32 = 16;

/// The options of `referee slurm submit`, stored with the job so that the next round uses the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlurmRequest {
    /// The number of tasks; `None`: as many as are useful.
    pub shards: Option<NonZeroU32>,
    /// The maximum number of concurrent tasks.
    pub throttle: Option<NonZeroU32>,
    /// The CPUs of each task, which plays as many games at a time.
    pub cpus: NonZeroU32,
    /// The partition; `None` for the cluster's default.
    pub partition: Option<ScriptWord>,
    /// The account; `None` for the user's default.
    pub account: Option<ScriptWord>,
    /// The memory of each task, in Slurm's notation.
    pub mem: Option<ScriptWord>,
    /// The time limit of each task; `None` for the partition's.
    pub time: Option<TimeLimit>,
    /// How often a round is resubmitted automatically.
    pub retries: u32,
    /// More options for `sbatch`, unchanged.
    pub options: Vec<String>,
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
    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn an_array_is_never_empty_nor_too_large(
            shards in proptest::option::of(1_u32..), cpus in 1_u32.., size in proptest::option::of(0_u32..),
            most in 0_u32.., missing in 0_usize..,
        ) {
            let found = request(shards, cpus).shards_for(missing, &cluster(size, most));
            prop_assert!((1..=most.max(1)).contains(&found));
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
