//! Picks a play of Halma: the piece, then its end square or its jumps one by one. [`super::Halma`]'s profile calls it.
//!
//! The origin is empty while the piece jumps (RULES.md, section 3), and every jump is reversible, so every square of a
//! chain can be reached from every other. A chain back to its start is legal and changes nothing; it is not offered.

use super::generate::JumpTargets;
use super::path::shortest_chain;
use super::square::bits;
use super::{Halma, Move, Square};
use crate::picking::MAX_PICKED;
use crate::protocol::respell::WrittenSquare;
use crate::{Hop, Picking, Play, Position, Target};

pub(super) fn picking(halma: &Halma, picked: &[String]) -> Option<Picking> {
    if picked.len() > MAX_PICKED {
        return None;
    }
    let moves = halma.moves();
    let Some((first, jumps)) = picked.split_first() else {
        return (!moves.is_empty()).then(|| pieces(&moves));
    };
    let from = Square::read(first.as_bytes())?;
    let ends: Vec<Square> = moves.iter().filter(|mv| mv.from == from).map(|mv| mv.to).collect();
    if ends.is_empty() {
        return None;
    }
    let landings = JumpTargets::of(&halma.occupied().without(from), from.quarter());
    let chain = JumpChain { halma, from, ends, landings };
    match jumps.split_last() {
        None => Some(chain.begun()),
        Some((last, _)) => chain.gone(jumps, Square::read(last.as_bytes())?),
    }
}

/// The pieces that have a legal move.
fn pieces(moves: &[Move]) -> Picking {
    let mut targets: Vec<Target> = Vec::new();
    for mv in moves {
        let name = mv.from.to_string();
        if targets.iter().all(|target| target.square() != name) {
            targets.push(Target { way: vec![name], ends: false, goes_on: true });
        }
    }
    Picking { answer: None, targets }
}

/// The plays of one piece.
struct JumpChain<'a> {
    halma: &'a Halma,
    from: Square,
    /// The end squares of its legal plays.
    ends: Vec<Square>,
    /// The squares on which it may land.
    landings: JumpTargets,
}

impl JumpChain<'_> {
    /// The piece is picked and has not moved.
    fn begun(&self) -> Picking {
        let mut targets = self.hops_on(self.from);
        for &to in &self.ends {
            if targets.iter().any(|target| target.square() == to.to_string()) {
                continue;
            }
            let Some(play) = self.halma.path(Move { from: self.from, to }) else {
                continue;
            };
            targets.push(Target {
                way: ways(play.hops()),
                ends: true,
                goes_on: matches!(play, Play::Jumps(_)) && self.can_go_on(to),
            });
        }
        Picking { answer: None, targets }
    }

    /// The piece went over the squares `way` and is on `at`.
    fn gone(&self, way: &[String], at: Square) -> Option<Picking> {
        let mut before = self.from;
        let mut hops = Vec::with_capacity(way.len());
        for name in way {
            let to = Square::read(name.as_bytes())?;
            hops.push(Hop { from: before, to });
            before = to;
        }
        // A step leaves the quarter of the board in which jumps stay.
        if hops.len() == 1 && at.quarter() != self.from.quarter() {
            let step = Play::Step(Hop { from: self.from, to: at });
            return self.ends.contains(&at).then(|| Picking { answer: Some(step.to_string()), targets: Vec::new() });
        }
        if !hops.iter().all(|hop| self.jumps(hop.from).any(|to| to == hop.to)) {
            return None;
        }
        let mut targets = self.hops_on(at);
        for to in self.ends.iter().copied().filter(|&to| to != at && to != self.from) {
            let known = targets.iter().any(|target| target.square() == to.to_string());
            if let Some(hops) = (!known).then(|| shortest_chain(&self.landings, at, to)).flatten() {
                targets.push(Target { way: ways(&hops), ends: true, goes_on: self.can_go_on(to) });
            }
        }
        let answer = self.ends.contains(&at).then(|| Play::Jumps(hops).to_string());
        (answer.is_some() || !targets.is_empty()).then_some(Picking { answer, targets })
    }

    /// The squares one jump from `at` from which a legal end can be reached.
    fn hops_on(&self, at: Square) -> Vec<Target> {
        if !self.can_go_on(at) {
            return Vec::new();
        }
        let next = self.jumps(at).map(|to| Target {
            way: vec![to.to_string()],
            ends: self.ends.contains(&to),
            goes_on: self.can_go_on(to),
        });
        next.collect()
    }

    /// Whether a chain on `at` can continue to another legal end.
    fn can_go_on(&self, at: Square) -> bool {
        let is_reached = |to: Square| to != at && to != self.from && to.quarter() == self.from.quarter();
        self.ends.iter().any(|&to| is_reached(to))
    }

    /// The squares one jump from `at`.
    fn jumps(&self, at: Square) -> impl Iterator<Item = Square> {
        let quarter = at.quarter();
        bits(self.landings.after(at.bit())).map(move |bit| Square::in_quarter(quarter, bit))
    }
}

/// The squares on which these hops land.
fn ways(hops: &[Hop<Square>]) -> Vec<String> {
    hops.iter().map(|hop| hop.to.to_string()).collect()
}
