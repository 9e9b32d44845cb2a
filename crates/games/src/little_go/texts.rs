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
