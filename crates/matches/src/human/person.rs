//! A player that is a person. It asks through a [`PersonInterface`]; the referee keeps its clock and judges it.

use std::time::Instant;

use crate::referee::{Player, RESIGNATION, Void};
use referee_games::{GameRef, State};
use referee_records::PersonClock;
use referee_seat::{OutputFile, Run, RunRequest, Task, Termination, Usage};
use referee_time::{CpuTime, WallTime};

/// An interface that asks a person and returns the answer: a terminal, a page, a test.
pub trait PersonInterface {
    /// Asks for a move in the position `asked` and waits for the answer, at most until `until`.
    fn ask(&mut self, asked: &State, until: Option<Instant>) -> PersonAnswer;
}

/// A person's reaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonAnswer {
    /// An answer: the text of `output.txt`, with or without the final LF. The interface should ask again if it is
    /// illegal; otherwise the game is lost.
    Answer(String),
    /// It resigned.
    Resigned,
    /// No answer in time.
    Late,
    /// The person left, which ends the game.
    Gone,
}

/// A person, asked through the interface `V`.
#[derive(Debug)]
pub struct Person<V> {
    game: GameRef,
    clock: PersonClock,
    interface: V,
    /// Whether the person left, so that the game will never finish.
    pub(super) is_gone: bool,
}

impl<V: PersonInterface> Person<V> {
    /// A person who plays `game` with `clock`.
    pub const fn new(game: GameRef, clock: PersonClock, interface: V) -> Self {
        Self { game, clock, interface, is_gone: false }
    }
}

impl<V: PersonInterface> Player for Person<V> {
    /// Asks the person. The wall-clock limit does not apply to people: without a clock a person may think forever.
    ///
    /// # Errors
    ///
    /// [`Void`] if the person left.
    fn run(&mut self, job: &RunRequest) -> Result<Run, Void> {
        let asked = asked(self.game, &job.task)?;
        let began = Instant::now();
        let until = match self.clock {
            PersonClock::WallTime => began.checked_add(job.kill_after.to_duration()),
            PersonClock::NoClock => None,
        };
        let answer = self.interface.ask(&asked, until);
        let wall = WallTime::from_duration(began.elapsed());
        match answer {
            PersonAnswer::Answer(text) => Ok(answered(&text, wall)),
            PersonAnswer::Resigned => Ok(answered(RESIGNATION, wall)),
            PersonAnswer::Late => Ok(late(wall, job.kill_after)),
            PersonAnswer::Gone => {
                self.is_gone = true;
                Err(Void::new("the person left"))
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

fn asked(game: GameRef, task: &Task) -> Result<State, Void> {
    match task {
        Task::Move { input } => match game.read_input(input.as_bytes()) {
            Ok(input) => Ok(input.position),
            Err(fault) => Err(Void::new(format!("cannot read the input of a turn: {fault}"))),
        },
        Task::Calibrate => Err(Void::new("people do not calibrate")),
    }
}

/// The run of a program that would have written this.
fn answered(text: &str, wall: WallTime) -> Run {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let usage = Usage { wall, ..Usage::default() };
    Run::wrote(format!("{text}\n").into_bytes(), usage)
}

/// The run of a turn that used all the time.
fn late(wall: WallTime, allowed: CpuTime) -> Run {
    Run {
        ended: Termination::Guarded,
        output: OutputFile::Missing { lookalike: None },
        ..answered("", wall.max(WallTime::from_micros(allowed.micros())))
    }
}
