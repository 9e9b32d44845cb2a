//! The folder of one run: begins, opens, reads and writes it. The only code that writes below it. Commands, the runner,
//! `shards` and everything that shows a run call it.

use std::collections::{BTreeSet, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::bounded::{MAX_ASSIGNMENT_BYTES, MAX_RECORD_BYTES, read_bounded, read_bounded_text};
use super::claims::claimed_in;
use super::files::{
    Kept, UNFINISHED, entries_of, if_there, publish, remove_file, text_of, write_files, write_folder, write_whole,
};
use super::pack::{GamePacks, is_pack};
use super::reading::{answer_in, game_in, known, or_packed, read};
use super::{
    AnswerRecord, GameOnMachine, GameRecord, LadderGame, LadderPair, LadderRequest, Manifest, Pairing, RecordError,
    RunKind,
};
use referee_games::{GameId, KnownGames, RULES_FOLDER, RulesProgram};

pub(super) const MANIFEST: &str = "manifest.json";
pub(super) const GAMES: &str = "games";
pub(super) const ANSWERS: &str = "answers";
const ASSIGNMENT: &str = "assignment.toml";
const LADDER: &str = "ladder.toml";
const REQUESTS: &str = "requests";
const CLAIMS: &str = "claims";
const AGENTS: &str = "agents";
const BUILT: &str = "built";

/// A folder with the manifest and the records of one run.
#[derive(Clone, Debug)]
pub struct RunFolder {
    path: PathBuf,
    /// Makes games of what its records say.
    games: KnownGames,
    pub(super) packs: GamePacks,
}

impl RunFolder {
    /// Begins the run of `manifest` in the folder `path`, or resumes it.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if the folder cannot be written, or contains a different run.
    pub fn begin(path: &Path, manifest: &Manifest, games: &KnownGames) -> Result<Self, RecordError> {
        let folder = Self::new(path, games);
        for part in [GAMES, ANSWERS] {
            let path = path.join(part);
            fs::create_dir_all(&path).map_err(|source| RecordError::Write { path, source })?;
        }
        if !Self::is_begun(path) {
            if let Some(program) = manifest.game.rules_program() {
                keep_rules(program, path)?;
            }
            folder.revise(manifest)?;
            return Ok(folder);
        }
        match folder.manifest()?.difference(manifest) {
            None => Ok(folder),
            Some(difference) => Err(RecordError::OtherRun { path: path.to_owned(), difference }),
        }
    }

    /// Begins the run of `manifest` in the folder `path`, which contains none, with the text of its assignment. The
    /// text is written before the manifest, so that every begun run has it.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn begin_by(
        path: &Path,
        manifest: &Manifest,
        assignment: &str,
        games: &KnownGames,
    ) -> Result<Self, RecordError> {
        let name = assignment_name(manifest.kind);
        write_files(path, [(name, assignment)])?;
        Self::begin(path, manifest, games)
    }

    /// Tries whether the folder `path` can be made, before anything is built for a run in it. A missing one stays
    /// missing.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn expect_makeable(path: &Path) -> Result<(), RecordError> {
        if path.is_dir() {
            return Ok(());
        }
        let made = fs::create_dir_all(path).and_then(|()| fs::remove_dir(path));
        made.map_err(|source| RecordError::Write { path: path.to_owned(), source })
    }

    /// Whether the folder `path` contains a run.
    pub fn is_begun(path: &Path) -> bool {
        path.join(MANIFEST).exists()
    }

    /// The kind of the run in the folder `path`. Reads nothing else of its manifest.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if it has no readable manifest.
    pub fn kind(path: &Path) -> Result<RunKind, RecordError> {
        read(&path.join(MANIFEST)).map(|KindOnly { kind }| kind)
    }

    /// Opens the folder of an existing run.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if it has no readable manifest.
    pub fn open(path: &Path, games: &KnownGames) -> Result<Self, RecordError> {
        Self::open_with_roster(path, games).map(|(folder, _)| folder)
    }

    /// Opens the folder of an existing run, and reads its manifest, only once, since it may be large.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if it has no readable manifest.
    pub fn open_with_manifest(path: &Path, games: &KnownGames) -> Result<(Self, Manifest), RecordError> {
        let (folder, roster) = Self::open_with_roster(path, games)?;
        let manifest = folder.with_games(roster);
        Ok((folder, manifest))
    }

    /// The same, but the manifest of a ladder lists no games.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if it has no readable manifest.
    pub fn open_with_roster(path: &Path, games: &KnownGames) -> Result<(Self, Manifest), RecordError> {
        let folder = Self::new(path, games);
        let roster = folder.roster()?;
        Ok((folder, roster))
    }

    pub(super) fn new(path: &Path, games: &KnownGames) -> Self {
        Self { path: path.to_owned(), games: games.clone(), packs: GamePacks::default() }
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The games that are known where it was opened.
    pub const fn games(&self) -> &KnownGames {
        &self.games
    }

    /// The run's manifest.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if it cannot be read.
    pub fn manifest(&self) -> Result<Manifest, RecordError> {
        Ok(self.with_games(self.roster()?))
    }

    /// The manifest `roster` with the games of a ladder: those that have a record, in the order in which they were
    /// planned.
    pub fn with_games(&self, roster: Manifest) -> Manifest {
        match roster.kind {
            RunKind::Games | RunKind::Grading | RunKind::Competition => roster,
            RunKind::Ladder => {
                let games = self.ladder_games().into_iter().filter_map(|game| game.pairing(&roster)).collect();
                Manifest { games, ..roster }
            }
        }
    }

    /// The manifest as its file has it: that of a ladder lists no games.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if it cannot be read.
    pub fn roster(&self) -> Result<Manifest, RecordError> {
        let path = self.manifest_path();
        let manifest: Manifest<GameId> = read(&path)?;
        let game = known(&manifest.game, &path, &self.path, &self.games)?;
        if manifest.kind == RunKind::Ladder {
            self.packs.open_new(&self.path.join(GAMES)).map_err(|(path, error)| {
                let reason = format!("{error}; restore this pack of games from a backup");
                RecordError::Read { path, source: io::Error::new(error.kind(), reason) }
            })?;
        }
        Ok(manifest.with_game(game))
    }

    /// The path of the manifest.
    pub fn manifest_path(&self) -> PathBuf {
        self.path.join(MANIFEST)
    }

    /// The games of a ladder that have a record now, in the order in which they were planned: one listing of the
    /// folder.
    pub fn ladder_games(&self) -> Vec<LadderGame> {
        let folder = self.path.join(GAMES);
        let mut games: Vec<LadderGame> =
            names_in(&folder).filter_map(|name| name.to_str()?.strip_suffix(".json")?.parse().ok()).collect();
        // Later than the names: a record is removed after its pack got a name, so no game is missed.
        drop(self.packs.open_new(&folder));
        games.extend(self.packs.games());
        games.sort_unstable_by_key(|game| (game.pair.sequence, *game));
        games.dedup();
        games
    }

    /// The pairs that participants of a ladder have asked for, oldest first; unreadable requests count for nothing.
    /// Only those of pairs for which `is_wanted` holds are read.
    ///
    /// # Errors
    ///
    /// [`RecordError::Read`] if the folder cannot be listed.
    pub fn requests(&self, is_wanted: impl Fn(LadderPair) -> bool) -> Result<Vec<LadderRequest>, RecordError> {
        let listed = entries_of(&self.path.join(REQUESTS))?;
        let request = |entry: &fs::DirEntry| {
            let name = entry.file_name();
            let LadderGame { pair, .. } = name.to_str()?.strip_suffix(".json")?.parse().ok()?;
            if !is_wanted(pair) {
                return None;
            }
            let request: LadderRequest = read(&entry.path()).ok()?;
            Some(LadderRequest { pair, ..request })
        };
        let mut requests: Vec<LadderRequest> = listed.iter().filter_map(request).collect();
        requests.sort_unstable_by_key(|request| request.pair);
        Ok(requests)
    }

    /// Keeps a request.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn keep_request(&self, request: &LadderRequest) -> Result<(), RecordError> {
        let [first, _] = request.pair.games();
        let folder = self.path.join(REQUESTS);
        fs::create_dir_all(&folder).map_err(|source| RecordError::Write { path: folder.clone(), source })?;
        write_whole(&folder, &format!("{first}.json"), request)
    }

    /// Replaces the run's manifest: a run with new agents or rounds keeps its finished games.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn revise(&self, manifest: &Manifest) -> Result<(), RecordError> {
        match manifest.kind {
            RunKind::Games | RunKind::Grading | RunKind::Competition => write_whole(&self.path, MANIFEST, manifest),
            RunKind::Ladder => write_whole(&self.path, MANIFEST, &Manifest { games: Vec::new(), ..manifest.clone() }),
        }
    }

    /// The text of the run's assignment; `None` if it has none.
    ///
    /// # Errors
    ///
    /// [`RecordError::Read`].
    pub fn assignment(&self) -> Result<Option<String>, RecordError> {
        let path = self.assignment_path();
        if_there(read_bounded_text(&path, MAX_ASSIGNMENT_BYTES)).map_err(|source| RecordError::Read { path, source })
    }

    /// The path of the text of the run's assignment, existing or not.
    pub fn assignment_path(&self) -> PathBuf {
        let ladder = self.path.join(LADDER);
        if ladder.exists() { ladder } else { self.path.join(ASSIGNMENT) }
    }

    /// Replaces the text of the run's assignment, after its records were moved where they do not follow from it.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn revise_assignment(&self, text: &str) -> Result<(), RecordError> {
        write_files(&self.path, [(ASSIGNMENT, text)])
    }

    /// Keeps a finished game, whole or not at all. An existing record stays: if two machines played one game, the first
    /// result counts.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn keep(&self, game: &GameRecord) -> Result<Kept, RecordError> {
        self.keep_text(&game.id, &text_of(game, &self.path_of(&game.id))?)
    }

    /// Keeps the record of the game `id` as text, like [`Self::keep`].
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn keep_text(&self, id: &str, text: &[u8]) -> Result<Kept, RecordError> {
        let games = self.path.join(GAMES);
        let as_packed = |kept: Kept| match self.packs.text(&games, id) {
            Some(Ok(packed)) if packed == text => Kept::Again,
            Some(Ok(_)) => Kept::Superseded,
            Some(Err(_)) | None => kept,
        };
        let packed = as_packed(Kept::First);
        if packed != Kept::First {
            return Ok(packed);
        }
        let kept = publish(&games, &format!("{id}.json"), text)?;
        if kept != Kept::First {
            return Ok(kept);
        }
        // The record of another process may have been packed since, and its name become free. Packs get their names
        // before that.
        let kept = as_packed(kept);
        if kept != Kept::First {
            remove_file(&self.path_of(id))?;
        }
        Ok(kept)
    }

    /// Keeps an answer, whole or not at all.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn keep_answer(&self, answer: &AnswerRecord) -> Result<(), RecordError> {
        write_whole(&self.path.join(ANSWERS), &format!("{}.json", answer.id), answer)
    }

    /// Removes the record of the game or answer `id`, if there is one, so that it is played or asked again.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn forget(&self, id: &str) -> Result<(), RecordError> {
        remove_file(&self.path_of(id))?;
        remove_file(&self.path_of_answer(id))
    }

    /// The names of the finished games of `manifest`, in order. Lists the folder once: testing each game separately
    /// takes minutes on a network file system.
    pub fn finished(&self, manifest: &Manifest) -> Vec<String> {
        let recorded = self.recorded();
        let ids = manifest.games.iter().map(|pairing| &pairing.id);
        ids.filter(|id| recorded.has(id)).cloned().collect()
    }

    /// The games of `manifest` that are still to be played, in order: without a record, and not called off.
    pub fn missing<'a>(&self, manifest: &'a Manifest) -> Vec<&'a Pairing> {
        let recorded = self.recorded();
        let games = manifest.games.iter().filter(|pairing| !recorded.has(&pairing.id));
        games.filter(|pairing| !manifest.is_called_off(pairing)).collect()
    }

    /// How many games of `manifest` have been or will be played.
    pub fn games_in_all(&self, manifest: &Manifest) -> usize {
        let recorded = self.recorded();
        manifest.games_in_all(|id| recorded.has(id))
    }

    /// The games that have a record now.
    pub(super) fn recorded(&self) -> Recorded {
        let names = names_in(&self.path.join(GAMES)).collect();
        // Later than the names: a record is removed after its pack got a name, so no game is missed.
        drop(self.packs.open_new(&self.path.join(GAMES)));
        Recorded { names, packs: self.packs.clone() }
    }

    /// Whether the game `id` has a record, of its own or in a pack.
    pub fn has_game(&self, id: &str) -> bool {
        self.packs.has(id) || self.path_of(id).exists() || self.packs.text(&self.path.join(GAMES), id).is_some()
    }

    /// The text of the record of the game `id`, of its own or in a pack.
    ///
    /// # Errors
    ///
    /// [`RecordError::Read`].
    pub fn text_of_game(&self, id: &str) -> Result<Vec<u8>, RecordError> {
        let path = self.path_of(id);
        let text = or_packed(read_bounded(&path, MAX_RECORD_BYTES), &self.packs, &path);
        text.map_err(|source| RecordError::Read { path, source })
    }

    /// The summary of the game `id` that its pack has, also where the game has a record of its own; `None` without one.
    pub fn packed_summary(&self, id: &str) -> Option<GameOnMachine> {
        self.packs.summary(id)
    }

    /// The names of the answered questions of `manifest`, in order.
    pub fn answered(&self, manifest: &Manifest) -> Vec<String> {
        let recorded = Recorded::in_folder(&self.path.join(ANSWERS));
        let ids = manifest.answers.iter().map(|asked| &asked.id);
        ids.filter(|id| recorded.has(id)).cloned().collect()
    }

    /// The names of files among the records that belong to no game or answer of `manifest`, sorted.
    ///
    /// # Errors
    ///
    /// [`RecordError::Read`].
    pub fn foreign_files(&self, manifest: &Manifest) -> Result<Vec<String>, RecordError> {
        let games = manifest.games.iter().map(|pairing| &pairing.id);
        let answers = manifest.answers.iter().map(|asked| &asked.id);
        let mut foreign_files = foreign_files_in(&self.path.join(GAMES), games)?;
        foreign_files.extend(foreign_files_in(&self.path.join(ANSWERS), answers)?);
        Ok(foreign_files)
    }

    /// The record of a finished game.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if it cannot be read.
    pub fn game(&self, id: &str) -> Result<GameRecord, RecordError> {
        let path = self.path_of(id);
        let record = game_in(&path, &self.path, &self.games, &self.packs)?;
        if record.id == id {
            return Ok(record);
        }
        let reason = format!("it is the record of another game, `{}`", record.id);
        Err(RecordError::NotARecord { path, reason })
    }

    /// The record of an answer.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if it cannot be read.
    pub fn answer(&self, id: &str) -> Result<AnswerRecord, RecordError> {
        let path = self.path_of_answer(id);
        let answer = answer_in(&path, &self.path, &self.games)?;
        if answer.id == id {
            return Ok(answer);
        }
        let reason = format!("it is the record of another answer, `{}`", answer.id);
        Err(RecordError::NotARecord { path, reason })
    }

    /// The path of the record of the game `id`, existing or not.
    pub fn path_of(&self, id: &str) -> PathBuf {
        self.path.join(GAMES).join(format!("{id}.json"))
    }

    /// The folder of the claims on games ([`Claims`](super::Claims)).
    pub fn claims(&self) -> PathBuf {
        self.path.join(CLAIMS)
    }

    /// The names of the claimed games, each the first of a pair, sorted; none if the run was never shared.
    ///
    /// # Errors
    ///
    /// [`RecordError::Read`].
    pub fn claimed(&self) -> Result<Vec<String>, RecordError> {
        claimed_in(&self.claims())
    }

    /// The folder of the agents' sources, from which any machine can build them.
    pub fn agents(&self) -> PathBuf {
        self.path.join(AGENTS)
    }

    /// The folder of cached builds.
    pub fn built(&self) -> PathBuf {
        self.path.join(BUILT)
    }

    /// The path of the record of the answer `id`, existing or not.
    pub fn path_of_answer(&self, id: &str) -> PathBuf {
        self.path.join(ANSWERS).join(format!("{id}.json"))
    }
}

