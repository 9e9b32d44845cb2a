//! `referee solve`

use std::io::{self, Read};
use std::path::PathBuf;

use clap::Args;

use super::game::{LARGEST_TEXT_BYTES, read};
use super::output::print;
use super::{Answer, Failure};
use crate::games::star_circle::{Solution, solve};
use crate::protocol::read_question;

/// Prints the right output.txt of a Star-and-Circle input: next move, both utilities, number of nodes.
#[derive(Debug, Args)]
pub(super) struct Solve {
    /// The input.txt with the question [default: standard input]
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Solve {
    pub(super) fn run(self) -> Result<Answer, Failure> {
        let (text, source) = match &self.input {
            Some(path) => (read(path)?, format!("`{}`", path.display())),
            None => (read_standard_input()?, "standard input".to_owned()),
        };
        let question = read_question(&text).map_err(|fault| Failure::Input(format!("{source}: {fault}")))?;
        let solution = solve(&question);
        print(&if self.json {
            format!("{}\n", in_json(&solution))
        } else {
            format!("{solution}\n")
        })?;
        Ok(Answer::Yes)
    }
}

fn in_json(solution: &Solution) -> serde_json::Value {
    serde_json::json!({
        "next_move": solution.next_move.map_or_else(|| "pass".to_owned(), |mv| mv.to_string()),
        "myopic": solution.myopic,
        "farsighted": solution.farsighted,
        "nodes": solution.nodes,
    })
}

fn read_standard_input() -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    io::stdin()
        .lock()
        .take(LARGEST_TEXT_BYTES)
        .read_to_end(&mut text)
        .map_err(|error| Failure::Input(format!("standard input: {error}")))?;
    Ok(text)
}
