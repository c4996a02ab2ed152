//! The submissions in a course's folders: a file or a folder per student, and other entries next to
//! them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use judge_arena::Entrant;
use judge_core::{BotIdentity, Event, IgnoreEvents, Listener, Refused, digest, printable};
use judge_grading::Suite;
use judge_report::composed;

use super::names::tell_apart;
use super::{Memory, built, gradebooks};
use crate::Error;
use crate::bots::BotSource;
use crate::bots::builds::Building;
use crate::bots::submitted::platform::{self, Submitters};
use crate::bots::submitted::{
    self, KnownWords, NameList, PassedOver, Sections, SubmissionEntry, Unpacked, has_module_ending,
};

/// An entry that counts as a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundSubmission {
    /// The unique name: the file's name without extension, or the folder's name.
    pub(super) name: String,
    /// The file or folder of the submission.
    pub(super) path: PathBuf,
    /// The kind of the entry when it was found.
    pub(super) entry: SubmissionEntry,
    /// The result of the build of a source; none for other entries.
    pub(super) built: Option<Result<PathBuf, Refused>>,
}

/// All entries that were found.
#[derive(Debug, Default)]
pub(super) struct FoundSubmissions {
    /// Submissions by name, without repetitions.
    pub(super) submissions: Vec<FoundSubmission>,
    /// Files that are not submissions.
    pub(super) passed_over: Vec<PassedOver>,
    /// The treatment of sources.
    building: Building,
    /// The submitters, if the platform lists them in a separate file.
    pub(super) submitters: Submitters,
    /// Remarks on folders with copies of one module.
    pub(super) copies: Vec<String>,
    /// The unpacked archive, which must live as long as the submissions.
    pub(super) unpacked: Option<Unpacked>,
}

/// Finds all submissions: each file is one, and a folder stands for its entries. Warns about
/// submissions with a changed name.
pub(super) fn find(
    paths: &[PathBuf],
    building: Building,
    known: &KnownWords,
    events: &mut dyn Listener,
) -> Result<FoundSubmissions, Error> {
    let found = look(paths, building, known, events)?;
    match found.submissions.is_empty() {
        false => Ok(found),
        true => Err(nothing(paths, &found.passed_over)),
    }
}

/// The error for folders that are still without submissions; none otherwise.
pub(crate) fn nothing_yet(paths: &[PathBuf], building: Building) -> Option<Error> {
    let are_folders = paths.iter().all(|path| path.is_dir());
    let found = are_folders
        .then(|| look(paths, building, &KnownWords::default(), &mut IgnoreEvents))?
        .ok()?;
    found.submissions.is_empty().then(|| nothing(paths, &found.passed_over))
}

/// Finds all entries, even if no submission is among them.
fn look(
    paths: &[PathBuf],
    building: Building,
    known: &KnownWords,
    events: &mut dyn Listener,
) -> Result<FoundSubmissions, Error> {
    refuse_one_inside_another(paths)?;
    let mut found = FoundSubmissions { building, ..FoundSubmissions::default() };
    let one_each = each_is_one(paths, building);
    let unpacked = match paths {
        [only] if submitted::is_zip(only) => {
            Some(submitted::unpack(only, building.is_wanted(), known)?)
        }
        _ => None,
    };
    tell_what_is_left_out(unpacked.as_ref(), events)?;
    let folder = unpacked.as_ref().map(Unpacked::folder);
    for path in folder.as_slice().iter().chain(paths.iter().filter(|_| unpacked.is_none())) {
        // A folder on the command line may be a link, but an entry in it may not.
        if path.is_dir() && !one_each {
            found.take_folder(path)?;
        } else {
            let unreadable = |source| Error::Read { path: path.clone(), source };
            std::fs::symlink_metadata(path).map_err(unreadable)?;
            found.take(path.clone(), true);
        }
    }
    found.unpacked = unpacked;
    found.pass_over_sources_beside_modules();
    found.tell_of_several(one_each, events)?;
    refuse_what_is_named_twice(&found.submissions)?;
    for text in std::mem::take(&mut found.copies) {
        events.event(&Event::Note { text })?;
    }
    let roots = match found.unpacked.as_ref().map(Unpacked::folder) {
        Some(folder) => vec![folder],
        None => paths.to_vec(),
    };
    for text in tell_apart(&mut found.submissions, &roots) {
        events.event(&Event::Warning { text })?;
    }
    found.submissions.sort_by(|one, other| one.name.cmp(&other.name));
    found.passed_over.sort_by(|one, other| one.file.cmp(&other.file));
    Ok(found)
}

