//! A replay file: written from a record, and read with a check that reports where a file was
//! changed.

use serde::{Deserialize, Serialize};

use crate::record::has_none;
use crate::record_lines::{call_bytes, push_call, push_line};
use crate::{Digest, REPLAY_VERSION, RecordHeader, RecordTrailer, RoundRecord, Seat, parting};

#[derive(Serialize, Deserialize)]
struct SealedTrailer {
    #[serde(flatten)]
    trailer: RecordTrailer,
    /// The digest of the round, without names of bots and people.
    digest: Digest,
    /// The digest including the first line with its names.
    seal: Digest,
}

/// An invalid replay file. Lines and columns are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// A line is not in the format.
    #[error("line {line}: {what} (column {column})")]
    Malformed {
        /// Line in the file.
        line: usize,
        /// Column in the line.
        column: usize,
        /// The parser's message.
        what: String,
    },
    /// The file has too few lines.
    #[error("ends after line {lines}: a header, at least one call and a trailer are expected")]
    Truncated {
        /// Number of lines.
        lines: usize,
    },
    /// The file is from another judge.
    #[error("replay version `{found}` is not supported; this judge reads `{REPLAY_VERSION}`")]
    Version {
        /// The version in the file.
        found: u32,
    },
    /// The log parts are impossible.
    #[error("line {line}: the `log_parts` of seat {seat} fit neither its calls nor its log")]
    LogParts {
        /// The last line of the file.
        line: usize,
        /// The seat.
        seat: Seat,
    },
    /// The content is valid, but not in the exact bytes that a judge writes.
    #[error(
        "line {line}, column {column}: changed after it was written: spaces, order, unknown or \
         repeated fields"
    )]
    NotCanonical {
        /// Line in the file.
        line: usize,
        /// Column in the line.
        column: usize,
    },
    /// The seal does not fit the content.
    #[error("{place}: changed after it was written: {0}", place = .0.place())]
    Tampered(#[from] BrokenSeal),
}

/// The part of a replay that does not match the hashes in its last line. The two hashes overlap, so
/// each kind of change breaks them differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BrokenSeal {
    /// Everything under the digest is unchanged.
    #[error("the `seal` fits the moves, but not the names of the players")]
    Names {
        /// The last line of the file.
        last: usize,
    },
    /// The same, in a file with log parts.
    #[error("the `seal` fits the moves, but not the names of the players and the `log_parts`")]
    NamesOrLogParts {
        /// The last line of the file.
        last: usize,
    },
    /// The lines match the seal.
    #[error("the lines hash to `{found}`, but the `digest` is `{recorded}`")]
    Digest {
        /// The last line of the file.
        last: usize,
        /// Hash of the lines in the file.
        found: Digest,
        /// The digest in the file.
        recorded: Digest,
    },
    /// The first line and both hashes match.
    #[error("the lines hash to `{found}`, but the `digest` is `{recorded}`")]
    Calls {
        /// The last line of the file.
        last: usize,
        /// Hash of the lines in the file.
        found: Digest,
        /// The digest in the file.
        recorded: Digest,
    },
    /// No two of them match.
    #[error("the first line fits neither the `digest` nor the `seal`")]
    Header,
}

impl BrokenSeal {
    /// The lines that may contain the change.
    pub fn place(&self) -> String {
        match self {
            BrokenSeal::Names { last } => format!("line 1 or the seal in line {last}"),
            BrokenSeal::NamesOrLogParts { last } => {
                format!("line 1 or the seal or the `log_parts` in line {last}")
            }
            BrokenSeal::Digest { last, .. } => format!("line {last}"),
            BrokenSeal::Calls { last, .. } => format!("lines 2 to {last}"),
            BrokenSeal::Header => "line 1".to_owned(),
        }
    }
}

/// A parsed replay file, not checked yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// The record in the file.
    pub record: RoundRecord,
    /// The digest in the file.
    pub digest: Digest,
    /// The seal in the file.
    pub seal: Digest,
}

