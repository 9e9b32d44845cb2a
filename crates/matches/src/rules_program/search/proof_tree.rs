//! The positions that a proof has asked for so far, with all their moves, and what is known of each. `proof` walks it.

use std::collections::{HashMap, HashSet};

use super::budget::SearchBudget;
use super::explorer::has_ended;
use crate::rules_program::as_custom;
use crate::rules_program::game::CustomGame;
use crate::rules_program::state::CustomState;
use referee_games::{Ending, Side, State, Status};

/// Whether a side can force a win on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForcedWin {
    Yes,
    No,
    /// The search has ended before the game.
    Open,
}

/// A node, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProofNodeId(usize);

/// The rows of a board, and what else tells placements apart.
type Placement = (Vec<String>, Option<String>);

#[derive(Debug)]
struct ProofNode {
    position: State,
    /// Whether the game may have had this placement before.
    may_recur: bool,
    replies: Option<Vec<ProofNodeId>>,
    /// For each side the answer, and the plies of the search that has found it.
    answers: [Option<(ForcedWin, u32)>; 2],
}

#[derive(Debug)]
pub(super) struct ProofTree {
    budget: SearchBudget,
    earlier: HashSet<Placement>,
    nodes: Vec<ProofNode>,
    by_state: HashMap<(Side, Box<str>), ProofNodeId>,
    placements: HashSet<(Side, Placement)>,
    /// Whether two positions with the same side to move have had the same placement.
    pub(super) has_equal_placements: bool,
}

fn placement_of(position: &CustomState) -> Placement {
    let (rows, key) = position.placement();
    (rows.to_vec(), key.map(str::to_owned))
}

impl ProofTree {
    /// An empty tree, for which `nodes` positions may be asked for, in a game that has had the positions `earlier`.
    pub(super) fn new(game: &'static CustomGame, nodes: u64, earlier: &[&CustomState]) -> Self {
        Self {
            budget: SearchBudget::of_positions(game, nodes),
            earlier: earlier.iter().map(|position| placement_of(position)).collect(),
            nodes: Vec::new(),
            by_state: HashMap::new(),
            placements: HashSet::new(),
            has_equal_placements: false,
        }
    }

    /// The node of a position.
    pub(super) fn add(&mut self, position: State) -> ProofNodeId {
        let new = ProofNodeId(self.nodes.len());
        let side = position.side_to_move();
        let custom = as_custom(&position);
        let state = custom.map(CustomState::state_text).unwrap_or_default();
        let known = *self.by_state.entry((side, state.into())).or_insert(new);
        if known != new {
            return known;
        }
        let placement = custom.map(placement_of).unwrap_or_default();
        let may_recur = self.earlier.contains(&placement);
        self.has_equal_placements |= !self.placements.insert((side, placement));
        self.nodes.push(ProofNode { position, may_recur, replies: None, answers: [None; 2] });
        new
    }

    pub(super) fn side_to_move(&self, at: ProofNodeId) -> Side {
        self.nodes[at.0].position.side_to_move()
    }

    /// What is known without a search, or from one whose lines are as short.
    pub(super) fn known(&self, at: ProofNodeId, side: Side, plies: u32) -> Option<ForcedWin> {
        let node = &self.nodes[at.0];
        match node.position.status() {
            Status::Over(Ending::Won { winner, .. }) if winner == side => return Some(ForcedWin::Yes),
            Status::Over(_) => return Some(ForcedWin::No),
            Status::ToMove | Status::MustPass => {}
        }
        if plies == 0 || node.may_recur {
            return Some(ForcedWin::Open);
        }
        let (answer, searched) = node.answers[side.index()]?;
        let is_valid = match answer {
            ForcedWin::Yes | ForcedWin::No => searched <= plies,
            ForcedWin::Open => searched >= plies,
        };
        is_valid.then_some(answer)
    }

    pub(super) fn note(&mut self, at: ProofNodeId, side: Side, plies: u32, answer: ForcedWin) {
        let place = &mut self.nodes[at.0].answers[side.index()];
        // An answer for longer lines is worth more than none for shorter ones.
        let is_answered = place.is_some_and(|(known, _)| known != ForcedWin::Open);
        if !(is_answered && answer == ForcedWin::Open) {
            *place = Some((answer, plies));
        }
    }

    pub(super) fn reply(&self, at: ProofNodeId, index: usize) -> ProofNodeId {
        self.nodes[at.0].replies.as_ref().map_or(at, |replies| replies[index])
    }

    /// Puts the reply at `index` first.
    pub(super) fn prefer(&mut self, at: ProofNodeId, index: usize) {
        if let Some(replies) = &mut self.nodes[at.0].replies {
            replies[..=index].rotate_right(1);
        }
    }

    /// Asks for the positions after all moves; their number, or `None` if the budget does not allow it.
    pub(super) fn open(&mut self, at: ProofNodeId) -> Option<usize> {
        if let Some(replies) = &self.nodes[at.0].replies {
            return Some(replies.len());
        }
        let mut next = self.next(&self.nodes[at.0].position.clone())?;
        // Those where the game is over need no search.
        next.sort_by_key(|position| !has_ended(position));
        let replies: Vec<ProofNodeId> = next.into_iter().map(|position| self.add(position)).collect();
        let count = replies.len();
        self.nodes[at.0].replies = Some(replies);
        Some(count)
    }

    fn next(&mut self, position: &State) -> Option<Vec<State>> {
        if self.budget.is_spent() {
            return None;
        }
        let next = if position.status() == Status::MustPass {
            vec![position.pass()]
        } else {
            let moves = position.moves();
            if moves.len() as u64 > self.budget.positions_left() {
                return None;
            }
            as_custom(position)?.after(&moves)?
        };
        if next.is_empty() || next.iter().any(|position| position.breakdown().is_some()) {
            return None;
        }
        self.budget.count(next.len(), next.iter().filter_map(as_custom).map(CustomState::bytes).sum());
        Some(next)
    }
}