/// Refuses a path inside another one, because its submission would be graded twice.
fn refuse_one_inside_another(paths: &[PathBuf]) -> Result<(), Error> {
    // A link counts at its own path, not at its target.
    let place = |path: &PathBuf| {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let real = parent.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(real.join(path.file_name()?))
    };
    let place = |path: &PathBuf| place(path).or_else(|| path.canonicalize().ok());
    let real: Vec<PathBuf> =
        paths.iter().map(|path| place(path).unwrap_or_else(|| path.clone())).collect();
    let folders: Vec<&PathBuf> = real.iter().filter(|path| path.is_dir()).collect();
    let inside =
        |path: &PathBuf| folders.iter().any(|folder| *folder != path && path.starts_with(folder));
    match std::iter::zip(paths, &real).find(|(_, real)| inside(real)) {
        None => Ok(()),
        Some((path, _)) => Err(named_twice(path)),
    }
}

fn named_twice(path: &Path) -> Error {
    let what = format!("`{}` is named twice", path.display());
    Error::usage(what, "name each file, or its folder, once")
}

/// True if each path is a single submission, as if a shell had expanded `*`: there are several, and
/// not all are folders of submissions.
fn each_is_one(paths: &[PathBuf], building: Building) -> bool {
    let is_one = |path: &PathBuf| {
        let one = |entry: SubmissionEntry| {
            matches!(
                entry,
                SubmissionEntry::FolderWithModule(_)
                    | SubmissionEntry::FolderWithSource(_)
                    | SubmissionEntry::Link
            )
        };
        !path.is_dir() || one(at(path, building))
    };
    paths.len() > 1 && paths.iter().any(is_one)
}

fn nothing(paths: &[PathBuf], passed_over: &[PassedOver]) -> Error {
    let folders = paths.iter().map(|path| format!("`{}`", path.display()));
    let mut what = format!("no submissions in {}", folders.collect::<Vec<_>>().join(", "));
    let mut names = NameList::default();
    passed_over.iter().for_each(|one| names.push(Path::new(&one.file)));
    if !names.is_empty() {
        what = format!("{what}, but {names}");
    }
    let is_archive = |one: &&PassedOver| one.what == SubmissionEntry::Archive.passed_over();
    let hint = match passed_over.iter().find(is_archive) {
        Some(one) => format!(
            "archives inside are not unpacked: unpack `{}`, and name its content",
            printable(&one.file, 60)
        ),
        None => "a submission is a `.wasm` file, or a folder with one in it".to_owned(),
    };
    Error::Input { what, hint: Some(hint) }
}

/// Warns about entries that were left out of an archive.
fn tell_what_is_left_out(
    unpacked: Option<&Unpacked>,
    events: &mut dyn Listener,
) -> std::io::Result<()> {
    for text in unpacked.map(|unpacked| unpacked.left_out.as_slice()).unwrap_or_default() {
        events.event(&Event::Warning { text: format!("left out of the archive: {text}") })?;
    }
    if let Some(text) = unpacked.and_then(|unpacked| unpacked.remark.clone()) {
        events.event(&Event::Warning { text: format!("in the archive {text}") })?;
    }
    Ok(())
}

impl FoundSubmissions {
    /// Adds the entries of a folder, except a platform's list of submitters.
    fn take_folder(&mut self, folder: &Path) -> Result<(), Error> {
        let submitters = platform::submitters(folder);
        let is_metadata = |path: &Path| {
            !submitters.people.is_empty() && path.file_name() == Some(platform::METADATA.as_ref())
        };
        for path in in_folder(folder)?.into_iter().filter(|path| !is_metadata(path)) {
            self.take(path, false);
        }
        let unread = |source| Error::Read { path: folder.to_owned(), source };
        let modules = submitted::hidden_modules(folder).map_err(unread)?;
        self.passed_over.extend(modules.iter().map(|path| hidden(path)));
        self.submitters.people.extend(submitters.people);
        self.submitters.submitted.extend(submitters.submitted);
        self.submitters.remarks.extend(submitters.remarks);
        Ok(())
    }

