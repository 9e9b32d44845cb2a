//! The profile of Duo-Othello: names, board, clock and defaults, as data. Rooms above read it through
//! [`super::super::Game`].

use super::DuoOthello;
use super::reasons::{HIGHER_SCORE, SECOND_MOVE_WINS};
use crate::games::{
    Adapter, BoardLook, Builtin, Cells, DrawDecision, DrawRules, EndRules, FirstTurn, GameId, Handout, InputForm,
    Memory, MoveForm, PieceLook, Profile, Side, SideLook, SquareName, Surface,
};
use crate::time::CpuTime;

/// The game.
pub const ID: GameId = GameId(&Adapter::<DuoOthello> { rules: () });

pub(super) const PROFILE: Profile = Profile {
    name: "duo-othello",
    title: "Duo-Othello",
    first: FirstTurn::Always(Side::White),
    sides: [
        SideLook {
            word: "X",
            name: "X",
            letter: 'X',
        },
        SideLook {
            word: "O",
            name: "O",
            letter: 'O',
        },
    ],
    board: BoardLook {
        columns: &["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"],
        rows: &["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"],
        square: SquareName::ColumnRow,
        surface: Surface::Felt,
        cells: Cells::Letters { empty: '.' },
        has_camps: false,
    },
    pieces: &[PieceLook::disk('X', Side::Black), PieceLook::disk('O', Side::White)],
    moves: MoveForm::Squares(" "),
    input: InputForm {
        first_line: &["X", "O"],
        lines: 14,
        time_line: Some(2),
    },
    play_time: CpuTime::from_secs(300),
    move_time: None,
    draws: DrawRules {
        idle_turns: None,
        repetitions: None,
        turn_limit: None,
    },
    progress: "a disk on the board",
    draw_decisions: &[DrawDecision::Time, DrawDecision::SecondMove],
    // Half of the free squares.
    typical_moves: 68,
    notations: &[],
    goals: &[],
    draw_reasons: &[],
    rules: EndRules {
        scores: Some(&HIGHER_SCORE),
        second_move: Some(&SECOND_MOVE_WINS),
        ..EndRules::NONE
    },
    handout: Some(Handout {
        grading: Some("Grading"),
        play: Some("Standard Reversi / Othello game rules"),
        endings: Some("Game over test"),
        turns: Some("Agent vs agent games"),
        formats: Some("File formats"),
    }),
    programs: &[],
    memory: Memory::Playdata,
};

impl Builtin for DuoOthello {
    const GAMES: &'static [GameId] = &[ID];
}
