//! The rounds of a run that was stopped before its end.

use std::path::PathBuf;

use judge_arena::Pool;

/// The rounds of an unfinished run that are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptRounds {
    /// The journal that they are in.
    pub path: PathBuf,
    /// Number of them, also of those that do not count yet.
    pub rounds: usize,
    /// Number of those that the standing counts: whole pairs, in their order.
    pub counted: u64,
}

impl KeptRounds {
    /// Those in the pool's journal, if one is kept.
    pub(crate) fn in_journal_of(pool: &Pool, counted: u64) -> Option<KeptRounds> {
        let journal = pool.journal.as_ref()?;
        Some(KeptRounds {
            path: journal.name().into(),
            rounds: journal.rounds().unwrap_or_default(),
            counted,
        })
    }
}
