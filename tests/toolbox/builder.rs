//! The agent builder of tests: its seats are kept by `referee`, because a test program is no keeper.

use referee_seat::SeatOptions;
use referee_submissions::agents::AgentBuilder;

pub(crate) fn builder() -> AgentBuilder {
    let referee = env!("CARGO_BIN_EXE_referee");
    let mut builder = AgentBuilder::new().expect("the system knows which program runs");
    builder.referee = referee.into();
    builder.seats = SeatOptions { keeper: Some(referee.into()), ..SeatOptions::default() };
    builder
}
