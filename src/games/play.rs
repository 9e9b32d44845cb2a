//! A claimed play: a step or a chain of jumps, hop by hop. Plain data that checkers and Halma share; each game judges
//! it.
//!
//! A claim is not yet a move: it may be impossible in any way. The judgement names the hop at fault and the reason.

/// One hop of a piece from square to square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hop<S> {
    /// The claimed start.
    pub from: S,
    /// The claimed end.
    pub to: S,
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
