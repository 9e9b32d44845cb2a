//! Recorded games in a notation that belongs to their game. The game translates moves and boards; `cli/export` calls
//! it.

use super::movetext::movetext;
use super::tags::{Tags, date, won_by};
use crate::{GameRecord, Outcome, PerSide};
use referee_games::{Notation, NotationForm, Transcript};

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
