//! The interface of a game that the built-in agents play, with agents of its own. It contains no strategy; each game's
//! `search.rs` implements it, and [`super::answer()`] calls it.

use super::playdata::PlayData;
use super::{
    BuiltinAgent, BuiltinAnswerError, BuiltinReply, BuiltinTurn, Depth, Evaluate, RecentPositions, SearchLimit,
    Searched, TurnRng, alphabeta, choose_random, depth_for, minimax,
};
use crate::protocol::{Input, InputError, Texts};
use referee_time::CpuTime;

/// A game that the built-in agents play. Everything has a default.
pub trait Plays: Texts + Evaluate + Searched {
    /// Agents of this game alone, besides `random`, `minimax` and `alphabeta`.
    const OWN_AGENTS: &'static [OwnAgent<Self>] = &[];

    /// What an agent writes whose side has no move; `None` if no agent is asked then.
    const PASS: Option<&'static str> = None;

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

    /// The minimax agent's whole `output.txt` for `input`, whose text is `text`; `None` if it has no move. A game
    /// overrides it whose assignment asks for more than a move.
    ///
    /// # Errors
    ///
    /// [`InputError`] if the text asks for something else than a move, and that is not valid.
    fn minimax_output(
        input: &Input<Self>,
        text: &[u8],
        depth: Option<Depth>,
        chance: &mut TurnRng,
    ) -> Result<Option<String>, InputError> {
        let _ = text;
        let depth = depth.unwrap_or_else(|| Self::depth_for(input.own));
        Ok(minimax(&input.position, depth, chance).map(|mv| written(&input.position, mv)))
    }
}

/// The `output.txt` of a move.
fn written<P: Texts>(position: &P, mv: P::Move) -> String {
    position.write_move(mv) + "\n"
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
    let BuiltinTurn { agent, seed, input: text, playdata } = turn;
    let PlayData { turn, past: earlier } = playdata.and_then(PlayData::read).unwrap_or_default();
    let mut chance = TurnRng::new(agent.seed().unwrap_or(seed), turn);
    let mut input = P::read_input(text, rules)?;
    input.position = input.position.after_own_turns(turn);
    let position = &input.position;
    let mut past = RecentPositions::default();
    let output = match *agent {
        BuiltinAgent::Random { .. } => position.random_move(&mut chance).map(|mv| written(position, mv)),
        BuiltinAgent::Minimax { depth, .. } => P::minimax_output(&input, text, depth, &mut chance)?,
        BuiltinAgent::AlphaBeta { nodes, .. } => {
            let of_time = || position.allowance(&input);
            let allowance = nodes.map_or_else(of_time, |nodes| SearchLimit::Nodes(nodes.count()));
            alphabeta(position, allowance, &earlier, &mut chance).map(|(mv, now)| {
                past = now;
                written(position, mv)
            })
        }
        BuiltinAgent::Own { name, .. } => {
            let own = P::OWN_AGENTS.iter().find(|own| own.name == name);
            let own = own.ok_or(BuiltinAnswerError::OtherGame { agent: name, game: P::PROFILE.title })?;
            (own.choose)(position, &mut chance).map(|mv| written(position, mv))
        }
    };
    let output = output.or(P::PASS.map(str::to_owned)).ok_or(BuiltinAnswerError::NoMove)?;
    Ok(BuiltinReply { output, playdata: PlayData { turn: turn.wrapping_add(1), past }.to_string() })
}
