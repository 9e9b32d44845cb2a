//! The texts that the referee and an agent exchange.
//!
//! For: writing and reading `input.txt`, reading `output.txt` into a legal move or into a refusal that says where and
//! why. Deliberately not here: files, clocks, processes; every function takes and gives values.
//!
//! What must always hold: any bytes whatever are read into an answer or a refusal, never into a panic; reading what
//! was written is the identity; nothing of an agent's text enters a message unescaped.
//!
//! [`Texts`] is a [`Position`] that can also be written and read.

mod comparison;
mod exact;
mod excerpt;
pub(crate) mod finding;
pub(crate) mod input;
pub(crate) mod lines;
mod plain;
pub(crate) mod plays;
pub(crate) mod respell;
pub mod rules;

pub use comparison::{ComparedLine, Comparison};
pub use exact::compare;
pub use excerpt::{Excerpt, ExcerptLine};
pub use finding::{Finding, Location, Refusal, Tolerance, quote};
pub use input::{Input, InputError, InputPurpose, TimeLeft};
pub use lines::is_blank_text;
pub use plain::{deserialize_plain, plain};

use crate::games::{Position, Profile, Side};

/// What an agent answered, read and found legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<M> {
    /// The move that the answer stands for.
    pub mv: M,
    /// The play as it was written, in the exact format and without a final LF. Where several plays make one move, as
    /// chains of Halma do, [`Texts::write_move`] may write another.
    pub written: String,
    /// Each kind of tolerance used in reading it, with what an exact reading would have said, and every remark on the
    /// move. There is one warning of a kind, at the first place.
    pub warnings: Vec<Finding>,
}

/// A game that agents can play over files: its rules and its texts.
pub trait Texts: Position {
    /// What the game is like.
    const PROFILE: &'static Profile;

    /// The variants of its rules by name, the usual one first; none where there is one set of rules.
    const VARIANTS: &'static [(&'static str, Self::Rules)] = &[];

    /// The game's name, with the variant where it has several: `halma (addendum)`.
    fn name(rules: Self::Rules) -> String {
        let name = Self::PROFILE.name;
        let variant = Self::VARIANTS.iter().find(|(_, variant)| *variant == rules);
        variant.map_or_else(|| name.to_owned(), |(variant, _)| format!("{name} ({variant})"))
    }

    /// The game's word for a side, as it stands in `input.txt`: `BLACK`, `X`, ...
    fn side_name(side: Side) -> &'static str {
        Self::PROFILE.side(side).word
    }

    /// The side that `word` stands for in `input.txt`.
    fn side_called(word: &[u8]) -> Option<Side> {
        let mut sides = Side::BOTH.into_iter();
        sides.find(|&side| Self::side_name(side).as_bytes() == word)
    }

    /// The whole `input.txt` for the side to move, with a LF after every line.
    fn write_input(&self, purpose: InputPurpose, time: TimeLeft) -> String;

    /// Reads a whole `input.txt`.
    ///
    /// # Errors
    ///
    /// [`InputError`] with the line at fault and what was expected there.
    fn read_input(text: &[u8], rules: Self::Rules) -> Result<Input<Self>, InputError>;

    /// The text of `output.txt` that stands for a legal move of this position, without a final LF; the jumps of a chain
    /// are on one line each.
    fn write_move(&self, mv: Self::Move) -> String;

    /// Reads `output.txt` as an answer in this position.
    ///
    /// # Errors
    ///
    /// [`Refusal`] that tells an empty text, a wrong format and an illegal move apart.
    fn read_output(&self, text: &[u8], tolerance: Tolerance) -> Result<Answer<Self::Move>, Refusal>;
}
