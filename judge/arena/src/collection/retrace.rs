//! Rounds of a journal, made again by the rules and compared with the claims of their lines.

use judge_core::RoundRecord;
use judge_referee::RoundOutline;
use rayon::prelude::*;

use super::CollectionError;
use crate::journal::{Journal, JournalLine, JournalRound};

/// A round made again from its transcript.
pub(super) struct CheckedRound {
    /// Its record, with the names of the line.
    pub(super) record: RoundRecord,
    /// Its outline, which the line claims as well.
    pub(super) outline: RoundOutline,
}

/// Makes a round again by the rules.
///
/// # Errors
/// When the line claims another round than the rules give, or cannot be read.
pub(super) fn retrace(
    journal: &Journal,
    line: JournalLine,
) -> Result<CheckedRound, CollectionError> {
    let Some((fingerprint, _)) = journal.header() else {
        return Err(CollectionError::Empty(journal.path().to_owned()));
    };
    let judge = fingerprint.judge.clone();
    let JournalRound { spec, transcript, outline: claimed } = journal.round(line)?;
    let record = judge_referee::record(&spec, fingerprint, &transcript)?;
    let outline = RoundOutline::new(&record);
    if outline == claimed {
        return Ok(CheckedRound { record, outline });
    }
    let (path, line) = (journal.path().to_owned(), line.number());
    if outline.digest != claimed.digest {
        return Err(CollectionError::OtherRules { path, line, judge });
    }
    let difference = judge_grading::first_difference(&claimed, &outline);
    let field = difference.map_or_else(|| "outline".to_owned(), |difference| difference.path);
    Err(CollectionError::FalseOutline { path, line, field })
}

/// Makes all rounds of a journal again by the rules, on all processors. Marks from the journals of
/// other people are derived only after this check.
///
/// # Errors
/// With the first line that claims another round than the rules give, or cannot be read.
pub fn check_rounds(journal: &Journal) -> Result<(), CollectionError> {
    let lines = journal.lines();
    let failed = lines.par_iter().find_map_first(|line| retrace(journal, *line).err());
    failed.map_or(Ok(()), Err)
}
