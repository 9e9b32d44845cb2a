//! Formats: from the results so far to the next games.
//!
//! They decide who meets whom in a competition and who has won it. They play nothing ([`Runner`](super::Runner)) and
//! know no ratings and no drawing of brackets. `runs`, `shards`, standings and reports call [`next_rounds`],
//! [`ranking()`] and [`advances`].
//!
//! [`next_rounds`] must be a pure function of the field, the plan and the results, in any order, so that a runner, a
//! resumed run and a job on another machine continue alike. Random choices must depend on the run's seed. Each side has
//! the first turn in half of an encounter's games; with an odd number, the extra first turns are balanced over the
//! event (exactly to at most one in a round robin and a gauntlet, else as well as the pairings permit). A game's name
//! must be a valid file name, unique, and sort by round and pairing; a round robin's names the players instead of the
//! round.
//!
//! One file per format, with the source of its method. Shared: [`competition_state`] (the past), [`matching`] and
//! [`pairing`] (rematches and byes), [`first_turns`], [`seeded_rng`], [`bracket`], [`tie_breaks`].

mod bracket;
mod competition_state;
mod double_knockout;
mod elimination;
mod field;
mod first_turns;
mod format;
mod gauntlet;
mod knockout;
mod matching;
mod pairing;
mod random_rounds;
mod ranking;
mod round_robin;
mod seeded_rng;
mod swiss;
mod tie_breaks;

pub use bracket::Advance;
use competition_state::CompetitionState;
pub use field::{CompetitionField, Encounter, ExtraGameStart, RankBy, Results, Round};
pub use format::Format;
pub(super) use ranking::RankedPlayer;
pub use ranking::{Conclusion, RankKey};

/// The next step of a competition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// Append these rounds to the plan, in this order, before any of their games begins. There is at least one, and all
    /// their games can be played concurrently.
    Play(Vec<Round>),
    /// Planned games are still unplayed.
    Waiting,
    /// The competition is over.
    Over(Conclusion),
}

/// The next step, given the plan so far and the results of its games.
///
/// A planned game without a result is unplayed. Results of unplanned games are ignored. Each call reads the whole plan,
/// so call it when nothing is left to play rather than after every game.
///
/// Players may be added to the end of the field, or withdraw, at any time. A round robin and a gauntlet then plan the
/// missing games; old games stay valid, even if the player comes back. In all other formats nobody can enter after the
/// first round was planned, and a player who withdraws loses its unplayed games, gets no more, and cannot come back.
///
/// ```
/// use std::num::NonZeroU32;
///
/// use referee_games::{GameRef, Side};
/// use referee_matches::tournament::{CompetitionField, Format, NextStep, Results, next_rounds};
///
/// let players = ["ada", "bob", "eve"].map(str::to_owned).to_vec();
/// let field = CompetitionField::new(referee_games::checkers::ID, players, NonZeroU32::new(1).unwrap(), 7);
/// let (mut plan, mut results) = (Vec::new(), Results::new());
/// let conclusion = loop {
///     match next_rounds(&Format::Knockout, &field, &plan, &results) {
///         NextStep::Play(rounds) => plan.extend(rounds),
///         NextStep::Waiting => {
///             // Black wins whatever is played.
///             let games = plan.iter().flat_map(|round| round.games());
///             results.extend(games.map(|game| (game.id.clone(), Some(Side::Black))));
///         }
///         NextStep::Over(conclusion) => break conclusion,
///     }
/// };
/// assert_eq!(plan[0].byes, ["ada"]);
/// assert_eq!(plan[1].encounters[0].games[0].id, "r02-p001-g01");
/// assert_eq!(conclusion.winners().count(), 1);
/// ```
pub fn next_rounds(format: &Format, field: &CompetitionField, plan: &[Round], results: &Results) -> NextStep {
    let state = CompetitionState::new(field, plan, results);
    if state.is_unfinished() && !format.is_planned_at_once() {
        return NextStep::Waiting;
    }
    // `None` where it is over.
    let next = match format {
        Format::RoundRobin => round_robin::next(&state),
        Format::Gauntlet { challenger } => gauntlet::next(&state, challenger),
        Format::Swiss { rounds } => swiss::next(&state, *rounds),
        Format::Knockout => bracket::next(&state, &knockout::matches(&state.participants)),
        Format::DoubleKnockout => bracket::next(&state, &double_knockout::matches(&state.participants)),
        Format::Elimination { round_limit } => elimination::next(&state, *round_limit),
        Format::RandomRounds { opponents, rounds } => random_rounds::next(&state, *opponents, *rounds),
    };
    next.unwrap_or_else(|| NextStep::Over(ranking_of(format, &state)))
}

/// The current ranking: that of [`NextStep::Over`] when the competition is over, and before that by the same rank keys.
/// Active players rank above eliminated ones.
///
/// This is the only ranking of a competition: every table, page and file uses it.
pub fn ranking(format: &Format, field: &CompetitionField, plan: &[Round], results: &Results) -> Conclusion {
    ranking_of(format, &CompetitionState::new(field, plan, results))
}

/// Who goes on from each decided meeting of a knockout, single or double; nothing in other formats, in which a meeting
/// decides nothing by itself.
pub fn advances(format: &Format, field: &CompetitionField, plan: &[Round], results: &Results) -> Vec<Advance> {
    match format {
        Format::Knockout | Format::DoubleKnockout => bracket::advances(&CompetitionState::new(field, plan, results)),
        Format::RoundRobin
        | Format::Gauntlet { .. }
        | Format::Swiss { .. }
        | Format::Elimination { .. }
        | Format::RandomRounds { .. } => Vec::new(),
    }
}

fn ranking_of(format: &Format, state: &CompetitionState<'_>) -> Conclusion {
    match format {
        Format::RoundRobin => round_robin::ranking(state),
        Format::Gauntlet { challenger } => gauntlet::ranking(state, challenger),
        Format::Swiss { .. } => swiss::ranking(state),
        Format::Knockout => bracket::ranking(state, &knockout::matches(&state.participants), knockout::LIVES),
        Format::DoubleKnockout => {
            bracket::ranking(state, &double_knockout::matches(&state.participants), double_knockout::LIVES)
        }
        Format::Elimination { .. } => elimination::ranking(state),
        Format::RandomRounds { opponents, rounds } => random_rounds::ranking(state, *opponents, *rounds),
    }
}
