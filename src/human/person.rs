//! A player that is a person.

use std::time::Instant;

use super::asked::PersonTurn;
use crate::games::GameId;
use crate::records::PersonClock;
use crate::referee::{Player, RESIGNATION, Void};
use crate::seat::{OutputFile, Run, RunRequest, Task, Termination, Usage};
use crate::time::{CpuTime, WallTime};

/// Whoever asks a person and hears the answer: a terminal, a page, a test.
pub trait Voice {
    /// Asks for a move and waits for it until `until`, if there is such a time.
    fn ask(&mut self, asked: &PersonTurn, until: Option<Instant>) -> Heard;
}

/// What a person did when it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It answered: the text of `output.txt`, with or without the final LF. A voice asks again where it is not legal;
    /// one that does not loses the game.
    Answer(String),
    /// It resigned.
    Resigned,
    /// It had not answered when the time was up.
    Late,
    /// It has gone away, and the game with it.
    Gone,
}

/// A person at the board, who is asked by `V`.
#[derive(Debug)]
pub struct Person<V> {
    game: GameId,
    clock: PersonClock,
    voice: V,
    /// Whether it has gone away, so that the game will never be over.
    pub(super) is_gone: bool,
}

impl<V: Voice> Person<V> {
    /// A person who plays `game` by `clock`.
    pub const fn new(game: GameId, clock: PersonClock, voice: V) -> Self {
        Self {
            game,
            clock,
            voice,
            is_gone: false,
        }
    }
}

impl<V: Voice> Player for Person<V> {
    /// Asks the person. The guard does not hold for people: whoever plays without a clock may think for ever.
    ///
    /// # Errors
    ///
    /// [`Void`] where the person went away.
    fn run(&mut self, job: &RunRequest) -> Result<Run, Void> {
        let asked = asked(self.game, &job.task)?;
        let began = Instant::now();
        let until = match self.clock {
            PersonClock::WallTime => began.checked_add(job.kill_after.to_duration()),
            PersonClock::NoClock => None,
        };
        let heard = self.voice.ask(&asked, until);
        let wall = WallTime::from_duration(began.elapsed());
        match heard {
            Heard::Answer(text) => Ok(answered(&text, wall)),
            Heard::Resigned => Ok(answered(RESIGNATION, wall)),
            Heard::Late => Ok(late(wall, job.kill_after)),
            Heard::Gone => {
                self.is_gone = true;
                Err(Void {
                    reason: "the person has gone away".to_owned(),
                })
            }
        }
    }

    fn reads_position(&self) -> bool {
        true
    }

    fn person(&self) -> Option<PersonClock> {
        Some(self.clock)
    }
}

fn asked(game: GameId, task: &Task) -> Result<PersonTurn, Void> {
    match task {
        Task::Move { input } => PersonTurn::by_input(game, input).map_err(|fault| Void {
            reason: format!("the input of a turn cannot be read: {fault}"),
        }),
        Task::Calibrate => Err(Void {
            reason: "people do not calibrate".to_owned(),
        }),
    }
}

/// What a program would have left that wrote this.
fn answered(text: &str, wall: WallTime) -> Run {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let usage = Usage {
        wall,
        ..Usage::default()
    };
    Run::wrote(format!("{text}\n").into_bytes(), usage)
}

/// What is left of a turn that took all the time there was.
fn late(wall: WallTime, allowed: CpuTime) -> Run {
    Run {
        ended: Termination::Guarded,
        output: OutputFile::Missing { lookalike: None },
        ..answered("", wall.max(WallTime::from_micros(allowed.micros())))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::games::Position;
    use crate::games::checkers::Checkers;
    use crate::protocol::{InputPurpose, Texts, TimeLeft};
    use crate::seat::Bytes;

    /// Says always the same.
    struct Parrot(Heard);

    impl Voice for Parrot {
        fn ask(&mut self, _: &PersonTurn, until: Option<Instant>) -> Heard {
            if self.0 == Heard::Late {
                let left = until.unwrap().saturating_duration_since(Instant::now());
                std::thread::sleep(left.min(Duration::from_secs(1)));
            }
            self.0.clone()
        }
    }

    fn said(heard: Heard, clock: PersonClock) -> Result<Run, Void> {
        let left = CpuTime::from_millis(5);
        let time = TimeLeft {
            own: left,
            opponent: left,
        };
        let input = Checkers::start(()).write_input(InputPurpose::Game, time);
        Person::new(crate::games::checkers::ID, clock, Parrot(heard)).run(&RunRequest {
            task: Task::Move { input },
            kill_after: left,
            wall_limit: WallTime::ZERO,
        })
    }

    #[test]
    fn an_answer_is_the_bytes_that_an_agent_would_have_written() {
        for text in ["E b6 a5", "E b6 a5\n"] {
            let run = said(Heard::Answer(text.to_owned()), PersonClock::NoClock).unwrap();
            let bytes = Bytes(b"E b6 a5\n".to_vec());
            assert_eq!(run.output, OutputFile::Content { bytes });
            assert_eq!((run.usage.user, run.usage.system), (CpuTime::ZERO, CpuTime::ZERO));
        }
    }

    #[test]
    fn whoever_is_late_has_used_up_the_time_at_least() {
        let run = said(Heard::Late, PersonClock::WallTime).unwrap();
        assert!(run.usage.wall >= WallTime::from_millis(5));
        assert_eq!(run.ended, Termination::Guarded);
    }

    #[test]
    fn whoever_has_gone_away_has_not_answered() {
        assert_eq!(
            said(Heard::Gone, PersonClock::WallTime).unwrap_err().to_string(),
            "the game is void: the person has gone away"
        );
    }
}
