//! The leaders of a competition in progress, by its usual ranking. It shows nothing itself; `live` does.

use referee_course::assignment::Competition;
use referee_matches::tournament::{Crosstable, Results};
use referee_messages::plain;
use referee_records::{GameSummary, Manifest, RunFolder};

/// How many leading agents are named.
const NAMED: usize = 3;

/// The games of a competition so far.
#[derive(Debug)]
pub(super) struct CompetitionGames {
    competition: Competition,
    manifest: Manifest,
    table: Crosstable,
    results: Results,
}

impl CompetitionGames {
    pub(super) fn of(competition: &Competition, manifest: &Manifest, folder: &RunFolder) -> Self {
        let mut competition_games = Self {
            competition: competition.clone(),
            manifest: manifest.clone(),
            table: Crosstable::new(manifest.agents.iter().map(|agent| agent.name.as_str())),
            results: Results::new(),
        };
        for summary in folder.summaries(manifest).flatten() {
            competition_games.add(&summary);
        }
        competition_games
    }

    pub(super) fn add(&mut self, summary: &GameSummary) {
        self.table.add(summary);
        self.results.insert(summary.id.clone(), summary.outcome.winner());
    }

    /// The leaders with their points, best first; `None` before the first result.
    pub(super) fn line(&self) -> Option<String> {
        if self.results.is_empty() {
            return None;
        }
        let standings = self.competition.standings(&self.manifest, &self.table, &self.results);
        let first = standings.agents.iter().take(NAMED);
        let named = first.map(|agent| format!("{} {}", plain(&agent.name), agent.points));
        Some(format!("leading: {}", named.collect::<Vec<_>>().join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_course::assignment::Competition;
    use referee_games::{Side, checkers};
    use referee_matches::tournament::{ExtraGameStart, Format, RankBy};
    use referee_records::{AgentRecord, Conditions, Outcome, Pairing, PerSide, PlannedEncounter, PlannedRound};
    use referee_time::CpuTime;

    /// A player with a bye ranks above an eliminated one, with equal points and a later place in the field.
    #[test]
    fn leaders_are_those_of_the_ranking() {
        let competition = Competition {
            format: Format::Elimination { round_limit: 9 },
            games_per_pairing: 2,
            play_time: CpuTime::from_secs(1),
            opening_plies: 0,
            extra_game_start: ExtraGameStart::Balanced,
            rank_by: RankBy::Points,
            agents: vec![],
        };
        let agent = |name: &str| AgentRecord::participant(name.to_owned(), String::new(), String::new());
        let game = |id: &str, black: &str, white: &str| Pairing {
            id: id.to_owned(),
            black: black.to_owned(),
            white: white.to_owned(),
            first: Side::Black,
            play_time: None,
            start: None,
        };
        let manifest = Manifest {
            agents: ["a", "b", "c"].map(agent).into(),
            games: vec![game("1", "a", "b"), game("2", "b", "a")],
            rounds: vec![PlannedRound {
                number: 1,
                encounters: vec![PlannedEncounter { players: ["a", "b"].map(str::to_owned), games: 2 }],
                byes: vec!["c".to_owned()],
            }],
            ..Manifest::new(checkers::ID, Conditions::usual(checkers::ID, CpuTime::from_secs(1)), 0)
        };
        let mut competition_games = CompetitionGames {
            table: Crosstable::new(["a", "b", "c"]),
            competition,
            manifest,
            results: Results::new(),
        };
        assert_eq!(competition_games.line(), None);
        for (id, winner) in [("1", Side::White), ("2", Side::Black)] {
            let [black, white] = if id == "1" { ["a", "b"] } else { ["b", "a"] }.map(str::to_owned);
            let outcome = Outcome::Board { winner };
            let players = PerSide { black, white };
            competition_games.add(&GameSummary::of_result(id.to_owned(), players, Side::Black, outcome));
        }
        assert_eq!(competition_games.line().unwrap(), "leading: b 2, c 0, a 0");
    }
}
