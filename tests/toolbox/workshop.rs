//! A workshop for tests: this test program is no keeper, but `referee` is.

use referee::agents::Workshop;
use referee::seat::SeatOptions;

pub(crate) fn workshop() -> Workshop {
    let referee = env!("CARGO_BIN_EXE_referee");
    let mut workshop = Workshop::new().expect("the system knows which program runs");
    workshop.referee = referee.into();
    workshop.seats = SeatOptions {
        keeper: Some(referee.into()),
        ..SeatOptions::default()
    };
    workshop
}
