//! How long a search is unless it is told otherwise, so that the analysis of a game takes a few seconds of CPU time.
//!
//! It must depend on the rules alone: the time that a machine needs must not decide what an analysis says. What a
//! rules program needs for a position grows with the board, whatever the language, so its budget is counted in squares.

use referee_games::GameRef;
use referee_games::builtin::NodeLimit;

use super::curve::ExpectedScoreCurve;
use super::fit::FitSettings;

/// The squares that a rules program may look at in a search of each position of a typical game: measured with the
/// example games (`benches/README.md`).
const SQUARES: u64 = 600_000;

/// No search is longer by default.
const MOST: u64 = 10_000;

/// The nodes of the agents that play for a curve, at most.
const OF_AGENTS: u64 = 1_000;

/// The nodes of a search in games for whose curve nobody has chosen them.
///
/// For a built-in game, they are those of its curve. For a rules program, they are so few that a typical game stays
/// within a number of squares, but enough to value each move of the start position once.
pub fn default_nodes(game: GameRef) -> NodeLimit {
    if let Some(curve) = ExpectedScoreCurve::of_game(game) {
        return curve.node_limit();
    }
    let profile = game.profile();
    let squares = (profile.board.rows.len() * profile.board.columns.len()) as u64;
    let turns = 2 * u64::from(profile.typical_moves);
    let least = game.start().moves().len() as u64 + 1;
    let nodes = SQUARES / (squares * turns).max(1);
    NodeLimit::new(nodes.clamp(least.min(MOST), MOST)).expect("there is at least one node")
}

impl FitSettings {
    /// So many games with these seeds, whose positions are searched with `nodes`. The agents get half of that, so
    /// that a game costs about as much as an analysis.
    pub fn new(nodes: NodeLimit, games: u32, seed: u64) -> Self {
        let agent_nodes = NodeLimit::new((nodes.count() / 2).clamp(1, OF_AGENTS)).expect("it is in the range");
        Self { games, agent_nodes, nodes, seed }
    }
}
