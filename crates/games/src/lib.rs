//! The games: one folder each, and the two interfaces through which the rest of the program uses them.
//!
//! Everything about a particular game is in its own folder; all other crates use games through an interface, without
//! naming one. Clocks belong to `referee`. This crate does no I/O, and uses no randomness but from a seed.
//!
//! Inside, a game is a type with static traits, for the speed of perft, search and random playouts: [`Position`]
//! (rules), [`Texts`](crate::protocol::Texts), and the traits of the built-in agents; [`Builtin`] combines them.
//! Outside, from `referee` upwards, it is a [`GameRef`] (a handle to a `dyn` [`Game`]), and its positions are
//! [`State`]s. [`Adapter`] turns the first into the second; a game whose rules are not a Rust type implements [`Game`]
//! and [`GameState`] itself: `rules_program`. In records a game is a [`GameId`], a plain value, and on command
//! lines a [`GameName`]; the [`KnownGames`] of a command turn both into a [`GameRef`].
//!
//! A move must be legal exactly if [`Position::for_each_move`] visits it. `play_unchecked` with a legal move, and
//! `pass` for a side that must pass, must preserve the position's invariants.
//!
//! This file is the registry: a `mod` line and an entry in [`GAMES`] make a game known everywhere.

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test fails by a panic"))]

mod adapter;
mod board;
pub mod builtin;
mod diagram;
mod game;
mod history;
mod id;
mod known;
mod notation;
mod perft;
mod picking;
mod play;
mod position;
pub mod positions;
mod profile;
pub mod protocol;
mod rule;
mod score;
mod side;
mod status;
mod unavailable;
mod valuation;

pub mod checkers;
pub mod halma;
pub mod heirs;
pub mod little_go;
pub mod othello;
pub mod star_circle;

pub use adapter::{Adapter, Builtin};
pub use board::{BoardSquare, BoardSquares, SquareBoard};
pub use diagram::BoardError;
pub use game::{
    Game, GameRef, GameState, Judged, POSITION_LINE, Puzzles, ReachedPosition, ReplayedMoves, RulesProgram,
    SolvedQuestion, State, without_position_line,
};
pub use history::{History, HistoryDraw};
pub use id::{GameId, UnknownGame, UnknownRules};
pub use known::{GameName, KnownGames, RULES_FOLDER, RulesLoader, UnknownRecordedGame};
pub use notation::{Notation, NotationForm, Tag, Transcript, WinKind};
pub use perft::{MAX_PERFT_DEPTH, perft};
pub use picking::{Picking, Target, moved_squares, pick_squares_or_texts};
pub(crate) use play::STEP_AND_JUMP_LETTERS;
pub use play::{Hop, IllegalPlay, LEGALITY, Play};
pub use position::Position;
pub use profile::{
    BoardLook, BoardSurface, Cells, DrawDecision, DrawRules, EndRules, FirstTurn, Handout, HandoutSections, InputForm,
    Memory, MoveForm, PieceLook, Profile, Shape, SideColour, SideLook, SquareName,
};
pub use rule::{BrokenRule, RuleText, Section, Violation};
pub use score::Score;
pub use side::Side;
pub use status::{BoardDraw, BoardWin, Ending, Goal, Status};
pub use unavailable::RulesUnavailable;
pub use valuation::{MoveValues, ProvedResult};

/// Every game in all variants, the default first.
// A constant would have every crate that uses it compile all games once more.
pub static GAMES: &[&[GameRef]] = &[
    checkers::Checkers::GAMES,
    halma::Halma::GAMES,
    othello::DuoOthello::GAMES,
    star_circle::StarCircle::GAMES,
    heirs::Heirs::GAMES,
    little_go::LittleGo::GAMES,
];
