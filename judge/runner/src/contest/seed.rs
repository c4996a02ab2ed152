//! The seed of a run's first pair: given, read from the journal, or drawn.

use std::path::Path;

use judge_arena::Journal;
use judge_core::{Event, Listener};

use crate::Error;

/// Bits of a drawn seed, one less than a seed has. So the seeds of later pairs never wrap around,
/// and readers with signed integers accept them.
const BITS: u32 = 63;

/// Draws an unpredictable seed, and prints it so that the run can be repeated.
pub(super) fn draw(events: &mut dyn Listener) -> Result<u64, Error> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::Judge(format!("the system has no random bytes: {error}")))?;
    let seed = u64::from_le_bytes(bytes) >> (u64::BITS - BITS);
    let text = format!("the seed is drawn at random; `--seed {seed}` repeats this run");
    events.event(&Event::Note { text })?;
    Ok(seed)
}

/// The seed of the run in a journal; none if its first line is incomplete.
pub(super) fn in_journal(path: &Path) -> Result<Option<u64>, Error> {
    let header = Journal::open(path)?.header();
    Ok(header.and_then(|(_, plan)| plan["seed"].as_u64()))
}
