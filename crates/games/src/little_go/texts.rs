//! The texts of Little-Go (assignment of 2020). `protocol` calls it through [`Texts`]; `reasons` judges legality.
//!
//! `input.txt` is the side, the board before the opponent's last move, the board now:
//! ```text
//! 2
//! 00000
//!   ⋮
//! 00000
//! 00100
//!   ⋮
//! ```
//! `output.txt` is a point, `2,3`, or `PASS`.
//!
//! The course's own reader splits the first line at its commas and parses the first two words as numbers, unless the
//! first is `PASS`. What it accepts is tolerated (RULES.md, section 8): blanks around the numbers, signs and leading
//! zeros, further words and further lines, whatever is in them.

use super::profile::{MOVE_TIME, PROFILE};
use super::reasons::{EMPTY_POINT, HIGHER_SCORE, KO, NO_SUICIDE, POINT_NAMES, POINT_OR_PASS};
use super::rules::PASS;
use super::{GoBoard, LittleGo, Move, Point, Reason};
use crate::protocol::finding::{Finding, Refusal};
use crate::protocol::input::{InputLines, fault};
use crate::protocol::lines::{AnswerWord, FormatDeviations, first_line};
use crate::protocol::respell::{decimal_number, is_pass, pairs_in};
use crate::protocol::{Answer, Input, InputError, InputPurpose, InputText, Texts, Tolerance, counted};
use crate::{Position, Profile, SquareBoard, Violation};

/// The rows of the board before the last turn, and of the board now.
const BOARD_ROWS: usize = 2 * GoBoard::SIZE as usize;

impl Texts for LittleGo {
    const PROFILE: &'static Profile = &PROFILE;

    /// The format contains neither the purpose nor the time.
    const INPUT: InputText<Self> = InputText {
        write: |position, _, _| {
            let side = Self::side_name(position.side_to_move());
            format!("{side}\n{}{}", position.previous_board(), position.board())
        },
        read: read_input,
    };

    fn read_output(&self, text: &[u8], tolerance: Tolerance) -> Result<Answer<Move>, Refusal> {
        let mut departures = FormatDeviations::new(tolerance);
        let line = first_line(text, &mut departures)?;
        let mv = read_move(&line, &mut departures)?;
        let illegal = |found, hint| Err(Refusal::illegal(found, Some(line.place), hint));
        if self.is_over() {
            return illegal(HIGHER_SCORE.violated("game-over", "the game is over: no move is legal"), None);
        }
        if let Move::Place(point) = mv
            && let Some(reason) = self.why_not(point)
        {
            return illegal(violation(point, reason), swapped(self, point));
        }
        Ok(departures.into_answer(mv, text, || self.write_move(mv)))
    }
}

fn read_input(text: &[u8], (): ()) -> Result<Input<LittleGo>, InputError> {
    let mut lines = InputLines::new(text);
    let side = lines.read("`1` for Black or `2` for White", LittleGo::side_called)?;
    let rows = lines.left();
    if rows != BOARD_ROWS {
        let line = lines.next_number() + rows.min(BOARD_ROWS);
        let expected = "5 rows of the board before the opponent's last move and 5 of the board now";
        return Err(fault(line, None, format!("expected {expected}, found {}", counted(rows, "row"))));
    }
    Ok(Input { purpose: InputPurpose::Game, position: lines.read_board(side, ())?, own: MOVE_TIME, opponent: None })
}

fn read_move(line: &AnswerWord<'_>, departures: &mut FormatDeviations) -> Result<Move, Refusal> {
    let mut words = line.text.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
    let (first, second) = (words.next().unwrap_or_default(), words.next());
    let further = |found: &str| Finding::new("further-words", format!("words after {found}")).at(line.place);
    // Blanks before a comma are part of the word for that reader.
    if line.text.split(|&byte| byte == b',').next() == Some(PASS.as_bytes()) {
        if second.is_some() {
            departures.note(further("the pass").hint(format!("write `{PASS}`")))?;
        }
        return Ok(Move::Pass);
    }
    let numbers = second.and_then(|second| Some((read_integer(first)?, read_integer(second)?)));
    let Some((row, column)) = numbers else {
        let found = line.unexpected("not-a-point", "a point such as `2,3`, or `PASS`");
        return Err(Refusal::Format(found.under(&POINT_OR_PASS).hint(respelt(line.text))));
    };
    let Some(point) = Point::new(column, row) else {
        let found = Finding::new("off-the-board", format!("`{row},{column}` is not on the board")).at(line.place);
        let hint = "rows and columns are counted from 0 to 4";
        return Err(Refusal::Format(found.under(&POINT_NAMES).hint(hint)));
    };
    let hint = || format!("write `{point}`");
    if line.text.iter().any(u8::is_ascii_whitespace) {
        departures.note(Finding::new("stray-blanks", "blanks beside the comma").at(line.place).hint(hint()))?;
    }
    // A row or a column of the board is a single digit.
    if first != [b'0' + row] || second != Some(&[b'0' + column]) {
        let found = Finding::new("number-spelling", "a number with a sign or leading zeros").at(line.place);
        departures.note(found.hint(hint()))?;
    }
    if words.next().is_some() {
        departures.note(further("the point").hint(hint()))?;
    }
    Ok(Move::Place(point))
}