    /// Ignores a source if its author has also submitted a module.
    fn pass_over_sources_beside_modules(&mut self) {
        let author = |one: &FoundSubmission| {
            let participant = gradebooks::participant(&one.name);
            participant
                .map_or(one.name.clone(), |(platform, number)| format!("{platform} {number}"))
        };
        let is_source = |one: &FoundSubmission| one.entry == SubmissionEntry::Source;
        let modules = self.submissions.iter().filter(|one| !is_source(one));
        let authors: BTreeSet<String> = modules.map(author).collect();
        let beside = |one: &mut FoundSubmission| is_source(one) && authors.contains(&author(one));
        for one in self.submissions.extract_if(.., beside) {
            let what = "a source next to a module; the module counts".to_owned();
            self.passed_over.push(PassedOver { what, ..passed_over(&one.path, &one.entry) });
        }
    }

    /// Warns about folders with several modules that count as one submission because other paths
    /// were given, too.
    fn tell_of_several(&self, one_each: bool, events: &mut dyn Listener) -> Result<(), Error> {
        for one in self.submissions.iter().filter(|_| one_each) {
            if matches!(one.entry, SubmissionEntry::FolderWithSeveral(_)) {
                let text = format!(
                    "`{}` was taken for one submission because others are named as well; to grade \
                     all in it, name only this folder",
                    printable(&one.path.display().to_string(), 200)
                );
                events.event(&Event::Warning { text })?;
            }
        }
        Ok(())
    }

    /// Adds an entry as a submission or as ignored. A module given on the command line may have any
    /// name.
    fn take(&mut self, path: PathBuf, is_named: bool) {
        let (entry, copies) = SubmissionEntry::with_copies(&path);
        let entry = if self.building.is_wanted() { entry.or_source(&path) } else { entry };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.copies.extend(submitted::about_copies(&name, &entry, &copies));
        let taken = match &entry {
            _ if platform::is_typed_text(&name) => false,
            SubmissionEntry::Module | SubmissionEntry::Source => true,
            // The target of a broken link may have been a folder.
            SubmissionEntry::Link => {
                has_module_ending(&path) || !std::fs::metadata(&path).is_ok_and(|to| !to.is_dir())
            }
            SubmissionEntry::Special => has_module_ending(&path),
            SubmissionEntry::UnnamedModule => is_named,
            // Ignored like a file that is not a module.
            SubmissionEntry::FolderWithout(_) => false,
            entry => entry.is_folder(),
        };
        match taken {
            true => self.submissions.push(submitted(path, entry)),
            false => self.passed_over.push(passed_over(&path, &entry)),
        }
    }
}

/// Classifies an entry; a source counts only if sources are built.
fn at(path: &Path, building: Building) -> SubmissionEntry {
    let entry = SubmissionEntry::at(path);
    if building.is_wanted() { entry.or_source(path) } else { entry }
}

fn passed_over(path: &Path, entry: &SubmissionEntry) -> PassedOver {
    let text = |part: Option<&std::ffi::OsStr>| {
        part.unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
    };
    let name = if entry.is_folder() { path.file_name() } else { path.file_stem() };
    PassedOver {
        name: composed(&text(name)).into_owned(),
        file: text(path.file_name()),
        what: entry.passed_over(),
    }
}

/// A hidden module, under its name without the leading dot, or the name of its file if that leaves
/// nothing.
fn hidden(path: &Path) -> PassedOver {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let name = stem.trim_start_matches('.');
    PassedOver {
        name: composed(if name.trim().is_empty() { &file } else { name }).into_owned(),
        file: file.into_owned(),
        what: "a module with a name that begins with a dot: rename it".to_owned(),
    }
}

/// Refuses a submission that was given twice, even through different paths.
fn refuse_what_is_named_twice(found: &[FoundSubmission]) -> Result<(), Error> {
    let mut folders: BTreeMap<PathBuf, Option<PathBuf>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for one in found {
        let file = one.file();
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        let real = folders.entry(folder.clone()).or_insert_with(|| {
            let named = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
            named.canonicalize().ok()
        });
        let place = real.as_deref().unwrap_or(&folder).join(file.file_name().unwrap_or_default());
        if !seen.insert(place) {
            return Err(named_twice(&one.path));
        }
    }
    Ok(())
}

/// The entries of a folder that may be submissions.
fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    submitted::entries(folder).map_err(|source| Error::Read { path: folder.to_owned(), source })
}

fn submitted(path: PathBuf, entry: SubmissionEntry) -> FoundSubmission {
    let whole = entry.is_folder() || entry == SubmissionEntry::Link && !has_module_ending(&path);
    let stem = if whole { path.file_name() } else { path.file_stem() };
    let name = match stem {
        Some(stem) => stem.to_string_lossy().into_owned(),
        None => submitted::name_of_folder(&path),
    };
    // Lists have composed names (NFC), but macOS writes decomposed ones.
    FoundSubmission { name: composed(&name).into_owned(), path, entry, built: None }
}

