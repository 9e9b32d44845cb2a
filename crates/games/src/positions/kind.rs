//! A kind of positions: its name, its test, and how to find it. Each game's `kinds.rs` lists its own; this file plays
//! nothing.

use std::ops::RangeInclusive;

use crate::Position;
use crate::builtin::Depth;

/// A kind of positions of the game `P`. A position may be of several kinds.
#[derive(Clone, Debug)]
pub struct PositionKind<P: Position> {
    /// Its name in file names and on the command line, in kebab case.
    pub name: &'static str,
    /// A description for lists.
    pub about: &'static str,
    /// The turns before which to look for such positions, counted from 0. A pass is a turn.
    pub turns: RangeInclusive<u32>,
    /// Whether a position, in which the side to move has a legal move, is of this kind.
    pub holds: fn(&P) -> bool,
    /// Whether such positions exist under a variant of the rules.
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
        Self { name, about, turns, holds, exists_under: |_| true }
    }

    /// The kind in a list.
    pub const fn listed(&self) -> ListedKind {
        ListedKind { name: self.name, about: self.about }
    }
}

/// A kind in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedKind {
    /// The kind's name.
    pub name: &'static str,
    /// Its description.
    pub about: &'static str,
}

/// How to play the games in which positions are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// How many of ten moves are random.
    pub random_in_ten: u8,
    /// The search depth of the other moves.
    pub depth: Depth,
}

impl Style {
    /// For most games: all random, half random, and mostly by a search of two plies.
    pub const USUAL: &'static [Self] = &[Self::new(10, Depth::ONE), Self::new(5, Depth::ONE), Self::new(2, Depth::TWO)];

    /// A style with this many random moves of ten, and this depth for the others.
    pub const fn new(random_in_ten: u8, depth: Depth) -> Self {
        Self { random_in_ten, depth }
    }
}
