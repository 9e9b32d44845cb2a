//! The texts of Duo-Othello (handout of Spring 2024, "File formats"). `protocol` calls it through [`Texts`].
//!
//! `input.txt` is the side, both clocks, the board:
//! ```text
//! X
//! 300 286.46
//! ............
//! ............
//! ..XO........
//!      ⋮
//! ```
//! `output.txt` is one square: `c2`.

use super::profile::PROFILE;
use super::reasons::{EMPTY_SQUARE, FLIP_SOMETHING, ONE_SQUARE, SQUARE_NAMES};
use super::{DuoOthello, Square};
use crate::protocol::finding::Refusal;
use crate::protocol::lines::FormatDeviations;
use crate::protocol::respell::{WrittenSquare, column_first, few_legal_moves};
use crate::protocol::squares::{read_squares, respelt};
use crate::protocol::{Answer, InputText, Texts, Tolerance};
use crate::{Position, Profile, RuleText, Side, Violation};

const THE_FORM: &str = "an answer is one square on one line, column and row without a blank between them";

impl Texts for DuoOthello {
    const PROFILE: &'static Profile = &PROFILE;

    const INPUT: InputText<Self> = InputText::SIDE_CLOCKS_BOARD;

    fn read_output(&self, text: &[u8], tolerance: Tolerance) -> Result<Answer<Square>, Refusal> {
        let mut departures = FormatDeviations::new(tolerance);
        let ([mv], place) = read_squares(text, &mut departures, &ONE_SQUARE, THE_FORM)?;
        if !self.is_legal(mv) {
            return Err(Refusal::illegal(why_illegal(self, mv), Some(place), hint(self, mv)));
        }
        Ok(departures.into_answer(mv, text, || self.write_move(mv)))
    }
}

impl WrittenSquare for Square {
    const EXPECTED: &'static str = "a square from `a1` to `l12`";

    const NAMES: &'static RuleText = &SQUARE_NAMES;

    fn read(word: &[u8]) -> Option<Self> {
        Self::read(word)
    }

    fn misunderstood(word: &[u8]) -> Option<String> {
        column_first::<Self>(word).or_else(|| respelt::<Self, 1>(word))
    }
}

fn why_illegal(position: &DuoOthello, square: Square) -> Violation {
    let mut sides = Side::BOTH.into_iter();
    match sides.find(|&side| position.disks(side).contains(square)) {
        Some(side) => {
            let disk = DuoOthello::side_name(side);
            EMPTY_SQUARE.violated("occupied", format!("`{square}` is occupied by a disk of `{disk}`"))
        }
        None => FLIP_SOMETHING.violated("flips-nothing", format!("`{square}` flips no disk of the opponent")),
    }
}

fn hint(position: &DuoOthello, square: Square) -> Option<String> {
    let hints = [misread_coordinates(position, square), few_legal_moves(position)];
    let hints: Vec<String> = hints.into_iter().flatten().collect();
    (!hints.is_empty()).then(|| hints.join("; "))
}

/// The intended move of an agent with other coordinates, if legal.
fn misread_coordinates(position: &DuoOthello, square: Square) -> Option<String> {
    let [swapped, upwards] = [square.transposed(), square.upside_down()];
    if position.is_legal(swapped) {
        return Some(format!("column and row swapped? `{swapped}` is legal"));
    }
    position
        .is_legal(upwards)
        .then(|| format!("row 1 is at the top; counted from the bottom it would be `{upwards}`, which is legal"))
}
