//! Plans the games of a match: pairings and openings. It plays nothing.

use crate::runs::error::RunFailure;
use crate::runs::progress::{OnProgress, Progress, StepKind};
use referee_games::GameRef;
use referee_matches::tournament::{encounter, opened};
use referee_records::Pairing;

/// The requested games, without players.
#[derive(Clone, Copy, Debug)]
pub struct GamePlan {
    /// The game.
    pub game: GameRef,
    /// The seed of the run.
    pub seed: u64,
    /// The number of games against each opponent.
    pub games: u32,
    /// The number of random plies of each pair of games.
    pub opening_plies: u32,
}

impl GamePlan {
    /// The games of `a` against each of `opponents` in turn, with their openings drawn. Games of two agents are called
    /// `g0001` and so on, those against the second of several opponents `o02-g0001` and so on.
    ///
    /// # Errors
    ///
    /// [`RunFailure::Request`], if an opening is longer than the game; [`RunFailure::Input`], if a rules program fails.
    pub fn pairings(&self, a: &str, opponents: &[&str], on_progress: &OnProgress) -> Result<Vec<Pairing>, RunFailure> {
        let mut pairings = Vec::new();
        let pairs = (self.games as usize).div_ceil(2) * opponents.len();
        let pairs = if self.opening_plies > 0 { pairs } else { 0 };
        on_progress(Progress::StepsBegan(StepKind::Openings, pairs));
        for (number, opponent) in (1..).zip(opponents) {
            let mut games = encounter(self.game, a, opponent, self.games);
            if opponents.len() > 1 {
                for game in &mut games {
                    game.id = format!("o{number:02}-{}", game.id);
                }
            }
            for pair in games.chunks(2) {
                pairings.extend(self.begun(pair)?);
                on_progress(Progress::StepDone);
            }
        }
        on_progress(Progress::StepsEnded);
        Ok(pairings)
    }

    /// Two games with a common opening, if requested.
    fn begun(&self, pair: &[Pairing]) -> Result<Vec<Pairing>, RunFailure> {
        let pair = opened(self.game, self.seed, pair, self.opening_plies)?;
        if self.opening_plies > 0 && pair.iter().any(|pairing| pairing.start.is_none()) {
            return Err(RunFailure::request(format!(
                "an opening of {} plies is longer than random games of {}: use fewer plies",
                self.opening_plies, self.game
            )));
        }
        Ok(pair)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn plan(games: u32, opening_plies: u32) -> GamePlan {
        GamePlan { game: referee_games::checkers::ID, seed: 3, games, opening_plies }
    }

    fn silent() -> OnProgress {
        std::sync::Arc::new(|_| ())
    }

    #[test]
    fn every_game_has_a_name_of_its_own_and_every_opponent_its_games() {
        let opponents = ["b", "c", "d"];
        let pairings = plan(3, 0).pairings("a", &opponents, &silent()).unwrap();
        let names: BTreeSet<&str> = pairings.iter().map(|pairing| pairing.id.as_str()).collect();
        assert_eq!((pairings.len(), names.len()), (9, 9));
        assert!(names.contains("o01-g0001") && names.contains("o03-g0003"), "{names:?}");
        for opponent in opponents {
            let games = pairings.iter().filter(|pairing| pairing.white == opponent || pairing.black == opponent);
            assert_eq!(games.count(), 3);
        }
        assert_eq!(plan(1, 0).pairings("a", &["b"], &silent()).unwrap()[0].id, "g0001");
    }

    #[test]
    fn two_games_share_an_opening_and_others_have_others() {
        let pairings = plan(5, 6).pairings("a", &["b", "c"], &silent()).unwrap();
        let starts: Vec<_> = pairings.iter().map(|pairing| pairing.start.clone().unwrap()).collect();
        for (games, of) in [(0..5, "b"), (5..10, "c")] {
            let starts = &starts[games];
            assert!(starts[0] == starts[1] && starts[2] == starts[3], "{of}");
        }
        assert_eq!(starts.iter().collect::<BTreeSet<_>>().len(), 6);
    }

    #[test]
    fn an_opening_that_outlasts_its_game_is_refused() {
        let Err(RunFailure::Request(said)) = plan(2, 5000).pairings("a", &["b"], &silent()) else {
            panic!("5000 random plies of checkers are no opening");
        };
        assert_eq!(said.what, "an opening of 5000 plies is longer than random games of checkers: use fewer plies");
    }
}
