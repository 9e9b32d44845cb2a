//! What a submission is asked: positions, or cases with their right answers.

use crate::games::GameId;
use crate::games::star_circle::Solution;
use crate::positions::{PositionsFault, Request, case, make};
use crate::protocol::{Game, GameVisitor, Purpose, TimeLeft, write_question};
use crate::records::{Expected, Question};
use crate::time::CpuTime;

/// The seed of the sets in `tournaments/practice`, which these positions are, wherever the program is installed. No set
/// that is graded has it.
const SEED: u64 = 1;

/// One exercise.
#[derive(Clone, Debug)]
pub(super) struct Exercise {
    /// What is asked; its name is that of the file in the practice set, without its extension.
    pub(super) question: Question,
    /// What is right, where only one answer is.
    pub(super) solution: Option<Solution>,
}

/// The first `count` exercises of `game`, with `time` for each.
pub(super) fn exercises(game: GameId, count: u32, time: CpuTime) -> Result<Vec<Exercise>, PositionsFault> {
    if game == GameId::StarCircle {
        return Ok((0..count).map(|number| case_exercise(number, time)).collect());
    }
    let request = Request {
        count,
        seed: SEED,
        kinds: Vec::new(),
        side: None,
        time,
    };
    let made = make(game, &request)?;
    Ok(made
        .into_iter()
        .map(|made| Exercise {
            question: Question {
                name: made.name.trim_end_matches(".txt").to_owned(),
                input: made.input,
                time,
                expects: Expected::LegalMove,
            },
            solution: None,
        })
        .collect())
}

fn case_exercise(number: u32, time: CpuTime) -> Exercise {
    let case = case(SEED, number);
    Exercise {
        question: Question {
            name: format!("{:02}-{}", number + 1, case.kind.name()),
            input: write_question(&case.question),
            time,
            expects: Expected::Text(case.solution.to_string()),
        },
        solution: Some(case.solution),
    }
}

/// The position that a game of `game` begins with, in the middle of a game with `left` on both clocks.
pub(super) fn first_turn(game: GameId, left: CpuTime) -> Question {
    game.visit(Turn { of: None, left })
}

/// The position of `exercise`, in the middle of a game with `left` on both clocks.
pub(super) fn as_turn(game: GameId, exercise: &Exercise, left: CpuTime) -> Question {
    game.visit(Turn {
        of: Some(&exercise.question),
        left,
    })
}

struct Turn<'a> {
    of: Option<&'a Question>,
    left: CpuTime,
}

impl GameVisitor for Turn<'_> {
    type Output = Question;

    fn visit<P: Game>(self, rules: P::Rules) -> Question {
        let (name, position) = match self.of {
            None => ("start", P::start(rules)),
            Some(question) => {
                let input = P::read_input(question.input.as_bytes(), rules);
                (question.name.as_str(), input.expect("it was written by us").position)
            }
        };
        let time = TimeLeft {
            own: self.left,
            opponent: self.left,
        };
        Question {
            name: name.to_owned(),
            input: position.write_input(Purpose::Game, time),
            time: self.left,
            expects: Expected::LegalMove,
        }
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
            let game: GameId = name.parse().unwrap();
            let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("tournaments/practice")
                .join(name);
            for exercise in exercises(game, 3, CpuTime::from_secs(30)).unwrap() {
                let file = folder.join(format!("{}.txt", exercise.question.name));
                assert_eq!(exercise.question.input, fs::read_to_string(file).unwrap(), "{name}");
            }
        }
    }

    #[test]
    fn a_turn_says_that_it_is_one_of_a_game_and_what_is_left() {
        let turn = first_turn(GameId::Checkers, CpuTime::from_millis(10));
        assert!(turn.input.starts_with("GAME\nBLACK\n0.01\n"), "{}", turn.input);
        let exercise = &exercises(GameId::DuoOthello, 1, CpuTime::from_secs(30)).unwrap()[0];
        let turn = as_turn(GameId::DuoOthello, exercise, CpuTime::from_secs(1));
        assert_eq!(turn.input, exercise.question.input.replace("30 30", "1 1"));
    }
}
