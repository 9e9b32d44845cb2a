//! Alpha-beta for custom games: ply by ply deeper until the budget ends, and then the best move found so far.
//!
//! Where there are many moves, it looks only at the most promising ones (`ordering`), first all of its own by their
//! value at once. Of the move that it is about to choose, all replies are looked at, so that no plain refutation is
//! missed.

use super::explorer::{Explorer, worth_of_ending};
use super::ordering::{FEW_MOVES, MoveId, MoveOrdering};
use super::tree::{FoundValue, NodeId, SearchTree};
use referee_games::builtin::{TurnRng, WIN_VALUE};
use referee_games::{Game, State, Status};

/// No search is deeper.
pub(super) const DEEPEST: usize = 60;
/// Beyond every value.
pub(super) const BEYOND: i32 = 2 * WIN_VALUE;
/// The window of a value that has to be exact.
const WHOLE_WINDOW: (i32, i32) = (-BEYOND, BEYOND);
/// Where there are many moves, so many of the agent's own are looked at, ...
const OWN_WIDTH: usize = 24;
/// ... and so many of each position after them.
const WIDTH: usize = 10;
/// Moves that refuted others at the same ply and are tried first.
const KILLERS: usize = 2;

/// The best move found.
pub(super) fn choose(explorer: Explorer, position: &State, chance: &mut TurnRng) -> Option<String> {
    let ordering = MoveOrdering::new(&explorer.game.profile().board);
    let mut tree = SearchTree::new(explorer, ordering);
    let mut moves = position.moves();
    chance.shuffle(&mut moves);
    if moves.len() < 2 {
        return moves.pop();
    }
    let seen = tree.explorer.seen(position);
    let root = tree.add(seen);
    tree.open_whole(root, &moves);
    let mut search = CandidateSearch::new(tree, root, SearchPurpose::BestMove);
    search.deepen();
    let best = search.tree.branches(root).first().and_then(|branch| branch.mv);
    best.map(|mv| search.tree.ordering.text(mv).to_owned()).or_else(|| moves.pop())
}

/// What a search is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum SearchPurpose {
    /// The best move: a deeper search of the same position is as welcome.
    BestMove,
    /// Values of all moves that are those of one depth, by a search that enters no more than so many positions.
    Values { visits: u64 },
}

#[derive(Debug)]
pub(super) struct CandidateSearch {
    pub(super) tree: SearchTree,
    root: NodeId,
    killers: Vec<Vec<MoveId>>,
    own_width: usize,
    purpose: SearchPurpose,
    /// How many positions it has entered.
    entered: u64,
    /// Whether a deeper search might find something else.
    is_cut: bool,
}

impl CandidateSearch {
    pub(super) fn new(tree: SearchTree, root: NodeId, purpose: SearchPurpose) -> Self {
        let killers = vec![Vec::new(); 2 * DEEPEST];
        Self { tree, root, killers, own_width: OWN_WIDTH, purpose, entered: 0, is_cut: false }
    }

    /// The values of all moves of the root at one depth, and whether they are final; `None` if the budget ends.
    pub(super) fn root_values(&mut self, plies: usize) -> Option<(Vec<(MoveId, i32)>, bool)> {
        self.tree.forget_values();
        self.is_cut = false;
        let mut values = Vec::new();
        for branch in self.tree.branches(self.root).to_vec() {
            let Some(mv) = branch.mv else { continue };
            let value = self.branch_value(branch.to, plies, &mut vec![mv], 0, WHOLE_WINDOW)?;
            values.push((mv, value));
        }
        Some((values, !self.is_cut))
    }

    /// Searches one ply deeper each time. The best move stands first at the root.
    fn deepen(&mut self) {
        let mut plies = 1;
        while plies <= DEEPEST {
            let Some(value) = self.search_root(plies) else { return };
            if value >= WIN_VALUE {
                return;
            }
            let Some(&best) = self.tree.branches(self.root).first() else { return };
            let replies = self.tree.status(best.to) == Status::ToMove && plies > 1;
            if replies && !self.tree.is_whole(best.to) {
                // Its value may fall, so the depth is searched again.
                self.tree.widen(best.to);
            } else if value <= -WIN_VALUE {
                // All that was looked at loses.
                if self.own_width >= self.tree.branches(self.root).len() {
                    return;
                }
                self.own_width *= 4;
            } else {
                plies += 1;
            }
        }
    }

