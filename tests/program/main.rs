//! What the program promises, run as a program: every command, killed and resumed, on clusters, on terminals and with
//! real agents.
#![expect(clippy::unwrap_used, reason = "a test fails by a panic, in its helpers too")]

mod abandoned;
#[path = "../analyses/mod.rs"]
mod analyses;
mod analysis;
mod analyze;
mod autograder;
#[path = "../toolbox/builder.rs"]
mod builder;
#[path = "../fixtures/busy.rs"]
mod busy;
mod busy_class;
#[path = "../toolbox/cases.rs"]
mod cases;
mod check;
mod classroom;
mod cli;
mod competition;
mod completions;
mod custom_games;
#[path = "../toolbox/directly.rs"]
mod directly;
mod documented;
mod every_language;
mod explained_agents;
mod exports;
#[path = "../fixtures/mod.rs"]
mod fixtures;
mod grading_class;
mod grading_command;
mod grading_platform;
mod grading_samples;
mod hostile_class;
mod human;
mod intake;
#[path = "../invocation/mod.rs"]
mod invocation;
mod json_formats;
mod judge;
#[path = "../kernels/mod.rs"]
mod kernels;
mod kit;
mod ladder;
mod ladder_kills;
mod ladder_packs;
mod ladder_pages;
#[path = "../fixtures/levels.rs"]
mod levels;
mod living;
mod packages;
mod play_match;
#[path = "../pseudo_terminal/mod.rs"]
mod pseudo_terminal;
mod reassigned;
mod report;
#[path = "../report_pages/mod.rs"]
mod report_pages;
mod resume;
mod run_paths;
mod sample_agents;
mod serve;
#[path = "../served/mod.rs"]
mod served;
mod shards;
mod side_by_side;
#[path = "../skips/mod.rs"]
mod skips;
mod slurm;
mod small_disk;
mod submissions;
mod terminal;
#[path = "../toolbox/mod.rs"]
mod toolbox;
mod whole_games;
mod working_directory;
