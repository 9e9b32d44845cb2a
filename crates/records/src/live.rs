//! The live feed of running games, for spectators: one small file per running game.
//!
//! `tournament/live_feed` writes it; `serve` and `report` read it. Nothing may be judged or counted from it: it may be
//! late, missing, or left over from a killed process. So it is not synced, and contains a timestamp that shows whether
//! its writer is still alive.

use std::collections::{HashMap, HashSet};
use std::fs::{self, DirEntry, Metadata};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirEntryExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::files::{UNFINISHED, entries_of, remove_file, remove_unfinished, unfinished_file};
use super::reading::parsed;
use super::store::{ANSWERS, GAMES, MANIFEST};
use super::voids::VOIDS;
use super::{PerSide, RecordError, RunFolder, read_bounded, unix_ms};
use referee_games::Side;
use referee_time::CpuTime;

const LIVE: &str = "live";

/// More than the largest board needs.
const MAX_BYTES: u64 = 1 << 16;

/// The current state of a running game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveGame {
    /// The version of this format, [`SCHEMA`](super::SCHEMA).
    pub schema: u32,
    /// The game's name in its run.
    pub id: String,
    /// The number of turns taken.
    pub turns: usize,
    /// The board, top row first.
    pub rows: Vec<String>,
    /// What stands beside it; see [`notes`](referee_games::GameState::notes).
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
    /// The board one turn earlier; empty before the first turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// The side whose agent is running; `None` when the game is over.
    pub at_work: Option<Side>,
    /// When this position first stood, in milliseconds since 1970.
    pub since_unix_ms: u64,
    /// When this was last written, in milliseconds since 1970.
    pub written_unix_ms: u64,
    /// The clocks at that time.
    #[serde(rename = "left_cpu_us")]
    pub clocks: PerSide<CpuTime>,
    /// The last turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<LastTurn>,
}

/// The last turn of a running game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastTurn {
    /// The side.
    pub side: Side,
    /// The move as written; `None` for a pass and for an illegal answer.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
}

impl LiveGame {
    /// The maximum interval between two writes, even if nothing has happened.
    pub const HEARTBEAT: Duration = Duration::from_secs(10);

    /// The age at which the writer counts as gone.
    pub const GONE_AFTER: Duration = Duration::from_secs(40);

    /// Whether the writer is gone at `now_unix_ms`, in milliseconds since 1970. A time in the future is from another
    /// machine whose clock is ahead.
    pub const fn is_forgotten(&self, now_unix_ms: u64) -> bool {
        now_unix_ms.saturating_sub(self.written_unix_ms) / 1000 >= Self::GONE_AFTER.as_secs()
    }
}

/// A file of the live feed. Any of these fields changes with each state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveFile {
    /// The name of the game.
    pub id: String,
    /// The inode.
    pub inode: u64,
    /// The modification time.
    pub modified: Option<SystemTime>,
}

/// The modification times of parts of a folder; `None` if missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changes {
    /// The manifest.
    pub manifest: Option<SystemTime>,
    /// The folder of games.
    pub games: Option<SystemTime>,
    /// The folder of answers.
    pub answers: Option<SystemTime>,
    /// The folder of voids.
    pub voids: Option<SystemTime>,
}

impl RunFolder {
    /// The current modification times.
    pub fn changes(&self) -> Changes {
        let modified = |part: &str| fs::metadata(self.path().join(part)).and_then(|it| it.modified()).ok();
        Changes {
            manifest: modified(MANIFEST),
            games: modified(GAMES),
            answers: modified(ANSWERS),
            voids: modified(VOIDS),
        }
    }

