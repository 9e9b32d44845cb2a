//! Parses and writes the `input.txt` of the assignment. It answers nothing; grading, `solve` and the agents call it.

use crate::Position;
use crate::protocol::Texts;
use crate::protocol::finding::quote;
use crate::protocol::input::{InputError, InputLines, fault};
use crate::star_circle::{Algorithm, RowValues, SearchDepth, SearchQuestion, StarCircle};

/// The number of rows and of row values.
const SIZE: usize = 8;

/// Reads an `input.txt` as the assignment's question.
///
/// ```
/// use referee_games::star_circle::{read_question, solve};
///
/// let empty = "0,0,0,0,0,0,0,0\n".repeat(5);
/// let input = format!(
///     "Star\nMINIMAX\n2\n0,S1,0,0,0,0,0,0\n0,0,C1,0,0,0,0,0\n0,0,0,S1,0,0,0,0\n{empty}10,20,30,40,50,60,70,80\n"
/// );
/// let question = read_question(input.as_bytes())?;
/// assert_eq!(solve(&question).to_string(), "F4-H2\n160\n160\n5");
/// # Ok::<(), referee_games::protocol::InputError>(())
/// ```
///
/// # Errors
///
/// [`InputError`] with the line at fault, for a square or row value also the column, and the expected content.
pub fn read_question(text: &[u8]) -> Result<SearchQuestion, InputError> {
    read_unchecked(text)?.checked().map_err(|found| fault(FIRST_ROW, None, found.to_string()))
}

/// The `input.txt` of a question, with a LF after every line.
pub fn write_question(question: &SearchQuestion) -> String {
    let SearchQuestion { position, algorithm, depth, values } = question;
    let side = StarCircle::side_name(position.side_to_move());
    let values = values.values().map(|value| value.to_string()).join(",");
    format!("{side}\n{}\n{}\n{}{values}\n", algorithm.name(), depth.plies(), position.board())
}

/// The line of the first board row.
const FIRST_ROW: usize = 4;

/// The content of an input, before checking that its position is a valid question.
pub(super) fn read_unchecked(text: &[u8]) -> Result<SearchQuestion, InputError> {
    let mut lines = InputLines::new(text);
    let side = lines.read("`Star` or `Circle`", StarCircle::side_called)?;
    let algorithm = lines.read("`MINIMAX` or `ALPHABETA`", read_algorithm)?;
    let depth = lines.read("the depth, a whole number from 1 to 10", read_depth)?;
    if lines.left() != SIZE + 1 {
        let found = lines.left();
        let message =
            format!("expected {SIZE} board rows and one line of row values from here on, found {found} lines");
        return Err(fault(FIRST_ROW, None, message));
    }
    let position = lines.read_board_rows(SIZE, side, ())?;
    let number = lines.next_number();
    let line = lines.read("the values of the rows", Some)?;
    let values = read_values(line).map_err(|(column, message)| fault(number, column, message))?;
    Ok(SearchQuestion { position, algorithm, depth, values })
}

fn read_algorithm(line: &[u8]) -> Option<Algorithm> {
    Algorithm::BOTH.into_iter().find(|algorithm| algorithm.name().as_bytes() == line)
}

/// A depth without sign and without leading zeros.
fn read_depth(line: &[u8]) -> Option<SearchDepth> {
    let plies = match *line {
        [ones @ b'1'..=b'9'] => ones - b'0',
        [b'1', b'0'] => 10,
        _ => return None,
    };
    SearchDepth::new(plies)
}

/// The eight row values; otherwise the column at fault, from 1, and the expected content.
fn read_values(line: &[u8]) -> Result<RowValues, (Option<usize>, String)> {
    let found = line.split(|&byte| byte == b',').count();
    if found != SIZE {
        let message = format!("expected {SIZE} row values with commas between them, found {found}");
        return Err((None, message));
    }
    let mut values = [0; SIZE];
    let mut column = 1;
    for (index, word) in line.split(|&byte| byte == b',').enumerate() {
        let at_word = |message| (Some(column), message);
        values[index] = read_value(word).map_err(at_word)?;
        if let Some(before) =
            index.checked_sub(1).map(|before| values[before]).filter(|&before| before >= values[index])
        {
            let message = format!("expected row values that increase, found `{}` after `{before}`", values[index]);
            return Err(at_word(message));
        }
        column += word.len() + 1;
    }
    RowValues::new(values).ok_or_else(|| (None, "expected row values that increase".to_owned()))
}

fn read_value(word: &[u8]) -> Result<i32, String> {
    let most = RowValues::LIMIT;
    let number = str::from_utf8(word).ok().and_then(|word| word.parse::<i32>().ok());
    number
        .filter(|number| number.abs() <= most)
        .ok_or_else(|| format!("expected a whole number from -{most} to {most}, found {}", quote(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_the_question_that_was_written_is_the_identity_with_line_ends_of_any_editor() {
        let rows = "0,S1,0,0,0,0,0,0\n0,0,C1,0,0,0,0,0\n".to_owned() + &"0,0,0,0,0,0,0,0\n".repeat(6);
        for values in ["10,20,30,40,50,60,70,80", "-7,-6,-5,0,1,2,3,1000000"] {
            let text = format!("Circle\nALPHABETA\n10\n{rows}{values}\n");
            for text in [text.clone(), text.replace('\n', "\r\n"), text.trim_end().to_owned(), text.clone() + "\n \n"] {
                let question = read_question(text.as_bytes()).unwrap();
                assert_eq!(write_question(&question), text.trim_end().replace('\r', "") + "\n");
            }
        }
    }
}
