//! Judges a claimed play: returns its move, or the first fault. The texts of checkers call it.
//!
//! It examines the hops in order, each from the squares over the geometry to the pieces, so that it reports the fault
//! that the author would see first on a board. It must accept exactly the generated moves.

use super::Square;
use super::direction::Direction;
use super::generate::Chain;
use super::reasons::{COMPULSORY_JUMP, CROWNING_ENDS_PLAY, DARK_SQUARES, DIAGONAL_MOVES, MEN_FORWARD, WHOLE_CHAIN};
use super::{Checkers, Move};
use crate::play::{CAPTURING_JUMP, EMPTY_LANDING, STEP_AND_JUMP_LETTERS, UNBROKEN_CHAIN, own_piece};
use crate::{Hop, IllegalPlay, Play, Side, Violation};

impl Checkers {
    /// The legal move claimed by `play`.
    ///
    /// # Errors
    ///
    /// The first hop at fault, with the reason. A chain that stops too early is at fault in its last hop.
    ///
    /// ```
    /// use referee_games::checkers::{Checkers, Square};
    /// use referee_games::{Hop, Play, Position};
    ///
    /// let start = Checkers::start(());
    /// let step = |from: &[u8], to: &[u8]| Some(Play::Step(Hop { from: Square::read(from)?, to: Square::read(to)? }));
    /// assert!(start.judge(&step(b"b6", b"a5").unwrap()).is_ok());
    /// let illegal = start.judge(&step(b"a7", b"b6").unwrap()).unwrap_err();
    /// assert_eq!(illegal.reason.to_string(), "`b6` is occupied");
    /// ```
    pub fn judge(&self, play: &Play<Square>) -> Result<Move, IllegalPlay> {
        match play {
            Play::Step(hop) => self.judge_step(*hop).map_err(|reason| IllegalPlay { hop: 0, reason }),
            Play::Jumps(hops) => self.judge_chain(hops),
        }
    }

    fn judge_step(&self, hop: Hop<Square>) -> Result<Move, Violation> {
        self.check_origin(hop.from)?;
        let Hop { from, to } = hop;
        let (direction, distance) = diagonal(hop)?;
        match distance {
            1 => {}
            2 if direction.shift(from.bit()) & self.enemy() != 0 => {
                let message = format!("`E` is for a step, `{from}` to `{to}` is a jump");
                return Err(STEP_AND_JUMP_LETTERS.violated("jump-as-step", message));
            }
            _ => return Err(too_far(hop)),
        }
        let piece = Chain::start(self, from);
        check_direction(piece, direction, hop)?;
        check_landing(piece, to)?;
        match self.compulsory_jump(from) {
            Some(reason) => Err(reason),
            None => Ok(Move::step(from, direction)),
        }
    }

    /// A jump that forbids any step, preferably one of the piece on `preferred`.
    fn compulsory_jump(&self, preferred: Square) -> Option<Violation> {
        let jumpers = self.jumpers();
        let from = Square::of_bits(jumpers & preferred.bit()).chain(Square::of_bits(jumpers)).next()?;
        let (direction, _) = Chain::start(self, from).next_jumps().next()?;
        let over = Square::of_bit(direction.shift(from.bit()));
        let message = format!("`{from}` can jump over `{over}`: jumps are compulsory");
        Some(COMPULSORY_JUMP.violated("jump-compulsory", message))
    }

