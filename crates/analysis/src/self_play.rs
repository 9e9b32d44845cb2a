//! Games between two equal alpha-beta agents, without programs and clocks: for the fit of curves, and to try how often
//! a mistake matters.
//!
//! The agents answer to the text of an `input.txt`, as they do for the referee. The same seed gives the same game.

use referee_games::builtin::{BuiltinAgent, BuiltinTurn, NodeLimit, TurnRng};
use referee_games::protocol::{InputPurpose, TimeLeft, Tolerance};
use referee_games::{Ending, History, Side, State, Status};
use referee_time::CpuTime;

/// A game that goes on for longer is a draw.
const MAX_PLIES: u32 = 1_000;

/// Agents with a limit in nodes do not look at the clock, but every input has one.
const TIME: CpuTime = CpuTime::from_secs(100);

/// Why a game could not be played to its end.
#[derive(Debug, thiserror::Error)]
#[error("the built-in agents cannot play {game}: {reason}")]
pub struct SelfPlayError {
    /// The game.
    pub game: String,
    /// What went wrong.
    pub reason: String,
}

/// A game that two agents play to its end.
#[derive(Clone, Debug)]
pub(super) struct SelfPlay {
    pub(super) position: State,
    pub(super) history: History,
    /// The nodes of each search of the agents.
    pub(super) nodes: NodeLimit,
    pub(super) seed: u64,
}

impl SelfPlay {
    /// Plays so many random moves; whether the game goes on after them.
    pub(super) fn open_at_random(&mut self, plies: u32) -> bool {
        for ply in 0..plies {
            match self.position.status() {
                Status::Over(_) => return false,
                Status::MustPass => self.pass(),
                Status::ToMove => {
                    let moves = self.position.moves();
                    let places: Vec<usize> = (0..moves.len()).collect();
                    let chosen = TurnRng::new(self.seed, u64::from(ply)).choose(&places);
                    let Some(mv) = chosen.map(|place| moves[place].clone()) else { return false };
                    if self.play(&mv).is_err() {
                        return false;
                    }
                }
            }
        }
        self.history.draw().is_none() && self.position.status() == Status::ToMove
    }

    /// Plays the game to its end, and calls `watch` with each position in which a side can move; black's score.
    pub(super) fn finish(&mut self, mut watch: impl FnMut(&State, &History)) -> Result<f64, SelfPlayError> {
        let mut playdata: [Option<String>; 2] = [None, None];
        for _ in 0..MAX_PLIES {
            match self.position.status() {
                Status::Over(ending) => return Ok(black_score(ending)),
                Status::ToMove | Status::MustPass if self.history.draw().is_some() => return Ok(0.5),
                Status::MustPass => self.pass(),
                Status::ToMove => {
                    watch(&self.position, &self.history);
                    let side = self.position.side_to_move();
                    let own = &mut playdata[side.index()];
                    let time = TimeLeft { own: TIME, opponent: TIME };
                    let input = self.position.write_question(InputPurpose::Game, time);
                    let agent = BuiltinAgent::AlphaBeta { nodes: Some(self.nodes), seed: None };
                    let seed = self.seed.wrapping_mul(2).wrapping_add(side.index() as u64);
                    let game = self.position.game();
                    let (agent, input) = (&agent, input.as_bytes());
                    let answer = game.answer(BuiltinTurn { agent, seed, input, playdata: own.as_deref() });
                    let reply = answer.map_err(|error| self.failed(&error))?;
                    *own = Some(reply.playdata);
                    self.play(&reply.output)?;
                }
            }
        }
        Ok(0.5)
    }

    /// Plays a move by its text.
    pub(super) fn play(&mut self, mv: &str) -> Result<(), SelfPlayError> {
        let judged = self.position.judge(mv.as_bytes(), Tolerance::Exact);
        let judged = judged.map_err(|refusal| self.failed(&format!("its own answer is refused: {refusal:?}")))?;
        self.position = judged.next.clone();
        self.history.add_move(judged.next, judged.is_progress);
        Ok(())
    }

    fn pass(&mut self) {
        self.position = self.position.pass();
        self.history.add_pass();
    }

    fn failed(&self, reason: &impl ToString) -> SelfPlayError {
        let reason =
            self.position.breakdown().map_or_else(|| reason.to_string(), |unavailable| unavailable.to_string());
        SelfPlayError { game: self.position.game().to_string(), reason }
    }
}

/// The score of `side` where black's is `black`.
pub(super) fn score_of(side: Side, black: f64) -> f64 {
    match side {
        Side::Black => black,
        Side::White => 1.0 - black,
    }
}

/// The score, from 0 to 1, of black.
fn black_score(ending: Ending) -> f64 {
    match ending {
        Ending::Won { winner: Side::Black, .. } => 1.0,
        Ending::Won { winner: Side::White, .. } => 0.0,
        Ending::Drawn(_) => 0.5,
    }
}
