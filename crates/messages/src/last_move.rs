//! The changes on the board by the last turn, square by square. A pure function of two boards and a move; boards on
//! terminals and pages mark them.

use std::collections::BTreeMap;

use super::squares::{SquareContents, squares};
use referee_games::{GameRef, MoveForm, PieceLook};

/// The squares that the last turn changed, and the pieces that it captured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastMove {
    /// By row and column, from 0 at the top left.
    touched: BTreeMap<(usize, usize), SquareChange>,
    captured: Vec<PieceLook>,
}

/// The change of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SquareChange {
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
    /// use referee_games::GameRef;
    /// use referee_messages::{LastMove, SquareChange};
    ///
    /// let before = ["", "", "", "", "", "", ".w", "b"].map(|row| format!("{row:.<8}"));
    /// let after = ["", "", "", "", "", "..b", "", ""].map(|row| format!("{row:.<8}"));
    /// let last = LastMove::of(referee_games::checkers::ID, &before, &after, "J a1 c3");
    /// assert_eq!(last.at(5, 2), Some(SquareChange::Reached));
    /// assert_eq!(last.at(6, 1), Some(SquareChange::Taken));
    /// assert_eq!(last.at(7, 0), Some(SquareChange::Left));
    /// assert_eq!(last.captured().len(), 1);
    /// ```
    pub fn of(game: GameRef, before: &[String], after: &[String], mv: &str) -> Self {
        let (before, after) = (squares(game, before), squares(game, after));
        let mut touched = BTreeMap::new();
        for (row, (old, new)) in before.iter().zip(&after).enumerate() {
            for (column, (old, new)) in old.iter().zip(new).enumerate() {
                if old != new {
                    let what = if new.is_none() { SquareChange::Taken } else { SquareChange::Turned };
                    touched.insert((row, column), what);
                }
            }
        }
        let profile = game.profile();
        let separator = match profile.moves {
            MoveForm::StepsAndJumps { .. } => " ",
            MoveForm::Squares(separator) => separator,
        };
        let path: Vec<(usize, usize)> =
            mv.split(separator).flat_map(str::split_whitespace).filter_map(|word| profile.board.place(word)).collect();
        let captured = path.last().map_or_else(Vec::new, |&end| captured(&before, &after, end));
        if let Some(&first) = path.first() {
            touched.insert(first, SquareChange::Left);
        }
        if let Some(&last) = path.last() {
            touched.insert(last, SquareChange::Reached);
        }
        Self { touched, captured }
    }

    /// The change of the square in `row` and `column`, if any.
    pub fn at(&self, row: usize, column: usize) -> Option<SquareChange> {
        self.touched.get(&(row, column)).copied()
    }

    /// The pieces that the move captured.
    pub fn captured(&self) -> &[PieceLook] {
        &self.captured
    }

    /// Whether there is a change of this kind.
    pub fn has(&self, kind: SquareChange) -> bool {
        self.touched.values().any(|&touched| touched == kind)
    }
}

/// The pieces of the other side that are gone after the move of a piece to `end`. One that changed its colour is not.
fn captured(before: &[Vec<SquareContents>], after: &[Vec<SquareContents>], end: (usize, usize)) -> Vec<PieceLook> {
    let at = |board: &[Vec<SquareContents>], (row, column): (usize, usize)| {
        board.get(row)?.get(column)?.map(|(piece, _)| piece)
    };
    let Some(mover) = at(after, end) else {
        return Vec::new();
    };
    let Some(own) = mover.side else {
        return Vec::new();
    };
    let squares =
        before.iter().enumerate().flat_map(|(row, squares)| (0..squares.len()).map(move |column| (row, column)));
    squares
        .filter(|&square| square == end || at(after, square).is_none())
        .filter_map(|square| at(before, square))
        .filter(|piece| piece.side == Some(own.other()))
        .collect()
}
