//! The names of games and of the variants of their rules: [`GameId`] as records have them, and what a [`GameRef`] is
//! called. It has no rules, and looks names up among the built-in games only; [`super::known`] knows others.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};

use super::{GAMES, GameRef};
use crate::protocol::respell::listed;

/// What records say of a game, in these words. It is a value: whether there is such a game,
/// [`KnownGames`](super::KnownGames) knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GameId {
    /// The game's [name](GameRef::name).
    #[serde(rename = "game")]
    pub name: String,
    /// The variant of its rules, if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The digest of the rules program, where the rules are one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules_program: Option<String>,
}

/// A text that is not the name of a built-in game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a game: choose one of {names}", names = listed(sorted(.0, GameRef::all().map(GameRef::name))))]
pub struct UnknownGame(pub String);

/// An unknown variant of a game's rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownRules {
    /// The game has only one variant.
    #[error("{game} has one set of rules")]
    OneSet {
        /// The game's name, for use in a sentence.
        game: &'static str,
    },
    /// The game has others.
    #[error("`{found}` is not a rule set of {game}: choose one of {known}")]
    Others {
        /// The game's name, for use in a sentence.
        game: &'static str,
        /// What was found.
        found: String,
        /// The variants, quoted.
        known: String,
        /// The variant with the most similar name.
        nearest: &'static str,
    },
}

impl UnknownGame {
    /// The game with the most similar name.
    pub fn nearest(&self) -> Option<&'static str> {
        sorted(&self.0, GameRef::all().map(GameRef::name)).first().copied()
    }
}

impl GameRef {
    /// The default variant of every game, in the order of the registry.
    pub fn all() -> impl Iterator<Item = Self> {
        GAMES.iter().filter_map(|variants| variants.first().copied())
    }

    /// Every variant of every game.
    pub fn all_variants() -> impl Iterator<Item = Self> {
        GAMES.iter().flat_map(|variants| variants.iter().copied())
    }

    /// The game's name on the command line, without variant.
    pub fn name(self) -> &'static str {
        self.profile().name
    }

    /// What records say of it.
    pub fn id(self) -> GameId {
        GameId {
            name: self.name().to_owned(),
            rules: self.rules().map(str::to_owned),
            rules_program: self.rules_program().map(|program| program.digest.clone()),
        }
    }

    /// The variants of the game's rules, this one among them.
    pub fn variants(self) -> impl Iterator<Item = Self> {
        Self::all_variants().filter(move |other| other.name() == self.name())
    }

    /// The same game with the variant `rules`.
    ///
    /// # Errors
    ///
    /// [`UnknownRules`] if it has no such variant.
    pub fn with_rules(self, rules: &str) -> Result<Self, UnknownRules> {
        let game = self.profile().title;
        let known = sorted(rules, self.variants().filter_map(|variant| variant.rules()));
        let Some(&nearest) = known.first() else {
            return Err(UnknownRules::OneSet { game });
        };
        let named = self.variants().find(|variant| variant.rules() == Some(rules));
        named.ok_or_else(|| UnknownRules::Others { game, found: rules.to_owned(), known: listed(&known), nearest })
    }

    /// The game of an `input.txt`, by its first line and number of lines, in the default variant; `None` if it is of no
    /// game.
    pub fn detect(text: &[u8]) -> Option<Self> {
        let text = text.trim_ascii_end();
        let first = text.split(|&byte| byte == b'\n').next()?.trim_ascii_end();
        let lines = text.split(|&byte| byte == b'\n').count();
        let fits = |strict: bool| {
            Self::all().find(|game| {
                let form = game.profile().input;
                let named = form.first_line.iter().any(|word| word.as_bytes() == first);
                named && (!strict || form.lines == lines)
            })
        };
        // A board of the wrong size still belongs to the only game that begins so.
        let alone = |game: Self| {
            let shares = |other: &Self| {
                let first = other.profile().input.first_line;
                first.iter().any(|word| game.profile().input.first_line.contains(word))
            };
            Self::all().filter(shares).count() == 1
        };
        fits(true).or_else(|| fits(false).filter(|&game| alone(game)))
    }
}

