//! Parses moves as people type them: as in `output.txt` with `;` between lines, only the squares, or any unambiguous
//! prefix. Terminals call it; the judge decides legality.

use referee_games::protocol::{Finding, Refusal, Tolerance, quote};
use referee_games::{BoardLook, MoveForm, State, moved_squares};

/// A typed line, parsed as a move.
///
/// ```
/// use referee_games::checkers;
/// use referee_matches::human::TypedMove;
///
/// let position = checkers::ID.start();
/// let answer = TypedMove::Answer("E b6 a5".to_owned());
/// assert_eq!(["E b6 a5", "b6 a5"].map(|line| TypedMove::read(&position, line)), [answer.clone(), answer]);
/// assert_eq!(TypedMove::all(&position).len(), 7);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypedMove {
    /// A legal move: the text of `output.txt`, without a final LF.
    Answer(String),
    /// Not a move.
    Misread(TypedMoveError),
}

/// Why a line is not a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypedMoveError {
    /// It is a prefix of several legal moves: these, as they can be typed.
    Several(Vec<String>),
    /// It is wrong: the reason in lower case, without a full stop, safe on a terminal.
    Wrong(String),
}

impl TypedMove {
    /// Every legal move in `position` by its squares, as it can be typed.
    pub fn all(position: &State) -> Vec<String> {
        position.moves().iter().map(|mv| by_its_squares(mv)).collect()
    }

    /// Parses a typed line in `position`.
    pub fn read(position: &State, line: &str) -> Self {
        let game = position.game();
        let board = &game.profile().board;
        let line = line.trim();
        let words: Vec<&str> =
            line.split(|c: char| c.is_whitespace() || c == ';').filter(|word| !word.is_empty()).collect();
        match words.first() {
            None => Self::Misread(TypedMoveError::Wrong("expected a move, found an empty line".to_owned())),
            Some(word) if word.eq_ignore_ascii_case("e") || word.eq_ignore_ascii_case("j") => {
                judged(position, &written_out(board, line))
            }
            Some(_) => {
                // A move that is a word instead of squares, such as a pass, must be complete.
                if let Some(mv) = position.moves().into_iter().find(|mv| mv.eq_ignore_ascii_case(line)) {
                    return Self::Answer(mv);
                }
                let squares = words.iter().flat_map(|word| word.split('-')).filter(|word| !word.is_empty());
                by_squares(position, &squares.map(|name| in_case(board, name)).collect::<Vec<_>>(), line)
            }
        }
    }
}

fn by_its_squares(mv: &str) -> String {
    moved_squares(mv).join(" ")
}

/// A line with `E` or `J`, as the lines of `output.txt`.
fn written_out(board: &BoardLook, line: &str) -> String {
    let sentence = |sentence: &str| {
        let words = sentence.split_whitespace().enumerate();
        let words: Vec<String> =
            words.map(|(index, word)| if index == 0 { word.to_uppercase() } else { in_case(board, word) }).collect();
        words.join(" ")
    };
    let sentences = line.split(';').map(sentence).filter(|sentence| !sentence.is_empty());
    sentences.collect::<Vec<_>>().join("\n")
}

/// The name of a square in the letter case of the game.
fn in_case(board: &BoardLook, name: &str) -> String {
    let has_capitals = |label: &str| label.bytes().any(|byte| byte.is_ascii_uppercase());
    if board.columns.iter().chain(board.rows).any(|label| has_capitals(label)) {
        name.to_uppercase()
    } else {
        name.to_lowercase()
    }
}

fn judged(position: &State, text: &str) -> TypedMove {
    match position.judge(text.as_bytes(), Tolerance::Tolerant) {
        Ok(_) => TypedMove::Answer(text.to_owned()),
        Err(refusal) => TypedMove::Misread(TypedMoveError::Wrong(in_words(&refusal))),
    }
}

fn in_words(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Empty => "expected a move, found nothing".to_owned(),
        // Its place, and some hints, refer to a text that the person has not seen.
        Refusal::Format(finding) | Refusal::Illegal(finding) => {
            let hint = finding.hint.clone().filter(|hint| !hint.contains("put.txt`"));
            Finding { place: None, hint, ..finding.clone() }.to_string()
        }
    }
}

fn by_squares(position: &State, squares: &[String], line: &str) -> TypedMove {
    let (walked, is_walked) = walk(position, squares);
    if is_walked && let Some(answer) = position.picking(&walked).and_then(|picking| picking.answer) {
        return TypedMove::Answer(answer);
    }
    let typed = squares.join(" ");
    let continued: Vec<String> = position
        .moves()
        .into_iter()
        .filter(|text| {
            let names = moved_squares(text);
            if is_walked { names.starts_with(squares) } else { names.join(" ").starts_with(&typed) }
        })
        .collect();
    match continued.as_slice() {
        [] => wrong(position, squares, line),
        [only] => TypedMove::Answer(only.clone()),
        several => {
            TypedMove::Misread(TypedMoveError::Several(several.iter().map(|text| by_its_squares(text)).collect()))
        }
    }
}

/// Picks the squares in order; returns the picked ones, and whether all could be picked.
fn walk(position: &State, squares: &[String]) -> (Vec<String>, bool) {
    let mut walked: Vec<String> = Vec::new();
    for square in squares {
        let targets = position.picking(&walked).map(|picking| picking.targets).unwrap_or_default();
        match targets.into_iter().find(|target| target.square() == square) {
            Some(target) => walked.extend(target.way),
            None => return (walked, false),
        }
    }
    (walked, true)
}

/// Why squares that begin no legal move are wrong, in the words of the reader of `output.txt`.
fn wrong(position: &State, squares: &[String], line: &str) -> TypedMove {
    let text = match squares {
        [_] if position.moves().iter().all(|mv| moved_squares(mv).len() > 1) => {
            let one = quote(line.as_bytes());
            return TypedMove::Misread(TypedMoveError::Wrong(format!(
                "no legal move begins with {one}: `?` lists the moves"
            )));
        }
        squares => claim(position, squares),
    };
    // It may still be legal: a chain that returns to its start cannot be picked.
    judged(position, &text)
}

/// The equivalent answer of an agent.
fn claim(position: &State, squares: &[String]) -> String {
    match position.game().profile().moves {
        MoveForm::Squares(between) => squares.join(between),
        MoveForm::StepsAndJumps { .. } => {
            let hops: Vec<&[String]> = squares.windows(2).collect();
            let letter = match hops.as_slice() {
                [only] if is_beside(&position.game().profile().board, &only[0], &only[1]) => 'E',
                _ => 'J',
            };
            let lines = hops.iter().map(|hop| format!("{letter} {} {}", hop[0], hop[1]));
            lines.collect::<Vec<_>>().join("\n")
        }
    }
}

fn is_beside(board: &BoardLook, a: &str, b: &str) -> bool {
    let (Some((row, column)), Some((to_row, to_column))) = (board.place(a), board.place(b)) else {
        return false;
    };
    row.abs_diff(to_row).max(column.abs_diff(to_column)) == 1
}
