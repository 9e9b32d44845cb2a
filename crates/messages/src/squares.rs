//! The squares of a recorded board. Drawings of boards and of last moves read them.

use referee_games::{GameRef, PieceLook, Side};

/// The content of a square: the piece and, for a stack, its height; `None` if empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SquareContents(Option<(PieceLook, u32)>);

impl SquareContents {
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The piece, if there is one.
    pub(super) fn piece(&self) -> Option<PieceLook> {
        self.0.map(|(piece, _)| piece)
    }

    /// The letter of the piece.
    pub(super) fn letter(&self) -> Option<char> {
        self.0.map(|(piece, _)| piece.shown)
    }

    /// The side of the piece.
    pub(super) fn side(&self) -> Option<Side> {
        self.0.and_then(|(piece, _)| piece.side)
    }

    /// The height of a stack, if above one.
    pub(super) fn count(&self) -> String {
        match self.0 {
            Some((_, count @ 2..)) => count.to_string(),
            Some(_) | None => String::new(),
        }
    }
}

/// The squares of a board from a record.
pub(super) fn squares(game: GameRef, rows: &[String]) -> Vec<Vec<SquareContents>> {
    let profile = game.profile();
    let piece = |cell: Option<(char, u32)>| {
        let (letter, count) = cell?;
        // A record may contain anything: an unknown letter is shown as itself.
        let unknown = PieceLook::disk(letter, Side::Black);
        Some((profile.piece(letter).copied().unwrap_or(unknown), count))
    };
    let cells = profile.cells(rows.iter().map(String::as_str)).into_iter();
    cells.map(|row| row.into_iter().map(|cell| SquareContents(piece(cell))).collect()).collect()
}