/// A number as the course's reader takes it: perhaps with a sign and leading zeros. A negative one is none.
fn read_integer(word: &[u8]) -> Option<u8> {
    let text = str::from_utf8(word).ok()?;
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_plain.then(|| digits.parse().ok()).flatten()?;
    (number == 0 || !text.starts_with('-')).then_some(number)
}

fn violation(point: Point, reason: Reason) -> Violation {
    match reason {
        Reason::Occupied(by) => {
            let stone = LittleGo::side_name(by);
            EMPTY_POINT.violated("occupied", format!("there is a stone of `{stone}` on `{point}`"))
        }
        Reason::Suicide => {
            let message = format!("a stone on `{point}` would have no liberty and capture nothing");
            NO_SUICIDE.violated("suicide", message)
        }
        Reason::Ko => {
            let restored = "would restore the board as it was before the opponent's last move";
            KO.violated("ko", format!("ko: a stone on `{point}` {restored}"))
        }
    }
}

/// The probable meaning of a line in a wrong format.
fn respelt(line: &[u8]) -> String {
    if is_pass(line) {
        return format!("a pass is written `{PASS}`, in capitals, and nothing else");
    }
    let text = str::from_utf8(line).unwrap_or_default();
    if let Some(hint) = decimal_number(text) {
        return hint;
    }
    let pairs = pairs_in(text);
    match pairs.as_slice() {
        [(row, column)] if Point::new(*column, *row).is_some() && !line.contains(&b'-') => {
            format!("write `{row},{column}` and nothing else")
        }
        _ => "an answer is row and column, both from 0, with a comma between them".to_owned(),
    }
}

