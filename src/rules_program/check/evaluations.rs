//! What an `evaluate` gives over all positions and games: found by signs alone, because only the author knows what a
//! position is worth. `trial` asks it for each position, and `games` for each game that was won.

use super::laws::Law;
use super::report::LawViolation;
use crate::games::{Side, State};
use crate::protocol::{counted, plain};
use crate::rules_program::as_custom;
use crate::rules_program::game::CustomGame;
use crate::rules_program::state::CustomState;

/// So many positions can be equal by chance.
const EQUAL_BY_CHANCE: usize = 20;
/// So many won games say nothing yet.
const FEW_GAMES: usize = 10;

/// The values so far.
#[derive(Debug, Default)]
pub(super) struct EvaluationTally {
    first: Option<(i32, State)>,
    positions: usize,
    has_others: bool,
    /// Before the last move of games that were won: for how many winners the value was above and below 0.
    above: usize,
    below: usize,
    last_below: Option<State>,
}

/// What the position is worth to `side`; `None` where the program does not say, or fails.
fn value(game: &'static CustomGame, position: &State, side: Side) -> Option<i32> {
    CustomState::evaluate(game, &[as_custom(position)?], side)?.first().copied()
}

impl EvaluationTally {
    /// Counts a position worth `own` to the side to move; what is wrong with what it is worth to the other side.
    pub(super) fn position(
        &mut self,
        game: &'static CustomGame,
        position: &State,
        own: i32,
    ) -> Option<Option<LawViolation>> {
        let (first, _) = self.first.get_or_insert_with(|| (own, position.clone()));
        self.has_others |= *first != own;
        self.positions += 1;
        let side = position.side_to_move();
        let other = value(game, position, side.other())?;
        let [to_move, waits] = [side, side.other()].map(|side| plain(game.word(side)));
        let told = || format!("`evaluate` is {own} for `{to_move}`, who is to move, and {other} for `{waits}`");
        Some((own.saturating_neg() != other).then(|| LawViolation::at(position, vec![told()])))
    }

    /// Counts a game that `winner` won by the move after `before`.
    pub(super) fn won_game(&mut self, game: &'static CustomGame, before: &State, winner: Side) {
        match value(game, before, winner).unwrap_or(0) {
            0 => {}
            1.. => self.above += 1,
            ..0 => {
                self.below += 1;
                self.last_below = Some(before.clone());
            }
        }
    }

    /// The laws about all of them.
    pub(super) fn laws(self) -> Vec<(Law, Option<LawViolation>)> {
        let mut laws = Vec::new();
        if let Some((value, first)) = self.first.filter(|_| self.positions > EQUAL_BY_CHANCE) {
            let told =
                || format!("`evaluate` is {value} at this and all other of {}", counted(self.positions, "position"));
            laws.push((Law::Differs, (!self.has_others).then(|| LawViolation::at(&first, vec![told()]))));
        }
        let games = self.above + self.below;
        if games > FEW_GAMES {
            let is_wrong = self.below > 3 * self.above;
            let told = format!(
                "before the last move of {} that were won, `evaluate` was below 0 for {}; one of them:",
                counted(games, "random game"),
                counted(self.below, "winner")
            );
            let found = self.last_below.filter(|_| is_wrong).map(|before| LawViolation::at(&before, vec![told]));
            laws.push((Law::Winners, found));
        }
        laws
    }
}
