//! Positions of a custom game from random play. `check` and requests for positions call it.

use super::game::CustomGame;
use referee_games::builtin::TurnRng;
use referee_games::positions::{ListedKind, MadePosition, NotFound, PositionsError, PositionsRequest, unknown_kind};
use referee_games::protocol::Tolerance;
use referee_games::{Game, History, HistoryDraw, Side, State, Status};

/// The kinds of positions that every custom game has.
pub(super) const KINDS: [ListedKind; 1] = [ListedKind { name: PLAYED, about: "met in a game of random moves" }];

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
    /// How many of its turns were passes.
    pub(super) passes: usize,
    /// The draw by which a referee would have ended it before the board did.
    pub(super) draw: Option<HistoryDraw>,
}

/// A random game from the start of `game`.
pub(super) fn random_game(game: &'static CustomGame, seed: u64) -> RandomGame {
    random_game_from(game.start_of(game.profile().first_turn.drawn_by(seed)), longest(game), seed)
}

/// A random game of at most so many plies from `start`, of whose past nothing is known.
pub(super) fn random_game_from(start: State, plies: u32, seed: u64) -> RandomGame {
    let mut history = History::new(start.game().profile().draws, start.clone());
    let mut position = start;
    let mut played = RandomGame::default();
    for ply in 0..plies {
        played.positions.push(position.clone());
        let status = position.status();
        if !matches!(status, Status::Over(_)) {
            played.draw = played.draw.or_else(|| history.draw());
        }
        let next = match status {
            Status::Over(_) => None,
            Status::MustPass => {
                history.add_pass();
                played.passes += 1;
                Some(position.pass())
            }
            Status::ToMove => {
                let mv = TurnRng::new(seed, u64::from(ply)).choose(&position.moves());
                let judged = mv.and_then(|mv| position.judge(mv.as_bytes(), Tolerance::Exact).ok());
                judged.map(|judged| {
                    history.add_move(judged.next.clone(), judged.is_progress);
                    judged.next
                })
            }
        };
        let Some(next) = next else { break };
        position = next;
    }
    played
}

/// Positions as `request` asks for them, no two alike.
pub(super) fn positions(
    game: &'static CustomGame,
    request: &PositionsRequest,
) -> Result<Vec<MadePosition>, PositionsError> {
    if let Some(other) = request.kinds.iter().find(|kind| *kind != PLAYED) {
        return Err(unknown_kind(game.game_ref().to_string(), other, &KINDS));
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
        played
            .iter()
            .try_for_each(|position| position.expect_answers())
            .map_err(|unavailable| PositionsError::Rules(unavailable.to_string()))?;
        let fits = |position: &State| position.status() == Status::ToMove && position.side_to_move() == side;
        let mut fitting: Vec<State> = played.into_iter().filter(fits).collect();
        TurnRng::new(seed, u64::MAX).shuffle(&mut fitting);
        let new = fitting.into_iter().find(|position| !found.contains(position));
        found.extend(new);
    }
    if found.len() < request.count as usize {
        let side = request.side.unwrap_or(Side::BOTH[found.len() % 2]);
        return Err(NotFound { kind: PLAYED, side, games }.into());
    }
    let made = |(number, position): (u32, &State)| {
        request.made(number, PLAYED, |purpose, time| position.write_question(purpose, time))
    };
    Ok((1..).zip(&found).map(made).collect())
}
