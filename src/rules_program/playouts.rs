//! Positions of a custom game from random play. `check` and requests for positions call it.

use super::game::CustomGame;
use super::unbroken;
use crate::agents::builtin::TurnRng;
use crate::games::{DrawRules, Game, Side, State, Status};
use crate::positions::{ListedKind, MadePosition, NotFound, PositionsError, PositionsRequest, unknown_kind};
use crate::protocol::{InputPurpose, TimeLeft};

/// The kinds of positions that every custom game has.
pub(super) const KINDS: [ListedKind; 1] = [ListedKind {
    name: PLAYED,
    about: "met in a game of random moves",
}];

const PLAYED: &str = "played";

/// The most plies of a random game, unless the game says that its own are longer.
const LONGEST: u32 = 400;

/// So many games are played for each position that is asked for, before it is given up.
const GAMES_A_POSITION: u64 = 200;

/// After so many turns a random game is stopped.
pub(super) fn longest(game: &CustomGame) -> u32 {
    LONGEST.max(game.profile().typical_moves.saturating_mul(4))
}

/// A random game.
#[derive(Debug, Default)]
pub(super) struct RandomGame {
    /// Every position, the last one where it ended or was long enough.
    pub(super) positions: Vec<State>,
    /// For each turn, whether it made progress; a pass makes none.
    pub(super) progress: Vec<bool>,
}

impl RandomGame {
    /// How many of its turns were passes.
    pub(super) fn passes(&self) -> usize {
        let turns = self.positions.iter().take(self.progress.len());
        turns.filter(|position| position.status() == Status::MustPass).count()
    }

    /// The code of the draw by which a referee would have ended it before the board did.
    pub(super) fn draw_by_history(&self, rules: DrawRules) -> Option<&'static str> {
        let is_due = |limit: Option<u32>, reached: usize| limit.is_some_and(|limit| reached >= limit as usize);
        let mut since_progress: Vec<&State> = self.positions.iter().take(1).collect();
        let mut idle_turns = 0;
        let turns = self.positions.windows(2).zip(&self.progress);
        for (turn, (pair, &progress)) in turns.enumerate() {
            let [before, after] = pair else { return None };
            if matches!(after.status(), Status::Over(_)) {
                return None;
            }
            idle_turns = if progress { 0 } else { idle_turns + 1 };
            if progress {
                since_progress.clear();
            }
            // A pass is a turn, but no new occurrence of a position.
            if before.status() != Status::MustPass {
                since_progress.push(after);
            }
            let occurrences = || {
                let now = since_progress.last();
                let is_now = |earlier: &&&State| now.is_some_and(|now| earlier.same_placement(now));
                since_progress.iter().filter(is_now).count()
            };
            if rules.repetitions.is_some() && is_due(rules.repetitions, occurrences()) {
                return Some("repetition");
            }
            if is_due(rules.idle_turns, idle_turns) {
                return Some("idle-turns");
            }
            if is_due(rules.turn_limit, turn + 1) {
                return Some("turn-limit");
            }
        }
        None
    }
}

/// A random game from the start of `game`.
pub(super) fn random_game(game: &'static CustomGame, seed: u64) -> RandomGame {
    let mut position = game.start_of(game.profile().first.drawn_by(seed));
    let mut played = RandomGame::default();
    for ply in 0..longest(game) {
        played.positions.push(position.clone());
        let next = match position.status() {
            Status::Over(_) => None,
            Status::MustPass => Some((position.pass(), false)),
            Status::ToMove => {
                let moves = position.moves();
                let places: Vec<usize> = (0..moves.len()).collect();
                let place = TurnRng::new(seed, u64::from(ply)).choose(&places);
                let judged =
                    place.map(|place| position.judge(moves[place].as_bytes(), crate::protocol::Tolerance::Exact));
                let judged = judged.and_then(Result::ok);
                judged.map(|judged| (judged.next, judged.is_progress))
            }
        };
        let Some((next, progress)) = next else { break };
        position = next;
        played.progress.push(progress);
    }
    played
}

/// Positions as `request` asks for them, no two alike.
pub(super) fn positions(
    game: &'static CustomGame,
    request: &PositionsRequest,
) -> Result<Vec<MadePosition>, PositionsError> {
    if let Some(other) = request.kinds.iter().find(|kind| *kind != PLAYED) {
        return Err(unknown_kind(game.id().to_string(), other, &KINDS));
    }
    let mut found: Vec<State> = Vec::new();
    let games = GAMES_A_POSITION * u64::from(request.count);
    for number in 0..games {
        if found.len() >= request.count as usize {
            break;
        }
        let seed = request.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number);
        let side = request.side.unwrap_or(Side::BOTH[found.len() % 2]);
        let played = random_game(game, seed).positions;
        played.iter().try_for_each(unbroken).map_err(PositionsError::Rules)?;
        let fits = |position: &State| position.status() == Status::ToMove && position.side_to_move() == side;
        let mut fitting: Vec<State> = played.into_iter().filter(fits).collect();
        TurnRng::new(seed, u64::MAX).shuffle(&mut fitting);
        let new = fitting.into_iter().find(|position| !found.contains(position));
        found.extend(new);
    }
    if found.len() < request.count as usize {
        return Err(NotFound {
            kind: PLAYED,
            side: request.side.unwrap_or(Side::Black),
        }
        .into());
    }
    let time = TimeLeft {
        own: request.time,
        opponent: request.time,
    };
    let made = |(number, position): (u32, &State)| MadePosition {
        name: format!("{}-{PLAYED}.txt", request.numbered(number)),
        kind: PLAYED,
        input: position.write_question(InputPurpose::Single, time),
        expected: None,
    };
    Ok((1..).zip(&found).map(made).collect())
}
