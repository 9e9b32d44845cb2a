//! The laws of Star and Circle: a plain twin of the rules and of the search, the examples of the handout, the corpus,
//! the texts, and the cases that ship.

mod cases;
mod command;
mod rules;
mod solving;
mod texts;
mod twin;

use proptest::prelude::*;
use referee_games::star_circle::StarCircle;
use referee_games::{Position, Side};

/// A position from its rows, of which those that are left out at the bottom are empty.
fn drawn(rows: &[&str], side: Side) -> StarCircle {
    let mut all = vec!["0,0,0,0,0,0,0,0".as_bytes(); 8];
    for (row, cells) in all.iter_mut().zip(rows) {
        *row = cells.as_bytes();
    }
    StarCircle::from_rows(&all, side, ()).unwrap()
}

/// Any pieces on dark squares, stacks on last rows, either side to move; `density` of eight squares are taken.
fn any_position(density: u8) -> impl Strategy<Value = StarCircle> {
    let cell = (0..8_u8, any::<bool>(), 1..4_u8);
    let side = prop::sample::select(Side::BOTH.as_slice());
    (prop::collection::vec(cell, 32), side).prop_map(move |(cells, side)| {
        let mut cells = cells.into_iter();
        let rows: Vec<String> = (0..8)
            .map(|row| {
                let cell = |column: usize| match cells.next_if_dark(row, column) {
                    Some((taken, is_star, count)) if taken < density => piece(row, is_star, count),
                    _ => "0".to_owned(),
                };
                (0..8).map(cell).collect::<Vec<_>>().join(",")
            })
            .collect();
        drawn(&rows.iter().map(String::as_str).collect::<Vec<_>>(), side)
    })
}

fn piece(row: usize, is_star: bool, count: u8) -> String {
    let (letter, last_row) = if is_star { ('S', 0) } else { ('C', 7) };
    let count = if row == last_row { count } else { 1 };
    format!("{letter}{count}")
}

trait DarkCells: Iterator {
    /// The next cell, if the square by row from the top and column is dark: `H2` is, at (0, 1).
    fn next_if_dark(&mut self, row: usize, column: usize) -> Option<Self::Item> {
        if (row + column) % 2 == 1 { self.next() } else { None }
    }
}

impl<I: Iterator> DarkCells for I {}
