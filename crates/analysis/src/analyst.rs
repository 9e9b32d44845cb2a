//! Analyzes one recorded game.
//!
//! Each position is searched once; only where that shows a mistake, it is searched again with four times as many nodes.
//! The result depends on nothing but the record and the settings.

use std::cell::OnceCell;

use referee_games::builtin::NodeLimit;
use referee_games::protocol::Tolerance;
use referee_games::{History, MoveValues, ProvedResult, ReachedPosition, Side, State, Status};
use referee_matches::referee::{Difference, OngoingGame, at_each_turn};
use referee_records::{
    AnalysisBasis, Confirmation, GameAnalysis, GameRecord, MoveMark, SCHEMA, TurnAnalysis, TurnRecord, ValuedMove,
};

use super::curve::ExpectedScoreCurve;
use super::self_play::{SelfPlay, SelfPlayError, score_of};

/// The expected score that a mistake gives up.
const MISTAKE: f64 = 0.15;

/// Moves that give up at most so much count as equally good.
const EQUALLY_GOOD: f64 = 0.02;

/// A mistake is searched again with so many times the nodes.
const DEEPER: u64 = 4;

/// A search that has not seen one reply calls nothing a mistake.
const LEAST_DEPTH: u32 = 2;

/// What an analysis depends on, besides the record.
#[derive(Clone, Debug)]
pub struct AnalysisSettings {
    /// The nodes of a search.
    pub nodes: NodeLimit,
    /// The random seed of continuations.
    pub seed: u64,
    /// The number of pairs of continuations from the decisive mistake.
    pub confirm: u32,
    /// The curve of the game.
    pub curve: ExpectedScoreCurve,
}

/// Why a game cannot be analyzed.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// The record does not follow the rules.
    #[error("the record does not follow the rules: {0}")]
    Record(Difference),
    /// The rules, which are a program of their own, have failed.
    #[error("turn {turn}: the rules have failed: {reason}")]
    Rules {
        /// The turn, counted from 1.
        turn: usize,
        /// How.
        reason: String,
    },
    /// The built-in agents could not continue the game.
    #[error(transparent)]
    SelfPlay(#[from] SelfPlayError),
}

/// Analyzes games with the same settings.
#[derive(Clone, Debug)]
pub struct Analyst {
    settings: AnalysisSettings,
    curve_digest: String,
}

impl Analyst {
    /// An analyst with these settings.
    pub fn new(settings: AnalysisSettings) -> Self {
        Self { curve_digest: settings.curve.digest(), settings }
    }

    /// What the analysis of a record whose text has the digest `record` depends on.
    pub fn basis(&self, record: String) -> AnalysisBasis {
        AnalysisBasis {
            record,
            agent: concat!("builtin:alphabeta ", env!("CARGO_PKG_VERSION")).to_owned(),
            nodes: self.settings.nodes.count(),
            curve: self.curve_digest.clone(),
            seed: self.settings.seed,
            confirm: self.settings.confirm,
        }
    }

    /// Analyzes the game in `record`, whose text has the digest `digest`.
    ///
    /// # Errors
    ///
    /// [`AnalysisError`].
    pub fn analyze(&self, record: &GameRecord, digest: String) -> Result<GameAnalysis, AnalysisError> {
        let reached = |game: &OngoingGame| (game.position().clone(), game.history().clone());
        let positions = at_each_turn(record, reached).map_err(AnalysisError::Record)?;
        let mut turns = Vec::with_capacity(record.turns.len());
        for (index, turn) in record.turns.iter().enumerate() {
            let (position, history) = &positions[index];
            turns.push(match turn {
                TurnRecord::Pass { side } => no_move(*side),
                TurnRecord::Run { side, mv, .. } => self
                    .turn(*side, mv.as_deref(), &history.reached(position))
                    .map_err(|reason| AnalysisError::Rules { turn: index + 1, reason })?,
            });
        }
        let (id, basis) = (record.id.clone(), self.basis(digest));
        let mut analysis = GameAnalysis { schema: SCHEMA, id, basis, turns, confirmation: None };
        let decisive = record.verdict.loser_on_board().and_then(|loser| analysis.decisive_mistake(loser));
        if let Some(index) = decisive {
            analysis.confirmation = self.confirm(index, &analysis.turns[index], &positions[index])?;
        }
        Ok(analysis)
    }

