//! Gauntlet: the challenger plays all the others. [`super::next_rounds`] calls it.
//!
//! All encounters form one round, since the challenger may play several games at once. Names of games, beginners, and
//! joining or withdrawing players are as in the [round robin](super::round_robin).
//!
//! A player's merit is its margin against the challenger: a player with more than half of the points ranks above the
//! challenger, one with exactly half shares its rank.

use super::course::Course;
use super::{Conclusion, Merit, NextStep, round_robin};

pub(super) fn next(course: &Course<'_>, challenger: &str) -> NextStep {
    let active = course.field.active();
    let Some(place_of_challenger) = find(course, &active, challenger) else {
        // No opponent is left.
        return NextStep::Over(ranking(course, challenger));
    };
    let others = active.iter().copied().filter(|&place| place != place_of_challenger);
    let pairs = others.map(|place| [place_of_challenger, place]).collect();
    let rounds = round_robin::missing_rounds(course, std::iter::once((pairs, Vec::new())));
    if !rounds.is_empty() {
        return NextStep::Play(rounds);
    }
    if course.is_unfinished() {
        return NextStep::Waiting;
    }
    NextStep::Over(ranking(course, challenger))
}

pub(super) fn ranking(course: &Course<'_>, challenger: &str) -> Conclusion {
    let active = course.field.active();
    let challenger = find(course, &active, challenger);
    let margin = |place| challenger.map_or(0, |challenger| margin(course, place, challenger));
    let merits = active.iter().map(|&place| (place, vec![Merit::Margin(margin(place))]));
    Conclusion::by_merits(course.field, merits.collect())
}

fn find(course: &Course<'_>, active: &[usize], challenger: &str) -> Option<usize> {
    active
        .iter()
        .copied()
        .find(|&place| course.field.players[place] == challenger)
}

/// Half points won minus half points lost against the challenger.
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
