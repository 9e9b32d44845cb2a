//! Sets of positions for a game that is chosen at run time.

use super::{CaseKind, Kind, KindVisitor, NotFound, Series, case, visit_kinds};
use crate::games::{GameId, Position, Side};
use crate::protocol::{Game, Purpose, TimeLeft, quote, write_question};
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
        game: GameId,
        /// What was asked for.
        found: String,
        /// The kinds that there are.
        kinds: String,
    },
    /// A position was not to be had.
    #[error(transparent)]
    NotFound(#[from] NotFound),
}

/// The kinds of positions of `game`.
pub fn list(game: GameId) -> Vec<Listed> {
    visit_kinds(game, List).unwrap_or_else(|| {
        let cases = CaseKind::ALL.iter();
        cases
            .map(|kind| Listed {
                name: kind.name(),
                about: kind.about(),
            })
            .collect()
    })
}

/// The set of positions that `request` asks for.
///
/// ```
/// use referee::games::GameId;
/// use referee::positions::{Request, make};
/// use referee::time::CpuTime;
///
/// let request = Request {
///     count: 2,
///     seed: 1,
///     kinds: vec!["corner".to_owned()],
///     side: None,
///     time: CpuTime::from_secs(30),
/// };
/// let made = make(GameId::DuoOthello, &request)?;
/// assert_eq!(made[0].name, "01-corner.txt");
/// assert!(made[0].input.starts_with("X\n30 30\n"));
/// assert!(made[1].input.starts_with("O\n30 30\n"));
/// # Ok::<(), referee::positions::PositionsFault>(())
/// ```
///
/// # Errors
///
/// [`PositionsFault`] where a kind does not exist, or has not that many positions.
pub fn make(game: GameId, request: &Request) -> Result<Vec<Made>, PositionsFault> {
    visit_kinds(game, request).unwrap_or_else(|| request.cases(game))
}

struct List;

impl KindVisitor for List {
    type Output = Vec<Listed>;

    fn visit<K: Kind>(self, rules: <K::Position as Position>::Rules) -> Vec<Listed> {
        let listed = kinds_under::<K>(rules).map(|kind| Listed {
            name: kind.name(),
            about: kind.about(),
        });
        listed.collect()
    }
}

impl KindVisitor for &Request {
    type Output = Result<Vec<Made>, PositionsFault>;

    fn visit<K: Kind>(self, rules: <K::Position as Position>::Rules) -> Self::Output {
        let kinds = self.kinds.iter().map(|name| kind_named::<K>(name, rules));
        let kinds = kinds.collect::<Result<Vec<K>, PositionsFault>>()?;
        let series = Series::new(rules, self.seed, &kinds, self.side);
        let positions = (1..=self.count).zip(series);
        positions
            .map(|(number, found)| {
                let (kind, position) = found?;
                Ok(self.made(number, kind, &position))
            })
            .collect()
    }
}

impl Request {
    fn made<K: Kind>(&self, number: u32, kind: K, position: &K::Position) -> Made {
        let time = TimeLeft {
            own: self.time,
            opponent: self.time,
        };
        let kind = kind.name();
        // As many digits as the last number has, so that the files are listed in their order.
        let digits = self.count.to_string().len().max(2);
        Made {
            name: format!("{number:0digits$}-{kind}.txt"),
            kind,
            input: position.write_input(Purpose::Single, time),
            expected: None,
        }
    }

    /// The first cases of Star and Circle that are asked for, in the series of the seed.
    fn cases(&self, game: GameId) -> Result<Vec<Made>, PositionsFault> {
        let kinds = self.kinds.iter().map(|name| case_kind_named(name, game));
        let kinds = kinds.collect::<Result<Vec<CaseKind>, PositionsFault>>()?;
        let wanted = (0..)
            .map(|number| case(self.seed, number))
            .filter(|made| kinds.is_empty() || kinds.contains(&made.kind))
            .filter(|made| {
                self.side
                    .is_none_or(|side| side == made.question.position().side_to_move())
            });
        let digits = self.count.to_string().len().max(2);
        Ok((1..=self.count)
            .zip(wanted)
            .map(|(number, made)| {
                let stem = format!("{number:0digits$}-{}", made.kind.name());
                Made {
                    name: format!("{stem}.input.txt"),
                    kind: made.kind.name(),
                    input: write_question(&made.question),
                    expected: Some((format!("{stem}.expected.txt"), format!("{}\n", made.solution))),
                }
            })
            .collect())
    }
}

fn case_kind_named(name: &str, game: GameId) -> Result<CaseKind, PositionsFault> {
    let named = CaseKind::ALL.into_iter().find(|kind| kind.name() == name);
    named.ok_or_else(|| PositionsFault::UnknownKind {
        game,
        found: name.to_owned(),
        kinds: CaseKind::ALL.map(|kind| format!("`{}`", kind.name())).join(", "),
    })
}

fn kinds_under<K: Kind>(rules: <K::Position as Position>::Rules) -> impl Iterator<Item = K> {
    K::ALL.iter().copied().filter(move |kind| kind.exists_under(rules))
}

fn kind_named<K: Kind>(name: &str, rules: <K::Position as Position>::Rules) -> Result<K, PositionsFault> {
    let named = kinds_under::<K>(rules).find(|kind| kind.name() == name);
    named.ok_or_else(|| PositionsFault::UnknownKind {
        game: K::Position::id(rules),
        found: name.to_owned(),
        kinds: names_of::<K>(rules),
    })
}

fn names_of<K: Kind>(rules: <K::Position as Position>::Rules) -> String {
    let names: Vec<String> = kinds_under::<K>(rules)
        .map(|kind| format!("`{}`", kind.name()))
        .collect();
    names.join(", ")
}
