//! The profile of Star and Circle: names, board, clock and defaults, as data. Rooms above read it through
//! [`super::super::Game`].

use super::reasons::{HIGHER_SCORE, NO_PIECE};
use super::square::StarBoard;
use super::texts::{compare_solution, read_question};
use super::{StarCircle, solve};
use crate::protocol::InputError;
use crate::{
    Adapter, Builtin, DrawDecision, EndRules, GameRef, Handout, HandoutSections, InputForm, MoveForm, PieceLook,
    Position, Profile, Puzzles, Shape, Side, SideLook, SolvedQuestion, SquareBoard, State,
};
use referee_time::CpuTime;

/// The game.
pub const ID: GameRef = GameRef(&Adapter::<StarCircle> { rules: () });

pub(super) const PROFILE: Profile = Profile {
    name: "star-circle",
    title: "Star and Circle",
    sides: [SideLook::new("Circle", "circle", 'C'), SideLook::new("Star", "star", 'S')],
    board: StarBoard::LOOK,
    pieces: &[PieceLook::disk('C', Side::Black), PieceLook::disk('S', Side::White).with_shape(Shape::Star)],
    moves: MoveForm::Squares("-"),
    input: InputForm::untimed(&["Star", "Circle"], 12),
    progress: "any move",
    draw_decisions: &[DrawDecision::Time],
    // About the number of rows that its pieces have to go.
    typical_moves: 20,
    end_rules: EndRules { no_pieces: Some(&NO_PIECE), scores: Some(&HIGHER_SCORE), ..EndRules::NONE },
    handout: Some(Handout::Titled(HandoutSections {
        grading: Some("Grading"),
        play: Some("Problem Description (Rules of the game)"),
        endings: None,
        turns: None,
        formats: Some("File Formats"),
    })),
    program_names: &[("hw1cs561s2018.py", "python2")],
    ..Profile::USUAL
};

/// The limit of a program for one input: "a maximum runtime of 3 minutes per test case" (handout, "Homework Rules").
pub(super) const TIME_FOR_A_CASE: CpuTime = CpuTime::from_secs(180);

/// The right answer to the question of an `input.txt`.
fn solved(input: &[u8]) -> Result<SolvedQuestion, InputError> {
    let question = read_question(input)?;
    let solution = solve(&question);
    let mut next = question.position().clone();
    match solution.next_move {
        Some(mv) => next.play_unchecked(mv),
        None => next.pass(),
    }
    Ok(SolvedQuestion {
        text: solution.to_string(),
        json: serde_json::json!({
            "next_move": solution.next_move.map_or_else(|| "pass".to_owned(), |mv| mv.to_string()),
            "myopic": solution.myopic,
            "farsighted": solution.farsighted,
            "nodes": solution.nodes,
        }),
        next: State::from(next),
    })
}

impl Builtin for StarCircle {
    const GAMES: &'static [GameRef] = &[ID];
    const CURVES: &'static [&'static str] = &[include_str!("curve.json")];

    const PUZZLES: Option<&'static Puzzles> =
        Some(&Puzzles { time: TIME_FOR_A_CASE, solve: solved, compare: compare_solution });
}
