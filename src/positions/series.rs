//! The endless series of positions that belongs to a seed.

use std::collections::HashSet;

use super::Kind;
use super::playout::play_out;
use super::twin::twin;
use crate::agents::builtin::Chance;
use crate::games::{Position, Side, Status};

/// So many games are played for one position before it is taken for not to be had.
const ATTEMPTS: u32 = 20_000;

/// The positions of given kinds that belong to a seed, one after the other without end.
///
/// The kinds take turns in the order in which they were given, and so do the sides, so that every kind is asked of
/// both. What comes first does not depend on how many are taken: the first five of ten are the five.
///
/// ```
/// use referee::games::{Position, Side, Status};
/// use referee::games::checkers::CheckersKind;
/// use referee::positions::{Kind, Series};
///
/// let kinds = [CheckersKind::ForcedJump, CheckersKind::Crowning];
/// let series = Series::new((), 7, &kinds, None);
/// let found = series.take(4).collect::<Result<Vec<_>, _>>()?;
/// for (kind, position) in &found {
///     assert_eq!(position.status(), Status::ToMove);
///     assert!(kind.holds(position));
/// }
/// let sides: Vec<Side> = found.iter().map(|(_, position)| position.side_to_move()).collect();
/// assert_eq!(sides, [Side::Black, Side::White, Side::White, Side::Black]);
/// # Ok::<(), referee::positions::NotFound>(())
/// ```
#[derive(Clone, Debug)]
pub struct Series<K: Kind> {
    rules: <K::Position as Position>::Rules,
    seed: u64,
    kinds: Vec<K>,
    side: Option<Side>,
    /// How many positions were taken.
    taken: u32,
    /// All that were taken, and the twin of each.
    known: HashSet<K::Position>,
}

/// A position that was not to be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no new position of kind `{kind}` with {} to move was met in {ATTEMPTS} games: ask for fewer, or for other kinds",
    match .side { Side::Black => "black", Side::White => "white" }
)]
pub struct NotFound {
    /// The kind's name.
    pub kind: &'static str,
    /// The side that should have been to move.
    pub side: Side,
}

impl<K: Kind> Series<K> {
    /// The series of `kinds`, or of all that exist under `rules` where none is given, with `side` to move, or both sides
    /// in turn.
    pub fn new(rules: <K::Position as Position>::Rules, seed: u64, kinds: &[K], side: Option<Side>) -> Self {
        let kinds = if kinds.is_empty() { K::ALL } else { kinds };
        Self {
            rules,
            seed,
            kinds: kinds.iter().copied().filter(|kind| kind.exists_under(rules)).collect(),
            side,
            taken: 0,
            known: HashSet::new(),
        }
    }

    /// The kind and the side to move of the next position; `None` where there is no kind.
    fn due(&self) -> Option<(K, Side)> {
        let taken = self.taken as usize;
        let round = taken.checked_div(self.kinds.len())?;
        let place = taken % self.kinds.len();
        // A round later the other side has the same kind, also where the number of kinds is even.
        let alternating = Side::BOTH[(round + place) % 2];
        Some((self.kinds[place], self.side.unwrap_or(alternating)))
    }

    fn search(&self, kind: K, side: Side) -> Option<K::Position> {
        (0..ATTEMPTS).find_map(|attempt| {
            // Each attempt has a stream of its own, so that it does not depend on what was drawn in the one before it.
            let stream = u64::from(self.taken) << 32 | u64::from(attempt);
            self.attempt(kind, side, &mut Chance::new(self.seed, stream))
        })
    }

    /// One of the positions of `kind` that a game meets, if it meets any.
    fn attempt(&self, kind: K, side: Side, chance: &mut Chance) -> Option<K::Position> {
        let mut met = Vec::new();
        play_out::<K>(self.rules, &kind.turns(), chance, |position| {
            // As an input.txt shows it, which does not tell that the turn came by a pass.
            let shown = position.clone().with_side_to_move(position.side_to_move());
            if self.would_do(kind, side, &shown) {
                met.push(shown);
            }
        });
        let places: Vec<usize> = (0..met.len()).collect();
        Some(met.swap_remove(chance.choose(&places)?))
    }

    fn would_do(&self, kind: K, side: Side, position: &K::Position) -> bool {
        position.side_to_move() == side
            && position.status() == Status::ToMove
            && kind.holds(position)
            && !self.known.contains(position)
    }
}

impl<K: Kind> Iterator for Series<K> {
    type Item = Result<(K, K::Position), NotFound>;

    /// The next position; ends only where no kind exists under the rules.
    fn next(&mut self) -> Option<Self::Item> {
        let (kind, side) = self.due()?;
        let Some(position) = self.search(kind, side) else {
            let kind = kind.name();
            return Some(Err(NotFound { kind, side }));
        };
        self.taken += 1;
        self.known.extend(twin(&position));
        self.known.insert(position.clone());
        Some(Ok((kind, position)))
    }
}

#[cfg(test)]
mod tests {
    use std::ops::RangeInclusive;

    use super::*;
    use crate::games::checkers::{Checkers, CheckersKind};
    use crate::positions::Style;

    /// The start of checkers, which is one position, and something that is nowhere.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Rare {
        Start,
        Nowhere,
    }

    impl Kind for Rare {
        type Position = Checkers;

        const ALL: &'static [Self] = &[Self::Start, Self::Nowhere];
        const STYLES: &'static [Style] = CheckersKind::STYLES;

        fn name(self) -> &'static str {
            "rare"
        }

        fn about(self) -> &'static str {
            "rare"
        }

        fn holds(self, _: &Checkers) -> bool {
            self == Self::Start
        }

        fn turns(self) -> RangeInclusive<u32> {
            0..=0
        }
    }

    #[test]
    fn what_is_not_met_any_more_ends_the_search() {
        let mut series = Series::new((), 1, &[Rare::Start], None);
        assert_eq!(series.next(), Some(Ok((Rare::Start, Checkers::start(())))));
        let mut series = Series::new((), 1, &[Rare::Nowhere], Some(Side::White));
        let not_found = series.next().unwrap().unwrap_err();
        assert_eq!(
            not_found.to_string(),
            "no new position of kind `rare` with white to move was met in 20000 games: ask for fewer, or for other kinds"
        );
    }

    #[test]
    fn a_position_is_not_met_twice_and_neither_is_its_twin() {
        let mut series = Series::new((), 1, &[Rare::Start], Some(Side::Black));
        assert!(series.next().unwrap().is_ok());
        assert!(series.next().unwrap().is_err());
        let start = Checkers::start(());
        assert!(!series.would_do(Rare::Start, Side::White, &start.with_side_to_move(Side::White)));
    }

    #[test]
    fn sides_take_turns_and_so_do_they_in_the_next_round() {
        let sides = |kinds: &[CheckersKind]| -> Vec<Side> {
            let series = Series::new((), 3, kinds, None);
            series.take(4).map(|found| found.unwrap().1.side_to_move()).collect()
        };
        let (black, white) = (Side::Black, Side::White);
        let kinds = [CheckersKind::Opening, CheckersKind::Crowded];
        assert_eq!(sides(&kinds[..1]), [black, white, black, white]);
        assert_eq!(sides(&kinds), [black, white, white, black]);
    }
}
