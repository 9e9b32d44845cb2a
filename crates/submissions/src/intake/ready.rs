//! Unpacks one submission, if it is an archive or a folder with only an archive. It does not look for the program; its
//! parent module calls it.
//!
//! A submission that has a program must stay as it is: archives beside the program may be its data.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::archive::{ArchiveKind, UnpackError, kind_by_name, unpack_submission};
use super::download::{AttemptParts, UploadAttempt};
use crate::agents::{
    AgentSource, AgentSpec, ArchiveFault, FileNames, FolderEntry, SubmissionFault, SubmissionLimits, entries_of,
};
use referee_games::protocol::{counted, plain};

/// Unpacks one submission after the other, each into a folder of its own.
#[derive(Debug)]
pub(super) struct Unpacker<'a> {
    names: &'a FileNames,
    scratch: &'a Path,
    unpacked: u32,
    /// What was passed over.
    pub(super) remarks: Vec<String>,
}

/// What a folder holds, as far as it matters here.
#[derive(Debug, Default)]
struct FolderContent {
    has_program: bool,
    archives: Vec<String>,
    others: usize,
}

impl<'a> Unpacker<'a> {
    pub(super) fn new(names: &'a FileNames, scratch: &'a Path) -> Self {
        Self { names, scratch, unpacked: 0, remarks: Vec::new() }
    }

    /// The agent of a submission as it is without an archive around it.
    ///
    /// # Errors
    ///
    /// The system's.
    pub(super) fn unpack(&mut self, spec: &AgentSpec) -> io::Result<Result<AgentSpec, SubmissionFault>> {
        let AgentSource::Submission(path) = spec.source() else {
            return Ok(Ok(spec.clone()));
        };
        let found = self.without_archive(path, spec.name().as_str())?;
        Ok(found.map(|path| AgentSpec::of_submission(spec.name(), path)))
    }

    /// The submission of `student` at `path`, unpacked where it is an archive, or a folder with an archive and no
    /// program.
    ///
    /// # Errors
    ///
    /// The system's.
    pub(super) fn without_archive(
        &mut self,
        path: &Path,
        student: &str,
    ) -> io::Result<Result<PathBuf, SubmissionFault>> {
        let as_it_is = || Ok(Ok(path.to_owned()));
        let Ok(found) = path.symlink_metadata() else { return as_it_is() };
        if found.is_file() && kind_by_name(&file_name(path)).is_some() {
            return self.unpack_file(path);
        }
        // The search for its program reports a folder that cannot be listed.
        let listed = found.is_dir().then(|| self.read_folder(path).ok());
        let Some((folder, content)) = listed.flatten() else { return as_it_is() };
        match content.archives.as_slice() {
            _ if content.has_program => as_it_is(),
            [] => as_it_is(),
            [archive] => {
                if content.others > 0 {
                    let (student, archive) = (plain(student), plain(archive));
                    let ignored = counted(content.others, "other file");
                    let are = if content.others == 1 { "is" } else { "are" };
                    self.remarks
                        .push(format!("`{student}`: only the archive `{archive}` is graded; {ignored} {are} ignored"));
                }
                self.unpack_file(&folder.join(archive))
            }
            several => {
                let fault = ArchiveFault::Several { archives: several.to_vec() };
                Ok(Err(SubmissionFault::Archive { file: several[0].clone(), fault }))
            }
        }
    }

    /// What `student` handed in to a platform, as a submission: a folder as it is, files by their own names in a new
    /// one.
    ///
    /// # Errors
    ///
    /// The system's.
    pub(super) fn gather(
        &mut self,
        root: &Path,
        attempt: &UploadAttempt,
        student: &str,
    ) -> io::Result<Result<PathBuf, SubmissionFault>> {
        match &attempt.parts {
            AttemptParts::Entry(entry) => self.without_archive(&root.join(entry), student),
            AttemptParts::Files(files) => {
                let files: Vec<(PathBuf, &str)> =
                    files.iter().map(|(place, own)| (root.join(place), own.as_str())).collect();
                self.gather_files(&files, student)
            }
        }
    }

