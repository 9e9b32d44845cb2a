//! The alpha-beta agent's view of Halma: a race. It counts the progress of the pieces, most of all those furthest
//! behind, and finally the distance of the last ones to the empty squares of the camp. The search itself is in
//! `agents/builtin/alphabeta`.

use super::places::{LAST_PIECES, Places, Race};
use super::{Halma, Move, Square};
use crate::Side;
use crate::builtin::{Depth, Plays, Searched, depth_for};
use referee_time::CpuTime;

/// A piece is worth most of all when it enters the camp; how deep it goes matters little.
const RACE: Race = Race { arrived: 0, underway: 40, camp_depth: 4 };

static PLACES: Places = Places::of(&RACE);

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

/// The key of a position, and the values of each side's squares.
#[derive(Clone, Debug)]
pub struct HalmaCache {
    key: u64,
    /// The value of each side's pieces, by [`Side::index`]: in the camp, and under way.
    arrived: [i32; 2],
    advanced: [i32; 2],
    /// The number of each side's pieces under way.
    outside: [u8; 2],
}

impl HalmaCache {
    fn put(&mut self, side: Side, square: Square, sign: i32) {
        let value = sign * PLACES.at(square, side);
        if square.is_in_camp_of(side.other()) {
            self.arrived[side.index()] += value;
        } else {
            self.advanced[side.index()] += value;
            let outside = &mut self.outside[side.index()];
            *outside = outside.wrapping_add_signed(if sign > 0 { 1 } else { -1 });
        }
        self.key ^= KEYS[side.index()][square.index()];
    }

    fn value(&self, halma: &Halma, side: Side) -> i32 {
        let index = side.index();
        if usize::from(self.outside[index]) > LAST_PIECES {
            self.arrived[index] + self.advanced[index]
        } else {
            self.arrived[index] + goal_proximity(halma, side)
        }
    }
}

impl Searched for Halma {
    type Cache = HalmaCache;

    /// Two squares of eight bits.
    const HISTORY_SIZE: usize = 1 << 16;

    fn cache(&self) -> HalmaCache {
        let mut cache =
            HalmaCache { key: SIDE_KEYS[self.turn.index()], arrived: [0; 2], advanced: [0; 2], outside: [0; 2] };
        for side in Side::BOTH {
            self.pieces(side).for_each(|square| cache.put(side, square, 1));
        }
        cache
    }

    #[inline]
    fn update(&self, cache: &mut HalmaCache, mv: Move) {
        cache.put(self.turn, mv.from, -1);
        cache.put(self.turn, mv.to, 1);
        self.update_by_pass(cache);
    }

    #[inline]
    fn update_by_pass(&self, cache: &mut HalmaCache) {
        cache.key ^= SIDE_KEYS[1];
    }

    #[inline]
    fn key(&self, cache: &HalmaCache) -> u64 {
        cache.key
    }

    #[inline]
    fn static_evaluation(&self, cache: &HalmaCache) -> i32 {
        cache.value(self, self.turn) - cache.value(self, self.turn.other()) + TEMPO
    }

    #[inline]
    fn history_index(mv: Move) -> usize {
        mv.from.index() << 8 | mv.to.index()
    }

    #[inline]
    fn ordering_score(&self, mv: Move) -> i32 {
        16 * (PLACES.at(mv.to, self.turn) - PLACES.at(mv.from, self.turn))
    }

    /// Moves that lose ground.
    #[inline]
    fn forward_pruning(&self) -> impl Fn(Move) -> bool {
        let side = self.turn;
        move |mv| PLACES.at(mv.to, side) < PLACES.at(mv.from, side)
    }

    #[inline]
    fn may_be_over(&self) -> bool {
        self.has_filled(self.turn.other())
    }
}

/// How near the last pieces are to empty squares of the camp.
fn goal_proximity(halma: &Halma, side: Side) -> i32 {
    let underway = halma.pieces(side).filter(|piece| !piece.is_in_camp_of(side.other()));
    underway.map(|piece| -RACE.way(halma.walk_to_goal(piece, side) / 2)).sum()
}

/// A number for each piece on each square; the key is their exclusive or.
static KEYS: [[u64; 256]; 2] = keys();

/// The part of each side's turn in the key.
const SIDE_KEYS: [u64; 2] = [0, mix(0x600)];

const fn keys() -> [[u64; 256]; 2] {
    let mut keys = [[0; 256]; 2];
    let mut number = 0;
    while number < 512 {
        keys[number / 256][number % 256] = mix(number as u64);
        number += 1;
    }
    keys
}

/// The finalizer of `SplitMix64`: maps distinct numbers to distinct pseudorandom ones.
const fn mix(number: u64) -> u64 {
    let mut z = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
