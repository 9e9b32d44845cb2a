//! Openings: random first plies, so that deterministic agents do not repeat one game. A pure function of a seed;
//! [`super::schedule`] calls it.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use referee_games::protocol::Tolerance;
use referee_games::{Ending, GameRef, RulesUnavailable, Side, State, Status};

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

/// The maximum number of positions made to search for a forced win. Where a search of [`WON_WITHIN`] plies would need
/// more, it is less deep: on 19x19 squares, only whether the side to move wins at once. A rules program needs about a
/// second for so many.
const MAX_SEARCHED: i64 = 1 << 15;

/// The opening of `plies` random plies for `seed`, in a game in which `first` begins. `None` if there is nothing to
/// draw: for zero plies, and if a game is almost never still open after this many.
///
/// In the opening, the side to move has a legal move, and nobody wins by force within a few plies. The same seed always
/// gives the same opening.
///
/// # Errors
///
/// Why the rules did not answer, if they are a program of their own and failed.
pub(super) fn opening(game: GameRef, first: Side, plies: u32, seed: u64) -> Result<Option<Opening>, RulesUnavailable> {
    if plies == 0 {
        return Ok(None);
    }
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let start = game.start().with_side_to_move(first);
    for _ in 0..ATTEMPTS {
        let mut drawn = Some(start.clone());
        for _ in 0..plies {
            let Some(position) = drawn else { break };
            drawn = after_chance(&position, &mut chance);
            // The answers of rules that have failed would only be drawn again and again.
            drawn.as_ref().unwrap_or(&position).expect_answers()?;
        }
        let Some(position) = drawn else { continue };
        let is_open = position.status() == Status::ToMove && winner(&position, MAX_SEARCHED).is_none();
        position.expect_answers()?;
        if is_open {
            return Ok(Some(Opening { rows: position.setup(), first: position.side_to_move() }));
        }
    }
    Ok(None)
}

/// The position one ply later; `None` if the game is over. Only the drawn move is made.
fn after_chance(position: &State, chance: &mut impl Rng) -> Option<State> {
    match position.status() {
        Status::ToMove => {
            let moves = position.moves();
            Some(position.judge(moves.choose(chance)?.as_bytes(), Tolerance::Exact).ok()?.next)
        }
        Status::MustPass => Some(position.pass()),
        Status::Over(_) => None,
    }
}

/// The side that wins by force too soon for an opening, in a search that makes at most `look` positions for each side.
fn winner(position: &State, look: i64) -> Option<Side> {
    let width = i64::try_from(position.moves().len()).unwrap_or(i64::MAX);
    let fits = |plies: &u32| width.checked_pow(*plies).is_some_and(|positions| positions <= look);
    let plies = (1..=WON_WITHIN).rev().find(fits).unwrap_or(1);
    Side::BOTH.into_iter().find(|&side| wins(position, side, plies, &mut { look }))
}

/// Whether `side` wins by force within `plies`. Makes positions only while `look` is above 0, and subtracts each from
/// it.
fn wins(position: &State, side: Side, plies: u32, look: &mut i64) -> bool {
    let status = position.status();
    if let Status::Over(ending) = status {
        return matches!(ending, Ending::Won { winner, .. } if winner == side);
    }
    // Whoever is not to move needs the other's turn first.
    if plies == 0 || *look <= 0 || plies == 1 && position.side_to_move() != side {
        return false;
    }
    if status == Status::MustPass {
        *look -= 1;
        return wins(&position.pass(), side, plies - 1, look);
    }
    let next = position.successors();
    *look -= i64::try_from(next.len()).unwrap_or(i64::MAX);
    let mut next = next.into_iter();
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

    #[test]
    fn a_search_stops_when_it_has_made_all_positions_that_it_may() {
        for game in GameRef::all() {
            for look in [1, 30, 1000] {
                let mut left = look;
                wins(&game.start(), Side::White, WON_WITHIN, &mut left);
                // The last position that is looked at may have some hundred moves.
                assert!(left < look && left > -500, "{game}: {left} of {look}");
            }
        }
    }

    proptest! {
        #[test]
        fn an_opening_belongs_to_its_lot_and_can_be_gone_on_with(
            game: prop::sample::Index,
            plies in 1_u32..12,
            seed: u64,
        ) {
            let game = *game.get(&GameRef::all().collect::<Vec<_>>());
            let drawn = opening(game, Side::White, plies, seed).unwrap();
            prop_assert_eq!(&drawn, &opening(game, Side::White, plies, seed).unwrap());
            let drawn = drawn.expect("so few plies end no game");
            let by_turns = if plies % 2 == 0 { Side::White } else { Side::Black };
            // A pass in the opening is a ply too.
            prop_assert_eq!(drawn.first, by_turns);
        }
    }

    #[test]
    fn nobody_has_won_an_opening() {
        let mut won = 0;
        for seed in 0..100 {
            let drawn = opening(referee_games::othello::ID, Side::Black, 4, seed).unwrap().unwrap();
            let rows: Vec<&[u8]> = drawn.rows.iter().map(String::as_bytes).collect();
            let game = referee_games::othello::ID;
            let position = game.read_board(&rows, drawn.first).unwrap();
            assert_eq!(winner(&position, i64::MAX), None, "{seed}");
            let mut random = game.start();
            let mut chance = ChaCha8Rng::seed_from_u64(seed);
            for _ in 0..4 {
                random = after_chance(&random, &mut chance).unwrap();
            }
            won += u32::from(winner(&random, i64::MAX).is_some());
        }
        assert!(won > 5, "chance alone draws such ones: {won}");
    }

    #[test]
    fn one_winning_move_is_enough_to_win() {
        let empty = "0,0,0,0,0,0,0,0";
        let rows = ["0,S1,0,0,0,0,0,0", "0,0,C1,0,0,0,0,0", "0,0,0,S1,0,0,0,0", empty, empty, empty, empty, empty];
        let drawn = |side| referee_games::star_circle::ID.read_board(&rows.map(str::as_bytes), side).unwrap();
        // Star can capture the last circle, or step beside it; circle gets away.
        assert_eq!(winner(&drawn(Side::White), MAX_SEARCHED), Some(Side::White));
        assert_eq!(winner(&drawn(Side::Black), MAX_SEARCHED), None);
    }
}
