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
//! - [`human`]: a person at the board: moves picked or typed, and a player that is asked for them.
//! - [`positions`]: positions that are worth asking an agent for, by kind and seed.
//! - [`records`]: what is kept of a game on disk.
//! - [`referee`]: one game: turns, clocks, judgement, result.
//! - [`tournament`]: many games: who meets whom, and the runner that plays them.
//! - [`shards`]: a run that is played in parts, by several processes or machines.
//! - [`assignment`]: what a course says about one homework, read from a file and checked as a whole.
//! - [`check`]: what a student wants to know before handing in.
//! - [`messages`]: results and boards in words.
//! - [`console`]: what moves on a terminal while a run goes on.
//! - [`export`]: recorded games in the formats of other programs.
//! - [`report`]: a run as one page for a browser.
//! - [`rules_program`]: games whose rules are a program of their own, in any language.
//! - [`serve`]: pages of a run over HTTP while it goes on.
//! - [`slurm`]: a run on a Slurm cluster: job scripts, the queue, and what follows from both.
//! - [`doctor`]: what this machine can enforce and measure, each claim tried.
//! - [`cli`]: the command line.
//!
//! `ARCHITECTURE.md` says which room may use which, and what must always hold.

pub mod agents;
pub mod assignment;
pub mod check;
pub mod cli;
pub mod console;
pub mod doctor;
pub mod export;
pub mod games;
pub mod grading;
pub mod human;
pub mod messages;
pub mod positions;
pub mod protocol;
pub mod records;
pub mod referee;
pub mod report;
pub mod rules_program;
pub mod seat;
pub mod serve;
pub mod shards;
pub mod slurm;
pub mod time;
pub mod tournament;
