//! Judges a claimed play of Halma hop by hop, with the reason of a refusal. The texts of Halma call it.
//!
//! It must accept a claim exactly if each hop is a step or a jump of one piece of the side to move, and the move from
//! its first to its last square is generated, or returns to its start without violating a camp rule. The length and
//! path of a chain do not matter.

use super::camp::{camp, corner};
use super::generate::Duty;
use super::square::{Square, Squares};
use super::{Halma, Hop, IllegalPlay, Move, Play, Position};

/// Why a claimed play is illegal.
///
/// Each text is a sentence for the player: lower case, squares in backticks, no full stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// A chain without a jump.
    #[error("a chain has at least one jump")]
    NoJump,
    /// No piece stands where the play starts.
    #[error("`{at}` is empty")]
    EmptyStart {
        /// The start.
        at: Square,
    },
    /// The piece there belongs to the other side.
    #[error("`{at}` is the opponent's")]
    OpponentsPiece {
        /// The start.
        at: Square,
    },
    /// A jump does not start where the previous one ended.
    #[error("the jump before ended on `{ended}`, this one starts on `{starts}`")]
    BrokenChain {
        /// The square of the piece.
        ended: Square,
        /// The claimed start of the next jump.
        starts: Square,
    },
    /// A hop that ends on the square it starts from.
    #[error("the piece stays on `{at}`")]
    StandsStill {
        /// The square.
        at: Square,
    },
    /// Written as a step, but two squares long.
    #[error("`E` is for a step to an adjacent square, this is a jump")]
    StepIsJump,
    /// Written as a jump, but one square long.
    #[error("`J` is for a jump over a piece, this is a step to an adjacent square")]
    JumpIsStep,
    /// Two squares away, but not along a row, a column or a diagonal.
    #[error("`{from}` and `{to}` are not in one row, column or diagonal")]
    NotInLine {
        /// Where the hop starts.
        from: Square,
        /// Where it is said to end.
        to: Square,
    },
    /// Further away than a step or a jump goes.
    #[error("`{to}` is too far from `{from}`")]
    TooFar {
        /// Where the hop starts.
        from: Square,
        /// The claimed end.
        to: Square,
    },
    /// The end of the hop is occupied.
    #[error("`{at}` is occupied")]
    Occupied {
        /// The end.
        at: Square,
    },
    /// The square between the two ends of a jump is empty.
    #[error("there is no piece at `{over}` to jump over")]
    NothingToJump {
        /// That square.
        over: Square,
    },
    /// The piece would leave the opposing camp.
    #[error("`{from}` is in the opposing camp and may not leave it")]
    LeavesOpposingCamp {
        /// Where the play starts.
        from: Square,
    },
    /// The piece would return to its own camp: addendum a).
    #[error("`{from}` is outside its camp and may not return to it (addendum a)")]
    ReturnsToCamp {
        /// Where the play starts.
        from: Square,
    },
    /// A piece can leave its camp, so one must: addendum b).
    #[error(
        "a piece is still in the camp and must leave it: `{}` can go to `{}` (addendum b)",
        .instead.from, .instead.to
    )]
    MustLeaveCamp {
        /// One of the allowed moves.
        instead: Move,
    },
    /// No piece can leave the camp, but one can move away from the corner, so one must: addendum b).
    #[error(
        "no piece can leave the camp: a piece must move within it, further from the corner `{corner}`; `{}` can go \
         to `{}` (addendum b)",
        .instead.from, .instead.to
    )]
    MustMoveFurther {
        /// The corner of the own camp.
        corner: Square,
        /// One of the allowed moves.
        instead: Move,
    },
    /// The play neither leaves the camp nor moves away from the corner, and no play can: addendum b).
    #[error("`{from}` is in its camp: it may only leave it or move further from the corner `{corner}` (addendum b)")]
    StaysInCamp {
        /// Where the play starts.
        from: Square,
        /// The corner of the own camp.
        corner: Square,
    },
}

