//! A small real run with a game that has an analysis, made up.

use std::fs;

use referee_games::{ProvedResult, Side};
use referee_matches::referee::recorded_positions;
use referee_records::{GameRecord, MoveMark};
use serde_json::{Value, json};

use super::Run;
use crate::analyses::{Fall, keep, made_up};

/// A game that was lost on the board, and the turns that its analysis marks.
pub(crate) struct AnalyzedGame {
    pub(crate) run: Run,
    pub(crate) record: GameRecord,
    pub(crate) loser: Side,
    /// The turn of the decisive mistake, counted from 1.
    pub(crate) decisive: usize,
    /// A later turn of the loser.
    pub(crate) unclear: usize,
    /// The better moves in these turns.
    pub(crate) better: [String; 2],
}

impl AnalyzedGame {
    /// A played game, not analyzed yet.
    pub(crate) fn play() -> Self {
        let run = Run::play("checkers");
        let records = ["g0001", "g0002"].map(|id| run.record(id));
        let lost = records.into_iter().find(|record| record.verdict.loser_on_board().is_some());
        let record = lost.expect("the stronger agent wins a game");
        let loser = record.verdict.loser_on_board().unwrap();
        let turns: Vec<(usize, String)> = choices(&record, loser);
        let [(decisive, first), (unclear, second)] = [turns[2].clone(), turns[4].clone()];
        Self { run, record, loser, decisive, unclear, better: [first, second] }
    }

    /// Says of the agents that students have handed them in.
    pub(crate) fn of_students(&self) {
        let path = self.run.records().manifest_path();
        let mut manifest: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        for agent in manifest["agents"].as_array_mut().unwrap() {
            agent["origin"] = json!(format!("class/{}", agent["name"].as_str().unwrap()));
        }
        fs::write(path, manifest.to_string()).unwrap();
    }

    /// Keeps the analysis.
    pub(crate) fn analyze(&self) {
        let [decisive, unclear] = &self.better;
        let proved = [Some(ProvedResult::Win), None];
        let decisive = Fall { proved, ..Fall::of(self.decisive, decisive, [1.0, 0.25]) };
        let mark = Some(MoveMark::Unclear);
        let unclear = Fall { mark, ..Fall::of(self.unclear, unclear, [0.25, 0.125]) };
        keep(&self.run.records(), made_up(&self.record, &[decisive, unclear]));
    }
}

/// The turns in which `loser` had a choice, with another move.
fn choices(record: &GameRecord, loser: Side) -> Vec<(usize, String)> {
    let positions = recorded_positions(record).unwrap();
    let turns = (1..).zip(record.turns.iter().zip(&positions)).filter(|(_, (turn, _))| turn.side() == loser);
    let other = |played: &str, moves: Vec<String>| moves.into_iter().find(|mv| mv != played);
    turns.filter_map(|(number, (turn, before))| Some((number, other(turn.mv()?, before.moves())?))).collect()
}
