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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::refusal_in_words;

    /// With `O` to move there is one legal move, `f3`.
    const FEW: [&str; 12] = [
        "............",
        "............",
        "............",
        ".....X......",
        ".....X......",
        ".....O......",
        "............",
        "............",
        "............",
        "............",
        "............",
        "............",
    ];

    fn position(rows: [&str; 12], side: Side) -> DuoOthello {
        DuoOthello::from_rows(&rows.map(str::as_bytes), side, ()).unwrap()
    }

    #[test]
    fn every_refusal_says_what_and_where() {
        let start = DuoOthello::start(());
        let few = position(FEW, Side::White);
        let table = [
            (&start, "\n", "empty"),
            (
                &start,
                "c2 d5\n",
                "format extra-word: line 1, column 4: expected one square, found `c2 d5` \
                 (an answer is one square on one line, column and row without a blank between them)",
            ),
            (
                &start,
                "c2\n\nd5\n",
                "format extra-line: line 3, column 1: `d5` is an extra line \
                 (an answer is one square on one line, column and row without a blank between them)",
            ),
            (&start, "m3\n", "format not-a-square: line 1, column 1: expected a square from `a1` to `l12`, found `m3`"),
            (
                &start,
                " 10K\n",
                "format not-a-square: line 1, column 2: expected a square from `a1` to `l12`, found `10K` \
                 (the column comes first: `k10`)",
            ),
            (
                &start,
                "PASS",
                "format not-a-square: line 1, column 1: expected a square from `a1` to `l12`, found `PASS` \
                 (passes are automatic: an agent only runs when its side has a legal move)",
            ),
            (&start, "c3", "illegal occupied: line 1, column 1: `c3` is occupied by a disk of `X`"),
            (&start, "a1", "illegal flips-nothing: line 1, column 1: `a1` flips no disk of the opponent"),
            (
                &few,
                "c6",
                "illegal flips-nothing: line 1, column 1: `c6` flips no disk of the opponent \
                 (column and row swapped? `f3` is legal; legal here: `f3`)",
            ),
            (
                &few,
                "f10",
                "illegal flips-nothing: line 1, column 1: `f10` flips no disk of the opponent \
                 (row 1 is at the top; counted from the bottom it would be `f3`, which is legal; legal here: `f3`)",
            ),
            (&few, "f6", "illegal occupied: line 1, column 1: `f6` is occupied by a disk of `O` (legal here: `f3`)"),
        ];
        for (position, text, expected) in table {
            assert_eq!(refusal_in_words(position, text), expected);
        }
    }

    #[test]
    fn no_word_off_the_board_is_a_square() {
        for word in ["a13", "a0", "a01", "l20", "m1", "`5", "c", "5", "c2.", "c2,"] {
            assert!(refusal_in_words(&DuoOthello::start(()), word).starts_with("format not-a-square: "), "{word}");
        }
    }

    #[test]
    fn without_a_legal_move_the_hint_says_so() {
        let empty = position(["............"; 12], Side::Black);
        assert!(refusal_in_words(&empty, "a1").ends_with("(there is no legal move here)"));
    }

    #[test]
    fn a_capital_is_read_with_a_warning_and_refused_in_an_exact_reading() {
        let start = DuoOthello::start(());
        let answer = start.read_output(b"C2\n", Tolerance::Tolerant).unwrap();
        assert_eq!(answer.mv, Square::read(b"c2").unwrap());
        assert_eq!(answer.warnings.iter().map(|found| &*found.code).collect::<Vec<_>>(), ["square-case"]);
        assert!(matches!(start.read_output(b"C2\n", Tolerance::Exact), Err(Refusal::Format(_))));
    }

    #[test]
    fn a_wrong_input_is_refused_with_its_line() {
        let board = "............\n".repeat(12);
        let times = "line 2: expected your and your opponent's remaining seconds, both more than zero, \
                     with one blank between them, such as `300 286.46`, found ";
        let table = [
            (format!("x\n1 1\n{board}"), "line 1: expected `X` or `O`, found `x`".to_owned()),
            (format!("X\n300\n{board}"), format!("{times}`300`")),
            (format!("X\n300  1\n{board}"), format!("{times}`300  1`")),
            (format!("X\n300 0\n{board}"), format!("{times}`300 0`")),
            (format!("X\n1 2 3\n{board}"), format!("{times}`1 2 3`")),
            ("O".to_owned(), format!("{times}the end of the file")),
            (format!("O\n1 1\n{board}."), "line 3: expected 12 board rows, found 13".to_owned()),
            (
                format!("O\n1 1\n{}", board.replacen("\n.", "\nB", 1)),
                "line 4, column 1: expected one of `.XO`, found `B`".to_owned(),
            ),
            (format!("O\n1 1\n{}", board.replacen('.', "", 1)), "line 3: expected 12 squares, found 11".to_owned()),
        ];
        for (text, expected) in table {
            assert_eq!(DuoOthello::read_input(text.as_bytes(), ()).unwrap_err().to_string(), expected);
        }
    }
}
