//! Whether rules fail at legal moves alone: replays a game's moves through a program that has been asked nothing else.
//! `interface` calls it after a failure.
//!
//! No byte of an agent may reach the program here: only moves that it lists itself are replayed, in its own spelling.
//! So a failure found here is never an agent's doing, and may end a run.

use super::as_custom;
use super::game::CustomGame;
use super::state::CustomState;
use referee_games::protocol::{InputPurpose, TimeLeft, Tolerance};
use referee_games::{ReplayedMoves, RulesUnavailable, Side, State, Status};

/// How the rules fail, and where; `None` if they do not, or if a move of the game is not listed.
pub(super) fn fault_at_legal_moves(game: &CustomGame, replayed: &ReplayedMoves<'_>) -> Option<String> {
    let fresh = game.restarted()?;
    let fault = replay(fresh, replayed);
    // The game lives on, because positions refer to it; its process need not.
    fresh.client.restart();
    fault
}

fn replay(fresh: &'static CustomGame, replayed: &ReplayedMoves<'_>) -> Option<String> {
    let starts = match replayed.start.breakdown() {
        None => vec![CustomState::read_line(fresh, &as_custom(replayed.start)?.line())?],
        Some(_) => Side::BOTH.map(|side| fresh.start_of(side)).to_vec(),
    };
    if let Some(unavailable) = starts.iter().find_map(|start| start.breakdown()) {
        return of_program(unavailable).map(|reason| format!("{reason}; at the start of the game"));
    }
    let mut position = starts.into_iter().next()?;
    for (turn, &mv) in (1..).zip(replayed.moves) {
        let next = match mv {
            None if position.status() == Status::MustPass => Ok(position.pass()),
            None => return None,
            Some(mv) => after(&position, |listed| listed == mv),
        };
        position = match next.and_then(sound) {
            Ok(next) => next,
            Err(unavailable) => return of_program(unavailable?).map(|reason| located(&reason, turn, mv)),
        };
    }
    let turn = replayed.moves.len() + 1;
    let Some(answer) = replayed.unjudged else {
        return of_program(fault_when_asked(&position)?).map(|reason| located(&reason, turn, None));
    };
    let answer = String::from_utf8_lossy(answer);
    let answer = answer.trim();
    let next = after(&position, |listed| listed.eq_ignore_ascii_case(answer));
    let reason = of_program(next.and_then(sound).err()??)?;
    Some(located(&reason, turn, Some(answer)))
}

/// How the rules fail; `None` if it is this machine that does.
fn of_program(unavailable: RulesUnavailable) -> Option<String> {
    match unavailable {
        RulesUnavailable::Program(reason) => Some(reason),
        RulesUnavailable::Machine(_) => None,
    }
}

/// The position after the listed move that is `wanted`; otherwise how the rules fail, if they do.
fn after(position: &State, wanted: impl Fn(&str) -> bool) -> Result<State, Option<RulesUnavailable>> {
    let moves = position.moves();
    position.expect_answers().map_err(Some)?;
    let listed = moves.iter().find(|listed| wanted(listed)).ok_or(None)?;
    let judged = position.judge(listed.as_bytes(), Tolerance::Tolerant);
    position.expect_answers().map_err(Some)?;
    judged.map(|judged| judged.next).map_err(|_| None)
}

fn sound(position: State) -> Result<State, Option<RulesUnavailable>> {
    position.expect_answers().map_err(Some).map(|()| position)
}

/// How the rules fail when they are asked all that the referee and built-in agents ask of a position.
fn fault_when_asked(position: &State) -> Option<RulesUnavailable> {
    let time = position.game().profile().play_time;
    position.moves();
    let next = position.successors();
    position.write_input(InputPurpose::Game, TimeLeft { own: time, opponent: time });
    let of_next = next.iter().find_map(|next| next.breakdown());
    position.breakdown().or(of_next)
}

fn located(reason: &str, turn: usize, mv: Option<&str>) -> String {
    match mv {
        Some(mv) => format!("{reason}; at turn {turn}, the legal move `{mv}`"),
        None => format!("{reason}; at turn {turn}"),
    }
}
