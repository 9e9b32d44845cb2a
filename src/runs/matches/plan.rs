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
