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
const DEEPEST: usize = 60;
/// Beyond every value.
const BEYOND: i32 = 2 * WIN_VALUE;
/// Where there are many moves, so many of the agent's own are looked at, ...
const OWN_WIDTH: usize = 24;
/// ... and so many of each position after them.
const WIDTH: usize = 10;
/// Moves that refuted others at the same ply and are tried first.
const KILLERS: usize = 2;

/// The best move found.
pub(super) fn choose(explorer: Explorer, position: &State, chance: &mut TurnRng) -> Option<String> {
    let ordering = MoveOrdering::new(&explorer.game().profile().board);
    let mut tree = SearchTree::new(explorer, ordering);
    let mut moves = position.moves();
    chance.shuffle(&mut moves);
    if moves.len() < 2 {
        return moves.pop();
    }
    let seen = tree.explorer.seen(position);
    let root = tree.add(seen);
    tree.open_whole(root, &moves);
    let mut search = CandidateSearch { tree, root, killers: vec![Vec::new(); 2 * DEEPEST], own_width: OWN_WIDTH };
    search.deepen();
    let best = search.tree.branches(root).first().and_then(|branch| branch.mv);
    best.map(|mv| search.tree.ordering.text(mv).to_owned()).or_else(|| moves.pop())
}

struct CandidateSearch {
    tree: SearchTree,
    root: NodeId,
    killers: Vec<Vec<MoveId>>,
    own_width: usize,
}

impl CandidateSearch {
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
            return Some(self.tree.worth(at));
        }
        let (mut alpha, beta) = window;
        if let Some(FoundValue { bounds: (least, greatest), .. }) = self.tree.found(at, plies) {
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
        for index in 0..self.width(at, ply) {
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
        self.tree.note(at, FoundValue { plies, bounds });
        Some(highest)
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
