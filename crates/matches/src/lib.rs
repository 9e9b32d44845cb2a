//! Plays games between agents, judges them, and ranks the players.
//!
//! - [`referee`]: plays and judges one game.
//! - [`tournament`]: many games: formats, the runner, standings, ratings.
//! - [`shards`]: plays a run in parts, on several processes or machines.
//! - [`ladder`]: versions of agents that play each other as long as a course lasts.
//! - [`rules_program`]: games whose rules are a program of their own, in any language.
//! - [`human`]: a person as a player, with picked or typed moves.

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test fails by a panic"))]

pub mod human;
pub mod ladder;
pub mod referee;
pub mod rules_program;
pub mod shards;
pub mod tournament;
