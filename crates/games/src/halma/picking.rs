//! Picks a play of Halma: the piece, then its end square or its jumps one by one. [`super::Halma`]'s profile calls it.
//!
//! The origin is empty while the piece jumps (RULES.md, section 3), and every jump is reversible, so every square of a
//! chain can be reached from every other. A chain back to its start is legal and changes nothing; it is not offered.

use super::generate::JumpTargets;
use super::path::shortest_chain;
use super::square::bits;
use super::{Halma, Square};
use crate::picking::{MAX_PICKED, pick_among};
use crate::protocol::Texts;
use crate::protocol::respell::WrittenSquare;
use crate::{Hop, Picking, Play, Position, Target};

pub(super) fn picking(halma: &Halma, picked: &[String]) -> Option<Picking> {
    let moves = halma.moves();
    if picked.is_empty() {
        let plays: Vec<String> = moves.into_iter().map(|mv| halma.write_move(mv)).collect();
        return pick_among(&plays, picked);
    }
    if picked.len() > MAX_PICKED {
        return None;
    }
    let squares = picked.iter().map(|name| Square::read(name.as_bytes())).collect::<Option<Vec<Square>>>()?;
    let (&from, &at) = (squares.first()?, squares.last()?);
    let chain = JumpChain {
        from,
        at,
        hops: squares.windows(2).map(|pair| Hop { from: pair[0], to: pair[1] }).collect(),
        ends: moves.into_iter().filter(|mv| mv.from == from).map(|mv| mv.to).collect(),
        landings: JumpTargets::of(&halma.occupied().without(from), from.quarter()),
    };
    let (play, targets) = if let [step] = *chain.hops
        && !chain.is_among_jumps(at)
    {
        (Play::Step(step), Vec::new())
    } else if chain.hops.iter().all(|hop| chain.jumps_from(hop.from).any(|to| to == hop.to)) {
        (Play::Jumps(chain.hops.clone()), chain.targets())
    } else {
        return None;
    };
    let answer = chain.ends.contains(&at).then(|| play.to_string());
    (answer.is_some() || !targets.is_empty()).then_some(Picking { answer, targets })
}

/// What was picked of a play of one piece.
struct JumpChain {
    from: Square,
    /// Where the piece is now.
    at: Square,
    hops: Vec<Hop<Square>>,
    /// The end squares of its legal plays.
    ends: Vec<Square>,
    /// The squares on which it may land.
    landings: JumpTargets,
}

impl JumpChain {
    /// The squares one jump away, if a legal end can be reached from there, and all other legal ends.
    fn targets(&self) -> Vec<Target> {
        let next: Vec<Square> = self.jumps_from(self.at).filter(|_| self.goes_on_from(self.at)).collect();
        let others = self.ends.iter().filter(|&&to| to != self.at && to != self.from && !next.contains(&to));
        let target = |&to: &Square| {
            Some(Target { way: self.way_to(to)?, ends: self.ends.contains(&to), goes_on: self.goes_on_from(to) })
        };
        next.iter().chain(others).filter_map(target).collect()
    }

    /// The squares on which the piece lands on its way to `to`, if there is one.
    fn way_to(&self, to: Square) -> Option<Vec<String>> {
        if self.hops.is_empty() && !self.is_among_jumps(to) {
            return Some(vec![to.to_string()]);
        }
        let hops = shortest_chain(&self.landings, self.at, to)?;
        Some(hops.iter().map(|hop| hop.to.to_string()).collect())
    }

    /// Whether a chain on `at` can continue to another legal end.
    fn goes_on_from(&self, at: Square) -> bool {
        let is_reached = |to: Square| to != at && to != self.from && self.is_among_jumps(to);
        self.is_among_jumps(at) && self.ends.iter().any(|&to| is_reached(to))
    }

    /// Whether jumps may lead to `to`: a step leaves the quarter of the board in which they stay.
    const fn is_among_jumps(&self, to: Square) -> bool {
        to.quarter() == self.from.quarter()
    }

    fn jumps_from(&self, at: Square) -> impl Iterator<Item = Square> {
        let quarter = at.quarter();
        bits(self.landings.after(at.bit())).map(move |bit| Square::in_quarter(quarter, bit))
    }
}