    /// Of the games `ids`, those that are finished, each with the inode of its record or pack.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn game_files<'a>(&self, ids: impl Iterator<Item = &'a str>) -> io::Result<HashMap<String, u64>> {
        let mut wanted: HashSet<&str> = ids.collect();
        let mut files = HashMap::new();
        let folder = self.path().join(GAMES);
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if let Some(id) = id_of(&name).and_then(|id| wanted.take(id)) {
                files.insert(id.to_owned(), entry.ino());
            }
        }
        // After the others are listed, so that none is missed that is packed at this moment.
        drop(self.packs.open_new(&folder));
        files.extend(wanted.into_iter().filter_map(|id| Some((id.to_owned(), self.packs.inode(id)?))));
        Ok(files)
    }

    /// Publishes the state of `game`.
    ///
    /// Each state is a new file, so a reader sees one state or another, never a mixture. It is exchanged with the
    /// previous one instead of replacing it: ext4 flushes a file that replaces another (man 5 ext4, `auto_da_alloc`),
    /// half a millisecond a turn.
    ///
    /// # Errors
    ///
    /// The system's. The previous state may remain.
    pub fn publish(&self, game: &LiveGame) -> io::Result<()> {
        let folder = self.path().join(LIVE);
        let path = live_path(&folder, &game.id);
        let text = serde_json::to_vec(game)?;
        let mut unfinished = match unfinished_file(&folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                fs::create_dir_all(&folder)?;
                unfinished_file(&folder)?
            }
            created => created?,
        };
        unfinished.write_all(&text)?;
        // Exchanged, it is the state before.
        if !is_exchanged(unfinished.path(), &path) {
            unfinished.persist(path)?;
        }
        Ok(())
    }

    /// Removes the game `id` from the feed.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`]; a missing file is no error.
    pub fn unpublish(&self, id: &str) -> Result<(), RecordError> {
        remove_file(&live_path(&self.path().join(LIVE), id))
    }

    /// The files of the feed, unsorted.
    ///
    /// # Errors
    ///
    /// [`RecordError::Read`]; a missing folder is no error.
    pub fn live_files(&self) -> Result<Vec<LiveFile>, RecordError> {
        let file = |entry: &DirEntry| {
            let id = id_of(&entry.file_name().to_string_lossy())?.to_owned();
            // It may be gone by now; and reading a pipe would block.
            let metadata = entry.metadata().ok().filter(Metadata::is_file)?;
            Some(LiveFile { id, inode: metadata.ino(), modified: metadata.modified().ok() })
        };
        Ok(entries_of(&self.path().join(LIVE))?.iter().filter_map(file).collect())
    }

    /// The state of the game `id`; `None` if it is missing or unreadable.
    pub fn live_game(&self, id: &str) -> Option<LiveGame> {
        let path = live_path(&self.path().join(LIVE), id);
        let text = read_bounded(&path, MAX_BYTES).ok()?;
        let game: LiveGame = parsed(&text, &path).ok()?;
        (game.id == id).then_some(game)
    }

    /// Removes the files of dead processes. A living process will write its file again.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if the feed cannot be listed, or a file cannot be removed.
    pub fn remove_leftovers(&self) -> Result<(), RecordError> {
        remove_unfinished(&self.path().join(LIVE));
        let now = unix_ms();
        for LiveFile { id, .. } in self.live_files()? {
            let game = self.live_game(&id);
            if self.has_game(&id) || game.is_none_or(|game| game.is_forgotten(now)) {
                self.unpublish(&id)?;
            }
        }
        Ok(())
    }
}

/// Exchanges two files, if both exist and the file system can.
#[cfg(target_os = "linux")]
fn is_exchanged(one: &Path, other: &Path) -> bool {
    use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};
    renameat2(AT_FDCWD, one, AT_FDCWD, other, RenameFlags::RENAME_EXCHANGE).is_ok()
}

#[cfg(not(target_os = "linux"))]
const fn is_exchanged(_: &Path, _: &Path) -> bool {
    false
}

fn live_path(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.json"))
}

