//! Plays as a player claims them: a step, or a chain of jumps, hop by hop.
//!
//! Checkers and Halma share this form. A claim is not yet a move: it may be impossible in every way.
//! Each game judges a claim and says which hop is wrong and why.

/// One hop of a piece from square to square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hop<S> {
    /// Where the piece is said to stand.
    pub from: S,
    /// Where it is said to land.
    pub to: S,
}

/// What a player says that it plays.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Play<S> {
    /// `E`: one step to an adjacent empty square.
    Step(Hop<S>),
    /// `J`: one or more jumps, in their order; never empty when it comes from a text.
    Jumps(Vec<Hop<S>>),
}

impl<S> Play<S> {
    /// The hops in their order: one for a step.
    pub fn hops(&self) -> &[Hop<S>] {
        match self {
            Self::Step(hop) => std::slice::from_ref(hop),
            Self::Jumps(hops) => hops,
        }
    }
}

/// Why a claimed play is illegal, and which hop shows it.
///
/// `R` is the game's own list of reasons, each with a stable code and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalPlay<R> {
    /// The index of the hop at fault in [`Play::hops`].
    pub hop: usize,
    /// What is wrong with it.
    pub reason: R,
}
