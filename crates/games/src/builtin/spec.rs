//! A built-in agent as data: its name with its parameters, as written after `builtin:` on the command line. It runs
//! nothing; options, assignments and records contain it. [`super::names`] knows which agents there are.

use std::fmt;
use std::str::FromStr;

use crate::protocol::quote;
use referee_time::CpuTime;

/// A built-in agent.
///
/// ```
/// use referee_games::builtin::BuiltinAgent;
///
/// let agent: BuiltinAgent = "minimax,depth=3".parse()?;
/// assert_eq!(agent.to_string(), "minimax,depth=3");
/// # Ok::<(), referee_games::builtin::BuiltinSpecError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuiltinAgent {
    /// Plays any legal move.
    Random {
        /// The seed of its choices; `None`: the caller gives one.
        seed: Option<u64>,
    },
    /// Plays a best move by plain minimax.
    Minimax {
        /// The fixed depth; `None`: chosen from the remaining time.
        depth: Option<Depth>,
        /// The seed of its choices among equals; `None`: the caller gives one.
        seed: Option<u64>,
        /// The minimum charge per move, whatever it used; `None`: the time used.
        pace: Option<CpuTime>,
    },
    /// Plays as well as possible by alpha-beta search.
    AlphaBeta {
        /// The number of nodes per move; `None`: as many as its share of the remaining time allows.
        nodes: Option<NodeLimit>,
        /// The seed of its choices among equals; `None`: the caller gives one.
        seed: Option<u64>,
    },
    /// A reference agent of a single game ([`Plays::OWN_AGENTS`](super::Plays::OWN_AGENTS)).
    Own {
        /// Its name.
        name: &'static str,
        /// The seed of its choices; `None`: the caller gives one.
        seed: Option<u64>,
    },
}

/// A number of nodes to search: from 1 to [`NodeLimit::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeLimit(u64);

impl NodeLimit {
    /// Days of search; a larger number is a typing error.
    pub const MAX: u64 = 1_000_000_000_000;

    /// This number; `None` for 0 and above [`Self::MAX`].
    pub fn new(count: u64) -> Option<Self> {
        (1..=Self::MAX).contains(&count).then_some(Self(count))
    }

    /// The number of nodes.
    pub const fn count(self) -> u64 {
        self.0
    }
}

/// A search depth in plies: from 1 to [`Depth::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Depth(u8);

impl Depth {
    /// One ply: the agent's own move.
    pub const ONE: Self = Self(1);
    /// Two plies: the agent's own move and the reply.
    pub const TWO: Self = Self(2);
    /// Three plies.
    pub const THREE: Self = Self(3);
    /// Far more plies than plain minimax finishes in any game; a larger number is a typing error.
    pub const MAX: u8 = 20;

    /// This depth; `None` for 0 and above [`Self::MAX`].
    pub fn new(plies: u8) -> Option<Self> {
        (1..=Self::MAX).contains(&plies).then_some(Self(plies))
    }

    /// The number of plies.
    pub const fn plies(self) -> u8 {
        self.0
    }
}

/// Why a text names no built-in agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuiltinSpecError {
    /// There is no agent of that name.
    #[error("{} is not a built-in agent: choose one of {known}", quote(.found.as_bytes()))]
    UnknownAgent {
        /// The name.
        found: String,
        /// All agents, quoted.
        known: String,
    },
    /// The agent belongs to another game.
    #[error("`builtin:{agent}` does not play {game}: choose one of {known}")]
    OtherGame {
        /// The agent's name.
        agent: &'static str,
        /// The game's name, for use in a sentence.
        game: &'static str,
        /// The agents that play it, quoted.
        known: String,
    },
    /// The agent has no such parameter.
    #[error("`{agent}` has no parameter {}: it takes {takes}", quote(.found.as_bytes()))]
    UnknownParameter {
        /// The agent's name.
        agent: &'static str,
        /// The parameters that it takes, in words.
        takes: &'static str,
        /// The given parameter.
        found: String,
    },
    /// The parameter has no value, or an invalid one.
    #[error("expected `{parameter}=` with {expected}, found {}", quote(.found.as_bytes()))]
    WrongValue {
        /// The parameter's name.
        parameter: &'static str,
        /// The valid values, in words.
        expected: &'static str,
        /// The parameter as written.
        found: String,
    },
    /// The parameter occurs twice.
    #[error("`{0}` is given twice: give it once")]
    Twice(&'static str),
}

