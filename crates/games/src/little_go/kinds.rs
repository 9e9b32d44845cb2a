//! The kinds of practice positions of Little-Go. `positions` searches for them.

use super::{LittleGo, PointSet, Reason};
use crate::Position;
use crate::positions::{PositionKind, PracticeGame};

impl PracticeGame for LittleGo {
    const KINDS: &'static [PositionKind<Self>] = &[
        PositionKind::new("opening", "four stones or fewer", 0..=4, |board| (!board.empty()).count() <= 4),
        PositionKind::new("capture", "a placement captures", 5..=23, |board| board.most_captured() >= 1),
        PositionKind::new("ko", "ko forbids a placement", 8..=23, |board| board.ko().is_some()),
        PositionKind::new("suicide", "a stone on an empty point would be suicide", 8..=23, |board| {
            let mut empty = board.empty().iter();
            empty.any(|point| board.why_not(point) == Some(Reason::Suicide))
        }),
        PositionKind::new("big-capture", "a placement captures three stones or more", 5..=23, |board| {
            board.most_captured() >= 3
        }),
        PositionKind::new("atari", "a group of the side to move has one liberty left", 5..=23, |board| {
            let mut groups = board.stones(board.side_to_move()).groups();
            groups.any(|group| (group.beside() & board.empty()).count() == 1)
        }),
        PositionKind::new(
            "capture-inside",
            "a stone on a point without liberties is legal because it captures",
            8..=23,
            |board| {
                let free = board.empty() | board.stones(board.side_to_move());
                let is_enclosed = |point| !PointSet::of(point).beside().meets(free);
                board.placements().iter().any(is_enclosed)
            },
        ),
        PositionKind::new(
            "after-pass",
            "the opponent has just passed: a pass ends the game",
            1..=23,
            LittleGo::follows_a_pass,
        ),
        PositionKind::new("few-placements", "five placements or fewer", 14..=23, |board| {
            board.placements().count() <= 5
        }),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Side;

    const NONE: &str = "00000";

    /// Boards, with the one before the last turn if that matters, and all of their kinds for Black.
    const TABLE: &[(&[&str], &[&str])] = &[
        (&[NONE; 5], &["opening"]),
        (&["00100", "01200", "00100", "00110", "01220"], &["capture"]),
        // White has just taken on `1,1`.
        (
            &["01200", "10120", "01200", "00002", "00020", "01200", "12020", "01200", "00002", "00020"],
            &["ko", "suicide", "atari"],
        ),
        // The point in the corner is between white stones, which a stone there captures.
        (&["02100", "22100", "11000", NONE, NONE], &["capture", "big-capture", "capture-inside"]),
        (&[NONE, NONE, "00100", NONE, NONE, NONE, NONE, "00100", NONE, NONE], &["opening", "after-pass"]),
        (&["02222", "20222", "22222", "22222", "22222"], &["suicide", "few-placements"]),
    ];

    #[test]
    fn boards_are_of_the_kinds_that_they_show() {
        for (rows, expected) in TABLE {
            let given: Vec<&[u8]> = rows.iter().map(|row| row.as_bytes()).collect();
            let position = LittleGo::from_rows(&given, Side::Black, ()).unwrap();
            let kinds = LittleGo::KINDS.iter().filter(|kind| (kind.holds)(&position));
            let shown: Vec<&str> = kinds.map(|kind| kind.name).collect();
            assert_eq!(shown, *expected, "{rows:?}");
        }
    }
}
