//! Solves the assignment's question: exact minimax and alpha-beta, with node counts. `cli/solve`, `grading` and the
//! minimax agent call it.
//!
//! It computes the expected `output.txt` of any input of the assignment, by RULES.md section 5. It must not prune
//! anything that the handout does not prune: students are judged by the number of nodes.
//!
//! Every visited state is one node, including the root. A pass is a move and a node. A leaf is a state at the depth
//! limit, after two consecutive passes, or with pieces of only one side. Of equally good moves, the earliest in
//! expansion order must be kept.
//!
//! Values are from the view of the side to move and change sign at each ply. This combines the handout's max and min
//! functions: at a min node, `value <= alpha` becomes `-value >= -alpha`.

use std::fmt;

use super::memory::{CachedPosition, ValueMemory};
use super::moves::{Move, Moves};
use super::{RowValues, StarCircle};
use crate::{Position, Side};

/// The requested search of the assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// `MINIMAX`: the whole tree.
    Minimax,
    /// `ALPHABETA`: without branches that cannot change the answer.
    AlphaBeta,
}

impl Algorithm {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Minimax, Self::AlphaBeta];

    /// Its name, as it stands in `input.txt`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Minimax => "MINIMAX",
            Self::AlphaBeta => "ALPHABETA",
        }
    }
}

/// The depth in plies: from 1 to [`SearchDepth::MAX`].
///
/// The handout says "up to 10". A search of depth 0 has no move to answer with, so it is excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SearchDepth(u8);

impl SearchDepth {
    /// The largest depth of the handout.
    pub const MAX: u8 = 10;

    /// Four plies.
    pub const FOUR: Self = Self(4);

    /// This many plies; `None` for 0 and above [`Self::MAX`].
    pub const fn new(plies: u8) -> Option<Self> {
        if plies >= 1 && plies <= Self::MAX { Some(Self(plies)) } else { None }
    }

    /// The number of plies.
    pub const fn plies(self) -> u8 {
        self.0
    }
}

/// The assignment's question: the content of an `input.txt`.
///
/// ```
/// use referee_games::star_circle::{Algorithm, SearchQuestion, RowValues, SearchDepth, StarCircle, solve};
/// use referee_games::{Position, Side};
///
/// let empty = "0,0,0,0,0,0,0,0";
/// let rows = ["0,S1,0,0,0,0,0,0", "0,0,C1,0,0,0,0,0", "0,0,0,S1,0,0,0,0", empty, empty, empty, empty, empty];
/// let position = StarCircle::from_rows(&rows.map(str::as_bytes), Side::White, ())?;
/// let question = SearchQuestion::new(
///     position,
///     Algorithm::AlphaBeta,
///     SearchDepth::new(2).unwrap(),
///     RowValues::STANDARD,
/// )?;
/// assert_eq!(solve(&question).to_string(), "F4-H2\n160\n160\n4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SearchQuestion {
    pub(super) position: StarCircle,
    pub(super) algorithm: Algorithm,
    pub(super) depth: SearchDepth,
    pub(super) values: RowValues,
}

/// Why a position is no valid question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchQuestionError {
    /// The game is over before it begins.
    #[error(
        "expected at least one piece of each side, found none of {}",
        match .0 { Side::Black => "Circle", Side::White => "Star" }
    )]
    NoPieces(Side),
}

impl SearchQuestion {
    /// A question about `position`, seen from its side to move.
    ///
    /// # Errors
    ///
    /// [`SearchQuestionError`] if a side has no pieces: "the initial board state will contain at least one piece for
    /// each player" (handout, "File Formats").
    pub fn new(
        position: StarCircle,
        algorithm: Algorithm,
        depth: SearchDepth,
        values: RowValues,
    ) -> Result<Self, SearchQuestionError> {
        Self { position, algorithm, depth, values }.checked()
    }

    /// The question, if its game is not over before it begins.
    pub(super) fn checked(self) -> Result<Self, SearchQuestionError> {
        match Side::BOTH.into_iter().find(|&side| self.position.is_bare(side)) {
            Some(side) => Err(SearchQuestionError::NoPieces(side)),
            None => Ok(self),
        }
    }

    /// The position, with the player to move.
    pub const fn position(&self) -> &StarCircle {
        &self.position
    }

    /// The requested search.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Its depth.
    pub const fn depth(&self) -> SearchDepth {
        self.depth
    }

    /// The row values.
    pub const fn values(&self) -> &RowValues {
        &self.values
    }

    /// The same question with `depth`.
    #[must_use]
    pub fn with_depth(self, depth: SearchDepth) -> Self {
        Self { depth, ..self }
    }
}

/// The answer to a [`SearchQuestion`]. It displays as the four lines of `output.txt`, without a final LF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Solution {
    /// The move to play; `None` for a pass.
    pub next_move: Option<Move>,
    /// The evaluation right after that move, for the player.
    pub myopic: i32,
    /// The value of the position to the player, found by the search.
    pub farsighted: i32,
    /// The number of visited nodes, including the root.
    pub nodes: u64,
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.next_move {
            Some(mv) => write!(f, "{mv}")?,
            None => f.write_str("pass")?,
        }
        write!(f, "\n{}\n{}\n{}", self.myopic, self.farsighted, self.nodes)
    }
}

