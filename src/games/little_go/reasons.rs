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

pub(super) const POINT_NAMES: RuleText = RuleText {
    code: "point-names",
    name: "names of points",
    sentence: "a point is its row and its column, both counted from 0 at the top left, separated by a comma without a \
               blank, such as `2,3`",
    section: Section::Formats,
};

pub(super) const POINT_OR_PASS: RuleText = RuleText {
    code: "point-or-pass",
    name: "a point or a pass",
    sentence: "an answer is one line: a point such as `2,3`, or `PASS` in capitals",
    section: Section::Formats,
};

const EMPTY_POINT: RuleText = RuleText {
    code: "empty-point",
    name: "an empty point",
    sentence: "a stone is placed on an empty point",
    section: Section::Play,
};

const NO_SUICIDE: RuleText = RuleText {
    code: "no-suicide",
    name: "no suicide",
    sentence: "after enemy stones without liberties are removed, the placed stone or its group needs a liberty",
    section: Section::Play,
};

const KO: RuleText = RuleText {
    code: "ko",
    name: "ko",
    sentence: "a stone that has just captured one stone cannot be recaptured at once if that would restore the \
               previous board",
    section: Section::Play,
};

pub(super) const HIGHER_SCORE: RuleText = RuleText {
    code: "higher-score",
    name: "the higher score",
    sentence: "after two passes in a row, or 24 turns, each stone on the board counts one point, White has 2.5 more, \
               and more points \
               win",
    section: Section::Endings,
};
