//! The record of one played match: every line both ways, what it cost, and how it ended.
//! As a file (a *replay*) it is JSON Lines: a header, one line per call, a sealed trailer.

use serde::{Deserialize, Serialize};

use crate::{BySeat, Digest, Fault, MatchSpec, Seat, SeatSpec, digest};

/// Version of the replay format written by this judge.
pub const RECORD_VERSION: u32 = 1;

/// What else decides a result, besides bots, testcase and seed. Results whose fingerprints
/// differ are never compared as equal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Version of the judge.
    pub judge: String,
    /// The engine, its version and a hash of its settings and operator costs.
    pub engine: String,
}

/// First line of a replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordHeader {
    /// [`RECORD_VERSION`] of the writer.
    pub replay: u32,
    /// What was played.
    pub spec: MatchSpec,
    /// What it was played with.
    pub fingerprint: Fingerprint,
}

/// One line to a player and, for a question, the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// Who was called.
    pub seat: Seat,
    /// The line that was sent.
    pub line: String,
    /// The answer; none for a notice, and none when the player failed here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// What the call cost; none for players whose fuel is not counted, and none when the player
    /// failed here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fuel: Option<u64>,
}

/// How a match ended by the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Scores of seat 1 and seat 2.
    pub scores: [i64; 2],
    /// The winner; none for a draw.
    pub winner: Option<Seat>,
    /// How it ended, in the game's own words: `self draw`, `wall empty`, …
    pub reason: String,
}

impl Outcome {
    /// `win`, `loss` or `draw`, as the last line of the protocol says it to `seat`.
    pub fn result_for(&self, seat: Seat) -> &'static str {
        match self.winner {
            None => "draw",
            Some(winner) if winner == seat => "win",
            Some(_) => "loss",
        }
    }

    /// The score of `seat`.
    pub fn score(&self, seat: Seat) -> i64 {
        self.scores[seat.index()]
    }
}

/// Everything about one played match. The only truth: scores, tables and exports derive from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchRecord {
    /// What was played, with what.
    pub header: RecordHeader,
    /// Every line, in the order in which it was sent.
    pub calls: Vec<Call>,
    /// How it ended.
    pub trailer: RecordTrailer,
}

/// How a match ended; together with the seal the last line of a replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordTrailer {
    /// The result by the rules; after a fault, the forfeit.
    pub outcome: Outcome,
    /// The failure that ended it, if one did.
    pub fault: Option<Fault>,
    /// Most memory held at once by seats 1 and 2, in bytes; 0 where it is not measured.
    pub peak_memory_bytes: BySeat<u64>,
    /// Logs of seats 1 and 2; bytes that are not UTF-8 are shown as U+FFFD.
    pub logs: BySeat<String>,
    /// Bytes of log beyond the limit, which were dropped.
    pub log_dropped: BySeat<u64>,
}

impl RecordTrailer {
    /// An end of which nothing is known but the result.
    pub fn of(outcome: Outcome, fault: Option<Fault>) -> RecordTrailer {
        RecordTrailer {
            outcome,
            fault,
            peak_memory_bytes: BySeat::default(),
            logs: BySeat::default(),
            log_dropped: BySeat::default(),
        }
    }
}

impl MatchRecord {
    /// Fuel that `seat` spent over all calls that returned.
    pub fn fuel(&self, seat: Seat) -> u64 {
        let own = self.calls.iter().filter(|call| call.seat == seat);
        // A forged replay may hold any figures.
        own.filter_map(|call| call.fuel).fold(0, u64::saturating_add)
    }

    /// The record's digest: a SHA-256 chain over the header without the names of bots, tables and
    /// people, the calls and the trailer, each as a line of JSON. A renamed bot plays the same
    /// match.
    pub fn digest(&self) -> Digest {
        let mut header = self.header.clone();
        header.spec.seats.iter_mut().for_each(SeatSpec::forget_name);
        let start = digest(json(&header).as_bytes());
        let calls = self.calls.iter().fold(start, |link, call| link.chain(json(call).as_bytes()));
        calls.chain(json(&self.trailer).as_bytes())
    }

    /// The record's seal: its digest and, after it, the header with the names.
    pub(crate) fn seal(&self, digest: Digest) -> Digest {
        digest.chain(json(&self.header).as_bytes())
    }
}

