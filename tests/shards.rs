//! `referee plan`, `shard` and `merge`, with the real binary: killed, frozen and told to stop anywhere, on claims of all kinds, on
//! copies and on runs that were moved.
//!
//! The games are those of tests/competition: short, wholly determined by the seed, and none of them decided by a clock.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

#[path = "competition/arena.rs"]
mod arena;
#[path = "shards/claims.rs"]
mod claims;
#[path = "shards/copies.rs"]
mod copies;
#[path = "shards/frozen.rs"]
mod frozen;
#[path = "shards/kills.rs"]
mod kills;
#[path = "shards/nodes.rs"]
mod nodes;
#[path = "shards/planned.rs"]
mod planned;
#[path = "shards/signals.rs"]
mod signals;
#[path = "shards/stage.rs"]
mod stage;
