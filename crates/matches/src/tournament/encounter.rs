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
