//! Plays random games with a rules program, and tries the laws on their positions. It prints nothing.
//!
//! The work is bounded, not the number of positions: where there are many moves, a part of them is tried, chosen by the
//! seed.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;

use super::report::{GameCheck, Law, LawViolation, MetEnding};
use super::trial::{LawTrial, MoveShare, asked_moves, lists_differ};
use crate::rules_program::game::CustomGame;
use crate::rules_program::status::code_of;
use crate::rules_program::{as_custom, playouts};
use referee_games::protocol::counted;
use referee_games::{BoardDraw, Ending, Game, State, Status};
use referee_seat::Protocol;

/// How many positions are asked about again after the program was started anew.
const ASKED_AGAIN: usize = 25;

/// At this many positions at the beginning, every move is tried.
const TRIED_WHOLE: usize = 3;

/// About so many moves are tried after that, ...
const MOVES_TRIED: usize = 20_000;

/// ... and so many positions after moves are asked for together.
const NEXT_ASKED: usize = 20_000;

/// Of one position, at least and at most so many moves.
const MOVES_OF_ONE: (usize, usize) = (4, 40);

/// Tries the laws on `count` positions, which depend on `seed`, writes all messages to `log`, and calls `step` after
/// each position. `None` if the rules of `position` are not a program.
///
/// # Errors
///
/// The system's, of the log.
pub fn check(
    position: &State,
    count: usize,
    seed: u64,
    protocol: Protocol,
    log: Option<File>,
    step: &dyn Fn(),
) -> io::Result<Option<GameCheck>> {
    let Some(position) = as_custom(position) else {
        return Ok(None);
    };
    let client = &position.game.client;
    if let Some(file) = log {
        client.log_messages(file);
    }
    client.check_laws();
    let check = check_game(LawTrial::new(position.game, seed, protocol), count, seed, step);
    client.finish_log()?;
    Ok(Some(check))
}

/// The positions met so far, and how the games ended.
#[derive(Default)]
struct PlayedPositions {
    positions: Vec<State>,
    listed: Vec<Vec<String>>,
    next_asked: usize,
    check: GameCheck,
}

fn check_game(mut trial: LawTrial, count: usize, seed: u64, on_progress: &dyn Fn()) -> GameCheck {
    let game = trial.game;
    trial.beginnings();
    let check = GameCheck { positions_wanted: count, ends: ends_of(game), ..GameCheck::default() };
    let mut met = PlayedPositions { check, ..PlayedPositions::default() };
    let mut longest: Option<State> = None;
    while met.positions.len() < count && met.check.games < count && !trial.has_failed() {
        let random = playouts::random_game(game, seed.wrapping_add(met.check.games as u64));
        met.check.games += 1;
        met.check.passes += random.passes;
        let played = random.positions;
        let Some(last) = played.last() else { break };
        if last.breakdown().is_some() {
            met.check.failed += 1;
            if !trial.fails(last, played.iter().rev().nth(1)) {
                break;
            }
        } else if let Some(draw) = random.draw {
            met.check.ended += 1;
            met.end(draw.into(), false);
        } else if let Status::Over(ending) = last.status() {
            met.check.ended += 1;
            let mover = played.iter().rev().nth(1).map(|before| before.side_to_move());
            let won_without_moving = matches!(ending, Ending::Won { winner, .. } if Some(winner) != mover);
            // A win may have the same code.
            let is_draw_by_no_moves = ending == Ending::Drawn(BoardDraw::NoMoves);
            met.end(if is_draw_by_no_moves { "no-moves (draw)" } else { code_of(ending) }, won_without_moving);
            if let Ending::Won { winner, .. } = ending {
                trial.evaluations.won_game(game, &played[..played.len() - 1], winner);
            }
        } else {
            met.check.stopped += 1;
            longest = longest.or_else(|| Some(last.clone()));
        }
        for position in played.into_iter().filter(|position| position.breakdown().is_none()) {
            if met.positions.len() == count || trial.has_failed() {
                break;
            }
            met.examine(position, &mut trial, count);
            on_progress();
        }
    }
    if !trial.has_failed() {
        keeps_nothing(&met, game, &mut trial);
    }
    trial.evaluated();
    let draws = game.profile().draws;
    let is_bounded = draws.turn_limit.or(draws.idle_turns).or(draws.repetitions).is_some();
    if !is_bounded && (met.check.ended > 0 || met.check.stopped > 0) {
        trial.note(
            Law::Ends,
            longest.filter(|_| met.check.ended == 0).map(|last| {
                let turns = playouts::longest(game);
                let said = format!(
                    "{}, each stopped after {turns} turns; one of them:",
                    counted(met.check.stopped, "random game")
                );
                LawViolation::at(&last, said)
            }),
        );
    }
    let moves_tried = trial.moves_tried;
    let (laws, speeds) = trial.into_results();
    GameCheck { positions: met.positions.len(), moves_tried, laws, speed: speeds, ..met.check }
}

impl PlayedPositions {
    fn end(&mut self, code: &str, won_without_moving: bool) {
        let ends = &mut self.check.ends;
        let known = ends.iter().position(|end| end.code == code);
        let index = known.unwrap_or_else(|| {
            ends.push(MetEnding::of(code));
            ends.len() - 1
        });
        let end = &mut ends[index];
        end.met += 1;
        end.won_without_moving += usize::from(won_without_moving);
    }

    fn examine(&mut self, position: State, trial: &mut LawTrial, count: usize) {
        let index = self.positions.len();
        let moves = position.moves().len();
        let is_whole = index < TRIED_WHOLE;
        // Spread over all positions, so that late ones have their share.
        let is_due = self.next_asked.saturating_mul(count) <= NEXT_ASKED.saturating_mul(index);
        let share = MoveShare {
            most: if is_whole { usize::MAX } else { (MOVES_TRIED / count).clamp(MOVES_OF_ONE.0, MOVES_OF_ONE.1) },
            asks_next: is_whole || is_due,
        };
        if share.asks_next {
            self.next_asked += moves;
        }
        self.check.moves_listed += moves;
        self.positions.push(position);
        self.listed.push(trial.examine(&self.positions, share));
    }
}

/// What every game of these rules may end by.
fn ends_of(game: &CustomGame) -> Vec<MetEnding> {
    let profile = game.profile();
    let codes = profile.goals.iter().chain(profile.draw_reasons);
    codes.map(|goal| MetEnding::of(goal.code)).collect()
}

/// Asks about some positions again, in another order, of a program that has just been started.
fn keeps_nothing(met: &PlayedPositions, game: &CustomGame, trial: &mut LawTrial) {
    game.client.restart();
    let step = (met.positions.len() / ASKED_AGAIN).max(1);
    for (position, before) in met.positions.iter().zip(&met.listed).rev().step_by(step) {
        if !matches!(position.status(), Status::ToMove) {
            continue;
        }
        let after = asked_moves(position);
        if *before == after {
            trial.note(Law::Memory, None);
            continue;
        }
        let differs = lists_differ(before, &after);
        let has_same_moves = before.iter().collect::<BTreeSet<_>>() == after.iter().collect();
        if has_same_moves && before.len() == after.len() {
            let found = format!("`moves` has another order in a program just started, as a `set` has: {differs}");
            trial.note_at(Law::Same, position, Some(found));
            trial.note(Law::Memory, None);
            continue;
        }
        let (listed, now) = (counted(before.len(), "move"), after.len());
        let found = format!("`moves` lists {listed} in the order of the games, and {now} in a program just started");
        trial.note_at(Law::Memory, position, Some(format!("{found}: {differs}")));
    }
}
