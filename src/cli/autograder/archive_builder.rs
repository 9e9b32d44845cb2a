//! The files of an archive for a platform. It reads the files of the course and writes none.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use toml::de::DeTable;
use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime};

use crate::cli::Failure;
use referee_course::assignment::{Assignment, CriterionKind};
use referee_games::KnownGames;
use referee_matches::rules_program::ProgramFiles;
use referee_records::{MAX_ASSIGNMENT_BYTES, read_bounded_text};
use referee_submissions::agents::{AgentSource, AgentSpec};

/// Files by their paths in the archive.
#[derive(Debug, Default)]
pub(super) struct ArchiveBuilder {
    files: BTreeMap<String, PackedFile>,
}

#[derive(Debug)]
struct PackedFile {
    bytes: Vec<u8>,
    is_executable: bool,
}

/// What an assignment refers to, and an archive may leave out.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArchiveContents {
    /// Positions and cases of the grading.
    pub(super) positions: bool,
    /// Opponents that are not built in.
    pub(super) opponents: bool,
}

/// An assignment in an archive.
#[derive(Debug)]
pub(super) struct PackedAssignment {
    /// Its path there.
    pub(super) path: String,
    /// The path of the rules, if they are a program.
    pub(super) rules: Option<String>,
}

impl ArchiveBuilder {
    /// Adds the assignment at `path` below `folder`, with what it refers to.
    pub(super) fn add_assignment(
        &mut self,
        path: &Path,
        folder: &Path,
        contents: ArchiveContents,
        games: &KnownGames,
    ) -> Result<PackedAssignment, Failure> {
        let text = read_bounded_text(path, MAX_ASSIGNMENT_BYTES).map_err(|error| Failure::input(path, error))?;
        let written = Assignment::parse(&text, path, games).map_err(|faults| Failure::Input(faults.to_string()))?;
        let rules = written_rules(&text).filter(|_| written.game.rules_program().is_some());
        let absolute =
            referenced(&written, contents).into_iter().chain(rules.clone()).find(|named| named.is_absolute());
        if let Some(absolute) = absolute {
            return Err(Failure::input(
                path,
                format!(
                    "`{}` is an absolute path, which the platform does not have: name it relative to the assignment",
                    absolute.display()
                ),
            ));
        }
        let loaded = Assignment::load(path, games).map_err(|faults| Failure::Input(faults.to_string()))?;
        let assignment = place(path)?;
        let rules = rules.map(|rules| place(&path.parent().unwrap_or(Path::new("")).join(rules))).transpose()?;
        let places: Vec<PathBuf> =
            referenced(&loaded, contents).into_iter().map(|path| place(&path)).collect::<Result<_, _>>()?;
        let named = places.iter().chain(&rules);
        let top = named.fold(folder_of(&assignment), |top, place| common(&top, folder_of(place).as_path()));
        let inside = |place: &Path| in_archive(folder, place.strip_prefix(&top).expect("it contains all of them"));
        for place in &places {
            self.add(&inside(place)?, place)?;
        }
        if let Some(rules) = &rules {
            self.add_rules(rules, inside)?;
        }
        let name = inside(&assignment)?;
        self.add(&name, &assignment)?;
        Ok(PackedAssignment { path: name, rules: rules.as_deref().map(inside).transpose()? })
    }

    /// Adds the files of the rules program that lies at `place`, as `inside` names them.
    fn add_rules(&mut self, place: &Path, inside: impl Fn(&Path) -> Result<String, Failure>) -> Result<(), Failure> {
        let real = place.canonicalize().and_then(|real| ProgramFiles::of(&real));
        let ProgramFiles { main, others } = real.map_err(|error| Failure::input(place, error))?;
        let folder = if main.is_some() { folder_of(place) } else { place.to_owned() };
        if let Some(main) = main {
            self.add(&inside(place)?, &main)?;
        }
        others.iter().try_for_each(|(name, file)| self.add(&inside(&folder.join(name))?, file))
    }

    /// Adds an executable file.
    pub(super) fn add_file(&mut self, name: &str, path: &Path) -> Result<(), Failure> {
        let bytes = fs::read(path).map_err(|error| Failure::input(path, error))?;
        let is_executable = true;
        self.files.insert(name.to_owned(), PackedFile { bytes, is_executable });
        Ok(())
    }

