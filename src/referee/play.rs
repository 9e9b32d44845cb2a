//! A game between two living players.

use super::proceedings::{Due, Proceedings};
use crate::games::{Side, State};
use crate::records::{Conditions, PerSide, PersonClock, TurnRecord};
use crate::seat::{Job, Run, Seat, SeatError};
use crate::time::CpuTime;

/// Somebody who can be asked for a move.
pub trait Player {
    /// Does one run.
    ///
    /// # Errors
    ///
    /// [`Void`] where the run failed through no fault of the player.
    fn run(&mut self, job: &Job) -> Result<Run, Void>;

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
    fn run(&mut self, job: &Job) -> Result<Run, Void> {
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

    /// The scene of `proceedings` now.
    pub fn of(proceedings: &Proceedings) -> Self {
        let last = proceedings.turns().last().map(|turn| match turn {
            TurnRecord::Pass { side } => (*side, None),
            TurnRecord::Run { side, mv, .. } => (*side, mv.clone()),
        });
        let at_work = match proceedings.due() {
            Due::Run(side) => Some(side),
            Due::Nothing(_) => None,
        };
        Self {
            turns: proceedings.turns().len(),
            board: proceedings.position().board(),
            at_work,
            clocks: proceedings.clocks(),
            last,
        }
    }
}

/// Plays a game from `start` to its end, in which sides state `paces` for their moves. `watch` is called before each run and once more at the end.
///
/// # Errors
///
/// [`Void`] where the game broke through our own fault.
pub fn play(
    start: State,
    conditions: Conditions,
    paces: PerSide<Option<CpuTime>>,
    players: &mut PerSide<impl Player>,
    mut watch: impl FnMut(&Proceedings),
) -> Result<Proceedings, Void> {
    let people = PerSide::from_fn(|side| players.of(side).person());
    let mut proceedings = Proceedings::new(start, conditions)
        .with_people(people)
        .with_paces(paces);
    loop {
        watch(&proceedings);
        let Due::Run(side) = proceedings.due() else {
            return Ok(proceedings);
        };
        let run = players.of_mut(side).run(&proceedings.job())?;
        proceedings.report(run);
    }
}
