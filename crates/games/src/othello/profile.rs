//! The profile of Duo-Othello: names, board, clock and defaults, as data. Rooms above read it through
//! [`super::super::Game`].

use super::reasons::{HIGHER_SCORE, SECOND_MOVE_WINS};
use super::{DuoOthello, Grid12};
use crate::{
    Adapter, Builtin, DrawDecision, EndRules, GameRef, Handout, HandoutSections, InputForm, PieceLook, Profile, Side,
    SideLook, SquareBoard,
};

/// The game.
pub const ID: GameRef = GameRef(&Adapter::<DuoOthello> { rules: () });

pub(super) const PROFILE: Profile = Profile {
    name: "duo-othello",
    title: "Duo-Othello",
    sides: [SideLook::new("X", "X", 'X'), SideLook::new("O", "O", 'O')],
    board: Grid12::LOOK,
    pieces: &[PieceLook::disk('X', Side::Black), PieceLook::disk('O', Side::White)],
    input: InputForm::side_clocks_board(&["X", "O"], 12),
    progress: "a disk on the board",
    draw_decisions: &[DrawDecision::Time, DrawDecision::SecondMove],
    // Half of the free squares.
    typical_moves: 68,
    end_rules: EndRules { scores: Some(&HIGHER_SCORE), second_move: Some(&SECOND_MOVE_WINS), ..EndRules::NONE },
    handout: Some(Handout::Titled(HandoutSections {
        play: Some("Standard Reversi / Othello game rules"),
        endings: Some("Game over test"),
        formats: Some("File formats"),
        ..HandoutSections::USUAL
    })),
    ..Profile::USUAL
};

impl Builtin for DuoOthello {
    const GAMES: &'static [GameRef] = &[ID];
    const CURVES: &'static [&'static str] = &[include_str!("curve.json")];
}
