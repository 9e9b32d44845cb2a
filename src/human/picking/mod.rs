//! Moves picked square by square: which squares may be picked next, and when a move is whole.
//!
//! A person picks the piece, then where it goes, jump by jump or at once the square where the move ends. Where that square
//! is reached on several ways that are different moves, as chains of checkers can be, the ways are picked jump by jump.
//! In Duo-Othello one square is a move.
//!
//! What must always hold: whatever was picked by way of the targets can be gone on with to a whole move, is one, or both.

mod halma;
mod tree;

use std::any::Any;

use serde::Serialize;

use crate::games::halma::Halma;
use crate::protocol::Game;

/// Where a person stands in picking a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Picking {
    /// The text of `output.txt` without a final LF, if what was picked is a legal move.
    #[serde(rename = "answer")]
    pub answer: Option<String>,
    /// What may be picked next, none of it twice.
    pub targets: Vec<Target>,
}

/// A square that may be picked next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Target {
    /// The squares that picking it adds: most often itself alone; those on the way to it, and then itself, where it ends a
    /// chain of jumps.
    pub way: Vec<String>,
    /// Whether a legal move ends there.
    pub ends: bool,
    /// Whether a legal move goes on from there.
    pub goes_on: bool,
}

impl Target {
    /// The square itself.
    pub fn square(&self) -> &str {
        self.way.last().map_or("", String::as_str)
    }
}

/// More squares than anybody picks: a chain of jumps may go round in circles.
const MOST_PICKED: usize = 256;

/// Where a person stands who has picked these squares, in this order; `None` where they begin no legal move.
pub(super) fn picking<P: Game>(position: &P, picked: &[String]) -> Option<Picking> {
    if picked.len() > MOST_PICKED {
        return None;
    }
    match (position as &dyn Any).downcast_ref::<Halma>() {
        // Its moves are pairs of squares, with more ways from one to the other than could be listed.
        Some(halma) => halma::picking(halma, picked),
        None => tree::picking(position, picked),
    }
}
