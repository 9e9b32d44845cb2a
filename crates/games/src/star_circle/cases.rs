//! Generates questions of the Star-and-Circle assignment with answers, for grading and practice. `positions` calls it.
//!
//! It writes no files and does not search itself ([`crate::star_circle::solve()`]). The same seed and number
//! must give the same case, on every machine and in every version. Cases must alternate in kind, player, algorithm and
//! depth, so that any fifty consecutive ones cover all. No case may have more than [`ExactCase::MAX_NODES`] nodes,
//! which a plain Python program visits in seconds.
//!
//! Positions are random, not played: "the initial board state may not necessarily happen as a result of playing a game
//! from the beginning" (handout, "File Formats").

use super::texts::write_question;
use super::{Algorithm, RowValues, SearchDepth, SearchQuestion, Solution, Square, StarCircle, solve};
use crate::builtin::TurnRng;
use crate::positions::{
    ListedKind, MadePosition, PositionKind, PositionsError, PositionsRequest, PracticeGame, unknown_kind,
};
use crate::protocol::Texts;
use crate::{Position, Side, Status};

/// A question and its only right answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactCase {
    /// Its purpose.
    pub kind: CaseKind,
    /// What is asked.
    pub question: SearchQuestion,
    /// The answer.
    pub solution: Solution,
}

impl ExactCase {
    /// The maximum number of nodes in a case's search.
    pub const MAX_NODES: u64 = 200_000;
}

/// The purpose of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CaseKind {
    /// Few pieces on a wide board.
    Sparse,
    /// As many pieces as the depth allows.
    Crowded,
    /// The right move captures.
    Capture,
    /// The player must pass, while the other side can move.
    Pass,
    /// The player has one legal move.
    OnlyMove,
    /// The right move lands on an own piece, on the last row.
    Stack,
    /// Several moves are equally good, and the first in the expansion order counts.
    Tie,
    /// The row values are far from evenly spaced.
    UnevenValues,
    /// The search covers the whole game: no leaf is due to the depth limit.
    PlayedOut,
}

impl CaseKind {
    /// All kinds, in rotation order.
    pub const ALL: [Self; 9] = [
        Self::Sparse,
        Self::Crowded,
        Self::Capture,
        Self::Pass,
        Self::OnlyMove,
        Self::Stack,
        Self::Tie,
        Self::UnevenValues,
        Self::PlayedOut,
    ];

    /// The kind, as in lists. Its name is also in file names.
    pub const fn listed(self) -> ListedKind {
        let (name, about) = match self {
            Self::Sparse => ("sparse", "few pieces on a wide board"),
            Self::Crowded => ("crowded", "as many pieces as the depth allows"),
            Self::Capture => ("capture", "the right move captures"),
            Self::Pass => ("pass", "the player has no move and must pass"),
            Self::OnlyMove => ("only-move", "the player has one legal move"),
            Self::Stack => ("stack", "the right move lands on an own piece on the last row"),
            Self::Tie => ("tie", "several moves have the same value"),
            Self::UnevenValues => ("uneven-values", "the row values are far from even steps"),
            Self::PlayedOut => ("played-out", "the whole game fits into the search"),
        };
        ListedKind { name, about }
    }

    /// The initial maximum of pieces per side when searching for a position.
    const fn pieces(self) -> usize {
        match self {
            Self::Sparse | Self::PlayedOut => 3,
            Self::Pass | Self::OnlyMove => 4,
            Self::Capture | Self::Stack | Self::Tie | Self::UnevenValues => 6,
            Self::Crowded => 9,
        }
    }

    /// The heights of stacks, each with equal probability.
    const fn stacks(self) -> &'static [u8] {
        if matches!(self, Self::Stack) { &[1, 2, 3, 4] } else { &[1, 1, 2] }
    }

    /// Whether the case fits its purpose.
    fn holds(self, question: &SearchQuestion, solution: &Solution) -> bool {
        let position = question.position();
        let side = position.side_to_move();
        match self {
            Self::Sparse | Self::Crowded => position.count_moves() > 1,
            Self::Capture => solution.next_move.is_some_and(|mv| mv.jumped().is_some()) && position.count_moves() > 2,
            Self::Pass => position.status() == Status::MustPass,
            Self::OnlyMove => position.count_moves() == 1,
            Self::Stack => solution.next_move.is_some_and(|mv| position.count(side, mv.to) > 0),
            Self::Tie => has_tie(question, solution),
            Self::UnevenValues => *question.values() != RowValues::STANDARD && position.count_moves() > 2,
            Self::PlayedOut => is_played_out(question, solution),
        }
    }
}

