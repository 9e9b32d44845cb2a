//! The mirror image of a position with exchanged sides: the same exercise for an agent. A pure function;
//! [`super::Series`] calls it.
//!
//! A game looks the same to the other side when the board is rotated by half a turn and each piece changes sides.

use crate::Profile;
use crate::protocol::Texts;

/// The board rotated by half a turn, each piece exchanged for the other side's, and the other side to move.
///
/// `None` if that is no position of the game, which does not happen for positions that can be drawn and read.
pub(crate) fn twin<P: Texts>(position: &P) -> Option<P> {
    let setup = position.setup();
    // A game may also draw an earlier board; the rest after the boards is no board.
    let boards = setup.chunks_exact(P::PROFILE.board.rows.len());
    let rest = boards.remainder().to_vec();
    let turned = boards.flat_map(|board| board.iter().rev().map(|row| turned(row, P::PROFILE)));
    let rows: Vec<String> = turned.chain(rest).collect();
    let rows: Vec<&[u8]> = rows.iter().map(String::as_bytes).collect();
    P::from_rows(&rows, position.side_to_move().other(), position.rules()).ok()
}

fn turned(row: &str, profile: &Profile) -> String {
    row.chars().rev().map(|letter| exchanged(letter, profile)).collect()
}

/// The letter of the other side's piece of the same kind; an empty square is unchanged.
fn exchanged(letter: char, profile: &Profile) -> char {
    let Some(piece) = profile.piece(letter) else {
        return letter;
    };
    let mut others = profile.pieces.iter().filter(|other| other.side != piece.side);
    others.find(|other| other.word == piece.word).map_or(letter, |other| other.letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::{TurnRng, choose_random};
    use crate::halma::{Halma, Rules};
    use crate::{Position, Side};
    use crate::{checkers::Checkers, heirs::Heirs, little_go::LittleGo, othello::DuoOthello};

    fn check<P: Texts>(position: &P) {
        let twin_of = twin(position).unwrap();
        assert_eq!(twin_of.side_to_move(), position.side_to_move().other());
        assert_eq!(twin_of.count_moves(), position.count_moves(), "{position:?}");
        assert_eq!(twin(&twin_of).map(|again| again.setup()), Some(position.setup()));
    }

    fn check_a_game<P: Texts>(rules: P::Rules) {
        let mut position = P::start(rules);
        for ply in 0..20 {
            check(&position);
            let Some(mv) = choose_random(&position, &mut TurnRng::new(1, ply)) else {
                break;
            };
            position.play_unchecked(mv);
        }
    }

    #[test]
    fn a_twin_has_as_many_moves_and_its_twin_is_the_position() {
        let rows = [".b.....b", "b...b.b.", ".b...b.b", "..b.w...", "........", "w...w...", ".w.B...w", "w...w.w."];
        check(&Checkers::from_rows(&rows.map(str::as_bytes), Side::Black, ()).unwrap());
        check_a_game::<Checkers>(());
        check_a_game::<Halma>(Rules::Addendum);
        check_a_game::<DuoOthello>(());
        check_a_game::<Heirs>(());
        check_a_game::<LittleGo>(());
    }
}
