//! Compares two records: the first difference, and its content in each.

use judge_core::{Call, Limits, LogPart, RecordHeader, RecordTrailer, RoundResult, Seat, SeatSpec};

/// A difference between two records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordDifference {
    /// The part of the record.
    pub what: RecordPart,
    /// The content in the first record and in the second.
    pub sides: [String; 2],
}

/// A part of a record that may differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordPart {
    /// Version of the format.
    ReplayVersion,
    /// The game.
    Game,
    /// The seed.
    Seed,
    /// The rule switch with that name.
    Option(String),
    /// The player of that seat.
    Player(Seat),
    /// Fuel of a bot.
    TimeLimit,
    /// Memory of a bot.
    MemoryLimit,
    /// Bytes of log of a bot.
    LogLimit,
    /// Version of the judge.
    Judge,
    /// The engine for bots.
    Engine,
    /// Scores and winner.
    Result,
    /// The failure that ended it.
    Fault,
    /// Peak memory of the bot in that seat.
    Memory(Seat),
    /// The log of the bot in that seat.
    Log(Seat),
    /// Bytes of log beyond the limit.
    DroppedLog(Seat),
    /// The log parts by call of the bot in that seat.
    LogParts(Seat),
    /// The hash of the round.
    Digest,
    /// The hash of the whole file.
    Seal,
}

impl std::fmt::Display for RecordPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RecordPart::ReplayVersion => f.write_str("replay version"),
            RecordPart::Game => f.write_str("game"),
            RecordPart::Seed => f.write_str("seed"),
            RecordPart::Option(name) => write!(f, "option {name}"),
            RecordPart::Player(seat) => write!(f, "seat {seat}"),
            RecordPart::TimeLimit => f.write_str("time limit, in fuel"),
            RecordPart::MemoryLimit => f.write_str("memory limit, in bytes"),
            RecordPart::LogLimit => f.write_str("log limit, in bytes"),
            RecordPart::Judge => f.write_str("judge"),
            RecordPart::Engine => f.write_str("engine"),
            RecordPart::Result => f.write_str("result"),
            RecordPart::Fault => f.write_str("fault"),
            RecordPart::Memory(seat) => write!(f, "memory of seat {seat}, in bytes"),
            RecordPart::Log(seat) => write!(f, "log of seat {seat}"),
            RecordPart::DroppedLog(seat) => write!(f, "dropped log of seat {seat}, in bytes"),
            RecordPart::LogParts(seat) => write!(f, "parts of the log of seat {seat}"),
            RecordPart::Digest => f.write_str("digest"),
            RecordPart::Seal => f.write_str("seal"),
        }
    }
}

/// Collects differences.
#[derive(Default)]
struct Differences(Vec<RecordDifference>);

impl Differences {
    fn compare<T: PartialEq>(
        &mut self,
        what: RecordPart,
        [one, other]: [&T; 2],
        show: impl Fn(&T) -> String,
    ) {
        if one != other {
            self.0.push(RecordDifference { what, sides: [show(one), show(other)] });
        }
    }
}

/// The index of the first call that differs. If one list is the beginning of the other, its
/// length.
pub fn first_different_call(one: &[Call], other: &[Call]) -> Option<usize> {
    let both = one.len().min(other.len());
    let parted = (0..both).find(|&at| one[at] != other[at]);
    parted.or((one.len() != other.len()).then_some(both))
}

/// The index of the first call in which question or answer differ; their fuel may differ.
pub fn first_different_move(one: &[Call], other: &[Call]) -> Option<usize> {
    let without_fuel = |calls: &[Call]| -> Vec<Call> {
        calls.iter().map(|call| Call { fuel: None, ..call.clone() }).collect()
    };
    first_different_call(&without_fuel(one), &without_fuel(other))
}

