//! The profile of Little-Go: names, board, clock and defaults, as data. Rooms above read it through
//! [`super::super::Game`].

use super::reasons::HIGHER_SCORE;
use super::sgf::SGF;
use super::{GoBoard, LittleGo};
use crate::{
    Adapter, Builtin, EndRules, FirstTurn, GameRef, InputForm, Memory, PieceLook, Profile, Shape, Side, SideLook,
    SquareBoard,
};
use referee_time::CpuTime;

/// The game.
pub const ID: GameRef = GameRef(&Adapter::<LittleGo> { rules: () });

/// The time of a move, which the format of `input.txt` does not contain: a reader assumes it whatever the limit really
/// is. The alpha-beta agent then uses at most a quarter of a second, so any `move_time` from there on is enough for it.
pub(super) const MOVE_TIME: CpuTime = CpuTime::from_secs(10);

pub(super) const PROFILE: Profile = Profile {
    name: "little-go",
    title: "Little-Go",
    first_turn: FirstTurn::Always(Side::Black),
    sides: [SideLook::new("1", "Black", 'B'), SideLook::new("2", "White", 'W')],
    board: GoBoard::LOOK,
    pieces: &[
        PieceLook::disk('1', Side::Black).shown_as('X').with_shape(Shape::Stone),
        PieceLook::disk('2', Side::White).shown_as('O').with_shape(Shape::Stone),
    ],
    input: InputForm::untimed(&["1", "2"], 11),
    // More than twelve moves of ten seconds take: the limit is per move.
    play_time: CpuTime::from_secs(300),
    move_time: Some(MOVE_TIME),
    typical_moves: 12,
    notations: &[SGF],
    end_rules: EndRules { scores: Some(&HIGHER_SCORE), ..EndRules::NONE },
    // The homeworks of these years (RULES.md, section 8): Python 2, Python 3, and C++ from the g++ of the time.
    program_names: &[
        ("my_player.py", "python2"),
        ("my_player3.py", "python3"),
        ("my_player.cpp", "c++14"),
        ("my_player11.cpp", "c++11"),
        ("my_player.java", "java"),
    ],
    // `input.txt` does not contain the turn, so agents count in files of their own.
    memory: Memory::WorkingDirectory,
    ..Profile::USUAL
};

impl Builtin for LittleGo {
    const GAMES: &'static [GameRef] = &[ID];
    const CURVES: &'static [&'static str] = &[include_str!("curve.json")];
}
