//! Which machines played a run, and what that does to its results.
//!
//! CPU time decides games, and a faster machine gives more moves for the same time. So agents are measured alike only
//! by games on machines of one kind: the same processor, governed alike, with the same meter. Between the two games of
//! a pair, in which agents exchange colours, this matters most.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use super::pairs;
use crate::games::Side;
use crate::records::{Host, HostKind, Manifest, PlayedOn};
use crate::seat::Meter;

/// The machines of a run, gathered from its games.
#[derive(Clone, Debug, Default)]
pub struct RunMachines {
    by_name: BTreeMap<(String, MachineKind), Machine>,
    kinds: Vec<MachineKind>,
    /// Of each game, the place of its kind in `kinds`.
    games: HashMap<String, usize>,
    unknown: usize,
}

/// What makes games on two machines comparable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct MachineKind {
    /// The processors.
    #[serde(flatten)]
    pub host: HostKind,
    /// What measured, each once.
    pub meters: Vec<&'static str>,
}

/// One machine, as far as it was of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Machine {
    /// As games were last played there.
    #[serde(flatten)]
    pub host: Host,
    /// What measured.
    pub meters: Vec<&'static str>,
    /// How many games it played.
    pub games: usize,
}

/// What there is to say of the machines of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MachineReport {
    /// The machines by name.
    pub nodes: Vec<Machine>,
    /// The kinds of these, with the number of games on each.
    pub kinds: Vec<(MachineKind, usize)>,
    /// Pairs of games that machines of two kinds have shared, by the name of the first game.
    pub split_pairs: Vec<String>,
    /// How many records do not say where they come from.
    pub unknown: usize,
}

impl RunMachines {
    /// Takes notice of where the game `id` was played.
    pub fn add(&mut self, id: &str, played_on: &PlayedOn) {
        let Some(host) = &played_on.host else {
            self.unknown += 1;
            return;
        };
        let meters = Side::BOTH.into_iter().filter_map(|side| *played_on.meters.of(side));
        let meters: BTreeSet<&str> = meters.map(Meter::name).collect();
        let kind = MachineKind {
            host: host.kind(),
            meters: meters.into_iter().collect(),
        };
        let place = self.kinds.iter().position(|known| *known == kind).unwrap_or_else(|| {
            self.kinds.push(kind.clone());
            self.kinds.len() - 1
        });
        self.games.insert(id.to_owned(), place);
        let node = self
            .by_name
            .entry((host.name.clone(), kind.clone()))
            .or_insert_with(|| Machine {
                host: host.clone(),
                meters: kind.meters,
                games: 0,
            });
        node.games += 1;
    }

    /// What there is to say of a run with this plan.
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
        kinds.sort();
        MachineReport {
            nodes: self.by_name.into_values().collect(),
            kinds,
            split_pairs,
            unknown: self.unknown,
        }
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
    use crate::records::PerSide;

    fn on(name: &str, cpu_model: &str, meter: Meter) -> PlayedOn {
        let host = Host {
            name: name.to_owned(),
            system: "Linux".to_owned(),
            cpu_model: cpu_model.to_owned(),
            processors: 2,
            cores: 1,
            governor: Some("performance".to_owned()),
        };
        PlayedOn {
            host: Some(host),
            meters: PerSide {
                black: Some(meter),
                white: Some(meter),
            },
        }
    }

    /// A plan of two encounters of three games each.
    fn manifest() -> Manifest {
        let game = |number: usize| {
            let id = format!("g{number}");
            serde_json::json!({"id": id, "black": "a", "white": "b", "first": "black"})
        };
        let encounter = serde_json::json!({"players": ["a", "b"], "games": 3});
        serde_json::from_value(serde_json::json!({
            "schema": 1, "referee": "0", "kind": "competition", "game": "checkers", "seed": 1, "agents": [],
            "conditions": crate::records::Conditions::usual(crate::games::checkers::ID, crate::time::CpuTime::ZERO),
            "games": (1..=6).map(game).collect::<Vec<_>>(),
            "rounds": [{"number": 1, "encounters": [encounter, encounter]}],
            "host": on("h", "x", Meter::Perf).host,
        }))
        .unwrap()
    }

    #[test]
    fn a_pair_on_two_kinds_of_machines_is_split_and_one_on_two_machines_of_a_kind_is_not() {
        let mut nodes = RunMachines::default();
        // Pairs are g1 g2, g3, g4 g5, g6: an encounter's last game may be alone.
        nodes.add("g1", &on("n1", "fast", Meter::Perf));
        nodes.add("g2", &on("n2", "fast", Meter::Perf));
        nodes.add("g3", &on("n3", "slow", Meter::Perf));
        nodes.add("g4", &on("n1", "fast", Meter::Perf));
        nodes.add("g5", &on("n1", "fast", Meter::Rusage));
        nodes.add(
            "g6",
            &PlayedOn {
                host: None,
                ..on("", "", Meter::Perf)
            },
        );
        let report = nodes.report(&manifest());
        assert_eq!(report.split_pairs, ["g4"]);
        assert_eq!(report.unknown, 1);
        let kinds: Vec<_> = report
            .kinds
            .iter()
            .map(|(kind, games)| (kind.to_string(), *games))
            .collect();
        let expected = [
            ("fast, governor performance, meter perf", 3),
            ("fast, governor performance, meter rusage", 1),
            ("slow, governor performance, meter perf", 1),
        ];
        assert_eq!(kinds, expected.map(|(kind, games)| (kind.to_owned(), games)));
        assert_eq!(report.nodes.iter().map(|node| node.games).sum::<usize>(), 5);
    }
}