/// The file names in a folder of records, at one moment, and its packs.
pub(super) struct Recorded {
    names: HashSet<OsString>,
    packs: GamePacks,
}

impl Recorded {
    /// Empty if the folder cannot be listed.
    fn in_folder(folder: &Path) -> Self {
        Self { names: names_in(folder).collect(), packs: GamePacks::default() }
    }

    /// Whether there was a record of this name.
    pub(super) fn has(&self, id: &str) -> bool {
        self.names.contains(OsStr::new(&format!("{id}.json"))) || self.packs.has(id)
    }
}

/// The names in `folder`; none if it cannot be listed.
fn names_in(folder: &Path) -> impl Iterator<Item = OsString> + use<> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name())
}

/// The name of the file with the assignment of such a run.
const fn assignment_name(kind: RunKind) -> &'static str {
    match kind {
        RunKind::Games | RunKind::Grading | RunKind::Competition => ASSIGNMENT,
        RunKind::Ladder => LADDER,
    }
}

/// The sorted names of files in `folder` that are neither records of `ids` nor temporary.
fn foreign_files_in<'a>(folder: &Path, ids: impl Iterator<Item = &'a String>) -> Result<Vec<String>, RecordError> {
    let known: BTreeSet<String> = ids.map(|id| format!("{id}.json")).collect();
    let names = entries_of(folder)?.into_iter().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut foreign_files: Vec<String> =
        names.filter(|name| !known.contains(name) && !name.starts_with(UNFINISHED) && !is_pack(name)).collect();
    foreign_files.sort_unstable();
    Ok(foreign_files)
}

/// Copies the files of a rules program to where the run keeps them, unless they are there. They are ours, or another
/// run's copy: no stranger has written them.
fn keep_rules(program: &RulesProgram, run: &Path) -> Result<(), RecordError> {
    let place = run.join(RULES_FOLDER).join(&program.digest);
    if place.exists() {
        return Ok(());
    }
    let failed = |path: &Path, source| RecordError::Write { path: path.to_owned(), source };
    let fill = |part: &Path| copy_tree(&program.folder, part).map_err(|source| failed(part, source));
    write_folder(&run.join(RULES_FOLDER), &program.digest, failed, fill)
}

/// Copies the regular files below `from`, with their modes.
fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, place) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            copy_tree(&entry.path(), &place)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), place)?;
        }
    }
    Ok(())
}

/// Of a manifest the kind of its run.
#[derive(serde::Deserialize)]
struct KindOnly {
    kind: RunKind,
}
