//! The squares of a recorded board. Drawings of boards and of last moves read them.

use referee_games::{GameRef, PieceLook, Side};

/// The content of a square: the piece and the height of its stack; `None` if empty.
pub(super) type SquareContents = Option<(PieceLook, u32)>;

/// The side of the piece on a square.
pub(super) fn side_on(square: SquareContents) -> Option<Side> {
    square.and_then(|(piece, _)| piece.side)
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
    cells.map(|row| row.into_iter().map(piece).collect()).collect()
}
