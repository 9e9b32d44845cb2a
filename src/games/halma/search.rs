//! The alpha-beta agent's view of Halma: a race. It counts the progress of the pieces, most of all those furthest
//! behind, and finally the distance of the last ones to the vacancies. The search itself is in
//! `agents/builtin/alphabeta`.

use super::{Halma, Move, Square};
use crate::agents::builtin::{Depth, Plays, SearchNode, Searched, depth_for};
use crate::games::{Position, Side};
use crate::time::CpuTime;

/// Each row or column by which a piece in the opposing camp could be deeper.
const SHALLOW: i32 = 4;
/// A piece outside the opposing camp.
const UNDERWAY: i32 = 40;
/// Each row or column off the diagonal between the corners, where there is the most company to jump over.
const ASTRAY: i32 = 2;
/// The part of the way to the far corner that lies within the camp.
const CAMP_DEPTH: i32 = 4;
/// With at most this many pieces under way, they head for vacancies.
const LAST_PIECES: usize = 6;
/// Having the move.
const TEMPO: i32 = 12;

impl Plays for Halma {
    /// Never three plies: with up to 240 moves per side they took 0.2 s per move and 1 s at worst. That is no danger to
    /// the clock, but half a minute for each of the thousands of games of a grading; two plies take 2 ms, 5 ms at
    /// worst, a second per game.
    fn depth_for(own: CpuTime) -> Depth {
        depth_for(own).min(Depth::TWO)
    }
}

impl Searched for Halma {
    type Node = HalmaNode;
}

/// A position with cached key and values of each side's squares.
#[derive(Clone, Debug)]
pub struct HalmaNode {
    halma: Halma,
    key: u64,
    /// The value of each side's pieces, by [`Side::index`]: in the camp, and under way.
    arrived: [i32; 2],
    advanced: [i32; 2],
    /// The number of each side's pieces under way.
    outside: [u8; 2],
}

impl HalmaNode {
    fn put(&mut self, side: Side, square: Square, sign: i32) {
        let worth = sign * place(square, side);
        if square.is_in_camp_of(side.other()) {
            self.arrived[side.index()] += worth;
        } else {
            self.advanced[side.index()] += worth;
            let outside = &mut self.outside[side.index()];
            *outside = outside.wrapping_add_signed(if sign > 0 { 1 } else { -1 });
        }
        self.key ^= KEYS[side.index()][square.index()];
    }

    fn worth(&self, side: Side) -> i32 {
        let index = side.index();
        if usize::from(self.outside[index]) > LAST_PIECES {
            self.arrived[index] + self.advanced[index]
        } else {
            self.arrived[index] + pulls(&self.halma, side)
        }
    }
}

impl SearchNode for HalmaNode {
    type Position = Halma;

    /// Two squares of eight bits.
    const SLOTS: usize = 1 << 16;

    fn enter(position: &Halma) -> Self {
        let mut node = Self {
            halma: position.clone(),
            key: side_key(position.side_to_move()),
            arrived: [0; 2],
            advanced: [0; 2],
            outside: [0; 2],
        };
        for side in Side::BOTH {
            position.pieces(side).for_each(|square| node.put(side, square, 1));
        }
        node
    }

    #[inline]
    fn position(&self) -> &Halma {
        &self.halma
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        let side = self.halma.side_to_move();
        self.halma.play_unchecked(mv);
        self.put(side, mv.from, -1);
        self.put(side, mv.to, 1);
        self.key ^= SIDE_KEY;
    }

    fn pass(&mut self) {
        self.halma.pass();
        self.key ^= SIDE_KEY;
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn evaluate(&self) -> i32 {
        let side = self.halma.side_to_move();
        self.worth(side) - self.worth(side.other()) + TEMPO
    }

    #[inline]
    fn slot(mv: Move) -> usize {
        mv.from.index() << 8 | mv.to.index()
    }

    #[inline]
    fn promise(&self, mv: Move) -> i32 {
        let side = self.halma.side_to_move();
        16 * (place(mv.to, side) - place(mv.from, side))
    }

    /// Moves that lose ground.
    #[inline]
    fn hopeless(&self) -> impl Fn(Move) -> bool {
        let side = self.halma.side_to_move();
        move |mv| place(mv.to, side) < place(mv.from, side)
    }

    #[inline]
    fn may_be_over(&self) -> bool {
        self.halma.has_filled(self.halma.side_to_move().other())
    }
}

/// How near the last pieces are to vacancies.
fn pulls(halma: &Halma, side: Side) -> i32 {
    let corner = Square::CORNERS[side.other().index()];
    halma
        .pieces(side)
        .filter(|piece| !piece.is_in_camp_of(side.other()))
        .map(|piece| {
            let walks = halma.vacancies(side).map(|vacancy| i32::from(piece.walk_to(vacancy)));
            -way(walks.min().unwrap_or_else(|| i32::from(piece.walk_to(corner))) / 2)
        })
        .sum()
}

/// The value of this many rows and columns to go: a piece far behind has nobody to jump over.
const fn way(to_go: i32) -> i32 {
    UNDERWAY + 10 * to_go + to_go * to_go / 2
}

/// The value of a piece of `side` on `square`.
fn place(square: Square, side: Side) -> i32 {
    PLACES[square.as_of_black(side).index()]
}

/// The value of a black piece on each square, by [`Square::index`].
static PLACES: [i32; 256] = places();

const fn places() -> [i32; 256] {
    let mut places = [0; 256];
    let mut index = 0;
    while index < places.len() {
        #[expect(clippy::cast_possible_truncation, reason = "there are 256 squares")]
        let square = Square::of_index(index as u8);
        places[index] = place_of_black(square);
        index += 1;
    }
    places
}

const fn place_of_black(square: Square) -> i32 {
    let (x, y) = (square.x() as i32, square.y() as i32);
    let to_go = 30 - x - y;
    if square.is_in_camp_of(Side::White) {
        -SHALLOW * to_go
    } else {
        let before_camp = if to_go > CAMP_DEPTH { to_go - CAMP_DEPTH } else { 1 };
        -(way(before_camp) + ASTRAY * (x - y).abs())
    }
}

/// A number for each piece on each square; the key is their exclusive or.
static KEYS: [[u64; 256]; 2] = keys();

/// The difference of keys by the side to move.
const SIDE_KEY: u64 = stirred(0x600);

const fn side_key(side: Side) -> u64 {
    match side {
        Side::Black => 0,
        Side::White => SIDE_KEY,
    }
}

const fn keys() -> [[u64; 256]; 2] {
    let mut keys = [[0; 256]; 2];
    let mut number = 0;
    while number < 512 {
        keys[number / 256][number % 256] = stirred(number as u64);
        number += 1;
    }
    keys
}

/// The finalizer of `SplitMix64`: maps distinct numbers to distinct pseudorandom ones.
const fn stirred(number: u64) -> u64 {
    let mut z = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
