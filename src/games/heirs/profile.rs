//! The profile of Heirs: names, board, clock and defaults, as data. Rooms above read it through [`super::super::Game`].

use super::reasons::{CAPTURED_PRINCE, NO_LEGAL_MOVE};
use super::{Heirs, Piece};
use crate::games::{
    Adapter, BoardLook, Builtin, Cells, DrawDecision, DrawRules, EndRules, FirstTurn, GameId, InputForm, Memory,
    MoveForm, PieceLook, Profile, Shape, Side, SideLook, SquareName, Surface,
};
use crate::time::CpuTime;

/// The game.
pub const ID: GameId = GameId(&Adapter::<Heirs> { rules: () });

pub(super) const PROFILE: Profile = Profile {
    name: "heirs",
    title: "Heirs",
    first: FirstTurn::Always(Side::White),
    sides: [
        SideLook {
            word: "BLACK",
            name: "black",
            letter: 'b',
        },
        SideLook {
            word: "WHITE",
            name: "white",
            letter: 'w',
        },
    ],
    board: BoardLook {
        columns: &["a", "b", "c", "d", "e", "f", "g", "h", "j", "k", "m", "n"],
        rows: &["12", "11", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1"],
        square: SquareName::ColumnRow,
        surface: Surface::Chequered,
        cells: Cells::Letters { empty: '.' },
        has_camps: false,
    },
    pieces: &LOOKS,
    moves: MoveForm::Squares(" "),
    input: InputForm {
        first_line: &["WHITE", "BLACK"],
        lines: 14,
        time_line: Some(2),
    },
    play_time: CpuTime::from_secs(300),
    move_time: None,
    draws: DrawRules {
        idle_turns: Some(50),
        repetitions: Some(3),
        turn_limit: None,
    },
    progress: "a capture or a Baby's move",
    draw_decisions: &[DrawDecision::Time, DrawDecision::Pieces],
    // Half of what the alpha-beta agent needs against minimax, about 80.
    typical_moves: 40,
    notations: &[],
    goals: &[&CAPTURED_PRINCE],
    draw_reasons: &[],
    rules: EndRules {
        no_moves: Some(&NO_LEGAL_MOVE),
        ..EndRules::NONE
    },
    handout: None,
    programs: &[],
    memory: Memory::Playdata,
};

const LOOKS: [PieceLook; 16] = {
    let mut looks = [look(Piece::Baby, Side::White); 16];
    let mut index = 0;
    while index < Piece::ALL.len() {
        looks[index] = look(Piece::ALL[index], Side::White);
        looks[index + 8] = look(Piece::ALL[index], Side::Black);
        index += 1;
    }
    looks
};

const fn look(piece: Piece, side: Side) -> PieceLook {
    let letter = piece.letter(side) as char;
    PieceLook {
        letter,
        shown: letter,
        side,
        word: Some(piece.name()),
        shape: Shape::Figure(piece.figure()),
    }
}

impl Builtin for Heirs {
    const GAMES: &'static [GameId] = &[ID];

    fn pieces(&self, side: Side) -> u32 {
        self.pieces(side).count()
    }
}
