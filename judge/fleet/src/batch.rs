//! Serialization of a batch's rounds and of a machine's results for them.

use std::fmt::Display;
use std::time::Duration;

use judge_arena::{RemoteResult, is_far, transcript_from_json, transcript_to_json};
use judge_core::{RoundSpec, SeatSpec, Seed};
use serde::{Deserialize, Serialize};

use crate::Error;

/// Rounds as stored in the database. Most of them differ only in the seed, so common parts are
/// stored once.
#[derive(Debug, Default, Serialize, Deserialize)]
struct BatchRounds {
    /// A round of each kind, without the names of bots.
    kinds: Vec<RoundSpec>,
    /// Position of the kind, and the seed.
    rounds: Vec<(usize, Seed)>,
}

/// Serializes rounds for the database, without the names of bots.
pub(crate) fn rounds_to_json(specs: &[RoundSpec]) -> String {
    let mut all = BatchRounds::default();
    for spec in specs {
        let (mut kind, seed) = (spec.clone(), spec.seed);
        kind.seats.iter_mut().for_each(SeatSpec::forget_name);
        let known = all.kinds.iter().rposition(|known| {
            kind.seed = known.seed;
            *known == kind
        });
        let kind = known.unwrap_or_else(|| {
            all.kinds.push(kind);
            all.kinds.len() - 1
        });
        all.rounds.push((kind, seed));
    }
    serde_json::to_string(&all).expect("specs hold nothing that JSON cannot")
}

/// Parses the rounds of a batch.
pub(crate) fn rounds_from_json(batch: &str, text: &str) -> Result<Vec<RoundSpec>, Error> {
    let all: BatchRounds = serde_json::from_str(text).map_err(|error| unreadable(batch, error))?;
    let spec = |(kind, seed): (usize, Seed)| {
        let kind =
            all.kinds.get(kind).ok_or_else(|| unreadable(batch, "a round of an unknown kind"))?;
        Ok(RoundSpec { seed, ..kind.clone() })
    };
    all.rounds.into_iter().map(spec).collect()
}

/// A machine's result for one round.
#[derive(Debug, Serialize, Deserialize)]
struct ResultLine {
    /// The transcript, in the journal's format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    played: Option<String>,
    /// The reason why the machine could not play it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
    /// Processor time that is charged, in microseconds.
    us: u64,
    /// Elapsed time, in microseconds.
    took: u64,
}

