//! The mirror image of a position with the colours exchanged: to an agent, the same exercise.
//!
//! All three games look the same to white when the board is turned by half and the colours are exchanged.

use crate::games::Position;

/// The board turned by half, the colours of the pieces exchanged, the other side to move.
///
/// `None` where that is no position of the game, which does not happen to positions that can be drawn and read.
pub(super) fn twin<P: Position>(position: &P) -> Option<P> {
    let rows: Vec<Vec<u8>> = position.rows().iter().rev().map(|row| turned(row)).collect();
    let rows: Vec<&[u8]> = rows.iter().map(Vec::as_slice).collect();
    P::from_rows(&rows, position.side_to_move().other(), position.rules()).ok()
}

fn turned(row: &str) -> Vec<u8> {
    row.bytes().rev().map(exchanged).collect()
}

const fn exchanged(letter: u8) -> u8 {
    match letter {
        b'b' => b'w',
        b'w' => b'b',
        b'B' => b'W',
        b'W' => b'B',
        b'X' => b'O',
        b'O' => b'X',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::halma::{Halma, Rules};
    use crate::games::othello::DuoOthello;
    use crate::games::{Side, checkers::Checkers};

    #[test]
    fn a_twin_has_as_many_moves_and_its_twin_is_the_position() {
        fn check<P: Position>(position: &P) {
            let twin_of = twin(position).unwrap();
            assert_eq!(twin_of.side_to_move(), position.side_to_move().other());
            assert_eq!(twin_of.count_moves(), position.count_moves());
            assert_eq!(twin(&twin_of).as_ref(), Some(position));
        }
        let rows = [
            ".b.....b", "b...b.b.", ".b...b.b", "..b.w...", "........", "w...w...", ".w.B...w", "w...w.w.",
        ];
        let checkers = Checkers::from_rows(&rows.map(str::as_bytes), Side::Black, ()).unwrap();
        check(&checkers);
        check(&Halma::start(Rules::Addendum));
        let mut othello = DuoOthello::start(());
        othello.play_unchecked(othello.moves()[0]);
        check(&othello);
    }

    #[test]
    fn the_start_of_checkers_is_its_own_twin_but_for_the_side_to_move() {
        let start = Checkers::start(());
        assert!(twin(&start).unwrap().same_placement(&start));
    }
}
