//! Finds a shortest way to play a move of Halma, hop by hop. It checks no rules; the texts of Halma call it.

use super::generate::JumpTargets;
use super::square::{Square, bits};
use super::{Halma, Hop, Move, Play};

impl Halma {
    /// A shortest play for `mv`: one step, or the fewest jumps; deterministic among several.
    ///
    /// `None` if no step or chain connects the squares, ignoring the owner of the piece and the camp rules. A move that
    /// returns to its start is two jumps, there and back.
    ///
    /// ```
    /// use referee_games::{Play, Position, Side, halma::{Halma, Move, Rules, Square}};
    ///
    /// let start = Halma::start(Rules::Addendum).with_side_to_move(Side::White);
    /// let square = |x, y| Square::new(x, y).expect("within 16x16");
    /// let mv = Move { from: square(12, 15), to: square(10, 13) };
    /// let play = start.path(mv).expect("one jump");
    /// assert!(matches!(&play, Play::Jumps(hops) if hops.len() == 1));
    /// assert_eq!(start.judge(&play), Ok(mv));
    /// ```
    pub fn path(&self, mv: Move) -> Option<Play<Square>> {
        let Move { from, to } = mv;
        if from.quarter() != to.quarter() {
            return self.reach(from).contains(to).then_some(Play::Step(mv));
        }
        // The origin is empty from the first jump on: a chain may return to it.
        let landings = JumpTargets::of(&self.occupied().without(from), from.quarter());
        shortest_chain(&landings, from, to).map(Play::Jumps)
    }
}

/// The fewest jumps from `from` to `to`, which may be the same square.
pub(super) fn shortest_chain(landings: &JumpTargets, from: Square, to: Square) -> Option<Vec<Hop<Square>>> {
    if from.quarter() != to.quarter() {
        return None;
    }
    let mut hops = Vec::new();
    let mut end = to;
    for layer in layers(landings, from, to)?.into_iter().rev() {
        let before = bits(layer)
            .map(|bit| Square::in_quarter(from.quarter(), bit))
            .find(|before| landings.after(before.bit()) & end.bit() != 0)?;
        hops.push(Hop { from: before, to: end });
        end = before;
    }
    hops.reverse();
    Some(hops)
}

/// The squares first reached by 0, 1, 2, ... jumps from `from`, up to the last layer before `to`.
fn layers(landings: &JumpTargets, from: Square, to: Square) -> Option<Vec<u64>> {
    let mut layers = vec![from.bit()];
    let mut seen = 0;
    loop {
        let latest = *layers.last()?;
        let next = landings.after(latest) & !seen;
        if next & to.bit() != 0 {
            return Some(layers);
        }
        seen |= next;
        if next == 0 {
            return None;
        }
        layers.push(next);
    }
}
