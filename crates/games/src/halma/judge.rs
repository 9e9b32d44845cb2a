//! Judges a claimed play of Halma hop by hop, with the reason of a refusal. The texts of Halma call it.
//!
//! It must accept a claim exactly if each hop is a step or a jump of one piece of the side to move, and the move from
//! its first to its last square is generated, or returns to its start without violating a camp rule. The length and
//! path of a chain do not matter.

use super::camp::{camp, corner};
use super::generate::PlayDuty;
use super::reasons::{ADDENDUM_A, ADDENDUM_B, JUMP_OVER_PIECE, STAY_IN_OPPOSING_CAMP, STEPS_AND_JUMPS};
use super::square::{Square, Squares};
use super::{Halma, Hop, IllegalPlay, Move, Play, Position};
use crate::Violation;
use crate::play::{EMPTY_LANDING, OWN_PIECE, STEP_AND_JUMP_LETTERS, UNBROKEN_CHAIN};

impl Halma {
    /// Judges `play` as a play of the side to move.
    ///
    /// Accepts any chain of jumps, not only a shortest one. A chain that returns to its start is accepted if the camp
    /// rules allow it, although [`Position::for_each_move`] does not list it: the move then has `from == to`. Under the
    /// addendum a piece in its own camp may not do so, since it neither leaves the camp nor moves away from the corner.
    ///
    /// # Errors
    ///
    /// The first impossible hop or, if all are possible, the violated camp rule, with a hop: the first if another piece
    /// must move, the last if it ends on a wrong square.
    pub fn judge(&self, play: &Play<Square>) -> Result<Move, IllegalPlay> {
        let hops = play.hops();
        let [first, ..] = hops else {
            return Err(illegal(0, JUMP_OVER_PIECE.violated("no-jump", "a chain has at least one jump")));
        };
        self.judge_start(first.from).map_err(|reason| illegal(0, reason))?;
        let occupied = self.occupied().without(first.from);
        let mut at = first.from;
        for (index, &hop) in hops.iter().enumerate() {
            judge_hop(&occupied, at, hop, play).map_err(|reason| illegal(index, reason))?;
            at = hop.to;
        }
        let mv = Move { from: first.from, to: at };
        self.judge_camps(mv, hops.len() - 1)?;
        Ok(mv)
    }

    fn judge_start(&self, at: Square) -> Result<(), Violation> {
        if self.own().contains(at) {
            Ok(())
        } else if self.occupied().contains(at) {
            Err(OWN_PIECE.violated("opponents-piece", format!("`{at}` is the opponent's")))
        } else {
            Err(OWN_PIECE.violated("empty-start", format!("`{at}` is empty")))
        }
    }

    fn judge_camps(&self, Move { from, to }: Move, last: usize) -> Result<(), IllegalPlay> {
        let goal = camp(self.turn.other());
        if goal.contains(from) && !goal.contains(to) {
            let message = format!("`{from}` is in the opposing camp and may not leave it");
            return Err(illegal(last, STAY_IN_OPPOSING_CAMP.violated("leaves-opposing-camp", message)));
        }
        let own_camp = camp(self.turn);
        let duty = self.duty();
        if duty != PlayDuty::Unbound && !own_camp.contains(from) && own_camp.contains(to) {
            let message = format!("`{from}` is outside its camp and may not return to it (addendum a)");
            return Err(illegal(last, ADDENDUM_A.violated("returns-to-camp", message)));
        }
        let starts = self.movers(duty).contains(from);
        if starts && self.ends(duty, from).contains(to) {
            return Ok(());
        }
        Err(illegal(if starts { last } else { 0 }, self.unmet_duty(duty, from)))
    }

    /// The requirement of addendum b) that a play from `from` violates.
    fn unmet_duty(&self, duty: PlayDuty, from: Square) -> Violation {
        let corner = corner(self.turn);
        let (code, message) = match (duty, self.moves().first()) {
            (PlayDuty::Leave, Some(Move { from, to })) => (
                "must-leave-camp",
                format!("a piece is still in the camp and must leave it: `{from}` can go to `{to}` (addendum b)"),
            ),
            (PlayDuty::Further, Some(Move { from, to })) => (
                "must-move-further",
                format!(
                    "no piece can leave the camp: a piece must move within it, further from the corner `{corner}`; \
                     `{from}` can go to `{to}` (addendum b)"
                ),
            ),
            (PlayDuty::Outside | PlayDuty::Unbound, _) | (_, None) => (
                "stays-in-camp",
                format!(
                    "`{from}` is in its camp: it may only leave it or move further from the corner `{corner}` \
                     (addendum b)"
                ),
            ),
        };
        ADDENDUM_B.violated(code, message)
    }
}

fn illegal(hop: usize, reason: Violation) -> IllegalPlay {
    IllegalPlay { hop, reason }
}

/// Judges one hop of a piece at `at`; `occupied` is without the piece.
fn judge_hop(occupied: &Squares, at: Square, hop: Hop<Square>, play: &Play<Square>) -> Result<(), Violation> {
    let Hop { from, to } = hop;
    if from != at {
        let message = format!("the jump before ended on `{at}`, this one starts on `{from}`");
        return Err(UNBROKEN_CHAIN.violated("broken-chain", message));
    }
    judge_length(hop, play)?;
    if occupied.contains(to) {
        return Err(EMPTY_LANDING.violated("occupied", format!("`{to}` is occupied")));
    }
    match between(hop) {
        Some(over) if !occupied.contains(over) => {
            let message = format!("there is no piece at `{over}` to jump over");
            Err(JUMP_OVER_PIECE.violated("nothing-to-jump", message))
        }
        Some(_) | None => Ok(()),
    }
}

fn judge_length(hop: Hop<Square>, play: &Play<Square>) -> Result<(), Violation> {
    let Hop { from, to } = hop;
    let (dx, dy) = from.offset_to(to);
    let (rule, code, message) = match (dx.unsigned_abs().max(dy.unsigned_abs()), play) {
        (0, _) => (&STEPS_AND_JUMPS, "stands-still", format!("the piece stays on `{from}`")),
        (2, _) if between(hop).is_none() => {
            let message = format!("`{from}` and `{to}` are not in one row, column or diagonal");
            (&STEPS_AND_JUMPS, "not-in-line", message)
        }
        (1, Play::Step(_)) | (2, Play::Jumps(_)) => return Ok(()),
        (1, Play::Jumps(_)) => {
            let message = "`J` is for a jump over a piece, this is a step to an adjacent square".to_owned();
            (&STEP_AND_JUMP_LETTERS, "jump-is-step", message)
        }
        (2, Play::Step(_)) => {
            let message = "`E` is for a step to an adjacent square, this is a jump".to_owned();
            (&STEP_AND_JUMP_LETTERS, "step-is-jump", message)
        }
        (3.., _) => (&STEPS_AND_JUMPS, "too-far", format!("`{to}` is too far from `{from}`")),
    };
    Err(rule.violated(code, message))
}

/// The square in the middle of a hop, if there is one.
fn between(hop: Hop<Square>) -> Option<Square> {
    let (dx, dy) = hop.from.offset_to(hop.to);
    if dx % 2 != 0 || dy % 2 != 0 {
        return None;
    }
    hop.from.offset(dx / 2, dy / 2)
}