/// The case with this number, from 0, in the series of `seed`.
///
/// ```
/// use referee_games::star_circle::{CaseKind, case};
///
/// let made = case(2018, 3);
/// assert_eq!(made.kind, CaseKind::Pass);
/// assert!(made.solution.to_string().starts_with("pass\n"));
/// assert_eq!(made, case(2018, 3));
/// ```
pub fn case(seed: u64, number: u32) -> ExactCase {
    let recipe = Recipe::of(number);
    let mut chance = TurnRng::new(seed, u64::from(number));
    (0..)
        .find_map(|attempt| recipe.attempt(attempt, &mut chance))
        .expect("positions of every kind are found within some hundred attempts")
}

/// The properties determined by a case's number.
struct Recipe {
    kind: CaseKind,
    side: Side,
    algorithm: Algorithm,
    depth: SearchDepth,
}

/// After this many unsuitable positions, a side gets one piece less, and after the last piece all again: trees of many
/// pieces are too large for deep searches, and some kinds hardly occur with few pieces.
const ATTEMPTS_PER_PIECE: usize = 30;

impl Recipe {
    /// Each round of ten depths orders sides and algorithms differently, so that all combinations occur.
    fn of(number: u32) -> Self {
        let round = number / 10;
        let at = |place: u32, of: usize| usize::try_from(place).map_or(0, |place| place % of);
        let plies = u8::try_from(number % 10).unwrap_or_default() + 1;
        Self {
            kind: CaseKind::ALL[at(number, CaseKind::ALL.len())],
            side: [Side::White, Side::Black][at(number + round, 2)],
            algorithm: Algorithm::BOTH[at(number / 2 + round / 2, 2)],
            depth: SearchDepth::new(plies).expect("from 1 to 10"),
        }
    }

    /// A case, if the next random position fits.
    fn attempt(&self, attempt: usize, chance: &mut TurnRng) -> Option<ExactCase> {
        let most = self.kind.pieces() - attempt / ATTEMPTS_PER_PIECE % self.kind.pieces();
        let position = random_position(self.kind, self.side, most, chance);
        let values = row_values(self.kind, chance);
        let question = SearchQuestion::new(position, self.algorithm, self.depth, values).ok()?;
        if matches!(question.position().status(), Status::Over(_)) {
            return None;
        }
        let solution = solution_within_bounds(&question)?;
        self.kind.holds(&question, &solution).then_some(ExactCase { kind: self.kind, question, solution })
    }
}

/// The answer, unless the tree is too large; found by increasing depths, so that giving up is cheap.
fn solution_within_bounds(question: &SearchQuestion) -> Option<Solution> {
    (1..=question.depth().plies())
        .map_while(|plies| {
            let solution = solve(&question.clone().with_depth(SearchDepth::new(plies)?));
            (solution.nodes <= ExactCase::MAX_NODES).then_some((plies, solution))
        })
        .find(|&(plies, _)| plies == question.depth().plies())
        .map(|(_, solution)| solution)
}

/// Whether several moves are as good as the right one.
fn has_tie(question: &SearchQuestion, solution: &Solution) -> bool {
    let position = question.position();
    let as_good = |mv| worth_to_opponent(question, position.after(mv)) == -solution.farsighted;
    position.moves().into_iter().filter(|&mv| as_good(mv)).count() > 1
}

/// The value of `next`, one ply later, to the player's opponent.
fn worth_to_opponent(question: &SearchQuestion, next: StarCircle) -> i32 {
    let (side, values) = (next.side_to_move(), *question.values());
    let at_once = next.evaluate(side, &values);
    let Some(depth) = SearchDepth::new(question.depth().plies() - 1) else {
        return at_once;
    };
    let below = SearchQuestion::new(next, Algorithm::Minimax, depth, values);
    below.map_or(at_once, |below| solve(&below).farsighted)
}

