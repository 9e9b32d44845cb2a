//! The master of games that external agent programs play.
//!
//! A course gives an assignment in which a program reads `input.txt`, decides on a move, writes `output.txt`
//! and is charged CPU time. This library is the other side of it. Its rooms, from the inside out:
//!
//! - [`games`]: positions, legal moves, the end of a game by the board. Pure.
//! - [`protocol`]: the texts `input.txt` and `output.txt`. Pure.
//! - [`time`]: CPU time and wall time, two types that cannot be added.
//! - [`seat`]: running one untrusted program and measuring what it used.
//! - [`agents`]: from a file or a folder to a runnable program, and the built-in reference agents.
//! - [`positions`]: positions that are worth asking an agent for, by kind and seed.
//! - [`records`]: what is kept of a game on disk.
//! - [`referee`]: one game: turns, clocks, judgement, result.
//! - [`tournament`]: many games: who meets whom, and the runner that plays them.
//! - [`console`]: boards, clocks and wording for the terminal.
//! - [`doctor`]: what this machine can enforce and measure, each claim tried.
//! - [`cli`]: the command line.
//!
//! `ARCHITECTURE.md` says which room may use which, and what must always hold.

pub mod agents;
pub mod cli;
pub mod console;
pub mod doctor;
pub mod games;
pub mod positions;
pub mod protocol;
pub mod records;
pub mod referee;
pub mod seat;
pub mod time;
pub mod tournament;
