//! `referee plan`, `shard` and `merge`, with the real binary: killed, frozen and told to stop anywhere, on claims of
//! all kinds, on copies and on runs that were moved.
//!
//! The games are those of `competition`: short, wholly determined by the seed, and none of them decided by a clock.

mod claims;
mod copies;
mod frozen;
mod kills;
mod nodes;
mod planned;
mod signals;
mod stage;
