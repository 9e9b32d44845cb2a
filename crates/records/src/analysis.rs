//! The analysis of a recorded game: what each move gave up, by a search that is the same on every machine.
//!
//! Plain data, in a file beside the records that may be missing. The crate `referee-analysis` makes it; pages,
//! `replay`, `explain` and feedback show it. It is out of date, and made again, if its [`AnalysisBasis`] is not the
//! current one. What follows from it, such as the decisive mistake, is computed each time.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::bounded::{MAX_RECORD_BYTES, read_bounded};
use super::files::write_whole;
use super::reading::run_of;
use super::store::GAMES;
use super::{RecordError, RunFolder, SCHEMA};

use referee_games::{KnownGames, ProvedResult, Side};

const ANALYSIS: &str = "analysis";

/// The analysis of one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameAnalysis {
    /// The version of this format, [`SCHEMA`].
    pub schema: u32,
    /// The game's name in its run.
    pub id: String,
    /// What it was computed from.
    #[serde(flatten)]
    pub basis: AnalysisBasis,
    /// One for each turn of the record, in order.
    pub turns: Vec<TurnAnalysis>,
    /// How often the decisive mistake mattered in other continuations, if that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<Confirmation>,
}

/// Everything on which an analysis depends: with the same basis, it has the same bytes on every machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisBasis {
    /// The SHA-256 digest of the record's text.
    pub record: String,
    /// The agent whose search values the moves, with its version: `builtin:alphabeta 0.2.0`.
    pub agent: String,
    /// The nodes of a search. A mistake is searched again with four times as many.
    pub nodes: u64,
    /// The SHA-256 digest of the curve that turns values into expected scores.
    pub curve: String,
    /// The random seed of continuations and playouts.
    pub seed: u64,
    /// The number of pairs of continuations from the decisive mistake.
    pub confirm: u32,
}

/// The analysis of one turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnAnalysis {
    /// Whose turn it was.
    pub side: Side,
    /// The best move; `None` for a pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<ValuedMove>,
    /// The recorded move; `None` for a pass, and where there was no legal move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played: Option<ValuedMove>,
    /// How many plies the search looked ahead.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub depth: u32,
    /// The number of legal moves that are expected to score as much as the best one, with itself; 0 for a pass.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub equally_good: u32,
    /// Whether the recorded move was a mistake.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<MoveMark>,
}

/// A move with its value. The side is the one that moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValuedMove {
    /// The move in exact notation, jumps joined by LF.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value in the units of the game's evaluation.
    pub value: i32,
    /// The expected score of its side after it, from 0 to 1, to three decimals.
    pub expected: f64,
    /// The result on the board that its side can force after it, or cannot avoid, if the search has proved one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proved: Option<ProvedResult>,
}

/// The judgement on a move that lost expected score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum MoveMark {
    /// It is one by the search with four times as many nodes, too, or it is proved.
    Mistake,
    /// It is one only by the search with fewer nodes.
    Unclear,
}

/// Continuations of a game from the decisive mistake, half of them with the better move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confirmation {
    /// The turn of the decisive mistake, counted from 1.
    pub turn: usize,
    /// The number of continuations from each of the two moves.
    pub pairs: u32,
    /// The points of the side that made the mistake, after the better move; a draw is half a point.
    pub after_best: f64,
    /// Its points after the recorded move.
    pub after_played: f64,
}

impl RunFolder {
    /// Keeps the analysis of a game, in place of an earlier one.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn keep_analysis(&self, analysis: &GameAnalysis) -> Result<(), RecordError> {
        let folder = self.path().join(ANALYSIS);
        let failed = |source| RecordError::Write { path: folder.clone(), source };
        fs::create_dir_all(&folder).map_err(failed)?;
        write_whole(&folder, &format!("{}.json", analysis.id), analysis)
    }

    /// The analysis of the game `id`; `None` if there is none of its present record that can be read: then it is
    /// computed again.
    pub fn analysis(&self, id: &str) -> Option<GameAnalysis> {
        let text = read_bounded(&self.path_of_analysis(id), MAX_RECORD_BYTES).ok()?;
        let analysis: GameAnalysis = serde_json::from_slice(&text).ok()?;
        let is_known = analysis.schema == SCHEMA && analysis.id == id;
        (is_known && analysis.basis.record == digest_of_record(&self.text_of_game(id).ok()?)).then_some(analysis)
    }

    /// The path of the curve of expected scores that was fitted for this run, existing or not.
    pub fn curve_path(&self) -> PathBuf {
        self.path().join("curve.json")
    }

    /// The path of the analysis of the game `id`, existing or not.
    pub fn path_of_analysis(&self, id: &str) -> PathBuf {
        self.path().join(ANALYSIS).join(format!("{id}.json"))
    }
}

/// The run of which the file `path` is or was the record of the game `id`; `None` for a record that is not among the
/// games of a run, such as a copy.
pub fn run_of_record(path: &Path, id: &str, games: &KnownGames) -> Option<RunFolder> {
    let run = run_of(path);
    let is_its_record = path.file_name()? == format!("{id}.json").as_str()
        && path.parent()?.canonicalize().ok()? == run.join(GAMES).canonicalize().ok()?;
    is_its_record.then(|| RunFolder::new(&run, games))
}

