//! The profile of checkers: names, board, clock and defaults, as data. Rooms above read it through
//! [`super::super::Game`].

use super::Checkers;
use super::pdn::PDN;
use super::reasons::NO_PIECE_OR_MOVE;
use crate::games::{
    Adapter, BoardLook, Builtin, Cells, DrawDecision, DrawRules, EndRules, FirstTurn, GameId, Handout, InputForm,
    Memory, MoveForm, PieceLook, Profile, Shape, Side, SideLook, SquareName, Surface,
};
use crate::time::CpuTime;

/// The game.
pub const ID: GameId = GameId(&Adapter::<Checkers> { rules: () });

pub(super) const PROFILE: Profile = Profile {
    name: "checkers",
    title: "checkers",
    first: FirstTurn::Always(Side::Black),
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
        columns: &["a", "b", "c", "d", "e", "f", "g", "h"],
        rows: &["8", "7", "6", "5", "4", "3", "2", "1"],
        square: SquareName::ColumnRow,
        surface: Surface::Chequered,
        cells: Cells::Letters { empty: '.' },
        has_camps: false,
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
    play_time: CpuTime::from_secs(300),
    move_time: None,
    draws: DrawRules {
        idle_turns: Some(50),
        repetitions: Some(3),
        turn_limit: None,
    },
    progress: "a capture or a crowning",
    draw_decisions: &[DrawDecision::Time],
    // Half of the median of 18,142 games of a class, 62 turns.
    typical_moves: 31,
    notations: &[PDN],
    goals: &[],
    draw_reasons: &[],
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
    programs: &[],
    memory: Memory::Playdata,
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
