//! The texts exchanged between the referee and an agent.
//!
//! It writes and parses `input.txt`, and parses `output.txt` into a legal move or a refusal with place and reason. It
//! uses no files, clocks or processes: all functions are pure. `referee`, `agents`, `check` and `cli/judge` call it
//! through each game.
//!
//! Any bytes must parse into an answer or a refusal, without panic. Parsing written text must be the identity. Text of
//! an agent must be escaped in messages.
//!
//! [`Texts`] is a [`Position`] that can also be written and read.

mod comparison;
mod csv_text;
mod exact;
mod excerpt;
pub(crate) mod finding;
pub(crate) mod input;
pub(crate) mod lines;
mod person_name;
mod plain;
pub(crate) mod plays;
pub(crate) mod respell;
pub mod rules;
pub(crate) mod squares;

pub use comparison::{ComparedLine, Comparison};
pub use csv_text::{csv_cell_length, csv_line, csv_separator, csv_unclosed};
pub use exact::compare;
pub use excerpt::{Excerpt, ExcerptLine};
pub use finding::{Finding, Location, Refusal, Tolerance, quote};
pub use input::{Input, InputError, InputPurpose, InputText, TimeLeft};
pub use lines::is_blank_text;
pub use person_name::{composed, letters, spellings, surest};
pub use plain::{counted, deserialize_plain, json_fault, plain};

use crate::{Position, Profile, Side};

/// A parsed and legal answer of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<M> {
    /// The move.
    pub mv: M,
    /// The play as written, in the exact format without a final LF. If several plays make the same move, as chains of
    /// Halma may, [`Texts::write_move`] may write another one.
    pub written: String,
    /// Each kind of tolerance used, in the words of an exact reading, and every remark on the move. One warning per
    /// kind, at its first place.
    pub warnings: Vec<Finding>,
}

/// A game that agents can play through files: its rules and texts.
pub trait Texts: Position {
    /// The profile of the game.
    const PROFILE: &'static Profile;

    /// The variants of its rules by name, the default first; empty if there is only one.
    const VARIANTS: &'static [(&'static str, Self::Rules)] = &[];

    /// How its `input.txt` is written and read.
    const INPUT: InputText<Self>;

    /// The game in a sentence, with the variant if it has several: `Halma (addendum)`.
    fn title(rules: Self::Rules) -> String {
        let title = Self::PROFILE.title;
        let variant = Self::VARIANTS.iter().find(|(_, variant)| *variant == rules);
        variant.map_or_else(|| title.to_owned(), |(variant, _)| format!("{title} ({variant})"))
    }

    /// The game's word for a side in `input.txt`: `BLACK`, `X`, ...
    fn side_name(side: Side) -> &'static str {
        Self::PROFILE.side(side).word
    }

    /// The side named `word` in `input.txt`.
    fn side_called(word: &[u8]) -> Option<Side> {
        let mut sides = Side::BOTH.into_iter();
        sides.find(|&side| Self::side_name(side).as_bytes() == word)
    }

    /// The whole `input.txt` for the side to move, with a LF after every line.
    fn write_input(&self, purpose: InputPurpose, time: TimeLeft) -> String {
        (Self::INPUT.write)(self, purpose, time)
    }

    /// Parses a whole `input.txt`.
    ///
    /// # Errors
    ///
    /// [`InputError`] with the line at fault and the expected content.
    fn read_input(text: &[u8], rules: Self::Rules) -> Result<Input<Self>, InputError> {
        (Self::INPUT.read)(text, rules)
    }

    /// The text of `output.txt` for a legal move of this position, without a final LF; one line per jump of a chain.
    fn write_move(&self, mv: Self::Move) -> String {
        mv.to_string()
    }

    /// Parses `output.txt` as an answer in this position.
    ///
    /// # Errors
    ///
    /// [`Refusal`], which distinguishes an empty text, a wrong format and an illegal move.
    fn read_output(&self, text: &[u8], tolerance: Tolerance) -> Result<Answer<Self::Move>, Refusal>;
}
