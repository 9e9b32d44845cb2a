//! `referee compete`, with the real binary: interrupted anywhere, changed between two runs, in every format, told as JSON Lines.
//!
//! The games are Duo-Othello from late openings between built-in agents: short, wholly determined by the seed, and (the board
//! has an odd number of points) none of them level, for a level game is given to whoever has more time left.
//!
//! `REFEREE_FULL=1 cargo test --test competition killed` plays the competition of 40 agents and 1,560 games; without it, 10.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

#[path = "competition/arena.rs"]
mod arena;
#[path = "competition/changes.rs"]
mod changes;
#[path = "competition/events.rs"]
mod events;
mod fixtures;
#[path = "competition/formats.rs"]
mod formats;
#[path = "competition/kills.rs"]
mod kills;
#[path = "competition/pinned.rs"]
mod pinned;
#[path = "competition/voids.rs"]
mod voids;