impl GameRef {
    /// What tells the game from all others: its name, its variant, and the digest of a rules program.
    fn identity(self) -> (&'static str, Option<&'static str>, Option<&'static str>) {
        let digest = self.rules_program().map(|program| program.digest.as_str());
        (self.name(), self.rules(), digest)
    }
}

impl PartialEq for GameRef {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for GameRef {}

impl Hash for GameRef {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

impl fmt::Debug for GameRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GameRef({self})")
    }
}

/// The game in a sentence, with the variant if it has several: `checkers`, `Halma (addendum)`. Programs and options
/// have its [name](GameRef::name).
impl fmt::Display for GameRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.profile().title)?;
        match self.rules() {
            Some(rules) => write!(f, " ({rules})"),
            None => Ok(()),
        }
    }
}

/// The built-in game of that name, of which one with several rule sets gets the usual one.
impl FromStr for GameRef {
    type Err = UnknownGame;

    fn from_str(name: &str) -> Result<Self, UnknownGame> {
        Self::all().find(|game| game.name() == name).ok_or_else(|| UnknownGame(name.to_owned()))
    }
}

/// As its [`GameId`].
impl Serialize for GameRef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.id().serialize(serializer)
    }
}

/// `known`, the most similar to `name` first.
fn sorted(name: &str, known: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut known: Vec<&str> = known.collect();
    // A longer name resembles none.
    let name: String = name.chars().take(100).collect();
    known.sort_by_cached_key(|known| strsim::osa_distance(&name, known));
    known
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{KnownGames, UnknownRecordedGame};

    #[test]
    fn names_are_read_as_they_are_written_and_unlike_each_other() {
        for game in GameRef::all_variants() {
            let again: GameRef = game.name().parse().unwrap();
            let again = game.rules().map_or(again, |rules| again.with_rules(rules).unwrap());
            assert_eq!(again, game);
            let json = serde_json::to_string(&game).unwrap();
            let id = serde_json::from_str(&json).unwrap();
            assert_eq!(KnownGames::builtin().recorded(&id, Path::new("run")), Ok(game), "{json}");
            assert_eq!(GameRef::all_variants().filter(|other| *other == game).count(), 1);
        }
    }

    #[test]
    fn an_unknown_game_lists_the_known_ones_nearest_first() {
        let said = "chekcers".parse::<GameRef>().unwrap_err().to_string();
        assert!(said.starts_with("`chekcers` is not a game: choose one of `checkers`, "), "{said}");
        let said = "circle".parse::<GameRef>().unwrap_err().to_string();
        assert!(GameRef::all().all(|game| said.contains(game.name())), "{said}");
    }

    #[test]
    fn a_record_of_a_rules_program_is_a_value_without_its_rules() {
        let json = r#"{"game":"pente","rules_program":"0c"}"#;
        let id: GameId = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&id).unwrap(), json);
        let recorded = |id: &GameId| KnownGames::builtin().recorded(id, Path::new("run")).unwrap_err();
        assert!(matches!(recorded(&id), UnknownRecordedGame::Rules(_)));
        assert!(matches!(recorded(&GameId { rules_program: None, ..id }), UnknownRecordedGame::Game(_)));
    }

    #[test]
    fn rules_are_those_of_the_game() {
        let several = GameRef::all().find(|game| game.rules().is_some()).unwrap();
        let said = several.with_rules("x").unwrap_err().to_string();
        assert!(several.variants().all(|variant| said.contains(variant.rules().unwrap())), "{said}");
        let one = GameRef::all().find(|game| game.rules().is_none()).unwrap();
        assert!(one.with_rules("x").unwrap_err().to_string().ends_with("has one set of rules"));
    }
}