fn id_of(name: &str) -> Option<&str> {
    name.strip_suffix(".json").filter(|id| !id.starts_with(UNFINISHED))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::SCHEMA;
    use referee_games::KnownGames;

    fn game(id: &str) -> LiveGame {
        LiveGame {
            schema: SCHEMA,
            id: id.to_owned(),
            turns: 3,
            rows: vec!["b.".to_owned(), ".w".to_owned()],
            notes: "Captures: X 4".to_owned(),
            before: vec!["b.".to_owned(), "w.".to_owned()],
            at_work: Some(Side::Black),
            since_unix_ms: unix_ms(),
            written_unix_ms: unix_ms(),
            clocks: PerSide { black: CpuTime::from_micros(5), white: CpuTime::from_micros(6) },
            last: Some(LastTurn { side: Side::White, mv: Some("E c3 d4".to_owned()) }),
        }
    }

    fn folder() -> (tempfile::TempDir, RunFolder) {
        let directory = tempfile::tempdir().unwrap();
        let folder = RunFolder::new(directory.path(), &KnownGames::builtin());
        (directory, folder)
    }

    fn published(folder: &RunFolder) -> Vec<String> {
        let mut ids: Vec<String> = folder.live_files().unwrap().into_iter().map(|file| file.id).collect();
        ids.sort_unstable();
        ids
    }

    #[test]
    fn what_is_told_is_read_and_told_anew_and_each_telling_is_noticed() {
        let (_directory, folder) = folder();
        let mut before = folder.live_files().unwrap();
        assert_eq!(before, []);
        let long = game("g0001");
        let short = LiveGame { rows: vec![".".to_owned()], last: None, ..long.clone() };
        for game in [&long, &short, &long, &long] {
            folder.publish(game).unwrap();
            assert_eq!(folder.live_game("g0001").as_ref(), Some(game));
            assert_eq!(published(&folder), ["g0001"]);
            assert_ne!(folder.live_files().unwrap(), before);
            before = folder.live_files().unwrap();
        }
        folder.unpublish("g0001").unwrap();
        folder.unpublish("g0001").unwrap();
        assert_eq!(folder.live_game("g0001"), None);
    }

    #[test]
    fn whoever_reads_while_it_is_written_reads_one_telling_or_the_other() {
        let (_directory, folder) = folder();
        let states = [1, 1_000_000].map(|turns| LiveGame { turns, ..game("g0001") });
        folder.publish(&states[0]).unwrap();
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for game in states.iter().cycle().take_while(|_| !is_over.load(Ordering::Relaxed)) {
                    folder.publish(game).unwrap();
                }
            });
            let reads: Vec<_> = (0..20_000).map(|_| folder.live_game("g0001")).collect();
            is_over.store(true, Ordering::Relaxed);
            let misread = reads.iter().find(|read| !states.iter().any(|game| read.as_ref() == Some(game)));
            assert_eq!(misread, None);
        });
    }

    #[test]
    fn what_somebody_else_has_put_there_is_replaced_and_never_waited_for() {
        let (directory, folder) = folder();
        let elsewhere = directory.path().join("elsewhere");
        fs::write(&elsewhere, "mine").unwrap();
        fs::create_dir(directory.path().join(LIVE)).unwrap();
        let path = |id: &str| live_path(&directory.path().join(LIVE), id);
        std::os::unix::fs::symlink(&elsewhere, path("symbolic")).unwrap();
        fs::hard_link(&elsewhere, path("hard")).unwrap();
        nix::unistd::mkfifo(&path("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        nix::unistd::mkfifo(&path("left"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert_eq!(published(&folder), ["hard"]);
        for id in ["symbolic", "hard", "pipe"] {
            folder.publish(&game(id)).unwrap();
            assert_eq!(folder.live_game(id).map(|game| game.turns), Some(3), "{id}");
        }
        assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "mine");
        folder.remove_leftovers().unwrap();
        assert_eq!(published(&folder), ["hard", "pipe", "symbolic"]);
    }

    #[test]
    fn what_is_no_telling_is_nothing() {
        let (directory, folder) = folder();
        folder.publish(&game("g0001")).unwrap();
        let path = |name: &str| directory.path().join(LIVE).join(name);
        let newer = serde_json::to_string(&LiveGame { schema: SCHEMA + 1, ..game("newer") }).unwrap();
        let large = " ".repeat(70_000);
        for (id, text) in [
            ("broken", "{"),
            ("newer", &*newer),
            ("large", &*large),
            ("other", &*fs::read_to_string(path("g0001.json")).unwrap()),
        ] {
            fs::write(path(&format!("{id}.json")), text).unwrap();
            assert_eq!(folder.live_game(id), None, "{id}");
        }
        assert_eq!(folder.live_game("none"), None);
    }

    #[test]
    fn only_what_somebody_stands_behind_is_kept_for_the_next_run() {
        let (directory, folder) = folder();
        let old = LiveGame { written_unix_ms: unix_ms() - 50_000, ..game("old") };
        let ahead = LiveGame { written_unix_ms: unix_ms() + 3_600_000, ..game("ahead") };
        for game in [&old, &ahead, &game("young"), &game("finished")] {
            folder.publish(game).unwrap();
        }
        fs::write(directory.path().join(LIVE).join("broken.json"), "{").unwrap();
        fs::create_dir(directory.path().join("games")).unwrap();
        fs::write(directory.path().join("games/finished.json"), "{}").unwrap();
        folder.remove_leftovers().unwrap();
        assert_eq!(published(&folder), ["ahead", "young"]);
    }
}