impl Replay {
    /// Reads a file in the exact bytes that a judge writes, except for the hashes.
    ///
    /// # Errors
    /// When a line does not parse, the version is another one, or the bytes differ from a judge's.
    pub fn read(text: &str) -> Result<Replay, ReplayError> {
        let lines: Vec<&str> = text.lines().collect();
        let [first, calls @ .., last] = lines.as_slice() else {
            return Err(ReplayError::Truncated { lines: lines.len() });
        };
        let header: RecordHeader = parse(0, first)?;
        if header.replay != REPLAY_VERSION {
            return Err(ReplayError::Version { found: header.replay });
        }
        let calls = (1..).zip(calls).map(|(at, line)| parse(at, line)).collect::<Result<_, _>>()?;
        let SealedTrailer { trailer, digest, seal } = parse(lines.len() - 1, last)?;
        let replay = Replay { record: RoundRecord { header, calls, trailer }, digest, seal };
        replay.check_log_parts()?;
        match parting(text, &replay.to_text()) {
            None => Ok(replay),
            Some((line, column)) => Err(ReplayError::NotCanonical { line, column }),
        }
    }

    /// Checks that the log parts are possible.
    fn check_log_parts(&self) -> Result<(), ReplayError> {
        let known = |seat: &Seat| self.record.trailer.log_parts[*seat].is_some();
        let wrong = |seat: &Seat| self.record.logged(*seat).is_none();
        match Seat::BOTH.into_iter().filter(known).find(wrong) {
            None => Ok(()),
            Some(seat) => Err(ReplayError::LogParts { line: self.last_line(), seat }),
        }
    }

    /// The file as JSON Lines, each with a line feed.
    fn to_text(&self) -> String {
        let Replay { record, digest, seal } = self;
        let trailer =
            SealedTrailer { trailer: record.trailer.clone(), digest: *digest, seal: *seal };
        let mut lines = Vec::with_capacity(call_bytes(&record.calls));
        push_line(&mut lines, &record.header);
        record.calls.iter().for_each(|call| push_call(&mut lines, call));
        push_line(&mut lines, &trailer);
        String::from_utf8(lines).expect("JSON is UTF-8")
    }

    /// Number of the line, counted from 1, of the call with that index.
    pub fn line_of_call(index: usize) -> usize {
        index + 2
    }

    /// Number of the last line: the trailer's.
    pub fn last_line(&self) -> usize {
        Replay::line_of_call(self.record.calls.len())
    }

    /// Computes digest and seal again.
    ///
    /// # Errors
    /// When they differ from those in the file.
    pub fn check_seal(&self) -> Result<(), BrokenSeal> {
        let (found, recorded, last) = (self.record.digest(), self.digest, self.last_line());
        if found == recorded {
            return match has_none(&self.record.trailer.log_parts) {
                _ if self.record.seal(found) == self.seal => Ok(()),
                true => Err(BrokenSeal::Names { last }),
                false => Err(BrokenSeal::NamesOrLogParts { last }),
            };
        }
        Err(if self.record.seal(found) == self.seal {
            BrokenSeal::Digest { last, found, recorded }
        } else if self.record.seal(recorded) == self.seal {
            BrokenSeal::Calls { last, found, recorded }
        } else {
            BrokenSeal::Header
        })
    }
}

impl RoundRecord {
    /// The replay file as JSON Lines, each with a line feed.
    pub fn to_replay(&self) -> String {
        let digest = self.digest();
        Replay { record: self.clone(), digest, seal: self.seal(digest) }.to_text()
    }

    /// Reads a replay and checks its seal.
    ///
    /// # Errors
    /// When a line does not parse, the version is another one, or the seal does not match.
    pub fn from_replay(text: &str) -> Result<RoundRecord, ReplayError> {
        let replay = Replay::read(text)?;
        replay.check_seal()?;
        Ok(replay.record)
    }
}

