//! Gauntlet: one, the challenger, meets all the others.
//!
//! All encounters are one round, since the challenger may play any number of games at a time. Names of games, beginners, and
//! what happens when players join or withdraw are those of the [round robin](super::round_robin).
//!
//! A player's merit is by how much it beat the challenger: whoever won more than half stands above it, whoever took
//! exactly half stands beside it.

use super::course::Course;
use super::{Conclusion, Merit, Next, round_robin};

pub(super) fn next(course: &Course<'_>, challenger: &str) -> Next {
    let active = course.field.active();
    let is_challenger = |place: &usize| course.field.players[*place] == challenger;
    let Some(challenger) = active.iter().copied().find(is_challenger) else {
        // Nobody is left to be met.
        let merits = active.into_iter().map(|place| (place, vec![Merit::Margin(0)]));
        return Next::Over(Conclusion::by_merits(course.field, merits.collect()));
    };
    let others = active.iter().copied().filter(|&place| place != challenger);
    let pairs = others.map(|place| [challenger, place]).collect();
    let rounds = round_robin::missing_rounds(course, std::iter::once((pairs, Vec::new())));
    if !rounds.is_empty() {
        return Next::Play(rounds);
    }
    if course.is_unfinished() {
        return Next::Waiting;
    }
    let merits = active
        .iter()
        .map(|&place| (place, vec![Merit::Margin(margin(course, place, challenger))]));
    Next::Over(Conclusion::by_merits(course.field, merits.collect()))
}

/// Half points won less half points lost against the challenger.
fn margin(course: &Course<'_>, player: usize, challenger: usize) -> i64 {
    let of_both = course.meetings.iter().filter(|meeting| {
        player != challenger && meeting.players.contains(&player) && meeting.players.contains(&challenger)
    });
    of_both
        .map(|meeting| {
            let [first, second] = meeting.half_points().map(i64::from);
            if meeting.players[0] == player {
                first - second
            } else {
                second - first
            }
        })
        .sum()
}
