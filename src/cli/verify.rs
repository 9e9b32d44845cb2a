//! `referee verify`

use std::path::{Path, PathBuf};

use clap::Args;

use super::output::{note, print};
use super::{Answer, Failure};
use crate::console::{counted, plain};
use crate::records::{GameRecord, Manifest, RecordError, RunFolder, read_game};
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
    unreadable: usize,
}

impl Verify {
    pub(super) fn run(self) -> Result<Answer, Failure> {
        let mut count = Count::default();
        for path in &self.paths {
            if path.is_dir() {
                verify_run(path, &mut count)?;
            } else {
                check(path, read_game(path), None, &mut count)?;
            }
        }
        let Count {
            games,
            turns,
            different,
            unreadable,
        } = count;
        let (games, turns) = (counted(games, "game"), counted(turns, "turn"));
        print(&format!("{games}, {turns}, {different} different\n"))?;
        match different {
            _ if unreadable > 0 => Err(Failure::Input(format!(
                "{} cannot be read",
                counted(unreadable, "record")
            ))),
            0 => Ok(Answer::Yes),
            _ => Ok(Answer::No),
        }
    }
}

/// Judges every finished game of a run again. Whatever else lies among its records is counted as different.
fn verify_run(path: &Path, count: &mut Count) -> Result<(), Failure> {
    let run = RunFolder::open(path)?;
    let manifest = run.manifest()?;
    let finished = run.finished(&manifest);
    for id in &finished {
        check(&run.path_of(id), run.game(id), Some(&manifest), count)?;
    }
    for stranger in run.strangers(&manifest)? {
        count.different += 1;
        print(&format!(
            "{}: not a game of this run: {}\n",
            path.display(),
            plain(&stranger)
        ))?;
    }
    let all = counted(manifest.games.len(), "game");
    print(&format!("{}: {} of {all} finished\n", path.display(), finished.len()))
}

fn check(
    path: &Path,
    record: Result<GameRecord, RecordError>,
    run: Option<&Manifest>,
    count: &mut Count,
) -> Result<(), Failure> {
    let record = match record {
        Ok(record) => record,
        Err(error) => {
            count.unreadable += 1;
            note(&plain(&error.to_string()));
            return Ok(());
        }
    };
    count.games += 1;
    count.turns += record.turns.len();
    let foreign = run.and_then(|manifest| manifest.contradiction(&record));
    let difference = foreign.or_else(|| verify(&record).err().map(|difference| difference.to_string()));
    let Some(difference) = difference else { return Ok(()) };
    count.different += 1;
    print(&format!("{}: {}\n", path.display(), plain(&difference)))
}
