//! Referees games between external agent programs.
//!
//! In a course's assignment, a program reads `input.txt`, chooses a move, writes `output.txt`, and is charged CPU time.
//! This library runs and judges such programs; the `referee` command ([`cli`]) calls it. Its rooms, from the inside
//! out:
//!
//! - [`games`]: positions, legal moves, the end of a game on the board. Pure.
//! - [`protocol`]: the texts `input.txt` and `output.txt`. Pure.
//! - [`time`]: CPU time and wall-clock time, two types that cannot be added.
//! - [`seat`]: runs one untrusted program and measures it.
//! - [`agents`]: builds agents from files and folders; the built-in agents.
//! - [`intake`]: unpacks archives and reads the downloads of platforms.
//! - [`human`]: a person as a player, with picked or typed moves.
//! - [`positions`]: practice positions, by kind and seed.
//! - [`records`]: the files of a run on disk.
//! - [`referee`]: plays and judges one game.
//! - [`tournament`]: many games: formats, the runner, standings, ratings.
//! - [`shards`]: plays a run in parts, on several processes or machines.
//! - [`assignment`]: parses and checks the file of an assignment.
//! - [`check`]: checks a submission before it is handed in.
//! - [`messages`]: results and boards in words.
//! - [`console`]: live progress and tables on a terminal.
//! - [`export`]: recorded games in the formats of other programs.
//! - [`report`]: a run as one HTML page.
//! - [`rules_program`]: games whose rules are a program of their own, in any language.
//! - [`serve`]: serves the page of a running run over HTTP.
//! - [`slurm`]: runs on a Slurm cluster: job scripts and the queue.
//! - [`doctor`]: tests what this machine can enforce and measure.
//! - [`runs`]: a match, a competition or a grading as a whole, from a request to its results.
//! - [`cli`]: the command line.
//!
//! `ARCHITECTURE.md` lists which room may use which, and the invariants.
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test fails by a panic"))]

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
pub mod intake;
pub mod messages;
pub mod positions;
pub mod protocol;
pub mod records;
pub mod referee;
pub mod report;
pub mod rules_program;
pub mod runs;
pub mod seat;
pub mod serve;
pub mod shards;
pub mod slurm;
pub mod time;
pub mod tournament;
