//! The status of a position, as a rules program tells it. `state` reads it.

use serde::Deserialize;

use super::game::CustomGame;
use super::protocol::{StatusAnswer, StatusKind};
use referee_games::protocol::plain;
use referee_games::{BoardDraw, BoardWin, Ending, Score, Side, Status};

/// The side of that word.
pub(super) fn side(game: &CustomGame, word: &str) -> Result<Side, String> {
    let side = Side::BOTH.into_iter().find(|&side| game.word(side) == word);
    side.ok_or_else(|| format!("`{}` is the word of no side", plain(word)))
}

/// Reads a status.
pub(super) fn status(game: &CustomGame, said: &StatusAnswer) -> Result<Status, String> {
    let score = |side: Side| {
        let score = said.scores.get(game.word(side));
        let score = score.ok_or_else(|| format!("`scores`: expected one of `{}`", game.word(side)))?;
        Score::deserialize(score)
            .map_err(|_| format!("`scores`: expected whole or half points, not below zero, found {score}"))
    };
    let by = said.by.as_deref();
    match said.kind {
        StatusKind::ToMove => Ok(Status::ToMove),
        StatusKind::MustPass => Ok(Status::MustPass),
        StatusKind::Won => {
            let winner = side(game, said.winner.as_deref().unwrap_or_default())?;
            let by = match by {
                Some("no-pieces") => BoardWin::NoPieces,
                Some("no-moves") => BoardWin::NoMoves,
                Some("higher-score") => BoardWin::HigherScore { winner: score(winner)?, loser: score(winner.other())? },
                Some(code) => BoardWin::Goal(game.described.profile.goal(code).ok_or_else(|| {
                    format!("`by`: `{}` is none of `goals`, `no-pieces`, `no-moves` and `higher-score`", plain(code))
                })?),
                None => return Err("`by`: expected what the game is won by".to_owned()),
            };
            if matches!(by, BoardWin::HigherScore { winner, loser } if winner <= loser) {
                return Err("`scores`: the winner's is not the higher one".to_owned());
            }
            Ok(Status::Over(Ending::Won { winner, by }))
        }
        StatusKind::Drawn => {
            let draw = match by {
                Some("no-moves") => BoardDraw::NoMoves,
                Some("equal-scores") => BoardDraw::EqualScores { each: score(Side::Black)? },
                Some("blocked") | None => BoardDraw::Blocked,
                Some(code) => BoardDraw::Reason(game.described.profile.draw_reason(code).ok_or_else(|| {
                    format!(
                        "`by`: `{}` is none of `draw_reasons`, `blocked`, `no-moves` and `equal-scores`",
                        plain(code)
                    )
                })?),
            };
            Ok(Status::Over(Ending::Drawn(draw)))
        }
    }
}

/// The code of an ending, as a program says it.
pub(super) const fn code_of(ending: Ending) -> &'static str {
    match ending {
        Ending::Won { by, .. } => match by {
            BoardWin::Goal(goal) => goal.code,
            BoardWin::NoPieces => "no-pieces",
            BoardWin::NoMoves => "no-moves",
            BoardWin::HigherScore { .. } => "higher-score",
        },
        Ending::Drawn(draw) => match draw {
            BoardDraw::Reason(reason) => reason.code,
            BoardDraw::Blocked => "blocked",
            BoardDraw::NoMoves => "no-moves",
            BoardDraw::EqualScores { .. } => "equal-scores",
        },
    }
}
