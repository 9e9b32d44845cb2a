//! Packed records: many games in one compressed file, so that a ladder of half a million games is opened in seconds and
//! copied as a few hundred files. `store` looks here for a record that has no file of its own.
//!
//! A pack is a ZIP archive `packed-NNNN.zip` in the folder of games. Its entries are the records under the names and
//! with the bytes of their files, so any program that reads ZIP unpacks them; the last entry has what standings need of
//! each game, which `verify` compares with the records. A pack never changes. `packing` writes them.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use serde::{Deserialize, Serialize};
use zip::ZipArchive;

use super::bounded::MAX_RECORD_BYTES;
use super::{GameOnMachine, GameSummary, Host, Outcome, PerSide, PlayedOn, SCHEMA, TurnTotals};
use referee_games::Side;
use referee_seat::Meter;
use referee_time::CpuTime;

/// The entry with the summaries. No game has this name.
pub(super) const SUMMARIES: &str = "summaries.json";

/// More than the summaries of a pack's games.
const MAX_SUMMARIES_BYTES: u64 = 64 << 20;

/// The packs of a folder of games, each opened when it is first needed.
#[derive(Clone, Debug, Default)]
pub(super) struct GamePacks(Arc<RwLock<BTreeMap<u32, Arc<GamePack>>>>);

/// An open pack.
#[derive(Debug)]
pub(super) struct GamePack {
    archive: ZipArchive<SharedFile>,
    /// Where each entry is: the archive would look through all names.
    places: HashMap<String, usize>,
    summaries: OnceLock<Option<HashMap<String, GameOnMachine>>>,
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

/// The number of the pack that a file of this name is.
pub(super) fn pack_number(name: &str) -> Option<u32> {
    let number = name.strip_prefix("packed-")?.strip_suffix(".zip")?.parse().ok()?;
    (name == pack_name(number)).then_some(number)
}

pub(super) fn pack_name(number: u32) -> String {
    format!("packed-{number:04}.zip")
}

impl GamePacks {
    /// Opens all packs in the folder `games`.
    ///
    /// # Errors
    ///
    /// The path of a pack that cannot be read, and why: without it, its games would be taken for not played.
    pub(super) fn open_all(&self, games: &Path) -> Result<(), (PathBuf, io::Error)> {
        for number in 1.. {
            match self.open(games, number) {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::NotFound => break,
                Err(error) => return Err((games.join(pack_name(number)), error)),
            }
        }
        Ok(())
    }

    /// The names of the records in the packs `numbers` of the folder `games`.
    pub(super) fn names(&self, games: &Path, numbers: &[u32]) -> Vec<String> {
        let packs = numbers.iter().filter_map(|number| self.open(games, *number).ok());
        packs.flat_map(|pack| pack.names().collect::<Vec<_>>()).collect()
    }

    /// Whether a pack has the record `name`.
    pub(super) fn has(&self, games: &Path, name: &str) -> bool {
        self.pack_of(games, name).is_some()
    }

    /// The text of the record `name`; `None` if no pack has it.
    pub(super) fn text(&self, games: &Path, name: &str) -> Option<io::Result<Vec<u8>>> {
        self.pack_of(games, name).map(|pack| pack.text(name, MAX_RECORD_BYTES))
    }

    /// The summary of the record `name`; `None` if no pack has it.
    pub(super) fn summary(&self, games: &Path, name: &str) -> Option<GameOnMachine> {
        self.pack_of(games, name)?.summary(name)
    }

    fn pack_of(&self, games: &Path, name: &str) -> Option<Arc<GamePack>> {
        let find = || {
            let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
            let found = known.values().find(|pack| pack.has(name)).map(Arc::clone);
            (found, known.keys().next_back().map_or(1, |last| last + 1))
        };
        loop {
            let (found, next) = find();
            // Another process may have packed it.
            if found.is_some() || self.open(games, next).is_err() {
                return found;
            }
        }
    }

    fn open(&self, games: &Path, number: u32) -> io::Result<Arc<GamePack>> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&number).map(Arc::clone);
        if let Some(pack) = known {
            return Ok(pack);
        }
        let pack = Arc::new(GamePack::open(&games.join(pack_name(number)))?);
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(number, Arc::clone(&pack));
        Ok(pack)
    }
}

impl GamePack {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = SharedFile { file: Arc::new(File::open(path)?), position: 0 };
        let archive = ZipArchive::new(file)?;
        let names = archive.file_names().enumerate();
        let places = names.filter_map(|(place, name)| Some((name.ok()?.into_owned(), place))).collect();
        Ok(Self { archive, places, summaries: OnceLock::new() })
    }

    fn names(&self) -> impl Iterator<Item = String> {
        self.places.keys().filter(|name| *name != SUMMARIES).cloned()
    }

    fn has(&self, name: &str) -> bool {
        name != SUMMARIES && self.places.contains_key(name)
    }

    pub(super) fn text(&self, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        // The directory is shared; only the position in the file is the clone's own.
        let mut archive = self.archive.clone();
        let entry = archive.by_index(*self.places.get(name).ok_or(ErrorKind::NotFound)?)?;
        let mut text = Vec::new();
        entry.take(limit + 1).read_to_end(&mut text)?;
        if u64::try_from(text.len()).is_ok_and(|size| size <= limit) {
            Ok(text)
        } else {
            Err(ErrorKind::FileTooLarge.into())
        }
    }

    fn summary(&self, name: &str) -> Option<GameOnMachine> {
        let summaries = self.summaries.get_or_init(|| {
            let text = self.text(SUMMARIES, MAX_SUMMARIES_BYTES).ok()?;
            let read: PackedSummaries = serde_json::from_slice(&text).ok()?;
            (read.schema <= SCHEMA).then(|| read.unpacked())
        });
        summaries.as_ref()?.get(name.strip_suffix(".json")?).cloned()
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

    /// The games by their names.
    fn unpacked(self) -> HashMap<String, GameOnMachine> {
        let games = self.games.into_iter().map(|game| {
            let PackedSummary { id, players, first, outcome, turns, moves, charged_cpu_us, .. } = game;
            let host = game.host.and_then(|host| self.hosts.get(host)).cloned();
            let totals = TurnTotals { turns, moves, charged: charged_cpu_us };
            let (close_call, within_noise) = (game.close_call, game.within_noise);
            let summary = GameSummary { id: id.clone(), players, first, outcome, totals, close_call, within_noise };
            (id, GameOnMachine { summary, played_on: PlayedOn { host, meters: game.meters } })
        });
        games.collect()
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