/// Differences in the set-up of two rounds.
pub fn headers(one: &RecordHeader, other: &RecordHeader) -> Vec<RecordDifference> {
    let mut found = Differences::default();
    let (a, b) = (&one.spec, &other.spec);
    found.compare(RecordPart::ReplayVersion, [&one.replay, &other.replay], u32::to_string);
    found.compare(RecordPart::Game, [&a.game, &b.game], String::clone);
    found.compare(RecordPart::Seed, [&a.seed.0, &b.seed.0], u64::to_string);
    for key in a.options.keys().chain(b.options.keys().filter(|key| !a.options.contains_key(*key)))
    {
        let value = |value: &Option<&String>| value.map_or("not set".to_owned(), String::clone);
        found.compare(
            RecordPart::Option(key.clone()),
            [&a.options.get(key), &b.options.get(key)],
            value,
        );
    }
    for seat in Seat::BOTH {
        found.compare(RecordPart::Player(seat), [a.seat(seat), b.seat(seat)], player);
    }
    limits(&mut found, &a.limits, &b.limits);
    let (a, b) = (&one.fingerprint, &other.fingerprint);
    found.compare(RecordPart::Judge, [&a.judge, &b.judge], String::clone);
    found.compare(RecordPart::Engine, [&a.engine, &b.engine], String::clone);
    found.0
}

fn player(seat: &SeatSpec) -> String {
    match seat {
        SeatSpec::Bot { name, sha256 } => format!("{name} (a bot, SHA-256 {sha256})"),
        SeatSpec::Reference { name } => format!("{name} (a reference opponent)"),
        SeatSpec::Trained { name, sha256 } => format!("{name} (a table, SHA-256 {sha256})"),
        SeatSpec::Human { name } => format!("{name} (a person)"),
        SeatSpec::Native { name } => format!("{name} (a native program)"),
    }
}

fn limits(found: &mut Differences, one: &Limits, other: &Limits) {
    found.compare(RecordPart::TimeLimit, [&one.fuel, &other.fuel], u64::to_string);
    let memory = [&one.memory_bytes, &other.memory_bytes];
    found.compare(RecordPart::MemoryLimit, memory, u64::to_string);
    found.compare(RecordPart::LogLimit, [&one.log_bytes, &other.log_bytes], u64::to_string);
}

/// Differences in the end of two rounds. Log parts are compared if both have them.
pub fn trailers(one: &RecordTrailer, other: &RecordTrailer) -> Vec<RecordDifference> {
    let mut found = Differences::default();
    found.compare(RecordPart::Result, [&one.outcome, &other.outcome], outcome);
    found.compare(RecordPart::Fault, [&one.fault, &other.fault], |fault| {
        let Some(fault) = fault else { return "none".to_owned() };
        let who = fault.seat.map_or("the judge".to_owned(), |seat| format!("seat {seat}"));
        let at = fault.call.map_or(String::new(), |call| format!(", call {}", u64::from(call) + 1));
        format!("{}: {who}{at}: {}", fault.verdict, fault.detail)
    });
    for seat in Seat::BOTH {
        let memory = [&one.peak_memory_bytes[seat], &other.peak_memory_bytes[seat]];
        found.compare(RecordPart::Memory(seat), memory, u64::to_string);
        found.compare(RecordPart::Log(seat), [&one.logs[seat], &other.logs[seat]], |log| {
            format!("{log:?}")
        });
        let dropped = [&one.log_dropped[seat], &other.log_dropped[seat]];
        found.compare(RecordPart::DroppedLog(seat), dropped, u64::to_string);
        // A judge error may leave them unknown.
        if let (Some(one), Some(other)) = (&one.log_parts[seat], &other.log_parts[seat]) {
            found.compare(RecordPart::LogParts(seat), [one, other], |parts| log_parts(parts));
        }
    }
    found.0
}

fn log_parts(parts: &[LogPart]) -> String {
    let part = |part: &LogPart| format!("call {}: {} bytes", u64::from(part.call) + 1, part.bytes);
    parts.iter().map(part).collect::<Vec<_>>().join(", ")
}

fn outcome(outcome: &RoundResult) -> String {
    let [one, two] = outcome.scores;
    let who = outcome.winner.map_or("draw".to_owned(), |seat| format!("seat {seat} wins"));
    format!("{who} {one}:{two} ({})", outcome.reason)
}
