//! Moves as people type them: as in `output.txt`, with `;` between the lines, or the squares alone, or as much of it as
//! is enough to tell the move.

use super::picking::picking;
use crate::games::GameId;
use crate::protocol::{Finding, Game, Refusal, Tolerance, quote};

/// A line that a person has typed, read as a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// A legal move: the text of `output.txt`, without a final LF.
    Answer(String),
    /// No move.
    Misread(Misread),
}

/// Why a line is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misread {
    /// It is the beginning of several legal moves: these, as they can be typed.
    Several(Vec<String>),
    /// It is wrong: in words, lower case, without a full stop, fit for a terminal.
    Wrong(String),
}

/// The squares of a move as `write_move` writes it, in their order: where the piece stands and each square where it lands,
/// or the one square of a disk.
pub(super) fn squares_of(text: &str) -> Vec<String> {
    let mut squares = Vec::new();
    for line in text.lines() {
        let names: Vec<&str> = line
            .split([' ', '-'])
            .filter(|word| !matches!(*word, "E" | "J"))
            .collect();
        // Each jump starts where the last one ended.
        let known = usize::from(!squares.is_empty());
        squares.extend(names.into_iter().skip(known).map(str::to_owned));
    }
    squares
}

/// Reads what a person has typed in `position`.
pub(super) fn read<P: Game>(position: &P, line: &str) -> Typed {
    let game = P::id(position.rules());
    let line = line.trim();
    let words: Vec<&str> = line
        .split(|c: char| c.is_whitespace() || c == ';')
        .filter(|word| !word.is_empty())
        .collect();
    match words.first() {
        None => Typed::Misread(Misread::Wrong("expected a move, found an empty line".to_owned())),
        Some(word) if word.eq_ignore_ascii_case("e") || word.eq_ignore_ascii_case("j") => {
            judged(position, &written_out(game, line))
        }
        Some(_) => {
            let squares = words
                .iter()
                .flat_map(|word| word.split('-'))
                .filter(|word| !word.is_empty());
            by_squares(
                position,
                &squares.map(|name| in_case(game, name)).collect::<Vec<_>>(),
                line,
            )
        }
    }
}

/// A line with `E` or `J` as the lines of `output.txt`.
fn written_out(game: GameId, line: &str) -> String {
    let sentence = |sentence: &str| {
        let words = sentence.split_whitespace().enumerate();
        let words: Vec<String> = words
            .map(|(index, word)| {
                if index == 0 {
                    word.to_uppercase()
                } else {
                    in_case(game, word)
                }
            })
            .collect();
        words.join(" ")
    };
    let sentences = line.split(';').map(sentence).filter(|sentence| !sentence.is_empty());
    sentences.collect::<Vec<_>>().join("\n")
}

/// The name of a square in the case in which the game writes it.
fn in_case(game: GameId, name: &str) -> String {
    match game {
        GameId::Checkers | GameId::Halma(_) | GameId::DuoOthello => name.to_lowercase(),
        GameId::StarCircle => name.to_uppercase(),
    }
}

fn judged<P: Game>(position: &P, text: &str) -> Typed {
    match position.read_output(text.as_bytes(), Tolerance::Tolerant) {
        Ok(_) => Typed::Answer(text.to_owned()),
        Err(refusal) => Typed::Misread(Misread::Wrong(in_words(&refusal))),
    }
}

fn in_words(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Empty => "expected a move, found nothing".to_owned(),
        // Its place is one in a text that the person has not seen.
        Refusal::Format(finding) | Refusal::Illegal(finding) => Finding {
            place: None,
            ..finding.clone()
        }
        .to_string(),
    }
}

fn by_squares<P: Game>(position: &P, squares: &[String], line: &str) -> Typed {
    let (walked, is_walked) = walk(position, squares);
    if is_walked && let Some(answer) = picking(position, &walked).and_then(|picking| picking.answer) {
        return Typed::Answer(answer);
    }
    let typed = squares.join(" ");
    let continued: Vec<String> = position
        .moves()
        .into_iter()
        .map(|mv| position.write_move(mv))
        .filter(|text| {
            let names = squares_of(text);
            if is_walked {
                names.starts_with(squares)
            } else {
                names.join(" ").starts_with(&typed)
            }
        })
        .collect();
    match continued.as_slice() {
        [] => wrong(position, squares, line),
        [only] => Typed::Answer(only.clone()),
        several => Typed::Misread(Misread::Several(
            several.iter().map(|text| squares_of(text).join(" ")).collect(),
        )),
    }
}

/// Picks one square after the other; whether all of them could be picked, and what was.
fn walk<P: Game>(position: &P, squares: &[String]) -> (Vec<String>, bool) {
    let mut walked: Vec<String> = Vec::new();
    for square in squares {
        let targets = picking(position, &walked)
            .map(|picking| picking.targets)
            .unwrap_or_default();
        match targets.into_iter().find(|target| target.square() == square) {
            Some(target) => walked.extend(target.way),
            None => return (walked, false),
        }
    }
    (walked, true)
}

/// Why squares that begin no legal move are none, as the reader of `output.txt` has it.
fn wrong<P: Game>(position: &P, squares: &[String], line: &str) -> Typed {
    let text = match squares {
        [_] if P::id(position.rules()) != GameId::DuoOthello => {
            let one = quote(line.as_bytes());
            return Typed::Misread(Misread::Wrong(format!(
                "no legal move begins with {one}: `?` lists the moves"
            )));
        }
        squares => claim(position, squares),
    };
    // It may be legal all the same: a chain that returns to where it began cannot be picked.
    judged(position, &text)
}

/// The answer that an agent would have written to say this.
fn claim<P: Game>(position: &P, squares: &[String]) -> String {
    match P::id(position.rules()) {
        GameId::DuoOthello => squares.join(" "),
        GameId::StarCircle => squares.join("-"),
        GameId::Checkers | GameId::Halma(_) => {
            let hops: Vec<&[String]> = squares.windows(2).collect();
            let letter = match hops.as_slice() {
                [only] if is_beside(&only[0], &only[1]) => 'E',
                _ => 'J',
            };
            let lines = hops.iter().map(|hop| format!("{letter} {} {}", hop[0], hop[1]));
            lines.collect::<Vec<_>>().join("\n")
        }
    }
}

fn is_beside(a: &str, b: &str) -> bool {
    let (Some((x, y)), Some((to_x, to_y))) = (coordinates(a), coordinates(b)) else {
        return false;
    };
    x.abs_diff(to_x).max(y.abs_diff(to_y)) == 1
}

/// Column and row of a square by its name: `c3` or `11,15`.
fn coordinates(name: &str) -> Option<(u32, u32)> {
    if let Some((x, y)) = name.split_once(',') {
        return Some((x.parse().ok()?, y.parse().ok()?));
    }
    let mut letters = name.chars();
    let column = letters.next()?;
    Some((u32::from(column), letters.as_str().parse().ok()?))
}
