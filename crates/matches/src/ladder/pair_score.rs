//! The score of a pair of games, and the places of its agents. Plain data.

/// The score of the first agent of a pair: in half points, of so many games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairScore {
    /// Two for a won game, one for a draw.
    pub half_points: u32,
    /// The games with a known result: at most two.
    pub games: u32,
    /// The games with a record that cannot be read: finished, like in any run, but nobody knows how.
    pub unreadable: u32,
}

impl PairScore {
    /// The games that are not played again.
    pub(super) const fn with_record(self) -> u32 {
        self.games + self.unreadable
    }
}

/// The place of an agent in a list of all.
pub(super) fn index_of(agent: u32) -> usize {
    usize::try_from(agent).expect("a `usize` has 32 bits or more")
}
