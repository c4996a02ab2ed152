//! The record of one round: every line in both directions, its cost, and the result. As a file (a
//! *replay*) it is JSON Lines: a header, one line per call, a sealed trailer.

use serde::{Deserialize, Serialize};

use crate::{BySeat, Fault, LogPart, RoundSpec, Seat};

/// Version of the replay format.
pub const REPLAY_VERSION: u32 = 2;

/// The versions and settings that, with bots, testcase and seed, decide a result. Results with
/// different fingerprints are never compared as equal.
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
    /// Version of the format.
    pub replay: u32,
    /// The specification of the round.
    pub spec: RoundSpec,
    /// The versions and settings of the judge that played it.
    pub fingerprint: Fingerprint,
}

/// One line to a player and, for a question, the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The seat that was called.
    pub seat: Seat,
    /// The line that was sent.
    pub line: String,
    /// The answer; none for a notice, and none if the player failed here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The fuel of the call; none for players without counted fuel, and none if the player failed
    /// here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fuel: Option<u64>,
}

/// The result of a round by the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundResult {
    /// Scores of seat 1 and seat 2.
    pub scores: [i64; 2],
    /// The winner; none for a draw.
    pub winner: Option<Seat>,
    /// The reason for the end, in the game's words: `self draw`, `wall empty`, …
    pub reason: String,
}

impl RoundResult {
    /// `win`, `loss` or `draw`, as in the protocol's last line to `seat`.
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

/// The complete record of a round, from which scores, tables and exports derive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundRecord {
    /// The specification and the fingerprint.
    pub header: RecordHeader,
    /// Every line, in the order of sending.
    pub calls: Vec<Call>,
    /// The result.
    pub trailer: RecordTrailer,
}

/// The result of a round. With the seal it is the last line of a replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordTrailer {
    /// The result by the rules; after a fault, the forfeit.
    pub outcome: RoundResult,
    /// The failure that ended it, if one did.
    pub fault: Option<Fault>,
    /// Peak memory of seats 1 and 2, in bytes; 0 if it is not measured.
    pub peak_memory_bytes: BySeat<u64>,
    /// Logs of seats 1 and 2; bytes that are not UTF-8 are shown as U+FFFD.
    pub logs: BySeat<String>,
    /// Bytes of log beyond the limit, which were dropped.
    pub log_dropped: BySeat<u64>,
    /// The parts of the logs by call, with indexes among the calls of both seats; none for a seat
    /// if they are unknown, or its log is empty.
    #[serde(default, skip_serializing_if = "has_none")]
    pub log_parts: BySeat<Option<Vec<LogPart>>>,
}

pub(crate) fn has_none<T>(both: &BySeat<Option<T>>) -> bool {
    both.iter().all(Option::is_none)
}

impl RecordTrailer {
    /// A trailer with only the result and the fault.
    pub fn new(outcome: RoundResult, fault: Option<Fault>) -> RecordTrailer {
        RecordTrailer {
            outcome,
            fault,
            peak_memory_bytes: BySeat::default(),
            logs: BySeat::default(),
            log_dropped: BySeat::default(),
            log_parts: BySeat::default(),
        }
    }
}

impl RoundRecord {
    /// Fuel of `seat` over all calls that returned.
    pub fn fuel(&self, seat: Seat) -> u64 {
        let own = self.calls.iter().filter(|call| call.seat == seat);
        // A forged replay may contain any figures.
        own.filter_map(|call| call.fuel).fold(0, u64::saturating_add)
    }