pub(crate) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("records hold nothing that JSON cannot")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{Limits, Options, ReplayError, Seed, Verdict};

    pub(crate) fn sample() -> MatchRecord {
        let bot = SeatSpec::Bot { name: "me".into(), sha256: digest(b"module") };
        let call = |seat, line: &str, answer: Option<&str>, fuel| Call {
            seat,
            line: line.into(),
            answer: answer.map(str::to_owned),
            fuel,
        };
        MatchRecord {
            header: RecordHeader {
                replay: RECORD_VERSION,
                spec: MatchSpec {
                    game: "mahjong".into(),
                    options: Options::new(),
                    seed: Seed(7),
                    seats: [bot, SeatSpec::Reference { name: "random".into() }],
                    limits: Limits::COURSE,
                },
                fingerprint: Fingerprint { judge: "0".into(), engine: "none".into() },
            },
            calls: vec![
                call(Seat::One, "draw 3b", None, Some(100)),
                call(Seat::One, "discard?", Some("3b"), Some(250)),
                call(Seat::Two, "opponent 3b", None, None),
            ],
            trailer: RecordTrailer {
                outcome: Outcome { scores: [38, 0], winner: Some(Seat::One), reason: "x".into() },
                fault: None,
                peak_memory_bytes: [131_072, 0].into(),
                logs: ["hello\n".into(), String::new()].into(),
                log_dropped: BySeat::default(),
            },
        }
    }

    #[test]
    fn a_replay_reads_back_as_the_same_record() {
        let record = sample();
        let read = MatchRecord::from_replay(&record.to_replay()).unwrap();
        assert_eq!(read, record);
        assert_eq!(read.fuel(Seat::One), 350);
    }

    #[test]
    fn the_digest_is_that_of_the_match_and_not_of_the_name() {
        let (record, mut renamed, mut other) = (sample(), sample(), sample());
        let SeatSpec::Bot { name, .. } = &mut renamed.header.spec.seats[0] else { panic!("a bot") };
        *name = "somebody".into();
        other.calls[1].answer = Some("4b".into());
        assert_eq!(record.digest(), renamed.digest());
        assert_ne!(record.digest(), other.digest());
    }

    #[test]
    fn a_person_in_a_seat_reads_back_and_may_be_called_anything() {
        let person = |name: &str| {
            let mut record = sample();
            record.header.spec.seats[1] = SeatSpec::Human { name: name.to_owned() };
            record.trailer.fault = Some(Fault {
                seat: Some(Seat::Two),
                verdict: Verdict::Resigned,
                detail: "x".into(),
                call: Some(2),
            });
            record
        };
        let record = person("Ada");
        assert_eq!(record.header.spec.human(), Some(Seat::Two));
        assert_eq!(sample().header.spec.human(), None);
        assert_eq!(MatchRecord::from_replay(&record.to_replay()).unwrap(), record);
        assert_eq!(record.digest(), person("Grace").digest());
        assert!(record.to_replay().contains(r#"{"human":{"name":"Ada"}}"#));
    }

    #[test]
    fn a_trained_player_is_named_by_its_table() {
        let trained = |name: &str, table: &[u8]| {
            let mut record = sample();
            let (name, sha256) = (name.to_owned(), digest(table));
            record.header.spec.seats[1] = SeatSpec::Trained { name, sha256 };
            record
        };
        let record = trained("trained:a", b"table");
        assert_eq!(record.header.spec.seats[1].table(), Some(digest(b"table")));
        assert_eq!(MatchRecord::from_replay(&record.to_replay()).unwrap(), record);
        assert_eq!(record.digest(), trained("trained:b", b"table").digest());
        assert_ne!(record.digest(), trained("trained:a", b"another").digest());
    }

    #[test]
    fn a_cut_replay_and_a_newer_one_are_refused() {
        let replay = sample().to_replay();
        let lines: Vec<&str> = replay.lines().collect();
        assert!(MatchRecord::from_replay(&lines[..lines.len() - 1].join("\n")).is_err());
        assert!(matches!(
            MatchRecord::from_replay(lines[0]),
            Err(ReplayError::Truncated { lines: 1 })
        ));
        let newer = replay.replacen("\"replay\":1", "\"replay\":2", 1);
        assert!(matches!(MatchRecord::from_replay(&newer), Err(ReplayError::Newer { found: 2 })));
    }
}
