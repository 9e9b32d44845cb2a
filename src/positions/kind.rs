//! What a kind of positions is.

use std::ops::RangeInclusive;

use crate::agents::builtin::Depth;
use crate::games::Position;

/// A kind of positions of the game `P`. A position may be of several kinds.
#[derive(Clone, Debug)]
pub struct PositionKind<P: Position> {
    /// Its name in file names and on the command line, in kebab case.
    pub name: &'static str,
    /// What a position of this kind has, for a list of the kinds.
    pub about: &'static str,
    /// The turns of a game before which such positions are looked for, counted from 0. A pass is a turn.
    pub turns: RangeInclusive<u32>,
    /// Whether a position, in which the side to move has a legal move, is of this kind.
    pub holds: fn(&P) -> bool,
    /// Whether there are such positions under some variant of the rules.
    pub exists_under: fn(P::Rules) -> bool,
}

impl<P: Position> PositionKind<P> {
    /// A kind that exists under all variants of the rules.
    pub const fn new(
        name: &'static str,
        about: &'static str,
        turns: RangeInclusive<u32>,
        holds: fn(&P) -> bool,
    ) -> Self {
        Self {
            name,
            about,
            turns,
            holds,
            exists_under: |_| true,
        }
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

impl Style {
    /// For most games: by chance, by half, and mostly by a search of two plies.
    pub const USUAL: &'static [Self] = &[
        Self::new(10, Depth::ONE),
        Self::new(5, Depth::ONE),
        Self::new(2, Depth::TWO),
    ];

    /// The style that makes so many of ten moves at random and looks so far ahead for the others.
    pub const fn new(random_in_ten: u8, depth: Depth) -> Self {
        Self { random_in_ten, depth }
    }
}
