//! The profile of Halma: names, board, clock and defaults, as data. Rooms above read it through [`super::super::Game`].

use super::reasons::FILLED_CAMP;
use super::{Halma, Rules, picking};
use crate::{
    Adapter, BoardLook, Builtin, DrawDecision, DrawRules, FirstTurn, GameRef, Handout, HandoutSections, InputForm,
    MoveForm, Picking, PieceLook, Profile, Side, SideLook, SquareName,
};

/// The game with the addendum, the usual rules.
pub const ID: GameRef = GameRef(&Adapter::<Halma> { rules: Rules::Addendum });

/// The game with the original rules.
pub const ORIGINAL: GameRef = GameRef(&Adapter::<Halma> { rules: Rules::Original });

const NUMBERS: &[&str] = &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"];

pub(super) const PROFILE: Profile = Profile {
    name: "halma",
    title: "Halma",
    first_turn: FirstTurn::Either,
    sides: [SideLook::new("BLACK", "black", 'B'), SideLook::new("WHITE", "white", 'W')],
    board: BoardLook {
        columns: NUMBERS,
        rows: NUMBERS,
        square: SquareName::ColumnCommaRow,
        has_camps: true,
        ..BoardLook::LETTERS
    },
    pieces: &[PieceLook::disk('B', Side::Black), PieceLook::disk('W', Side::White)],
    moves: MoveForm::StepsAndJumps { captures: false },
    input: InputForm::purpose_side_time_board(16),
    draws: DrawRules { turn_limit: Some(1000), ..DrawRules::NONE },
    progress: "an irreversible move",
    draw_decisions: &[DrawDecision::Time],
    // Half of what the reference agent needs against itself, 240 to 275.
    typical_moves: 130,
    goals: &[&FILLED_CAMP],
    handout: Some(Handout::Titled(HandoutSections::USUAL)),
    ..Profile::USUAL
};

impl Builtin for Halma {
    const GAMES: &'static [GameRef] = &[ID, ORIGINAL];
    const CURVES: &'static [&'static str] = &[include_str!("curve.json"), include_str!("curve-original.json")];

    /// Its moves are pairs of squares, connected by more ways than could be listed.
    fn picking(&self, picked: &[String]) -> Option<Picking> {
        picking::picking(self, picked)
    }
}
