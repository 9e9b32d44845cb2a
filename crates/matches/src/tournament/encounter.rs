//! The games of an encounter: two agents, any number of games. It plans pairings and plays nothing; formats and
//! `runs` call it.

use std::ops::Range;

use referee_games::GameRef;
use referee_records::Pairing;

/// The games of an encounter: `a` has the first turn in the first game, `b` in the second, and so on; where either
/// colour may begin, every four games cover all four combinations.
pub fn encounter(game: GameRef, a: &str, b: &str, games: u32) -> Vec<Pairing> {
    part_of_encounter(game, [a, b], 0..games, |number| format!("g{number:04}"))
}

/// The games of the encounter with numbers in `indices`, counted from 0; `id` names each.
pub(super) fn part_of_encounter(
    game: GameRef,
    [a, b]: [&str; 2],
    indices: Range<u32>,
    id: impl Fn(u32) -> String,
) -> Vec<Pairing> {
    indices.map(|index| Pairing::of_encounter(game, [a, b], index.into(), id(index + 1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_games::Side;

    #[test]
    fn halma_goes_through_all_four_combinations() {
        let games = encounter(referee_games::halma::ORIGINAL, "a", "b", 4);
        let combinations: Vec<_> = games.iter().map(|game| (game.name(game.first), game.first)).collect();
        assert_eq!(combinations, [("a", Side::Black), ("b", Side::Black), ("a", Side::White), ("b", Side::White)]);
    }

    #[test]
    fn the_beginner_has_the_colour_that_the_game_begins_with() {
        let first = &encounter(referee_games::othello::ID, "a", "b", 1)[0];
        assert_eq!((first.white.as_str(), first.first), ("a", Side::White));
    }
}
