//! The journal's format of rounds for other stores. They use the same keys and the same text, so
//! that rounds move between stores unchanged.

use std::time::Duration;

use judge_core::{Digest, RoundSpec, SeatSpec, Transcript, digest};
use judge_referee::RoundOutline;

use super::kept::KeptRound;
use super::line::{JournalEntry, JournalRecord};
use super::{Journal, JournalError};

/// Key of a round: everything that determines it, so no names of bots and tables.
pub fn round_key(spec: &RoundSpec) -> Digest {
    let mut spec = spec.clone();
    spec.seats.iter_mut().for_each(SeatSpec::forget_name);
    let json = serde_json::to_vec(&spec).expect("specs hold nothing that JSON cannot");
    digest(&json)
}

/// The modules of the bots in a round, each once.
pub fn round_modules(spec: &RoundSpec) -> impl Iterator<Item = Digest> {
    let module = |seat: &SeatSpec| match seat {
        SeatSpec::Bot { sha256, .. } => Some(*sha256),
        _ => None,
    };
    let [one, two] = spec.seats.each_ref().map(module);
    one.into_iter().chain(two.filter(|two| Some(*two) != one))
}

/// A transcript in a journal's format.
pub fn transcript_to_json(transcript: &Transcript) -> String {
    let told = JournalRecord::new(transcript);
    serde_json::to_string(&told).expect("transcripts hold nothing that JSON cannot")
}

/// Reads a transcript in a journal's format.
///
/// # Errors
/// With the reason, when the judge does not write such a transcript.
pub fn transcript_from_json(text: &str) -> Result<Transcript, String> {
    let told: JournalRecord = serde_json::from_str(text).map_err(|error| error.to_string())?;
    Transcript::try_from(told)
}

impl Journal {
    /// Appends a round of another store, with its processor time there. The rules make its outline
    /// from the transcript. A round that is already present is not written again.
    ///
    /// # Errors
    /// When the rules make another round from the transcript, or it cannot be written.
    pub fn copy(&self, round: &KeptRound, processor: Option<Duration>) -> Result<(), JournalError> {
        let KeptRound { spec, transcript, digest } = round;
        if self.state().index.rounds.contains_key(&round_key(spec)) {
            return Ok(());
        }
        let other = |what| JournalError::Other { path: self.path().to_owned(), what };
        let Some((fingerprint, _)) = self.header() else {
            return Err(other("it has no first line".to_owned()));
        };
        let record = judge_referee::record(spec, fingerprint, transcript);
        let outline = RoundOutline::new(&record.map_err(|error| other(error.to_string()))?);
        if outline.digest != *digest {
            let what = format!("replaying it gives a different round: seed `{}`", spec.seed);
            return Err(other(what));
        }
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.append(JournalEntry::Round {
            spec: Box::new(spec.clone()),
            outline: Box::new(outline),
            told: Box::new(JournalRecord::new(transcript)),
            processor_ms: processor.map(millis),
        })
    }
}
