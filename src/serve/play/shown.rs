//! What the page shows of a game, as it stands in JSON.

use serde::Serialize;

use crate::games::{GameId, Side};
use crate::messages::{Look, SideNames, board_words, close_call_sentence, explained_in_short, verdict_sentence};
use crate::records::{GameRecord, PerSide, PersonClock, RunFolder, TurnRecord};
use crate::referee::{Scene, explain};
use crate::report::cells;

/// What there is to see now. All texts are fit to be shown.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PlayView {
    /// The name of the game within its run; empty before the first.
    pub(super) id: String,
    pub(super) phase: Phase,
    /// Which side the person has.
    pub(super) own: Side,
    #[serde(skip)]
    pub(super) game: GameId,
    /// What stands on each square, row by row from the top.
    pub(super) cells: Vec<String>,
    /// The squares that the last turn has changed.
    pub(super) changed: Vec<usize>,
    /// What each side has left, in microseconds; nothing for a side without a clock.
    pub(super) clocks_us: PerSide<Option<u64>>,
    pub(super) turns: Vec<TurnView>,
}

/// What goes on.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub(super) enum Phase {
    /// No game has begun.
    Ready,
    /// A game is about to begin.
    Beginning,
    /// The agent is at work.
    Thinking,
    /// The person is to move.
    Asking {
        /// The number of the question, which an answer has to name.
        question: u64,
    },
    /// The game is over and recorded.
    Over {
        /// Who has won it; nobody where it is drawn.
        winner: Option<Side>,
        /// How it ended, in a sentence.
        verdict: String,
        /// Why, where that takes more than a sentence, line by line.
        explanation: Vec<String>,
        /// Why the result deserves a second look, in sentences.
        close_calls: Vec<String>,
        /// Where its record is.
        record: String,
    },
    /// The person has left the game, and there is no record of it.
    Left,
    /// The game broke through no fault of either, and there is no record of it.
    Broken {
        /// What failed.
        reason: String,
    },
}

/// One turn that was taken.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TurnView {
    pub(super) side: Side,
    /// The move as it is written, on one line; nothing for a pass and for an answer that was no move.
    #[serde(rename = "move")]
    pub(super) mv: Option<String>,
    /// Whether the side had no legal move.
    pub(super) is_pass: bool,
    pub(super) charged_us: u64,
}

impl PlayView {
    /// Before the first game, with the board that it begins with.
    pub(super) fn ready(game: GameId, own: Side, time: PerSide<Option<u64>>) -> Self {
        Self {
            id: String::new(),
            phase: Phase::Ready,
            own,
            game,
            cells: cells(game, &game.start().rows()),
            changed: Vec::new(),
            clocks_us: time,
            turns: Vec::new(),
        }
    }

    /// The game as `scene` has it, after all `turns`.
    pub(super) fn follow(&mut self, scene: &Scene, turns: &[TurnRecord], clock: PersonClock) {
        let now = cells(self.game, &scene.rows());
        let pairs = self.cells.iter().zip(&now).enumerate();
        if turns.len() > self.turns.len() {
            self.changed = pairs.filter(|(_, (old, new))| old != new).map(|(at, _)| at).collect();
        } else {
            self.changed.clear();
        }
        self.cells = now;
        let (own, without) = (self.own, clock == PersonClock::NoClock);
        let left = |side: Side| (!(without && side == own)).then(|| scene.clocks.of(side).micros());
        self.clocks_us = PerSide::from_fn(left);
        self.turns = turns.iter().map(turn).collect();
        if scene.at_work == Some(own.other()) {
            self.phase = Phase::Thinking;
        }
    }
}

fn turn(turn: &TurnRecord) -> TurnView {
    TurnView {
        side: turn.side(),
        mv: turn.mv().map(board_words),
        is_pass: turn.is_pass(),
        charged_us: turn.charged().micros(),
    }
}

/// How the game of `record`, which is kept in `folder`, has ended.
pub(super) fn over(record: &GameRecord, folder: &RunFolder) -> Phase {
    let names = SideNames::of(record);
    let explanation = explain(record).map(|explanation| explained_in_short(&explanation, Look::PLAIN));
    let calls = record.close_calls.iter().map(|call| close_call_sentence(call, &names));
    Phase::Over {
        winner: record.verdict.winner(),
        verdict: verdict_sentence(&record.verdict, &names),
        explanation: explanation.unwrap_or_default(),
        close_calls: calls.collect(),
        record: crate::messages::plain(&folder.path_of(&record.id).display().to_string()),
    }
}
