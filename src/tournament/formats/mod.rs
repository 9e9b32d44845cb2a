//! Formats: from what has been played to what comes next.
//!
//! For: who meets whom in a competition, and who has won it. Deliberately not here: playing
//! ([`Runner`](super::Runner)), standings in the middle of a competition, ratings, and what a bracket looks like.
//!
//! What must always hold: [`next_rounds`] is a pure function of the field, the plan so far and the results, whatever
//! order these came in, so a runner, a resumed run and a job between two rounds on another machine all go on alike; all
//! lots are drawn by the run's seed. Each side has the first turn of half of an encounter's games; with an odd number,
//! the beginners of the odd games are balanced over the event (a round robin, a gauntlet: exactly, to at most one;
//! others as well as the pairings permit). The name of a game is a valid file name, unique, and sorts by round and
//! pairing; a round robin's says who plays, and not when.
//!
//! One file a format, with the source of its method. What they share: [`course`] (the past), [`matching`] and
//! [`pairing`] (rematches and byes), [`first_turns`], [`lots`], [`bracket`], [`tie_breaks`].

mod bracket;
mod course;
mod double_knockout;
mod elimination;
mod field;
mod first_turns;
mod format;
mod gauntlet;
mod knockout;
mod lots;
mod matching;
mod pairing;
mod random_rounds;
mod ranking;
mod round_robin;
mod swiss;
mod tie_breaks;

use course::Course;
pub use field::{Encounter, Field, OddGame, Results, Round};
pub use format::{FieldError, Format};
pub use ranking::{Conclusion, Merit, Placing};

/// What comes next in a competition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// These rounds are to be added to the plan, at the end and in this order, before any of their games begins. There
    /// is at least one, and all their games can be played at once.
    Play(Vec<Round>),
    /// Games of the plan are still to be played.
    Waiting,
    /// Nothing.
    Over(Conclusion),
}

/// What comes next, given the plan so far and the results of its games.
///
/// A game of the plan without a result is one still to be played. Results of games that are not in the plan are
/// ignored. The whole plan is read each time, so this is better asked when nothing is left to be played than after
/// every game.
///
/// Players may be added to the end of the field, or withdraw, at any time. A round robin and a gauntlet then plan what
/// is missing; old games stay as they are, also if the player comes back. In all other formats nobody enters after the
/// first round is planned, and who withdraws loses the games of the plan that it has not played, gets no more, and
/// cannot come back.
///
/// ```
/// use std::num::NonZeroU32;
///
/// use referee::games::{GameId, Side};
/// use referee::tournament::{Field, Format, NextStep, Results, next_rounds};
///
/// let players = ["ada", "bob", "eve"].map(str::to_owned).to_vec();
/// let field = Field::new(referee::games::checkers::ID, players, NonZeroU32::new(1).unwrap(), 7);
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
pub fn next_rounds(format: &Format, field: &Field, plan: &[Round], results: &Results) -> NextStep {
    let course = Course::new(field, plan, results);
    match format {
        Format::RoundRobin => round_robin::next(&course),
        Format::Gauntlet { challenger } => gauntlet::next(&course, challenger),
        Format::Swiss { rounds } => swiss::next(&course, *rounds),
        Format::Knockout => knockout::next(&course),
        Format::DoubleKnockout => double_knockout::next(&course),
        Format::Elimination { round_limit } => elimination::next(&course, *round_limit),
        Format::RandomRounds { opponents, rounds } => random_rounds::next(&course, *opponents, *rounds),
    }
}

/// Who stands where now: the ranking of [`NextStep::Over`] when the competition is over, and before that what has been
/// played so far, by the same merits. Whoever is still in stands above everybody who is out.
///
/// This is the one ranking of a competition: every table, page and file has it from here.
pub fn ranking(format: &Format, field: &Field, plan: &[Round], results: &Results) -> Conclusion {
    let course = Course::new(field, plan, results);
    match format {
        Format::RoundRobin => round_robin::ranking(&course),
        Format::Gauntlet { challenger } => gauntlet::ranking(&course, challenger),
        Format::Swiss { .. } => swiss::ranking(&course),
        Format::Knockout => knockout::ranking(&course),
        Format::DoubleKnockout => double_knockout::ranking(&course),
        Format::Elimination { .. } => elimination::ranking(&course),
        Format::RandomRounds { opponents, rounds } => random_rounds::ranking(&course, *opponents, *rounds),
    }
}
