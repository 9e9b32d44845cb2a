//! A game between two living players.

use super::ongoing_game::{Due, OngoingGame};
use crate::games::{Side, State};
use crate::records::{Conditions, PerSide, PersonClock, TurnRecord};
use crate::seat::{Run, RunRequest, Seat, SeatError};
use crate::time::CpuTime;

/// Somebody who can be asked for a move.
pub trait Player {
    /// Does one run.
    ///
    /// # Errors
    ///
    /// [`Void`] where the run failed through no fault of the player.
    fn run(&mut self, job: &RunRequest) -> Result<Run, Void>;

    /// By which clock it plays, if it is a person; a program is charged CPU time.
    fn person(&self) -> Option<PersonClock> {
        None
    }
}

/// A game that broke through our own fault: it is nobody's loss, leaves no record, and is played again.
#[derive(Debug, thiserror::Error)]
#[error("the game is void: {reason}")]
pub struct Void {
    /// What failed.
    pub reason: String,
}

impl From<SeatError> for Void {
    fn from(error: SeatError) -> Self {
        Self {
            reason: error.to_string(),
        }
    }
}

impl Player for Seat {
    fn run(&mut self, job: &RunRequest) -> Result<Run, Void> {
        Ok(Self::run(self, job)?)
    }
}

/// What there is to see of a game at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// How many turns have been taken.
    pub turns: usize,
    /// The board, as [`Position::board`](crate::games::GameState::board) draws it.
    pub board: String,
    /// Whose agent is at work; `None` when the game is over.
    pub at_work: Option<Side>,
    /// What each side has left.
    pub clocks: PerSide<CpuTime>,
    /// The last turn: who moved, and the move as it is written; `None` for a pass or an answer that was no move.
    pub last: Option<(Side, Option<String>)>,
}

impl Scene {
    /// The rows of the board, top row first.
    pub fn rows(&self) -> Vec<String> {
        self.board.lines().map(str::to_owned).collect()
    }

    /// The scene of `ongoing_game` now.
    pub fn of(ongoing_game: &OngoingGame) -> Self {
        let last = ongoing_game.turns().last().map(|turn| match turn {
            TurnRecord::Pass { side } => (*side, None),
            TurnRecord::Run { side, mv, .. } => (*side, mv.clone()),
        });
        let at_work = match ongoing_game.due() {
            Due::Run(side) => Some(side),
            Due::Nothing(_) => None,
        };
        Self {
            turns: ongoing_game.turns().len(),
            board: ongoing_game.position().board(),
            at_work,
            clocks: ongoing_game.clocks(),
            last,
        }
    }
}

/// Plays a game from `start` to its end, in which sides state `paces` for their moves. `watch` is called before each
/// run and once more at the end.
///
/// # Errors
///
/// [`Void`] where the game broke through our own fault.
pub fn play(
    start: State,
    conditions: Conditions,
    paces: PerSide<Option<CpuTime>>,
    players: &mut PerSide<impl Player>,
    mut watch: impl FnMut(&OngoingGame),
) -> Result<OngoingGame, Void> {
    let people = PerSide::from_fn(|side| players.of(side).person());
    let mut ongoing_game = OngoingGame::new(start, conditions)
        .with_people(people)
        .with_paces(paces);
    loop {
        watch(&ongoing_game);
        let Due::Run(side) = ongoing_game.due() else {
            return Ok(ongoing_game);
        };
        let run = players.of_mut(side).run(&ongoing_game.job())?;
        ongoing_game.report(run);
    }
}