/// Serializes a machine's results for a batch, in the order of its rounds.
pub(crate) fn results_to_json(told: &[RemoteResult]) -> String {
    let line = |told: &RemoteResult| ResultLine {
        played: told.played.as_ref().ok().map(transcript_to_json),
        failed: told.played.as_ref().err().cloned(),
        us: microseconds(told.processor),
        took: microseconds(told.took),
    };
    let lines: Vec<ResultLine> = told.iter().map(line).collect();
    serde_json::to_string(&lines).expect("strings and numbers are valid JSON")
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Parses a machine's results for a batch of `rounds` rounds.
pub(crate) fn results_from_json(
    batch: &str,
    rounds: usize,
    text: &str,
) -> Result<Vec<RemoteResult>, Error> {
    let lines: Vec<ResultLine> =
        serde_json::from_str(text).map_err(|error| unreadable(batch, error))?;
    if lines.len() != rounds {
        return Err(unreadable(batch, format!("{} rounds instead of {rounds}", lines.len())));
    }
    let told = |line: ResultLine| {
        let played = match (line.played, line.failed) {
            (Some(text), None) => {
                Ok(transcript_from_json(&text).map_err(|what| unreadable(batch, what))?)
            }
            (None, Some(why)) => Err(why),
            _ => return Err(unreadable(batch, "a round needs either a transcript or a failure")),
        };
        let [processor, took] = [line.us, line.took].map(Duration::from_micros);
        Ok(RemoteResult { played, processor, took, machine: None })
    };
    lines.into_iter().map(told).collect()
}

/// True if two machines contradict each other, in the players' moves or in the order of magnitude
/// of the processor time. Ignores rounds that only one of them could play.
pub(crate) fn differ(one: &[RemoteResult], other: &[RemoteResult]) -> bool {
    let [one_time, other_time] = times(one, other);
    is_other_game(one, other) || is_far(one_time, other_time)
}

/// True if two machines report different moves in the same round.
pub(crate) fn is_other_game(one: &[RemoteResult], other: &[RemoteResult]) -> bool {
    one.len() != other.len()
        || std::iter::zip(one, other).any(|(one, other)| match (&one.played, &other.played) {
            (Ok(one), Ok(other)) => one != other,
            _ => false,
        })
}

/// The processor time that each machine claims for the rounds that both have played.
pub(crate) fn times(one: &[RemoteResult], other: &[RemoteResult]) -> [Duration; 2] {
    let played = std::iter::zip(one, other)
        .filter(|(one, other)| one.played.is_ok() && other.played.is_ok());
    played.fold([Duration::ZERO; 2], |[one_time, other_time], (one, other)| {
        [one_time.saturating_add(one.processor), other_time.saturating_add(other.processor)]
    })
}

fn unreadable(batch: &str, what: impl Display) -> Error {
    Error::Unreadable { batch: batch.to_owned(), what: what.to_string() }
}

#[cfg(test)]
mod tests {
    use judge_core::{Digest, Limits, Options, Transcript, digest};

    use super::*;

    fn spec(seed: u64, sha256: Digest) -> RoundSpec {
        let bot = SeatSpec::Bot { name: "somebody".to_owned(), sha256 };
        RoundSpec {
            game: "mahjong".to_owned(),
            options: Options::default(),
            seed: Seed(seed),
            seats: [bot, SeatSpec::Reference { name: "random".to_owned() }],
            limits: Limits::default(),
        }
    }

    #[test]
    fn rounds_are_sent_back_without_names() {
        let (one, two) = (digest(b"1"), digest(b"2"));
        let specs = [spec(1, one), spec(2, one), spec(1, two), spec(u64::MAX, one)];
        let text = rounds_to_json(&specs);
        assert!(!text.contains("somebody"), "{text}");
        assert_eq!(text.matches("mahjong").count(), 2, "one for each kind: {text}");
        let read = rounds_from_json("a", &text).unwrap();
        let keys = |specs: &[RoundSpec]| -> Vec<Digest> {
            specs.iter().map(judge_arena::round_key).collect()
        };
        assert_eq!(keys(&read), keys(&specs));
    }

    #[test]
    fn claims_that_differ_by_a_factor_of_ten_are_contradictory() {
        let told = |seconds: u64| RemoteResult {
            played: Ok(Transcript::default()),
            processor: Duration::from_secs(seconds),
            took: Duration::from_secs(1),
            machine: None,
        };
        let failed = |seconds| RemoteResult { played: Err("no room".to_owned()), ..told(seconds) };
        assert!(!differ(&[told(1), told(2)], &[told(20), told(9)]), "a slow machine, or a load");
        assert!(differ(&[told(1), told(2)], &[told(1), told(900)]));
        assert!(differ(&[told(900)], &[told(0)]), "too little is as false");
        assert!(differ(&[told(u64::MAX), told(9)], &[told(1), told(9)]));
        assert!(!differ(&[told(1), failed(900)], &[told(1), told(1)]), "one round failed");
    }

    #[test]
    fn encoded_results_read_back() {
        let [processor, took] = [7, 5].map(Duration::from_micros);
        let played =
            RemoteResult { played: Ok(Transcript::default()), processor, took, machine: None };
        let failed = RemoteResult { played: Err("no room".to_owned()), ..played.clone() };
        let text = results_to_json(&[played.clone(), failed]);
        let read = results_from_json("a", 2, &text).unwrap();
        assert_eq!((read[0].processor, read[0].took), (played.processor, played.took));
        assert_eq!(read[1].played, Err("no room".to_owned()));
        for (rounds, text) in
            [(1, text.as_str()), (1, "[{\"us\":1,\"took\":1}]"), (0, "{"), (1, "[]")]
        {
            assert!(results_from_json("a", rounds, text).is_err(), "{text}");
        }
    }
}