    /// Log texts of the calls of `seat`, each with the index of its call; none if they are
    /// unknown.
    pub fn logged(&self, seat: Seat) -> Option<Vec<(usize, &str)>> {
        let parts = self.trailer.log_parts[seat].as_ref()?;
        let texts = LogPart::split(parts, &self.trailer.logs[seat])?.into_iter();
        let own = |(call, text): (u32, _)| {
            let index = usize::try_from(call).ok()?;
            self.calls.get(index).filter(|call| call.seat == seat).map(|_| (index, text))
        };
        texts.map(own).collect()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{Limits, Options, ReplayError, SeatSpec, Seed, Verdict, digest};

    pub(crate) fn sample() -> RoundRecord {
        let bot = SeatSpec::Bot { name: "me".into(), sha256: digest(b"module") };
        let call = |seat, line: &str, answer: Option<&str>, fuel| Call {
            seat,
            line: line.into(),
            answer: answer.map(str::to_owned),
            fuel,
        };
        RoundRecord {
            header: RecordHeader {
                replay: REPLAY_VERSION,
                spec: RoundSpec {
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
                outcome: RoundResult {
                    scores: [38, 0],
                    winner: Some(Seat::One),
                    reason: "x".into(),
                },
                fault: None,
                peak_memory_bytes: [131_072, 0].into(),
                logs: ["hello\n".into(), String::new()].into(),
                log_dropped: BySeat::default(),
                log_parts: BySeat::default(),
            },
        }
    }

    /// The sample with known log parts: two bytes before the first call, then three and one by
    /// calls.
    pub(crate) fn sample_with_parts() -> RoundRecord {
        let mut record = sample();
        record.trailer.log_parts[Seat::One] = Some(vec![(0, 3).into(), (1, 1).into()]);
        record
    }

    #[test]
    fn a_replay_reads_back_as_the_same_record() {
        let record = sample();
        let read = RoundRecord::from_replay(&record.to_replay()).unwrap();
        assert_eq!(read, record);
        assert_eq!(read.fuel(Seat::One), 350);
    }

    /// Digest of the sample.
    const DIGEST: &str = "cfb07384593e81a8a2de487cb3e56753751d468c8d4718d82b7c13c3d0da6ee5";

    #[test]
    fn the_digest_does_not_depend_on_the_parts_of_logs_and_the_seal_does() {
        let (plain, record) = (sample(), sample_with_parts());
        assert_eq!(plain.digest().to_string(), DIGEST);
        assert_eq!(record.digest().to_string(), DIGEST);
        let mut other = record.clone();
        other.trailer.log_parts[Seat::One] = Some(vec![(0, 2).into(), (1, 2).into()]);
        assert_eq!(other.digest(), record.digest());
        assert_ne!(other.seal(other.digest()), record.seal(record.digest()));
        assert_ne!(plain.seal(plain.digest()), record.seal(record.digest()));
    }

    #[test]
    fn a_replay_with_parts_of_logs_reads_back() {
        let (plain, record) = (sample().to_replay(), sample_with_parts().to_replay());
        assert!(plain.starts_with(r#"{"replay":2,"#) && !plain.contains("log_parts"), "{plain}");
        assert!(record.starts_with(r#"{"replay":2,"#), "{record}");
        assert!(
            record.contains(r#""log_dropped":[0,0],"log_parts":[[[0,3],[1,1]],null],"digest""#)
        );
        let read = RoundRecord::from_replay(&record).unwrap();
        assert_eq!(read, sample_with_parts());
        assert_eq!(read.logged(Seat::One), Some(vec![(0, "llo"), (1, "\n")]));
        assert_eq!((read.logged(Seat::Two), sample().logged(Seat::One)), (None, None));
        assert_eq!(RoundRecord::from_replay(&plain).unwrap(), sample());
    }

    #[test]
    fn the_digest_does_not_depend_on_names() {
        let (record, mut renamed, mut other) = (sample(), sample(), sample());
        let SeatSpec::Bot { name, .. } = &mut renamed.header.spec.seats[0] else { panic!("a bot") };
        *name = "somebody".into();
        other.calls[1].answer = Some("4b".into());
        assert_eq!(record.digest(), renamed.digest());
        assert_ne!(record.digest(), other.digest());
    }

    #[test]
    fn a_person_with_any_name_reads_back() {
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
        assert_eq!(RoundRecord::from_replay(&record.to_replay()).unwrap(), record);
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
        assert_eq!(RoundRecord::from_replay(&record.to_replay()).unwrap(), record);
        assert_eq!(record.digest(), trained("trained:b", b"table").digest());
        assert_ne!(record.digest(), trained("trained:a", b"another").digest());
    }

    #[test]
    fn truncated_replays_and_other_versions_are_refused() {
        let replay = sample().to_replay();
        let lines: Vec<&str> = replay.lines().collect();
        assert!(RoundRecord::from_replay(&lines[..lines.len() - 1].join("\n")).is_err());
        assert!(matches!(
            RoundRecord::from_replay(lines[0]),
            Err(ReplayError::Truncated { lines: 1 })
        ));
        for replay in [replay, sample_with_parts().to_replay()] {
            let (_, rest) = replay.split_once(',').unwrap();
            for version in [0, 1, 3] {
                let other = RoundRecord::from_replay(&format!("{{\"replay\":{version},{rest}"));
                assert!(matches!(other, Err(ReplayError::Version { found }) if found == version));
            }
        }
    }
}
