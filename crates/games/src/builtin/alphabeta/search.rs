//! The alpha-beta search: the value of a position under best play, without searching what cannot change it.
//!
//! A principal variation search: it searches the first move of a node with the full window, and each other one with a
//! null window, again if it turns out better. [`super`] deepens it; Star and Circle's solver uses it too. Without
//! [`SearchMode::Selective`], the value at the root must equal plain minimax to the same depth with the same
//! evaluation.

use super::budget::Budget;
use super::line::KeyLine;
use super::node::{SearchNode, Searched};
use super::order::{HistoryHeuristic, KNOWN_BEST, MAX_PLIES, move_best_to_front};
use super::table::{Bound, TableEntry, TranspositionTable};
use crate::builtin::WIN_VALUE;
use crate::{Ending, Side, Status};

/// The value of a win now; each ply until the win reduces it by one.
pub(super) const WIN: i32 = 2 * WIN_VALUE;

/// The maximum value; its negative is the minimum.
pub(super) const HIGHEST: i32 = WIN + 1;

/// From this move of a node on, moves are first searched at a lower depth.
const PROMISING_MOVES: usize = 3;
/// From this move on, at a still lower depth.
const LIKELY_MOVES: usize = 12;
/// The minimum depth for such reductions.
const REDUCIBLE_DEPTH: i32 = 3;

/// The shortcuts that a search may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchMode {
    /// None: its value equals plain minimax.
    Plain,
    /// Extends lines while the position is not quiet or has only one move, reduces unlikely moves, and counts
    /// repetition and idle turns.
    Selective,
    /// As [`Self::Selective`], but without reductions: for a search to the end of the game.
    Endgame,
    /// None, except that lines are extended: each value that is not that of an unsearched position is certain.
    Proof {
        /// The value of an unsearched position to black.
        to_black: i32,
    },
}

impl SearchMode {
    /// Whether lines are extended while the position is not quiet.
    const fn extends(self) -> bool {
        match self {
            Self::Plain => false,
            Self::Selective | Self::Endgame | Self::Proof { .. } => true,
        }
    }

    /// Whether moves may be left out.
    const fn prunes(self) -> bool {
        match self {
            Self::Plain | Self::Proof { .. } => false,
            Self::Selective | Self::Endgame => true,
        }
    }
}

/// A search with its memory.
#[derive(Debug)]
pub(super) struct Search<P: Searched> {
    pub(super) budget: Budget,
    pub(super) mode: SearchMode,
    table: TranspositionTable,
    history: HistoryHeuristic,
    line: KeyLine,
    /// Of a proof: the keys of positions that count as unsearched, since they may be drawn by repetition.
    pub(super) drawn: Vec<u64>,
    /// The moves of all nodes on the line, stacked.
    moves: Vec<(i32, RankedMove<P::Move>)>,
}

/// A move and its index in the order of the rules.
#[derive(Clone, Copy, Debug)]
struct RankedMove<M> {
    mv: M,
    place: u16,
}

/// The bounds of interesting values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    pub(super) const WHOLE: Self = Self { alpha: -HIGHEST, beta: HIGHEST };

    /// The window from the other side's view, from `alpha` on.
    const fn turned(self, alpha: i32) -> Self {
        Self { alpha: -self.beta, beta: -alpha }
    }

    /// The null window above `alpha`, from the other side's view.
    const fn turned_test(alpha: i32) -> Self {
        Self { alpha: -alpha - 1, beta: -alpha }
    }
}

impl<P: Searched> Search<P> {
    pub(super) fn new(mode: SearchMode, budget: Budget, table: TranspositionTable, line: KeyLine) -> Self {
        Self {
            budget,
            mode,
            table,
            history: HistoryHeuristic::new(P::HISTORY_SIZE),
            line,
            drawn: Vec::new(),
            moves: Vec::with_capacity(1024),
        }
    }

    /// The value of `node` to its side to move, searched to `depth`; meaningless once the budget is spent.
    pub(super) fn value(&mut self, node: &SearchNode<P>, depth: i32, ply: usize, window: Window) -> i32 {
        if !self.budget.count_node() {
            return 0;
        }
        if let Some(value) = self.value_of_recurrence(node, ply) {
            return value;
        }
        let noisy = self.mode.extends() && node.position.needs_quiescence();
        if (depth <= 0 && !noisy) || ply + 1 >= MAX_PLIES {
            return self.quiescence(node, ply, window);
        }
        let depth = depth.max(0);
        let known = self.table.find(node.key());
        if let Some(value) = known.and_then(|known| self.value_from_table(known, depth, ply, window)) {
            return value;
        }
        let first = self.moves.len();
        self.list(node, ply, known, self.mode.prunes());
        if self.moves.len() == first && self.mode.prunes() {
            self.list(node, ply, known, false);
        }
        let value = if self.moves.len() == first {
            self.without_moves(node, depth, ply, window)
        } else {
            self.best_of(first, node, depth, ply, window)
        };
        self.moves.truncate(first);
        value
    }

