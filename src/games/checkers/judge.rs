//! Judges a claimed play: returns its move, or the first fault. The texts of checkers call it.
//!
//! It examines the hops in order, each from the squares over the geometry to the pieces, so that it reports the fault
//! that the author would see first on a board. It must accept exactly the generated moves.

use super::direction::Direction;
use super::generate::Chain;
use super::square::{Square, squares};
use super::{Checkers, Move, Reason};
use crate::games::{Hop, IllegalPlay, Play};

impl Checkers {
    /// The legal move claimed by `play`.
    ///
    /// # Errors
    ///
    /// The first hop at fault, with the reason. A chain that stops too early is at fault in its last hop.
    ///
    /// ```
    /// use referee::games::checkers::Checkers;
    /// use referee::games::{Hop, Play, Position};
    ///
    /// let start = Checkers::start(());
    /// let step = |from: &str, to: &str| {
    ///     Ok::<_, referee::games::checkers::NotASquare>(Play::Step(Hop { from: from.parse()?, to: to.parse()? }))
    /// };
    /// assert!(start.judge(&step("b6", "a5")?).is_ok());
    /// let illegal = start.judge(&step("a7", "b6")?).unwrap_err();
    /// assert_eq!(illegal.reason.to_string(), "`b6` is occupied");
    /// # Ok::<(), referee::games::checkers::NotASquare>(())
    /// ```
    pub fn judge(&self, play: &Play<Square>) -> Result<Move, IllegalPlay<Reason>> {
        match play {
            Play::Step(hop) => self.judge_step(*hop).map_err(|reason| IllegalPlay { hop: 0, reason }),
            Play::Jumps(hops) => self.judge_chain(hops),
        }
    }

    fn judge_step(&self, hop: Hop<Square>) -> Result<Move, Reason> {
        self.check_origin(hop.from)?;
        let Hop { from, to } = hop;
        let (direction, distance) = diagonal(hop)?;
        match distance {
            1 => {}
            2 if direction.shift(from.bit()) & self.enemy() != 0 => return Err(Reason::JumpAsStep { from, to }),
            _ => return Err(Reason::TooFar { from, to }),
        }
        let piece = Chain::start(self, from);
        if !piece.may_go(direction) {
            return Err(Reason::Backward { man: from, to });
        }
        if to.bit() & self.empty() == 0 {
            return Err(Reason::Occupied(to));
        }
        match self.compulsory_jump(from) {
            Some(reason) => Err(reason),
            None => Ok(Move::step(from, direction)),
        }
    }

    /// A jump that forbids any step, preferably one of the piece on `preferred`.
    fn compulsory_jump(&self, preferred: Square) -> Option<Reason> {
        let jumpers = self.jumpers();
        let from = squares(jumpers & preferred.bit()).chain(squares(jumpers)).next()?;
        let (direction, _) = Chain::start(self, from).next_jumps().next()?;
        let over = Square::of_bit(direction.shift(from.bit()));
        Some(Reason::JumpCompulsory { from, over })
    }

    fn judge_chain(&self, hops: &[Hop<Square>]) -> Result<Move, IllegalPlay<Reason>> {
        let at_hop = |hop| move |reason| IllegalPlay { hop, reason };
        let origin = hops.first().ok_or(Reason::NoJumps).map_err(at_hop(0))?.from;
        self.check_origin(origin).map_err(at_hop(0))?;
        let mut chain = Chain::start(self, origin);
        let mut mv = Move::chain(origin);
        for (index, &hop) in hops.iter().enumerate() {
            let direction = self.judge_jump(chain, hop).map_err(at_hop(index))?;
            chain = chain.jump(direction).expect("the jump was judged possible");
            mv = mv.then_jump(direction);
        }
        match chain.next_jumps().next() {
            None => Ok(mv),
            Some((_, next)) => Err(at_hop(hops.len() - 1)(Reason::Incomplete {
                at: Square::of_bit(chain.at),
                to: Square::of_bit(next.at),
            })),
        }
    }

    /// The direction of the jump `hop`, which must continue `chain`.
    fn judge_jump(&self, chain: Chain, hop: Hop<Square>) -> Result<Direction, Reason> {
        let Hop { from, to } = hop;
        let at = Square::of_bit(chain.at);
        if chain.is_crowned() {
            return Err(Reason::AfterCrowning(at));
        }
        if from != at {
            return Err(Reason::BrokenChain { at, from });
        }
        let (direction, distance) = diagonal(hop)?;
        match distance {
            1 => return Err(Reason::StepAsJump { from, to }),
            2 => {}
            _ => return Err(Reason::TooFar { from, to }),
        }
        if !chain.may_go(direction) {
            return Err(Reason::Backward { man: from, to });
        }
        self.check_jumped(chain, Square::of_bit(direction.shift(chain.at)))?;
        if to.bit() & chain.empty == 0 {
            return Err(Reason::Occupied(to));
        }
        Ok(direction)
    }

    fn check_origin(&self, origin: Square) -> Result<(), Reason> {
        if !origin.is_dark() {
            Err(Reason::LightSquare(origin))
        } else if origin.bit() & self.enemy() != 0 {
            Err(Reason::OpponentsPiece(origin))
        } else if origin.bit() & self.own() == 0 {
            Err(Reason::EmptyOrigin(origin))
        } else {
            Ok(())
        }
    }

    fn check_jumped(&self, chain: Chain, over: Square) -> Result<(), Reason> {
        if over.bit() & chain.enemy != 0 {
            Ok(())
        } else if over.bit() & self.enemy() != 0 {
            Err(Reason::AlreadyCaptured(over))
        } else if over.bit() & chain.empty != 0 {
            Err(Reason::NothingToJump(over))
        } else {
            Err(Reason::OwnPieceJumped(over))
        }
    }
}

/// The direction and length of a hop from a dark square.
fn diagonal(Hop { from, to }: Hop<Square>) -> Result<(Direction, u8), Reason> {
    if from == to {
        return Err(Reason::Motionless(from));
    }
    if !to.is_dark() {
        return Err(Reason::LightSquare(to));
    }
    from.diagonal_to(to).ok_or(Reason::NotDiagonal { from, to })
}
