//! The outline of a round: its result, length, cost and digest, without lines and logs. It is
//! computed once, when the round is played, and passed along with the record.

use judge_core::{Call, Digest, FailureTrace, Fault, RoundRecord, RoundResult, Seat, digest};
use serde::{Deserialize, Serialize};

/// The data of a round that tables, marks and statistics need. Lists are by seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundOutline {
    /// The result by the rules; after a fault, the forfeit.
    pub outcome: RoundResult,
    /// The failure that ended it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// The last words of a bot that failed, from its log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<FailureTrace>,
    /// The final scores of a game that was over when a player failed; none otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_scores: Option<[i64; 2]>,
    /// Number of answers by both sides.
    pub plies: u64,
    /// Lines sent to each player.
    pub lines: [u32; 2],
    /// Fuel of all calls that returned; none for a player that is not a bot.
    pub fuel: [Option<u64>; 2],
    /// Fuel of the most expensive call; none for a player that is not a bot.
    pub max_call_fuel: [Option<u64>; 2],
    /// Peak memory in bytes; none for a player that is not a bot.
    pub memory: [Option<u64>; 2],
    /// Approximate size of answers and logs in a journal, in bytes.
    pub bytes: u64,
    /// A number that is equal for rounds with exactly the same lines and answers.
    pub course: u64,
    /// Digest of the record.
    pub digest: Digest,
}

impl RoundOutline {
    /// Computes the outline of a record.
    pub fn new(record: &RoundRecord) -> RoundOutline {
        let RoundRecord { header, calls, trailer } = record;
        let own = |seat| calls.iter().filter(move |call| call.seat == seat);
        let of_bots = |figure: &dyn Fn(Seat) -> u64| {
            Seat::BOTH.map(|seat| header.spec.seat(seat).is_bot().then(|| figure(seat)))
        };
        RoundOutline {
            outcome: trailer.outcome.clone(),
            fault: trailer.fault.clone(),
            trace: FailureTrace::of_round(record),
            final_scores: final_scores(record),
            plies: calls.iter().filter(|call| call.answer.is_some()).count() as u64,
            lines: Seat::BOTH.map(|seat| own(seat).count() as u32),
            fuel: of_bots(&|seat| record.fuel(seat)),
            max_call_fuel: of_bots(&|seat| {
                own(seat).filter_map(|call| call.fuel).max().unwrap_or(0)
            }),
            memory: of_bots(&|seat| trailer.peak_memory_bytes[seat]),
            bytes: bytes(record),
            course: course(calls),
            digest: record.digest(),
        }
    }
}

/// Approximate size of a record's answers and logs in a journal.
fn bytes(record: &RoundRecord) -> u64 {
    let answer = |call: &Call| call.answer.as_ref().map_or(0, |answer| answer.len() as u64 + 3);
    let calls = record.calls.iter().map(|call| answer(call) + 8);
    let logs = record.trailer.logs.iter().map(|log| log.len() as u64);
    calls.chain(logs).sum()
}

/// The final scores that a player was about to receive when it failed, by seat. None if it failed
/// earlier.
fn final_scores(record: &RoundRecord) -> Option<[i64; 2]> {
    let fault = record.trailer.fault.as_ref()?;
    let (last, call) = (record.calls.last()?, record.calls.len() - 1);
    if fault.seat != Some(last.seat) || fault.call.map(u64::from) != Some(call as u64) {
        return None;
    }
    let mut words = last.line.split(' ');
    let (Some("end"), Some("win" | "draw" | "loss")) = (words.next(), words.next()) else {
        return None;
    };
    let [own, other] = [words.next()?.parse().ok()?, words.next()?.parse().ok()?];
    let scores = if last.seat == Seat::One { [own, other] } else { [other, own] };
    words.next().is_none().then_some(scores)
}

/// Hash of a round's lines and answers. With 64 bits, the chance of a collision among a billion
/// pairs of rounds is below one in ten.
fn course(calls: &[Call]) -> u64 {
    let size = |call: &Call| call.line.len() + call.answer.as_ref().map_or(0, String::len) + 3;
    let mut text = String::with_capacity(calls.iter().map(size).sum());
    for Call { seat, line, answer, .. } in calls {
        let answer = answer.as_deref().unwrap_or_default();
        text.extend([if *seat == Seat::One { "1" } else { "2" }, line, "\n", answer, "\n"]);
    }
    digest(text.as_bytes()).number()
}