/// Whether the last ply adds no node. A search of one ply has nothing to compare with, and games over after two or
/// three plies are too short to be interesting.
fn is_played_out(question: &SearchQuestion, solution: &Solution) -> bool {
    let plies = u64::from(question.depth().plies());
    if plies > 3 && solution.nodes <= 2 * plies {
        return false;
    }
    let shallower = SearchDepth::new(question.depth().plies() - 1);
    shallower.is_none_or(|depth| solve(&question.clone().with_depth(depth)).nodes == solution.nodes)
}

/// One to `most` pieces for each side, anywhere on dark squares; stacks only on the own last row.
fn random_position(kind: CaseKind, side: Side, most: usize, chance: &mut TurnRng) -> StarCircle {
    let mut position = StarCircle::empty(side);
    let mut free: Vec<Square> = (0..8)
        .rev()
        .flat_map(|row| (0..8).filter_map(move |column| Square::new(column, row)))
        .filter(|square| square.is_dark())
        .collect();
    let fewest = if kind == CaseKind::Crowded { most.div_ceil(2) } else { 1 };
    let counts: Vec<usize> = (fewest..=most).collect();
    for (owner, last_row) in [(Side::White, 0), (Side::Black, 7)] {
        for index in 0..chance.choose(&counts).unwrap_or(1) {
            let Some(square) = choose_square(kind, &free, index, last_row, chance) else {
                break;
            };
            free.retain(|&other| other != square);
            let count = if square.row() == last_row { chance.choose(kind.stacks()).unwrap_or(1) } else { 1 };
            position.put(owner, square, count);
        }
    }
    position
}

/// Any free square; to grow a stack, a piece on its last row and one before it come first.
fn choose_square(kind: CaseKind, free: &[Square], index: usize, last_row: u8, chance: &mut TurnRng) -> Option<Square> {
    if kind != CaseKind::Stack || index > 1 {
        return chance.choose(free);
    }
    let so_far_off = |square: &Square| usize::from(square.row().abs_diff(last_row)) == index;
    let home: Vec<Square> = free.iter().copied().filter(so_far_off).collect();
    chance.choose(&home)
}

/// The usual values for most cases; else steps of any size, sometimes with a very large one at the end.
fn row_values(kind: CaseKind, chance: &mut TurnRng) -> RowValues {
    const STEPS: [i32; 12] = [1, 2, 3, 5, 8, 9, 10, 11, 15, 20, 30, 50];
    const ODDS: [bool; 4] = [true, false, false, false];
    let is_uneven = chance.choose(&ODDS) == Some(true) || kind == CaseKind::UnevenValues;
    if !is_uneven {
        return RowValues::STANDARD;
    }
    let mut value = 0;
    let mut values = [0; 8].map(|_: i32| {
        value += chance.choose(&STEPS).unwrap_or(1);
        value
    });
    if chance.choose(&ODDS) == Some(true) {
        values[7] = 1000;
    }
    RowValues::new(values).expect("steps are positive, and eight of them are far from 1000")
}

impl PracticeGame for StarCircle {
    /// Its positions are questions, which do not occur in play.
    const KINDS: &'static [PositionKind<Self>] = &[];

    fn kinds((): ()) -> Vec<ListedKind> {
        CaseKind::ALL.map(CaseKind::listed).into()
    }

    fn positions((): (), request: &PositionsRequest) -> Result<Vec<MadePosition>, PositionsError> {
        let kinds = request.kinds.iter().map(|name| kind_named(name));
        let kinds = kinds.collect::<Result<Vec<CaseKind>, PositionsError>>()?;
        let is_wanted = |side| request.side.is_none_or(|wanted| wanted == side);
        let wanted = (0..)
            .map(|number| case(request.seed, number))
            .filter(|made| kinds.is_empty() || kinds.contains(&made.kind))
            .filter(|made| is_wanted(made.question.position().side_to_move()));
        let made = (1..=request.count).zip(wanted).map(|(number, made)| {
            let stem = format!("{}-{}", request.numbered(number), made.kind.listed().name);
            MadePosition {
                name: format!("{stem}.input.txt"),
                kind: made.kind.listed().name,
                input: write_question(&made.question),
                expected: Some((format!("{stem}.expected.txt"), format!("{}\n", made.solution))),
            }
        });
        Ok(made.collect())
    }
}

fn kind_named(name: &str) -> Result<CaseKind, PositionsError> {
    let named = CaseKind::ALL.into_iter().find(|kind| kind.listed().name == name);
    named.ok_or_else(|| unknown_kind(StarCircle::title(()), name, &StarCircle::kinds(())))
}
