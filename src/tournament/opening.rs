//! Openings: random first plies, so that deterministic agents do not repeat one game. A pure function of a seed;
//! [`super::schedule`] calls it.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::games::{Ending, GameId, Side, State, Status};

/// A board to begin with, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Opening {
    /// The board, top row first.
    pub(super) rows: Vec<String>,
    /// Who has the first turn.
    pub(super) first: Side,
}

/// How often to redraw an opening that ends the game, leaves no legal move, or is won.
const ATTEMPTS: u32 = 1000;

/// An opening that a side wins by force within this many plies says nothing about the agents. After four random plies
/// of Duo-Othello, one in eight is such: a side loses its last disk.
const WON_WITHIN: u32 = 4;

/// The maximum number of positions searched for a forced win; no game with such quick wins has more.
const MAX_SEARCHED: u32 = 4096;

/// The opening of `plies` random plies for `seed`, in a game in which `first` begins. `None` if there is nothing to
/// draw: for zero plies, and if a game is almost never still open after this many.
///
/// In the opening, the side to move has a legal move, and nobody wins by force within a few plies. The same seed always
/// gives the same opening.
pub(super) fn opening(game: GameId, first: Side, plies: u32, seed: u64) -> Option<Opening> {
    if plies == 0 {
        return None;
    }
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let start = game.start().with_side_to_move(first);
    (0..ATTEMPTS).find_map(|_| {
        let mut position = start.clone();
        for _ in 0..plies {
            position = after_chance(&position, &mut chance)?;
        }
        let is_open = position.status() == Status::ToMove && winner(&position, MAX_SEARCHED).is_none();
        is_open.then(|| Opening { rows: position.setup(), first: position.side_to_move() })
    })
}

/// The position one ply later; `None` if the game is over.
fn after_chance(position: &State, chance: &mut impl Rng) -> Option<State> {
    match position.status() {
        Status::ToMove => position.successors().choose(chance).cloned(),
        Status::MustPass => Some(position.pass()),
        Status::Over(_) => None,
    }
}

/// The side that wins by force too soon for an opening, within a search of `look` positions for each side.
fn winner(position: &State, look: u32) -> Option<Side> {
    Side::BOTH.into_iter().find(|&side| wins(position, side, WON_WITHIN, &mut { look }))
}

/// Whether `side` wins by force within `plies`, searching at most `look` more positions.
fn wins(position: &State, side: Side, plies: u32, look: &mut u32) -> bool {
    let status = position.status();
    if let Status::Over(ending) = status {
        return matches!(ending, Ending::Won { winner, .. } if winner == side);
    }
    if plies == 0 || *look == 0 {
        return false;
    }
    *look -= 1;
    if status == Status::MustPass {
        return wins(&position.pass(), side, plies - 1, look);
    }
    let mut next = position.successors().into_iter();
    if position.side_to_move() == side {
        next.any(|next| wins(&next, side, plies - 1, look))
    } else {
        next.all(|next| wins(&next, side, plies - 1, look))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_opening_belongs_to_its_lot_and_can_be_gone_on_with(
            game: prop::sample::Index,
            plies in 1_u32..12,
            seed: u64,
        ) {
            let game = *game.get(&GameId::all().collect::<Vec<_>>());
            let drawn = opening(game, Side::White, plies, seed);
            prop_assert_eq!(&drawn, &opening(game, Side::White, plies, seed));
            let drawn = drawn.expect("so few plies end no game");
            let by_turns = if plies % 2 == 0 { Side::White } else { Side::Black };
            // A pass in the opening is a ply too.
            prop_assert_eq!(drawn.first, by_turns);
        }
    }

    #[test]
    fn different_lots_give_different_openings() {
        for game in GameId::all() {
            let drawn: std::collections::BTreeSet<_> =
                (0..40).filter_map(|seed| opening(game, Side::Black, 6, seed)).map(|opening| opening.rows).collect();
            assert!(drawn.len() > 20, "{game}: {}", drawn.len());
        }
    }

    #[test]
    fn nobody_has_won_an_opening() {
        let mut won = 0;
        for seed in 0..100 {
            let drawn = opening(crate::games::othello::ID, Side::Black, 4, seed).unwrap();
            let rows: Vec<&[u8]> = drawn.rows.iter().map(String::as_bytes).collect();
            let game = crate::games::othello::ID;
            let position = game.read_board(&rows, drawn.first).unwrap();
            assert_eq!(winner(&position, u32::MAX), None, "{seed}");
            let mut random = game.start();
            let mut chance = ChaCha8Rng::seed_from_u64(seed);
            for _ in 0..4 {
                random = after_chance(&random, &mut chance).unwrap();
            }
            won += u32::from(winner(&random, u32::MAX).is_some());
        }
        assert!(won > 5, "chance alone draws such ones: {won}");
    }

    #[test]
    fn one_winning_move_is_enough_to_win() {
        let empty = "0,0,0,0,0,0,0,0";
        let rows = ["0,S1,0,0,0,0,0,0", "0,0,C1,0,0,0,0,0", "0,0,0,S1,0,0,0,0", empty, empty, empty, empty, empty];
        let drawn = |side| crate::games::star_circle::ID.read_board(&rows.map(str::as_bytes), side).unwrap();
        // Star can capture the last circle, or step beside it; circle gets away.
        assert_eq!(winner(&drawn(Side::White), MAX_SEARCHED), Some(Side::White));
        assert_eq!(winner(&drawn(Side::Black), MAX_SEARCHED), None);
    }

    #[test]
    fn without_plies_there_is_nothing_to_draw() {
        assert_eq!(opening(crate::games::checkers::ID, Side::Black, 0, 1), None);
    }
}
