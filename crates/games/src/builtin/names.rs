//! Which built-in agents there are: those of every game, and those of a single one.

use std::str::FromStr;

use super::{BuiltinAgent, BuiltinSpecError};
use crate::GameRef;

/// The agents that play every game.
const COMMON: [&str; 3] = ["random", "minimax", "alphabeta"];

impl BuiltinAgent {
    /// The names of all built-in agents, without parameters.
    pub fn names() -> impl Iterator<Item = &'static str> {
        COMMON.into_iter().chain(GameRef::all().flat_map(own_agents))
    }

    /// Checks that the agent plays `game`.
    ///
    /// # Errors
    ///
    /// [`BuiltinSpecError::OtherGame`] for an agent of another game.
    pub fn check_plays(&self, game: GameRef) -> Result<(), BuiltinSpecError> {
        let Self::Own { name, .. } = self else { return Ok(()) };
        if own_agents(game).any(|own| own == *name) {
            return Ok(());
        }
        Err(BuiltinSpecError::OtherGame {
            agent: name,
            game: game.profile().title,
            known: quoted(own_agents(game), "builtin:"),
        })
    }
}

impl FromStr for BuiltinAgent {
    type Err = BuiltinSpecError;

    fn from_str(text: &str) -> Result<Self, BuiltinSpecError> {
        let mut parts = text.split(',');
        let name = parts.next().unwrap_or_default();
        let mut agent = match name {
            "random" => Self::Random { seed: None },
            "minimax" => Self::Minimax { depth: None, seed: None, pace: None },
            "alphabeta" => Self::AlphaBeta { nodes: None, seed: None },
            _ => {
                let own = GameRef::all().flat_map(own_agents).find(|own| *own == name);
                let unknown = || BuiltinSpecError::UnknownAgent {
                    found: name.to_owned(),
                    known: quoted(GameRef::all().flat_map(own_agents), ""),
                };
                Self::Own { name: own.ok_or_else(unknown)?, seed: None }
            }
        };
        for parameter in parts {
            agent.set(parameter)?;
        }
        Ok(agent)
    }
}

/// The agents of `game` alone.
fn own_agents(game: GameRef) -> impl Iterator<Item = &'static str> {
    game.own_agents().into_iter().map(|own| own.name)
}

/// The names of the agents of every game and of `own`, quoted, each with `prefix`.
fn quoted(own: impl Iterator<Item = &'static str>, prefix: &str) -> String {
    let names: Vec<String> = COMMON.into_iter().chain(own).map(|name| format!("`{prefix}{name}`")).collect();
    names.join(", ")
}
