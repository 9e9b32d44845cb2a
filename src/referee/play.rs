//! Plays one game between two living players.
//!
//! Asks, judges and repeats; it starts no programs itself and writes no record. Called by `tournament/one_game` and
//! `human/sitting`.

use super::Void;
use super::ongoing_game::{Due, OngoingGame};
use crate::games::{Side, State};
use crate::protocol::plain;
use crate::records::{Conditions, PerSide, PersonClock, TurnRecord};
use crate::seat::{Run, RunRequest, Seat, Termination};
use crate::time::CpuTime;

/// A participant that can be asked for a move.
pub trait Player {
    /// Performs one run.
    ///
    /// # Errors
    ///
    /// [`Void`] if the run failed through no fault of the player.
    fn run(&mut self, job: &RunRequest) -> Result<Run, Void>;

    /// Whether it is told the whole position in a last line of its input, where the game has such a line
    /// ([`GameState::position_line`](crate::games::GameState::position_line)): people and built-in agents are.
    fn reads_position(&self) -> bool;

    /// The clock of a person; `None` for a program, which is charged CPU time.
    fn person(&self) -> Option<PersonClock>;
}

/// The exit status of a built-in agent that the rules of its game have not answered.
pub(super) const RULES_FAILED: u8 = 4;

impl Player for Seat {
    fn run(&mut self, job: &RunRequest) -> Result<Run, Void> {
        let run = Self::run(self, job)?;
        if self.reads_position() && run.ended == (Termination::Exited { status: RULES_FAILED }) {
            // A built-in agent has asked a rules program, which has not answered. The last thing said is its own;
            // before that, the rules program may have said something.
            let said = run.stderr.trim();
            let said = said.rsplit_once("referee: ").map_or(said, |(_, fault)| fault);
            return Err(Void::of_rules(plain(said)));
        }
        Ok(run)
    }

    fn reads_position(&self) -> bool {
        Self::reads_position(self)
    }

    fn person(&self) -> Option<PersonClock> {
        None
    }
}

/// The visible state of a game at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The number of turns taken.
    pub turns: usize,
    /// The board, as [`Position::board`](crate::games::GameState::board) draws it.
    pub board: String,
    /// The side whose agent is running; `None` when the game is over.
    pub at_work: Option<Side>,
    /// The time that each side has left.
    pub clocks: PerSide<CpuTime>,
    /// The last turn: its side, and its move as written; `None` for a pass or an illegal answer.
    pub last: Option<(Side, Option<String>)>,
}

impl Scene {
    /// The rows of the board, top row first.
    pub fn rows(&self) -> Vec<String> {
        self.board.lines().map(str::to_owned).collect()
    }

    /// The current scene of `ongoing_game`.
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

/// Plays a game from `start` to its end; sides state `paces` for their moves. Calls `watch` before each run and once at
/// the end.
///
/// # Errors
///
/// [`Void`] if the game failed through our own fault.
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
        ongoing_game.unbroken()?;
        let Due::Run(side) = ongoing_game.due() else {
            return Ok(ongoing_game);
        };
        let player = players.of_mut(side);
        let run = player.run(&ongoing_game.job_of_player(player.reads_position())?);
        let run = run.map_err(|void| ongoing_game.traced(void))?;
        ongoing_game.report(run);
    }
}
