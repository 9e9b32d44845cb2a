//! The positions that alpha-beta has asked for so far. `alphabeta` walks it; nothing is asked twice.
//!
//! A position is known by its state, so different orders of the same moves meet in one node. A node has the positions
//! after some of its moves, the most promising ones first. It can be widened to all.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::explorer::{Explorer, SeenPosition};
use super::ordering::{MoveId, MoveOrdering};
use crate::rules_program::as_custom;
use crate::rules_program::state::CustomState;
use referee_games::{Side, State, Status};

/// A node, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(usize);

/// A move and where it leads; without a move, a pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    pub(super) mv: Option<MoveId>,
    pub(super) to: NodeId,
}

/// What a search of a position has found.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundValue {
    pub(super) plies: usize,
    /// The ply of the position at which it was searched, on which the worth of a win depends.
    pub(super) ply: usize,
    /// The least and the greatest that the value can be, for the side to move.
    pub(super) bounds: (i32, i32),
}

/// Its bounds hold until a node is widened, which may change the value of every other.
type Epoch = usize;

#[derive(Debug)]
struct TreeNode {
    seen: SeenPosition,
    branches: Vec<Branch>,
    /// Whether all moves have their branch, or as many as the budget allows.
    is_whole: bool,
    found: Option<(Epoch, FoundValue)>,
}

/// All positions so far.
#[derive(Debug)]
pub(super) struct SearchTree {
    pub(super) explorer: Explorer,
    pub(super) ordering: MoveOrdering,
    nodes: Vec<TreeNode>,
    by_state: HashMap<(Side, Box<str>), NodeId>,
    epoch: Epoch,
}

impl SearchTree {
    pub(super) fn new(explorer: Explorer, ordering: MoveOrdering) -> Self {
        Self { explorer, ordering, nodes: Vec::new(), by_state: HashMap::new(), epoch: 0 }
    }

    /// The node of a position.
    pub(super) fn add(&mut self, seen: SeenPosition) -> NodeId {
        let new = NodeId(self.nodes.len());
        let state = as_custom(&seen.position).map(CustomState::state_text).unwrap_or_default();
        match self.by_state.entry((seen.position.side_to_move(), state.into())) {
            Entry::Occupied(known) => return *known.get(),
            Entry::Vacant(place) => place.insert(new),
        };
        self.nodes.push(TreeNode { seen, branches: Vec::new(), is_whole: false, found: None });
        new
    }

    pub(super) fn position(&self, at: NodeId) -> &State {
        &self.nodes[at.0].seen.position
    }

    pub(super) fn status(&self, at: NodeId) -> Status {
        self.position(at).status()
    }

    /// What the position is worth to the side to move, without looking ahead.
    pub(super) fn worth(&self, at: NodeId) -> i32 {
        let seen = &self.nodes[at.0].seen;
        if seen.position.side_to_move() == self.explorer.side { seen.worth } else { -seen.worth }
    }

    pub(super) fn branches(&self, at: NodeId) -> &[Branch] {
        &self.nodes[at.0].branches
    }

    pub(super) fn is_whole(&self, at: NodeId) -> bool {
        self.nodes[at.0].is_whole
    }

    /// What an earlier search of at least so many plies has found.
    pub(super) fn found(&self, at: NodeId, plies: usize) -> Option<FoundValue> {
        let (epoch, found) = self.nodes[at.0].found?;
        (epoch == self.epoch && found.plies >= plies).then_some(found)
    }

    pub(super) fn note(&mut self, at: NodeId, found: FoundValue) {
        self.nodes[at.0].found = Some((self.epoch, found));
    }

    /// Puts the branch at `index` first.
    pub(super) fn prefer(&mut self, at: NodeId, index: usize) {
        self.nodes[at.0].branches[..=index].rotate_right(1);
    }

    /// Asks for the most promising positions after `at`, unless there are some, and for those after `killers`; whether
    /// the budget allows it.
    pub(super) fn open(&mut self, at: NodeId, last: &[MoveId], killers: &[MoveId]) -> bool {
        if !self.branches(at).is_empty() {
            let missing = self.missing(at, killers);
            return missing.is_empty() || self.branch(at, &missing);
        }
        if self.explorer.budget.is_spent() {
            return false;
        }
        let position = self.position(at).clone();
        if position.status() == Status::MustPass {
            let Some(next) = self.explorer.after_pass(&position) else { return false };
            let to = self.add(next);
            let node = &mut self.nodes[at.0];
            (node.branches, node.is_whole) = (vec![Branch { mv: None, to }], true);
            return true;
        }
        let moves = self.moves(&position);
        let chosen = self.ordering.candidates(&moves, position.side_to_move(), last, killers);
        self.nodes[at.0].is_whole = chosen.len() == moves.len();
        self.branch(at, &chosen)
    }

