//! Which moves to try first, and which at all where there are many: known by their texts alone. `tree` asks it.
//!
//! Nothing here knows the game. A move is promising if the same text gained much elsewhere, by the change of the
//! evaluation, if it refuted other moves, or if its squares are near those of the moves just made.

use std::cmp::Reverse;
use std::collections::HashMap;

use referee_games::{BoardLook, Cells, Side};

/// Where there are at most so many moves, all are looked at.
pub(super) const FEW_MOVES: usize = 24;
/// Otherwise so many that gained the most elsewhere, ...
const GAINED: usize = 14;
/// ... and so many near the moves just made.
const NEAR: usize = 14;
/// So near, in rows and columns.
const REACH: usize = 2;

/// A move, as a number for its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct MoveId(usize);

#[derive(Debug)]
struct KnownMove {
    text: String,
    squares: Vec<(usize, usize)>,
    /// What it last gained for each side, by the evaluation.
    gains: [Option<i32>; 2],
    /// How much it refuted, for each side.
    refuted: [u32; 2],
}

/// What is known of all moves met so far.
#[derive(Debug)]
pub(super) struct MoveOrdering {
    board: &'static BoardLook,
    ids: HashMap<String, MoveId>,
    moves: Vec<KnownMove>,
}

impl MoveOrdering {
    pub(super) fn new(board: &'static BoardLook) -> Self {
        Self { board, ids: HashMap::new(), moves: Vec::new() }
    }

    /// The text of a move.
    pub(super) fn text(&self, mv: MoveId) -> &str {
        &self.moves[mv.0].text
    }

    /// The move of that text.
    pub(super) fn id(&mut self, text: &str) -> MoveId {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = MoveId(self.moves.len());
        self.ids.insert(text.to_owned(), id);
        let squares = self.squares(text);
        self.moves.push(KnownMove { text: text.to_owned(), squares, gains: [None; 2], refuted: [0; 2] });
        id
    }

    /// The squares that the text names, whatever stands between them.
    fn squares(&self, text: &str) -> Vec<(usize, usize)> {
        let is_sign = |c: char| !(c.is_ascii_alphanumeric() || c == ',');
        text.split(is_sign).filter_map(|word| self.board.place(word)).collect()
    }

    /// Puts the moves first that are nearest to a piece on the board, without changing the order of the others.
    pub(super) fn sort_by_neighbours(&self, moves: &mut [MoveId], rows: &[String]) {
        let Cells::Letters { empty } = self.board.cells else { return };
        let of_row = |(row, text): (usize, &String)| {
            let pieces = text.chars().enumerate().filter(|(_, letter)| *letter != empty);
            pieces.map(|(column, _)| (row, column)).collect::<Vec<_>>()
        };
        let pieces: Vec<(usize, usize)> = rows.iter().enumerate().flat_map(of_row).collect();
        moves.sort_by_cached_key(|mv| nearest(&self.moves[mv.0].squares, &pieces).unwrap_or(usize::MAX));
    }

    /// Notes what a move gained for `side`.
    pub(super) fn gained(&mut self, mv: MoveId, side: Side, gain: i32) {
        self.moves[mv.0].gains[side.index()] = Some(gain);
    }

    /// Notes that a move of `side` refuted another, in a search of so many plies.
    pub(super) fn refuted(&mut self, mv: MoveId, side: Side, plies: usize) {
        let count = &mut self.moves[mv.0].refuted[side.index()];
        *count = count.saturating_add(u32::try_from(plies * plies).unwrap_or(u32::MAX));
    }

    /// How promising a move of `side` is, the greater the more.
    pub(super) fn promise(&self, mv: MoveId, side: Side) -> (i32, u32) {
        let known = &self.moves[mv.0];
        // What gains for one side often does for the other.
        let gain = known.gains[side.index()].or(known.gains[side.other().index()]);
        (gain.unwrap_or(i32::MIN), known.refuted[side.index()])
    }

    /// The moves of `side` that are worth a look after the moves `last`: all where they are few.
    pub(super) fn candidates(&self, moves: &[MoveId], side: Side, last: &[MoveId], killers: &[MoveId]) -> Vec<MoveId> {
        let mut sorted = moves.to_vec();
        sorted.sort_by_key(|&mv| Reverse(self.promise(mv, side)));
        if moves.len() <= FEW_MOVES {
            return sorted;
        }
        let mut chosen: Vec<MoveId> = killers.iter().copied().filter(|mv| moves.contains(mv)).collect();
        let take = |most: usize, chosen: &mut Vec<MoveId>, fits: &dyn Fn(MoveId) -> bool| {
            let new = sorted.iter().copied().filter(|&mv| fits(mv) && !chosen.contains(&mv));
            let new: Vec<MoveId> = new.take(most).collect();
            chosen.extend(new);
        };
        take(GAINED, &mut chosen, &|_| true);
        let near = |distance: usize| move |mv| last.iter().any(|&last| self.distance(mv, last) == Some(distance));
        for distance in 1..=REACH {
            let most = NEAR / REACH;
            take(most, &mut chosen, &near(distance));
        }
        chosen
    }

    /// How far the nearest squares of two moves are apart.
    fn distance(&self, one: MoveId, other: MoveId) -> Option<usize> {
        nearest(&self.moves[one.0].squares, &self.moves[other.0].squares)
    }
}

/// How far the nearest of two groups of squares are apart, in rows or columns.
fn nearest(ones: &[(usize, usize)], others: &[(usize, usize)]) -> Option<usize> {
    let pairs = ones.iter().flat_map(|one| others.iter().map(move |other| (one, other)));
    pairs.map(|(one, other)| one.0.abs_diff(other.0).max(one.1.abs_diff(other.1))).min()
}
