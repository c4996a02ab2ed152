//! The result of a match for programs.

use std::time::Duration;

use judge_arena::{PairTally, Pairing, TestEnd};
use judge_core::{Fingerprint, Seat};
use judge_statistics::Sprt;
use serde_json::{Map, Value, json};

use crate::contest::{self, StartPosition};
use crate::rounds::source::FROM;

/// Version of the JSON document. Version 3 added the rows of all rounds. Since version 4 a bot's
/// actions after the end of a round change no score.
const VERSION: u32 = 4;

/// The figures of a match.
#[derive(Debug, Clone)]
pub struct MatchReport {
    /// The judge that played it.
    pub fingerprint: Fingerprint,
    /// The players and conditions.
    pub pairing: Pairing,
    /// The test, if there was one.
    pub sprt: Option<Sprt>,
    /// The position in which all rounds start, if it is not the first one.
    pub start: Option<StartPosition>,
    /// Notes for users.
    pub notes: Vec<String>,
    /// The counts of pairs.
    pub tally: PairTally,
    /// The reason for its end.
    pub end: TestEnd,
    /// Elapsed time.
    pub wall: Duration,
    /// Number of workers.
    pub workers: usize,
}

impl MatchReport {
    /// Returns the document.
    pub(crate) fn json(&self) -> Value {
        let mut json = json!({
            "version": VERSION,
            "fingerprint": self.fingerprint,
            "game": self.pairing.game,
            "options": self.pairing.options,
            "seed": self.pairing.seed,
            "limits": self.pairing.limits,
            "players": self.pairing.players.each_ref().map(contest::player),
            "notes": self.notes,
            "sprt": self.sprt.as_ref().map(|sprt| self.test(sprt)),
            "timing": timing(self.wall, self.workers),
        });
        if let Some(start) = &self.start {
            json[FROM] = start.json();
        }
        if let (Value::Object(json), Value::Object(counted)) =
            (&mut json, counted(&self.tally, self.end))
        {
            json.extend(counted);
        }
        json
    }

    fn test(&self, sprt: &Sprt) -> Value {
        let mut test = json!(sprt);
        test["bounds"] = json!(sprt.bounds());
        let firsts = self.tally.evidence.firsts();
        test["pentanomial"] = json!(firsts);
        test["log_ratio"] = json!(sprt.log_ratio(&firsts));
        test["decision"] = match self.end {
            TestEnd::Decided(decision) => json!(decision),
            TestEnd::AlwaysFails(_) | TestEnd::NothingCounts | TestEnd::Played => Value::Null,
        };
        test
    }
}

/// The counts of the pairs of two players, the estimates, and the reason for the end.
pub(crate) fn counted(tally: &PairTally, end: TestEnd) -> Value {
    let (table, evidence) = (&tally.table, &tally.evidence);
    let (strength, distinct) = (evidence.strength(), evidence.distinct());
    json!({
        "rounds": 2 * table.pairs(),
        "pairs": table.pairs(),
        "starts": distinct.starts,
        "independent": distinct.independent,
        "left_out": tally.left_out,
        "results": results(table.results()),
        "seats": Seat::BOTH.map(|seat| results(table.in_seat(seat))),
        "seat_one": table.seat_one(),
        "pair_table": table,
        "pentanomial": table.counts(),
        "score": evidence.score(),
        "elo": strength.elo,
        "normalized_elo": strength.normalized_elo,
        "superiority": strength.superiority,
        "difference": tally.has_scores.then(|| evidence.difference()),
        "variance_ratio": {
            "points": table.variance_ratio(),
            "difference": tally.margins.variance_ratio().filter(|_| tally.has_scores),
        },
        "faults": Vec::from([0, 1].map(|player| faults(tally, player))),
        "end": name(end),
    })
}

/// Figures that may differ between two runs.
pub(crate) fn timing(wall: Duration, workers: usize) -> Value {
    json!({
        "wall_ms": u64::try_from(wall.as_millis()).unwrap_or(u64::MAX),
        "workers": workers,
    })
}

fn results([won, drawn, lost]: [u64; 3]) -> Value {
    json!({"won": won, "drawn": drawn, "lost": lost})
}

fn faults(tally: &PairTally, player: usize) -> Value {
    let kinds: Map<String, Value> = tally
        .kinds_of(player)
        .filter_map(|(verdict, count)| {
            let name = json!(verdict).as_str()?.to_owned();
            Some((name, count.into()))
        })
        .collect();
    json!({
        "rounds": tally.faults_of(player),
        "kinds": kinds,
        "first": tally.first_faults[player],
    })
}

fn name(end: TestEnd) -> &'static str {
    match end {
        TestEnd::Decided(_) => "decided",
        TestEnd::AlwaysFails(0) => "first-always-fails",
        TestEnd::AlwaysFails(_) => "second-always-fails",
        TestEnd::NothingCounts => "nothing-counts",
        TestEnd::Played => "played",
    }
}
