//! `referee new-game`: writes an example through [`referee_matches::rules_program`].

use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::output::print;
use super::{CommandOutcome, Failure};
use crate::shell::shell_word;
use referee_matches::rules_program::{NewGameError, NewGameLanguage, write_new_game};

/// Write an example of a custom game: rules, an assignment and two agents
#[derive(Debug, Args)]
pub(super) struct NewGameCommand {
    /// Name of the game, such as `pente`; also the new directory
    name: String,
    /// Language of the rules
    #[arg(long, value_parser = languages(), default_value = "python")]
    language: NewGameLanguage,
}

fn languages() -> impl TypedValueParser<Value = NewGameLanguage> {
    let names = PossibleValuesParser::new(["python", "cpp"]);
    names.map(|name| if name == "cpp" { NewGameLanguage::Cpp } else { NewGameLanguage::Python })
}

impl NewGameCommand {
    pub(super) fn run(&self) -> Result<CommandOutcome, Failure> {
        let files = write_new_game(Path::new(""), &self.name, self.language).map_err(|error| match error {
            NewGameError::Name(_) | NewGameError::Builtin(_) | NewGameError::Python(_) | NewGameError::Exists(_) => {
                Failure::Usage(error.to_string())
            }
            NewGameError::Write { .. } => Failure::Write(error.to_string()),
        })?;
        let mut lines: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        let name = shell_word(&self.name);
        if let Some(rules) = lines.first().cloned() {
            lines.push(format!("check the rules: referee game check {}", shell_word(&rules)));
        }
        lines.push(format!("grade the agents: referee grade {name}/assignment.toml {name}/agents/*"));
        lines.push(format!(
            "hand it to students: referee kit {name}/assignment.toml --agent {name}/agents/first --out {name}-kit.zip"
        ));
        print(&format!("{}\n", lines.join("\n")))?;
        Ok(CommandOutcome::Yes)
    }
}
