//! The state machine of one game: whose run is due, and what its report means.
//!
//! No I/O, no clock, no randomness: a pure value. [`super::play_game()`] drives it with two players;
//! [`super::verify()`] and `check` drive it with recorded or single runs.

use super::close_calls::{Timing, close_calls};
use super::draw::{GameStart, decide_draw};
use super::judgement::{TimeAllowance, judge, wall_limit};
use super::{Void, VoidCause};
use referee_games::protocol::{InputPurpose, TimeLeft};
use referee_games::{BoardError, Ending, History, Judged, ReplayedMoves, Side, State, Status};
use referee_records::{
    CloseCall, Conditions, Draw, GameRecord, MachineNoise, PerSide, PersonClock, TurnRecord, Verdict, charged, paced,
};
use referee_seat::{Run, RunRequest, Task};
use referee_time::CpuTime;

/// What the game needs next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameStep {
    /// A run of this side's agent.
    Run(Side),
    /// Nothing: the game is over.
    Nothing(Verdict),
}

/// A game in progress: the position, the clocks, and all turns so far.
#[derive(Clone, Debug)]
pub struct OngoingGame {
    conditions: Conditions,
    people: PerSide<Option<PersonClock>>,
    paces: PerSide<Option<CpuTime>>,
    start: State,
    position: State,
    first: Side,
    history: History,
    clocks: PerSide<CpuTime>,
    /// How often each side has overrun the limit for a move.
    overruns: PerSide<u32>,
    turns: Vec<TurnRecord>,
    verdict: Option<Verdict>,
}

impl OngoingGame {
    /// A game that begins with `start`; its side to move has the first turn.
    pub fn new(start: impl Into<State>, conditions: Conditions) -> Self {
        let start = start.into();
        let mut ongoing_game = Self {
            history: History::new(conditions.draws, start.clone()),
            clocks: conditions.play_time,
            overruns: PerSide::default(),
            conditions,
            people: PerSide::default(),
            paces: PerSide::default(),
            first: start.side_to_move(),
            position: start.clone(),
            start,
            turns: Vec::new(),
            verdict: None,
        };
        ongoing_game.pass_or_end();
        ongoing_game
    }

    /// The game of `record` at its start, under `conditions`.
    pub(super) fn of_record(record: &GameRecord, conditions: &Conditions) -> Result<Self, BoardError> {
        let rows: Vec<&[u8]> = record.start.iter().map(String::as_bytes).collect();
        let start = record.game.read_board(&rows, record.first)?;
        Ok(Self::new(start, conditions.clone()).with_people(record.people()).with_paces(record.paces()))
    }

    /// Sets people and their clocks, before the game begins.
    #[must_use]
    pub fn with_people(self, people: PerSide<Option<PersonClock>>) -> Self {
        let mut ongoing_game = Self { people, ..self };
        if ongoing_game.verdict.take().is_some() {
            // The first board already ended the game, and the clocks may decide who gets a draw.
            ongoing_game.pass_or_end();
        }
        ongoing_game
    }

    /// Sets the paces that sides state for each move, before the game begins ([`paced`]).
    #[must_use]
    pub fn with_paces(self, paces: PerSide<Option<CpuTime>>) -> Self {
        Self { paces, ..self }
    }

    /// What the game needs next.
    pub fn next_step(&self) -> GameStep {
        match &self.verdict {
            Some(verdict) => GameStep::Nothing(verdict.clone()),
            None => GameStep::Run(self.position.side_to_move()),
        }
    }

    /// The current position.
    pub const fn position(&self) -> &State {
        &self.position
    }

    /// What came before the current position, as far as draws depend on it.
    pub const fn history(&self) -> &History {
        &self.history
    }

    /// The time that each side has left.
    pub const fn clocks(&self) -> PerSide<CpuTime> {
        self.clocks
    }

    /// The time that each side has left for its next move.
    pub fn allowances(&self) -> PerSide<CpuTime> {
        PerSide::from_fn(|side| self.conditions.longest_run(*self.clocks.of(side)))
    }

    /// All turns so far.
    pub fn turns(&self) -> &[TurnRecord] {
        &self.turns
    }

    /// All turns, by value, for a record.
    pub fn into_turns(self) -> Vec<TurnRecord> {
        self.turns
    }

