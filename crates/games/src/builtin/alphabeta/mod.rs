//! The alpha-beta agent: a strong opponent, and the benchmark of what is possible on the same clock.
//!
//! It deepens its search ply by ply until its share of the remaining time is used, and plays the best move found.
//! [`super::answer()`] calls it. It shares nothing with the plain minimax of the handouts ([`super::minimax()`]), which
//! must stay as simple as described to students.
//!
//! It must answer whenever there is a legal move, even with no time left. With a node limit instead of the clock, the
//! answer must depend only on the input, the play data and the seed.
//!
//! | file | contents |
//! | --- | --- |
//! | `node` | what a game provides for the search: the only place where games differ |
//! | `search` | principal variation search |
//! | `order` | which moves to search first |
//! | `table` | earlier results, in bounded memory |
//! | `line` | earlier positions: repetition and idle turns |
//! | `budget` | nodes or CPU time |
//! | `valuation` | the values of all moves, and proofs, for the analysis of games |

mod budget;
mod line;
mod node;
mod order;
mod search;
mod table;
mod valuation;

pub use budget::SearchLimit;
pub use node::{Searched, mixed};
pub use valuation::{SearchedPosition, move_values, proved_result};

use self::budget::Budget;
use self::line::KeyLine;
use self::node::SearchNode;
use self::search::{HIGHEST, Search, SearchMode, Window};
use self::table::TranspositionTable;
use super::{RecentPositions, TurnRng, WIN_VALUE};

/// The maximum depth of an iteration.
const MAX_DEPTH: u8 = 100;

/// The depth of the normal search before trying to solve the rest of the game.
const FIRST_DEPTH: u8 = 6;

/// The agent's move, and the data to remember; `None` if the side to move has no move.
pub fn alphabeta<P: Searched>(
    position: &P,
    allowance: SearchLimit,
    past: &RecentPositions,
    chance: &mut TurnRng,
) -> Option<(P::Move, RecentPositions)> {
    let root = SearchNode::enter(position);
    let past = past.up_to(position.stage());
    let mut moves = position.moves();
    chance.shuffle(&mut moves);
    moves.sort_by_key(|&mv| std::cmp::Reverse(position.ordering_score(mv)));
    let chosen = match *moves {
        [] => return None,
        [only] => only,
        [first, ..] => {
            let line = KeyLine::new(past.keys.clone(), root.key(), position.stage().is_some());
            let table = TranspositionTable::for_nodes(allowance.nodes());
            let mut search = Search::new(SearchMode::Selective, Budget::begin(allowance), table, line);
            deepen(&mut search, &root, &mut moves, allowance).unwrap_or(first)
        }
    };
    let next = root.after(chosen);
    Some((chosen, past.after_move(root.key(), next.key(), next.position.stage())))
}

/// The best move of the deepest search within the budget; `None` if not even one move could be searched.
fn deepen<P: Searched>(
    search: &mut Search<P>,
    root: &SearchNode<P>,
    moves: &mut [P::Move],
    allowance: SearchLimit,
) -> Option<P::Move> {
    let moves_left = root.position.moves_left();
    let mut chosen = None;
    let mut settled = 0;
    for depth in 1..=MAX_DEPTH {
        if depth == FIRST_DEPTH + 1
            && root.position.remaining_choices().is_some_and(|choices| choices <= solvable(allowance))
            && let Some(winning) = winning_move(search, root, moves, allowance)
        {
            return Some(winning);
        }
        let Some((value, place)) = best_at(search, root, moves, i32::from(depth), Window::WHOLE) else {
            break;
        };
        let is_lost = value <= -WIN_VALUE;
        // In a lost game, the move preferred by the shallower search demands the most of the opponent.
        if !is_lost || chosen.is_none() {
            let is_same = place == 0 && depth > FIRST_DEPTH;
            settled = if is_same { settled + 1 } else { 0 };
            moves[..=place].rotate_right(1);
            chosen = moves.first().copied();
        }
        let is_decided = is_lost || value >= WIN_VALUE;
        if is_decided || search.budget.is_enough(settled) || moves_left.is_some_and(|left| u32::from(depth) > left) {
            break;
        }
    }
    chosen
}

