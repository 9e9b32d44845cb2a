//! A claimed play: a step or a chain of jumps, hop by hop, and the rules that games of moving pieces share. Plain data;
//! each game judges its plays.
//!
//! A claim is not yet a move: it may be impossible in any way. The judgement names the hop at fault and the reason.

use std::fmt::{self, Display};

use super::{RuleText, Section, Side, Violation};

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalPlay {
    /// The index of the hop at fault in [`Play::hops`].
    pub hop: usize,
    /// The reason.
    pub reason: Violation,
}

/// The piece that `side` moves from `origin`, where the board has `found`.
pub(super) fn own_piece<P>(origin: impl Display, found: Option<(Side, P)>, side: Side) -> Result<P, Violation> {
    match found {
        None => Err(OWN_PIECE.violated("empty-origin", format!("`{origin}` is empty"))),
        Some((owner, piece)) if owner == side => Ok(piece),
        Some(_) => {
            let message = format!("the piece on `{origin}` is the opponent's");
            Err(OWN_PIECE.violated("opponents-piece", message))
        }
    }
}

/// The letters of steps and jumps.
pub(crate) const STEP_AND_JUMP_LETTERS: RuleText = Section::Formats.rule(
    "step-and-jump-letters",
    "`E` and `J`",
    "a line begins with `E` for a step to an adjacent square, or with `J` for a jump over a piece",
);

/// One's own piece, in games of moving pieces.
pub(crate) const OWN_PIECE: RuleText =
    Section::Play.rule("own-piece", "your own piece", "a play must start with one of your own pieces");

/// The end of a hop, in games of moving pieces.
pub(crate) const EMPTY_LANDING: RuleText =
    Section::Play.rule("empty-landing", "an empty square", "a piece can only land on an empty square");

/// A chain of jumps.
pub(crate) const UNBROKEN_CHAIN: RuleText = Section::Play.rule(
    "unbroken-chain",
    "one piece, one chain",
    "every jump of a chain starts on the square where the previous jump ended",
);

/// A jump that captures.
pub(crate) const CAPTURING_JUMP: RuleText = Section::Play.rule(
    "capturing-jump",
    "jumping captures",
    "a jump goes over one enemy piece on an adjacent square, which leaves the board at once",
);

/// The rules as a whole.
pub const LEGALITY: RuleText =
    Section::Play.rule("legality", "a legal move", "a move must be legal by the rules of the game");
