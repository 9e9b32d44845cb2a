//! The laws of Heirs: known perft figures, a slow and plain twin, positions of the corpus, and what ends a game.

mod corpus;
mod rules;
mod twin;