impl Reason {
    /// Whether only a camp rule forbids the play.
    pub const fn is_of_the_camps(&self) -> bool {
        match self {
            Self::LeavesOpposingCamp { .. }
            | Self::ReturnsToCamp { .. }
            | Self::MustLeaveCamp { .. }
            | Self::MustMoveFurther { .. }
            | Self::StaysInCamp { .. } => true,
            Self::NoJump
            | Self::EmptyStart { .. }
            | Self::OpponentsPiece { .. }
            | Self::BrokenChain { .. }
            | Self::StandsStill { .. }
            | Self::StepIsJump
            | Self::JumpIsStep
            | Self::NotInLine { .. }
            | Self::TooFar { .. }
            | Self::Occupied { .. }
            | Self::NothingToJump { .. } => false,
        }
    }
}

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
    pub fn judge(&self, play: &Play<Square>) -> Result<Move, IllegalPlay<Reason>> {
        let hops = play.hops();
        let [first, ..] = hops else {
            return Err(illegal(0, Reason::NoJump));
        };
        self.judge_start(first.from).map_err(|reason| illegal(0, reason))?;
        let occupied = self.occupied().without(first.from);
        let mut at = first.from;
        for (index, &hop) in hops.iter().enumerate() {
            judge_hop(&occupied, at, hop, play).map_err(|reason| illegal(index, reason))?;
            at = hop.to;
        }
        let mv = Move {
            from: first.from,
            to: at,
        };
        self.judge_camps(mv, hops.len() - 1)?;
        Ok(mv)
    }

    fn judge_start(&self, at: Square) -> Result<(), Reason> {
        if self.own().contains(at) {
            Ok(())
        } else if self.occupied().contains(at) {
            Err(Reason::OpponentsPiece { at })
        } else {
            Err(Reason::EmptyStart { at })
        }
    }

    fn judge_camps(&self, Move { from, to }: Move, last: usize) -> Result<(), IllegalPlay<Reason>> {
        let goal = camp(self.turn.other());
        if goal.contains(from) && !goal.contains(to) {
            return Err(illegal(last, Reason::LeavesOpposingCamp { from }));
        }
        let own_camp = camp(self.turn);
        let duty = self.duty();
        if duty != Duty::Unbound && !own_camp.contains(from) && own_camp.contains(to) {
            return Err(illegal(last, Reason::ReturnsToCamp { from }));
        }
        let starts = self.may_start(duty, from);
        if starts && self.ends(duty, from).contains(to) {
            return Ok(());
        }
        Err(illegal(
            if starts { last } else { 0 },
            self.neglected(duty).unwrap_or(Reason::StaysInCamp {
                from,
                corner: corner(self.turn),
            }),
        ))
    }

    /// The requirement of addendum b) that a play violates.
    fn neglected(&self, duty: Duty) -> Option<Reason> {
        let instead = self.moves().first().copied()?;
        match duty {
            Duty::Leave => Some(Reason::MustLeaveCamp { instead }),
            Duty::Further => Some(Reason::MustMoveFurther {
                corner: corner(self.turn),
                instead,
            }),
            Duty::Outside | Duty::Unbound => None,
        }
    }
}

fn illegal(hop: usize, reason: Reason) -> IllegalPlay<Reason> {
    IllegalPlay { hop, reason }
}

/// Judges one hop of a piece at `at`; `occupied` is without the piece.
fn judge_hop(occupied: &Squares, at: Square, hop: Hop<Square>, play: &Play<Square>) -> Result<(), Reason> {
    let Hop { from, to } = hop;
    if from != at {
        return Err(Reason::BrokenChain {
            ended: at,
            starts: from,
        });
    }
    judge_length(hop, play)?;
    if occupied.contains(to) {
        return Err(Reason::Occupied { at: to });
    }
    match between(hop) {
        Some(over) if !occupied.contains(over) => Err(Reason::NothingToJump { over }),
        Some(_) | None => Ok(()),
    }
}

fn judge_length(hop: Hop<Square>, play: &Play<Square>) -> Result<(), Reason> {
    let Hop { from, to } = hop;
    let (dx, dy) = from.offset_to(to);
    match (dx.unsigned_abs().max(dy.unsigned_abs()), play) {
        (0, _) => Err(Reason::StandsStill { at: from }),
        (2, _) if between(hop).is_none() => Err(Reason::NotInLine { from, to }),
        (1, Play::Step(_)) | (2, Play::Jumps(_)) => Ok(()),
        (1, Play::Jumps(_)) => Err(Reason::JumpIsStep),
        (2, Play::Step(_)) => Err(Reason::StepIsJump),
        (3.., _) => Err(Reason::TooFar { from, to }),
    }
}

/// The square in the middle of a hop, if there is one.
fn between(hop: Hop<Square>) -> Option<Square> {
    let (dx, dy) = hop.from.offset_to(hop.to);
    if dx % 2 != 0 || dy % 2 != 0 {
        return None;
    }
    hop.from.offset(dx / 2, dy / 2)
}