    /// The value of a position that is drawn, or may be, because of earlier ones.
    fn value_of_recurrence(&self, node: &SearchNode<P>, ply: usize) -> Option<i32> {
        match self.mode {
            SearchMode::Plain => None,
            SearchMode::Selective | SearchMode::Endgame => {
                (ply > 0 && self.line.is_drawn()).then(|| self.draw_value(ply))
            }
            SearchMode::Proof { to_black } => {
                let may_be_drawn = !self.drawn.is_empty() && self.drawn.contains(&node.key());
                may_be_drawn.then(|| unsearched(node, to_black))
            }
        }
    }

    /// The value known from an earlier search, if it decides.
    fn value_from_table(
        &self,
        known: TableEntry,
        depth: i32,
        ply: usize,
        Window { alpha, beta }: Window,
    ) -> Option<i32> {
        let deep_enough = match self.mode {
            SearchMode::Plain => i32::from(known.depth) == depth,
            SearchMode::Selective | SearchMode::Endgame | SearchMode::Proof { .. } => i32::from(known.depth) >= depth,
        };
        if !deep_enough {
            return None;
        }
        let value = seen_from_root(known.value, ply);
        let settled = match known.bound {
            Bound::Exact => true,
            Bound::AtLeast => value >= beta,
            Bound::AtMost => value <= alpha,
        };
        settled.then_some(value)
    }

    /// Appends the node's moves with their scores, optionally with forward pruning.
    fn list(&mut self, node: &SearchNode<P>, ply: usize, known: Option<TableEntry>, prune: bool) {
        let Self { moves, history, .. } = self;
        let side = node.position.side_to_move().index();
        let best = known.map(|known| known.best);
        let is_pruned = prune.then(|| node.position.forward_pruning());
        let mut places = 0..;
        node.position.for_each_move(|mv| {
            let place = places.next().unwrap_or(u16::MAX);
            if is_pruned.as_ref().is_some_and(|is_pruned| is_pruned(mv)) {
                return;
            }
            let score = if best == Some(place) {
                KNOWN_BEST
            } else {
                node.position.ordering_score(mv) + history.score(ply, side, P::history_index(mv))
            };
            moves.push((score, RankedMove { mv, place }));
        });
    }

    fn without_moves(&mut self, node: &SearchNode<P>, depth: i32, ply: usize, window: Window) -> i32 {
        match node.position.status() {
            Status::Over(ending) => self.worth_of_ending(ending, node, ply),
            Status::ToMove | Status::MustPass => {
                let next = node.after_pass();
                self.line.push(next.key(), false);
                let value = -self.value(&next, depth - 1, ply + 1, window.turned(window.alpha));
                self.line.pop();
                value
            }
        }
    }

    /// The value of a node whose moves are stacked from `first` on.
    fn best_of(&mut self, first: usize, node: &SearchNode<P>, depth: i32, ply: usize, window: Window) -> i32 {
        if node.position.may_be_over()
            && let Status::Over(ending) = node.position.status()
        {
            return self.worth_of_ending(ending, node, ply);
        }
        let Window { mut alpha, beta } = window;
        let last = self.moves.len();
        let is_forced = last - first == 1 && self.mode != SearchMode::Plain;
        let below = if is_forced { depth } else { depth - 1 };
        let (mut highest, mut best) = (-HIGHEST, 0);
        for index in first..last {
            move_best_to_front(&mut self.moves[index..last]);
            let RankedMove { mv, place } = self.moves[index].1;
            let next = node.after(mv);
            self.line.push(next.key(), node.position.makes_progress(mv));
            let value = self.child(&next, below, ply, Window { alpha, beta }, index - first);
            self.line.pop();
            if self.budget.is_spent() {
                return 0;
            }
            if value > highest {
                highest = value;
                best = place;
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                let side = node.position.side_to_move().index();
                self.history.reward(ply, side, P::history_index(mv), depth);
                break;
            }
        }
        self.store(node, depth, ply, window, highest, best);
        highest
    }

