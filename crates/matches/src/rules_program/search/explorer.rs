//! Asks the rules program for the positions after moves and for their values, as long as the budget lasts. `minimax`
//! and `tree` call it.

use super::budget::SearchBudget;
use crate::rules_program::as_custom;
use crate::rules_program::game::CustomGame;
use crate::rules_program::state::CustomState;
use referee_games::builtin::WIN_VALUE;
use referee_games::{Ending, Side, State, Status};

/// A position, and what it is worth to the side of the agent without looking ahead; 0 where the game is over.
#[derive(Clone, Debug)]
pub(super) struct SeenPosition {
    pub(super) position: State,
    pub(super) worth: i32,
}

/// What an ending is worth after `plies`: a win is worth more the earlier it is.
pub(super) fn worth_of_ending(ending: Ending, side: Side, plies: usize) -> i32 {
    // Above every evaluation: no search is so deep.
    ending.worth(side, WIN_VALUE + 1000_i32.saturating_sub(i32::try_from(plies).unwrap_or(i32::MAX)).max(0))
}

/// Whether the game is over.
pub(super) fn has_ended(position: &State) -> bool {
    matches!(position.status(), Status::Over(_))
}

/// Looks at positions for one side.
#[derive(Debug)]
pub(super) struct Explorer {
    pub(super) game: &'static CustomGame,
    /// The side of the agent.
    pub(super) side: Side,
    pub(super) budget: SearchBudget,
}

impl Explorer {
    pub(super) const fn new(game: &'static CustomGame, side: Side, budget: SearchBudget) -> Self {
        Self { game, side, budget }
    }

    /// The positions after these moves, in their order: fewer if the budget ends before.
    pub(super) fn after(&mut self, position: &State, moves: &[String]) -> Vec<SeenPosition> {
        self.after_until(position, moves, SearchBudget::is_spent)
    }

    /// As many of them as a third of the budget's rest allows.
    pub(super) fn after_in_part(&mut self, position: &State, moves: &[String]) -> Vec<SeenPosition> {
        let milestone = self.budget.third_of_rest();
        self.after_until(position, moves, |budget| budget.is_spent() || budget.is_past(milestone))
    }

    fn after_until(
        &mut self,
        position: &State,
        moves: &[String],
        is_enough: impl Fn(&SearchBudget) -> bool,
    ) -> Vec<SeenPosition> {
        let mut seen = Vec::with_capacity(moves.len());
        while seen.len() < moves.len() && !is_enough(&self.budget) {
            let most = self.budget.batch().min(moves.len() - seen.len());
            let part = &moves[seen.len()..seen.len() + most];
            let Some(next) = as_custom(position).and_then(|position| position.after(part)) else { break };
            seen.extend(self.evaluated(next));
        }
        seen
    }

    /// The position after a pass.
    pub(super) fn after_pass(&mut self, position: &State) -> Option<SeenPosition> {
        if self.budget.is_spent() {
            return None;
        }
        self.evaluated(vec![position.pass()]).pop()
    }

    /// The position itself.
    pub(super) fn seen(&mut self, position: &State) -> SeenPosition {
        let worth = if self.budget.is_spent() { 0 } else { self.evaluated(vec![position.clone()])[0].worth };
        SeenPosition { position: position.clone(), worth }
    }

    fn evaluated(&mut self, positions: Vec<State>) -> Vec<SeenPosition> {
        let goes_on = |position: &&State| !has_ended(position);
        let asked: Vec<&CustomState> = positions.iter().filter(goes_on).filter_map(as_custom).collect();
        let values = CustomState::evaluate(self.game, &asked, self.side);
        let bytes = positions.iter().filter_map(as_custom).map(CustomState::bytes).sum();
        self.budget.count(positions.len(), bytes);
        let mut values = values.into_iter().flatten();
        let seen = positions.into_iter().map(|position| {
            let value = if has_ended(&position) { None } else { values.next() };
            let worth = value.unwrap_or(0).clamp(1 - WIN_VALUE, WIN_VALUE - 1);
            SeenPosition { position, worth }
        });
        seen.collect()
    }
}