    /// The value of the best move, which it puts first; `None` if the budget ends, and then the best so far is first.
    fn search_root(&mut self, plies: usize) -> Option<i32> {
        let mut alpha = -BEYOND;
        for index in 0..self.width(self.root, 0) {
            let branch = self.tree.branches(self.root)[index];
            let mut line: Vec<MoveId> = branch.mv.into_iter().collect();
            let value = self.branch_value(branch.to, plies, &mut line, index, (alpha, BEYOND))?;
            if value > alpha {
                alpha = value;
                self.tree.prefer(self.root, index);
            }
        }
        Some(alpha)
    }

    /// How many moves of a position are looked at.
    fn width(&self, at: NodeId, ply: usize) -> usize {
        let all = self.tree.branches(at).len();
        let most = if ply == 0 { self.own_width } else { WIDTH };
        if self.tree.is_whole(at) && all <= FEW_MOVES { all } else { all.min(most) }
    }

    /// The value of a move for the side that made it, by a search of `plies` plies with the move itself.
    fn branch_value(
        &mut self,
        to: NodeId,
        plies: usize,
        line: &mut Vec<MoveId>,
        index: usize,
        (alpha, beta): (i32, i32),
    ) -> Option<i32> {
        if index > 0 && beta - alpha > 1 {
            let value = -self.value(to, plies - 1, line, (-alpha - 1, -alpha))?;
            if value <= alpha || value >= beta {
                return Some(value);
            }
        }
        Some(-self.value(to, plies - 1, line, (-beta, -alpha))?)
    }

    /// The value of a position for the side to move; a bound of it outside of the window. `None` if the budget ends.
    fn value(&mut self, at: NodeId, plies: usize, line: &mut Vec<MoveId>, window: (i32, i32)) -> Option<i32> {
        let ply = line.len();
        let side = self.tree.position(at).side_to_move();
        if let Status::Over(ending) = self.tree.status(at) {
            return Some(worth_of_ending(ending, side, ply));
        }
        if plies == 0 || ply >= DEEPEST {
            self.is_cut = true;
            return Some(self.tree.worth(at));
        }
        if !self.enter() {
            return None;
        }
        let (mut alpha, beta) = window;
        if let Some(FoundValue { bounds: (least, greatest), .. }) = self.found(at, plies, ply) {
            if least == greatest || least >= beta {
                return Some(least);
            }
            if greatest <= alpha {
                return Some(greatest);
            }
        }
        let last = &line[line.len().saturating_sub(2)..];
        if !self.tree.open(at, last, &self.killers[ply]) {
            return None;
        }
        let mut highest = -BEYOND;
        let width = self.width(at, ply);
        self.is_cut |= !self.tree.is_whole(at) || width < self.tree.branches(at).len();
        for index in 0..width {
            let branch = self.tree.branches(at)[index];
            line.extend(branch.mv);
            let value = self.branch_value(branch.to, plies, line, index, (alpha, beta));
            line.truncate(ply);
            let value = value?;
            if value > highest {
                highest = value;
                self.tree.prefer(at, index);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                self.note_refutation(branch.mv, at, ply, plies);
                break;
            }
        }
        let bounds = match highest {
            highest if highest >= beta => (highest, BEYOND),
            highest if highest <= window.0 => (-BEYOND, highest),
            highest => (highest, highest),
        };
        self.tree.note(at, FoundValue { plies, ply, bounds });
        Some(highest)
    }

    /// What an earlier search has found of a position and may be used at this ply.
    fn found(&self, at: NodeId, plies: usize, ply: usize) -> Option<FoundValue> {
        let found = self.tree.found(at, plies)?;
        match self.purpose {
            SearchPurpose::BestMove => Some(found),
            SearchPurpose::Values { .. } => (found.plies == plies && found.ply == ply).then_some(found),
        }
    }

    /// Counts a position that is entered; whether it may be. Of few positions a search of many plies asks little and
    /// enters each again and again.
    const fn enter(&mut self) -> bool {
        self.entered += 1;
        match self.purpose {
            SearchPurpose::BestMove => true,
            SearchPurpose::Values { visits } => self.entered <= visits,
        }
    }

    fn note_refutation(&mut self, mv: Option<MoveId>, at: NodeId, ply: usize, plies: usize) {
        let Some(mv) = mv else { return };
        self.tree.ordering.refuted(mv, self.tree.position(at).side_to_move(), plies);
        let killers = &mut self.killers[ply];
        if !killers.contains(&mv) {
            killers.insert(0, mv);
            killers.truncate(KILLERS);
        }
    }
}
