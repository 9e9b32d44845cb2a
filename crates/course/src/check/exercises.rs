//! The exercises of a check: positions, or cases with right answers. It asks nothing; `answers` and other steps do.

use super::error::CheckError;
use referee_games::positions::{MadePosition, PositionsError, PositionsRequest};
use referee_games::protocol::{InputPurpose, TimeLeft};
use referee_games::{GameRef, State};
use referee_records::{ExpectedAnswer, Question};
use referee_time::CpuTime;

/// The seed of the sets in `tournaments/practice`, so that these are the same positions on any machine. No graded set
/// has it.
const SEED: u64 = 1;

/// The first `count` exercises of `game`, with `time` for each. Their names are those of the files in the practice set,
/// without extension.
pub(super) fn exercises(game: GameRef, count: u32, time: CpuTime) -> Result<Vec<Question>, PositionsError> {
    let request = PositionsRequest { count, seed: SEED, kinds: Vec::new(), side: None, time };
    let made = game.positions(&request)?.into_iter();
    Ok(made.map(|made| exercise(made, time)).collect())
}

fn exercise(made: MadePosition, time: CpuTime) -> Question {
    let name = made.name.trim_end_matches(".txt").trim_end_matches(".input");
    let expects = match made.expected {
        None => ExpectedAnswer::LegalMove,
        Some((_, solution)) => ExpectedAnswer::Text(solution.trim_end().to_owned()),
    };
    Question { name: name.to_owned(), input: made.input, time, expects }
}

/// The start position of `game` as a turn of a game with `left` on both clocks.
pub(super) fn first_turn(game: GameRef, left: CpuTime) -> Question {
    turn("start", &game.start(), left)
}

/// Whether an agent can read from `input.txt` how much time it has left. Where only each move has a limit, it cannot.
pub(super) fn shows_remaining_time(game: GameRef) -> bool {
    let input = |seconds| first_turn(game, CpuTime::from_secs(seconds)).input;
    input(1) != input(2)
}

/// The position of `exercise` as a turn of a game with `left` on both clocks.
///
/// # Errors
///
/// [`CheckError::Rules`] if the rules cannot read it, although it was written by them.
pub(super) fn as_turn(game: GameRef, exercise: &Question, left: CpuTime) -> Result<Question, CheckError> {
    let read = game.read_input(exercise.input.as_bytes());
    let input = read.map_err(|error| CheckError::Rules(error.to_string()))?;
    Ok(turn(&exercise.name, &input.position, left))
}

fn turn(name: &str, position: &State, left: CpuTime) -> Question {
    let time = TimeLeft { own: left, opponent: left };
    Question {
        name: name.to_owned(),
        input: position.write_question(InputPurpose::Game, time),
        time: left,
        expects: ExpectedAnswer::LegalMove,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_exercises_are_the_practice_sets_that_ship() {
        for name in ["checkers", "halma", "duo-othello"] {
            let game: GameRef = name.parse().unwrap();
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join("tournaments/practice").join(name);
            for exercise in exercises(game, 3, CpuTime::from_secs(30)).unwrap() {
                let file = folder.join(format!("{}.txt", exercise.name));
                assert_eq!(exercise.input, fs::read_to_string(file).unwrap(), "{name}");
            }
        }
    }

    #[test]
    fn only_a_clock_for_the_whole_game_is_written() {
        let silent = GameRef::all().filter(|game| game.puzzles().is_none() && !shows_remaining_time(*game));
        assert_eq!(silent.map(|game| game.profile().name).collect::<Vec<_>>(), ["little-go"]);
    }

    #[test]
    fn a_turn_says_that_it_is_one_of_a_game_and_what_is_left() {
        let turn = first_turn(referee_games::checkers::ID, CpuTime::from_millis(10));
        assert!(turn.input.starts_with("GAME\nBLACK\n0.01\n"), "{}", turn.input);
        let exercise = &exercises(referee_games::othello::ID, 1, CpuTime::from_secs(30)).unwrap()[0];
        let turn = as_turn(referee_games::othello::ID, exercise, CpuTime::from_secs(1)).unwrap();
        assert_eq!(turn.input, exercise.input.replace("30 30", "1 1"));
    }
}
