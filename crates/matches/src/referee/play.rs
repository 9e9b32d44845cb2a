//! Plays one game between two living players, and makes its record.
//!
//! Asks, judges and repeats; it starts no programs itself and stores nothing. Called by `tournament/one_game`,
//! `human/game` and `check/games`.

use super::Void;
use super::ongoing_game::{GameStep, OngoingGame};
use referee_games::protocol::plain;
use referee_games::{GameRef, Side, State};
use referee_records::{
    GameRecord, Host, MachineNoise, Manifest, Pairing, PerSide, PersonClock, PlayerRecord, SCHEMA, TurnRecord, unix_s,
};
use referee_seat::{Protocol, Run, RunRequest, Seat, Task, Termination, time_fixed_work};
use referee_time::CpuTime;

/// A participant that can be asked for a move.
pub trait Player {
    /// Performs one run.
    ///
    /// # Errors
    ///
    /// [`Void`] if the run failed through no fault of the player.
    fn run(&mut self, job: &RunRequest) -> Result<Run, Void>;

    /// Whether it is told the whole position in a last line of its input, where the game has such a line
    /// ([`GameState::position_line`](referee_games::GameState::position_line)): people and built-in agents are.
    fn reads_position(&self) -> bool;

    /// The clock of a person; `None` for a program, which is charged CPU time.
    fn person(&self) -> Option<PersonClock>;
}

/// The exit status of a built-in agent that the rules of its game have not answered.
pub(super) const RULES_FAILED: u8 = 4;

impl Player for Seat {
    fn run(&mut self, job: &RunRequest) -> Result<Run, Void> {
        if let (Protocol::Stdio, Task::Move { input }) = (self.protocol(), &job.task)
            && input.lines().any(|line| line.trim_end_matches('\r').is_empty())
        {
            return Err(Void::of_rules(
                "the rules have written an input with an empty line, which ends a question of the protocol `stdio`",
            ));
        }
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
pub struct GameSnapshot {
    /// The number of turns taken.
    pub turns: usize,
    /// The board, as [`Position::board`](referee_games::GameState::board) draws it.
    pub board: String,
    /// What stands beside it; see [`notes`](referee_games::GameState::notes).
    pub notes: String,
    /// The side whose agent is running; `None` when the game is over.
    pub at_work: Option<Side>,
    /// The time that each side has left for its next move: what is left of its clock, or less if there is a limit for
    /// a move.
    pub clocks: PerSide<CpuTime>,
    /// The last turn: its side, and its move as written; `None` for a pass or an illegal answer.
    pub last: Option<(Side, Option<String>)>,
}

impl GameSnapshot {
    /// The rows of the board, top row first.
    pub fn rows(&self) -> Vec<String> {
        self.board.lines().map(str::to_owned).collect()
    }

    /// The current snapshot of `ongoing_game`.
    pub fn of(ongoing_game: &OngoingGame) -> Self {
        let last = ongoing_game.turns().last().map(|turn| (turn.side(), turn.mv().map(str::to_owned)));
        let at_work = match ongoing_game.next_step() {
            GameStep::Run(side) => Some(side),
            GameStep::Nothing(_) => None,
        };
        Self {
            turns: ongoing_game.turns().len(),
            board: ongoing_game.position().board(),
            notes: ongoing_game.position().notes(),
            at_work,
            clocks: ongoing_game.allowances(),
            last,
        }
    }
}

/// How often the fixed workload is timed at either end of a game, to measure noise: four milliseconds in all.
const TIMES_AT_EITHER_END: usize = 4;

/// Where a game is played.
#[derive(Clone, Copy, Debug)]
pub struct GameSlot<'a> {
    /// This machine.
    pub host: &'a Host,
    /// The processor reserved for the game, if any.
    pub processor: Option<usize>,
}

/// Plays the game `pairing` of the run `manifest` to its end, in `slot`; `players` describes those who are `seated`.
/// Calls `watch` with the game and all turns so far before each run, and once at the end.
///
/// # Errors
///
/// [`Void`] if the game failed through our own fault: it has no record.
pub fn play_game(
    manifest: &Manifest,
    pairing: &Pairing,
    slot: GameSlot<'_>,
    players: PerSide<PlayerRecord>,
    mut seated: PerSide<&mut dyn Player>,
    mut watch: impl FnMut(GameSnapshot, &[TurnRecord]),
) -> Result<GameRecord, Void> {
    let start = start(manifest.game, pairing)?;
    let conditions = manifest.conditions_of(pairing);
    let began_unix_s = unix_s();
    let fixed_work = || time_fixed_work(TIMES_AT_EITHER_END, slot.processor);
    let before = fixed_work();
    let mut ongoing_game = OngoingGame::new(start.clone(), conditions.clone())
        .with_people(PerSide::from_fn(|side| seated.of(side).person()))
        .with_paces(PerSide::from_fn(|side| players.of(side).pace()));
    let verdict = loop {
        watch(GameSnapshot::of(&ongoing_game), ongoing_game.turns());
        ongoing_game.expect_rules_answered()?;
        let side = match ongoing_game.next_step() {
            GameStep::Run(side) => side,
            GameStep::Nothing(verdict) => break verdict,
        };
        let player = seated.of_mut(side);
        let run = player.run(&ongoing_game.job(player.reads_position())?);
        let run = run.map_err(|void| ongoing_game.traced(void))?;
        ongoing_game.report(run);
    };
    let noise = MachineNoise { before, after: fixed_work() };
    let uncertainty = PerSide::from_fn(|side| players.of(side).uncertainty());
    let close_calls = ongoing_game.close_calls(uncertainty, Some(&noise));
    Ok(GameRecord {
        schema: SCHEMA,
        id: pairing.id.clone(),
        game: manifest.game,
        players,
        conditions,
        began_unix_s,
        start: start.setup(),
        first: pairing.first,
        turns: ongoing_game.into_turns(),
        verdict,
        close_calls,
        noise: Some(noise),
        host: Some(slot.host.clone()),
    })
}

/// The start position of the game.
fn start(game: GameRef, pairing: &Pairing) -> Result<State, Void> {
    let Some(rows) = &pairing.start else {
        return Ok(game.start().with_side_to_move(pairing.first));
    };
    let rows: Vec<&[u8]> = rows.iter().map(String::as_bytes).collect();
    game.read_board(&rows, pairing.first)
        .map_err(|fault| Void::new(format!("invalid start position of game `{}`: {fault}", pairing.id)))
}
