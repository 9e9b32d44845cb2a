//! The built-in agents: the random and minimax agents for grading, and the alpha-beta agent, which plays as well as it
//! can.
//!
//! They run as ordinary agent programs, in a seat, on a clock (`referee agent random`), and the referee treats them
//! like any other. This module chooses a move ([`answer()`], a pure function); it keeps no clock and judges nothing.
//!
//! The same agent, seed, input and play data must give the same answer on every machine, and for the random and minimax
//! agents in every version. The only exception is the alpha-beta agent on its clock (without `nodes=`), whose depth
//! depends on the machine. The answer must be a legal move in the exact format, and a turn cheap enough that no game is
//! lost on time.
//!
//! `playdata.txt` counts the turns: without it, an agent that meets a position again would repeat its move, and two of
//! them might run in a circle. The alpha-beta agent also stores recent positions in it.

mod alphabeta;
mod answer;
mod chance;
mod evaluate;
mod minimax;
mod names;
mod pace;
mod playdata;
mod plays;
mod random;
mod reply;
mod spec;

pub use alphabeta::{SearchLimit, Searched, SearchedPosition, alphabeta, mixed, move_values, proved_result};
pub use answer::answer;
pub use chance::TurnRng;
pub use evaluate::{Evaluate, WIN_VALUE};
pub use minimax::{best_moves, minimax, value};
pub use pace::depth_for;
pub use playdata::RecentPositions;
pub use plays::{OwnAgent, Plays, reply};
pub use random::choose_random;
#[cfg(test)]
pub(crate) use random::reached;
pub use reply::{BuiltinAnswerError, BuiltinReply, BuiltinTurn};
pub use spec::{BuiltinAgent, BuiltinSpecError, Depth, NodeLimit};
