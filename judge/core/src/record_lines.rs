//! The JSON lines of a record, written into one buffer: the bytes of its digest and of its replay.
//! Every round is hashed, so a call is written without an intermediate text.

use std::io::Write as _;

use serde::Serialize;

use crate::record::has_none;
use crate::{
    BySeat, Call, Digest, Fault, RecordTrailer, RoundRecord, RoundResult, Seat, SeatSpec, digest,
};

/// Bytes of a call's line without its texts: names, punctuation and the largest fuel.
const CALL_FRAME: usize = 64;

impl RoundRecord {
    /// The record's digest: the SHA-256 of the header without the names of bots, tables and
    /// people, the calls, and the trailer without the parts of logs, each as a line of JSON with a
    /// line feed. A renamed bot plays the same round.
    pub fn digest(&self) -> Digest {
        digest(&digested_bytes(self))
    }

    /// The record's seal: the SHA-256 of its digest, the header with names, and the parts of logs,
    /// if there are any.
    pub(crate) fn seal(&self, digest: Digest) -> Digest {
        let mut lines = Vec::new();
        push_line(&mut lines, &self.header);
        if !has_none(&self.trailer.log_parts) {
            push_line(&mut lines, &self.trailer.log_parts);
        }
        digest.chain(&lines)
    }
}

/// The bytes under a record's digest.
fn digested_bytes(record: &RoundRecord) -> Vec<u8> {
    let logs: usize = record.trailer.logs.iter().map(String::len).sum();
    let mut lines = Vec::with_capacity(1024 + call_bytes(&record.calls) + logs);
    let mut header = record.header.clone();
    header.spec.seats.iter_mut().for_each(SeatSpec::forget_name);
    push_line(&mut lines, &header);
    record.calls.iter().for_each(|call| push_call(&mut lines, call));
    push_line(&mut lines, &DigestedTrailer::new(&record.trailer));
    lines
}

/// About the number of bytes of these calls as lines.
pub(crate) fn call_bytes(calls: &[Call]) -> usize {
    let texts = |call: &Call| call.line.len() + call.answer.as_ref().map_or(0, String::len);
    calls.iter().map(|call| CALL_FRAME + texts(call)).sum()
}

/// Appends a value as a line of JSON.
pub(crate) fn push_line(lines: &mut Vec<u8>, value: &impl Serialize) {
    push_json(lines, value);
    lines.push(b'\n');
}

/// Appends a call as a line of JSON, in the bytes of its [`Serialize`].
pub(crate) fn push_call(lines: &mut Vec<u8>, call: &Call) {
    let Call { seat, line, answer, fuel } = call;
    let seat: &[u8] = match seat {
        Seat::One => b"{\"seat\":1,\"line\":",
        Seat::Two => b"{\"seat\":2,\"line\":",
    };
    lines.extend_from_slice(seat);
    push_text(lines, line);
    if let Some(answer) = answer {
        lines.extend_from_slice(b",\"answer\":");
        push_text(lines, answer);
    }
    if let Some(fuel) = fuel {
        write!(lines, ",\"fuel\":{fuel}").expect("a vector takes any bytes");
    }
    lines.extend_from_slice(b"}\n");
}

/// Appends a text as JSON. Nearly all lines of a round need no escapes.
fn push_text(lines: &mut Vec<u8>, text: &str) {
    let is_escaped = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
    if text.bytes().any(is_escaped) {
        return push_json(lines, &text);
    }
    lines.push(b'"');
    lines.extend_from_slice(text.as_bytes());
    lines.push(b'"');
}

fn push_json(lines: &mut Vec<u8>, value: &impl Serialize) {
    serde_json::to_writer(lines, value).expect("records hold nothing that JSON cannot");
}

/// A trailer without the parts of logs.
#[derive(Serialize)]
struct DigestedTrailer<'a> {
    outcome: &'a RoundResult,
    fault: &'a Option<Fault>,
    peak_memory_bytes: BySeat<u64>,
    logs: &'a BySeat<String>,
    log_dropped: BySeat<u64>,
}

impl DigestedTrailer<'_> {
    fn new(trailer: &RecordTrailer) -> DigestedTrailer<'_> {
        let RecordTrailer { outcome, fault, peak_memory_bytes, logs, log_dropped, log_parts: _ } =
            trailer;
        let (peak_memory_bytes, log_dropped) = (*peak_memory_bytes, *log_dropped);
        DigestedTrailer { outcome, fault, peak_memory_bytes, logs, log_dropped }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::{sample, sample_with_parts};

    fn json(value: &impl Serialize) -> String {
        serde_json::to_string(value).expect("JSON") + "\n"
    }

    #[test]
    fn a_call_has_the_bytes_of_its_serialization() {
        let texts =
            ["", "draw 3b", "a \"quote\"", "back\\slash", "a\u{1}b\nc", "\u{7f}\u{e9}\u{20ac}"];
        let answers = texts.map(Some).into_iter().chain([None]);
        for (line, answer) in texts.iter().flat_map(|line| answers.clone().map(move |a| (line, a)))
        {
            for (seat, fuel) in
                [(Seat::One, None), (Seat::Two, Some(0)), (Seat::One, Some(u64::MAX))]
            {
                let (line, answer) = ((*line).to_owned(), answer.map(str::to_owned));
                let call = Call { seat, line, answer, fuel };
                let mut bytes = Vec::new();
                push_call(&mut bytes, &call);
                assert_eq!(String::from_utf8(bytes), Ok(json(&call)));
                assert!(json(&call).len() <= 6 * call_bytes(&[call]), "room for every escape");
            }
        }
    }

    #[test]
    fn the_digest_covers_every_line_but_names_and_log_parts() {
        let (named, mut record) = (sample_with_parts(), sample());
        record.header.spec.seats.iter_mut().for_each(SeatSpec::forget_name);
        let calls: String = record.calls.iter().map(json).collect();
        let expected = json(&record.header) + &calls + &json(&record.trailer);
        assert_eq!(String::from_utf8(digested_bytes(&named)), Ok(expected));
    }
}
