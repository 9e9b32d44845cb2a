//! `referee verify`

use std::path::{Path, PathBuf};

use clap::Args;

use super::output::print;
use super::{Answer, Failure};
use crate::console::plain;
use crate::records::{GameRecord, Manifest, RunFolder, read_game};
use crate::referee::verify;

/// Judges recorded games again from their records alone: every move, clock and verdict must follow from the runs.
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// Folders of runs, or single records
    #[arg(required = true, value_name = "RUN|RECORD")]
    paths: Vec<PathBuf>,
}

#[derive(Default)]
struct Count {
    games: usize,
    turns: usize,
    different: usize,
}

impl Verify {
    pub(super) fn run(self) -> Result<Answer, Failure> {
        let mut count = Count::default();
        for path in &self.paths {
            if path.is_dir() {
                verify_run(path, &mut count)?;
            } else {
                check(path, &read_game(path)?, None, &mut count)?;
            }
        }
        let Count {
            games,
            turns,
            different,
        } = count;
        print(&format!("{games} games, {turns} turns, {different} different\n"))?;
        Ok(if different == 0 { Answer::Yes } else { Answer::No })
    }
}

fn verify_run(path: &Path, count: &mut Count) -> Result<(), Failure> {
    let run = RunFolder::open(path)?;
    let manifest = run.manifest()?;
    for id in run.finished()? {
        check(&run.path_of(&id), &run.game(&id)?, Some(&manifest), count)?;
    }
    Ok(())
}

fn check(path: &Path, record: &GameRecord, run: Option<&Manifest>, count: &mut Count) -> Result<(), Failure> {
    count.games += 1;
    count.turns += record.turns.len();
    let foreign = run.and_then(|manifest| manifest.contradiction(record));
    let difference = foreign.or_else(|| verify(record).err().map(|difference| difference.to_string()));
    let Some(difference) = difference else { return Ok(()) };
    count.different += 1;
    print(&format!("{}: {}\n", path.display(), plain(&difference)))
}
