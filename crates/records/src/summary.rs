//! A finished game without its moves, as standings and ratings need it. Plain data; [`super::skim`] reads it from
//! files.

use serde::{Deserialize, Serialize};

use super::{CloseCall, DrawAward, FaultKind, GameRecord, Host, PerSide, Verdict};
use referee_games::Side;
use referee_seat::Meter;
use referee_time::CpuTime;

/// A finished game with its turns counted: a few hundred bytes, however long the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameSummary {
    /// The game's name in its run.
    pub id: String,
    /// The agents' names.
    pub players: PerSide<String>,
    /// The side with the first turn.
    pub first: Side,
    /// The winner and the way of winning.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// What its turns add up to.
    #[serde(flatten)]
    pub totals: TurnTotals,
    /// Whether the result is a close call.
    pub close_call: bool,
    /// Whether noise may have decided a draw.
    pub within_noise: bool,
}

/// A finished game in short, and its machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameOnMachine {
    /// The game.
    pub summary: GameSummary,
    /// The place.
    pub played_on: PlayedOn,
}

/// The properties of a game's machine that affect its times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedOn {
    /// The machine; `None` in records of older versions.
    pub host: Option<Host>,
    /// The meter of each side; `None` for a person.
    pub meters: PerSide<Option<Meter>>,
}

/// What the turns of a game add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TurnTotals {
    /// The number of turns, passes included.
    pub turns: u32,
    /// The number of each side's moves, an illegal answer included: its turns without passes. Only standings need it.
    #[serde(skip)]
    pub moves: PerSide<u32>,
    /// The total charge of each side.
    #[serde(rename = "charged_cpu_us")]
    pub charged: PerSide<CpuTime>,
}

impl TurnTotals {
    /// Adds a turn of `side`; a pass has no charge.
    pub(super) fn add(&mut self, side: Side, charged: Option<CpuTime>) {
        self.turns += 1;
        *self.moves.of_mut(side) += u32::from(charged.is_some());
        *self.charged.of_mut(side) += charged.unwrap_or_default();
    }
}

/// The winner and the way of winning: a [`Verdict`] without details.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case", tag = "how")]
#[strum(serialize_all = "kebab-case")]
pub enum Outcome {
    /// Won on the board.
    Board {
        /// The winner.
        winner: Side,
    },
    /// Drawn on the board, won by the side with more time left.
    DrawnByTime {
        /// The winner.
        winner: Side,
    },
    /// Drawn on the board and in time, won by the side that moved second.
    DrawnBySecondMove {
        /// The winner.
        winner: Side,
    },
    /// Drawn on the board and in time, won by the side with more pieces.
    DrawnByPieces {
        /// The winner.
        winner: Side,
    },
    /// A true draw.
    Drawn,
    /// Lost by a fault.
    Forfeit {
        /// The loser.
        loser: Side,
        /// The kind of fault.
        fault: FaultKind,
    },
}

impl Outcome {
    /// The outcome of `verdict`.
    pub fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Won { winner, .. } => Self::Board { winner: *winner },
            Verdict::Drawn { decided, .. } => match decided {
                DrawAward::Time { winner, .. } => Self::DrawnByTime { winner: *winner },
                DrawAward::SecondMove { winner } => Self::DrawnBySecondMove { winner: *winner },
                DrawAward::Pieces { winner, .. } => Self::DrawnByPieces { winner: *winner },
                DrawAward::Nobody | DrawAward::NoClock => Self::Drawn,
            },
            Verdict::Forfeit { loser, fault } => Self::Forfeit { loser: *loser, fault: fault.kind() },
        }
    }

    /// The winner; `None` for a true draw.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Board { winner }
            | Self::DrawnByTime { winner }
            | Self::DrawnBySecondMove { winner }
            | Self::DrawnByPieces { winner } => Some(winner),
            Self::Drawn => None,
            Self::Forfeit { loser, .. } => Some(loser.other()),
        }
    }

    /// The name in JSON: `board`, `drawn-by-time`, ...
    pub fn word(self) -> &'static str {
        self.into()
    }
}

impl GameSummary {
    /// The summary of a record in memory. For files, [`RunFolder::summaries`](super::RunFolder::summaries) is better:
    /// it does not build the turns.
    pub fn of(record: &GameRecord) -> Self {
        let mut totals = TurnTotals::default();
        for turn in &record.turns {
            totals.add(turn.side(), (!turn.is_pass()).then(|| turn.charged()));
        }
        let players = PerSide::from_fn(|side| record.players.of(side).name.clone());
        Self {
            totals,
            close_call: !record.close_calls.is_empty(),
            within_noise: record.close_calls.iter().any(CloseCall::is_within_noise),
            ..Self::of_result(record.id.clone(), players, record.first, Outcome::of(&record.verdict))
        }
    }

    /// A game of which no more is known than who won it.
    pub fn of_result(id: String, players: PerSide<String>, first: Side, outcome: Outcome) -> Self {
        let totals = TurnTotals::default();
        Self { id, players, first, outcome, totals, close_call: false, within_noise: false }
    }

    /// The name of the agent that played `side`.
    pub fn name(&self, side: Side) -> &str {
        self.players.of(side)
    }

    /// The agent with the first turn.
    pub fn first_player(&self) -> &str {
        self.name(self.first)
    }

    /// The agent with the second turn.
    pub fn follower(&self) -> &str {
        self.name(self.first.other())
    }

    /// The winner; `None` for a true draw.
    pub const fn winner(&self) -> Option<Side> {
        self.outcome.winner()
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;

    #[test]
    fn a_kind_of_fault_has_the_name_that_it_has_in_records() {
        for kind in FaultKind::VARIANTS {
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{kind}\""));
        }
        let verdict: Verdict =
            serde_json::from_str(r#"{"result":"forfeit","loser":"white","fault":{"kind":"empty-output"}}"#).unwrap();
        let forfeit = Outcome::Forfeit { loser: Side::White, fault: FaultKind::EmptyOutput };
        assert_eq!(Outcome::of(&verdict), forfeit);
        assert_eq!(verdict.winner(), forfeit.winner());
    }

    #[test]
    fn the_word_of_an_outcome_is_its_tag_in_json() {
        let all = [
            Outcome::Board { winner: Side::Black },
            Outcome::DrawnByTime { winner: Side::Black },
            Outcome::DrawnBySecondMove { winner: Side::Black },
            Outcome::Drawn,
            Outcome::Forfeit { loser: Side::White, fault: FaultKind::NoOutput },
        ];
        for outcome in all {
            assert_eq!(serde_json::to_value(outcome).unwrap()["how"], outcome.word());
        }
    }
}
