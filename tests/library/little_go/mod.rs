//! The laws of Little-Go: known perft figures, a slow and plain twin, positions of the corpus, ko, and what ends a
//! game.

mod corpus;
mod rules;
mod twin;
