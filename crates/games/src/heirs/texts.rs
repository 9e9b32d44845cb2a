//! The texts of Heirs (handout of Spring 2026). `protocol` calls it through [`Texts`]; legality is judged in `judge`.
//!
//! `input.txt` is the side, both clocks, the board:
//! ```text
//! WHITE
//! 300 286.46
//! gytsnxpnstyg
//! bbbbbbbbbbbb
//! ............
//!      ⋮
//! ```
//! `output.txt` is one line, source and destination: `c2 c4`.

use super::profile::PROFILE;
use super::reasons::{SQUARE_NAMES, TWO_SQUARES};
use super::{Heirs, HeirsBoard, Move, Square};
use crate::protocol::finding::Refusal;
use crate::protocol::lines::FormatDeviations;
use crate::protocol::respell::{WrittenSquare, column_first, listed, of_the_opponent};
use crate::protocol::squares::read_squares;
use crate::protocol::{Answer, InputText, Texts, Tolerance};
use crate::{Position, Profile, RuleText, SquareBoard};

const COLUMNS: &[&str] = HeirsBoard::LOOK.columns;

/// The maximum number of squares in a hint.
const LISTED_SQUARES: usize = 9;

const THE_FORM: &str = "an answer is two squares on one line, such as `c2 c4`";

impl Texts for Heirs {
    const PROFILE: &'static Profile = &PROFILE;

    const INPUT: InputText<Self> = InputText::SIDE_CLOCKS_BOARD;

    fn read_output(&self, text: &[u8], tolerance: Tolerance) -> Result<Answer<Move>, Refusal> {
        let mut departures = FormatDeviations::new(tolerance);
        let ([from, to], place) = read_squares(text, &mut departures, &TWO_SQUARES, THE_FORM)?;
        let mv = Move { from, to };
        self.judge(mv).map_err(|reason| Refusal::illegal(reason, Some(place), hint(self, mv)))?;
        Ok(departures.into_answer(mv, text, || self.write_move(mv)))
    }
}

impl WrittenSquare for Square {
    const EXPECTED: &'static str = "a square from `a1` to `n12`, whose columns are `abcdefghjkmn`";

    const NAMES: &'static RuleText = &SQUARE_NAMES;

    const NO_PASS: &'static str = "there is no pass: an agent only runs when its side has a legal move";

    fn read(word: &[u8]) -> Option<Self> {
        Self::read(word)
    }

    /// The most frequent mistake is a nonexistent column: counting letters leads to `i` and `l`.
    fn misunderstood(word: &[u8]) -> Option<String> {
        let word = word.to_ascii_lowercase();
        let (&letter, number) = word.split_first()?;
        if matches!(letter, b'i' | b'l') {
            let column = usize::from(letter - b'a');
            let meant = Self::read(&[COLUMNS[column].as_bytes(), number].concat())?;
            let (letter, ordinal) = (char::from(letter), column + 1);
            return Some(format!("there is no column `{letter}`: column {ordinal} from the left is `{meant}`"));
        }
        column_first::<Self>(&word)
    }
}

/// The probable misunderstandings, or the possible moves of the piece.
///
/// Near the start, a move of the opponent is often one of this side, too, with the rows counted from the top.
fn hint(position: &Heirs, mv: Move) -> Option<String> {
    let theirs = of_the_opponent(position, |theirs| theirs.judge(mv).is_ok());
    let hints: Vec<String> = theirs.into_iter().chain(miscounted(position, mv)).collect();
    let is_own_piece = position.pieces(position.side_to_move()).contains(mv.from);
    let targets = || is_own_piece.then(|| targets(position, mv.from));
    if hints.is_empty() { targets() } else { Some(hints.join("; ")) }
}

/// The intended move of an agent that counts rows from the top, or uses the first twelve letters as columns.
fn miscounted(position: &Heirs, mv: Move) -> Option<String> {
    let by_letter = |square: Square| {
        let letter = COLUMNS[usize::from(square.column())].as_bytes()[0];
        Square::new(letter - b'a', square.row())
    };
    let legal = |meant: Option<Move>| meant.filter(|&meant| position.judge(meant).is_ok());
    if let Some(meant) = legal(mv.respelt(|square| Some(square.upside_down()))) {
        return Some(format!("row 1 is at the bottom; counted from the top it would be `{meant}`, which is legal"));
    }
    let meant = legal(mv.respelt(by_letter))?;
    Some(format!("there are no columns `i` and `l`; without them it would be `{meant}`, which is legal"))
}

/// The possible destinations of the piece on `from`.
fn targets(position: &Heirs, from: Square) -> String {
    let moves = position.moves().into_iter().filter(|mv| mv.from == from);
    let mut targets: Vec<Square> = moves.map(|mv| mv.to).collect();
    if targets.is_empty() {
        return format!("the piece on `{from}` has no legal move");
    }
    targets.sort_unstable();
    let more = if targets.len() > LISTED_SQUARES { ", ..." } else { "" };
    let targets = listed(targets.iter().take(LISTED_SQUARES));
    format!("from `{from}` it can go to {targets}{more}")
}
