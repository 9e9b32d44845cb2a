//! The tags before a game in PDN and PGN: `[Name "value"]`, one per line. Pure functions; the exports with notation
//! call them.

use crate::{FaultKind, GameRecord, Outcome, Verdict, WinReason};
use referee_games::protocol::plain;
use referee_games::{Score, Side, WinKind};

/// Tags in order.
pub(super) struct Tags(String);

impl Tags {
    /// The seven tags of every game, those about its end, and the clocks.
    ///
    /// `event` names the run. `Round` is the name of the game. Dates are in UTC.
    pub(super) fn of(record: &GameRecord, event: &str) -> Self {
        let outcome = Outcome::of(&record.verdict);
        let mut tags = Self(String::new());
        tags.add("Event", event);
        tags.add("Site", "?");
        tags.add("Date", &date(record.began_unix_s));
        tags.add("Round", &record.id);
        tags.add("Black", &record.players.black.name);
        tags.add("White", &record.players.white.name);
        tags.add("Result", result(outcome));
        tags.add("Winner", outcome.winner().map_or("nobody", side_name));
        tags.add("Termination", termination(&record.verdict));
        tags.add("How", &how(&record.verdict));
        tags.add("PlyCount", &record.turns.len().to_string());
        let time = record.conditions.play_time;
        tags.add("TimeControlBlack", &time.black.to_string());
        tags.add("TimeControlWhite", &time.white.to_string());
        tags
    }

    /// Adds one.
    pub(super) fn add(&mut self, name: &str, value: &str) {
        let value = plain(value).replace('\\', "\\\\").replace('"', "\\\"");
        self.0 += &["[", name, " \"", &value, "\"]\n"].concat();
    }

    /// All tags, with the final empty line.
    pub(super) fn into_text(self) -> String {
        self.0 + "\n"
    }
}

/// With black's points first.
pub(super) const fn result(outcome: Outcome) -> &'static str {
    match outcome.winner() {
        Some(Side::Black) => "1-0",
        Some(Side::White) => "0-1",
        None => "1/2-1/2",
    }
}

pub(super) const fn side_name(side: Side) -> &'static str {
    match side {
        Side::Black => "Black",
        Side::White => "White",
    }
}

/// The terms of the PGN standard (section 9.8.1).
fn termination(verdict: &Verdict) -> &'static str {
    if matches!(verdict, Verdict::Drawn { decided, .. } if decided.winner().is_some()) {
        return "adjudication";
    }
    match won_by(verdict) {
        WinKind::Time => "time forfeit",
        WinKind::Forfeit => "rules infraction",
        WinKind::Rule | WinKind::Lead(_) | WinKind::Resignation => "normal",
    }
}

/// What kind of victory it is, in the terms of notations.
pub(super) fn won_by(verdict: &Verdict) -> WinKind {
    match verdict {
        Verdict::Won { by: WinReason::HigherScore { winner, loser }, .. } => {
            WinKind::Lead(Score::from_halves(winner.halves().saturating_sub(loser.halves())))
        }
        Verdict::Won { .. } | Verdict::Drawn { .. } => WinKind::Rule,
        Verdict::Forfeit { fault, .. } => match fault.kind() {
            FaultKind::OutOfTime | FaultKind::OutOfMoveTime | FaultKind::NeverReturned => WinKind::Time,
            FaultKind::Resigned => WinKind::Resignation,
            FaultKind::LimitExceeded
            | FaultKind::NotStarted
            | FaultKind::NoOutput
            | FaultKind::NoAnswer
            | FaultKind::Unasked
            | FaultKind::UnusableOutput
            | FaultKind::EmptyOutput
            | FaultKind::WrongFormat
            | FaultKind::IllegalMove => WinKind::Forfeit,
        },
    }
}

/// The words in records, with the fault of a forfeit and the reason of a draw on the board.
pub(super) fn how(verdict: &Verdict) -> String {
    let word = Outcome::of(verdict).word();
    match verdict {
        Verdict::Won { .. } => word.to_owned(),
        Verdict::Drawn { by, .. } => format!("{word}: {}", by.word()),
        Verdict::Forfeit { loser, fault } => format!("{word} by {}: {}", side_name(*loser), fault.kind()),
    }
}

/// `YYYY.MM.DD` in UTC; of a time that no calendar has, what PGN writes for an unknown one.
pub(super) fn date(unix_s: u64) -> String {
    let time = i64::try_from(unix_s).ok().and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
    time.map_or_else(|| "????.??.??".to_owned(), |time| time.strftime("%Y.%m.%d").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fault;
    use referee_time::WallTime;

    #[test]
    fn a_value_cannot_leave_its_quotes_or_its_line() {
        let mut tags = Tags(String::new());
        tags.add("Black", "a\"]\n[White \"b\\");
        assert_eq!(tags.into_text(), "[Black \"a\\\"]\\\\n[White \\\"b\\\\\"]\n\n");
    }

    #[test]
    fn a_loss_on_time_and_a_resignation_are_no_other_forfeit() {
        let table = [
            (Fault::NeverReturned { wall_limit: WallTime::from_secs(40) }, WinKind::Time),
            (Fault::EmptyOutput, WinKind::Forfeit),
            (Fault::Resigned, WinKind::Resignation),
        ];
        for (fault, expected) in table {
            let loser = Side::Black;
            assert_eq!(won_by(&Verdict::Forfeit { loser, fault }), expected);
        }
    }
}
