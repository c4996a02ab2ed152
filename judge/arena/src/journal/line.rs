//! One line of a journal: an entry, and the link of a hash chain over all lines so far. The chain
//! shows if a line was cut, changed, moved or duplicated.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as STANDARD;
use judge_core::{
    BySeat, Digest, Fault, Fingerprint, LogPart, RoundSpec, SeatTranscript, Transcript, digest,
    escaped_json, steers,
};
use judge_referee::RoundOutline;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::copy::round_key;

/// An entry whose transcript is skipped: a table needs only the outline.
pub(super) type OutlinedEntry = JournalEntry<IgnoredAny>;

/// Line of a journal; `T` is the transcript of a round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum JournalEntry<T = Box<JournalRecord>> {
    /// The first line: it identifies the run, so that no other run continues the journal.
    Journal {
        /// Version of this format.
        version: u32,
        /// Fingerprint of the judge.
        fingerprint: Fingerprint,
        /// Plan of the run, as JSON of its caller.
        plan: Value,
    },
    /// A result of the run in addition to its rounds. The last one of a name counts.
    Fact {
        /// Name of the fact.
        name: String,
        /// Value of the fact.
        value: Value,
    },
    /// A round that was played.
    Round {
        /// Specification of the round.
        spec: Box<RoundSpec>,
        /// Outline of the record that the rules make from the transcript. Nothing enforces it: see
        /// [`super::Journal::outline`].
        outline: Box<RoundOutline>,
        /// Transcript of the round.
        told: T,
        /// Milliseconds of processor time that its submission used for it, in gradings. The first
        /// line of a submission includes the compilation. None if nothing was measured.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        processor_ms: Option<u64>,
    },
}

/// A [`Transcript`] in a readable form: logs as text if they are text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JournalRecord {
    seats: BySeat<ToldSeat>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<Fault>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ToldSeat {
    answers: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fuel: Vec<u64>,
    #[serde(default, skip_serializing_if = "is_zero")]
    peak_memory_bytes: u64,
    #[serde(default, skip_serializing_if = "Log::is_empty")]
    log: Log,
    #[serde(default, skip_serializing_if = "is_zero")]
    log_dropped: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    log_parts: Option<Vec<LogPart>>,
}

/// A log, which may contain any bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Log {
    Text(String),
    /// Bytes that are not text or need too many escapes.
    Base64 {
        /// Base64 with the standard alphabet and padding.
        base64: String,
    },
}

impl Log {
    fn new(log: &[u8]) -> Log {
        match std::str::from_utf8(log) {
            Ok(text) if is_short_in_json(text) => Log::Text(text.to_owned()),
            _ => Log::Base64 { base64: STANDARD.encode(log) },
        }
    }

    fn into_bytes(self) -> Result<Vec<u8>, String> {
        match self {
            Log::Text(text) => Ok(text.into_bytes()),
            Log::Base64 { base64 } => STANDARD.decode(base64).map_err(|error| error.to_string()),
        }
    }

    fn is_empty(&self) -> bool {
        matches!(self, Log::Text(text) if text.is_empty())
    }
}

/// True if a text is no longer as JSON than in base64: an escaped character takes six bytes or
/// twelve.
fn is_short_in_json(text: &str) -> bool {
    let escaped = |c: char| match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        c if steers(c) => 6 * c.len_utf16(),
        c => c.len_utf8(),
    };
    text.chars().map(escaped).sum::<usize>() <= text.len().div_ceil(3) * 4
}

