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
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use zip::ZipArchive;

use super::bounded::MAX_RECORD_BYTES;
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
    places: HashMap<LadderGame, GamePlace>,
}

/// Where a packed game is.
#[derive(Clone, Copy, Debug)]
struct GamePlace {
    /// The index of the pack.
    pack: usize,
    /// The index of its entry.
    entry: usize,
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
    summaries: OnceLock<Option<KeptSummaries>>,
}

/// The last entry of a pack.
#[derive(Serialize, Deserialize)]
pub(super) struct PackedSummaries {
    schema: u32,
    /// Every machine once.
    hosts: Vec<Host>,
    games: Vec<PackedSummary>,
}

/// A [`GameOnMachine`].
#[derive(Serialize, Deserialize)]
struct PackedSummary {
    id: String,
    players: PerSide<String>,
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
            let mut open = self.0.write().unwrap_or_else(PoisonError::into_inner);
            // Another thread may have opened it as well.
            if open.packs.len() == index {
                for (game, entry) in entries {
                    open.places.entry(game).or_insert(GamePlace { pack: index, entry });
                }
                open.packs.push(Arc::new(pack));
            }
        }
        Ok(())
    }

    fn read(&self) -> RwLockReadGuard<'_, OpenPacks> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
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
        let place = open.places.get(&game)?;
        Some((Arc::clone(&open.packs[place.pack]), place.entry))
    }

    /// The summary of the game `id`; `None` if no open pack has it.
    pub(super) fn summary(&self, id: &str) -> Option<GameOnMachine> {
        let game = id.parse().ok()?;
        let (pack, _) = self.place_of(game)?;
        pack.summaries()?.of_game(game)
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
        entry_text(archive.clone(), entry, limit)
    }

    fn summaries(&self) -> Option<&KeptSummaries> {
        let read = || {
            // Not kept: most packs are asked for nothing else.
            let archive = ZipArchive::new(self.file.clone()).ok()?;
            let text = entry_text(archive, self.summaries_at?, MAX_SUMMARIES_BYTES).ok()?;
            let read: PackedSummaries = serde_json::from_slice(&text).ok()?;
            (read.schema <= SCHEMA).then(|| KeptSummaries::of(read))
        };
        self.summaries.get_or_init(read).as_ref()
    }
}

/// The text of an entry of `archive`, whose directory is shared; only the position in the file is this clone's own.
fn entry_text(mut archive: ZipArchive<SharedFile>, entry: usize, limit: u64) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    archive.by_index(entry)?.take(limit + 1).read_to_end(&mut text)?;
    if u64::try_from(text.len()).is_ok_and(|size| size <= limit) {
        Ok(text)
    } else {
        Err(ErrorKind::FileTooLarge.into())
    }
}

impl PackedSummaries {
    pub(super) const fn new() -> Self {
        Self { schema: SCHEMA, hosts: Vec::new(), games: Vec::new() }
    }

    pub(super) fn add(&mut self, GameOnMachine { summary, played_on }: GameOnMachine) {
        let GameSummary { id, players, first, outcome, totals, close_call, within_noise } = summary;
        let TurnTotals { turns, moves, charged } = totals;
        let host = played_on.host.map(|host| {
            self.hosts.iter().position(|known| *known == host).unwrap_or_else(|| {
                self.hosts.push(host);
                self.hosts.len() - 1
            })
        });
        let (charged_cpu_us, meters) = (charged, played_on.meters);
        self.games.push(PackedSummary {
            id,
            players,
            first,
            outcome,
            turns,
            moves,
            charged_cpu_us,
            close_call,
            within_noise,
            host,
            meters,
        });
    }
}

/// The summaries of a pack's games, for as long as it is open.
#[derive(Debug)]
struct KeptSummaries {
    hosts: Vec<Host>,
    /// The agents of its games, each once.
    names: Vec<String>,
    /// Sorted.
    games: Vec<(LadderGame, KeptSummary)>,
}

/// A [`PackedSummary`] without texts.
#[derive(Debug)]
struct KeptSummary {
    players: PerSide<usize>,
    first: Side,
    outcome: Outcome,
    totals: TurnTotals,
    close_call: bool,
    within_noise: bool,
    host: Option<usize>,
    meters: PerSide<Option<Meter>>,
}

impl KeptSummaries {
    fn of(PackedSummaries { hosts, games, .. }: PackedSummaries) -> Self {
        let (mut names, mut indices) = (Vec::new(), HashMap::new());
        let mut index_of = |name: String| {
            *indices.entry(name).or_insert_with_key(|name| {
                names.push(name.clone());
                names.len() - 1
            })
        };
        let games = games.into_iter().filter_map(|game| {
            let PackedSummary { id, players, first, outcome, turns, moves, charged_cpu_us, .. } = game;
            let players = PerSide { black: index_of(players.black), white: index_of(players.white) };
            let totals = TurnTotals { turns, moves, charged: charged_cpu_us };
            let PackedSummary { close_call, within_noise, host, meters, .. } = game;
            let kept = KeptSummary { players, first, outcome, totals, close_call, within_noise, host, meters };
            Some((id.parse().ok()?, kept))
        });
        let mut games: Vec<(LadderGame, KeptSummary)> = games.collect();
        games.sort_by_key(|(game, _)| *game);
        Self { hosts, names, games }
    }

    fn of_game(&self, game: LadderGame) -> Option<GameOnMachine> {
        let place = self.games.binary_search_by_key(&game, |(game, _)| *game).ok()?;
        let KeptSummary { players, first, outcome, totals, close_call, within_noise, host, meters } =
            &self.games[place].1;
        let players = PerSide::from_fn(|side| self.names[*players.of(side)].clone());
        let summary = GameSummary {
            id: game.to_string(),
            players,
            first: *first,
            outcome: *outcome,
            totals: *totals,
            close_call: *close_call,
            within_noise: *within_noise,
        };
        let host = host.and_then(|host| self.hosts.get(host)).cloned();
        Some(GameOnMachine { summary, played_on: PlayedOn { host, meters: *meters } })
    }
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
