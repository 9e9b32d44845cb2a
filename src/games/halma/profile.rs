//! The profile of Halma: names, board, clock and defaults, as data. Rooms above read it through [`super::super::Game`].

use super::reasons::FILLED_CAMP;
use super::{Halma, Rules, picking};
use crate::games::{
    Adapter, BoardLook, Builtin, Cells, DrawDecision, DrawRules, EndRules, FirstTurn, GameId, Handout, InputForm,
    Memory, MoveForm, Picking, PieceLook, Profile, Side, SideLook, SquareName, Surface,
};
use crate::time::CpuTime;

/// The game with the addendum, the usual rules.
pub const ID: GameId = GameId(&Adapter::<Halma> { rules: Rules::Addendum });

/// The game with the original rules.
pub const ORIGINAL: GameId = GameId(&Adapter::<Halma> { rules: Rules::Original });

const NUMBERS: &[&str] = &[
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15",
];

pub(super) const PROFILE: Profile = Profile {
    name: "halma",
    title: "Halma",
    first: FirstTurn::Either,
    sides: [
        SideLook {
            word: "BLACK",
            name: "black",
            letter: 'B',
        },
        SideLook {
            word: "WHITE",
            name: "white",
            letter: 'W',
        },
    ],
    board: BoardLook {
        columns: NUMBERS,
        rows: NUMBERS,
        square: SquareName::ColumnCommaRow,
        surface: Surface::Plain,
        cells: Cells::Letters { empty: '.' },
        has_camps: true,
    },
    pieces: &[PieceLook::disk('B', Side::Black), PieceLook::disk('W', Side::White)],
    moves: MoveForm::StepsAndJumps { captures: false },
    input: InputForm {
        first_line: &["SINGLE", "GAME"],
        lines: 19,
        time_line: Some(3),
    },
    play_time: CpuTime::from_secs(300),
    move_time: None,
    draws: DrawRules {
        idle_turns: None,
        repetitions: None,
        turn_limit: Some(1000),
    },
    progress: "an irreversible move",
    draw_decisions: &[DrawDecision::Time],
    // Half of what the reference agent needs against itself, 240 to 275.
    typical_moves: 130,
    notations: &[],
    goals: &[&FILLED_CAMP],
    draw_reasons: &[],
    rules: EndRules::NONE,
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

impl Builtin for Halma {
    const GAMES: &'static [GameId] = &[ID, ORIGINAL];

    /// Its moves are pairs of squares, connected by more ways than could be listed.
    fn picking(&self, picked: &[String]) -> Option<Picking> {
        picking::picking(self, picked)
    }
}
