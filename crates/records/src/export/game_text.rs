//! A PGN-like text for every game, even those without a standard notation. A pure function; `cli/export` calls it.
//!
//! It contains tags, an empty line, numbered moves and the result; an empty line separates games. Tags beyond PGN:
//! `Game` and `Rules` (the game), `First` (the side that moves first), `Start` (the start board, rows from the top
//! separated by `/`), `Winner`, `How`. In the movetext, `{0.52}` is the charge of the preceding move in CPU seconds,
//! and `pass` a turn of a side that cannot move. Squares are those of `output.txt`:
//!
//! | game | step | jumps | disk |
//! | --- | --- | --- | --- |
//! | checkers | `c3-b4` | `f6xd4xf2` | |
//! | Halma (nothing is captured) | `11,15-10,15` | `12,15>10,13>8,11` | |
//! | Duo-Othello | | | `c2` |

use super::movetext::movetext;
use super::tags::{Tags, result, side_name};
use crate::{GameRecord, Outcome};
use referee_games::protocol::plain;
use referee_games::{GameRef, MoveForm, moved_squares};

/// `record` as PGN-like text; `event` names the run.
pub fn game_text(record: &GameRecord, event: &str) -> String {
    let mut tags = Tags::of(record, event);
    tags.add("Game", record.game.name());
    if let Some(rules) = record.game.rules() {
        tags.add("Rules", rules);
    }
    tags.add("First", side_name(record.first));
    tags.add("Start", &record.start.join("/"));
    let end = result(Outcome::of(&record.verdict));
    tags.into_text() + &movetext(record, |mv| written(record.game, mv), end)
}

fn written(game: GameRef, mv: &str) -> String {
    let jump = match game.profile().moves {
        MoveForm::StepsAndJumps { captures: true } => "x",
        MoveForm::StepsAndJumps { captures: false } => ">",
        MoveForm::Squares(_) => return one_word(mv),
    };
    let between = match mv.as_bytes() {
        [b'J', ..] => jump,
        [b'E', ..] => "-",
        _ => return one_word(mv),
    };
    one_word(&moved_squares(mv).join(between))
}

/// The name of a square in a record; any other text becomes one word.
fn one_word(text: &str) -> String {
    plain(text).replace(|c: char| c.is_whitespace() || "{}[]".contains(c), "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_its_notation() {
        let halma = referee_games::halma::ID;
        let cases = [
            (referee_games::checkers::ID, "E c3 b4", "c3-b4"),
            (referee_games::checkers::ID, "J f6 d4\nJ d4 f2", "f6xd4xf2"),
            (halma, "E 11,15 10,15", "11,15-10,15"),
            (halma, "J 12,15 10,13\nJ 10,13 8,11", "12,15>10,13>8,11"),
            (referee_games::othello::ID, "c2", "c2"),
            (referee_games::othello::ID, "c2} [x\n", "c2___x\\n"),
        ];
        for (game, mv, expected) in cases {
            assert_eq!(written(game, mv), expected);
        }
    }
}
