//! Swiss: in each round, players with similar scores meet who have not met before. [`super::next_rounds`] calls it.
//!
//! A simplified version of the FIDE Handbook, C.04. Players are sorted by points, then by seed. From the top down, each
//! gets the best opponent that still allows a whole round (see [`pairing`](super::pairing)): nearest in points; then
//! with the other turn due; then by folding the score group, so that its best meets the best of its lower half. An odd
//! player thus floats down into the next group.
//!
//! Points come from games, not pairings. With an odd number, the lowest player without a bye gets one; it is worth a
//! pairing with all games won. The player who has begun less often begins; if a pairing has an odd number of games, two
//! players who have both begun twice more (or both twice less) than not avoid each other if a round without such a pair
//! and without a rematch exists. Unavoidable rematches are as few as possible, between players who have met least
//! often.
//!
//! The ranking uses points, Buchholz, Sonneborn-Berger. A withdrawn player keeps its points and its rank.

use std::cmp::Reverse;

use super::course::{Course, Meetings};
use super::first_turns::deal_first_turns;
use super::pairing::Wishes;
use super::tie_breaks::ScoreTable;
use super::{Conclusion, Merit, NextStep};

pub(super) fn next(course: &Course<'_>, rounds: u32) -> NextStep {
    if course.is_unfinished() {
        return NextStep::Waiting;
    }
    let table = score_table(course);
    let is_active = |place: &usize| course.field.is_active(*place);
    let mut players: Vec<_> = course.participants().iter().copied().filter(is_active).collect();
    if players.len() < 2 || course.last_round >= rounds {
        return NextStep::Over(ranking(course));
    }
    players.sort_by_key(|&place| (Reverse(table.half_points(place)), place));
    let meetings = Meetings::of(course);
    let wishes = Wishes {
        meetings: |a, b| meetings.between(a, b),
        clash: |a: usize, b: usize| {
            course.begun[a].abs().min(course.begun[b].abs()) >= 2 && same_turn_is_due(course, a, b)
        },
        order_opponents: |player, opponents: &mut Vec<usize>| order_opponents(course, &table, player, opponents),
    };
    let (pairs, bye) = wishes.pair_up(&players, &course.bye_counts());
    let pairs = deal_first_turns(&pairs, &course.begun);
    course.play(course.last_round + 1, &pairs, bye.as_slice())
}

fn score_table(course: &Course<'_>) -> ScoreTable {
    let all_games_won = 2 * course.field.games_per_pairing.get();
    ScoreTable::of(course, course.participants(), |_| true).with_byes(course, all_games_won)
}

fn same_turn_is_due(course: &Course<'_>, a: usize, b: usize) -> bool {
    course.begun[a].signum() * course.begun[b].signum() > 0
}

/// The opponents come by points and seed, all of them below the player.
fn order_opponents(course: &Course<'_>, table: &ScoreTable, player: usize, opponents: &mut Vec<usize>) {
    let points = table.half_points(player);
    let group = opponents
        .iter()
        .filter(|&&other| table.half_points(other) == points)
        .count();
    // In a group of 2 h players, with the player itself first, this is the first of the lower h.
    let facing = group.div_ceil(2).saturating_sub(1);
    let mut keyed: Vec<_> = opponents.iter().enumerate().collect();
    keyed.sort_by_key(|&(index, &other)| {
        let behind = points.abs_diff(table.half_points(other));
        (
            behind,
            same_turn_is_due(course, player, other),
            index.abs_diff(facing),
            index,
        )
    });
    *opponents = keyed.into_iter().map(|(_, &other)| other).collect();
}

pub(super) fn ranking(course: &Course<'_>) -> Conclusion {
    let table = score_table(course);
    let merits = course.participants().iter().map(|&place| {
        let merits = vec![
            Merit::HalfPoints(table.half_points(place)),
            Merit::Buchholz(table.buchholz(place)),
            Merit::SonnebornBerger(table.sonneborn_berger(place)),
        ];
        (place, merits)
    });
    Conclusion::by_merits(course.field, merits.collect())
}
