//! Guesses the move meant by a line in a wrong format, for hints.
//!
//! A student whose agent writes `['E', 'c3', 'b4']` needs the hint `E c3 b4`. It never parses a move: a hint decides no
//! game. `plays` and the games' `texts.rs` call it. A proposal must be written by the game itself, never copied from
//! the foreign text.

use std::fmt::Display;

use super::Texts;
use crate::RuleText;

/// The maximum length of a line with a proposal, and the maximum number of squares in one.
const LONGEST_LINE_BYTES: usize = 100;
const MAX_SQUARES: usize = 5;

/// The message to an agent that tries to pass, where a side without a move passes.
pub(crate) const PASSES_ARE_AUTOMATIC: &str = "passes are automatic: an agent only runs when its side has a legal move";

/// The notation of a game's squares.
pub(crate) trait WrittenSquare: Copy + PartialEq + Display {
    /// A description of a square, for messages: ``a square from `a1` to `h8` ``.
    const EXPECTED: &'static str;

    /// The rule about writing squares.
    const NAMES: &'static RuleText;

    /// The message to an agent that tries to pass.
    const NO_PASS: &'static str = PASSES_ARE_AUTOMATIC;

    /// Parses a square exactly as in the handout.
    fn read(word: &[u8]) -> Option<Self>;

    /// The squares recognizable in a text of another form, in order.
    fn find_all(text: &str) -> Vec<Self> {
        squares_in(text)
    }

    /// Why the squares in a text of another form cannot be guessed, if that is known.
    fn unusable(_text: &str) -> Option<String> {
        None
    }

    /// The likely misunderstanding of the notation behind an invalid square.
    fn misunderstood(_word: &[u8]) -> Option<String> {
        None
    }
}

/// The correct notation of the move in `line`, if the line contains the squares of one.
pub(crate) fn respelt<S: WrittenSquare>(line: &[u8]) -> Option<String> {
    let text = str::from_utf8(line).ok().filter(|text| text.len() <= LONGEST_LINE_BYTES)?;
    if let Some(hint) = S::unusable(text) {
        return Some(hint);
    }
    let mut squares = S::find_all(text);
    if squares.len() > 2 {
        // Each of several hops may be written with both of its ends.
        squares.dedup();
    }
    if squares.len() > MAX_SQUARES {
        return None;
    }
    match (letter_in(text), squares.as_slice()) {
        (Some(letter), [from, to]) => Some(format!("write `{letter} {from} {to}` and nothing else")),
        (None, [from, to]) => Some(format!("write `E {from} {to}` for a step, `J {from} {to}` for a jump")),
        (Some('J') | None, [_, _, _, ..]) => {
            let jumps = squares.windows(2).map(|pair| format!("`J {} {}`", pair[0], pair[1]));
            Some(format!("one jump per line: {}", jumps.collect::<Vec<_>>().join(", then ")))
        }
        _ => None,
    }
}

/// `E` or `J`, or common alternatives for them.
fn letter_in(text: &str) -> Option<char> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).find_map(|word| match word.to_ascii_lowercase().as_str() {
        "e" | "step" | "move" => Some('E'),
        "j" | "jump" | "capture" => Some('J'),
        _ => None,
    })
}

/// Whether `line` says that there is no move.
pub(crate) fn is_pass(line: &[u8]) -> bool {
    let letters = line.iter().filter(|byte| byte.is_ascii_alphanumeric());
    let word: Vec<u8> = letters.take(8).map(u8::to_ascii_lowercase).collect();
    ["pass", "none", "null", "nomove", "nomoves", "skip"].iter().any(|other| other.as_bytes() == word)
}

/// The squares in `text` that are separate words. A letter after a digit begins another word, as in `c2c4`.
pub(crate) fn squares_in<S: WrittenSquare>(text: &str) -> Vec<S> {
    let mut spaced = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii_alphabetic() && spaced.ends_with(|c: char| c.is_ascii_digit()) {
            spaced.push(' ');
        }
        spaced.push(character);
    }
    let words = spaced.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter_map(|word| S::read(word.to_ascii_lowercase().as_bytes())).collect()
}