impl Default for Log {
    fn default() -> Log {
        Log::Text(String::new())
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl<T> JournalEntry<T> {
    /// The key of a round; none for other entries.
    pub(super) fn key(&self) -> Option<Digest> {
        match self {
            JournalEntry::Round { spec, .. } => Some(round_key(spec)),
            JournalEntry::Journal { .. } | JournalEntry::Fact { .. } => None,
        }
    }
}

impl JournalRecord {
    /// A transcript in the format of a journal.
    pub(super) fn new(transcript: &Transcript) -> JournalRecord {
        let seats = transcript.seats.each_ref().map(|seat| ToldSeat {
            answers: seat.answers.clone(),
            fuel: seat.fuel.clone(),
            peak_memory_bytes: seat.peak_memory_bytes,
            log: Log::new(&seat.log),
            log_dropped: seat.log_dropped,
            log_parts: seat.log_parts.clone(),
        });
        JournalRecord { seats, fault: transcript.fault.clone() }
    }
}

impl TryFrom<JournalRecord> for Transcript {
    type Error = String;

    fn try_from(told: JournalRecord) -> Result<Transcript, String> {
        let [one, two] = told.seats.map(SeatTranscript::try_from).into_array();
        Ok(Transcript { seats: [one?, two?].into(), fault: told.fault })
    }
}

impl TryFrom<ToldSeat> for SeatTranscript {
    type Error = String;

    fn try_from(told: ToldSeat) -> Result<SeatTranscript, String> {
        Ok(SeatTranscript {
            answers: told.answers,
            fuel: told.fuel,
            peak_memory_bytes: told.peak_memory_bytes,
            log: told.log.into_bytes()?,
            log_dropped: told.log_dropped,
            log_parts: told.log_parts,
        })
    }
}

/// The link before the first line.
pub(super) fn first_link() -> Digest {
    digest(b"judge journal")
}

const BEFORE_ENTRY: &str = "{\"entry\":";
const BEFORE_LINK: &str = ",\"link\":\"";
const AFTER_LINK: &str = "\"}";

/// True if the bytes and the start of a journal's first line agree as far as both go.
pub(super) fn begins_like_first(bytes: &[u8]) -> bool {
    let first = b"{\"entry\":{\"journal\":";
    std::iter::zip(bytes, first).all(|(byte, expected)| byte == expected)
}

/// The line for an entry after `previous`, with its line break, and its link.
pub(super) fn encode(entry: &JournalEntry, previous: Digest) -> (Vec<u8>, Digest) {
    let json = serde_json::to_string(entry).expect("entries hold nothing that JSON cannot");
    let mut line = [BEFORE_ENTRY, &escaped_json(&json)].concat().into_bytes();
    let link = previous.chain(&line[BEFORE_ENTRY.len()..]);
    for part in [BEFORE_LINK, &link.to_string(), AFTER_LINK, "\n"] {
        line.extend_from_slice(part.as_bytes());
    }
    (line, link)
}

/// The entry in a line without its line break, and its link.
pub(super) fn decode<T: DeserializeOwned>(
    line: &str,
    previous: Digest,
) -> Result<(JournalEntry<T>, Digest), String> {
    let (entry, recorded) = split(line).ok_or("it is not a line of a journal")?;
    let link = previous.chain(entry.as_bytes());
    if link.to_string() != recorded {
        return Err("its link does not fit the lines up to it".to_owned());
    }
    let entry = serde_json::from_str(entry).map_err(|error| error.to_string())?;
    Ok((entry, link))
}

/// Splits a line into the JSON of the entry and the link.
fn split(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix(BEFORE_ENTRY)?.strip_suffix(AFTER_LINK)?;
    let at = line.rfind(BEFORE_LINK)?;
    Some((&line[..at], &line[at + BEFORE_LINK.len()..]))
}

#[cfg(test)]
mod tests {
    use judge_core::Seat;

    use super::*;

    fn fact(name: &str) -> JournalEntry {
        JournalEntry::Fact { name: name.to_owned(), value: Value::from(",\"link\":\"") }
    }

    #[test]
    fn journal_lines_read_back_only_at_their_place() {
        let decode = decode::<Box<JournalRecord>>;
        let encode = |entry: &JournalEntry, previous| {
            let (line, link) = encode(entry, previous);
            (String::from_utf8(line).expect("text"), link)
        };
        let (one, link) = encode(&fact("one"), first_link());
        let (two, end) = encode(&fact("two"), link);
        assert_eq!(decode(one.trim_end(), first_link()), Ok((fact("one"), link)));
        assert_eq!(decode(two.trim_end(), link), Ok((fact("two"), end)));
        assert!(decode(two.trim_end(), first_link()).is_err(), "a line is missing before it");
        assert!(decode(&one.trim_end().replace("one", "eno"), first_link()).is_err(), "changed");
        for cut in 0..one.trim_end().len() {
            assert!(decode(&one[..cut], first_link()).is_err(), "cut after {cut} bytes");
        }
    }

    #[test]
    fn journal_lines_have_no_control_characters() {
        let entry = fact("a\u{202e}b\u{7f}");
        let (line, _) = encode(&entry, first_link());
        let line = String::from_utf8(line).expect("text");
        assert!(!line.trim_end().chars().any(steers), "{line:?}");
        let read = decode::<Box<JournalRecord>>(line.trim_end(), first_link());
        assert_eq!(read.expect("a line").0, entry);
    }

    #[test]
    fn transcripts_read_back_byte_for_byte() {
        let mut transcript = Transcript::default();
        transcript.seats[Seat::One].answers = vec!["a".to_owned(), String::new()];
        transcript.seats[Seat::One].fuel = vec![1, u64::MAX];
        transcript.seats[Seat::One].log = b"any \xff bytes".to_vec();
        transcript.seats[Seat::Two].log = "text: \u{e9}\n".into();
        transcript.seats[Seat::Two].log_dropped = 7;
        transcript.seats[Seat::Two].log_parts = Some(vec![(0, 4).into(), (3, 1).into()]);
        transcript.fault = Some(Fault::judge("x".to_owned()));
        let json = serde_json::to_string(&JournalRecord::new(&transcript)).expect("JSON");
        let told: JournalRecord = serde_json::from_str(&json).expect("the same");
        assert!(json.contains(r#""log_parts":[[0,4],[3,1]]"#), "{json}");
        assert_eq!(Transcript::try_from(told), Ok(transcript));
    }

    #[test]
    fn a_log_takes_little_more_than_its_bytes() {
        let size =
            |log: &[u8]| escaped_json(&serde_json::to_string(&Log::new(log)).expect("JSON")).len();
        let logs: [Vec<u8>; 5] = [
            vec![1; 9000],
            vec![0xff; 9000],
            vec![b'"'; 9000],
            b"a line\n".repeat(1000),
            "\u{202e}".repeat(3000).into_bytes(),
        ];
        for log in &logs {
            assert!(size(log) < log.len() * 4 / 3 + 20, "{:?}", &log[..1]);
        }
        assert_eq!(Log::new(b"a line\n"), Log::Text("a line\n".to_owned()));
    }
}
