//! A cache for a course that is graded repeatedly. Only changed modules are read, and only changed
//! pages are written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use judge_arena::Entrant;
use judge_core::Digest;
use judge_grading::Suite;

use crate::bots::submitted::Sections;
use crate::grade::watch::Stamp;

/// Maximum size of all cached modules, in bytes.
const MOST: usize = 256 << 20;

/// The caches of all assignments, by name.
#[derive(Debug)]
pub(crate) struct Memories {
    new: fn() -> Memory,
    by_assignment: BTreeMap<String, Memory>,
}

impl Memories {
    /// Creates disabled caches, for a course that is graded once.
    pub(crate) fn none() -> Memories {
        Memories { new: Memory::none, by_assignment: BTreeMap::new() }
    }

    /// Creates caches for a course that is graded repeatedly.
    pub(crate) fn new() -> Memories {
        Memories { new: Memory::new, by_assignment: BTreeMap::new() }
    }

    /// The cache of an assignment; the only one has an empty name.
    pub(crate) fn of_assignment(&mut self, name: &str) -> &Memory {
        self.by_assignment.entry(name.to_owned()).or_insert_with(self.new)
    }
}

/// Results of earlier gradings.
#[derive(Debug)]
pub(crate) struct Memory {
    /// Maximum size of the cached modules; none disables the cache.
    room: Option<usize>,
    known: Mutex<MemoryFacts>,
}

#[derive(Debug, Default)]
struct MemoryFacts {
    /// The suite that the modules were inspected for.
    suite: Option<Suite>,
    submissions: BTreeMap<PathBuf, (Stamp, Entrant)>,
    /// Size of all modules in bytes.
    bytes: usize,
    sections: BTreeMap<PathBuf, (Stamp, Option<Sections>)>,
    /// The rounds already written, by the path of their pages, with digest and module.
    rounds: BTreeMap<PathBuf, (Digest, String)>,
}

impl Memory {
    /// Creates a disabled cache, for a course that is graded once.
    pub(crate) fn none() -> Memory {
        Memory { room: None, known: Mutex::default() }
    }

    /// Creates a cache for a course that is graded repeatedly.
    pub(crate) fn new() -> Memory {
        Memory { room: Some(MOST), known: Mutex::default() }
    }

    fn known(&self) -> MutexGuard<'_, MemoryFacts> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops inspections for another suite, and entries of changed or deleted files.
    pub(super) fn begin(&self, suite: &Suite) {
        let mut known = self.known();
        if known.suite.as_ref() != Some(suite) {
            *known = MemoryFacts { suite: Some(suite.clone()), ..MemoryFacts::default() };
        }
        known.submissions.retain(|file, (stamp, _)| Stamp::read(file) == *stamp);
        known.sections.retain(|file, (stamp, _)| Stamp::read(file) == *stamp);
        known.bytes = known.submissions.values().map(|(_, one)| one.module.len()).sum();
    }

    /// Returns the submission in that file, and reads it if it is not cached.
    pub(super) fn submission(&self, file: &Path, read: impl FnOnce() -> Entrant) -> Entrant {
        // Read before the file, so that a concurrent write leads to another read.
        let stamp = Stamp::read(file);
        if let Some((known, submission)) = self.known().submissions.get(file)
            && *known == stamp
        {
            return submission.clone();
        }
        let submission = read();
        let mut known = self.known();
        let bytes = known.bytes + submission.module.len();
        if self.room.is_some_and(|room| bytes <= room) {
            known.bytes = bytes;
            known.submissions.insert(file.to_owned(), (stamp, submission.clone()));
        }
        submission
    }

    /// Returns the sections of the module in that file, and reads it if they are not cached.
    pub(super) fn sections(
        &self,
        file: &Path,
        read: impl FnOnce() -> Option<Sections>,
    ) -> Option<Sections> {
        let stamp = Stamp::read(file);
        if let Some((known, sections)) = self.known().sections.get(file)
            && *known == stamp
        {
            return sections.clone();
        }
        let sections = read();
        if self.room.is_some() {
            self.known().sections.insert(file.to_owned(), (stamp, sections.clone()));
        }
        sections
    }

    /// True if that page exists and was written for this round and module.
    pub(super) fn has_round(&self, page: &Path, digest: Digest, module: &str) -> bool {
        let known = self.known();
        let written = known.rounds.get(page);
        written.is_some_and(|(of, with)| *of == digest && with == module) && page.is_file()
    }

    /// Notes that a round's page was written.
    pub(super) fn keep_round(&self, page: PathBuf, digest: Digest, module: &str) {
        if self.room.is_some() {
            self.known().rounds.insert(page, (digest, module.to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use judge_core::{BotIdentity, digest};

    use super::*;

    #[test]
    fn only_changed_files_are_read_again() {
        let suite =
            crate::base::bundled::suite("mahjong").expect("it is bundled").expect("and whole");
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("ada.wasm");
        let reads = Cell::new(0);
        let look = |memory: &Memory| {
            memory.begin(&suite);
            let read = || {
                reads.set(reads.get() + 1);
                let module = std::fs::read(&file).expect("there");
                let bot =
                    BotIdentity { name: "ada".to_owned(), sha256: digest(&module), author: None };
                Entrant { bot, module, refused: None }
            };
            memory.submission(&file, read).module
        };
        let write = |text: &str| std::fs::write(&file, text).expect("written");
        let memory = Memory::new();
        write("one");
        assert_eq!([look(&memory), look(&memory)], [b"one", b"one"]);
        assert_eq!(reads.get(), 1);
        write("two!");
        assert_eq!(look(&memory), b"two!");
        assert_eq!(reads.get(), 2);
        let none = Memory::none();
        assert_eq!([look(&none), look(&none)], [b"two!", b"two!"]);
        assert_eq!(reads.get(), 4, "a course that is graded once keeps no modules");
    }

    #[test]
    fn a_page_is_remembered_until_it_is_deleted() {
        let folder = tempfile::tempdir().expect("a folder");
        let page = folder.path().join("01-1.html");
        std::fs::write(&page, "x").expect("written");
        let memory = Memory::new();
        let has = |round: &[u8], module| memory.has_round(&page, digest(round), module);
        assert!(!has(b"round", "a.wasm"));
        memory.keep_round(page.clone(), digest(b"round"), "a.wasm");
        assert!(has(b"round", "a.wasm") && !has(b"other", "a.wasm") && !has(b"round", "b.wasm"));
        std::fs::remove_file(&page).expect("there");
        assert!(!has(b"round", "a.wasm"));
    }
}
