//! What the lost games of a run have in common, in the words of the game: by forfeit, on a clock, by one mistake in
//! positions of some kind, or gradually. A pure function of records and analyses.

use std::collections::BTreeMap;

use referee_games::{ProvedResult, Side, State};
use referee_records::{GameAnalysis, GameRecord, Manifest, Verdict};
use serde::Serialize;

/// How many games are named for each group.
const EXAMPLES: usize = 3;

/// A lost game, with what lost it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LostGame {
    /// The game's name in its run.
    pub id: String,
    /// The name of the agent that lost.
    pub loser: String,
    /// The turn that lost it, counted from 1, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
    /// Whether the mistake is proved to have given up the result.
    pub proved: bool,
    /// The groups to which it belongs.
    #[serde(skip)]
    groups: Vec<LossKind>,
}

/// What lost a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum LossKind {
    /// A fault of the agent, such as an illegal move; `out-of-time` among them.
    Forfeit {
        /// Its name in records.
        fault: &'static str,
    },
    /// A draw on the board that was decided for the other side, by time for example.
    DrawDecided,
    /// One mistake decided the game.
    Mistake,
    /// The decisive mistake was made in a position of this kind.
    MistakeIn {
        /// The name of the kind.
        position: &'static str,
        /// Its description.
        about: &'static str,
    },
    /// No single mistake decided the game.
    Gradual,
}

/// Lost games with something in common.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LossGroup {
    /// What they have in common.
    #[serde(flatten)]
    pub kind: LossKind,
    /// The number of games.
    pub games: usize,
    /// The number of agents that lost them.
    pub agents: usize,
    /// Some of them, of different agents as far as possible.
    pub examples: Vec<LostGame>,
}

/// The lost games of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CommonLosses {
    /// Their number.
    pub lost: usize,
    /// The groups, the largest first among those of the board, forfeits and clocks first.
    pub groups: Vec<LossGroup>,
}

impl LostGame {
    /// What lost the game in `record`, with the `positions` before its first turn and after each turn; `None` if nobody
    /// did.
    pub fn of(record: &GameRecord, positions: &[State], analysis: &GameAnalysis) -> Option<Self> {
        let loser = record.verdict.winner().map(Side::other)?;
        let decisive = record.verdict.loser_on_board().and_then(|loser| analysis.decisive_mistake(loser));
        let mut groups = vec![match (&record.verdict, decisive) {
            (Verdict::Forfeit { fault, .. }, _) => LossKind::Forfeit { fault: fault.kind().into() },
            (Verdict::Drawn { .. }, _) => LossKind::DrawDecided,
            (Verdict::Won { .. }, Some(_)) => LossKind::Mistake,
            (Verdict::Won { .. }, None) => LossKind::Gradual,
        }];
        let mut proved = false;
        if let Some(index) = decisive {
            let turn = &analysis.turns[index];
            let results = [&turn.best, &turn.played].map(|mv| mv.as_ref().and_then(|mv| mv.proved));
            proved = matches!(results, [Some(best), Some(played)] if best > played && best > ProvedResult::Loss);
            let kinds = positions.get(index).map(|position| record.game.kinds_of(position)).unwrap_or_default();
            let kinds = kinds.into_iter();
            groups.extend(kinds.map(|kind| LossKind::MistakeIn { position: kind.name, about: kind.about }));
        }
        let loser = record.players.of(loser).name.clone();
        Some(Self { id: record.id.clone(), loser, turn: decisive.map(|index| index + 1), proved, groups })
    }
}

/// Groups the games that participants of the run have lost, and not the reference agents that they played. A game may
/// be in several groups.
pub fn common_losses<'a>(lost: impl IntoIterator<Item = &'a LostGame>, manifest: &Manifest) -> CommonLosses {
    let is_reference = |name: &str| {
        let agent = manifest.agents.iter().find(|agent| agent.name == name);
        agent.is_some_and(|agent| agent.is_built_in() || !agent.role.is_participant())
    };
    let mut lost: Vec<&LostGame> = lost.into_iter().filter(|game| !is_reference(&game.loser)).collect();
    lost.sort_by(|a, b| a.id.cmp(&b.id));
    in_groups(&lost)
}

fn in_groups(lost: &[&LostGame]) -> CommonLosses {
    let mut by_kind: BTreeMap<LossKind, Vec<&LostGame>> = BTreeMap::new();
    for &game in lost {
        for &kind in &game.groups {
            by_kind.entry(kind).or_default().push(game);
        }
    }
    let mut groups: Vec<LossGroup> = by_kind.into_iter().map(|(kind, games)| group(kind, &games)).collect();
    groups.sort_by_key(|group| (rank(group.kind), std::cmp::Reverse(group.games)));
    CommonLosses { lost: lost.len(), groups }
}

/// The order of kinds: what is not about the board first.
const fn rank(kind: LossKind) -> u8 {
    match kind {
        LossKind::Forfeit { .. } => 0,
        LossKind::DrawDecided => 1,
        LossKind::Mistake => 2,
        LossKind::MistakeIn { .. } => 3,
        LossKind::Gradual => 4,
    }
}

fn group(kind: LossKind, games: &[&LostGame]) -> LossGroup {
    let mut by_agent: BTreeMap<&str, Vec<&LostGame>> = BTreeMap::new();
    for game in games {
        by_agent.entry(&game.loser).or_default().push(game);
    }
    let agents = by_agent.len();
    // First one game of each agent, then a second one, and so on.
    let most = by_agent.values().map(Vec::len).max().unwrap_or(0);
    let in_turn = (0..most).flat_map(|place| by_agent.values().filter_map(move |games| games.get(place)));
    LossGroup { kind, games: games.len(), agents, examples: in_turn.take(EXAMPLES).map(|&game| game.clone()).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(id: &str, loser: &str, groups: &[LossKind]) -> LostGame {
        let groups = groups.to_vec();
        LostGame { id: id.to_owned(), loser: loser.to_owned(), turn: None, proved: false, groups }
    }

    #[test]
    fn examples_are_of_different_agents() {
        let corner = LossKind::MistakeIn { position: "corner", about: "" };
        let both = &[LossKind::Mistake, corner][..];
        let games = [
            lost("g1", "ann", both),
            lost("g2", "ann", both),
            lost("g3", "ann", &[LossKind::Mistake]),
            lost("g4", "bob", both),
            lost("g5", "cy", &[LossKind::Forfeit { fault: "out-of-time" }]),
            lost("g6", "cy", &[LossKind::Gradual]),
        ];
        let common = in_groups(&games.iter().collect::<Vec<_>>());
        assert_eq!(common.lost, 6);
        let counts: Vec<_> = common.groups.iter().map(|group| (rank(group.kind), group.games, group.agents)).collect();
        assert_eq!(counts, [(0, 1, 1), (2, 4, 2), (3, 3, 2), (4, 1, 1)]);
        let ids = |group: &LossGroup| group.examples.iter().map(|game| game.id.clone()).collect::<Vec<_>>();
        assert_eq!(ids(&common.groups[1]), ["g1", "g4", "g2"]);
        assert_eq!(ids(&common.groups[2]), ["g1", "g4", "g2"]);
    }
}
