//! The kinds of positions of Little-Go.

use std::ops::RangeInclusive;

use super::{LittleGo, Points, Reason};
use crate::agents::builtin::Depth;
use crate::games::{Position, Side};
use crate::positions::{Kind, Listed, Made, PositionsFault, Practised, Request, Style, listed, made};

/// A kind of positions of Little-Go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LittleGoKind {
    /// Four stones or fewer.
    Opening,
    /// A placement that captures.
    Capture,
    /// A placement that captures three stones or more.
    BigCapture,
    /// A point on which ko forbids a stone.
    Ko,
    /// An empty point on which a stone would be suicide.
    Suicide,
    /// A point without liberties on which a stone may be put all the same, because it captures.
    CaptureInside,
    /// An own group with one liberty left.
    Atari,
    /// The opponent has just passed.
    AfterPass,
    /// Five placements or fewer.
    FewPlacements,
}

impl Practised for LittleGo {
    fn kinds(rules: Self::Rules) -> Vec<Listed> {
        listed::<LittleGoKind>(rules)
    }

    fn positions(rules: Self::Rules, request: &Request) -> Result<Vec<Made>, PositionsFault> {
        made::<LittleGoKind>(rules, request)
    }
}

impl Kind for LittleGoKind {
    type Position = LittleGo;

    const ALL: &'static [Self] = &[
        Self::Opening,
        Self::Capture,
        Self::Ko,
        Self::Suicide,
        Self::BigCapture,
        Self::Atari,
        Self::CaptureInside,
        Self::AfterPass,
        Self::FewPlacements,
    ];

    const STYLES: &'static [Style] = &[
        Style {
            random_in_ten: 10,
            depth: Depth::ONE,
        },
        Style {
            random_in_ten: 5,
            depth: Depth::ONE,
        },
        Style {
            random_in_ten: 2,
            depth: Depth::TWO,
        },
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Capture => "capture",
            Self::BigCapture => "big-capture",
            Self::Ko => "ko",
            Self::Suicide => "suicide",
            Self::CaptureInside => "capture-inside",
            Self::Atari => "atari",
            Self::AfterPass => "after-pass",
            Self::FewPlacements => "few-placements",
        }
    }

    fn about(self) -> &'static str {
        match self {
            Self::Opening => "four stones or fewer",
            Self::Capture => "a placement captures",
            Self::BigCapture => "a placement captures three stones or more",
            Self::Ko => "ko forbids a placement",
            Self::Suicide => "a stone on an empty point would be suicide",
            Self::CaptureInside => "a stone on a point without liberties is legal because it captures",
            Self::Atari => "an own group has one liberty left",
            Self::AfterPass => "the opponent has just passed: a pass ends the game",
            Self::FewPlacements => "five placements or fewer",
        }
    }

    fn holds(self, position: &LittleGo) -> bool {
        let own = position.side_to_move();
        let most_captured = || {
            position
                .placements()
                .iter()
                .map(|point| position.captures(point).count())
                .max()
        };
        let is_suicide = |point| matches!(position.why_not(point), Some(Reason::Suicide(_)));
        match self {
            Self::Opening => stones(position) <= 4,
            Self::Capture => most_captured() >= Some(1),
            Self::BigCapture => most_captured() >= Some(3),
            Self::Ko => position.ko().is_some(),
            Self::Suicide => position.empty().iter().any(is_suicide),
            Self::CaptureInside => {
                let enclosed = |point| {
                    !Points::of(point)
                        .beside()
                        .meets(position.empty() | position.stones(own))
                };
                position.placements().iter().any(enclosed)
            }
            Self::Atari => position
                .stones(own)
                .groups()
                .any(|group| (group.beside() & position.empty()).count() == 1),
            Self::AfterPass => position.follows_a_pass(),
            Self::FewPlacements => position.placements().count() <= 5,
        }
    }

    fn turns(self) -> RangeInclusive<u32> {
        match self {
            Self::Opening => 0..=4,
            Self::Capture | Self::BigCapture | Self::Atari => 5..=23,
            Self::Ko | Self::Suicide | Self::CaptureInside => 8..=23,
            Self::AfterPass => 1..=23,
            Self::FewPlacements => 14..=23,
        }
    }
}

fn stones(position: &LittleGo) -> u32 {
    Side::BOTH.into_iter().map(|side| position.stones(side).count()).sum()
}
