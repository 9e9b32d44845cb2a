//! The profile of checkers: names, board, clock and defaults, as data. Rooms above read it through
//! [`super::super::Game`].

use super::pdn::PDN;
use super::reasons::NO_PIECE_OR_MOVE;
use super::{Checkers, CheckersBoard};
use crate::{
    Adapter, BoardLook, Builtin, DrawDecision, DrawRules, EndRules, FirstTurn, GameRef, Handout, HandoutSections,
    InputForm, MoveForm, PieceLook, Profile, Shape, Side, SquareBoard,
};

/// The game.
pub const ID: GameRef = GameRef(&Adapter::<Checkers> { rules: () });

pub(super) const PROFILE: Profile = Profile {
    name: "checkers",
    title: "checkers",
    first_turn: FirstTurn::Always(Side::Black),
    board: BoardLook { rows: &["8", "7", "6", "5", "4", "3", "2", "1"], ..CheckersBoard::LOOK },
    pieces: &[
        PieceLook::disk('b', Side::Black),
        PieceLook::disk('B', Side::Black).named("king").with_shape(Shape::King),
        PieceLook::disk('w', Side::White),
        PieceLook::disk('W', Side::White).named("king").with_shape(Shape::King),
    ],
    moves: MoveForm::StepsAndJumps { captures: true },
    input: InputForm::purpose_side_time_board(8),
    draws: DrawRules { idle_turns: Some(50), repetitions: Some(3), ..DrawRules::NONE },
    progress: "a capture or a crowning",
    draw_decisions: &[DrawDecision::Time],
    // Half of the median of 18,142 games of a class, 62 turns.
    typical_moves: 31,
    notations: &[PDN],
    end_rules: EndRules { no_pieces: Some(&NO_PIECE_OR_MOVE), no_moves: Some(&NO_PIECE_OR_MOVE), ..EndRules::NONE },
    handout: Some(Handout::Titled(HandoutSections::USUAL)),
    ..Profile::USUAL
};

impl Builtin for Checkers {
    const GAMES: &'static [GameRef] = &[ID];
    const CURVES: &'static [&'static str] = &[include_str!("curve.json")];
}
