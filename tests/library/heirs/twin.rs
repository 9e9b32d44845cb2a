//! An independent, slow implementation of the rules, from RULES.md section 7: letters on a board, each piece tried on
//! each square.

use referee_games::heirs::{Heirs, Move, Square};
use referee_games::{Position, Side};

const COLUMNS: &str = "abcdefghjkmn";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Twin {
    /// The letters by row from the top and column from the left.
    board: Vec<Vec<char>>,
    side: Side,
}

/// A row from the top and a column from the left.
type At = (i32, i32);

impl Twin {
    pub(crate) fn of(position: &Heirs) -> Self {
        Self { board: position.rows().iter().map(|row| row.chars().collect()).collect(), side: position.side_to_move() }
    }

    /// All legal moves as they are written, in the order of the alphabet.
    pub(crate) fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.has_both_princes() {
            for from in all().filter(|&at| self.is_own(at)) {
                let targets = all().filter(|&to| self.can_go(from, to));
                moves.extend(targets.map(|to| format!("{} {}", name(from), name(to))));
            }
        }
        moves.sort_unstable();
        moves
    }

    pub(crate) fn play(&self, mv: &str) -> Self {
        let (from, to) = mv.split_once(' ').expect("two squares");
        let (from, to) = (place(from), place(to));
        let mut next = self.clone();
        next.board[index(to.0)][index(to.1)] = self.letter(from);
        next.board[index(from.0)][index(from.1)] = '.';
        next.side = self.side.other();
        next
    }

    pub(crate) fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => self.moves().iter().map(|mv| self.play(mv).perft(depth - 1)).sum(),
        }
    }

    pub(crate) fn has_both_princes(&self) -> bool {
        let stands = |letter| self.board.iter().flatten().any(|&there| there == letter);
        stands('P') && stands('p')
    }

    fn letter(&self, (row, column): At) -> char {
        self.board[index(row)][index(column)]
    }

    fn is_empty(&self, at: At) -> bool {
        self.letter(at) == '.'
    }

    fn is_own(&self, at: At) -> bool {
        match self.side {
            Side::White => self.letter(at).is_ascii_uppercase(),
            Side::Black => self.letter(at).is_ascii_lowercase(),
        }
    }

    fn can_go(&self, from: At, to: At) -> bool {
        if from == to || self.is_own(to) {
            return false;
        }
        let (down, right) = (to.0 - from.0, to.1 - from.1);
        let forward = match self.side {
            Side::White => -down,
            Side::Black => down,
        };
        let distance = down.abs().max(right.abs());
        let is_straight = down == 0 || right == 0;
        let is_diagonal = down.abs() == right.abs();
        let is_clear = (is_straight || is_diagonal)
            && (1..distance).all(|step| self.is_empty((from.0 + down.signum() * step, from.1 + right.signum() * step)));
        match self.letter(from).to_ascii_uppercase() {
            'B' => right == 0 && (1..=2).contains(&forward) && is_clear,
            'P' => distance == 1,
            'X' => distance <= 3 && is_clear,
            'Y' => distance == 1 && is_diagonal,
            'G' => is_straight && distance <= 2 && is_clear,
            'T' => is_diagonal && distance <= 2 && is_clear,
            'S' => (1..=3).contains(&forward) && right.abs() <= 1,
            'N' => distance == 1 && all().any(|other| other != from && self.is_own(other) && are_adjacent(other, to)),
            letter => panic!("not a piece: {letter}"),
        }
    }
}

fn are_adjacent(a: At, b: At) -> bool {
    (a.0 - b.0).abs().max((a.1 - b.1).abs()) == 1
}

fn all() -> impl Iterator<Item = At> {
    (0..12).flat_map(|row| (0..12).map(move |column| (row, column)))
}

fn index(number: i32) -> usize {
    usize::try_from(number).expect("on the board")
}

fn name((row, column): At) -> String {
    let letter = COLUMNS.chars().nth(index(column)).expect("on the board");
    format!("{letter}{}", 12 - row)
}

fn place(name: &str) -> At {
    let column = COLUMNS.find(&name[..1]).expect("a column");
    let row: i32 = name[1..].parse().expect("a row");
    (12 - row, i32::try_from(column).expect("a column"))
}

/// The legal moves of the fast rules as they are written, in the order of the alphabet.
pub(crate) fn written(position: &Heirs) -> Vec<String> {
    let mut moves: Vec<String> = position.moves().iter().map(|Move { from, to }| format!("{from} {to}")).collect();
    moves.sort_unstable();
    moves
}

pub(crate) fn square(name: &str) -> Square {
    Square::read(name.as_bytes()).expect("a square")
}

pub(crate) fn read_move(mv: &str) -> Move {
    let (from, to) = mv.split_once(' ').expect("two squares");
    Move { from: square(from), to: square(to) }
}
