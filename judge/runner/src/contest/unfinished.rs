//! The kept rounds of a run that was stopped.

use std::path::PathBuf;

use judge_arena::Run;

/// The rounds of an unfinished run in its journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptRounds {
    /// The journal.
    pub path: PathBuf,
    /// Number of rounds, including those that do not count yet.
    pub rounds: usize,
    /// Number of rounds that count so far: whole pairs, in order.
    pub counted: u64,
}

impl KeptRounds {
    /// Returns the rounds in the run's journal, if there is one.
    pub(crate) fn in_journal_of(run: &Run, counted: u64) -> Option<KeptRounds> {
        let journal = run.journal()?;
        Some(KeptRounds { path: journal.path().to_owned(), rounds: journal.rounds(), counted })
    }
}