    /// The value, for its side, of the move at `index` of the node at `ply`.
    fn child(&mut self, next: &SearchNode<P>, depth: i32, ply: usize, window: Window, index: usize) -> i32 {
        let alpha = window.alpha;
        if index == 0 {
            return -self.value(next, depth, ply + 1, window.turned(alpha));
        }
        let reduced = depth - self.reduction(depth, index);
        let mut value = -self.value(next, reduced, ply + 1, Window::turned_test(alpha));
        if value > alpha && reduced < depth {
            value = -self.value(next, depth, ply + 1, Window::turned_test(alpha));
        }
        if value > alpha && value < window.beta {
            value = -self.value(next, depth, ply + 1, window.turned(alpha));
        }
        value
    }

    const fn reduction(&self, depth: i32, index: usize) -> i32 {
        if !matches!(self.mode, SearchMode::Selective) || depth + 1 < REDUCIBLE_DEPTH || index < PROMISING_MOVES {
            0
        } else if index < LIKELY_MOVES || depth < REDUCIBLE_DEPTH {
            1
        } else {
            2
        }
    }

    fn store(&mut self, node: &SearchNode<P>, depth: i32, ply: usize, window: Window, value: i32, best: u16) {
        let bound = if value >= window.beta {
            Bound::AtLeast
        } else if value > window.alpha {
            Bound::Exact
        } else {
            Bound::AtMost
        };
        let entry = TableEntry {
            value: seen_from_node(value, ply),
            bound,
            depth: u8::try_from(depth).unwrap_or(u8::MAX),
            best,
        };
        self.table.store(node.key(), entry);
    }

    /// The value of a leaf after captures, of which each side plays those that gain.
    fn quiescence(&mut self, node: &SearchNode<P>, ply: usize, window: Window) -> i32 {
        let mut highest = match node.position.status() {
            Status::Over(ending) => return self.worth_of_ending(ending, node, ply),
            Status::ToMove | Status::MustPass => match self.mode {
                SearchMode::Plain => return node.static_evaluation(),
                SearchMode::Proof { to_black } => return unsearched(node, to_black),
                SearchMode::Selective | SearchMode::Endgame => node.static_evaluation(),
            },
        };
        if ply + 1 >= MAX_PLIES {
            return highest;
        }
        for mv in node.position.quiescence_captures() {
            if highest >= window.beta || !self.budget.count_node() {
                break;
            }
            let next = node.after(mv);
            highest = highest.max(-self.quiescence(&next, ply + 1, window.turned(window.alpha.max(highest))));
        }
        highest
    }

    /// A draw, from the view of the side to move at `ply`.
    const fn draw_value(&self, ply: usize) -> i32 {
        match self.mode {
            SearchMode::Plain | SearchMode::Proof { .. } => 0,
            SearchMode::Selective | SearchMode::Endgame if ply.is_multiple_of(2) => P::DRAW_VALUE,
            SearchMode::Selective | SearchMode::Endgame => -P::DRAW_VALUE,
        }
    }

    fn worth_of_ending(&self, ending: Ending, node: &SearchNode<P>, ply: usize) -> i32 {
        let plies = i32::try_from(ply).unwrap_or(i32::MAX);
        match ending {
            Ending::Won { winner, .. } if winner == node.position.side_to_move() => WIN - plies,
            Ending::Won { .. } => plies - WIN,
            Ending::Drawn(_) => self.draw_value(ply),
        }
    }

    /// Searches one root move; [`super::deepen`] calls it for each.
    pub(super) fn root_move(
        &mut self,
        root: &SearchNode<P>,
        mv: P::Move,
        depth: i32,
        window: Window,
        index: usize,
    ) -> i32 {
        let next = root.after(mv);
        self.line.push(next.key(), root.position.makes_progress(mv));
        let value = self.child(&next, depth - 1, 0, window, index);
        self.line.pop();
        value
    }
}

/// The value of an unsearched position of a proof, from the view of its side to move.
fn unsearched<P: Searched>(node: &SearchNode<P>, to_black: i32) -> i32 {
    match node.position.side_to_move() {
        Side::Black => to_black,
        Side::White => -to_black,
    }
}

/// A value for the table, in which the distance to a win counts from the node instead of the root.
fn seen_from_node(value: i32, ply: usize) -> i32 {
    shifted(value, i32::try_from(ply).unwrap_or(0))
}

fn seen_from_root(value: i32, ply: usize) -> i32 {
    shifted(value, -i32::try_from(ply).unwrap_or(0))
}

/// A won or lost value, this many plies closer to its end.
const fn shifted(value: i32, plies: i32) -> i32 {
    if value >= WIN_VALUE {
        value + plies
    } else if value <= -WIN_VALUE {
        value - plies
    } else {
        value
    }
}
