//! Merges the journals of a tournament's parts into one, from which the tables are made as usual.

use std::path::{Path, PathBuf};

use judge_arena::{Agreed, Journal, PlayedNote, check_rounds};
use judge_report::tame;
use serde_json::Value;

use super::part::FINISHED;
use crate::Error;
use crate::base::shards::whole_plan;
use crate::base::workers::fingerprint;

/// A journal merged from those of all parts.
#[derive(Debug, Clone)]
pub struct Merged {
    /// Number of parts.
    pub parts: usize,
    /// Number of rounds.
    pub rounds: usize,
    /// The journal.
    pub journal: PathBuf,
}

impl Merged {
    /// Summarizes the merge in one line.
    pub fn text(&self) -> String {
        let Merged { parts, rounds, journal } = self;
        tame(&format!("{parts} parts, {rounds} rounds, in `{}`\n", journal.display()))
    }
}

/// Merges the journals of all parts.
///
/// # Errors
/// If parts are missing, unfinished or of different tournaments, a part claims a round that the
/// rules do not give, or the journal cannot be written.
pub fn merge_parts(parts: &[PathBuf], out: &Path) -> Result<Merged, Error> {
    let parts: Vec<Journal> =
        parts.iter().map(|path| Journal::open(path)).collect::<Result<_, _>>()?;
    let plan = whole_plan(&parts, "tournament")?;
    let first = finished(&parts[0])?;
    for part in &parts {
        let own = finished(part)?;
        if own != first {
            let what = format!("this part was played with {own}, the first with {first}");
            return Err(Error::input(part.path(), &what));
        }
    }
    let agreed = Agreed::new(&parts, &[PlayedNote::NAME])?;
    parts.iter().try_for_each(check_rounds)?;
    let journal = Journal::create(out, fingerprint(), plan)?;
    journal.take_over(&agreed)?;
    if let Some(note) = PlayedNote::joined(&parts) {
        note.write(&journal)?;
    }
    Ok(Merged { parts: parts.len(), rounds: journal.rounds(), journal: out.to_owned() })
}

/// The request of a part, which must be finished.
fn finished(part: &Journal) -> Result<Value, Error> {
    let found = part.facts().into_iter().find(|(name, _)| name == FINISHED);
    found.map(|(_, value)| value).ok_or_else(|| Error::Input {
        what: format!("`{}`: this part is not finished", part.path().display()),
        hint: Some("resume it with `--resume` and its original arguments".to_owned()),
    })
}
