//! Analyses of recorded games that no search has made, for the tests of everything that shows them.
#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "each test file uses another part of it, so that it is dead code in the others"
)]

use referee_games::{ProvedResult, Side};
use referee_records::{
    AnalysisBasis, GameAnalysis, GameRecord, MoveMark, RunFolder, SCHEMA, TurnAnalysis, ValuedMove, digest_of_record,
};

/// One turn that an analysis finds fault with.
#[derive(Clone, Debug)]
pub(crate) struct Fall {
    /// The turn, counted from 1.
    pub(crate) turn: usize,
    /// The better move.
    pub(crate) better: String,
    /// The expected score of its side with the better move, and with the one played.
    pub(crate) scores: [f64; 2],
    pub(crate) proved: [Option<ProvedResult>; 2],
    pub(crate) mark: Option<MoveMark>,
}

impl Fall {
    /// A mistake of which nothing is proved.
    pub(crate) fn of(turn: usize, better: &str, scores: [f64; 2]) -> Self {
        Self { turn, better: better.to_owned(), scores, proved: [None; 2], mark: Some(MoveMark::Mistake) }
    }
}

/// An analysis in which the game of `record` is even, but for these turns: the scores before the first of them are its
/// own, and those after each are what it left.
pub(crate) fn made_up(record: &GameRecord, falls: &[Fall]) -> GameAnalysis {
    let first = falls.first().map(|fall| (record.turns[fall.turn - 1].side(), fall.scores[0]));
    let mut black = first.map_or(0.5, |(side, score)| for_black(side, score));
    let mut turns = Vec::new();
    for (number, turn) in (1..).zip(&record.turns) {
        let fall = falls.iter().find(|fall| fall.turn == number);
        let side = turn.side();
        let played = turn.mv().map(|mv| valued(mv, fall.map_or(for_black(side, black), |fall| fall.scores[1])));
        let best = fall.map(|fall| valued(&fall.better, fall.scores[0])).or(played.clone());
        let [of_best, of_played] = fall.map(|fall| fall.proved).unwrap_or_default();
        turns.push(TurnAnalysis {
            side,
            equally_good: u32::from(best.is_some()),
            depth: u32::from(best.is_some()) * 5,
            best: best.map(|mv| ValuedMove { proved: of_best, ..mv }),
            played: played.map(|mv| ValuedMove { proved: of_played, ..mv }),
            mark: fall.and_then(|fall| fall.mark),
        });
        black = fall.map_or(black, |fall| for_black(side, fall.scores[1]));
    }
    let basis = AnalysisBasis {
        record: String::new(),
        agent: "builtin:alphabeta 0.2.0".to_owned(),
        nodes: 20_000,
        curve: "0".repeat(64),
        seed: 0,
        confirm: 0,
    };
    GameAnalysis { schema: SCHEMA, id: record.id.clone(), basis, turns, confirmation: None }
}

/// Keeps `analysis` in `folder`, as one of the record that is there.
pub(crate) fn keep(folder: &RunFolder, mut analysis: GameAnalysis) {
    analysis.basis.record = digest_of_record(&folder.text_of_game(&analysis.id).unwrap());
    folder.keep_analysis(&analysis).unwrap();
}

/// The expected score of black if it is `score` for `side`, and the other way round.
fn for_black(side: Side, score: f64) -> f64 {
    match side {
        Side::Black => score,
        Side::White => 1.0 - score,
    }
}

fn valued(mv: &str, expected: f64) -> ValuedMove {
    ValuedMove { mv: mv.to_owned(), value: 0, expected, proved: None }
}