    fn judge_chain(&self, hops: &[Hop<Square>]) -> Result<Move, IllegalPlay> {
        let at_hop = |hop| move |reason| IllegalPlay { hop, reason };
        let no_jumps = || CAPTURING_JUMP.violated("no-jumps", "a chain has at least one jump");
        let origin = hops.first().ok_or_else(no_jumps).map_err(at_hop(0))?.from;
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
            Some((_, next)) => {
                let [at, to] = [chain.at, next.at].map(Square::of_bit);
                let message = format!("the chain can continue from `{at}` to `{to}`: it must be completed");
                Err(at_hop(hops.len() - 1)(WHOLE_CHAIN.violated("incomplete", message)))
            }
        }
    }

    /// The direction of the jump `hop`, which must continue `chain`.
    fn judge_jump(&self, chain: Chain, hop: Hop<Square>) -> Result<Direction, Violation> {
        let Hop { from, to } = hop;
        let at = Square::of_bit(chain.at);
        if chain.is_crowned() {
            let message = format!("the man is crowned on `{at}`, and its play ends there");
            return Err(CROWNING_ENDS_PLAY.violated("after-crowning", message));
        }
        if from != at {
            let message = format!("the chain continues from `{at}`, not from `{from}`");
            return Err(UNBROKEN_CHAIN.violated("broken-chain", message));
        }
        let (direction, distance) = diagonal(hop)?;
        match distance {
            1 => {
                let message = format!("`J` is for a jump, `{from}` to `{to}` is a step");
                return Err(STEP_AND_JUMP_LETTERS.violated("step-as-jump", message));
            }
            2 => {}
            _ => return Err(too_far(hop)),
        }
        check_direction(chain, direction, hop)?;
        self.check_jumped(chain, Square::of_bit(direction.shift(chain.at)))?;
        check_landing(chain, hop.to)?;
        Ok(direction)
    }

    fn check_origin(&self, origin: Square) -> Result<(), Violation> {
        if !origin.is_dark() {
            return Err(light_square(origin));
        }
        let owner = Side::BOTH.into_iter().find(|side| self.pieces[side.index()] & origin.bit() != 0);
        own_piece(origin, owner.map(|side| (side, ())), self.side)
    }

    fn check_jumped(&self, chain: Chain, over: Square) -> Result<(), Violation> {
        let (code, message) = if over.bit() & chain.enemy != 0 {
            return Ok(());
        } else if over.bit() & self.enemy() != 0 {
            let message = format!("the piece on `{over}` was captured earlier in this chain");
            ("already-captured", message)
        } else if over.bit() & chain.empty != 0 {
            ("nothing-to-jump", format!("there is no piece on `{over}` to jump over"))
        } else {
            let message = format!("the piece on `{over}` is your own and cannot be jumped over");
            ("own-piece-jumped", message)
        };
        Err(CAPTURING_JUMP.violated(code, message))
    }
}

fn check_direction(piece: Chain, direction: Direction, Hop { from, to }: Hop<Square>) -> Result<(), Violation> {
    if piece.can_go(direction) {
        return Ok(());
    }
    let message = format!("a man cannot go backward, from `{from}` to `{to}`");
    Err(MEN_FORWARD.violated("backward", message))
}

fn check_landing(piece: Chain, to: Square) -> Result<(), Violation> {
    if to.bit() & piece.empty != 0 {
        return Ok(());
    }
    Err(EMPTY_LANDING.violated("occupied", format!("`{to}` is occupied")))
}

/// The direction and length of a hop from a dark square.
fn diagonal(Hop { from, to }: Hop<Square>) -> Result<(Direction, u8), Violation> {
    if from == to {
        return Err(DIAGONAL_MOVES.violated("motionless", format!("the piece on `{from}` must leave it")));
    }
    if !to.is_dark() {
        return Err(light_square(to));
    }
    from.diagonal_to(to).ok_or_else(|| {
        let message = format!("`{from}` and `{to}` are not on one diagonal");
        DIAGONAL_MOVES.violated("not-diagonal", message)
    })
}

fn light_square(square: Square) -> Violation {
    let message = format!("`{square}` is a light square: pieces stand on dark squares only");
    DARK_SQUARES.violated("light-square", message)
}

fn too_far(Hop { from, to }: Hop<Square>) -> Violation {
    let message = format!("`{to}` is too far from `{from}`: a step goes one square, a jump two");
    DIAGONAL_MOVES.violated("too-far", message)
}