/// The first number with a fraction of zero, as `/` instead of `//` gives it in Python. Its digits
/// would be taken for two numbers.
pub(crate) fn decimal_number(text: &str) -> Option<String> {
    let word = |c: char| c.is_ascii_digit() || c == '.';
    let number = text.split(|c| !word(c)).find(|number| {
        let ends = number.split_once('.');
        ends.is_some_and(|(whole, zeros)| !whole.is_empty() && !zeros.is_empty() && zeros.bytes().all(|b| b == b'0'))
    })?;
    let whole = number.split('.').next()?;
    Some(format!("`{number}` is a decimal number: write `{whole}`"))
}

/// The pairs of numbers in `text`: those joined by a comma or, without any comma, two by two.
///
/// None where a number has a sign: what it stands for is anybody's guess.
pub(crate) fn pairs_in(text: &str) -> Vec<(u8, u8)> {
    if has_negative_number(text) {
        return Vec::new();
    }
    let numbers: Vec<&str> = text.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty()).collect();
    let mut gaps = text.split(|c: char| c.is_ascii_digit()).filter(|gap| !gap.is_empty());
    if text.starts_with(|c: char| !c.is_ascii_digit()) {
        gaps.next();
    }
    let gaps: Vec<&str> = gaps.collect();
    let any_comma = text.contains(',');
    let mut pairs = Vec::new();
    let mut index = 0;
    while index + 1 < numbers.len() {
        if any_comma && gaps.get(index).is_none_or(|gap| gap.trim() != ",") {
            index += 1;
            continue;
        }
        pairs.extend(numbers[index].parse().ok().zip(numbers[index + 1].parse().ok()));
        index += 2;
    }
    pairs
}

/// Whether a number has a minus sign. Directly after a letter or a digit it is a hyphen.
fn has_negative_number(text: &str) -> bool {
    let has_sign = |place: usize| {
        !text[..place].ends_with(|c: char| c.is_ascii_alphanumeric())
            && text[place + 1..].starts_with(|c: char| c.is_ascii_digit())
    };
    text.match_indices('-').any(|(place, _)| has_sign(place))
}

/// Two numbers without sign and leading zeros, separated only by a comma.
pub(crate) fn read_pair(word: &[u8]) -> Option<(u8, u8)> {
    let (x, y) = str::from_utf8(word).ok()?.split_once(',')?;
    Some((read_number(x)?, read_number(y)?))
}

/// A number without sign and leading zeros.
pub(crate) fn read_number(digits: &str) -> Option<u8> {
    let plain = digits == "0" || digits.starts_with(|first: char| matches!(first, '1'..='9'));
    if plain { digits.parse().ok() } else { None }
}

/// The items as a list: `` `c2`, `c3` ``.
pub(crate) fn listed<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let quoted: Vec<String> = items.into_iter().map(|item| format!("`{item}`")).collect();
    quoted.join(", ")
}

/// The message to an agent that wrote the row before the column.
pub(crate) fn column_first<S: WrittenSquare>(word: &[u8]) -> Option<String> {
    let (&letter, number) = word.split_last()?;
    let turned = [&[letter], number].concat().to_ascii_lowercase();
    S::read(&turned).map(|square| format!("the column comes first: `{square}`"))
}

/// The message to an agent that moved for the other side, if the position accepts its move with that side to move.
pub(crate) fn of_the_opponent<P: Texts>(position: &P, accepts: impl FnOnce(&P) -> bool) -> Option<String> {
    let side = position.side_to_move();
    let (own, other) = (P::side_name(side), P::side_name(side.other()));
    let line = if P::PROFILE.input.first_line.contains(&own) { 1 } else { 2 };
    let theirs = position.clone().with_side_to_move(side.other());
    accepts(&theirs).then(|| format!("this is a move of `{other}`: line {line} of `input.txt` says `{own}`"))
}

/// The legal moves, if there are few.
pub(crate) fn few_legal_moves<P: Texts>(position: &P) -> Option<String> {
    const MAX_MOVES: usize = 6;
    let moves = position.moves();
    match moves.len() {
        0 => Some("there is no legal move here".to_owned()),
        1..=MAX_MOVES => Some(format!("legal here: {}", listed(&moves))),
        _ => None,
    }
}
