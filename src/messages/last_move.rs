//! What the last turn did to the board, square by square.

use std::collections::BTreeMap;

use super::board::squares;
use crate::games::GameId;

/// What the last turn did to some squares: the row and the column of each, from 0 at the top and the left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastMove(BTreeMap<(usize, usize), Touched>);

/// What happened to a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touched {
    /// The piece came from here.
    Left,
    /// The piece stands here now.
    Reached,
    /// A piece was captured here.
    Taken,
    /// A piece changed its colour here.
    Turned,
}

impl LastMove {
    /// What `mv` did, by its own words and by the boards `before` and `after` it.
    ///
    /// The words say where the piece went, even where it came back to where it was; the boards say what else has
    /// changed.
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

    /// What happened to the square in `row` and `column`, if anything did.
    pub fn at(&self, row: usize, column: usize) -> Option<Touched> {
        self.0.get(&(row, column)).copied()
    }

    /// Whether anything happened of this kind.
    pub fn has(&self, kind: Touched) -> bool {
        self.0.values().any(|&touched| touched == kind)
    }
}
