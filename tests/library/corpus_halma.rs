//! Real games of the 2019 class: every verdict of its referee must be the same here.

use referee_games::halma::{Halma, Rules};
use referee_games::protocol::{Refusal, Texts, Tolerance};
use referee_games::{BoardWin, Ending, Position, Side, Status};
use serde::Deserialize;

use crate::corpora::corpus;

#[derive(Deserialize)]
struct PlayedGame {
    id: String,
    moves: Vec<PlayedMove>,
    end: String,
    winner: String,
}

#[derive(Deserialize)]
struct PlayedMove {
    side: String,
    play: String,
    valid: bool,
}

#[test]
fn every_verdict_and_every_end_agrees() {
    let Some(corpus) = corpus("halma-2019-sample.jsonl") else {
        return;
    };
    let (mut games, mut moves, mut illegal) = (0, 0, 0);
    for line in corpus.lines() {
        let game: PlayedGame = serde_json::from_str(line).expect("a game a line");
        let (position, refused) = replay(&game);
        let winner = if game.winner == "B" { Side::Black } else { Side::White };
        let by_the_board = Status::Over(Ending::Won { winner, by: BoardWin::Goal(Halma::PROFILE.goals[0]) });
        assert_eq!(position.status() == by_the_board, game.end == "win", "{}", game.id);
        assert_eq!(refused, game.end == "illegal", "{}", game.id);
        games += 1;
        moves += game.moves.len();
        illegal += usize::from(refused);
    }
    assert_eq!((games, moves, illegal), (10, 2313, 2));
}

/// Plays the game through; tells whether its last move was refused.
fn replay(game: &PlayedGame) -> (Halma, bool) {
    let mut position = Halma::start(Rules::Addendum).with_side_to_move(Side::White);
    let mut refused = false;
    for (turn, played) in game.moves.iter().enumerate() {
        let place = format!("{} turn {turn}: {:?}", game.id, played.play);
        assert_eq!((position.status(), refused), (Status::ToMove, false), "{place}");
        assert_eq!(Halma::side_name(position.side_to_move()), played.side, "{place}");
        let text = played.play.replace(" ; ", "\n");
        match position.read_output(text.as_bytes(), Tolerance::Tolerant) {
            Ok(answer) => {
                assert!(played.valid, "{place}");
                assert_eq!(answer.written, text.trim_end(), "{place}");
                position.play_unchecked(answer.mv);
            }
            Err(Refusal::Illegal(finding)) => {
                assert_eq!((played.valid, finding.code.as_ref()), (false, "returns-to-camp"), "{place}");
                refused = true;
            }
            Err(refusal) => panic!("{place}: {refusal:?}"),
        }
    }
    (position, refused)
}
