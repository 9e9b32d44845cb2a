//! The values of all moves of a position, and proofs of results, for the analysis of recorded games.
//!
//! Both are limited by nodes, so that they are the same on every machine. [`move_values`] searches each move with a
//! full window at the same depth, so that differences between moves are those of one search. [`proved_result`] says
//! only what is certain: it searches all moves, and an unsearched position counts as failure.

use super::budget::{Budget, SearchLimit};
use super::line::KeyLine;
use super::node::{SearchNode, Searched};
use super::search::{Search, SearchMode, WIN, Window};
use super::table::TranspositionTable;
use super::{MAX_DEPTH, solvable};
use crate::builtin::WIN_VALUE;
use crate::{MoveValues, ProvedResult, ReachedPosition, Side, State};

/// A position that a game has reached, as the game's own.
#[derive(Debug)]
pub struct SearchedPosition<'a, P> {
    position: &'a P,
    reached: &'a ReachedPosition<'a>,
    /// The positions since the last progress, oldest first; the last one may be `position`.
    since_progress: Vec<&'a P>,
}

impl<'a, P: Searched> SearchedPosition<'a, P> {
    /// The position whose states `own` turns into the game's own; `None` if it is of another game.
    pub fn new(reached: &'a ReachedPosition<'a>, own: impl Fn(&'a State) -> Option<&'a P>) -> Option<Self> {
        let since_progress = reached.since_progress.iter().filter_map(&own).collect();
        Some(Self { position: own(reached.position)?, reached, since_progress })
    }

    fn root(&self) -> SearchNode<P> {
        SearchNode::enter(self.position)
    }

    /// The keys of the earlier positions, oldest first.
    fn earlier_keys(&self) -> Vec<u64> {
        let earlier = self.since_progress.split_last().filter(|(last, _)| **last == self.position);
        let earlier = earlier.map_or(&*self.since_progress, |(_, earlier)| earlier);
        earlier.iter().map(|position| SearchNode::enter(*position).key()).collect()
    }

    /// The keys of all placements that have occurred, with either side to move.
    fn occurred(&self) -> Vec<u64> {
        let key = |position: &P, side| SearchNode::enter(&position.clone().with_side_to_move(side)).key();
        let placements = self.since_progress.iter().copied().chain([self.position]);
        placements.flat_map(|position| Side::BOTH.map(|side| key(position, side))).collect()
    }
}

/// The values of all moves; see [`Game::value_moves`](crate::Game::value_moves).
pub fn move_values<P: Searched>(searched: &SearchedPosition<'_, P>, nodes: u64) -> MoveValues {
    let root = searched.root();
    let moves = root.position.moves();
    let limit = SearchLimit::Nodes(nodes);
    let line = KeyLine::new(searched.earlier_keys(), root.key(), root.position.stage().is_some());
    let mut search =
        Search::new(SearchMode::Selective, Budget::begin(limit), TranspositionTable::for_nodes(nodes), line);
    let moves_left = root.position.moves_left();
    let mut found = MoveValues { values: vec![0; moves.len()], depth: 0 };
    for depth in 1..=u32::from(MAX_DEPTH) {
        let Some(values) = values_at(&mut search, &root, &moves, depth) else { break };
        let is_decided = values.iter().all(|value| value.abs() >= WIN_VALUE);
        found = MoveValues { values, depth };
        if is_decided || search.budget.is_enough(0) || moves_left.is_some_and(|left| depth > left) {
            break;
        }
    }
    found
}

/// The values at one depth; `None` if the budget ends before all are known.
fn values_at<P: Searched>(
    search: &mut Search<P>,
    root: &SearchNode<P>,
    moves: &[P::Move],
    depth: u32,
) -> Option<Vec<i32>> {
    let depth = i32::try_from(depth).unwrap_or(i32::MAX);
    let value = |&mv: &P::Move| {
        let value = search.root_move(root, mv, depth, Window::WHOLE, 0);
        (!search.budget.is_spent()).then_some(value)
    };
    moves.iter().map(value).collect()
}

/// What a proof search shows.
#[derive(Clone, Copy, Debug)]
enum ProvableClaim {
    /// The side wins within so many plies.
    Win { plies: i32 },
    /// The side at least draws.
    Draw,
}

impl ProvableClaim {
    /// The least value, to the side, that shows the claim.
    const fn least(self) -> i32 {
        match self {
            Self::Win { plies } => WIN - plies,
            Self::Draw => 0,
        }
    }

