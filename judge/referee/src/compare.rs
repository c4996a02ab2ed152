//! Two records side by side: where they part, and what stands there in each.

use judge_core::{Call, Limits, Outcome, RecordHeader, RecordTrailer, Seat, SeatSpec};

/// Something that is not the same in two records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What it is: `seed`, `option void_suit`, `log of seat 1`, …
    pub what: String,
    /// How it stands in the first record and in the second.
    pub sides: [String; 2],
}

/// Collects what differs.
#[derive(Default)]
struct Differences(Vec<Difference>);

impl Differences {
    fn compare<T: PartialEq>(
        &mut self,
        what: impl Into<String>,
        [one, other]: [&T; 2],
        show: impl Fn(&T) -> String,
    ) {
        if one != other {
            self.0.push(Difference { what: what.into(), sides: [show(one), show(other)] });
        }
    }
}

/// The first call that is not the same in both, by its index; the length of the shorter list, if
/// that is the beginning of the longer.
pub fn parting_call(one: &[Call], other: &[Call]) -> Option<usize> {
    let both = one.len().min(other.len());
    let parted = (0..both).find(|&at| one[at] != other[at]);
    parted.or((one.len() != other.len()).then_some(both))
}

/// How two matches were set up differently.
pub fn headers(one: &RecordHeader, other: &RecordHeader) -> Vec<Difference> {
    let mut found = Differences::default();
    let (a, b) = (&one.spec, &other.spec);
    found.compare("replay version", [&one.replay, &other.replay], u32::to_string);
    found.compare("game", [&a.game, &b.game], String::clone);
    found.compare("seed", [&a.seed.0, &b.seed.0], u64::to_string);
    for key in a.options.keys().chain(b.options.keys().filter(|key| !a.options.contains_key(*key)))
    {
        let value = |value: &Option<&String>| value.map_or("not set".to_owned(), String::clone);
        found.compare(format!("option {key}"), [&a.options.get(key), &b.options.get(key)], value);
    }
    for seat in Seat::BOTH {
        found.compare(format!("seat {seat}"), [a.seat(seat), b.seat(seat)], player);
    }
    limits(&mut found, &a.limits, &b.limits);
    let (a, b) = (&one.fingerprint, &other.fingerprint);
    found.compare("judge", [&a.judge, &b.judge], String::clone);
    found.compare("engine", [&a.engine, &b.engine], String::clone);
    found.0
}

fn player(seat: &SeatSpec) -> String {
    match seat {
        SeatSpec::Bot { name, sha256 } => format!("{name} (a bot, SHA-256 {sha256})"),
        SeatSpec::Reference { name } => format!("{name} (a reference opponent)"),
        SeatSpec::Trained { name, sha256 } => format!("{name} (a table, SHA-256 {sha256})"),
        SeatSpec::Human { name } => format!("{name} (a person)"),
    }
}

fn limits(found: &mut Differences, one: &Limits, other: &Limits) {
    found.compare("time limit, in fuel", [&one.fuel, &other.fuel], u64::to_string);
    let memory = [&one.memory_bytes, &other.memory_bytes];
    found.compare("memory limit, in bytes", memory, u64::to_string);
    found.compare("log limit, in bytes", [&one.log_bytes, &other.log_bytes], u64::to_string);
}

/// How two matches ended differently.
pub fn trailers(one: &RecordTrailer, other: &RecordTrailer) -> Vec<Difference> {
    let mut found = Differences::default();
    found.compare("result", [&one.outcome, &other.outcome], outcome);
    found.compare("fault", [&one.fault, &other.fault], |fault| {
        let Some(fault) = fault else { return "none".to_owned() };
        let who = fault.seat.map_or("the judge".to_owned(), |seat| format!("seat {seat}"));
        let at = fault.call.map_or(String::new(), |call| format!(", call {}", u64::from(call) + 1));
        format!("{}: {who}{at}: {}", fault.verdict, fault.detail)
    });
    for seat in Seat::BOTH {
        let at = seat.index();
        let memory = [&one.peak_memory_bytes[at], &other.peak_memory_bytes[at]];
        found.compare(format!("memory of seat {seat}, in bytes"), memory, u64::to_string);
        found.compare(format!("log of seat {seat}"), [&one.logs[at], &other.logs[at]], |log| {
            format!("{log:?}")
        });
        let dropped = [&one.log_dropped[at], &other.log_dropped[at]];
        found.compare(format!("dropped log of seat {seat}, in bytes"), dropped, u64::to_string);
    }
    found.0
}

fn outcome(outcome: &Outcome) -> String {
    let [one, two] = outcome.scores;
    let who = outcome.winner.map_or("draw".to_owned(), |seat| format!("seat {seat} wins"));
    format!("{who} {one}:{two} ({})", outcome.reason)
}
