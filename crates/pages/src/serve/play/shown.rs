//! The page's view of a game, as JSON. It judges nothing; `table` fills it.

use serde::Serialize;

use crate::report::cells;
use referee_games::{GameRef, Side};
use referee_matches::referee::{GameSnapshot, RESIGNATION, explain, text_of};
use referee_messages::{
    LastMove, OutputStyle, SideNames, board_words, close_call_sentence, explained_in_short, verdict_sentence,
};
use referee_records::{GameRecord, PerSide, PersonClock, RunFolder, TurnRecord};

/// The current view. All texts are escaped.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PlayView {
    /// The name of the game in its run; empty before the first.
    pub(super) id: String,
    pub(super) phase: Phase,
    /// The person's side.
    pub(super) own: Side,
    #[serde(skip)]
    pub(super) game: GameRef,
    /// The content of each square, row by row from the top.
    pub(super) cells: Vec<String>,
    /// The same as rows of the game's own notation.
    #[serde(skip)]
    pub(super) rows: Vec<String>,
    /// What stands beside the board.
    pub(super) notes: String,
    /// The squares changed by the last turn.
    pub(super) changed: Vec<usize>,
    /// The letters of the pieces that each side has captured, in their order.
    pub(super) captured: PerSide<String>,
    /// The clocks in microseconds; `None` for a side without a clock.
    pub(super) clocks_us: PerSide<Option<u64>>,
    pub(super) turns: Vec<TurnView>,
}

/// The phase of the session.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub(super) enum Phase {
    /// No game has begun.
    Ready,
    /// A game is about to begin.
    Beginning,
    /// The agent is thinking.
    Thinking,
    /// The person is to move.
    Asking {
        /// The number of the question, which an answer must name.
        question: u64,
    },
    /// The game is over and recorded.
    Over {
        /// The winner; `None` for a draw.
        winner: Option<Side>,
        /// The verdict, in one sentence.
        verdict: String,
        /// The explanation, line by line, if a sentence is not enough.
        explanation: Vec<String>,
        /// Reasons to review the result, in sentences.
        close_calls: Vec<String>,
        /// The path of its record.
        record: String,
    },
    /// The person abandoned the game, and it has no record.
    Left,
    /// The game failed through nobody's fault, and has no record.
    Broken {
        /// The reason.
        reason: String,
    },
}

/// A turn.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TurnView {
    pub(super) side: Side,
    /// The move as written, on one line, or that the person resigns; `None` for a pass and for an illegal answer.
    #[serde(rename = "move")]
    pub(super) mv: Option<String>,
    /// Whether it is a pass.
    pub(super) is_pass: bool,
    pub(super) charged_cpu_us: u64,
}

impl PlayView {
    /// Before the first game, with its start board.
    pub(super) fn ready(game: GameRef, own: Side, time: PerSide<Option<u64>>) -> Self {
        Self {
            id: String::new(),
            phase: Phase::Ready,
            own,
            game,
            cells: cells(game, &game.start().rows()),
            rows: game.start().rows(),
            notes: game.start().notes(),
            changed: Vec::new(),
            captured: PerSide::from_fn(|_| String::new()),
            clocks_us: time,
            turns: Vec::new(),
        }
    }

    /// The game at `snapshot`, after all `turns`.
    pub(super) fn follow(&mut self, snapshot: &GameSnapshot, turns: &[TurnRecord], clock: PersonClock) {
        let rows = snapshot.rows();
        let now = cells(self.game, &rows);
        let pairs = self.cells.iter().zip(&now).enumerate();
        if turns.len() > self.turns.len() {
            self.changed = pairs.filter(|(_, (old, new))| old != new).map(|(at, _)| at).collect();
            if let Some((side, mv)) = last_played(&turns[self.turns.len()..]) {
                let last = LastMove::of(self.game, &self.rows, &rows, mv);
                let letters = last.captured().iter().map(|piece| piece.letter);
                self.captured.of_mut(side).extend(letters);
            }
        } else {
            self.changed.clear();
        }
        (self.cells, self.rows) = (now, rows);
        self.notes.clone_from(&snapshot.notes);
        let (own, without) = (self.own, clock == PersonClock::NoClock);
        let left = |side: Side| (!(without && side == own)).then(|| snapshot.clocks.of(side).micros());
        self.clocks_us = PerSide::from_fn(left);
        self.turns = turns.iter().map(|played| turn(played, own)).collect();
        if snapshot.at_work == Some(own.other()) {
            self.phase = Phase::Thinking;
        }
    }
}

/// The last move among `turns`, with its side.
fn last_played(turns: &[TurnRecord]) -> Option<(Side, &str)> {
    turns.iter().rev().find_map(|turn| Some((turn.side(), turn.mv()?)))
}

fn turn(turn: &TurnRecord, own: Side) -> TurnView {
    let said = turn.run().filter(|_| turn.side() == own).and_then(|run| text_of(&run.output).ok());
    let missing = said.filter(|said| said.trim_ascii() == RESIGNATION.as_bytes()).map(|_| "resigns".to_owned());
    TurnView {
        side: turn.side(),
        mv: turn.mv().map(board_words).or(missing),
        is_pass: turn.is_pass(),
        charged_cpu_us: turn.charged().micros(),
    }
}

/// The end of the game of `record`, which is stored in `folder`.
pub(super) fn over(record: &GameRecord, folder: &RunFolder) -> Phase {
    let names = SideNames::of(record);
    let explanation = explain(record).map(|explanation| explained_in_short(&explanation, OutputStyle::PLAIN));
    let calls = record.close_calls.iter().map(|call| close_call_sentence(call, &names));
    Phase::Over {
        winner: record.verdict.winner(),
        verdict: verdict_sentence(&record.verdict, &names),
        explanation: explanation.unwrap_or_default(),
        close_calls: calls.collect(),
        record: referee_messages::plain(&folder.path_of(&record.id).display().to_string()),
    }
}