impl BuiltinAgent {
    /// The agent's name without its parameters.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Random { .. } => "random",
            Self::Minimax { .. } => "minimax",
            Self::AlphaBeta { .. } => "alphabeta",
            Self::Own { name, .. } => name,
        }
    }

    /// The seed in the agent's name, if any.
    pub const fn seed(&self) -> Option<u64> {
        match *self {
            Self::Random { seed }
            | Self::Minimax { seed, .. }
            | Self::AlphaBeta { seed, .. }
            | Self::Own { seed, .. } => seed,
        }
    }

    /// The minimum charge per move in its name, if any.
    pub const fn pace(&self) -> Option<CpuTime> {
        match *self {
            Self::Minimax { pace, .. } => pace,
            Self::Random { .. } | Self::AlphaBeta { .. } | Self::Own { .. } => None,
        }
    }

    /// Parses one parameter, `NAME=VALUE`.
    pub(super) fn set(&mut self, parameter: &str) -> Result<(), BuiltinSpecError> {
        let name = parameter.split_once('=').map_or(parameter, |(name, _)| name);
        match (self, name) {
            (
                Self::Random { seed }
                | Self::Minimax { seed, .. }
                | Self::AlphaBeta { seed, .. }
                | Self::Own { seed, .. },
                "seed",
            ) => set_once(seed, &SEED, parameter),
            (Self::Minimax { depth, .. }, "depth") => set_once(depth, &DEPTH, parameter),
            (Self::Minimax { pace, .. }, "pace") => set_once(pace, &PACE, parameter),
            (Self::AlphaBeta { nodes, .. }, "nodes") => set_once(nodes, &NODES, parameter),
            (agent, _) => Err(BuiltinSpecError::UnknownParameter {
                agent: agent.name(),
                takes: match agent {
                    Self::Random { .. } | Self::Own { .. } => "`seed=N`",
                    Self::Minimax { .. } => "`depth=N`, `pace=SECONDS` and `seed=N`",
                    Self::AlphaBeta { .. } => "`nodes=N` and `seed=N`",
                },
                found: name.to_owned(),
            }),
        }
    }
}

/// A parameter of an agent.
struct Parameter<T> {
    name: &'static str,
    expected: &'static str,
    read: fn(&str) -> Option<T>,
}

const SEED: Parameter<u64> =
    Parameter { name: "seed", expected: "a whole number from 0 to 18446744073709551615", read: read_number };

const DEPTH: Parameter<Depth> = Parameter {
    name: "depth",
    expected: "a whole number of plies from 1 to 20",
    read: |value| Depth::new(read_number(value)?),
};

const PACE: Parameter<CpuTime> = Parameter {
    name: "pace",
    expected: "seconds above 0 and up to 86400",
    read: |value| {
        let pace: CpuTime = value.parse().ok()?;
        (CpuTime::ZERO < pace && pace <= CpuTime::from_secs(86_400)).then_some(pace)
    },
};

const NODES: Parameter<NodeLimit> = Parameter {
    name: "nodes",
    expected: "a whole number from 1 to 1000000000000",
    read: |value| NodeLimit::new(read_number(value)?),
};

fn set_once<T>(place: &mut Option<T>, parameter: &Parameter<T>, written: &str) -> Result<(), BuiltinSpecError> {
    let &Parameter { name, expected, read } = parameter;
    if place.is_some() {
        return Err(BuiltinSpecError::Twice(name));
    }
    *place = written.split_once('=').and_then(|(_, value)| read(value));
    if place.is_some() {
        return Ok(());
    }
    Err(BuiltinSpecError::WrongValue { parameter: name, expected, found: written.to_owned() })
}

/// Accepts only digits: the standard library would accept a `+` too.
fn read_number<N: FromStr>(text: &str) -> Option<N> {
    let digits_only = text.bytes().all(|byte| byte.is_ascii_digit());
    digits_only.then(|| text.parse().ok()).flatten()
}

/// In the format that is parsed: `random`, `minimax,depth=3,seed=7`.
impl fmt::Display for BuiltinAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        if let Self::Minimax { depth: Some(depth), .. } = self {
            write!(f, ",depth={}", depth.plies())?;
        }
        if let Self::Minimax { pace: Some(pace), .. } = self {
            write!(f, ",pace={pace}")?;
        }
        if let Self::AlphaBeta { nodes: Some(nodes), .. } = self {
            write!(f, ",nodes={}", nodes.count())?;
        }
        match self.seed() {
            Some(seed) => write!(f, ",seed={seed}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_names_the_right_bounds() {
        assert!(DEPTH.expected.ends_with(&format!(" 1 to {}", Depth::MAX)));
        assert!(NODES.expected.ends_with(&format!(" 1 to {}", NodeLimit::MAX)));
        assert!(SEED.expected.ends_with(&format!(" 0 to {}", u64::MAX)));
    }
}
