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