    /// The verdict, once the game is over.
    pub const fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }

    /// The reasons to review the result, given the meter's `uncertainty` for one run of each side and the machine's
    /// `noise`; empty while the game is in progress.
    pub fn close_calls(&self, uncertainty: PerSide<CpuTime>, noise: Option<&MachineNoise>) -> Vec<CloseCall> {
        let timing =
            Timing { conditions: &self.conditions, people: self.people, paces: self.paces, uncertainty, noise };
        let judged = |verdict| close_calls(verdict, &self.turns, self.beginning(), timing);
        self.verdict.as_ref().map(judged).unwrap_or_default()
    }

    /// Whether the rules have answered all that they were asked in this game.
    ///
    /// # Errors
    ///
    /// [`Void`] where they have not, whatever the game looks like.
    pub fn expect_rules_answered(&self) -> Result<(), Void> {
        self.position.expect_answers().map_err(|unavailable| self.traced(unavailable.into()))
    }

    /// A void of the rules in this game with what it comes from: legal moves alone, where rules started anew fail again
    /// when these moves are replayed; otherwise perhaps what an agent wrote.
    pub(super) fn traced(&self, void: Void) -> Void {
        if void.cause != VoidCause::Rules {
            return void;
        }
        let mut moves: Vec<Option<&str>> = Vec::new();
        let mut unjudged = None;
        for turn in &self.turns {
            match turn {
                TurnRecord::Pass { .. } => moves.push(None),
                // Only an answer that the rules have not judged leaves an empty move.
                TurnRecord::Run { mv: Some(mv), run, .. } if mv.is_empty() => {
                    unjudged = run.output.content();
                }
                TurnRecord::Run { mv, .. } => moves.push(mv.as_deref()),
            }
        }
        let replayed = ReplayedMoves { start: &self.start, moves: &moves, unjudged };
        match self.start.game().fault_at_legal_moves(&replayed) {
            Some(reason) => Void { reason, cause: VoidCause::RulesAtLegalMoves },
            None => void,
        }
    }

    /// The request for the seat of the side to move; with `reads_position`, its input ends with the whole position.
    ///
    /// # Errors
    ///
    /// [`Void`] where the rules have failed.
    pub fn job(&self, reads_position: bool) -> Result<RunRequest, Void> {
        let side = self.position.side_to_move();
        let (own, opponent) = (*self.clocks.of(side), *self.clocks.of(side.other()));
        let mut input = self.position.write_input(InputPurpose::Game, TimeLeft { own, opponent });
        if reads_position && let Some(line) = self.position.position_line() {
            input.push_str(&line);
            input.push('\n');
        }
        // Writing the input has asked the rules, too.
        self.expect_rules_answered()?;
        let longest = self.conditions.longest_run_after(*self.overruns.of(side), own);
        Ok(RunRequest {
            task: Task::Move { input },
            kill_after: longest + self.conditions.grace,
            wall_limit: wall_limit(&self.conditions, longest),
        })
    }

    /// Judges the run of the side to move and plays its move. Does nothing once the game is over.
    pub fn report(&mut self, run: Run) {
        if self.verdict.is_some() {
            return;
        }
        let side = self.position.side_to_move();
        let left = *self.clocks.of(side);
        let person = *self.people.of(side);
        let used = charged(&run.usage, self.conditions.charge, person);
        let charged = paced(used, *self.paces.of(side), left);
        let overruns = *self.overruns.of(side);
        let judged = judge(&self.position, TimeAllowance { left, charged, overruns, person }, &self.conditions, &run);
        *self.overruns.of_mut(side) += u32::from(self.conditions.move_time.is_some_and(|limit| charged > limit));
        *self.clocks.of_mut(side) = left.saturating_sub(charged);
        let (mv, warnings) = match judged {
            Ok(Judged { mv, warnings, is_progress, next }) => {
                self.history.add_move(next.clone(), is_progress);
                self.position = next;
                (Some(mv), warnings)
            }
            Err(fault) => {
                self.verdict = Some(Verdict::Forfeit { loser: side, fault });
                (None, Vec::new())
            }
        };
        self.turns.push(TurnRecord::Run { side, left, charged, mv, warnings, run: Box::new(run) });
        self.pass_or_end();
    }

    /// Plays all forced passes and detects the end of the game. On the same move, a win comes before a draw.
    fn pass_or_end(&mut self) {
        while self.verdict.is_none() {
            let status = self.position.status();
            self.verdict = match status {
                Status::Over(Ending::Won { winner, by }) => Some(Verdict::Won { winner, by: by.into() }),
                Status::Over(Ending::Drawn(draw)) => Some(self.drawn(Draw::from(draw))),
                Status::ToMove | Status::MustPass => self.history.draw().map(|draw| self.drawn(draw.into())),
            };
            match status {
                Status::MustPass if self.verdict.is_none() => self.make_pass(),
                Status::MustPass | Status::ToMove | Status::Over(_) => break,
            }
        }
    }

    fn make_pass(&mut self) {
        self.turns.push(TurnRecord::Pass { side: self.position.side_to_move() });
        self.position = self.position.pass();
        self.history.add_pass();
    }

    fn beginning(&self) -> GameStart {
        GameStart {
            decisions: self.position.game().profile().draw_decisions,
            first: self.first,
            pieces: PerSide::from_fn(|side| self.position.pieces(side)),
            is_timed: Side::BOTH.iter().all(|&side| *self.people.of(side) != Some(PersonClock::NoClock)),
        }
    }

    fn drawn(&self, by: Draw) -> Verdict {
        let decided = decide_draw(&by, self.clocks, self.beginning());
        Verdict::Drawn { by, decided }
    }
}
