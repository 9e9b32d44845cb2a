//! The endless series of positions for a seed. It writes nothing; requests take from it.

use std::collections::HashSet;

use super::playout::play_out;
use super::twin::twin;
use super::{PositionKind, Style};
use crate::builtin::{Evaluate, TurnRng};
use crate::protocol::{InputPurpose, Texts, TimeLeft};
use crate::{Side, Status};
use referee_time::CpuTime;

/// The number of games after which a position counts as nonexistent.
///
/// The rarest kind, a chain of checkers that ends where it began, takes 3,800 games on average: 20,000 would
/// miss one such position in 200.
const ATTEMPTS: u32 = 100_000;

/// The positions of given kinds for a seed, without end.
///
/// Kinds alternate in the given order, and so do sides, so that every kind occurs for both. The first positions do not
/// depend on how many are taken.
///
/// ```
/// use referee_games::{Position, Side, Status};
/// use referee_games::checkers::Checkers;
/// use referee_games::positions::{PracticeGame, Series};
///
/// let kinds = ["forced-jump", "crowning"].map(|name| Checkers::kind(name, ()).unwrap());
/// let series = Series::<Checkers>::new((), 7, Checkers::STYLES, &kinds, None);
/// let found = series.take(4).collect::<Result<Vec<_>, _>>()?;
/// for (kind, position) in &found {
///     assert_eq!(position.status(), Status::ToMove);
///     assert!((kind.holds)(position));
/// }
/// let sides: Vec<Side> = found.iter().map(|(_, position)| position.side_to_move()).collect();
/// assert_eq!(sides, [Side::Black, Side::White, Side::White, Side::Black]);
/// # Ok::<(), referee_games::positions::NotFound>(())
/// ```
#[derive(Clone, Debug)]
pub struct Series<P: Texts + Evaluate> {
    rules: P::Rules,
    seed: u64,
    styles: &'static [Style],
    kinds: Vec<&'static PositionKind<P>>,
    side: Option<Side>,
    /// The number of positions taken.
    taken: u32,
    /// All taken positions and their twins.
    known: HashSet<P>,
}

/// A position that could not be found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "found no new position of kind `{kind}` with {} to move in {games} games: request fewer, or other kinds",
    match .side { Side::Black => "black", Side::White => "white" }
)]
pub struct NotFound {
    /// The kind's name.
    pub kind: &'static str,
    /// The side to move.
    pub side: Side,
    /// The number of games that were played in search of it.
    pub games: u64,
}

impl<P: Texts + Evaluate> Series<P> {
    /// The series of those of `kinds` that exist under `rules`, found in games of `styles`, with `side` to move, or
    /// both alternately.
    pub fn new(
        rules: P::Rules,
        seed: u64,
        styles: &'static [Style],
        kinds: &[&'static PositionKind<P>],
        side: Option<Side>,
    ) -> Self {
        let exists = |kind: &&PositionKind<P>| (kind.exists_under)(rules);
        Self {
            rules,
            seed,
            styles,
            kinds: kinds.iter().copied().filter(exists).collect(),
            side,
            taken: 0,
            known: HashSet::new(),
        }
    }

    /// The kind and the side of the next position; `None` without kinds.
    fn due(&self) -> Option<(&'static PositionKind<P>, Side)> {
        let taken = self.taken as usize;
        let round = taken.checked_div(self.kinds.len())?;
        let place = taken % self.kinds.len();
        // In the next round the other side has the same kind, even if the number of kinds is even.
        let alternating = Side::BOTH[(round + place) % 2];
        Some((self.kinds[place], self.side.unwrap_or(alternating)))
    }

    fn search(&self, kind: &PositionKind<P>, side: Side) -> Option<P> {
        (0..ATTEMPTS).find_map(|attempt| {
            // Each attempt has its own stream, independent of earlier attempts.
            let stream = u64::from(self.taken) << 32 | u64::from(attempt);
            self.attempt(kind, side, &mut TurnRng::new(self.seed, stream))
        })
    }

    /// A position of `kind` that one game reaches, if any.
    fn attempt(&self, kind: &PositionKind<P>, side: Side, chance: &mut TurnRng) -> Option<P> {
        let mut met = Vec::new();
        play_out::<P>(self.rules, self.styles, &kind.turns, chance, |position| {
            met.extend(self.asked(kind, side, position));
        });
        chance.choose(&met)
    }

    /// `position` as read from its `input.txt`, if it is of the kind and new.
    fn asked(&self, kind: &PositionKind<P>, side: Side, position: &P) -> Option<P> {
        let fits = |position: &P| {
            position.side_to_move() == side && position.status() == Status::ToMove && (kind.holds)(position)
        };
        // A text does not show that the turn came by a pass; this is the cheap equivalent.
        let shown = position.clone().with_side_to_move(position.side_to_move());
        let asked = fits(&shown).then(|| as_read(&shown)).flatten()?;
        (fits(&asked) && !self.known.contains(&asked)).then_some(asked)
    }
}

/// The position as an agent reads it.
fn as_read<P: Texts + Evaluate>(position: &P) -> Option<P> {
    let second = CpuTime::from_secs(1);
    let time = TimeLeft { own: second, opponent: second };
    let text = position.write_input(InputPurpose::Single, time);
    let read = P::read_input(text.as_bytes(), position.rules());
    read.ok().map(|input| input.position)
}

impl<P: Texts + Evaluate> Iterator for Series<P> {
    type Item = Result<(&'static PositionKind<P>, P), NotFound>;

    /// The next position; ends only if no kind exists under the rules.
    fn next(&mut self) -> Option<Self::Item> {
        let (kind, side) = self.due()?;
        let Some(position) = self.search(kind, side) else {
            let kind = kind.name;
            return Some(Err(NotFound { kind, side, games: ATTEMPTS.into() }));
        };
        self.taken += 1;
        self.known.extend(twin(&position).as_ref().and_then(as_read));
        self.known.insert(position.clone());
        Some(Ok((kind, position)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use crate::checkers::Checkers;

    /// The start of checkers, a single position, and a nonexistent kind.
    const RARE: [&PositionKind<Checkers>; 2] =
        [&PositionKind::new("rare", "rare", 0..=0, |_| true), &PositionKind::new("rare", "rare", 0..=0, |_| false)];

    #[test]
    fn what_is_not_met_any_more_ends_the_search() {
        let mut series = Series::new((), 1, Style::USUAL, &RARE[..1], None);
        assert_eq!(series.next().unwrap().unwrap().1, Checkers::start(()));
        let mut series = Series::new((), 1, Style::USUAL, &RARE[1..], Some(Side::White));
        let not_found = series.next().unwrap().unwrap_err();
        assert_eq!(
            not_found.to_string(),
            "found no new position of kind `rare` with white to move in 100000 games: request fewer, or other kinds"
        );
    }

    #[test]
    fn a_position_is_not_met_twice_and_neither_is_its_twin() {
        let mut series = Series::new((), 1, Style::USUAL, &RARE[..1], Some(Side::Black));
        assert!(series.next().unwrap().is_ok());
        assert!(series.next().unwrap().is_err());
        let start = Checkers::start(());
        let other = start.with_side_to_move(Side::White);
        assert_eq!(series.asked(RARE[0], Side::White, &other), None);
    }
}