fn parse<'a, T: Deserialize<'a>>(index: usize, line: &'a str) -> Result<T, ReplayError> {
    serde_json::from_str(line).map_err(|error| {
        // The parser gets each line as a separate text, so its position would mislead.
        let place = format!(" at line {} column {}", error.line(), error.column());
        let text = error.to_string();
        let what = text.strip_suffix(&place).unwrap_or(&text).to_owned();
        ReplayError::Malformed { line: index + 1, column: error.column(), what }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::{sample, sample_with_parts};

    /// The result of reading a sample replay after a change.
    fn changed(change: impl Fn(&mut Replay)) -> Result<(), BrokenSeal> {
        let mut replay = Replay::read(&sample().to_replay()).expect("own text");
        change(&mut replay);
        replay.check_seal()
    }

    #[test]
    fn the_hashes_show_which_part_was_changed() {
        let of = |change: &dyn Fn(&mut Replay)| {
            changed(change).err().map(|broken| broken.place()).unwrap_or_default()
        };
        let other = crate::digest(b"other");
        assert_eq!(changed(|_| {}), Ok(()));
        assert_eq!(of(&|replay| replay.digest = other), "line 5");
        assert_eq!(of(&|replay| replay.seal = other), "line 1 or the seal in line 5");
        assert_eq!(of(&|replay| replay.record.header.spec.seed.0 += 1), "line 1");
        assert_eq!(of(&|replay| replay.record.calls[0].fuel = None), "lines 2 to 5");
        assert_eq!(of(&|replay| replay.record.trailer.log_dropped[Seat::Two] = 9), "lines 2 to 5");
        assert_eq!(of(&|replay| drop(replay.record.calls.remove(0))), "lines 2 to 4");
    }

    #[test]
    fn parts_of_logs_belong_to_the_seal() {
        let mut replay = Replay::read(&sample_with_parts().to_replay()).expect("own text");
        assert_eq!(replay.check_seal(), Ok(()));
        replay.record.trailer.log_parts[Seat::One] = Some(vec![(1, 4).into()]);
        let broken = replay.check_seal().expect_err("other parts");
        assert_eq!(broken, BrokenSeal::NamesOrLogParts { last: 5 });
        assert_eq!(broken.place(), "line 1 or the seal or the `log_parts` in line 5");
    }

    #[test]
    fn parts_that_do_not_fit_the_log_and_the_calls_are_refused() {
        type Lie = fn(&mut RoundRecord);
        let lies: [Lie; 6] = [
            |record| record.trailer.log_parts[Seat::One] = Some(vec![(1, 1).into(), (0, 1).into()]),
            |record| record.trailer.log_parts[Seat::One] = Some(vec![(0, 7).into()]),
            |record| record.trailer.log_parts[Seat::One] = Some(vec![(2, 1).into()]),
            |record| record.trailer.log_parts[Seat::One] = Some(vec![(3, 1).into()]),
            |record| record.trailer.logs[Seat::One] = "hello\u{e9}".to_owned(),
            |record| record.trailer.log_parts[Seat::Two] = Some(vec![]),
        ];
        for (number, lie) in lies.into_iter().enumerate() {
            let mut record = sample_with_parts();
            lie(&mut record);
            let seat = if number == 5 { Seat::Two } else { Seat::One };
            let found = RoundRecord::from_replay(&record.to_replay());
            assert_eq!(found, Err(ReplayError::LogParts { line: 5, seat }), "lie {number}");
        }
    }

    /// Every text that differs from the given one by a changed, missing or doubled byte.
    fn near(text: &str) -> impl Iterator<Item = String> + '_ {
        (0..text.len()).flat_map(move |at| {
            let bytes = text.as_bytes();
            let edits: [(usize, Vec<u8>); 4] = [
                (at + 1, vec![bytes[at] ^ 1]),
                (at + 1, vec![bytes[at] ^ 4]),
                (at + 1, Vec::new()),
                (at, vec![bytes[at]]),
            ];
            edits.into_iter().filter_map(move |(rest, new)| {
                let edited = [&bytes[..at], &new, &bytes[rest..]].concat();
                String::from_utf8(edited).ok().filter(|edited| edited != text)
            })
        })
    }

    #[test]
    fn a_changed_dropped_or_doubled_byte_is_found() {
        for replay in [sample().to_replay(), sample_with_parts().to_replay()] {
            let mut count = 0;
            for text in near(&replay) {
                let error = RoundRecord::from_replay(&text).expect_err(&text).to_string();
                let named = error.starts_with("line") || error.starts_with("ends after line");
                assert!(named || error.starts_with("replay version"), "{error}");
                count += 1;
            }
            assert!(count > 3 * replay.len(), "{count}");
        }
    }
}
