//! `--time` of `play` and `serve --play`. It only parses.

use referee_course::assignment::Assignment;
use referee_games::GameRef;
use referee_records::{Conditions, PersonClock};
use referee_time::CpuTime;

/// The clocks of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PlayTime {
    /// The time of the game for either side.
    #[default]
    OfGame,
    /// This much for either side.
    Seconds(CpuTime),
    /// None for the person, and the time of the game for the agent.
    NoClock,
}

impl PlayTime {
    /// Parses `--time`.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self::NoClock);
        }
        match text.parse() {
            Ok(CpuTime::ZERO) => Err("the play time must be more than 0 seconds".to_owned()),
            Ok(time) => Ok(Self::Seconds(time)),
            Err(_) => {
                Err("expected a number of seconds above 0 such as `300` or `0.25`, or `none` for a person".to_owned())
            }
        }
    }

    /// The usual conditions of `game` with this time.
    pub(super) fn conditions(self, game: GameRef) -> Conditions {
        Conditions::usual(game, self.seconds_or(game.profile().play_time))
    }

    /// The conditions of `assignment` with this time.
    pub(super) fn conditions_of(self, assignment: &Assignment) -> Conditions {
        assignment.conditions(self.seconds_or(assignment.clock.play_time))
    }

    const fn seconds_or(self, usual: CpuTime) -> CpuTime {
        match self {
            Self::Seconds(time) => time,
            Self::OfGame | Self::NoClock => usual,
        }
    }

    /// The person's clock.
    pub(super) const fn of_person(self) -> PersonClock {
        match self {
            Self::OfGame | Self::Seconds(_) => PersonClock::WallTime,
            Self::NoClock => PersonClock::NoClock,
        }
    }
}
