//! What a kind of positions is.

use std::fmt::Debug;
use std::ops::RangeInclusive;

use crate::agents::builtin::{Chance, Depth, Evaluate};
use crate::games::Position;
use crate::protocol::Texts;

/// A kind of positions of one game.
///
/// A position may be of several kinds. The order of the kinds is that in which a [`super::Series`] takes them in turn,
/// unless it is told otherwise.
pub trait Kind: Copy + Debug + Eq + Send + Sync + 'static {
    /// The game.
    type Position: Texts + Evaluate;

    /// All kinds of the game.
    const ALL: &'static [Self];

    /// How the games are played in which such positions are looked for: one of these each time, each as likely as any other.
    const STYLES: &'static [Style];

    /// The kind's name in file names and on the command line, in kebab case.
    fn name(self) -> &'static str;

    /// What a position of this kind has, for a list of the kinds.
    fn about(self) -> &'static str;

    /// Whether `position`, in which the side to move has a legal move, is of this kind.
    fn holds(self, position: &Self::Position) -> bool;

    /// The turns of a game before which positions of this kind are looked for, counted from 0. A pass is a turn.
    fn turns(self) -> RangeInclusive<u32>;

    /// Whether there are such positions under `rules`.
    fn exists_under(self, rules: <Self::Position as Position>::Rules) -> bool {
        let _ = rules;
        true
    }

    /// The beginning of a game.
    fn start(rules: <Self::Position as Position>::Rules, chance: &mut Chance) -> Self::Position {
        let _ = chance;
        Self::Position::start(rules)
    }
}

/// How the games are played in which positions are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// How many of ten moves are made at random.
    pub random_in_ten: u8,
    /// How far the other moves look ahead.
    pub depth: Depth,
}
