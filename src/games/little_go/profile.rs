//! The profile of Little-Go: names, board, clock and defaults, as data. Rooms above read it through
//! [`super::super::Game`].

use super::LittleGo;
use super::reasons::HIGHER_SCORE;
use super::sgf::SGF;
use crate::games::{
    Adapter, BoardLook, Builtin, Cells, DrawRules, EndRules, FirstTurn, GameId, InputForm, Memory, MoveForm, PieceLook,
    Profile, Shape, Side, SideLook, SquareName, Surface,
};
use crate::time::CpuTime;

/// The game.
pub const ID: GameId = GameId(&Adapter::<LittleGo> { rules: () });

pub(super) const PROFILE: Profile = Profile {
    name: "little-go",
    title: "Little-Go",
    first: FirstTurn::Always(Side::Black),
    sides: [
        SideLook {
            word: "1",
            name: "Black",
            letter: 'B',
        },
        SideLook {
            word: "2",
            name: "White",
            letter: 'W',
        },
    ],
    board: BoardLook {
        columns: &["0", "1", "2", "3", "4"],
        rows: &["0", "1", "2", "3", "4"],
        square: SquareName::RowCommaColumn,
        surface: Surface::Points,
        cells: Cells::Letters { empty: '0' },
        has_camps: false,
    },
    pieces: &[stone('1', 'X', Side::Black), stone('2', 'O', Side::White)],
    moves: MoveForm::Squares(" "),
    input: InputForm {
        first_line: &["1", "2"],
        lines: 11,
        time_line: None,
    },
    // More than twelve moves of ten seconds take: the limit is per move.
    play_time: CpuTime::from_secs(300),
    move_time: Some(CpuTime::from_secs(10)),
    draws: DrawRules {
        idle_turns: None,
        repetitions: None,
        turn_limit: None,
    },
    progress: "a move",
    draw_decisions: &[],
    typical_moves: 12,
    notations: &[SGF],
    goals: &[],
    draw_reasons: &[],
    rules: EndRules {
        scores: Some(&HIGHER_SCORE),
        ..EndRules::NONE
    },
    handout: None,
    // The homeworks of these years (RULES.md, section 8): Python 2, Python 3, and C++ from the g++ of the time.
    programs: &[
        ("my_player.py", "python2"),
        ("my_player3.py", "python3"),
        ("my_player.cpp", "c++14"),
        ("my_player11.cpp", "c++11"),
        ("my_player.java", "java"),
    ],
    // `input.txt` does not contain the turn, so agents count in files of their own.
    memory: Memory::WorkingDirectory,
};

const fn stone(letter: char, shown: char, side: Side) -> PieceLook {
    PieceLook {
        shown,
        shape: Shape::Stone,
        ..PieceLook::disk(letter, side)
    }
}

impl Builtin for LittleGo {
    const GAMES: &'static [GameId] = &[ID];

    fn pieces(&self, side: Side) -> u32 {
        self.stones(side).count()
    }
}
