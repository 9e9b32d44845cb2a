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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Side;
    use crate::protocol::refusal_in_words;

    /// White: Prince `a1`, Baby `c2`, Scout `g3`, Sibling `k5`, Guard `e2` behind a Baby `e3`, Princess `n1`; black:
    /// Prince `a12`, Baby `c5`.
    const BOARD: [&str; 12] = [
        "p...........",
        "............",
        "............",
        "............",
        "............",
        "............",
        "............",
        "..b......N..",
        "............",
        "....B.S.....",
        "..B.G.......",
        "P..........X",
    ];

    fn position() -> Heirs {
        Heirs::from_rows(&BOARD.map(str::as_bytes), Side::White, ()).unwrap()
    }

    fn said(text: &str) -> String {
        refusal_in_words(&position(), text)
    }

    #[test]
    fn every_wrong_format_says_what_and_where() {
        let table = [
            ("\n", "empty"),
            (
                "c2\n",
                "format missing-word: line 1, column 1: expected two squares, found `c2` \
                 (an answer is two squares on one line, such as `c2 c4`)",
            ),
            (
                "c2c4",
                "format missing-word: line 1, column 1: expected two squares, found `c2c4` (write `c2 c4` and nothing \
                 else)",
            ),
            (
                "E c2 c4",
                "format extra-word: line 1, column 6: expected two squares, found `E c2 c4` (write `c2 c4` and nothing \
                 else)",
            ),
            (
                "c2 c4\nc4 c5",
                "format extra-line: line 2, column 1: `c4 c5` is an extra line \
                 (an answer is two squares on one line, such as `c2 c4`)",
            ),
            (
                "PASS",
                "format missing-word: line 1, column 1: expected two squares, found `PASS` \
                 (there is no pass: an agent only runs when its side has a legal move)",
            ),
            (
                "h2 i4",
                "format not-a-square: line 1, column 4: expected a square from `a1` to `n12`, whose columns are \
                 `abcdefghjkmn`, found `i4` (there is no column `i`: column 9 from the left is `j4`)",
            ),
            (
                "L1 l2",
                "format not-a-square: line 1, column 1: expected a square from `a1` to `n12`, whose columns are \
                 `abcdefghjkmn`, found `L1` (there is no column `l`: column 12 from the left is `n1`)",
            ),
            (
                "2c 4c",
                "format not-a-square: line 1, column 1: expected a square from `a1` to `n12`, whose columns are \
                 `abcdefghjkmn`, found `2c` (the column comes first: `c2`)",
            ),
        ];
        for (text, expected) in table {
            assert_eq!(said(text), expected);
        }
    }

    #[test]
    fn every_illegal_move_says_why_and_what_the_piece_can_do() {
        let table = [
            ("b4 b5", "illegal empty-origin: line 1, column 1: `b4` is empty"),
            (
                "c5 c4",
                "illegal opponents-piece: line 1, column 1: the piece on `c5` is the opponent's \
                 (this is a move of `BLACK`: line 1 of `input.txt` says `WHITE`)",
            ),
            (
                "c2 c2",
                "illegal motionless: line 1, column 1: the piece on `c2` must leave it (from `c2` it can go to `c4`, \
                 `c3`)",
            ),
            (
                "c2 c1",
                "illegal not-forward: line 1, column 1: that is not forward: a Baby moves 1 or 2 squares straight \
                 forward \
                 (from `c2` it can go to `c4`, `c3`)",
            ),
            (
                "c2 d2",
                "illegal not-forward: line 1, column 1: that is not forward: a Baby moves 1 or 2 squares straight \
                 forward \
                 (from `c2` it can go to `c4`, `c3`)",
            ),
            (
                "c2 d3",
                "illegal sideways: line 1, column 1: that is too far to the side: a Baby moves 1 or 2 squares straight \
                 forward (from `c2` it can go to `c4`, `c3`)",
            ),
            (
                "c2 c5",
                "illegal too-far: line 1, column 1: that is too far: a Baby moves 1 or 2 squares straight forward \
                 (from `c2` it can go to `c4`, `c3`)",
            ),
            (
                "g3 g7",
                "illegal too-far: line 1, column 1: that is too far: a Scout moves 1 to 3 rows forward, in its column \
                 or one \
                 column to either side (from `g3` it can go to `f6`, `g6`, `h6`, `f5`, `g5`, `h5`, `f4`, `g4`, `h4`)",
            ),
            (
                "e2 e4",
                "illegal blocked: line 1, column 1: the piece on `e3` is in the way, and a Guard does not jump \
                 (from `e2` it can go to `d2`, `f2`, `g2`, `e1`)",
            ),
            (
                "e2 e3",
                "illegal own-piece: line 1, column 1: the piece on `e3` is of the same side \
                 (from `e2` it can go to `d2`, `f2`, `g2`, `e1`)",
            ),
            (
                "e2 f3",
                "illegal wrong-direction: line 1, column 1: that is the wrong direction: a Guard moves 1 or 2 squares \
                 along a \
                 row or a column (from `e2` it can go to `d2`, `f2`, `g2`, `e1`)",
            ),
            (
                "k5 k6",
                "illegal without-company: line 1, column 1: no other piece of its side is beside `k6`: a Sibling must \
                 end beside one (the piece on `k5` has no legal move)",
            ),
            (
                "c11 c9",
                "illegal empty-origin: line 1, column 1: `c11` is empty \
                 (row 1 is at the bottom; counted from the top it would be `c2 c4`, which is legal)",
            ),
        ];
        for (text, expected) in table {
            assert_eq!(said(text), expected);
        }
    }

    #[test]
    fn a_move_of_the_opponent_is_called_one_even_if_the_rows_might_be_upside_down() {
        let Err(Refusal::Illegal(found)) = Heirs::start(()).read_output(b"c11 c9", Tolerance::Exact) else {
            panic!("black's Baby is on `c11`");
        };
        assert_eq!(
            found.hint.as_deref(),
            Some(
                "this is a move of `BLACK`: line 1 of `input.txt` says `WHITE`; row 1 is at the bottom; counted from \
                 the top it would be `c2 c4`, which is legal"
            )
        );
    }

    #[test]
    fn who_counts_letters_is_told_what_it_would_have_been() {
        // `n1` is the twelfth column; with `l` as the twelfth letter, `n` is the fourteenth.
        let rows = BOARD.map(|row| row.replace("N..", ".N.").replace(".S...", ".S..G"));
        let rows: Vec<&[u8]> = rows.iter().map(String::as_bytes).collect();
        let position = Heirs::from_rows(&rows, Side::White, ()).unwrap();
        let Err(Refusal::Illegal(found)) = position.read_output(b"j3 j4", Tolerance::Exact) else {
            panic!("there is nothing on `j3`");
        };
        assert_eq!(
            found.hint.as_deref(),
            Some("there are no columns `i` and `l`; without them it would be `k3 k4`, which is legal")
        );
    }

    #[test]
    fn capitals_and_blanks_are_read_with_a_warning_and_refused_in_an_exact_reading() {
        let answer = position().read_output(b" C2  c4\r\n", Tolerance::Tolerant).unwrap();
        assert_eq!(answer.mv.to_string(), "c2 c4");
        let codes: Vec<_> = answer.warnings.iter().map(|found| &*found.code).collect();
        assert_eq!(codes, ["carriage-return", "leading-blanks", "stray-blanks", "square-case"]);
        for text in ["C2 c4\n", "c2  c4\n", " c2 c4\n", "c2 c4\r\n"] {
            let exact = position().read_output(text.as_bytes(), Tolerance::Exact);
            assert!(matches!(exact, Err(Refusal::Format(_))), "{text:?}");
        }
        assert!(position().read_output(b"c2 c4", Tolerance::Exact).is_ok());
    }
}
