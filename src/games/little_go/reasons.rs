//! The reasons why a point cannot be played, with their rules. The rules return them, and explanations cite their
//! texts, which follow RULES.md.

use super::Point;
use crate::games::{RuleText, Section, Side};
use crate::protocol::Finding;

/// Why a point cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// It is occupied.
    #[error("there is a stone of `{}` on `{point}`", ["1", "2"][by.index()])]
    Occupied {
        /// The point.
        point: Point,
        /// The side of the stone there.
        by: Side,
    },
    /// The stone and its group would have no liberty.
    #[error("a stone on `{0}` would have no liberty and capture nothing")]
    Suicide(Point),
    /// The board would repeat the one before the opponent's last move.
    #[error("ko: a stone on `{0}` would restore the board as it was before the opponent's last move")]
    Ko(Point),
}

impl Reason {
    /// The finding that says so: a stable code, the sentence, and the broken rule.
    pub fn finding(self) -> Finding {
        let (code, rule) = match self {
            Self::Occupied { .. } => ("occupied", &EMPTY_POINT),
            Self::Suicide(_) => ("suicide", &NO_SUICIDE),
            Self::Ko(_) => ("ko", &KO),
        };
        Finding::new(code, self.to_string()).under(rule)
    }
}

pub(super) const POINT_NAMES: RuleText = Section::Formats.rule(
    "point-names",
    "names of points",
    "a point is its row and its column, both counted from 0 at the top left, separated by a comma without a blank, \
     such as `2,3`",
);

pub(super) const POINT_OR_PASS: RuleText = Section::Formats.rule(
    "point-or-pass",
    "a point or a pass",
    "an answer is one line: a point such as `2,3`, or `PASS` in capitals",
);

const EMPTY_POINT: RuleText =
    Section::Play.rule("empty-point", "an empty point", "a stone is placed on an empty point");

const NO_SUICIDE: RuleText = Section::Play.rule(
    "no-suicide",
    "no suicide",
    "after enemy stones without liberties are removed, the placed stone or its group needs a liberty",
);

const KO: RuleText = Section::Play.rule(
    "ko",
    "ko",
    "a stone that has just captured one stone cannot be recaptured at once if that would restore the previous board",
);

pub(super) const HIGHER_SCORE: RuleText = Section::Endings.rule(
    "higher-score",
    "the higher score",
    "after two passes in a row, or 24 turns, each stone on the board counts one point, White has 2.5 more, and more \
     points win",
);