/// The intended move of an agent that writes the column first, if legal.
fn swapped(position: &LittleGo, point: Point) -> Option<String> {
    let swapped = point.transposed();
    let is_legal = position.why_not(swapped).is_none();
    is_legal.then(|| format!("row and column swapped? `{swapped}` is legal"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Side;
    use crate::little_go::PointSet;
    use crate::protocol::{TimeLeft, refusal_in_words};

    fn position(previous: [&str; 5], board: [&str; 5]) -> LittleGo {
        let rows = [previous, board].concat();
        let rows: Vec<&[u8]> = rows.iter().map(|row| row.as_bytes()).collect();
        LittleGo::from_rows(&rows, Side::Black, ()).unwrap()
    }

    /// Black's stone on `1,2` was just captured by White's on `1,1`.
    fn ko() -> LittleGo {
        position(["01200", "10120", "01200", "00002", "00020"], ["01200", "12020", "01200", "00002", "00020"])
    }

    #[test]
    fn every_refusal_says_what_and_where() {
        let form = "an answer is row and column, both from 0, with a comma between them";
        let not_a_point = |found: &str, hint: &str| {
            format!(
                "format not-a-point: line 1, column 1: expected a point such as `2,3`, or `PASS`, found `{found}` \
                 ({hint})"
            )
        };
        let table = [
            ("\n", "empty".to_owned()),
            ("pass", not_a_point("pass", "a pass is written `PASS`, in capitals, and nothing else")),
            ("PASS ,", not_a_point("PASS ,", "a pass is written `PASS`, in capitals, and nothing else")),
            ("2", not_a_point("2", form)),
            ("++2,3", not_a_point("++2,3", "write `2,3` and nothing else")),
            ("1.0,1.0", not_a_point("1.0,1.0", "`1.0` is a decimal number: write `1`")),
            ("2 3", not_a_point("2 3", "write `2,3` and nothing else")),
            ("(2, 3)", not_a_point("(2, 3)", "write `2,3` and nothing else")),
            ("c3", not_a_point("c3", form)),
            ("-1,2", not_a_point("-1,2", form)),
            (
                "5,5",
                "format off-the-board: line 1, column 1: `5,5` is not on the board (rows and columns are counted from \
                 0 to 4)"
                    .to_owned(),
            ),
            ("0,1", "illegal occupied: line 1, column 1: there is a stone of `1` on `0,1`".to_owned()),
            (
                "3,4",
                "illegal occupied: line 1, column 1: there is a stone of `2` on `3,4` \
                 (row and column swapped? `4,3` is legal)"
                    .to_owned(),
            ),
            (
                "4,4",
                "illegal suicide: line 1, column 1: a stone on `4,4` would have no liberty and capture nothing"
                    .to_owned(),
            ),
            (
                "1,2",
                "illegal ko: line 1, column 1: ko: a stone on `1,2` would restore the board as it was before the \
                 opponent's \
                 last move"
                    .to_owned(),
            ),
        ];
        for (text, expected) in table {
            let position = if text == "3,4" { without_4_3() } else { ko() };
            assert_eq!(refusal_in_words(&position, text), expected);
        }
    }

    fn without_4_3() -> LittleGo {
        position(["00000"; 5], ["00000", "00000", "00000", "00002", "00000"])
    }

    #[test]
    fn what_the_course_lets_pass_is_read_with_a_warning_and_refused_in_an_exact_reading() {
        let table: [(&str, &[&str]); 19] = [
            ("2,3\n", &[]),
            ("PASS", &[]),
            ("2, 3\n", &["stray-blanks"]),
            ("2 ,3", &["stray-blanks"]),
            ("2,3\r\n", &["carriage-return"]),
            ("2,3\n1,1\n", &["further-line"]),
            ("2,3\nthe best\r, I think \r\n", &["further-line"]),
            ("2,3\n\n", &["empty-line"]),
            ("\n2,  3\n", &["empty-line", "stray-blanks"]),
            ("\t2\t,3 ", &["leading-blanks", "trailing-blanks", "stray-blanks"]),
            ("PASS,PASS", &["further-words"]),
            ("PASS,", &["further-words"]),
            ("PASS,-1,x\n", &["further-words"]),
            ("2,3,4", &["further-words"]),
            ("2,3,", &["further-words"]),
            ("+2,3", &["number-spelling"]),
            ("02,003", &["number-spelling"]),
            ("-0,+0", &["number-spelling"]),
            ("02, 3,x y", &["stray-blanks", "number-spelling", "further-words"]),
        ];
        for (text, expected) in table {
            let answer = LittleGo::start(()).read_output(text.as_bytes(), Tolerance::Tolerant).unwrap();
            let codes: Vec<_> = answer.warnings.iter().map(|found| &*found.code).collect();
            assert_eq!(codes, expected, "{text:?}");
            assert!(answer.warnings.iter().all(|found| found.more == 0), "{text:?}");
            let exact = LittleGo::start(()).read_output(text.as_bytes(), Tolerance::Exact);
            assert_eq!(exact.is_ok(), expected.is_empty(), "{text:?}");
        }
    }

    #[test]
    fn a_hint_about_blanks_leads_to_an_answer_that_is_accepted() {
        let start = LittleGo::start(());
        for text in ["2, 3", "2,  3", "2\t,3", "02,+3", "2,3,", "2,3,4"] {
            let Err(Refusal::Format(found)) = start.read_output(text.as_bytes(), Tolerance::Exact) else {
                panic!("{text:?} is not in the exact format");
            };
            assert_eq!(found.hint.as_deref(), Some("write `2,3`"), "{text:?}");
        }
    }

    #[test]
    fn an_input_is_both_boards_and_reading_it_says_what_is_wrong() {
        let time = TimeLeft { own: MOVE_TIME, opponent: MOVE_TIME };
        let text = ko().write_input(InputPurpose::Game, time);
        assert_eq!(text, "1\n01200\n10120\n01200\n00002\n00020\n01200\n12020\n01200\n00002\n00020\n");
        assert_eq!(LittleGo::read_input(text.as_bytes(), ()).unwrap().position, ko());
        let said = |text: &str| LittleGo::read_input(text.as_bytes(), ()).unwrap_err().to_string();
        let rows = "00000\n".repeat(9);
        assert_eq!(said("3\n"), "line 1: expected `1` for Black or `2` for White, found `3`");
        assert_eq!(
            said(&format!("1\n{rows}")),
            "line 11: expected 5 rows of the board before the opponent's last move and 5 of the board now, found 9 rows"
        );
        assert_eq!(said(&format!("1\n{rows}0030\n")), "line 11: expected 5 points, found 4");
        assert_eq!(said(&format!("1\n{rows}00X00\n")), "line 11, column 3: expected `0`, `1` or `2`, found `X`");
    }

    #[test]
    fn what_is_a_point_is_written_as_it_was_read() {
        let start = LittleGo::start(());
        for point in PointSet::BOARD.iter() {
            let written = start.write_move(Move::Place(point));
            let answer = start.read_output(written.as_bytes(), Tolerance::Exact).unwrap();
            assert_eq!(answer.mv, Move::Place(point));
        }
    }
}
