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
        let mut search = Search::new(mode, budget, table, line).with_drawn(self.drawn.clone());
        let least = claim.least();
        let is_own = self.node.position.side_to_move() == side;
        let beta = if is_own { least } else { 1 - least };
        let value = search.value(&self.node, depth, 0, Window { alpha: beta - 1, beta });
        !search.budget.is_spent() && (value >= beta) == is_own
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::builtin::{TurnRng, choose_random};
    use crate::{
        Builtin, DrawRules, Ending, History, Position, Status, checkers::Checkers, heirs::Heirs, little_go::LittleGo,
        othello::DuoOthello, star_circle::StarCircle,
    };

    const NODES: u64 = 30_000;

    /// The result for the side to move with best play: 1, 0 or -1. `None` if the game is not over after `plies`.
    fn solved<P: Position>(position: &P, plies: u32, known: &mut HashMap<P, Option<i8>>) -> Option<i8> {
        if let Some(&result) = known.get(position) {
            return result;
        }
        let side = position.side_to_move();
        let result = match position.status() {
            Status::Over(Ending::Won { winner, .. }) => Some(if winner == side { 1 } else { -1 }),
            Status::Over(Ending::Drawn(_)) => Some(0),
            Status::ToMove | Status::MustPass if plies == 0 => None,
            Status::MustPass => {
                let mut next = position.clone();
                next.pass();
                solved(&next, plies - 1, known).map(|result| -result)
            }
            Status::ToMove => {
                let moves = position.moves().into_iter();
                let results: Vec<_> = moves.map(|mv| solved(&position.after(mv), plies - 1, known)).collect();
                // One win is enough; all else must be known.
                let wins = results.contains(&Some(-1)).then_some(1);
                wins.or_else(|| {
                    results.into_iter().collect::<Option<Vec<i8>>>()?.into_iter().map(|result| -result).max()
                })
            }
        };
        known.insert(position.clone(), result);
        result
    }

    const fn as_number(result: ProvedResult) -> i8 {
        match result {
            ProvedResult::Loss => -1,
            ProvedResult::Draw => 0,
            ProvedResult::Win => 1,
        }
    }

    /// A position of a random game in which `is_wanted`, with the side to move able to move.
    fn reached<P: Position>(seed: u64, is_wanted: impl Fn(&P) -> bool) -> Option<P> {
        let mut position = P::start(P::Rules::default());
        for ply in 0..400 {
            match position.status() {
                Status::ToMove if is_wanted(&position) => return Some(position),
                Status::ToMove => position.play_unchecked(choose_random(&position, &mut TurnRng::new(seed, ply))?),
                Status::MustPass => position.pass(),
                Status::Over(_) => return None,
            }
        }
        None
    }

    fn values_and_proofs<P: Builtin>(position: &P, draws: DrawRules, idle: u32) -> Vec<(i32, Option<ProvedResult>)> {
        let state = State::from(position.clone());
        let mut history = History::new(draws, state.clone());
        for _ in 0..idle {
            history.add_pass();
        }
        let (game, reached) = (state.game(), history.reached(&state));
        let values = game.value_moves(&reached, NODES).values;
        assert_eq!(values.len(), position.moves().len());
        let proof = |(index, &value)| (value, game.proved_result(&reached, index, value, NODES));
        values.iter().enumerate().map(proof).collect()
    }

    /// Compares with an exhaustive search of the end; how many of the moves were proved.
    fn expect_solved<P: Builtin>(seed: u64, plies: u32, is_wanted: impl Fn(&P) -> bool) -> [usize; 2] {
        let Some(position) = reached::<P>(seed, is_wanted) else { return [0, 0] };
        let mut known = HashMap::new();
        let found = values_and_proofs(&position, DrawRules::NONE, 0);
        for (&mv, &(value, proved)) in position.moves().iter().zip(&found) {
            let result = solved(&position.after(mv), plies, &mut known).map(|result| -result);
            let is_right = proved.is_none_or(|proved| Some(as_number(proved)) == result);
            assert!(is_right, "{} {mv}: {value}, {proved:?}, solved {result:?}", position.board());
        }
        [found.iter().filter(|(_, proved)| proved.is_some()).count(), found.len()]
    }

    #[test]
    fn what_is_proved_at_the_end_of_a_game_is_so() {
        let sum = |counts: Vec<[usize; 2]>| counts.iter().fold([0, 0], |[a, b], [c, d]| [a + c, b + d]);
        let othello = sum((0..12)
            .map(|seed| expect_solved::<DuoOthello>(seed, 40, |board| board.moves_left().is_some_and(|left| left <= 7)))
            .collect());
        let star = sum((0..40)
            .map(|seed| {
                expect_solved::<StarCircle>(seed, 60, |board| board.remaining_choices().is_some_and(|left| left <= 6))
            })
            .collect());
        let go = sum((0..6)
            .map(|seed| expect_solved::<LittleGo>(seed, 10, |board| board.moves_left().is_some_and(|left| left <= 3)))
            .collect());
        for (game, [proved, moves]) in [("othello", othello), ("star", star), ("go", go)] {
            assert!(moves > 30 && proved * 10 >= moves * 9, "{game}: {proved} of {moves}");
        }
    }

    /// A forced win within `plies` plies for `side`, by looking at everything.
    fn is_forced<P: Position>(position: &P, side: Side, plies: u32) -> bool {
        match position.status() {
            Status::Over(Ending::Won { winner, .. }) => winner == side,
            Status::Over(Ending::Drawn(_)) => false,
            Status::ToMove | Status::MustPass if plies == 0 => false,
            Status::MustPass => {
                let mut next = position.clone();
                next.pass();
                is_forced(&next, side, plies - 1)
            }
            Status::ToMove if position.side_to_move() == side => {
                position.any_move(|mv| is_forced(&position.after(mv), side, plies - 1))
            }
            Status::ToMove => !position.any_move(|mv| !is_forced(&position.after(mv), side, plies - 1)),
        }
    }

    /// Asserts that each proved win or loss in few plies is one, by looking at everything; how many there were.
    fn expect_forced<P: Builtin>(seed: u64, most_plies: i32, is_wanted: impl Fn(&P) -> bool) -> usize {
        let Some(position) = reached::<P>(seed, is_wanted) else { return 0 };
        let side = position.side_to_move();
        let mut count = 0;
        for (&mv, (value, proved)) in position.moves().iter().zip(values_and_proofs(&position, DrawRules::NONE, 0)) {
            let winner = match proved {
                Some(ProvedResult::Win) => side,
                Some(ProvedResult::Loss) => side.other(),
                Some(ProvedResult::Draw) | None => continue,
            };
            let found = WIN - value.abs();
            if found <= most_plies {
                count += 1;
                let plies = u32::try_from(found).unwrap();
                let is_forced = (0..=plies + 2).any(|plies| is_forced(&position.after(mv), winner, plies));
                assert!(is_forced, "{}{mv}: {value} {proved:?}", position.board());
            }
        }
        count
    }

    fn pieces<P: Builtin>(position: &P, side: Side) -> u32 {
        P::PROFILE.count(&position.board(), side)
    }

    #[test]
    fn what_is_proved_in_the_middle_of_a_game_is_so() {
        let few = |board: &Checkers| Side::BOTH.iter().any(|&side| pieces(board, side) <= 2);
        let late = |board: &Heirs| Side::BOTH.iter().any(|&side| pieces(board, side) <= 10);
        let checkers: usize = (0..150).map(|seed| expect_forced(seed, 5, few)).sum();
        let heirs: usize = (0..100).map(|seed| expect_forced::<Heirs>(seed, 2, late)).sum();
        assert!(checkers > 50 && heirs > 3, "{checkers} {heirs}");
    }

    /// A win in three plies that the history may turn into a draw.
    #[test]
    fn a_win_is_proved_only_if_no_draw_comes_before_it() {
        let empty = ".".repeat(8);
        // White's king goes next to the last black man, which must run into it.
        let rows = [&*empty, &empty, &empty, "b.......", &empty, &empty, "...W....", &empty].map(str::as_bytes);
        let position = Checkers::from_rows(&rows, Side::White, ()).unwrap();
        let winning = |draws, idle| {
            let found = values_and_proofs(&position, draws, idle);
            found.iter().any(|&(value, proved)| value >= WIN_VALUE && proved == Some(ProvedResult::Win))
        };
        let idle_turns = DrawRules { idle_turns: Some(50), ..DrawRules::NONE };
        assert!(winning(DrawRules::NONE, 0));
        assert!(winning(idle_turns, 20));
        assert!(!winning(idle_turns, 48), "the game is drawn before");
        assert!(!winning(DrawRules { turn_limit: Some(50), ..DrawRules::NONE }, 48));
        assert!(!winning(DrawRules { repetitions: Some(2), ..DrawRules::NONE }, 0), "any return would be a draw");
    }
}