    /// The value of an unsearched position to the side: too low for the claim.
    const fn unsearched(self) -> i32 {
        match self {
            Self::Win { .. } => 0,
            Self::Draw => -1,
        }
    }
}

/// The certain result of the move at `index`; see [`Game::proved_result`](crate::Game::proved_result).
pub fn proved_result<P: Searched>(
    searched: &SearchedPosition<'_, P>,
    index: usize,
    value: i32,
    nodes: u64,
) -> Option<ProvedResult> {
    let root = searched.root();
    let &mv = root.position.moves().get(index)?;
    let mover = root.position.side_to_move();
    let is_progress = root.position.makes_progress(mv);
    let plies = searched.reached.turns_without_draw(is_progress)?;
    let plies = i32::try_from(plies).unwrap_or(i32::MAX).min(WIN - WIN_VALUE);
    let drawn = if is_progress { Vec::new() } else { searched.occurred() };
    let proof = Proof { node: root.after(mv), drawn, plies, nodes };
    if value >= WIN_VALUE {
        return proof.win_of(mover, WIN - value).then_some(ProvedResult::Win);
    }
    if value <= -WIN_VALUE {
        return proof.win_of(mover.other(), WIN + value).then_some(ProvedResult::Loss);
    }
    proof.result_at_the_end(mover)
}

/// A position whose result is to be proved.
struct Proof<P: Searched> {
    node: SearchNode<P>,
    /// Positions that count as failure, since they may be drawn by repetition.
    drawn: Vec<u64>,
    /// The maximum length of a line.
    plies: i32,
    /// The nodes for each claim.
    nodes: u64,
}

impl<P: Searched> Proof<P> {
    /// Whether `side` wins; a search has found a win in about so many plies.
    fn win_of(&self, side: Side, found: i32) -> bool {
        let lengths = [0, 2, 6].map(|more| found.saturating_add(more).min(self.plies));
        lengths.into_iter().any(|plies| self.holds(side, ProvableClaim::Win { plies }, plies))
    }

    /// The result if the board bounds the rest of the game, and it is short enough to be searched.
    fn result_at_the_end(&self, mover: Side) -> Option<ProvedResult> {
        let limit = SearchLimit::Nodes(self.nodes);
        let left = self.node.position.moves_left()?;
        self.node.position.remaining_choices().filter(|&choices| choices <= solvable(limit))?;
        // Each move may be followed by a pass, and two passes may end the game.
        let plies = i32::try_from(2 * left + 2).unwrap_or(i32::MAX);
        let within = ProvableClaim::Win { plies: plies.min(self.plies) };
        if self.holds(mover, within, plies) {
            return Some(ProvedResult::Win);
        }
        if self.holds(mover.other(), within, plies) {
            return Some(ProvedResult::Loss);
        }
        let is_draw =
            plies <= self.plies && Side::BOTH.iter().all(|&side| self.holds(side, ProvableClaim::Draw, plies));
        is_draw.then_some(ProvedResult::Draw)
    }

    /// Whether a search of `depth` plies shows `claim` for `side`.
    fn holds(&self, side: Side, claim: ProvableClaim, depth: i32) -> bool {
        let to_black = match side {
            Side::Black => claim.unsearched(),
            Side::White => -claim.unsearched(),
        };
        let budget = Budget::begin(SearchLimit::Nodes(self.nodes));
        let table = TranspositionTable::for_nodes(self.nodes);
        let line = KeyLine::new(Vec::new(), self.node.key(), false);
        let mode = SearchMode::Proof { to_black };
        let mut search = Search::new(mode, budget, table, line);
        search.drawn.clone_from(&self.drawn);
        let least = claim.least();
        let is_own = self.node.position.side_to_move() == side;
        let beta = if is_own { least } else { 1 - least };
        let value = search.value(&self.node, depth, 0, Window { alpha: beta - 1, beta });
        !search.budget.is_spent() && (value >= beta) == is_own
    }
}
