//! Sets of positions for a game that is chosen at run time.

use super::{NotFound, PositionKind, Series, Style};
use crate::agents::builtin::Evaluate;
use crate::games::Side;
use crate::protocol::{InputPurpose, Texts, TimeLeft, quote};
use crate::time::CpuTime;

/// What positions are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionsRequest {
    /// How many.
    pub count: u32,
    /// What they depend on.
    pub seed: u64,
    /// The names of the kinds, which take turns in this order; all kinds where none is named.
    pub kinds: Vec<String>,
    /// Who is to move; both sides in turn where nobody is named.
    pub side: Option<Side>,
    /// The time that `input.txt` tells the agent it has; in Duo-Othello the opponent has as much.
    pub time: CpuTime,
}

/// One position of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadePosition {
    /// The name of its file, with its number and its kind: `01-opening.txt`, `01-sparse.input.txt`.
    pub name: String,
    /// The name of its kind.
    pub kind: &'static str,
    /// The whole `input.txt`.
    pub input: String,
    /// The right answer, where there is only one: the name of its file, and the text.
    pub expected: Option<(String, String)>,
}

/// A kind in a list of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedKind {
    /// The kind's name.
    pub name: &'static str,
    /// What its positions have.
    pub about: &'static str,
}

/// Why a set of positions could not be made: the fault of whoever asked for it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionsError {
    /// The game has no such kind.
    #[error("{game} has no kind {}: choose one of {kinds}", quote(.found.as_bytes()))]
    UnknownKind {
        /// The game, with its rules.
        game: String,
        /// What was asked for.
        found: String,
        /// The kinds that there are.
        kinds: String,
    },
    /// A position was not to be had.
    #[error(transparent)]
    NotFound(#[from] NotFound),
}

/// A game with kinds of positions worth asking for.
pub trait Practised: Texts + Evaluate {
    /// The kinds, in the order in which a [`Series`] takes them in turn unless it is told otherwise.
    const KINDS: &'static [PositionKind<Self>];

    /// How the games are played in which positions are looked for: one of these each time, each as likely as any other.
    const STYLES: &'static [Style] = Style::USUAL;

    /// The kind called `name`, where it exists by `rules`.
    fn kind(name: &str, rules: Self::Rules) -> Option<&'static PositionKind<Self>> {
        let named = Self::KINDS.iter().find(|kind| kind.name == name);
        named.filter(|kind| (kind.exists_under)(rules))
    }

    /// A list of its kinds by `rules`.
    fn kinds(rules: Self::Rules) -> Vec<ListedKind> {
        let kinds = Self::KINDS.iter().filter(|kind| (kind.exists_under)(rules));
        kinds
            .map(|&PositionKind { name, about, .. }| ListedKind { name, about })
            .collect()
    }

    /// The positions that `request` asks for.
    ///
    /// # Errors
    ///
    /// [`PositionsError`] where a kind does not exist, or has not that many positions.
    fn positions(rules: Self::Rules, request: &PositionsRequest) -> Result<Vec<MadePosition>, PositionsError> {
        let named = |name: &String| {
            let unknown = || unknown_kind(Self::name(rules), name, &Self::kinds(rules));
            Self::kind(name, rules).ok_or_else(unknown)
        };
        let kinds = request.kinds.iter().map(named);
        let kinds = kinds.collect::<Result<Vec<_>, PositionsError>>()?;
        let series = Series::<Self>::new(rules, request.seed, &kinds, request.side);
        let positions = (1..=request.count).zip(series);
        positions
            .map(|(number, found)| {
                let (kind, position) = found?;
                Ok(request.made(number, kind.name, &position))
            })
            .collect()
    }
}

/// The fault of a `found` kind that the game called `game` does not have among `kinds`.
pub fn unknown_kind(game: String, found: &str, kinds: &[ListedKind]) -> PositionsError {
    let kinds: Vec<String> = kinds.iter().map(|kind| format!("`{}`", kind.name)).collect();
    PositionsError::UnknownKind {
        game,
        found: found.to_owned(),
        kinds: kinds.join(", "),
    }
}

impl PositionsRequest {
    /// A number with as many digits as the last one has, so that files are listed in their order.
    pub fn numbered(&self, number: u32) -> String {
        let digits = self.count.to_string().len().max(2);
        format!("{number:0digits$}")
    }

    fn made<P: Texts>(&self, number: u32, kind: &'static str, position: &P) -> MadePosition {
        let time = TimeLeft {
            own: self.time,
            opponent: self.time,
        };
        MadePosition {
            name: format!("{}-{kind}.txt", self.numbered(number)),
            kind,
            input: position.write_input(InputPurpose::Single, time),
            expected: None,
        }
    }
}
