//! Sets of positions for a game that is chosen at run time.

use super::{Kind, NotFound, Series};
use crate::agents::builtin::Evaluate;
use crate::games::{Position, Side};
use crate::protocol::{Purpose, Texts, TimeLeft, quote};
use crate::time::CpuTime;

/// What positions are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
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
pub struct Made {
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
pub struct Listed {
    /// The kind's name.
    pub name: &'static str,
    /// What its positions have.
    pub about: &'static str,
}

/// Why a set of positions could not be made: the fault of whoever asked for it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionsFault {
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
    /// Its kinds by `rules`; most games have [`listed`] do it.
    fn kinds(rules: Self::Rules) -> Vec<Listed>;

    /// The positions that `request` asks for; most games have [`made`] do it.
    ///
    /// # Errors
    ///
    /// [`PositionsFault`] where a kind does not exist, or has not that many positions.
    fn positions(rules: Self::Rules, request: &Request) -> Result<Vec<Made>, PositionsFault>;
}

/// The kinds `K`, as [`Practised::kinds`] lists them.
pub fn listed<K: Kind>(rules: <K::Position as Position>::Rules) -> Vec<Listed> {
    let listed = kinds_under::<K>(rules).map(|kind| Listed {
        name: kind.name(),
        about: kind.about(),
    });
    listed.collect()
}

/// The positions of the kinds `K`, as [`Practised::positions`] makes them.
///
/// # Errors
///
/// [`PositionsFault`] where a kind does not exist, or has not that many positions.
pub fn made<K: Kind>(rules: <K::Position as Position>::Rules, request: &Request) -> Result<Vec<Made>, PositionsFault> {
    let kinds = request.kinds.iter().map(|name| kind_named::<K>(name, rules));
    let kinds = kinds.collect::<Result<Vec<K>, PositionsFault>>()?;
    let series = Series::new(rules, request.seed, &kinds, request.side);
    let positions = (1..=request.count).zip(series);
    positions
        .map(|(number, found)| {
            let (kind, position) = found?;
            Ok(request.made(number, kind, &position))
        })
        .collect()
}

/// The fault of a `found` kind that the game called `game` does not have among `kinds`.
pub fn unknown_kind(game: String, found: &str, kinds: &[Listed]) -> PositionsFault {
    let kinds: Vec<String> = kinds.iter().map(|kind| format!("`{}`", kind.name)).collect();
    PositionsFault::UnknownKind {
        game,
        found: found.to_owned(),
        kinds: kinds.join(", "),
    }
}

impl Request {
    /// A number with as many digits as the last one has, so that files are listed in their order.
    pub fn numbered(&self, number: u32) -> String {
        let digits = self.count.to_string().len().max(2);
        format!("{number:0digits$}")
    }

    fn made<K: Kind>(&self, number: u32, kind: K, position: &K::Position) -> Made {
        let time = TimeLeft {
            own: self.time,
            opponent: self.time,
        };
        let kind = kind.name();
        Made {
            name: format!("{}-{kind}.txt", self.numbered(number)),
            kind,
            input: position.write_input(Purpose::Single, time),
            expected: None,
        }
    }
}

fn kinds_under<K: Kind>(rules: <K::Position as Position>::Rules) -> impl Iterator<Item = K> {
    K::ALL.iter().copied().filter(move |kind| kind.exists_under(rules))
}

fn kind_named<K: Kind>(name: &str, rules: <K::Position as Position>::Rules) -> Result<K, PositionsFault> {
    let named = kinds_under::<K>(rules).find(|kind| kind.name() == name);
    named.ok_or_else(|| unknown_kind(K::Position::name(rules), name, &listed::<K>(rules)))
}
