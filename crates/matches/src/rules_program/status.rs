//! The status of a position, as a rules program tells it. `state` reads and writes it.

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
        let score = said.scores.get(game.word(side)).copied();
        let score = score.ok_or_else(|| format!("`scores`: expected one of `{}`", game.word(side)))?;
        let halves = score * 2.0;
        if halves.fract() != 0.0 || !(0.0..=f64::from(u32::MAX)).contains(&halves) {
            return Err(format!("`scores`: expected whole or half points, not below zero, found {score}"));
        }
        serde_json::from_value::<Score>(serde_json::json!(score)).map_err(|error| error.to_string())
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

/// What [`status`] reads.
pub(super) fn status_text(game: &CustomGame, status: Status) -> String {
    let scores =
        |black: Score, white: Score| serde_json::json!({game.word(Side::Black): black, game.word(Side::White): white});
    let json = match status {
        Status::ToMove => serde_json::json!({"kind": "to-move"}),
        Status::MustPass => serde_json::json!({"kind": "must-pass"}),
        Status::Over(Ending::Won { winner, by }) => {
            let word = game.word(winner);
            match by {
                BoardWin::NoPieces => serde_json::json!({"kind": "won", "winner": word, "by": "no-pieces"}),
                BoardWin::NoMoves => serde_json::json!({"kind": "won", "winner": word, "by": "no-moves"}),
                BoardWin::Goal(goal) => serde_json::json!({"kind": "won", "winner": word, "by": goal.code}),
                BoardWin::HigherScore { winner: high, loser: low } => {
                    let scores = serde_json::json!({ word: high, game.word(winner.other()): low });
                    serde_json::json!({"kind": "won", "winner": word, "by": "higher-score", "scores": scores})
                }
            }
        }
        Status::Over(Ending::Drawn(BoardDraw::Blocked)) => serde_json::json!({"kind": "drawn", "by": "blocked"}),
        Status::Over(Ending::Drawn(BoardDraw::NoMoves)) => serde_json::json!({"kind": "drawn", "by": "no-moves"}),
        Status::Over(Ending::Drawn(BoardDraw::Reason(reason))) => {
            serde_json::json!({"kind": "drawn", "by": reason.code})
        }
        Status::Over(Ending::Drawn(BoardDraw::EqualScores { each })) => {
            serde_json::json!({"kind": "drawn", "by": "equal-scores", "scores": scores(each, each)})
        }
    };
    json.to_string()
}
