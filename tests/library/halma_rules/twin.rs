//! An independent, slow implementation of the rules, from RULES.md: letters on a board, chains walked jump by jump.

use std::collections::HashSet;

use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;
use referee_games::halma::{Halma, Move, Rules, Square};
use referee_games::{Hop, Play, Position, Side};

use crate::halma_rules::boards::{START, square};

type At = (i32, i32);

pub(crate) struct Twin {
    board: Vec<Vec<char>>,
    own: char,
    rules: Rules,
}

const DIRECTIONS: [At; 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

impl Twin {
    pub(crate) fn of(position: &Halma) -> Self {
        Self {
            board: position.rows().iter().map(|row| row.chars().collect()).collect(),
            own: if position.side_to_move() == Side::Black { 'B' } else { 'W' },
            rules: position.rules(),
        }
    }

    pub(crate) fn moves(&self) -> Vec<Move> {
        let plays = self.possible_plays();
        plays
            .iter()
            .filter(|&&(from, to)| self.camps_allow(&plays, from, to))
            .map(|&(from, to)| as_move(from, to))
            .collect()
    }

    /// The move that `claim` makes, if the rules allow it; it may end where it began.
    pub(crate) fn allows(&self, claim: &Play<Square>) -> Option<Move> {
        let hops: Vec<(At, At)> = claim.hops().iter().map(|hop| (at(hop.from), at(hop.to))).collect();
        let (from, to) = (hops.first()?.0, hops.last()?.1);
        if self.letter(from) != Some(self.own) || hops.windows(2).any(|pair| pair[0].1 != pair[1].0) {
            return None;
        }
        let lifted = self.lifted(from);
        let possible = match claim {
            Play::Step(_) => lifted.steps(from).contains(&to),
            Play::Jumps(_) => hops.iter().all(|&(from, to)| lifted.jumps(from).contains(&to)),
        };
        (possible && self.camps_allow(&self.possible_plays(), from, to)).then(|| as_move(from, to))
    }

    /// A claim that is right more often than chance would have it.
    pub(crate) fn random_claim(&self, dice: &mut ChaCha8Rng) -> Play<Square> {
        let own: Vec<At> = all().filter(|&at| self.letter(at) == Some(self.own)).collect();
        let from = if dice.random_bool(0.95) { *own.choose(dice).expect("a piece") } else { anywhere(dice) };
        let lifted = self.lifted(from);
        if dice.random_bool(0.4) {
            let to = if dice.random_bool(0.7) { lifted.steps(from) } else { lifted.jumps(from) };
            return Play::Step(hop(from, to.choose(dice).copied().unwrap_or_else(|| anywhere(dice))));
        }
        let (mut hops, mut here) = (Vec::new(), from);
        for _ in 0..dice.random_range(1..7) {
            let ways = if dice.random_bool(0.95) { lifted.jumps(here) } else { lifted.steps(here) };
            let Some(&to) = ways.choose(dice) else { break };
            hops.push(hop(here, to));
            here = if dice.random_bool(0.98) { to } else { anywhere(dice) };
        }
        if hops.is_empty() {
            hops.push(hop(from, anywhere(dice)));
        }
        Play::Jumps(hops)
    }

    fn letter(&self, (x, y): At) -> Option<char> {
        let row = self.board.get(usize::try_from(y).ok()?)?;
        row.get(usize::try_from(x).ok()?).copied()
    }

    /// The board without the piece that moves.
    fn lifted(&self, (x, y): At) -> Self {
        let mut board = self.board.clone();
        board[usize::try_from(y).expect("on the board")][usize::try_from(x).expect("on the board")] = '.';
        Self { board, ..*self }
    }

    fn steps(&self, (x, y): At) -> Vec<At> {
        let steps = DIRECTIONS.iter().map(|&(dx, dy)| (x + dx, y + dy));
        steps.filter(|&to| self.letter(to) == Some('.')).collect()
    }

    fn jumps(&self, (x, y): At) -> Vec<At> {
        let taken = |at| matches!(self.letter(at), Some('B' | 'W'));
        let jumps = DIRECTIONS.iter().filter(|&&(dx, dy)| taken((x + dx, y + dy)));
        let jumps = jumps.map(|&(dx, dy)| (x + 2 * dx, y + 2 * dy));
        jumps.filter(|&to| self.letter(to) == Some('.')).collect()
    }

    /// Where each piece of the side to move can go, but for the camps and for its own square.
    fn possible_plays(&self) -> Vec<(At, At)> {
        let mut plays = Vec::new();
        for from in all().filter(|&at| self.letter(at) == Some(self.own)) {
            let lifted = self.lifted(from);
            let mut ends: HashSet<At> = lifted.steps(from).into_iter().collect();
            lifted.walk_chains(from, &mut ends);
            ends.remove(&from);
            plays.extend(ends.into_iter().map(|to| (from, to)));
        }
        plays
    }

    fn walk_chains(&self, here: At, ends: &mut HashSet<At>) {
        for to in self.jumps(here) {
            if ends.insert(to) {
                self.walk_chains(to, ends);
            }
        }
    }

    fn camps_allow(&self, plays: &[(At, At)], from: At, to: At) -> bool {
        let other = if self.own == 'B' { 'W' } else { 'B' };
        let (home, goal) = (camp(self.own), camp(other));
        if goal(from) && !goal(to) {
            return false;
        }
        if self.rules == Rules::Original {
            return true;
        }
        if !home(from) && home(to) {
            return false;
        }
        let leaves = |(from, to): (At, At)| home(from) && !home(to);
        let goes_further = |(from, to): (At, At)| home(from) && home(to) && self.is_further(from, to);
        if plays.iter().any(|&play| leaves(play)) {
            leaves((from, to))
        } else if plays.iter().any(|&play| goes_further(play)) {
            goes_further((from, to))
        } else {
            !home(from)
        }
    }

    fn is_further(&self, from: At, to: At) -> bool {
        let corner = if self.own == 'B' { (0, 0) } else { (15, 15) };
        let across = |(x, _): At| (x - corner.0).abs();
        let down = |(_, y): At| (y - corner.1).abs();
        (across(to) > across(from) && down(to) >= down(from)) || (down(to) > down(from) && across(to) >= across(from))
    }
}

/// The camp of a colour is where its pieces stand at the start.
fn camp(letter: char) -> impl Fn(At) -> bool {
    move |(x, y)| {
        let row = START[usize::try_from(y).expect("on the board")];
        row.chars().nth(usize::try_from(x).expect("on the board")) == Some(letter)
    }
}

fn all() -> impl Iterator<Item = At> {
    (0..16).flat_map(|y| (0..16).map(move |x| (x, y)))
}

fn anywhere(dice: &mut ChaCha8Rng) -> At {
    (dice.random_range(0..16), dice.random_range(0..16))
}

fn at(square: Square) -> At {
    (square.x().into(), square.y().into())
}

fn as_move(from: At, to: At) -> Move {
    let Hop { from, to } = hop(from, to);
    Move { from, to }
}

fn hop(from: At, to: At) -> Hop<Square> {
    let square = |(x, y): At| square(u8::try_from(x).expect("on the board"), u8::try_from(y).expect("on the board"));
    Hop { from: square(from), to: square(to) }
}
