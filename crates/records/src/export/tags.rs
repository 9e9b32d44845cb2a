//! The tags before a game in PDN and PGN: `[Name "value"]`, one per line. Pure functions; the exports with notation
//! call them.

use crate::{FaultKind, GameRecord, Outcome, Verdict};
use referee_games::Side;
use referee_games::protocol::plain;

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
        tags.add("Termination", termination(outcome));
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
const fn termination(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Board { .. } | Outcome::Drawn | Outcome::Forfeit { fault: FaultKind::Resigned, .. } => "normal",
        Outcome::DrawnByTime { .. } | Outcome::DrawnBySecondMove { .. } | Outcome::DrawnByPieces { .. } => {
            "adjudication"
        }
        Outcome::Forfeit {
            fault: FaultKind::OutOfTime | FaultKind::OutOfMoveTime | FaultKind::NeverReturned, ..
        } => "time forfeit",
        Outcome::Forfeit {
            fault:
                FaultKind::LimitExceeded
                | FaultKind::NotStarted
                | FaultKind::NoOutput
                | FaultKind::NoAnswer
                | FaultKind::Unasked
                | FaultKind::UnusableOutput
                | FaultKind::EmptyOutput
                | FaultKind::WrongFormat
                | FaultKind::IllegalMove,
            ..
        } => "rules infraction",
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

/// `YYYY.MM.DD` in UTC.
///
/// Converts days since 1970 to a Gregorian date using years that begin in March, so that the leap day is the last of
/// its year (H. Hinnant, "chrono-compatible low-level date algorithms").
pub(super) fn date(unix_s: u64) -> String {
    let days = unix_s / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let cases = [
            (0, "1970.01.01"),
            (951_782_399, "2000.02.28"),
            (951_782_400, "2000.02.29"),
            (1_709_251_200, "2024.03.01"),
            (1_735_689_599, "2024.12.31"),
            (4_107_542_400, "2100.03.01"),
        ];
        for (unix_s, expected) in cases {
            assert_eq!(date(unix_s), expected);
        }
    }

    #[test]
    fn a_value_cannot_leave_its_quotes_or_its_line() {
        let mut tags = Tags(String::new());
        tags.add("Black", "a\"]\n[White \"b\\");
        assert_eq!(tags.into_text(), "[Black \"a\\\"]\\\\n[White \\\"b\\\\\"]\n\n");
    }
}
