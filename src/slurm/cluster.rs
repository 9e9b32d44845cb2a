//! The limits of a cluster, as `scontrol` reports them. It calls nothing; `commands` does.

use super::TimeLimit;

/// The default of `MaxArraySize` (slurm.conf(5)).
const DEFAULT_MAX_ARRAY_SIZE: u32 = 1_001;

/// A cluster's properties, as far as known before submitting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// The maximum number of tasks in an array: the highest index is one less.
    pub max_array_size: u32,
    /// The partition to use, if known.
    pub partition: Option<Partition>,
}

/// A partition's properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The number of its CPUs.
    pub cpus: u32,
    /// The default time limit of a job, if there is one.
    pub time_limit: Option<TimeLimit>,
}

impl Default for Cluster {
    /// A cluster that could not be asked: Slurm's own defaults.
    fn default() -> Self {
        Self { max_array_size: DEFAULT_MAX_ARRAY_SIZE, partition: None }
    }
}

impl Cluster {
    /// Parses `scontrol show config` and `scontrol show partition --oneliner`. Missing values are Slurm's defaults;
    /// `named` is the requested partition, `None` the cluster's default.
    pub fn read(config: &str, partitions: &str, named: Option<&str>) -> Self {
        let size = config.lines().find_map(|line| {
            let (key, value) = line.split_once('=')?;
            (key.trim() == "MaxArraySize").then(|| value.trim().parse().ok()).flatten()
        });
        let is_it = |line: &&str| match named {
            Some(name) => field(line, "PartitionName") == Some(name),
            None => field(line, "Default") == Some("YES"),
        };
        Self {
            max_array_size: size.unwrap_or(DEFAULT_MAX_ARRAY_SIZE),
            partition: partitions.lines().find(is_it).and_then(partition),
        }
    }
}

fn partition(line: &str) -> Option<Partition> {
    let limit = |key| field(line, key).and_then(|text| text.parse().ok());
    Some(Partition {
        cpus: field(line, "TotalCPUs")?.parse().ok()?,
        time_limit: limit("DefaultTime").or_else(|| limit("MaxTime")),
    })
}

/// The value of `key=value` in a line of such pairs.
fn field<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let pairs = line.split_whitespace().filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(name, _)| *name == key).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As printed by Slurm 22.05, shortened.
    const CONFIG: &str = "Configuration data as of 2026-11-21T21:03:39\nMaxArraySize            = 10001\n\
                          MaxJobCount             = 10000\n\nSlurmctld(primary) at localhost is UP\n";
    const PARTITIONS: &str = "PartitionName=main AllowGroups=ALL Default=YES QoS=N/A DefaultTime=00:30:00 \
                              MaxTime=UNLIMITED \
                              Nodes=n[1-4] State=UP TotalCPUs=8 TotalNodes=4 DefMemPerNode=UNLIMITED\n\
                              PartitionName=long AllowGroups=ALL Default=NO DefaultTime=NONE MaxTime=7-00:00:00 \
                              TotalCPUs=640\n\
                              PartitionName=odd Default=NO TotalCPUs=many\n";

    #[test]
    fn the_default_partition_is_used_where_none_is_named_and_the_longest_limit_where_none_is_usual() {
        for (named, cpus, limit) in [(None, 8, "30"), (Some("long"), 640, "7-0")] {
            let partition = Some(Partition { cpus, time_limit: limit.parse().ok() });
            assert_eq!(Cluster::read(CONFIG, PARTITIONS, named), Cluster { max_array_size: 10_001, partition });
        }
    }

    #[test]
    fn what_is_not_told_is_the_default() {
        for (config, partitions, named) in
            [("", "", None), ("MaxArraySize = lots\n", PARTITIONS, Some("odd")), ("=\n", "=", Some(""))]
        {
            assert_eq!(Cluster::read(config, partitions, named), Cluster::default());
        }
    }
}