/// From how many remaining moves on a game can be solved.
const fn solvable(allowance: SearchLimit) -> u32 {
    match allowance.nodes().checked_ilog2() {
        Some(magnitude) => magnitude * 4 / 5,
        None => 0,
    }
}

/// A forced win with `forward_pruning`, if half of the budget finds one.
fn winning_move<P: Searched>(
    search: &mut Search<P>,
    root: &SearchNode<P>,
    moves: &[P::Move],
    allowance: SearchLimit,
) -> Option<P::Move> {
    // Each move may be followed by a pass.
    let depth = i32::try_from(2 * root.position.moves_left()?).unwrap_or(i32::MAX);
    let won_or_not = Window { alpha: 0, beta: 1 };
    let whole = std::mem::replace(&mut search.budget, Budget::begin(allowance.half()));
    search.mode = SearchMode::Endgame;
    let best = best_at(search, root, moves, depth, won_or_not);
    search.mode = SearchMode::Selective;
    let half = std::mem::replace(&mut search.budget, whole);
    search.budget.add(&half);
    best.and_then(|(value, place)| (value > 0).then(|| moves[place]))
}

/// The value of the root and the index of its best move; for an aborted search, the result so far.
fn best_at<P: Searched>(
    search: &mut Search<P>,
    root: &SearchNode<P>,
    moves: &[P::Move],
    depth: i32,
    window: Window,
) -> Option<(i32, usize)> {
    let mut best = None;
    let mut highest = -HIGHEST;
    for (place, &mv) in moves.iter().enumerate() {
        let alpha = window.alpha.max(highest);
        let value = search.root_move(root, mv, depth, Window { alpha, ..window }, place);
        if search.budget.is_spent() {
            break;
        }
        if value > highest {
            highest = value;
            best = Some((value, place));
        }
        if highest >= window.beta {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::builtin::{choose_random, reached};
    use crate::halma::{Halma, Rules};
    use crate::position::drawn;
    use crate::{
        Status, checkers::Checkers, heirs::Heirs, little_go::LittleGo, othello::DuoOthello, star_circle::StarCircle,
    };

    /// Plain minimax with the search's own evaluation and its distance to wins.
    fn plain_value<P: Searched>(node: &SearchNode<P>, depth: i32, ply: i32) -> i32 {
        let side = node.position.side_to_move();
        match node.position.status() {
            Status::Over(ending) => ending.worth(side, search::WIN - ply),
            Status::ToMove | Status::MustPass if depth == 0 => node.static_evaluation(),
            Status::MustPass => {
                let next = node.after_pass();
                -plain_value(&next, depth - 1, ply + 1)
            }
            Status::ToMove => {
                let values = node.position.moves().into_iter().map(|mv| {
                    let next = node.after(mv);
                    -plain_value(&next, depth - 1, ply + 1)
                });
                values.max().expect("there is a move")
            }
        }
    }

    fn searched_value<P: Searched>(mode: SearchMode, node: &SearchNode<P>, depth: i32) -> i32 {
        let line = KeyLine::new(Vec::new(), node.key(), false);
        let budget = Budget::begin(SearchLimit::Nodes(u64::MAX));
        Search::new(mode, budget, TranspositionTable::for_nodes(1 << 16), line).value(node, depth, 0, Window::WHOLE)
    }

    #[test]
    fn captures_are_settled_before_a_position_is_evaluated() {
        // Star can capture in both; in the second one, circle would recapture.
        let empty = "0,0,0,0,0,0,0,0";
        let star = ["0,0,0,0,C1,0,0,0", "0,0,0,S1,0,0,0,0"];
        let free = [empty, empty, "0,C1,0,0,0,0,0,0", star[0], star[1], empty, empty, empty];
        let guarded = [empty, "0,0,0,0,0,0,C1,0", empty, star[0], star[1], empty, empty, empty];
        let settled = |rows: &[&str], mode| {
            let node = SearchNode::enter(&drawn::<StarCircle>(rows, crate::Side::White));
            searched_value(mode, &node, 0) - node.static_evaluation()
        };
        assert_eq!(settled(&free, SearchMode::Plain), 0);
        assert!(settled(&free, SearchMode::Selective) >= 80);
        assert_eq!(settled(&guarded, SearchMode::Selective), 0);
    }

    fn expect_plain_value<P: Searched>(
        rules: P::Rules,
        seed: u64,
        plies: u64,
        deepest: i32,
    ) -> Result<(), TestCaseError> {
        let node = SearchNode::enter(&reached::<P>(rules, seed, plies));
        for depth in 1..=deepest {
            let value = searched_value(SearchMode::Plain, &node, depth);
            prop_assert_eq!(value, plain_value(&node, depth, 0), "depth {}", depth);
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(30))]

        #[test]
        fn nothing_is_cut_off_that_counts(seed in any::<u64>(), plies in 0..140_u64) {
            expect_plain_value::<Checkers>((), seed, plies, 5)?;
            expect_plain_value::<DuoOthello>((), seed, plies, 3)?;
            expect_plain_value::<StarCircle>((), seed, plies / 3, 5)?;
            expect_plain_value::<Heirs>((), seed, plies, 2)?;
            expect_plain_value::<LittleGo>((), seed, plies / 6, 2)?;
        }

        #[test]
        fn nothing_is_cut_off_that_counts_in_halma(seed in any::<u64>(), plies in 0..300_u64) {
            expect_plain_value::<Halma>(Rules::Addendum, seed, plies, 2)?;
            expect_plain_value::<Halma>(Rules::Original, seed, plies, 1)?;
        }

        #[test]
        fn what_a_node_keeps_up_to_date_is_what_it_begins_with(seed in any::<u64>(), plies in 1..200_u64) {
            expect_same_on_the_way::<Checkers>((), seed, plies)?;
            expect_same_on_the_way::<Halma>(Rules::Original, seed, plies)?;
            expect_same_on_the_way::<DuoOthello>((), seed, plies)?;
            expect_same_on_the_way::<StarCircle>((), seed, plies)?;
            expect_same_on_the_way::<Heirs>((), seed, plies)?;
            expect_same_on_the_way::<LittleGo>((), seed, plies)?;
        }
    }

    /// Asserts that key and evaluation after incremental moves equal those of the resulting position, that keys
    /// distinguish positions, and that stages change with progress alone.
    fn expect_same_on_the_way<P: Searched>(rules: P::Rules, seed: u64, plies: u64) -> Result<(), TestCaseError> {
        let mut node = SearchNode::enter(&P::start(rules));
        let mut keys = std::collections::HashMap::new();
        for ply in 0..plies {
            match node.position.status() {
                Status::ToMove => {
                    let mv = choose_random(&node.position, &mut TurnRng::new(seed, ply)).expect("there is a move");
                    let next = node.after(mv);
                    if let Some(stage) = node.position.stage() {
                        let is_progress = node.position.makes_progress(mv);
                        prop_assert_eq!(next.position.stage() != Some(stage), is_progress, "{}", mv);
                    }
                    node = next;
                }
                Status::MustPass => node = node.after_pass(),
                Status::Over(_) => break,
            }
            let entered = SearchNode::enter(&node.position);
            prop_assert_eq!(node.key(), entered.key());
            prop_assert_eq!(node.static_evaluation(), entered.static_evaluation());
            prop_assert!(node.static_evaluation().abs() < WIN_VALUE);
            let (rows, side) = (node.position.rows(), node.position.side_to_move());
            let known = keys.entry(node.key()).or_insert_with(|| (rows.clone(), side));
            prop_assert_eq!(&(rows, side), &*known);
        }
        Ok(())
    }
}
