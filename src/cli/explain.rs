//! `referee explain`

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::output::print;
use super::{Answer, Failure};
use crate::records::read_game;
use crate::referee::{Explanation, explain};
use crate::wording::{Names, explained, verdict_sentence};

/// Explains how a recorded game ended: what happened, by which rule, the output.txt with the place at fault marked,
/// what would have been legal, how the program ended, and where the time went.
#[derive(Debug, Args)]
pub(super) struct Explain {
    /// The record of the game: a file under RUN/games
    record: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// An explanation with the sentence of its verdict.
#[derive(Serialize)]
struct Explained<'a> {
    headline: String,
    #[serde(flatten)]
    explanation: &'a Explanation,
}

impl Explain {
    pub(super) fn run(self) -> Result<Answer, Failure> {
        let record = read_game(&self.record)?;
        let explanation = explain(&record).map_err(|difference| {
            Failure::Input(format!(
                "`{}` does not follow the rules: {difference}",
                self.record.display()
            ))
        })?;
        let names = Names::of(&record);
        if self.json {
            let headline = verdict_sentence(&record.verdict, &names);
            let text = serde_json::to_string(&Explained {
                headline,
                explanation: &explanation,
            });
            print(&(text.map_err(|error| Failure::Write(error.to_string()))? + "\n"))?;
        } else {
            print(&(explained(&explanation, &names, console::colors_enabled()).join("\n") + "\n"))?;
        }
        Ok(Answer::Yes)
    }
}
