//! Seats and the fixture agent: every way to behave, what is told of it, what it is charged, and that nothing is left.
//!
//! Nothing here depends on how fast the machine is: the fixture burns CPU time by its own clock, and what is charged is
//! compared with what was burned.
#![expect(clippy::unwrap_used, reason = "a test fails by a panic, in its helpers too")]

#[path = "../fixtures/busy.rs"]
mod busy;
mod busy_machine;
mod disk;
mod doctor;
mod environments;
mod files;
mod fixture_seat;
#[path = "../fixtures/mod.rs"]
mod fixtures;
#[path = "../invocation/mod.rs"]
mod invocation;
mod keepers;
#[path = "../kernels/mod.rs"]
mod kernels;
#[path = "../fixtures/levels.rs"]
mod levels;
mod living;
mod runs;
#[path = "../skips/mod.rs"]
mod skips;
mod starved;
mod template;