impl FoundSubmission {
    /// Reads the module and lets intake inspect it. An unreadable submission is refused with the
    /// reason, and does not stop the run.
    pub(super) fn load(&self, suite: &Suite, memory: &Memory) -> Entrant {
        let mut submission = match &self.built {
            Some(Err(_)) => self.read(suite),
            _ => memory.submission(&self.file(), || self.read(suite)),
        };
        submission.bot.name.clone_from(&self.name);
        submission
    }

    fn read(&self, suite: &Suite) -> Entrant {
        let name = self.name.clone();
        match self.module() {
            Ok(module) => BotSource::new(&self.path, name, module).submission_on(suite),
            Err(refused) => {
                let bot = BotIdentity { name, sha256: digest(&[]), author: None };
                Entrant { bot, module: Vec::new(), refused: Some(refused) }
            }
        }
    }

    /// The module's bytes; for a source, those of the built module.
    pub(super) fn module(&self) -> Result<Vec<u8>, Refused> {
        match &self.built {
            Some(built) => {
                submitted::read(built.as_ref().map_err(Clone::clone)?, &SubmissionEntry::Module)
            }
            None => submitted::read(&self.path, &self.entry),
        }
    }

    /// The file to grade: the module in a folder, or the built module of a source.
    fn file(&self) -> PathBuf {
        if let Some(Ok(module)) = &self.built {
            return module.clone();
        }
        match &self.entry {
            SubmissionEntry::FolderWithModule(inside)
            | SubmissionEntry::FolderWithSource(inside) => self.path.join(inside),
            _ => self.path.clone(),
        }
    }

    /// The sections of the module, if it is valid.
    pub(super) fn sections(&self, memory: &Memory) -> Option<Sections> {
        let read = || Sections::from_module(&self.module().ok()?);
        memory.sections(&self.file(), read)
    }

    /// The path of the module in a folder, or the file of a module without the usual extension.
    pub(super) fn module_name(&self) -> Option<String> {
        match &self.entry {
            _ if matches!(self.built, Some(Ok(_))) => Some(built::module_path(&self.name)),
            SubmissionEntry::FolderWithModule(module) => {
                Some(module.to_string_lossy().replace('\\', "/"))
            }
            SubmissionEntry::UnnamedModule => {
                Some(self.path.file_name()?.to_string_lossy().into_owned())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_and_empty_submissions_are_listed_as_skipped() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["zoe.wasm", "notes.txt", ".hidden.wasm", "...wasm"] {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        for name in ["adam", "__MACOSX"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        std::fs::write(folder.path().join("adam/._bot.wasm"), "x").unwrap();
        let found = find(
            &[folder.path().to_owned()],
            Building::Never,
            &KnownWords::default(),
            &mut IgnoreEvents,
        )
        .unwrap();
        let names: Vec<&str> = found.submissions.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["zoe"]);
        let names = found.passed_over.iter().map(|one| [one.name.as_str(), &one.file, &one.what]);
        let names: Vec<_> = names.collect();
        assert_eq!(names[0][..2], ["...wasm", "...wasm"]);
        assert_eq!(names[1][..2], ["hidden", ".hidden.wasm"]);
        assert!(names[1][2].ends_with("begins with a dot: rename it"), "{names:?}");
        assert_eq!(names[2], ["adam", "adam", "an empty folder: ask for the built `.wasm` file"]);
        assert_eq!(names[3][..2], ["notes", "notes.txt"]);
        std::fs::write(folder.path().join("adam/bot.wasm"), "x").unwrap();
        std::fs::write(folder.path().join("adam.wasm"), "x").unwrap();
        let found = find(
            &[folder.path().to_owned()],
            Building::Never,
            &KnownWords::default(),
            &mut IgnoreEvents,
        )
        .unwrap();
        let names: Vec<&str> = found.submissions.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["adam.wasm", "adam/", "zoe"], "both are there");
        let paths = [folder.path().to_owned(), folder.path().join("./zoe.wasm")];
        let error = find(&paths, Building::Never, &KnownWords::default(), &mut IgnoreEvents)
            .unwrap_err()
            .to_string();
        assert!(error.ends_with("zoe.wasm` is named twice"), "{error}");
    }
}
