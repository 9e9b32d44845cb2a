//! `referee compete`, with the real binary: interrupted anywhere, changed between two runs, in every format, told as
//! JSON Lines.
//!
//! The games are Duo-Othello from late openings between built-in agents: short, wholly determined by the seed, and (the
//! board has an odd number of points) none of them level, for a level game is given to whoever has more time left.
//!
//! `REFEREE_FULL=1 cargo test --test program competition::kills -- --ignored` plays 1,560 games of 40 agents; without
//! it, 8 agents play.

pub(crate) mod arena;
pub(crate) mod changes;
mod classes;
mod events;
mod formats;
mod kills;
mod pinned;
mod voids;
