//! Recorded games in a notation that belongs to their game. The game translates moves and boards; `cli/export` calls
//! it.

use super::movetext::movetext;
use super::tags::{Tags, date};
use crate::{FaultKind, GameRecord, Outcome, PerSide, Verdict, WinReason};
use referee_games::{Notation, NotationForm, Score, Transcript, WinKind};

/// `record` in `notation`, which must belong to its game; `event` names the run.
pub fn in_notation(record: &GameRecord, notation: &Notation, event: &str) -> String {
    match notation.form {
        NotationForm::Tagged { tags, mv, end } => {
            let mut all = Tags::of(record, event);
            for (name, value) in tags(&record.start, record.first) {
                all.add(name, &value);
            }
            all.into_text() + &movetext(record, mv, end)
        }
        NotationForm::Whole(write) => write(&transcript(record, event)),
    }
}

fn transcript<'a>(record: &'a GameRecord, event: &'a str) -> Transcript<'a> {
    let PerSide { black, white } = &record.players;
    Transcript {
        event,
        id: &record.id,
        date: date(record.began_unix_s),
        players: [&black.name, &white.name],
        won: Outcome::of(&record.verdict).winner().map(|winner| (winner, won_by(&record.verdict))),
        start: &record.start,
        first: record.first,
        moves: record.turns.iter().map(|turn| (turn.side(), turn.mv())).collect(),
    }
}

fn won_by(verdict: &Verdict) -> WinKind {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fault;
    use referee_games::Side;
    use referee_time::WallTime;

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
