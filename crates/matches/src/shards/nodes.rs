//! The machines that played a run, and whether its results are comparable. It changes no result; `status` shows it.
//!
//! CPU time decides games, and a faster machine allows more computing in the same time. So games are comparable only on
//! machines of one kind: the same processor, frequency governor and meter. This matters most between the two games of a
//! pair, in which agents exchange colours.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use super::pairs;
use referee_games::Side;
use referee_records::{Host, HostKind, Manifest, PlayedOn};

/// The machines of a run, collected from its games.
#[derive(Clone, Debug, Default)]
pub struct RunMachines {
    by_name: BTreeMap<(String, MachineKind), Machine>,
    kinds: Vec<MachineKind>,
    /// The index in `kinds` of each game's machine.
    games: HashMap<String, usize>,
    unknown: usize,
}

/// The properties that make games on two machines comparable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct MachineKind {
    /// The processors.
    #[serde(flatten)]
    pub host: HostKind,
    /// The distinct meters.
    pub meters: Vec<&'static str>,
}

/// One machine, as one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Machine {
    /// As in its last game.
    #[serde(flatten)]
    pub host: Host,
    /// The meters.
    pub meters: Vec<&'static str>,
    /// The number of its games.
    pub games: usize,
}

/// The report on a run's machines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MachineReport {
    /// The machines, by name.
    pub nodes: Vec<Machine>,
    /// Their kinds, with the number of games on each.
    pub kinds: Vec<(MachineKind, usize)>,
    /// Pairs of games split between machines of two kinds, by the name of the first game.
    pub split_pairs: Vec<String>,
    /// The number of records without a machine.
    pub unknown: usize,
}

impl RunMachines {
    /// Records where the game `id` was played.
    pub fn add(&mut self, id: &str, played_on: &PlayedOn) {
        let Some(host) = &played_on.host else {
            self.unknown += 1;
            return;
        };
        let meters = Side::BOTH.into_iter().filter_map(|side| *played_on.meters.of(side));
        let meters: BTreeSet<&str> = meters.map(Into::into).collect();
        let kind = MachineKind { host: host.kind(), meters: meters.into_iter().collect() };
        let place = self.kinds.iter().position(|known| *known == kind).unwrap_or_else(|| {
            self.kinds.push(kind.clone());
            self.kinds.len() - 1
        });
        self.games.insert(id.to_owned(), place);
        let node = self.by_name.entry((host.name.clone(), kind.clone())).or_insert_with(|| Machine {
            host: host.clone(),
            meters: kind.meters,
            games: 0,
        });
        node.games += 1;
    }

    /// The report for a run with this plan.
    pub fn report(self, manifest: &Manifest) -> MachineReport {
        let kind_of = |place: usize| self.games.get(&manifest.games[place].id);
        let is_split = |pair: &std::ops::Range<usize>| {
            let kinds: BTreeSet<_> = pair.clone().filter_map(kind_of).collect();
            kinds.len() > 1
        };
        let split = pairs(manifest).into_iter().filter(is_split);
        let split_pairs = split.map(|pair| manifest.games[pair.start].id.clone()).collect();
        let mut counts = vec![0; self.kinds.len()];
        for &place in self.games.values() {
            counts[place] += 1;
        }
        let mut kinds: Vec<_> = self.kinds.into_iter().zip(counts).collect();
        kinds.sort_unstable();
        MachineReport { nodes: self.by_name.into_values().collect(), kinds, split_pairs, unknown: self.unknown }
    }
}

impl std::fmt::Display for MachineKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, meter {}", self.host, self.meters.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::encounter;
    use referee_records::{Conditions, PerSide, PlannedEncounter, PlannedRound};
    use referee_seat::Meter;
    use referee_time::CpuTime;

    fn on(name: &str, cpu_model: &str, meter: Meter) -> PlayedOn {
        let host = Host {
            name: name.to_owned(),
            system: "Linux".to_owned(),
            cpu_model: cpu_model.to_owned(),
            processors: 2,
            cores: 1,
            governor: Some("performance".to_owned()),
        };
        PlayedOn { host: Some(host), meters: PerSide { black: Some(meter), white: Some(meter) } }
    }

    /// A plan of two encounters of three games each.
    fn manifest() -> Manifest {
        let game = referee_games::checkers::ID;
        let games = encounter(game, "a", "b", 6);
        let encounters = vec![PlannedEncounter { players: ["a", "b"].map(str::to_owned), games: 3 }; 2];
        let rounds = vec![PlannedRound { number: 1, encounters, byes: vec![] }];
        Manifest { games, rounds, ..Manifest::new(game, Conditions::usual(game, CpuTime::ZERO), 1) }
    }

    #[test]
    fn a_pair_on_two_kinds_of_machines_is_split_and_one_on_two_machines_of_a_kind_is_not() {
        let mut nodes = RunMachines::default();
        // Pairs are g1 g2, g3, g4 g5, g6: an encounter's last game may be alone.
        nodes.add("g0001", &on("n1", "fast", Meter::Perf));
        nodes.add("g0002", &on("n2", "fast", Meter::Perf));
        nodes.add("g0003", &on("n3", "slow", Meter::Perf));
        nodes.add("g0004", &on("n1", "fast", Meter::Perf));
        nodes.add("g0005", &on("n1", "fast", Meter::Rusage));
        nodes.add("g0006", &PlayedOn { host: None, ..on("", "", Meter::Perf) });
        let report = nodes.report(&manifest());
        assert_eq!(report.split_pairs, ["g0004"]);
        assert_eq!(report.unknown, 1);
        let kinds: Vec<_> = report.kinds.iter().map(|(kind, games)| (kind.to_string(), *games)).collect();
        let expected = [
            ("fast, governor performance, meter perf", 3),
            ("fast, governor performance, meter rusage", 1),
            ("slow, governor performance, meter perf", 1),
        ];
        assert_eq!(kinds, expected.map(|(kind, games)| (kind.to_owned(), games)));
        assert_eq!(report.nodes.iter().map(|node| node.games).sum::<usize>(), 5);
    }
}
