//! A claimed play: a step or a chain of jumps, hop by hop. Plain data that checkers and Halma share; each game judges
//! it.
//!
//! A claim is not yet a move: it may be impossible in any way. The judgement names the hop at fault and the reason.

use std::fmt::{self, Display};

/// One hop of a piece from square to square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hop<S> {
    /// The claimed start.
    pub from: S,
    /// The claimed end.
    pub to: S,
}

/// As in `output.txt`: `c2 c4`.
impl<S: Display> Display for Hop<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.from, self.to)
    }
}

/// A play as claimed by a player.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Play<S> {
    /// `E`: one step to an adjacent empty square.
    Step(Hop<S>),
    /// `J`: one or more jumps in order; never empty when parsed.
    Jumps(Vec<Hop<S>>),
}

impl<S> Play<S> {
    /// The hops in order; one for a step.
    pub fn hops(&self) -> &[Hop<S>] {
        match self {
            Self::Step(hop) => std::slice::from_ref(hop),
            Self::Jumps(hops) => hops,
        }
    }
}

impl<S: Copy> Hop<S> {
    /// The hop with both squares read in another way, if that is possible.
    pub(super) fn respelt(self, read: impl Fn(S) -> Option<S>) -> Option<Self> {
        let (from, to) = (read(self.from)?, read(self.to)?);
        Some(Self { from, to })
    }
}

impl<S: Copy> Play<S> {
    /// The play with each square read in another way, if that is possible for all of them.
    pub(super) fn respelt(&self, read: impl Fn(S) -> Option<S>) -> Option<Self> {
        match self {
            Self::Step(hop) => hop.respelt(read).map(Self::Step),
            Self::Jumps(hops) => {
                let hops: Option<_> = hops.iter().map(|hop| hop.respelt(&read)).collect();
                hops.map(Self::Jumps)
            }
        }
    }
}

/// As in `output.txt`, one line for each hop: `J f6 d4`.
impl<S: Display> Display for Play<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self {
            Self::Step(_) => 'E',
            Self::Jumps(_) => 'J',
        };
        write_hops(f, letter, self.hops().iter())
    }
}

/// Writes one line for each hop, joined by LF.
pub(super) fn write_hops(
    f: &mut fmt::Formatter<'_>,
    letter: char,
    hops: impl Iterator<Item = impl Display>,
) -> fmt::Result {
    let mut between = "";
    for hop in hops {
        write!(f, "{between}{letter} {hop}")?;
        between = "\n";
    }
    Ok(())
}

/// Why a claimed play is illegal, and at which hop.
///
/// `R` is the game's own list of reasons, each with a stable code and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalPlay<R> {
    /// The index of the hop at fault in [`Play::hops`].
    pub hop: usize,
    /// The reason.
    pub reason: R,
}