    /// Asks for the positions after all these moves, the legal ones, in a third of the rest of the budget: those near
    /// other pieces come first.
    pub(super) fn open_whole(&mut self, at: NodeId, moves: &[String]) {
        let mut moves: Vec<MoveId> = moves.iter().map(|mv| self.ordering.id(mv)).collect();
        self.ordering.sort_by_neighbours(&mut moves, &self.position(at).rows());
        self.branch_in_part(at, &moves);
    }

    /// Asks for the positions after all its moves; whether the budget allows it.
    pub(super) fn open_all(&mut self, at: NodeId) -> bool {
        let position = self.position(at).clone();
        let moves = self.moves(&position);
        self.nodes[at.0].is_whole = true;
        self.branch(at, &moves)
    }

    /// Makes searches forget all earlier ones.
    pub(super) const fn forget_values(&mut self) {
        self.epoch += 1;
    }

    /// Asks for the positions after all other moves, in a third of the rest of the budget: promising ones come first.
    pub(super) fn widen(&mut self, at: NodeId) {
        let position = self.position(at).clone();
        let known: Vec<MoveId> = self.branches(at).iter().filter_map(|branch| branch.mv).collect();
        let mut rest = self.moves(&position);
        rest.retain(|mv| !known.contains(mv));
        rest.sort_by_key(|&mv| std::cmp::Reverse(self.ordering.promise(mv, position.side_to_move())));
        self.branch_in_part(at, &rest);
        self.epoch += 1;
    }

    fn branch_in_part(&mut self, at: NodeId, moves: &[MoveId]) {
        self.branch_by(at, moves, Explorer::after_in_part);
        self.nodes[at.0].is_whole = true;
    }

    /// Which of these moves are legal and have no branch yet.
    fn missing(&mut self, at: NodeId, moves: &[MoveId]) -> Vec<MoveId> {
        if self.is_whole(at) {
            return Vec::new();
        }
        let has_branch = |mv: &MoveId| self.branches(at).iter().any(|branch| branch.mv == Some(*mv));
        let mut missing: Vec<MoveId> = moves.iter().copied().filter(|mv| !has_branch(mv)).collect();
        if !missing.is_empty() {
            let legal = self.position(at).moves();
            missing.retain(|&mv| legal.iter().any(|text| text == self.ordering.text(mv)));
        }
        missing
    }

    fn moves(&mut self, position: &State) -> Vec<MoveId> {
        position.moves().iter().map(|mv| self.ordering.id(mv)).collect()
    }

    /// Asks for the positions after these moves; whether the budget allows it.
    fn branch(&mut self, at: NodeId, moves: &[MoveId]) -> bool {
        self.branch_by(at, moves, Explorer::after) == moves.len()
    }

    /// Adds the branches of the first of these moves, as many as `ask` sees, and sorts all by what they gain at once;
    /// their number.
    fn branch_by(
        &mut self,
        at: NodeId,
        moves: &[MoveId],
        ask: fn(&mut Explorer, &State, &[String]) -> Vec<SeenPosition>,
    ) -> usize {
        let position = self.position(at).clone();
        let texts: Vec<String> = moves.iter().map(|&mv| self.ordering.text(mv).to_owned()).collect();
        let next = ask(&mut self.explorer, &position, &texts);
        let (side, seen) = (position.side_to_move(), next.len());
        for (&mv, next) in moves.iter().zip(next) {
            let to = self.add(next);
            let gain = self.promise(to, side).saturating_sub(self.worth(at));
            self.ordering.gained(mv, side, gain);
            self.nodes[at.0].branches.push(Branch { mv: Some(mv), to });
        }
        let mut branches = std::mem::take(&mut self.nodes[at.0].branches);
        branches.sort_by_cached_key(|branch| std::cmp::Reverse(self.promise(branch.to, side)));
        self.nodes[at.0].branches = branches;
        seen
    }

    /// What the position looks like to `side`, who has moved there.
    fn promise(&self, at: NodeId, side: Side) -> i32 {
        match self.status(at) {
            Status::Over(ending) => super::explorer::worth_of_ending(ending, side, 0),
            Status::ToMove | Status::MustPass if self.position(at).side_to_move() == side => self.worth(at),
            Status::ToMove | Status::MustPass => -self.worth(at),
        }
    }
}