    /// Values the moves of one turn.
    fn turn(&self, side: Side, mv: Option<&str>, reached: &ReachedPosition<'_>) -> Result<TurnAnalysis, String> {
        let position = reached.position;
        if position.status() != Status::ToMove {
            return Ok(no_move(side));
        }
        let moves = position.moves();
        let place = mv.and_then(|mv| place_of(position, &moves, mv));
        let nodes = self.settings.nodes.count();
        let first = ValuedTurn::new(self, reached, nodes, moves.len())?;
        let is_suspect = place.is_some_and(|place| first.loss(place) >= MISTAKE || first.worsens(place));
        let (valued, mark) = if is_suspect {
            let deeper = ValuedTurn::new(self, reached, nodes.saturating_mul(DEEPER), moves.len())?;
            let is_mistake = place.is_some_and(|place| {
                deeper.worsens(place) || (first.depth() >= LEAST_DEPTH && deeper.loss(place) >= MISTAKE)
            });
            (deeper, Some(if is_mistake { MoveMark::Mistake } else { MoveMark::Unclear }))
        } else {
            (first, None)
        };
        // A longer win that is proved is better than one that is not.
        let is_certain = |place: &usize| valued.proved(*place) == Some(ProvedResult::Win);
        let best = place.filter(is_certain).filter(|_| !is_certain(&valued.best)).unwrap_or(valued.best);
        Ok(TurnAnalysis {
            side,
            best: Some(valued.at(best, &moves)),
            played: place.map(|place| valued.at(place, &moves)),
            depth: valued.depth(),
            equally_good: valued.equally_good(),
            mark,
        })
    }

    /// Plays the game on from the better and from the recorded move.
    fn confirm(
        &self,
        index: usize,
        turn: &TurnAnalysis,
        (position, history): &(State, History),
    ) -> Result<Option<Confirmation>, AnalysisError> {
        let (Some(best), Some(played)) = (&turn.best, &turn.played) else { return Ok(None) };
        let AnalysisSettings { nodes, seed, confirm: pairs, .. } = self.settings;
        let begin = |seed| SelfPlay { position: position.clone(), history: history.clone(), nodes, seed };
        let points = |mv: &ValuedMove| -> Result<f64, SelfPlayError> {
            let seeds = (0..u64::from(pairs)).map(|pair| seed.wrapping_add(pair));
            seeds.map(|seed| continuation(begin(seed), &mv.mv, turn.side)).sum()
        };
        let confirmation =
            Confirmation { turn: index + 1, pairs, after_best: points(best)?, after_played: points(played)? };
        Ok((pairs > 0).then_some(confirmation))
    }
}

/// The points of `side`, who makes a move, in a game that built-in agents finish.
fn continuation(mut play: SelfPlay, mv: &str, side: Side) -> Result<f64, SelfPlayError> {
    play.play(mv)?;
    Ok(score_of(side, play.finish(|_, _| ())?))
}

const fn no_move(side: Side) -> TurnAnalysis {
    TurnAnalysis { side, best: None, played: None, depth: 0, equally_good: 0, mark: None }
}

/// The index of the recorded move among the legal ones. Several plays may make the same move.
fn place_of(position: &State, moves: &[String], mv: &str) -> Option<usize> {
    moves.iter().position(|known| known == mv).or_else(|| {
        let next = position.judge(mv.as_bytes(), Tolerance::Exact).ok()?.next;
        position.successors().iter().position(|known| *known == next)
    })
}

/// The moves of one position with their values, from one search.
struct ValuedTurn<'a> {
    analyst: &'a Analyst,
    reached: &'a ReachedPosition<'a>,
    nodes: u64,
    values: MoveValues,
    best: usize,
    /// What is proved of each move, once it has been asked.
    proofs: Vec<OnceCell<Option<ProvedResult>>>,
}

impl<'a> ValuedTurn<'a> {
    fn new(analyst: &'a Analyst, reached: &'a ReachedPosition<'a>, nodes: u64, moves: usize) -> Result<Self, String> {
        let values = reached.position.game().value_moves(reached, nodes);
        if let Some(unavailable) = reached.position.breakdown() {
            return Err(unavailable.to_string());
        }
        let best = (0..values.values.len()).rev().max_by_key(|&place| values.values[place]);
        match best {
            Some(best) if values.values.len() == moves => {
                let proofs = vec![OnceCell::new(); moves];
                Ok(Self { analyst, reached, nodes, values, best, proofs })
            }
            Some(_) | None => Err("not all moves have a value".to_owned()),
        }
    }

    const fn depth(&self) -> u32 {
        self.values.depth
    }

    /// What the search alone expects, without proofs.
    fn searched(&self, place: usize) -> f64 {
        self.analyst.settings.curve.expected(self.values.values[place])
    }

    fn loss(&self, place: usize) -> f64 {
        self.searched(self.best) - self.searched(place)
    }

    fn proved(&self, place: usize) -> Option<ProvedResult> {
        let (game, value) = (self.reached.position.game(), self.values.values[place]);
        *self.proofs[place].get_or_init(|| game.proved_result(self.reached, place, value, self.nodes))
    }

    /// Whether the best move has proved more than this one, which cannot be better any more.
    fn worsens(&self, place: usize) -> bool {
        place != self.best && self.proved(place).is_some_and(|played| self.proved(self.best) > Some(played))
    }

    fn equally_good(&self) -> u32 {
        let count = (0..self.values.values.len()).filter(|&place| self.loss(place) <= EQUALLY_GOOD).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    fn at(&self, place: usize, moves: &[String]) -> ValuedMove {
        let proved = self.proved(place);
        let expected = proved.map_or_else(|| self.searched(place), ProvedResult::score);
        ValuedMove {
            mv: moves[place].clone(),
            value: self.values.values[place],
            expected: (expected * 1000.0).round() / 1000.0,
            proved,
        }
    }
}
