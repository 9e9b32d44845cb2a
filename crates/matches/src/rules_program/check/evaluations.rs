//! What an `evaluate` gives over all positions and games: found by signs alone, because only the author knows what a
//! position is worth. `trial` asks it for each position, and `games` for each game that was won.

use super::report::{Law, LawViolation};
use crate::rules_program::as_custom;
use crate::rules_program::game::CustomGame;
use crate::rules_program::state::CustomState;
use referee_games::protocol::{counted, plain};
use referee_games::{Side, State};

/// So many positions can be equal by chance.
const EQUAL_BY_CHANCE: usize = 20;
/// Random games have many winners who were behind. Only so many standard deviations below an even count are no chance.
const DEVIATIONS: usize = 3;

/// The values so far.
#[derive(Debug, Default)]
pub(super) struct EvaluationTally {
    first: Option<(i32, State)>,
    positions: usize,
    has_others: bool,
    /// Near the end of games that were won: for how many winners the value was above and below 0.
    above: usize,
    below: usize,
    last_below: Option<State>,
}

/// What the position is worth to `side`; `None` where the program does not say, or fails.
fn value(game: &'static CustomGame, position: &State, side: Side) -> Option<i32> {
    CustomState::evaluate(game, &[as_custom(position)?], side)?.first().copied()
}

impl EvaluationTally {
    /// Counts a position worth `own` to the side to move; what is wrong with what it is worth to the other side. `None`
    /// if the program does not say that.
    #[expect(clippy::option_option, reason = "a law that was not tried differs from one that holds")]
    pub(super) fn position(&mut self, game: &'static CustomGame, position: &State, own: i32) -> Option<Option<String>> {
        let (first, _) = self.first.get_or_insert_with(|| (own, position.clone()));
        self.has_others |= *first != own;
        self.positions += 1;
        let side = position.side_to_move();
        let other = value(game, position, side.other())?;
        let [to_move, waits] = [side, side.other()].map(|side| plain(game.word(side)));
        let told = || format!("`evaluate` is {own} for `{to_move}`, who is to move, and {other} for `{waits}`");
        Some((own.saturating_neg() != other).then(told))
    }

    /// Counts a game that `winner` won, by its positions before the end. The last two count together, because the side
    /// to move has one piece less in many games.
    pub(super) fn won_game(&mut self, game: &'static CustomGame, before: &[State], winner: Side) {
        let [.., earlier, last] = before else { return };
        let values = [earlier, last].map(|position| value(game, position, winner).unwrap_or(0));
        match values[0].saturating_add(values[1]) {
            0 => {}
            1.. => self.above += 1,
            ..0 => {
                self.below += 1;
                self.last_below = Some(last.clone());
            }
        }
    }

    /// The laws about all of them.
    pub(super) fn laws(self) -> Vec<(Law, Option<LawViolation>)> {
        let mut laws = Vec::new();
        if let Some((value, first)) = self.first.filter(|_| self.positions > EQUAL_BY_CHANCE) {
            let told =
                || format!("`evaluate` is {value} at this and all other of {}", counted(self.positions, "position"));
            laws.push((Law::Differs, (!self.has_others).then(|| LawViolation::at(&first, told()))));
        }
        let games = self.above + self.below;
        if games > DEVIATIONS.pow(2) {
            let is_wrong = self.below.saturating_sub(self.above).pow(2) > DEVIATIONS.pow(2) * games;
            let told = format!(
                "before the last two moves of {} that were won, `evaluate` was below 0 for {}; one of them:",
                counted(games, "random game"),
                counted(self.below, "winner")
            );
            let found = self.last_below.filter(|_| is_wrong).map(|before| LawViolation::at(&before, told));
            laws.push((Law::Winners, found));
        }
        laws
    }
}
