//! Packed records: many games in one compressed file, so that a ladder of half a million games is opened in seconds and
//! copied as a few hundred files. `store` looks here for a record that has no file of its own.
//!
//! A pack is a ZIP archive `packed-NNNN.zip` in the folder of games. Its entries are the records under the names and
//! with the bytes of their files, so any program that reads ZIP unpacks them; the last entry has what standings need of
//! each game, which `verify` compares with the records. A pack never changes. `packing` writes them.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use parking_lot::{RwLock, RwLockReadGuard};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use zip::ZipArchive;

use super::bounded::{MAX_RECORD_BYTES, read_stream};
use super::{GameOnMachine, GameSummary, Host, LadderGame, Outcome, PerSide, PlayedOn, SCHEMA, TurnTotals};
use referee_games::Side;
use referee_seat::Meter;
use referee_time::CpuTime;

/// The entry with the summaries. No game has this name.
pub(super) const SUMMARIES: &str = "summaries.json";

/// More than the summaries of a pack's games.
const MAX_SUMMARIES_BYTES: u64 = 64 << 20;

/// The packs of a folder of games. Of a packed game they keep its place, and its summary once one is needed: a hundred
/// bytes. Directories of archives need several times that, so they are read again where a record is.
#[derive(Clone, Debug, Default)]
pub(super) struct GamePacks(Arc<RwLock<OpenPacks>>);

#[derive(Debug, Default)]
struct OpenPacks {
    /// Their numbers have no gaps, and begin with 1.
    packs: Vec<Arc<GamePack>>,
    /// The index of each game's pack, and of its entry.
    places: HashMap<LadderGame, (usize, usize)>,
}

/// An open pack.
#[derive(Debug)]
pub(super) struct GamePack {
    file: SharedFile,
    inode: u64,
    /// The index of the entry with the summaries.
    summaries_at: Option<usize>,
    /// Read when the first record is.
    archive: OnceLock<ZipArchive<SharedFile>>,
    summaries: OnceLock<Option<PackedSummaries>>,
}

/// The last entry of a pack.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PackedSummaries {
    schema: u32,
    /// Every machine once.
    hosts: Vec<Host>,
    /// Every agent once.
    names: Vec<String>,
    /// In the order of the other entries.
    games: Vec<PackedSummary>,
}

/// A [`GameOnMachine`] without texts.
#[derive(Debug, Serialize, Deserialize)]
struct PackedSummary {
    id: LadderGame,
    /// The indices of their names.
    players: PerSide<usize>,
    first: Side,
    outcome: Outcome,
    turns: u32,
    moves: PerSide<u32>,
    charged_cpu_us: PerSide<CpuTime>,
    close_call: bool,
    within_noise: bool,
    /// The index of its machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    host: Option<usize>,
    meters: PerSide<Option<Meter>>,
}

/// Whether a file of this name is a pack.
pub(super) fn is_pack(name: &str) -> bool {
    let number = name.strip_prefix("packed-").and_then(|rest| rest.strip_suffix(".zip")?.parse::<usize>().ok());
    number.and_then(|number| number.checked_sub(1)).is_some_and(|index| name == pack_name(index))
}

/// The name of the pack with this index, from 0; names are numbered from 1.
pub(super) fn pack_name(index: usize) -> String {
    format!("packed-{:04}.zip", index + 1)
}

impl GamePacks {
    /// Opens the packs in the folder `games` that are not open yet.
    ///
    /// # Errors
    ///
    /// The path of a pack that cannot be read, and why: without it, its games would be taken for not played.
    pub(super) fn open_new(&self, games: &Path) -> Result<(), (PathBuf, io::Error)> {
        let known = self.read().packs.len();
        let paths = (known..).map(|index| games.join(pack_name(index)));
        // Whatever is wrong with a file, opening it says so.
        let new: Vec<PathBuf> = paths.take_while(|path| path.try_exists().unwrap_or(true)).collect();
        let opened: Vec<_> = new.into_par_iter().map(|path| (GamePack::open(&path), path)).collect();
        for (index, (pack, path)) in (known..).zip(opened) {
            let (pack, entries) = pack.map_err(|error| (path, error))?;
            let mut open = self.0.write();
            // Another thread may have opened it as well.
            if open.packs.len() == index {
                for (game, entry) in entries {
                    open.places.entry(game).or_insert((index, entry));
                }
                open.packs.push(Arc::new(pack));
            }
        }
        Ok(())
    }

    fn read(&self) -> RwLockReadGuard<'_, OpenPacks> {
        self.0.read()
    }

    /// The games in the open packs.
    pub(super) fn games(&self) -> Vec<LadderGame> {
        self.read().places.keys().copied().collect()
    }

    /// The inode of the open pack that has the record of the game `id`.
    pub(super) fn inode(&self, id: &str) -> Option<u64> {
        let (pack, _) = self.place_of(id.parse().ok()?)?;
        Some(pack.inode)
    }

    /// Whether an open pack has the record of the game `id`.
    pub(super) fn has(&self, id: &str) -> bool {
        id.parse().is_ok_and(|game| self.read().places.contains_key(&game))
    }

    /// The text of the record of the game `id`; `None` if no pack in the folder `games` has it.
    pub(super) fn text(&self, games: &Path, id: &str) -> Option<io::Result<Vec<u8>>> {
        let game = id.parse().ok()?;
        let (pack, entry) = self.place_of(game).or_else(|| {
            // Another process may have packed it.
            drop(self.open_new(games));
            self.place_of(game)
        })?;
        Some(pack.text(entry, MAX_RECORD_BYTES))
    }

    fn place_of(&self, game: LadderGame) -> Option<(Arc<GamePack>, usize)> {
        let open = self.read();
        let (pack, entry) = *open.places.get(&game)?;
        Some((Arc::clone(&open.packs[pack]), entry))
    }

    /// The summary of the game `id`; `None` if no open pack has it.
    pub(super) fn summary(&self, id: &str) -> Option<GameOnMachine> {
        let game = id.parse().ok()?;
        let (pack, entry) = self.place_of(game)?;
        pack.summaries()?.of_game(game, entry)
    }

    /// Reads all summaries, on all processors.
    pub(super) fn read_summaries(&self) {
        let packs = self.read().packs.clone();
        packs.par_iter().for_each(|pack| {
            pack.summaries();
        });
    }
}