    /// The files that `student` handed in, as a submission in a new folder, each by the name that the student gave it.
    /// So a file alone is judged by its name, as it would be in a folder or an archive.
    ///
    /// # Errors
    ///
    /// The system's.
    pub(super) fn gather_files(
        &mut self,
        files: &[(PathBuf, &str)],
        student: &str,
    ) -> io::Result<Result<PathBuf, SubmissionFault>> {
        let folder = self.new_folder();
        fs::create_dir(&folder)?;
        let mut bytes = SubmissionLimits::ALL.bytes;
        for (from, own) in files {
            let found = from.symlink_metadata()?;
            let file = (*own).to_owned();
            let fault = if Path::new(own).file_name().is_none_or(|name| name != *own) {
                SubmissionFault::NotAFile { file, found: "a folder" }
            } else if found.is_symlink() {
                SubmissionFault::Link { file }
            } else if !found.is_file() {
                SubmissionFault::NotAFile { file, found: "a device" }
            } else if let Some(left) = bytes.checked_sub(found.len()) {
                bytes = left;
                fs::copy(from, folder.join(own))?;
                continue;
            } else {
                SubmissionLimits::ALL.too_many_bytes()
            };
            return Ok(Err(fault));
        }
        self.without_archive(&folder, student)
    }

    fn new_folder(&mut self) -> PathBuf {
        self.unpacked += 1;
        self.scratch.join(self.unpacked.to_string())
    }

    fn unpack_file(&mut self, archive: &Path) -> io::Result<Result<PathBuf, SubmissionFault>> {
        let file = file_name(archive);
        let at_fault = |fault| Ok(Err(SubmissionFault::Archive { file: file.clone(), fault }));
        if let Some(ArchiveKind::Other(format)) = kind_by_name(&file) {
            return at_fault(ArchiveFault::OtherFormat { format });
        }
        if fs::File::open(archive).is_err() {
            // So that it is reported like any other unreadable file.
            return Ok(Ok(archive.to_owned()));
        }
        let into = self.new_folder();
        match unpack_submission(archive, &into) {
            Ok(()) => {}
            Err(UnpackError::System(error)) => return Err(error),
            Err(UnpackError::TooLarge(fault)) => return Ok(Err(fault)),
            Err(UnpackError::Fault(fault)) => return at_fault(fault),
        }
        let (_, content) = self.read_folder(&into)?;
        match content.archives.first() {
            Some(archive) if !content.has_program => {
                fs::remove_dir_all(&into)?;
                at_fault(ArchiveFault::Nested { archive: archive.clone() })
            }
            Some(_) | None => Ok(Ok(into)),
        }
    }

    /// What the folder holds, or its only subfolder where it holds nothing else.
    fn read_folder(&self, folder: &Path) -> io::Result<(PathBuf, FolderContent)> {
        let (mut content, folders) = self.look_at(folder)?;
        for within in &folders {
            let (inner, _) = self.look_at(within)?;
            content.has_program |= inner.has_program;
            if let ([only], true) = (folders.as_slice(), content.archives.is_empty() && content.others == 0) {
                return Ok((only.clone(), inner));
            }
        }
        Ok((folder.to_owned(), content))
    }

    fn look_at(&self, folder: &Path) -> io::Result<(FolderContent, Vec<PathBuf>)> {
        let mut content = FolderContent::default();
        let mut folders = Vec::new();
        for FolderEntry { path, name, kind } in entries_of(folder)? {
            if kind.is_dir() {
                folders.push(path);
            } else if self.names.is_meant_for_a_program(&name) {
                content.has_program = true;
            } else if kind.is_file() && kind_by_name(&name).is_some() {
                content.archives.push(name);
            } else {
                content.others += 1;
            }
        }
        Ok((content, folders))
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
