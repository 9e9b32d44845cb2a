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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use referee_time::CpuTime;

    use super::super::spec::NodeLimit;
    use super::*;
    use crate::builtin::Depth;

    fn agent() -> impl Strategy<Value = BuiltinAgent> {
        let depth = (1..=Depth::MAX).prop_map(|plies| Depth::new(plies).unwrap());
        let nodes = (1..=NodeLimit::MAX).prop_map(|count| NodeLimit::new(count).unwrap());
        prop_oneof![
            any::<Option<u64>>().prop_map(|seed| BuiltinAgent::Random { seed }),
            (prop::option::of(depth), any::<Option<u64>>(), prop::option::of(1..=86_400_000_000_u64)).prop_map(
                |(depth, seed, pace)| BuiltinAgent::Minimax { depth, seed, pace: pace.map(CpuTime::from_micros) }
            ),
            (prop::option::of(nodes), any::<Option<u64>>())
                .prop_map(|(nodes, seed)| BuiltinAgent::AlphaBeta { nodes, seed }),
        ]
    }

    proptest! {
        #[test]
        fn reading_what_was_printed_is_the_identity(agent in agent()) {
            prop_assert_eq!(agent.to_string().parse(), Ok(agent));
        }
    }

    #[test]
    fn parameters_stand_in_any_order() {
        assert_eq!(
            "minimax,pace=0.5,seed=7,depth=2".parse(),
            Ok(BuiltinAgent::Minimax { depth: Some(Depth::TWO), seed: Some(7), pace: Some(CpuTime::from_millis(500)) })
        );
    }

    #[test]
    fn a_wrong_text_says_what_there_is() {
        let unknown = |name: &str| {
            let all = "`random`, `minimax`, `alphabeta`, `greedy`, `aggressive`, `pruning`";
            format!("`{name}` is not a built-in agent: choose one of {all}")
        };
        let depth = "expected `depth=` with a whole number of plies from 1 to 20, found";
        let pace = "expected `pace=` with seconds above 0 and up to 86400, found";
        let seed = "expected `seed=` with a whole number from 0 to 18446744073709551615, found";
        let table = [
            ("", unknown("")),
            ("Random", unknown("Random")),
            ("alpha\u{7},depth=2", unknown(r"alpha\u{7}")),
            ("random,depth=3", "`random` has no parameter `depth`: it takes `seed=N`".to_owned()),
            (
                "minimax,time=3",
                "`minimax` has no parameter `time`: it takes `depth=N`, `pace=SECONDS` and `seed=N`".to_owned(),
            ),
            ("minimax,", "`minimax` has no parameter ``: it takes `depth=N`, `pace=SECONDS` and `seed=N`".to_owned()),
            ("minimax,depth", format!("{depth} `depth`")),
            ("minimax,depth=", format!("{depth} `depth=`")),
            ("minimax,depth=0", format!("{depth} `depth=0`")),
            ("minimax,depth=21", format!("{depth} `depth=21`")),
            ("minimax,depth=+3", format!("{depth} `depth=+3`")),
            ("minimax,pace=0", format!("{pace} `pace=0`")),
            ("minimax,pace=90000", format!("{pace} `pace=90000`")),
            ("random,seed=-1", format!("{seed} `seed=-1`")),
            ("random,seed=18446744073709551616", format!("{seed} `seed=18446744073709551616`")),
            ("alphabeta,depth=3", "`alphabeta` has no parameter `depth`: it takes `nodes=N` and `seed=N`".to_owned()),
            (
                "alphabeta,nodes=0",
                "expected `nodes=` with a whole number from 1 to 1000000000000, found `nodes=0`".to_owned(),
            ),
            ("random,seed=1,seed=1", "`seed` is given twice: give it once".to_owned()),
        ];
        for (text, message) in table {
            assert_eq!(text.parse::<BuiltinAgent>().unwrap_err().to_string(), message, "{text:?}");
        }
    }
}
