//! Bounds on each submission in an archive, so that none of them makes the archive unreadable for
//! the others.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_core::printable;

/// Most files and folders of one submission.
pub(super) const MOST_FILES: usize = 20_000;

/// Most bytes that one submission may unpack to.
pub(super) const MOST_BYTES: u64 = 128 << 20;

/// The entries and bytes of each submission in an archive.
pub(super) struct SubmissionShares {
    /// The submission of each entry; none if the entry's path is not allowed.
    of_entry: Vec<Option<PathBuf>>,
    /// Bytes that each submission may still unpack to; none if it has exceeded a bound.
    room: BTreeMap<PathBuf, Option<u64>>,
}

impl SubmissionShares {
    /// The shares of the entries with these paths. A submission is a folder or file in the root, or
    /// in the root's only folder.
    pub(super) fn new(paths: &[Option<PathBuf>]) -> SubmissionShares {
        let first = |path: &PathBuf| path.iter().next().map(PathBuf::from);
        let mut tops = paths.iter().flatten().map(first);
        let top = tops.next();
        let parts = if tops.all(|other| Some(&other) == top.as_ref()) { 2 } else { 1 };
        let of_entry: Vec<Option<PathBuf>> = paths
            .iter()
            .map(|path| path.as_ref().map(|path| path.iter().take(parts).collect()))
            .collect();
        let mut counts: BTreeMap<&Path, usize> = BTreeMap::new();
        for submission in of_entry.iter().flatten() {
            *counts.entry(submission).or_default() += 1;
        }
        let room = |(submission, count): (&Path, usize)| {
            (submission.to_owned(), (count <= MOST_FILES).then_some(MOST_BYTES))
        };
        let room = counts.into_iter().map(room).collect();
        SubmissionShares { of_entry, room }
    }

    /// Submissions with too many files, of which nothing is unpacked.
    pub(super) fn too_many_files(&self) -> impl Iterator<Item = &Path> {
        self.room.iter().filter(|(_, room)| room.is_none()).map(|(path, _)| path.as_path())
    }

    /// Bytes that an entry's submission may still unpack to; none if it has exceeded a bound.
    pub(super) fn room(&self, entry: usize) -> Option<u64> {
        match self.of_entry.get(entry) {
            Some(Some(submission)) => self.room.get(submission).copied().flatten(),
            // The entry is refused for its path.
            _ => Some(MOST_BYTES),
        }
    }

    /// Counts an entry's bytes.
    pub(super) fn take(&mut self, entry: usize, bytes: u64) {
        if let Some(Some(submission)) = self.of_entry.get(entry)
            && let Some(Some(room)) = self.room.get_mut(submission)
        {
            *room = room.saturating_sub(bytes);
        }
    }

    /// Leaves out the rest of an entry's submission, which has too many bytes; returns a line about
    /// it.
    pub(super) fn end(&mut self, entry: usize) -> String {
        let submission = self.of_entry.get(entry).cloned().flatten().unwrap_or_default();
        let name = printable(&submission.to_string_lossy(), 100);
        self.room.insert(submission, None);
        format!("`{name}`: it is over {} MiB when unpacked", MOST_BYTES >> 20)
    }
}
