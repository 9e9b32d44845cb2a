//! Plain minimax for custom games: the moves that it chooses from are those of a search of all moves to one depth.
//!
//! It goes one ply deeper at a time and keeps the choice of the last depth that it could finish within its budget.
//! Moves that cannot change the choice are left out (alpha-beta), and moves that refuted others are tried first.

use std::collections::HashMap;

use super::alphabeta::BEYOND;
use super::explorer::{Explorer, SeenPosition, worth_of_ending};
use referee_games::builtin::{Depth, TurnRng};
use referee_games::{Side, State, Status};

/// So many replies are asked for first: the ones that refuted other moves.
const FIRST_REPLIES: usize = 4;

/// One of the best moves, each as likely as any other.
pub(super) fn choose(explorer: &mut Explorer, position: &State, depth: Depth, chance: &mut TurnRng) -> Option<String> {
    let moves = position.moves();
    let next = explorer.after(position, &moves);
    let side = explorer.side;
    let worths: Vec<i32> = next.iter().map(|next| worth(next, side, 1)).collect();
    let mut best = if worths.is_empty() { (0..moves.len()).collect() } else { places_of_highest(&worths) };
    if next.len() == moves.len() {
        let mut search = FullWidthSearch { explorer, refutations: HashMap::new() };
        for plies in 2..=usize::from(depth.plies()) {
            let Some(found) = search.best_of(&next, &best, plies) else { break };
            best = found;
        }
    }
    chance.choose(&best).map(|place| moves[place].clone())
}

fn places_of_highest(worths: &[i32]) -> Vec<usize> {
    let highest = worths.iter().max();
    (0..worths.len()).filter(|&place| Some(&worths[place]) == highest).collect()
}

/// What a position is worth to `side` without looking ahead.
fn worth(seen: &SeenPosition, side: Side, ply: usize) -> i32 {
    match seen.position.status() {
        Status::Over(ending) => worth_of_ending(ending, side, ply),
        Status::ToMove | Status::MustPass => seen.worth,
    }
}

struct FullWidthSearch<'a> {
    explorer: &'a mut Explorer,
    /// How often a move of each side refuted another.
    refutations: HashMap<(Side, String), u32>,
}

impl FullWidthSearch<'_> {
    /// The places of the best moves, of which those at `first` were the best before; `None` if the budget ends.
    fn best_of(&mut self, next: &[SeenPosition], first: &[usize], plies: usize) -> Option<Vec<usize>> {
        let others = (0..next.len()).filter(|place| !first.contains(place));
        let mut worths = vec![-BEYOND; next.len()];
        let mut highest = -BEYOND;
        for place in first.iter().copied().chain(others) {
            // Whether it is as good as the best has to be known, too.
            worths[place] = self.value(&next[place], plies - 1, 1, (highest - 1, BEYOND))?;
            highest = highest.max(worths[place]);
        }
        Some(places_of_highest(&worths))
    }

    /// What the position is worth to the side of the agent, looking `plies` ahead; a bound of it outside of the window.
    fn value(&mut self, seen: &SeenPosition, plies: usize, ply: usize, window: (i32, i32)) -> Option<i32> {
        let side = self.explorer.side;
        match seen.position.status() {
            Status::Over(_) => Some(worth(seen, side, ply)),
            Status::ToMove | Status::MustPass if plies == 0 => Some(seen.worth),
            Status::MustPass => {
                let next = self.explorer.after_pass(&seen.position)?;
                self.value(&next, plies - 1, ply + 1, window)
            }
            Status::ToMove => self.value_of_moves(&seen.position, plies, ply, window),
        }
    }

    fn value_of_moves(&mut self, position: &State, plies: usize, ply: usize, window: (i32, i32)) -> Option<i32> {
        let side = position.side_to_move();
        let is_own = side == self.explorer.side;
        let mut moves = position.moves();
        moves.sort_by_cached_key(|mv| {
            std::cmp::Reverse(self.refutations.get(&(side, mv.clone())).copied().unwrap_or(0))
        });
        let (mut alpha, mut beta) = window;
        let mut best = if is_own { -BEYOND } else { BEYOND };
        let (mut from, mut most) = (0, FIRST_REPLIES);
        while from < moves.len() {
            let part = &moves[from..moves.len().min(from + most)];
            let next = self.explorer.after(position, part);
            if next.len() < part.len() {
                return None;
            }
            for (mv, next) in part.iter().zip(&next) {
                let value = self.value(next, plies - 1, ply + 1, (alpha, beta))?;
                if is_own {
                    best = best.max(value);
                    alpha = alpha.max(value);
                } else {
                    best = best.min(value);
                    beta = beta.min(value);
                }
                if alpha >= beta {
                    *self.refutations.entry((side, mv.clone())).or_default() += 1;
                    return Some(best);
                }
            }
            (from, most) = (from + most, most * 4);
        }
        Some(best)
    }
}
