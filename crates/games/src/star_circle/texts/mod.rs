//! The texts of Star and Circle (handout of Spring 2018, "File Formats"). `protocol` calls it through [`Texts`].
//!
//! `input.txt` is the player, the algorithm, the depth, the board, and the values of the rows:
//! ```text
//! Star
//! ALPHABETA
//! 4
//! 0,C1,0,C1,0,C1,0,C1
//!          ⋮
//! S1,0,S1,0,S1,0,S1,0
//! 10,20,30,40,50,60,70,80
//! ```
//! It parses the text as the assignment's question ([`read_question`]) and compares right answers
//! ([`compare_solution`]), and uses the same text in free play, which asks for a move ([`Texts`]).
//! [`crate::star_circle::solve()`] finds the answer.
//!
//! In free play the question is always the same: [`PLAY_ALGORITHM`] to [`PLAY_DEPTH`] with the standard row values. The
//! format does not contain the time left. An answer is the move, optionally followed by the assignment's three numbers,
//! so that homework of 2018 can play unchanged; only the format of the numbers is checked.

mod answer;
mod compare;
mod legality;
mod question;

pub use compare::compare_solution;
pub use question::{read_question, write_question};

use self::answer::{Written, read_written};
use self::question::read_unchecked;
use super::profile::{PROFILE, TIME_FOR_A_CASE};
use super::{Algorithm, Move, RowValues, SearchDepth, SearchQuestion, StarCircle};
use crate::protocol::lines::FormatDeviations;
use crate::protocol::{Answer, Finding, Input, InputPurpose, InputText, Refusal, Texts, Tolerance};
use crate::{Position, Profile};

/// The search requested in free play: the better of the two, ...
const PLAY_ALGORITHM: Algorithm = Algorithm::AlphaBeta;
/// ... with a depth at which a plain Python program answers within a second, and a whole game takes less than a minute.
const PLAY_DEPTH: SearchDepth = SearchDepth::FOUR;

impl Texts for StarCircle {
    const PROFILE: &'static Profile = &PROFILE;

    /// The format contains neither the purpose nor the time left. Any input of the assignment is accepted; only its
    /// position counts, which may be a finished game.
    const INPUT: InputText<Self> = InputText {
        write: |position, _, _| {
            write_question(&SearchQuestion {
                position: position.clone(),
                algorithm: PLAY_ALGORITHM,
                depth: PLAY_DEPTH,
                values: RowValues::STANDARD,
            })
        },
        read: |text, ()| {
            Ok(Input {
                purpose: InputPurpose::Game,
                position: read_unchecked(text)?.position,
                own: TIME_FOR_A_CASE,
                opponent: None,
            })
        },
    };

    fn read_output(&self, text: &[u8], tolerance: Tolerance) -> Result<Answer<Move>, Refusal> {
        let mut departures = FormatDeviations::new(tolerance);
        let (written, place) = read_written(text, &mut departures)?;
        let illegal = |found: Finding| Err(Refusal::illegal(found, Some(place), legality::hint(self, written)));
        match written {
            Written::Pass => illegal(legality::must_not_pass(self).into()),
            Written::Move(mv) => match self.judge(mv) {
                Ok(()) if self.is_legal(mv) => {
                    Ok(Answer { mv, written: self.write_move(mv), warnings: departures.into_warnings() })
                }
                Ok(()) => illegal(legality::over()),
                Err(reason) => illegal(reason.into()),
            },
        }
    }
}