    /// Adds a text: a script, if it begins like one.
    pub(super) fn add_text(&mut self, name: &str, text: String) {
        let is_executable = text.starts_with("#!");
        let bytes = text.into_bytes();
        self.files.insert(name.to_owned(), PackedFile { bytes, is_executable });
    }

    /// Adds a file, or a folder with everything in it.
    pub(super) fn add(&mut self, name: &str, path: &Path) -> Result<(), Failure> {
        let failed = |error| Failure::input(path, error);
        let about = fs::metadata(path).map_err(failed)?;
        if about.is_file() {
            let bytes = fs::read(path).map_err(failed)?;
            let is_executable = about.permissions().mode() & 0o111 != 0;
            self.files.insert(name.to_owned(), PackedFile { bytes, is_executable });
            return Ok(());
        }
        if !about.is_dir() {
            return Err(Failure::input(path, "it is neither a file nor a folder, so it cannot be packed"));
        }
        for entry in fs::read_dir(path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let inner = entry.path();
            if entry.file_type().map_err(failed)?.is_symlink() && inner.is_dir() {
                return Err(Failure::input(&inner, "it is a link to a folder: put the folder itself there"));
            }
            self.add(&in_archive(Path::new(name), Path::new(&entry.file_name()))?, &inner)?;
        }
        Ok(())
    }

    /// The archive. The same files give the same bytes.
    pub(super) fn into_zip(self) -> zip::result::ZipResult<Vec<u8>> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, file) in self.files {
            let options = SimpleFileOptions::default()
                .compression_method(CompressionMethod::Deflated)
                .last_modified_time(DateTime::default())
                .unix_permissions(if file.is_executable { 0o755 } else { 0o644 });
            archive.start_file(name, options)?;
            archive.write_all(&file.bytes)?;
        }
        Ok(archive.finish()?.into_inner())
    }
}

/// The files and folders of `contents` that `assignment` names, but for the rules of its game.
fn referenced(assignment: &Assignment, contents: ArchiveContents) -> Vec<PathBuf> {
    let of_agent = |spec: &AgentSpec| match spec.source() {
        AgentSource::Path(path) | AgentSource::Submission(path) => Some(path.clone()),
        AgentSource::Builtin(_) => None,
    };
    let mut paths: Vec<PathBuf> = assignment.submission.provide.iter().cloned().collect();
    paths.extend(assignment.criteria.iter().filter_map(|criterion| match &criterion.kind {
        CriterionKind::Questions(asked) => contents.positions.then(|| asked.folder.clone()),
        CriterionKind::Games { opponent, .. } => of_agent(opponent).filter(|_| contents.opponents),
    }));
    // The same file serves competitions, so what they name must exist there, too.
    let invited = assignment.competition.iter().flat_map(|competition| &competition.agents);
    paths.extend(invited.filter(|_| contents.opponents).filter_map(|invited| of_agent(&invited.spec)));
    paths
}

/// The `game` of an assignment, which names a path if it is a rules program.
fn written_rules(text: &str) -> Option<PathBuf> {
    let table = DeTable::parse(text).ok()?;
    let game = table.get_ref().get("game")?.get_ref().as_str()?;
    Some(game.into())
}

/// The absolute path without `.` and `..`. It keeps the names of links, by which other paths refer to it.
fn place(path: &Path) -> Result<PathBuf, Failure> {
    let absolute = std::path::absolute(path).map_err(|error| Failure::input(path, error))?;
    let mut place = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::ParentDir => drop(place.pop()),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) | Component::Normal(_) => place.push(component),
        }
    }
    // `link/..` is elsewhere.
    let is_same = fs::canonicalize(path).and_then(|real| Ok(real == fs::canonicalize(&place)?));
    match is_same {
        Ok(true) => Ok(place),
        Ok(false) => Err(Failure::input(path, "it leads through a link to a folder: name it without")),
        Err(error) => Err(Failure::input(path, error)),
    }
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().unwrap_or(path).to_owned()
}

/// The longest path that both begin with.
fn common(a: &Path, b: &Path) -> PathBuf {
    a.components().zip(b.components()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
}

/// A path in the archive.
fn in_archive(folder: &Path, path: &Path) -> Result<String, Failure> {
    let joined = folder.join(path);
    let text = joined.to_str().map(str::to_owned);
    text.ok_or_else(|| Failure::input(path, "its name is not UTF-8, so it cannot be packed"))
}
