//! Tests of the library's functions: rules and their corpora, texts, formats, judgement, ratings, assignments and
//! gradebooks.
#![expect(clippy::unwrap_used, reason = "a test fails by a panic, in its helpers too")]

mod alphabeta;
#[path = "../analyses/mod.rs"]
mod analyses;
mod analysis;
mod analysis_bytes;
mod analysis_words;
mod architecture;
mod assignment;
mod assignment_faults;
mod assignment_folders;
mod builtin_agents;
#[path = "../toolbox/cases.rs"]
mod cases;
mod checkers_rules;
mod corpora;
mod corpus_checkers;
mod corpus_halma;
mod custom_games;
mod custom_valuations;
mod explanations;
mod fabricated;
mod feedback;
mod formats;
mod fuzz_laws;
mod games_of;
mod gradebooks;
mod grading_exports;
mod grading_exports_canvas;
mod grading_exports_columns;
mod grading_exports_documented;
mod halma_rules;
mod heirs;
mod hints;
#[path = "../invocation/mod.rs"]
mod invocation;
mod judgement;
mod links;
mod little_go;
mod othello_rules;
mod picking;
mod positions;
mod rank_ranges;
mod ratings;
mod real_history;
mod runs;
mod schemas;
mod selfplay;
mod skipping;
#[path = "../skips/mod.rs"]
mod skips;
mod standings;
mod standings_columns;
mod star_circle;
mod tables;
mod tally;
mod time_story;
#[path = "../toolbox/mod.rs"]
mod toolbox;
