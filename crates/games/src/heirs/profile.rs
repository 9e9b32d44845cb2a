//! The profile of Heirs: names, board, clock and defaults, as data. Rooms above read it through [`super::super::Game`].

use super::reasons::{CAPTURED_PRINCE, NO_LEGAL_MOVE};
use super::{Heirs, HeirsBoard, Piece};
use crate::{
    Adapter, Builtin, DrawDecision, DrawRules, EndRules, GameRef, InputForm, PieceLook, Profile, Shape, Side,
    SquareBoard,
};

/// The game.
pub const ID: GameRef = GameRef(&Adapter::<Heirs> { rules: () });

pub(super) const PROFILE: Profile = Profile {
    name: "heirs",
    title: "Heirs",
    board: HeirsBoard::LOOK,
    pieces: &LOOKS,
    input: InputForm::side_clocks_board(&["WHITE", "BLACK"], 12),
    draws: DrawRules { idle_turns: Some(100), repetitions: Some(3), ..DrawRules::NONE },
    progress: "a capture or a Baby's move",
    draw_decisions: &[DrawDecision::Time, DrawDecision::Pieces],
    // Half of what the alpha-beta agent needs against minimax, about 80.
    typical_moves: 40,
    goals: &[&CAPTURED_PRINCE],
    end_rules: EndRules { no_moves: Some(&NO_LEGAL_MOVE), ..EndRules::NONE },
    ..Profile::USUAL
};

const LOOKS: [PieceLook; 16] = {
    let mut looks = [PieceLook::disk('.', Side::White); 16];
    let mut index = 0;
    while index < looks.len() {
        let (side, piece) = Piece::of_letter(index);
        let look = PieceLook::disk(piece.letter(side) as char, side).named(piece.name());
        looks[index] = look.with_shape(Shape::Figure(piece.figure()));
        index += 1;
    }
    looks
};

impl Builtin for Heirs {
    const GAMES: &'static [GameRef] = &[ID];
    const CURVES: &'static [&'static str] = &[include_str!("curve.json")];
}
