//! The interface of a game that the built-in agents play, with agents of its own. It contains no strategy; each game's
//! `search.rs` implements it, and [`super::answer()`] calls it.

use super::playdata::PlayData;
use super::{
    BuiltinAgent, BuiltinAnswerError, BuiltinReply, BuiltinTurn, Depth, Evaluate, RecentPositions, SearchLimit,
    Searched, TurnRng, alphabeta, choose_random, depth_for, minimax,
};
use crate::protocol::{Input, Texts};
use referee_time::CpuTime;

/// A game that the built-in agents play. Everything has a default.
pub trait Plays: Texts + Evaluate + Searched {
    /// Agents of this game alone, besides `random`, `minimax` and `alphabeta`.
    const OWN_AGENTS: &'static [OwnAgent<Self>] = &[];

    /// The minimax agent's depth with this remaining time.
    fn depth_for(own: CpuTime) -> Depth {
        depth_for(own)
    }

    /// The alpha-beta agent's limit for a move.
    fn allowance(&self, input: &Input<Self>) -> SearchLimit {
        SearchLimit::of_time_left(input.own, input.purpose)
    }

    /// The random agent's move; `None` if there is none. A game overrides it if not all moves have equal probability.
    fn random_move(&self, chance: &mut TurnRng) -> Option<Self::Move> {
        choose_random(self, chance)
    }

    /// The position, for an agent that had `turns` turns in this game, if `input.txt` alone does not determine it.
    #[must_use]
    fn after_own_turns(self, turns: u64) -> Self {
        let _ = turns;
        self
    }

    /// The `output.txt` of `agent` for `input` after `turns` own turns in this game, and the data to remember.
    ///
    /// # Errors
    ///
    /// [`BuiltinAnswerError`] if the text is not an input in which the side to move has a legal move.
    fn output(
        agent: &BuiltinAgent,
        chance: &mut TurnRng,
        input: &[u8],
        rules: Self::Rules,
        turns: u64,
        past: &RecentPositions,
    ) -> Result<(String, RecentPositions), BuiltinAnswerError> {
        let mut input = Self::read_input(input, rules)?;
        input.position = input.position.after_own_turns(turns);
        let position = &input.position;
        let without_past = |mv| (mv, RecentPositions::default());
        let chosen = match *agent {
            BuiltinAgent::Random { .. } => position.random_move(chance).map(without_past),
            BuiltinAgent::Minimax { depth, .. } => {
                let depth = depth.unwrap_or_else(|| Self::depth_for(input.own));
                minimax(position, depth, chance).map(without_past)
            }
            BuiltinAgent::AlphaBeta { nodes, .. } => {
                let of_time = || position.allowance(&input);
                let allowance = nodes.map_or_else(of_time, |nodes| SearchLimit::Nodes(nodes.count()));
                alphabeta(position, allowance, past, chance)
            }
            BuiltinAgent::Own { name, .. } => {
                let own = Self::OWN_AGENTS.iter().find(|own| own.name == name);
                let game = Self::PROFILE.title;
                let own = own.ok_or(BuiltinAnswerError::OtherGame { agent: name, game })?;
                (own.choose)(position, chance).map(without_past)
            }
        };
        let (mv, past) = chosen.ok_or(BuiltinAnswerError::NoMove)?;
        let mut text = position.write_move(mv);
        text.push('\n');
        Ok((text, past))
    }
}

/// A reference agent of a single game: `builtin:NAME`.
#[derive(Clone, Copy, Debug)]
pub struct OwnAgent<P: Texts> {
    /// The name after `builtin:`.
    pub name: &'static str,
    /// A short description of its play.
    pub about: &'static str,
    /// Chooses its move; `None` if there is none.
    pub choose: fn(&P, &mut TurnRng) -> Option<P::Move>,
}

impl<P: Texts> OwnAgent<P> {
    /// An agent by its name, description and choice.
    pub const fn new(name: &'static str, about: &'static str, choose: fn(&P, &mut TurnRng) -> Option<P::Move>) -> Self {
        Self { name, about, choose }
    }
}

/// Plays one turn of the game `P` by `rules`; see [`answer`](super::answer()).
///
/// # Errors
///
/// Those of [`answer`](super::answer()).
pub fn reply<P: Plays>(turn: BuiltinTurn<'_>, rules: P::Rules) -> Result<BuiltinReply, BuiltinAnswerError> {
    let BuiltinTurn { agent, seed, input, playdata } = turn;
    let PlayData { turn, past } = playdata.and_then(PlayData::read).unwrap_or_default();
    let mut chance = TurnRng::new(agent.seed().unwrap_or(seed), turn);
    let (output, past) = P::output(agent, &mut chance, input, rules, turn, &past)?;
    let turn = turn.wrapping_add(1);
    Ok(BuiltinReply { output, playdata: PlayData { turn, past }.to_string() })
}