impl GamePack {
    /// Opens the pack `path`: itself, and its games with the indices of their entries.
    pub(super) fn open(path: &Path) -> io::Result<(Self, Vec<(LadderGame, usize)>)> {
        let file = Arc::new(File::open(path)?);
        let inode = file.metadata()?.ino();
        let file = SharedFile { file, position: 0 };
        let archive = ZipArchive::new(file.clone())?;
        let mut games = Vec::with_capacity(archive.len());
        let mut summaries_at = None;
        for (entry, name) in archive.file_names().enumerate() {
            let Ok(name) = name else { continue };
            if name == SUMMARIES {
                summaries_at = Some(entry);
            }
            games.extend(name.strip_suffix(".json").and_then(|id| Some((id.parse().ok()?, entry))));
        }
        let (archive, summaries) = (OnceLock::new(), OnceLock::new());
        Ok((Self { file, inode, summaries_at, archive, summaries }, games))
    }

    /// The text of an entry.
    pub(super) fn text(&self, entry: usize, limit: u64) -> io::Result<Vec<u8>> {
        let archive = if let Some(archive) = self.archive.get() {
            archive
        } else {
            let archive = ZipArchive::new(self.file.clone())?;
            self.archive.get_or_init(|| archive)
        };
        read_stream(archive.clone().by_index(entry)?, limit)
    }

    fn summaries(&self) -> Option<&PackedSummaries> {
        let read = || {
            // Not kept: most packs are asked for nothing else.
            let mut archive = ZipArchive::new(self.file.clone()).ok()?;
            let text = read_stream(archive.by_index(self.summaries_at?).ok()?, MAX_SUMMARIES_BYTES).ok()?;
            let read: PackedSummaries = serde_json::from_slice(&text).ok()?;
            (read.schema <= SCHEMA).then_some(read)
        };
        self.summaries.get_or_init(read).as_ref()
    }
}

impl PackedSummaries {
    pub(super) const fn new() -> Self {
        Self { schema: SCHEMA, hosts: Vec::new(), names: Vec::new(), games: Vec::new() }
    }

    /// Adds the game of the next entry.
    pub(super) fn add(&mut self, game: LadderGame, GameOnMachine { summary, played_on }: GameOnMachine) {
        let GameSummary { id: _, players, first, outcome, totals, close_call, within_noise } = summary;
        let TurnTotals { turns, moves, charged: charged_cpu_us } = totals;
        let PlayedOn { host, meters } = played_on;
        self.games.push(PackedSummary {
            id: game,
            players: PerSide::from_fn(|side| index_in(&mut self.names, players.of(side))),
            first,
            outcome,
            turns,
            moves,
            charged_cpu_us,
            close_call,
            within_noise,
            host: host.map(|host| index_in(&mut self.hosts, &host)),
            meters,
        });
    }

    /// `None` if the entry is not that of `game`.
    fn of_game(&self, game: LadderGame, entry: usize) -> Option<GameOnMachine> {
        let packed = self.games.get(entry).filter(|packed| packed.id == game)?;
        let name = |side| self.names.get(*packed.players.of(side)).cloned();
        let summary = GameSummary {
            id: game.to_string(),
            players: PerSide { black: name(Side::Black)?, white: name(Side::White)? },
            first: packed.first,
            outcome: packed.outcome,
            totals: TurnTotals { turns: packed.turns, moves: packed.moves, charged: packed.charged_cpu_us },
            close_call: packed.close_call,
            within_noise: packed.within_noise,
        };
        let host = packed.host.and_then(|host| self.hosts.get(host)).cloned();
        Some(GameOnMachine { summary, played_on: PlayedOn { host, meters: packed.meters } })
    }
}

/// The index of `value` in `all`, to which it is added if it is new.
fn index_in<T: Clone + PartialEq>(all: &mut Vec<T>, value: &T) -> usize {
    all.iter().position(|known| known == value).unwrap_or_else(|| {
        all.push(value.clone());
        all.len() - 1
    })
}

/// A file that many read at once, each at its own position.
#[derive(Clone, Debug)]
struct SharedFile {
    file: Arc<File>,
    position: u64,
}

impl Read for SharedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.position)?;
        self.position += read as u64;
        Ok(read)
    }
}

impl Seek for SharedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (from, offset) = match to {
            SeekFrom::Start(position) => (position, 0),
            SeekFrom::End(offset) => (self.file.metadata()?.len(), offset),
            SeekFrom::Current(offset) => (self.position, offset),
        };
        self.position = from.checked_add_signed(offset).ok_or(ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}