/// The analysis of the game `id` whose record is the file `path`, if it has one, as in [`run_of_record`].
pub fn analysis_beside(path: &Path, id: &str, games: &KnownGames) -> Option<GameAnalysis> {
    run_of_record(path, id, games)?.analysis(id)
}

/// The digest of a record's text, for [`AnalysisBasis::record`].
pub fn digest_of_record(text: &[u8]) -> String {
    Sha256::digest(text).iter().fold(String::new(), |mut digits, byte| {
        write!(digits, "{byte:02x}").expect("a string takes every text");
        digits
    })
}

impl GameAnalysis {
    /// The expected score of `side`, from 0 to 1, before each turn and after the last one.
    ///
    /// Before a pass it is that of the next turn. After the last turn it is that of the last move: the result of the
    /// game is not part of it, since a forfeit says nothing about the board.
    pub fn expected_scores(&self, side: Side) -> Vec<f64> {
        let of_side = |turn: &TurnAnalysis, expected: f64| if turn.side == side { expected } else { 1.0 - expected };
        let moves = |mv: fn(&TurnAnalysis) -> Option<&ValuedMove>| {
            move |turn: &TurnAnalysis| mv(turn).map(|mv| of_side(turn, mv.expected))
        };
        let (best, played) = (moves(|turn| turn.best.as_ref()), moves(|turn| turn.played.as_ref()));
        let after_last = self.turns.iter().rev().find_map(|turn| played(turn).or_else(|| best(turn)));
        let mut scores = vec![after_last.unwrap_or(0.5)];
        for turn in self.turns.iter().rev() {
            scores.push(best(turn).unwrap_or(scores[scores.len() - 1]));
        }
        scores.reverse();
        scores
    }

    /// The index of the turn with the mistake that decided the game against `loser`: the first of its mistakes after
    /// which its expected score never comes back above one half. `None` if there is none, because it lost gradually or
    /// not on the board.
    pub fn decisive_mistake(&self, loser: Side) -> Option<usize> {
        let scores = self.expected_scores(loser);
        let last_hope = scores.iter().rposition(|&score| score > 0.5).unwrap_or(0);
        let is_mistake = |turn: &TurnAnalysis| turn.side == loser && turn.mark == Some(MoveMark::Mistake);
        (last_hope..self.turns.len()).find(|&index| is_mistake(&self.turns[index]))
    }
}

impl TurnAnalysis {
    /// What the recorded move gave up of the expected score; 0 for a pass.
    pub fn loss(&self) -> f64 {
        let [best, played] = [&self.best, &self.played].map(|mv| mv.as_ref().map(|mv| mv.expected));
        best.zip(played).map_or(0.0, |(best, played)| (best - played).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(side: Side, best: f64, played: f64, mark: Option<MoveMark>) -> TurnAnalysis {
        let valued = |expected| Some(ValuedMove { mv: String::new(), value: 0, expected, proved: None });
        TurnAnalysis { side, best: valued(best), played: valued(played), depth: 1, equally_good: 1, mark }
    }

    fn analysis(turns: Vec<TurnAnalysis>) -> GameAnalysis {
        let text = String::new;
        let basis = AnalysisBasis { record: text(), agent: text(), nodes: 1, curve: text(), seed: 0, confirm: 0 };
        GameAnalysis { schema: 1, id: text(), basis, turns, confirmation: None }
    }

    #[test]
    fn the_scores_of_the_sides_add_up_to_one() {
        let pass =
            TurnAnalysis { best: None, played: None, depth: 0, equally_good: 0, ..turn(Side::White, 0.0, 0.0, None) };
        let game = analysis(vec![turn(Side::Black, 0.5, 0.25, None), pass, turn(Side::Black, 0.25, 0.125, None)]);
        assert_eq!(game.expected_scores(Side::Black), [0.5, 0.25, 0.25, 0.125]);
        assert_eq!(game.expected_scores(Side::White), [0.5, 0.75, 0.75, 0.875]);
        assert_eq!(analysis(vec![]).expected_scores(Side::Black), [0.5]);
    }

    #[test]
    fn the_decisive_mistake_is_the_first_after_which_nothing_helps() {
        let mistake = Some(MoveMark::Mistake);
        let game = analysis(vec![
            turn(Side::Black, 0.6, 0.3, mistake),
            turn(Side::White, 0.7, 0.4, mistake),
            turn(Side::Black, 0.6, 0.5, Some(MoveMark::Unclear)),
            turn(Side::White, 0.5, 0.5, None),
            turn(Side::Black, 0.5, 0.25, mistake),
            turn(Side::White, 0.75, 0.75, None),
            turn(Side::Black, 0.25, 0.0, mistake),
        ]);
        assert_eq!(game.decisive_mistake(Side::Black), Some(4));
        assert_eq!(game.decisive_mistake(Side::White), None, "its last mistake was answered by one");
        assert_eq!(analysis(vec![turn(Side::Black, 0.4, 0.3, None)]).decisive_mistake(Side::Black), None);
    }
}
