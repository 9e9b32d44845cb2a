//! Generates the reachable squares: steps, chains of jumps, and the limits by the camp rules. It judges no claims
//! (`judge`); [`super::Halma`] calls it.
//!
//! The origin of a piece is empty while it jumps. For the set of end squares this does not matter: the origin could
//! only be jumped over from another quarter of the board, and a chain that lands on it gains nothing over one that
//! starts there. So one set of landing squares serves all pieces of a quarter.

use std::ops::ControlFlow;

use super::camp::{camp, is_further};
use super::square::{Square, Squares, bits};
use super::{Halma, Position, Rules, Side};

/// The plays that the rules allow a side, by start and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlayDuty {
    /// Original rules: any piece may play.
    Unbound,
    /// Addendum b), first alternative: leave the own camp.
    Leave,
    /// Addendum b), second alternative: move away from the corner within the own camp.
    Further,
    /// Addendum: pieces outside the own camp may not return to it.
    Outside,
}

impl Halma {
    /// The possible duties in order: only the first that can be met applies.
    fn duties(&self) -> &'static [PlayDuty] {
        match self.rules {
            Rules::Original => &[PlayDuty::Unbound],
            Rules::Addendum if (self.own() & camp(self.turn)).is_empty() => &[PlayDuty::Outside],
            Rules::Addendum => &[PlayDuty::Leave, PlayDuty::Further, PlayDuty::Outside],
        }
    }

    /// The duty of the side to move.
    pub(super) fn duty(&self) -> PlayDuty {
        let mut duties = self.duties().iter().copied();
        let holds = duties.find(|&duty| self.try_under(duty, |_, _| ControlFlow::Break(())).is_break());
        holds.unwrap_or(match self.rules {
            Rules::Original => PlayDuty::Unbound,
            Rules::Addendum => PlayDuty::Outside,
        })
    }

    /// The squares where `duty` and the rule of the opposing camp allow a play from `from` to end.
    pub(super) fn ends(&self, duty: PlayDuty, from: Square) -> Squares {
        let own_camp = camp(self.turn);
        let goal = camp(self.turn.other());
        match duty {
            PlayDuty::Unbound | PlayDuty::Outside if goal.contains(from) => goal,
            PlayDuty::Unbound => Squares::ALL,
            PlayDuty::Leave | PlayDuty::Outside => !own_camp,
            PlayDuty::Further => {
                own_camp.iter().filter(|&to| is_further(self.turn, from, to)).fold(Squares::NONE, Squares::with)
            }
        }
    }

    /// Calls `visit` with each piece of the side to move that has a legal play, and its possible end squares.
    pub(super) fn for_each_reach(&self, mut visit: impl FnMut(Square, Squares)) {
        for &duty in self.duties() {
            let mut met = false;
            let _: ControlFlow<()> = self.try_under(duty, |from, ends| {
                met = true;
                visit(from, ends);
                ControlFlow::Continue(())
            });
            if met {
                return;
            }
        }
    }

    /// Whether the side to move has a legal play.
    pub(super) fn can_move(&self) -> bool {
        self.duties().iter().any(|&duty| self.try_under(duty, |_, _| ControlFlow::Break(())).is_break())
    }

    /// Whether `side` certainly has a move after the other side's next play: it has steps to two different squares, and
    /// a play occupies at most one.
    pub fn keeps_a_move(&self, side: Side) -> bool {
        let them = self.clone().with_side_to_move(side);
        let empty = !self.occupied();
        let mut steps = Squares::NONE;
        them.duties().iter().any(|&duty| {
            them.movers(duty).iter().any(|from| {
                steps = steps | (NEIGHBOURS[from.index()] & empty & them.ends(duty, from));
                steps.len() > 1
            })
        })
    }

    /// The squares that the piece on `from` reaches by a step or a chain of jumps, ignoring the camp rules.
    pub(super) fn reach(&self, from: Square) -> Squares {
        let occupied = self.occupied();
        let landings = JumpTargets::of(&occupied, from.quarter());
        reach(from, &occupied, &landings)
    }

    /// The pieces that `duty` allows to move.
    pub(super) fn movers(&self, duty: PlayDuty) -> Squares {
        match duty {
            PlayDuty::Unbound => self.own(),
            PlayDuty::Leave | PlayDuty::Further => self.own() & camp(self.turn),
            PlayDuty::Outside => self.own() & !camp(self.turn),
        }
    }

    fn try_under<B>(&self, duty: PlayDuty, mut visit: impl FnMut(Square, Squares) -> ControlFlow<B>) -> ControlFlow<B> {
        let occupied = self.occupied();
        let movers = self.movers(duty);
        for (quarter, pieces) in movers.0.into_iter().enumerate().filter(|&(_, pieces)| pieces != 0) {
            let landings = JumpTargets::of(&occupied, quarter);
            for from in bits(pieces).map(|bit| Square::in_quarter(quarter, bit)) {
                let ends = reach(from, &occupied, &landings) & self.ends(duty, from);
                if !ends.is_empty() {
                    visit(from, ends)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

fn reach(from: Square, occupied: &Squares, landings: &JumpTargets) -> Squares {
    let mut ends = NEIGHBOURS[from.index()] & !*occupied;
    ends.0[from.quarter()] = landings.reached_from(from);
    ends
}

/// For one quarter and each of the eight directions: the squares on which a jump can land, because they are empty and
/// the square before them is not.
pub(super) struct JumpTargets([u64; 8]);

impl JumpTargets {
    pub(super) fn of(occupied: &Squares, quarter: usize) -> Self {
        // The neighbours of this quarter's squares belong to the three other quarters; whether they have the same
        // number or the next depends on parity.
        let beside = occupied.0[quarter ^ 1];
        let above = occupied.0[quarter ^ 2];
        let across = occupied.0[quarter ^ 3];
        let (odd_x, odd_y) = (quarter & 1, (quarter >> 1) * 8);
        let (even_x, even_y) = (odd_x ^ 1, odd_y ^ 8);
        let empty = !occupied.0[quarter];
        let (eastward, westward) = (empty & !FIRST_COLUMN, empty & !LAST_COLUMN);
        Self([
            beside << even_x & eastward,
            beside >> odd_x & westward,
            above << even_y & empty,
            above >> odd_y & empty,
            across << even_x << even_y & eastward,
            across >> odd_x << even_y & westward,
            across << even_x >> odd_y & eastward,
            across >> odd_x >> odd_y & westward,
        ])
    }

    /// The squares that one more jump from `from` reaches.
    pub(super) fn after(&self, from: u64) -> u64 {
        let [east, west, south, north, south_east, south_west, north_east, north_west] = self.0;
        from << 1 & east
            | from >> 1 & west
            | from << 8 & south
            | from >> 8 & north
            | from << 9 & south_east
            | from << 7 & south_west
            | from >> 7 & north_east
            | from >> 9 & north_west
    }

    /// The squares that chains of jumps from `from` reach, without `from`.
    fn reached_from(&self, from: Square) -> u64 {
        let mut reached = from.bit();
        let mut latest = reached;
        while latest != 0 {
            latest = self.after(latest) & !reached;
            reached |= latest;
        }
        reached & !from.bit()
    }
}

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << 7;

/// The squares around each square, by its index.
pub(super) static NEIGHBOURS: [Squares; 256] = neighbours();

const fn neighbours() -> [Squares; 256] {
    let mut neighbours = [Squares::NONE; 256];
    let mut y = 0;
    while y < 16 {
        let mut x = 0;
        while x < 16 {
            neighbours[Square::at(x, y).index()] = around(x, y);
            x += 1;
        }
        y += 1;
    }
    neighbours
}

const fn around(x: u8, y: u8) -> Squares {
    let mut around = Squares::NONE;
    let mut place = 0;
    while place < 9 {
        let to = Square::new((x + place % 3).wrapping_sub(1), (y + place / 3).wrapping_sub(1));
        if let Some(square) = to
            && place != 4
        {
            around = around.with(square);
        }
        place += 1;
    }
    around
}