/// Answers `question` exactly.
///
/// For the most crowded positions at depth 10, plain minimax takes about a second for billions of nodes that are
/// counted but not walked, and alpha-beta a tenth of that, for a few million.
pub fn solve(question: &SearchQuestion) -> Solution {
    let SearchQuestion { position, algorithm, depth, values } = question;
    let score = position.evaluate(position.side, values);
    let memory = match algorithm {
        Algorithm::Minimax => Some(ValueMemory::new(depth.plies())),
        Algorithm::AlphaBeta => None,
    };
    let root = Node { position: position.clone(), plies: depth.plies(), passes: 0, score };
    TreeSearch { values, memory, nodes: 1 }.choose(&root)
}

/// A state of the tree: a position and its past.
struct Node {
    position: StarCircle,
    /// The remaining plies.
    plies: u8,
    /// The number of last turns that were passes.
    passes: u8,
    /// The evaluation for the side to move.
    score: i32,
}

/// The successors of a state.
enum Successors {
    /// Nothing: the game is over.
    Nothing,
    Pass,
    Moves(Moves),
}

impl Node {
    #[inline]
    fn next(&self) -> Successors {
        let position = &self.position;
        if self.passes == 2 || position.is_bare(Side::Black) || position.is_bare(Side::White) {
            return Successors::Nothing;
        }
        let moves = position.moves_of(position.side);
        if moves.is_empty() { Successors::Pass } else { Successors::Moves(moves) }
    }

    #[inline]
    fn after(&self, mv: Move, values: &RowValues) -> Self {
        let mut position = self.position.clone();
        position.play_unchecked(mv);
        Self { position, plies: self.plies - 1, passes: 0, score: -(self.score + gain(mv, self.position.side, values)) }
    }

    fn after_pass(&self) -> Self {
        let mut position = self.position.clone();
        position.pass();
        Self { position, plies: self.plies - 1, passes: self.passes + 1, score: -self.score }
    }
}

/// The gain of `side`'s evaluation by a move. A captured piece is always single: stacks are on the last row, where no
/// enemy can capture.
#[inline]
fn gain(mv: Move, side: Side, values: &RowValues) -> i32 {
    let captured = mv.jumped().map_or(0, |square| values.value(side.other(), square));
    values.value(side, mv.to) - values.value(side, mv.from) + captured
}

/// Less and more than any evaluation.
const WORST: i32 = -i32::MAX;
const BEST: i32 = i32::MAX;

struct TreeSearch<'a> {
    values: &'a RowValues,
    /// Of minimax, which leaves no move out; `None` for alpha-beta, in which values depend on the bounds.
    memory: Option<ValueMemory>,
    /// The number of nodes visited so far.
    nodes: u64,
}

impl TreeSearch<'_> {
    /// The first of the best moves at the root.
    fn choose(mut self, root: &Node) -> Solution {
        let (mut next_move, mut myopic, mut farsighted) = (None, root.score, WORST);
        match root.next() {
            Successors::Nothing => farsighted = root.score,
            Successors::Pass => farsighted = -self.value(&root.after_pass(), WORST, BEST),
            Successors::Moves(moves) => {
                for mv in moves {
                    let child = root.after(mv, self.values);
                    let value = -self.value(&child, WORST, -farsighted);
                    if value > farsighted {
                        (next_move, myopic, farsighted) = (Some(mv), -child.score, value);
                    }
                }
            }
        }
        Solution { next_move, myopic, farsighted, nodes: self.nodes }
    }

    /// The value of `node` to its side to move, with the bounds `alpha` and `beta`.
    fn value(&mut self, node: &Node, alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        if node.plies == 0 {
            return node.score;
        }
        match node.next() {
            Successors::Nothing => node.score,
            Successors::Pass => -self.value(&node.after_pass(), -beta, -alpha),
            Successors::Moves(moves) if self.memory.is_none() => self.pruned_value(node, moves, alpha, beta),
            Successors::Moves(moves) if node.plies == 1 => self.value_of_leaves(node, moves),
            Successors::Moves(moves) => self.remembered_value(node, moves),
        }
    }

    fn pruned_value(&mut self, node: &Node, moves: Moves, mut alpha: i32, beta: i32) -> i32 {
        let mut best = WORST;
        for mv in moves {
            best = best.max(-self.value(&node.after(mv, self.values), -beta, -alpha));
            if best >= beta {
                break;
            }
            alpha = alpha.max(best);
        }
        best
    }

    /// The last ply of minimax: evaluates its moves without playing them.
    fn value_of_leaves(&mut self, node: &Node, moves: Moves) -> i32 {
        self.nodes += u64::from(moves.left());
        let gains = moves.map(|mv| gain(mv, node.position.side, self.values));
        node.score + gains.max().unwrap_or(0)
    }

    fn remembered_value(&mut self, node: &Node, moves: Moves) -> i32 {
        let known = self.memory.as_ref().and_then(|memory| memory.probe(&node.position, node.plies));
        if let Some(CachedPosition { value, nodes }) = known {
            self.nodes += nodes;
            return value;
        }
        let before = self.nodes;
        let values = moves.map(|mv| -self.value(&node.after(mv, self.values), WORST, BEST));
        let value = values.max().unwrap_or(WORST);
        let known = CachedPosition { value, nodes: self.nodes - before };
        if let Some(memory) = &mut self.memory {
            memory.store(&node.position, node.plies, known);
        }
        value
    }
}
