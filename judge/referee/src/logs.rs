//! Converts log parts between transcripts and records. Transcripts count the bytes that a bot wrote
//! and the calls of its seat; records count the bytes of the displayed text and the calls of both
//! seats.

use judge_core::{Call, LogPart, RoundRecord, Seat, SeatTranscript};

/// Log parts of a seat for a record with these calls; none if they are unknown.
pub(crate) fn to_record(
    seat: Seat,
    transcript: &SeatTranscript,
    calls: &[Call],
) -> Option<Vec<LogPart>> {
    let parts = transcript.log_parts.as_ref()?;
    let own = own_calls(seat, calls);
    let shown = shown_parts(&transcript.log, parts).into_iter();
    shown.map(|part| Some(LogPart { call: *own.get(part.call as usize)?, ..part })).collect()
}

/// Log parts of a seat for the transcript of a record. A call of the other seat gets an impossible
/// index, so that a check of the transcript finds it.
pub(crate) fn to_transcript(record: &RoundRecord, seat: Seat) -> Option<Vec<LogPart>> {
    let own = own_calls(seat, &record.calls);
    let place = |call| own.binary_search(&call).ok().and_then(|place| u32::try_from(place).ok());
    let part = |part: &LogPart| LogPart { call: place(part.call).unwrap_or(u32::MAX), ..*part };
    Some(record.trailer.log_parts[seat].as_ref()?.iter().map(part).collect())
}

/// Indices of the calls of a seat.
fn own_calls(seat: Seat, calls: &[Call]) -> Vec<u32> {
    (0..).zip(calls).filter(|(_, call)| call.seat == seat).map(|(index, _)| index).collect()
}

/// Parts of the displayed text of a log. A character that two calls wrote belongs to the first; a
/// part that becomes empty is dropped.
fn shown_parts(log: &[u8], parts: &[LogPart]) -> Vec<LogPart> {
    let mut units = units(log);
    let (mut bytes, mut text) = (0, 0);
    let mut shown_end = |end: usize| {
        while bytes < end {
            let Some(unit) = units.next() else { break };
            bytes += unit.bytes;
            text += unit.text;
        }
        text
    };
    let total = usize::try_from(LogPart::total(parts)).unwrap_or(usize::MAX);
    let mut end = log.len().saturating_sub(total);
    let mut before = shown_end(end);
    let part = |part: &LogPart| {
        end = end.saturating_add(part.bytes as usize);
        let start = std::mem::replace(&mut before, shown_end(end));
        let bytes = u32::try_from(before - start).unwrap_or(u32::MAX);
        (bytes > 0).then_some(LogPart { call: part.call, bytes })
    };
    parts.iter().filter_map(part).collect()
}

/// A character of a log, or bytes that are displayed as U+FFFD.
struct Unit {
    /// Its bytes in the log.
    bytes: usize,
    /// Its bytes in the text.
    text: usize,
}

fn units(log: &[u8]) -> impl Iterator<Item = Unit> {
    log.utf8_chunks().flat_map(|chunk| {
        let valid = chunk.valid().chars().map(char::len_utf8);
        let bad = Some(chunk.invalid().len()).filter(|bytes| *bytes > 0);
        let bad = bad.map(|bytes| Unit { bytes, text: char::REPLACEMENT_CHARACTER.len_utf8() });
        valid.map(|bytes| Unit { bytes, text: bytes }).chain(bad)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of the calls that wrote these pieces; the first piece comes before any call.
    fn texts(pieces: &[&[u8]]) -> Vec<(u32, String)> {
        let log = pieces.concat();
        let part = |(call, piece): (u32, &&[u8])| LogPart { call, bytes: piece.len() as u32 };
        let parts: Vec<LogPart> = (0..).zip(&pieces[1..]).map(part).collect();
        assert!(LogPart::fit(&parts, log.len()), "{pieces:?}");
        let shown = String::from_utf8_lossy(&log);
        let texts = LogPart::split(&shown_parts(&log, &parts), &shown).expect("they fit");
        texts.into_iter().map(|(call, text)| (call, text.to_owned())).collect()
    }

    fn owned(texts: &[(u32, &str)]) -> Vec<(u32, String)> {
        texts.iter().map(|(call, text)| (*call, (*text).to_owned())).collect()
    }

    #[test]
    fn log_text_belongs_to_its_call() {
        assert_eq!(texts(&[b"begin", b"one", b"two"]), owned(&[(0, "one"), (1, "two")]));
        assert_eq!(texts(&[b"", "\u{e9}".as_bytes(), b"x"]), owned(&[(0, "\u{e9}"), (1, "x")]));
    }

    #[test]
    fn invalid_bytes_take_three_bytes_in_a_log() {
        let expected = owned(&[(0, "\u{fffd}"), (1, "a\u{fffd}\u{fffd}")]);
        assert_eq!(texts(&[b"\xff", b"\xff", b"a\xff\xfe"]), expected);
    }

    #[test]
    fn a_character_split_over_two_calls_belongs_to_the_first() {
        // The euro sign: E2 82 AC.
        assert_eq!(
            texts(&[b"", b"a\xe2", b"\x82\xacb"]),
            owned(&[(0, "a\u{20ac}"), (1, "b")]),
            "it ends in the second"
        );
        assert_eq!(
            texts(&[b"", b"a\xe2", b"\x82", b"\xac", b"c"]),
            owned(&[(0, "a\u{20ac}"), (3, "c")]),
            "others add to it and nothing else"
        );
        assert_eq!(texts(&[b"\xe2", b"\x82\xac"]), [], "it was begun before the first call");
        assert_eq!(
            texts(&[b"", b"\xe2", b"\x82z"]),
            owned(&[(0, "\u{fffd}"), (1, "z")]),
            "it never became one"
        );
    }
}
