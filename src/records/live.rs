//! What is told of a game in hand, for whoever looks on: one small file a game, for as long as it goes on.
//!
//! Nothing is judged or counted from it: it may be late, missing or left over by a process that was killed. So it is
//! not synced, and it has a time of its own by which a reader knows that somebody still stands behind it.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirEntryExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::store::{ANSWERS, GAMES, MANIFEST, SchemaOnly, UNFINISHED};
use super::{PerSide, RunFolder, SCHEMA, read_bounded};
use crate::games::Side;
use crate::time::CpuTime;

const LIVE: &str = "live";

/// More than the largest board needs.
const LARGEST_BYTES: u64 = 1 << 16;

/// A game in hand, as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveGame {
    /// The version of this format, [`SCHEMA`].
    pub schema: u32,
    /// The game's name within its run.
    pub id: String,
    /// How many turns have been taken.
    pub turns: usize,
    /// The board, top row first.
    pub rows: Vec<String>,
    /// The board one turn before; empty before the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// Whose agent is at work; `None` when the game is over.
    pub at_work: Option<Side>,
    /// Milliseconds since 1970 at which it stood so first.
    pub since_unix_ms: u64,
    /// Milliseconds since 1970 at which this was told last.
    pub told_unix_ms: u64,
    /// What each side had left then.
    #[serde(rename = "left_cpu_us")]
    pub clocks: PerSide<CpuTime>,
    /// The last turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<LastTurn>,
}

/// The last turn of a game in hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastTurn {
    /// Whose it was.
    pub side: Side,
    /// The move as it is written; `None` for a pass and for an answer that was no move.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
}

impl LiveGame {
    /// How long a game is told of again at the latest, though nothing has happened.
    pub const BEAT: Duration = Duration::from_secs(10);

    /// After how long nobody stands behind it any more.
    pub const FORGOTTEN: Duration = Duration::from_secs(40);

    /// Whether nobody has told of it for so long at `now`, in milliseconds since 1970, that nobody will. A time in the
    /// future is that of another machine, whose clock is ahead.
    pub const fn is_forgotten(&self, now_unix_ms: u64) -> bool {
        now_unix_ms.saturating_sub(self.told_unix_ms) / 1000 >= Self::FORGOTTEN.as_secs()
    }
}

/// Milliseconds since 1970.
pub fn unix_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// A file that tells of a game in hand. It is another one as soon as any of these has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveFile {
    /// The game that it tells of, by its name.
    pub id: String,
    /// Which file it is, to the system.
    pub inode: u64,
    /// When it was written, to the system.
    pub modified: Option<SystemTime>,
}

/// When parts of a folder were changed last; `None` where they are not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changes {
    /// The manifest.
    pub manifest: Option<SystemTime>,
    /// Which games there are.
    pub games: Option<SystemTime>,
    /// Which answers there are.
    pub answers: Option<SystemTime>,
}

impl RunFolder {
    /// When its parts were changed last.
    pub fn changes(&self) -> Changes {
        let modified = |part: &str| fs::metadata(self.path().join(part)).and_then(|it| it.modified()).ok();
        Changes {
            manifest: modified(MANIFEST),
            games: modified(GAMES),
            answers: modified(ANSWERS),
        }
    }

