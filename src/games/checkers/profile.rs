//! The profile of checkers: names, board, clock and defaults, as data. Rooms above read it through
//! [`super::super::Game`].

use super::Checkers;
use super::pdn::PDN;
use super::reasons::NO_PIECE_OR_MOVE;
use crate::games::{
    Adapter, BoardLook, Builtin, DrawDecision, DrawRules, EndRules, FirstTurn, GameId, Handout, InputForm, MoveForm,
    PieceLook, Profile, Shape, Side, Surface,
};

/// The game.
pub const ID: GameId = GameId(&Adapter::<Checkers> { rules: () });

pub(super) const PROFILE: Profile = Profile {
    name: "checkers",
    title: "checkers",
    first: FirstTurn::Always(Side::Black),
    board: BoardLook {
        columns: &["a", "b", "c", "d", "e", "f", "g", "h"],
        rows: &["8", "7", "6", "5", "4", "3", "2", "1"],
        surface: Surface::Chequered,
        ..BoardLook::LETTERS
    },
    pieces: &[
        PieceLook::disk('b', Side::Black),
        king('B', Side::Black),
        PieceLook::disk('w', Side::White),
        king('W', Side::White),
    ],
    moves: MoveForm::StepsAndJumps { captures: true },
    input: InputForm {
        first_line: &["SINGLE", "GAME"],
        lines: 11,
        time_line: Some(3),
    },
    draws: DrawRules {
        idle_turns: Some(50),
        repetitions: Some(3),
        ..DrawRules::NONE
    },
    progress: "a capture or a crowning",
    draw_decisions: &[DrawDecision::Time],
    // Half of the median of 18,142 games of a class, 62 turns.
    typical_moves: 31,
    notations: &[PDN],
    rules: EndRules {
        no_pieces: Some(&NO_PIECE_OR_MOVE),
        no_moves: Some(&NO_PIECE_OR_MOVE),
        ..EndRules::NONE
    },
    handout: Some(Handout {
        grading: Some("Grading"),
        play: Some("Play sequence"),
        endings: Some("Playing with agents"),
        turns: Some("Agent vs agent games"),
        formats: Some("Input and output file formats"),
    }),
    ..Profile::USUAL
};

const fn king(letter: char, side: Side) -> PieceLook {
    PieceLook {
        word: Some("king"),
        shape: Shape::King,
        ..PieceLook::disk(letter, side)
    }
}

impl Builtin for Checkers {
    const GAMES: &'static [GameId] = &[ID];
}
