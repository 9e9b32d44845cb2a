//! The changes on the board by the last turn, square by square. A pure function of two boards and a move; boards on
//! terminals and pages mark them.

use std::collections::BTreeMap;

use super::squares::squares;
use crate::games::GameId;

/// The squares that the last turn changed: row and column of each, from 0 at the top left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastMove(BTreeMap<(usize, usize), Touched>);

/// The change of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touched {
    /// The piece left this square.
    Left,
    /// The piece is here now.
    Reached,
    /// A piece was captured here.
    Taken,
    /// A piece changed its colour here.
    Turned,
}

impl LastMove {
    /// The changes by `mv`, from its text and from the boards `before` and `after` it.
    ///
    /// The text shows the path of the piece, even if it returned to its start; the boards show all other changes.
    ///
    /// ```
    /// use referee::games::GameId;
    /// use referee::messages::{LastMove, Touched};
    ///
    /// let before = ["", "", "", "", "", "", ".w", "b"].map(|row| format!("{row:.<8}"));
    /// let after = ["", "", "", "", "", "..b", "", ""].map(|row| format!("{row:.<8}"));
    /// let last = LastMove::of(referee::games::checkers::ID, &before, &after, "J a1 c3");
    /// assert_eq!(last.at(5, 2), Some(Touched::Reached));
    /// assert_eq!(last.at(6, 1), Some(Touched::Taken));
    /// assert_eq!(last.at(7, 0), Some(Touched::Left));
    /// ```
    pub fn of(game: GameId, before: &[String], after: &[String], mv: &str) -> Self {
        let (before, after) = (squares(game, before), squares(game, after));
        let mut touched = BTreeMap::new();
        for (row, (old, new)) in before.iter().zip(&after).enumerate() {
            for (column, (old, new)) in old.iter().zip(new).enumerate() {
                if old != new {
                    let what = if new.is_empty() {
                        Touched::Taken
                    } else {
                        Touched::Turned
                    };
                    touched.insert((row, column), what);
                }
            }
        }
        let named = &game.profile().board;
        let path: Vec<(usize, usize)> = mv
            .split(|separator: char| separator.is_whitespace() || separator == '-')
            .filter_map(|word| named.place(word))
            .collect();
        if let Some(&first) = path.first() {
            touched.insert(first, Touched::Left);
        }
        if let Some(&last) = path.last() {
            touched.insert(last, Touched::Reached);
        }
        Self(touched)
    }

    /// The change of the square in `row` and `column`, if any.
    pub fn at(&self, row: usize, column: usize) -> Option<Touched> {
        self.0.get(&(row, column)).copied()
    }

    /// Whether there is a change of this kind.
    pub fn has(&self, kind: Touched) -> bool {
        self.0.values().any(|&touched| touched == kind)
    }
}
