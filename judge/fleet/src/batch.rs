//! A batch: what stands in its row, and what a machine tells of it.

use std::time::Duration;

use judge_arena::{Told, transcript_from_json, transcript_to_json};
use judge_core::{Digest, MatchSpec, SeatSpec, digest};
use serde::{Deserialize, Serialize};

use crate::Error;

/// The rounds without the names of bots, as they stand in the database.
pub(crate) fn rounds_to_json(rounds: &[MatchSpec]) -> String {
    let nameless = |spec: &MatchSpec| {
        let mut spec = spec.clone();
        spec.seats.iter_mut().for_each(SeatSpec::forget_name);
        spec
    };
    let rounds: Vec<MatchSpec> = rounds.iter().map(nameless).collect();
    serde_json::to_string(&rounds).expect("specs hold nothing that JSON cannot")
}

/// The rounds of a batch.
pub(crate) fn rounds_from_json(batch: i64, text: &str) -> Result<Vec<MatchSpec>, Error> {
    serde_json::from_str(text).map_err(|error| unreadable(batch, error))
}

/// What a machine tells of one round.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    /// What the players did, as a journal writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    played: Option<String>,
    /// Why the judge could not play it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
    /// Processor time, in milliseconds.
    ms: u64,
}

/// What a machine tells of a batch, in the order of its rounds.
pub(crate) fn told_to_json(told: &[Told]) -> String {
    let line = |told: &Told| Line {
        played: told.played.as_ref().ok().map(transcript_to_json),
        failed: told.played.as_ref().err().cloned(),
        ms: u64::try_from(told.processor.as_millis()).unwrap_or(u64::MAX),
    };
    let lines: Vec<Line> = told.iter().map(line).collect();
    serde_json::to_string(&lines).expect("strings and numbers are valid JSON")
}

/// What was told of a batch with so many rounds.
pub(crate) fn told_from_json(batch: i64, rounds: usize, text: &str) -> Result<Vec<Told>, Error> {
    let lines: Vec<Line> = serde_json::from_str(text).map_err(|error| unreadable(batch, error))?;
    if lines.len() != rounds {
        return Err(unreadable(batch, format!("{} rounds in place of {rounds}", lines.len())));
    }
    let told = |line: Line| {
        let played = match (line.played, line.failed) {
            (Some(text), None) => {
                Ok(transcript_from_json(&text).map_err(|what| unreadable(batch, what))?)
            }
            (None, Some(why)) => Err(why),
            _ => return Err(unreadable(batch, "a round is both played and not")),
        };
        Ok(Told { played, processor: Duration::from_millis(line.ms) })
    };
    lines.into_iter().map(told).collect()
}

/// The digest of what was told that must be the same on every machine: all but the time.
pub(crate) fn digest_of(told: &[Told]) -> Digest {
    let start = digest(b"batch");
    told.iter().fold(start, |link, told| match &told.played {
        Ok(transcript) => link.chain(transcript_to_json(transcript).as_bytes()),
        Err(_) => link.chain(b"not played"),
    })
}

fn unreadable(batch: i64, what: impl ToString) -> Error {
    Error::Unreadable { batch, what: what.to_string() }
}
