//! Sets of positions for a game chosen at run time. `games` dispatches to it; `cli/positions` and `check` make
//! requests.

use super::{ListedKind, NotFound, PositionKind, Series, Style};
use crate::Side;
use crate::builtin::Evaluate;
use crate::protocol::respell::listed;
use crate::protocol::{InputPurpose, Texts, TimeLeft, quote};
use referee_time::CpuTime;

/// A request for positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionsRequest {
    /// The number.
    pub count: u32,
    /// The seed.
    pub seed: u64,
    /// The names of the kinds, which alternate in this order; all kinds if empty.
    pub kinds: Vec<String>,
    /// The side to move; both alternately if `None`.
    pub side: Option<Side>,
    /// The agent's time in `input.txt`; in Duo-Othello the opponent has the same.
    pub time: CpuTime,
}

/// One position of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadePosition {
    /// The name of its file, with number and kind: `01-opening.txt`, `01-sparse.input.txt`.
    pub name: String,
    /// The name of its kind.
    pub kind: &'static str,
    /// The whole `input.txt`.
    pub input: String,
    /// The only right answer, if there is one: the name of its file, and the text.
    pub expected: Option<(String, String)>,
}

/// Why a set of positions could not be made: the fault of the user, or of a rules program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionsError {
    /// The game has no such kind.
    #[error("{game} has no positions of kind {}: choose one of {kinds}", quote(.found.as_bytes()))]
    UnknownKind {
        /// The game, with its rules.
        game: String,
        /// The requested name.
        found: String,
        /// The existing kinds.
        kinds: String,
    },
    /// No such position was found.
    #[error(transparent)]
    NotFound(#[from] NotFound),
    /// The rules, which are a program of their own, have failed.
    #[error("{0}")]
    Rules(String),
}

/// A game with kinds of positions.
pub trait PracticeGame: Texts + Evaluate {
    /// The kinds, in the default order of a [`Series`].
    const KINDS: &'static [PositionKind<Self>];

    /// The styles of games for finding positions, chosen with equal probability.
    const STYLES: &'static [Style] = Style::USUAL;

    /// The kind called `name`, if it exists under `rules`.
    fn kind(name: &str, rules: Self::Rules) -> Option<&'static PositionKind<Self>> {
        Self::KINDS.iter().find(|kind| kind.name == name && (kind.exists_under)(rules))
    }

    /// The kinds under `rules`.
    fn kinds(rules: Self::Rules) -> Vec<ListedKind> {
        let kinds = Self::KINDS.iter().filter(|kind| (kind.exists_under)(rules));
        kinds.map(PositionKind::listed).collect()
    }

    /// The kinds under `rules` of which this position is.
    fn kinds_of(&self, rules: Self::Rules) -> Vec<ListedKind> {
        let kinds = Self::KINDS.iter().filter(|kind| (kind.exists_under)(rules) && (kind.holds)(self));
        kinds.map(PositionKind::listed).collect()
    }

    /// The requested positions.
    ///
    /// # Errors
    ///
    /// [`PositionsError`] if a kind does not exist, or has too few positions.
    fn positions(rules: Self::Rules, request: &PositionsRequest) -> Result<Vec<MadePosition>, PositionsError> {
        let named = |name: &String| {
            let unknown = || unknown_kind(Self::title(rules), name, &Self::kinds(rules));
            Self::kind(name, rules).ok_or_else(unknown)
        };
        let kinds = request.kinds.iter().map(named);
        let mut kinds = kinds.collect::<Result<Vec<_>, PositionsError>>()?;
        if kinds.is_empty() {
            kinds.extend(Self::KINDS);
        }
        let series = Series::<Self>::new(rules, request.seed, Self::STYLES, &kinds, request.side);
        let positions = (1..=request.count).zip(series);
        positions
            .map(|(number, found)| {
                let (kind, position) = found?;
                Ok(request.made(number, kind.name, |purpose, time| position.write_input(purpose, time)))
            })
            .collect()
    }
}

/// The error for a `found` kind that the game called `game` does not have among `kinds`.
pub fn unknown_kind(game: String, found: &str, kinds: &[ListedKind]) -> PositionsError {
    let kinds = listed(kinds.iter().map(|kind| kind.name));
    PositionsError::UnknownKind { game, found: found.to_owned(), kinds }
}

impl PositionsRequest {
    /// A number with as many digits as the last one, so that files sort in order.
    pub fn numbered(&self, number: u32) -> String {
        let digits = self.count.to_string().len().max(2);
        format!("{number:0digits$}")
    }

    /// The position of this number, of whose `input.txt` for the time of the request `write` makes the text.
    pub fn made(
        &self,
        number: u32,
        kind: &'static str,
        write: impl FnOnce(InputPurpose, TimeLeft) -> String,
    ) -> MadePosition {
        let input = write(InputPurpose::Single, TimeLeft { own: self.time, opponent: self.time });
        MadePosition { name: format!("{}-{kind}.txt", self.numbered(number)), kind, input, expected: None }
    }
}
