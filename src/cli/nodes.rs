//! The machines of a run, in words. `status` prints it.

use referee_matches::shards::{Machine, MachineReport};
use referee_messages::{counted, first_few, plain};

/// How many split pairs are listed.
const MAX_NAMED: usize = 5;

/// The machines, if `every_node`, and their differences; empty for machines of one kind.
pub(super) fn node_lines(report: &MachineReport, every_node: bool) -> Vec<String> {
    let mut lines = Vec::new();
    if every_node {
        lines.extend(report.nodes.iter().map(node));
        if report.unknown > 0 {
            let games = counted(report.unknown, "game");
            lines.push(format!("machine unknown: {games}, recorded by an older `referee`"));
        }
    }
    if report.kinds.len() > 1 {
        let kinds = report.kinds.iter();
        lines.extend(
            kinds.map(|(kind, games)| format!("uneven: {} on {}", counted(*games, "game"), plain(&kind.to_string()))),
        );
        lines.push(
            "warning: CPU time differs between kinds of machines; if results are close, play all games on one kind"
                .to_owned(),
        );
    }
    lines.extend(split(&report.split_pairs));
    lines
}

fn node(node: &Machine) -> String {
    let Machine { host, meters, games } = node;
    let kind = format!("{}, meter {}", host.kind(), meters.join(", "));
    let place = format!("{}, {}", counted(host.cores, "core"), host.system);
    format!("node {}: {} ({})", plain(&host.name), counted(*games, "game"), plain(&format!("{kind}, {place}")))
}

fn split(pairs: &[String]) -> Option<String> {
    (!pairs.is_empty()).then(|| {
        format!(
            "warning: {} of games were split between different kinds of machines: {}",
            counted(pairs.len(), "pair"),
            first_few(pairs.iter().map(|id| plain(id)), MAX_NAMED)
        )
    })
}