    /// The names of the games that are finished, in no order, and which file the record of each is, to the system.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn game_files(&self) -> io::Result<Vec<(String, u64)>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(self.path().join(GAMES))? {
            let entry = entry?;
            if let Some(id) = id_of(&entry.file_name().to_string_lossy()) {
                files.push((id.to_owned(), entry.ino()));
            }
        }
        Ok(files)
    }

    /// Tells how `game` stands.
    ///
    /// A file is made whole and under its name at once, and written over after that: replacing it each time would have
    /// file systems write it to the disk at once, which is half a millisecond for a turn. A reader may see it while it
    /// is written; then it is no JSON, and is read once more.
    ///
    /// # Errors
    ///
    /// The system's. What was told before may still be there.
    pub fn tell(&self, game: &LiveGame) -> io::Result<()> {
        let folder = self.path().join(LIVE);
        let path = live_path(&folder, &game.id);
        let mut text = serde_json::to_vec(game)?;
        if let Some(mut file) = own_file(&path) {
            // Blanks, which JSON does not mind, hide the end of a longer text.
            let before = usize::try_from(file.metadata()?.len().min(LARGEST_BYTES)).unwrap_or_default();
            text.resize(text.len().max(before), b' ');
            return file.write_all(&text);
        }
        let unfinished = folder.join(format!("{UNFINISHED}{}", game.id));
        if let Err(error) = fs::write(&unfinished, &text) {
            if error.kind() != ErrorKind::NotFound {
                return Err(error);
            }
            fs::create_dir_all(&folder)?;
            fs::write(&unfinished, &text)?;
        }
        fs::rename(&unfinished, path)
    }

    /// Tells nothing of the game `id` any more.
    ///
    /// # Errors
    ///
    /// The system's; that nothing was told is none.
    pub fn untell(&self, id: &str) -> io::Result<()> {
        remove(&live_path(&self.path().join(LIVE), id))
    }

    /// What is told of games in hand, in no order.
    ///
    /// # Errors
    ///
    /// The system's; that nothing was ever told is none.
    pub fn live_files(&self) -> io::Result<Vec<LiveFile>> {
        let entries = match fs::read_dir(self.path().join(LIVE)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut files = Vec::new();
        for entry in entries {
            let entry = entry?;
            let Some(id) = id_of(&entry.file_name().to_string_lossy()).map(str::to_owned) else {
                continue;
            };
            // It may be gone by now; and a pipe would be waited for by whoever reads it.
            let Some(metadata) = entry.metadata().ok().filter(Metadata::is_file) else {
                continue;
            };
            files.push(LiveFile {
                id,
                inode: metadata.ino(),
                modified: metadata.modified().ok(),
            });
        }
        Ok(files)
    }

    /// What is told of the game `id`; `None` where nothing is, or nothing that this program understands.
    pub fn live_game(&self, id: &str) -> Option<LiveGame> {
        let path = live_path(&self.path().join(LIVE), id);
        let read = || {
            let text = read_bounded(&path, LARGEST_BYTES).ok()?;
            let SchemaOnly { schema } = serde_json::from_slice(&text).ok()?;
            if schema > u64::from(SCHEMA) {
                return None;
            }
            serde_json::from_slice(&text).ok()
        };
        let game: LiveGame = read().or_else(read)?;
        (game.id == id).then_some(game)
    }

    /// Removes what was told by processes that are gone. What a living one has told in the meantime it will tell again.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn forget_left_overs(&self) -> io::Result<()> {
        let now = unix_ms();
        for LiveFile { id, .. } in self.live_files()? {
            let game = self.live_game(&id);
            if self.path_of(&id).exists() || game.is_none_or(|game| game.is_forgotten(now)) {
                self.untell(&id)?;
            }
        }
        Ok(())
    }
}

/// The file at `path`, to be written over: a regular one that has no other name. An agent that nothing keeps in may
/// have put something else there: a link to what is not ours, or a pipe, which is never to be waited for.
fn own_file(path: &Path) -> Option<File> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = OpenOptions::new().write(true).custom_flags(flags).open(path).ok()?;
    let metadata = file.metadata().ok()?;
    (metadata.is_file() && metadata.nlink() == 1).then_some(file)
}

fn live_path(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.json"))
}

fn id_of(name: &str) -> Option<&str> {
    name.strip_suffix(".json").filter(|id| !id.starts_with(UNFINISHED))
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(id: &str) -> LiveGame {
        LiveGame {
            schema: SCHEMA,
            id: id.to_owned(),
            turns: 3,
            rows: vec!["b.".to_owned(), ".w".to_owned()],
            before: vec!["b.".to_owned(), "w.".to_owned()],
            at_work: Some(Side::Black),
            since_unix_ms: unix_ms(),
            told_unix_ms: unix_ms(),
            clocks: PerSide {
                black: CpuTime::from_micros(5),
                white: CpuTime::from_micros(6),
            },
            last: Some(LastTurn {
                side: Side::White,
                mv: Some("E c3 d4".to_owned()),
            }),
        }
    }

    fn folder() -> (tempfile::TempDir, RunFolder) {
        let directory = tempfile::tempdir().unwrap();
        let folder = RunFolder::at(directory.path());
        (directory, folder)
    }

    fn told(folder: &RunFolder) -> Vec<String> {
        let mut ids: Vec<String> = folder.live_files().unwrap().into_iter().map(|file| file.id).collect();
        ids.sort();
        ids
    }

    #[test]
    fn what_is_told_is_read_and_told_anew() {
        let (_directory, folder) = folder();
        assert_eq!(told(&folder), [""; 0]);
        let long = game("g0001");
        let short = LiveGame {
            rows: vec![".".to_owned()],
            last: None,
            ..long.clone()
        };
        for game in [&long, &short, &long] {
            folder.tell(game).unwrap();
            assert_eq!(folder.live_game("g0001").as_ref(), Some(game));
            assert_eq!(told(&folder), ["g0001"]);
        }
        folder.untell("g0001").unwrap();
        folder.untell("g0001").unwrap();
        assert_eq!(folder.live_game("g0001"), None);
    }

    #[test]
    fn each_telling_is_noticed() {
        let (_directory, folder) = folder();
        folder.tell(&game("g0001")).unwrap();
        let first = folder.live_files().unwrap();
        // The clock of a file system goes in steps, which are shorter than the pace of tellings.
        std::thread::sleep(Duration::from_millis(50));
        folder.tell(&game("g0001")).unwrap();
        let second = folder.live_files().unwrap();
        assert_eq!((first.len(), second.len()), (1, 1));
        assert_ne!(first, second);
    }

    #[test]
    fn whoever_reads_while_it_is_written_reads_one_telling_or_the_other() {
        let (_directory, folder) = folder();
        let tellings = [1, 1_000_000].map(|turns| LiveGame { turns, ..game("g0001") });
        folder.tell(&tellings[0]).unwrap();
        std::thread::scope(|scope| {
            let teller = scope.spawn(|| {
                for at in 0..20_000 {
                    folder.tell(&tellings[at % 2]).unwrap();
                }
            });
            let (mut reads, mut missed) = (0, 0);
            while !teller.is_finished() {
                reads += 1;
                match folder.live_game("g0001") {
                    Some(game) => assert!(tellings.contains(&game), "{game:?}"),
                    None => missed += 1,
                }
            }
            // Seldom even here, where a file is written all the time, not ten times a second.
            assert!(missed * 20 < reads, "{missed} of {reads}");
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
        assert_eq!(told(&folder), ["hard"]);
        for id in ["symbolic", "hard", "pipe"] {
            folder.tell(&game(id)).unwrap();
            assert_eq!(folder.live_game(id).map(|game| game.turns), Some(3), "{id}");
        }
        assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "mine");
        folder.forget_left_overs().unwrap();
        assert_eq!(told(&folder), ["hard", "pipe", "symbolic"]);
    }

    #[test]
    fn what_is_no_telling_is_nothing() {
        let (directory, folder) = folder();
        folder.tell(&game("g0001")).unwrap();
        let path = |name: &str| directory.path().join(LIVE).join(name);
        let newer = serde_json::to_string(&LiveGame {
            schema: SCHEMA + 1,
            ..game("newer")
        })
        .unwrap();
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
        let old = LiveGame {
            told_unix_ms: unix_ms() - 50_000,
            ..game("old")
        };
        let ahead = LiveGame {
            told_unix_ms: unix_ms() + 3_600_000,
            ..game("ahead")
        };
        for game in [&old, &ahead, &game("young"), &game("finished")] {
            folder.tell(game).unwrap();
        }
        fs::write(directory.path().join(LIVE).join("broken.json"), "{").unwrap();
        fs::create_dir(directory.path().join("games")).unwrap();
        fs::write(directory.path().join("games/finished.json"), "{}").unwrap();
        folder.forget_left_overs().unwrap();
        assert_eq!(told(&folder), ["ahead", "young"]);
    }
}
