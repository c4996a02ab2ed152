//! Requirements for every store of rounds.

use std::time::Duration;

use judge_arena::{Fact, FactStore, Journal, RoundOutline, RoundStore};
use judge_core::{
    BySeat, Digest, Fault, Fingerprint, Limits, Options, RoundRecord, RoundSpec, Seat, SeatSpec,
    Seed, Transcript, digest,
};
use judge_store::DatabaseRounds;
use serde_json::{Value, json};

/// A round of cc between a reference opponent and a bot.
pub(crate) fn round(bot: &str, seed: u64) -> (RoundRecord, Transcript) {
    let bot = SeatSpec::Bot { name: bot.to_owned(), sha256: module() };
    let spec = RoundSpec {
        game: "cc".to_owned(),
        options: Options::from([("size".to_owned(), "6".to_owned())]),
        seed: Seed(seed),
        seats: [SeatSpec::Reference { name: "random".to_owned() }, bot],
        limits: Limits::COURSE,
    };
    let mut transcript = played(&spec);
    transcript.seats[Seat::Two].peak_memory_bytes = 65536;
    transcript.seats[Seat::Two].log = b"any \xff\0 bytes".to_vec();
    transcript.seats[Seat::Two].log_dropped = 3;
    let record = judge_referee::record(&spec, fingerprint(), &transcript).unwrap();
    assert_eq!(record.trailer.fault, None);
    (record, transcript)
}

/// A worker's transcript of a round. A reference opponent replaces the bot, and needs a
/// judge-millisecond for each call.
pub(crate) fn played(spec: &RoundSpec) -> Transcript {
    let random = || SeatSpec::Reference { name: "random".to_owned() };
    let seats = spec.seats.clone().map(|seat| if seat.is_bot() { random() } else { seat });
    let without = RoundSpec { seats, ..spec.clone() };
    let mut transcript = judge_arena::play(&without, BySeat::default(), &[]).unwrap().transcript;
    let record = judge_referee::record(&without, fingerprint(), &transcript).unwrap();
    for seat in Seat::BOTH.into_iter().filter(|seat| spec.seat(*seat).is_bot()) {
        let calls = record.calls.iter().filter(|call| call.seat == seat).count();
        transcript.seats[seat].fuel = vec![judge_core::FUEL_PER_MS; calls];
    }
    transcript
}

pub(crate) fn module() -> Digest {
    digest(b"a bot")
}

pub(crate) fn fingerprint() -> Fingerprint {
    Fingerprint { judge: "test".to_owned(), engine: "none".to_owned() }
}

#[derive(serde::Serialize, serde::Deserialize, Debug, PartialEq)]
struct Colour(String);

impl Fact for Colour {
    type About = str;

    fn name(about: &str) -> String {
        format!("colour {about}")
    }
}

/// A store of the rounds and facts of a run, with their number and cost.
pub(crate) trait WholeStore: RoundStore + FactStore {
    fn rounds(&self) -> usize;

    fn processor_time(&self, module: &Digest) -> Option<Duration>;
}

impl WholeStore for Journal {
    fn rounds(&self) -> usize {
        Journal::rounds(self)
    }

    fn processor_time(&self, module: &Digest) -> Option<Duration> {
        Journal::processor_time(self, module)
    }
}

impl WholeStore for DatabaseRounds {
    fn rounds(&self) -> usize {
        DatabaseRounds::rounds(self).unwrap()
    }

    fn processor_time(&self, module: &Digest) -> Option<Duration> {
        DatabaseRounds::processor_time(self, module).unwrap()
    }
}

/// Adds a round with the outline of its record.
pub(crate) fn add(store: &dyn RoundStore, record: &RoundRecord, transcript: &Transcript) {
    store.add(&record.header.spec, &RoundOutline::new(record), transcript).unwrap();
}

/// Checks an empty store, and the same store after it was closed and opened again.
pub(crate) fn check(mut open: impl FnMut() -> Box<dyn WholeStore>) {
    let store = open();
    assert_eq!((store.rounds(), store.facts().unwrap()), (0, Vec::new()));
    assert_eq!(store.processor_time(&module()), None);
    rounds_are_found_as_they_were_added(&*store);
    facts_are_replaced(&*store);
    several_threads_add_a_round_once(&*store);
    let before = (store.rounds(), store.facts().unwrap());
    let cost = store.processor_time(&module());
    drop(store);

    let store = open();
    assert_eq!((store.rounds(), store.facts().unwrap()), before);
    assert_eq!(store.processor_time(&module()), cost);
    let (record, transcript) = round("ada", 1);
    let found = store.find(&record.header.spec).unwrap();
    assert_eq!(found, Some((transcript, record.digest())));
    assert!(store.contradicted("it is odd".to_owned()).to_string().contains("it is odd"));
}

fn rounds_are_found_as_they_were_added(store: &dyn WholeStore) {
    let rounds = [1, 2].map(|seed| round("ada", seed));
    for (record, transcript) in &rounds {
        assert_eq!(store.find(&record.header.spec).unwrap(), None);
        add(store, record, transcript);
    }
    for (record, transcript) in &rounds {
        let found = store.find(&record.header.spec).unwrap();
        assert_eq!(found, Some((transcript.clone(), record.digest())));
    }
    // A renamed bot plays the same round; the failure belongs to another round.
    let (renamed, mut other) = round("eve", 1);
    other.fault = Some(Fault::judge("x".to_owned()));
    add(store, &renamed, &other);
    let found = store.find(&renamed.header.spec).unwrap();
    assert_eq!(found.unwrap().0, rounds[0].1, "the first one stays");
    assert_eq!(store.rounds(), 2);
    let mut spec = renamed.header.spec.clone();
    spec.limits.fuel -= 1;
    assert_eq!(store.find(&spec).unwrap(), None, "with less fuel it is another round");

    // Without an account a round costs its fuel.
    let fuel = |transcript: &Transcript| transcript.seats[Seat::Two].fuel.len() as u64;
    let cost = store.processor_time(&module()).unwrap();
    assert_eq!(cost.as_millis() as u64, rounds.iter().map(|(_, told)| fuel(told)).sum::<u64>());
    assert_eq!(store.processor_time(&digest(b"another")), None);
}

fn facts_are_replaced(store: &dyn FactStore) {
    store.keep("sea", &Colour("blue".to_owned())).unwrap();
    store.keep("leaf", &Colour("green".to_owned())).unwrap();
    store.keep("leaf", &Colour("red".to_owned())).unwrap();
    assert_eq!(store.fact("leaf").unwrap(), Some(Colour("red".to_owned())));
    assert_eq!(store.fact::<Colour>("sky").unwrap(), None);
    let odd = json!({"text": "\0'; DROP TABLE fact; --", "numbers": [1, 0.5, -3]});
    store.note("a name, 'quoted'", &odd).unwrap();
    let expected: [(String, Value); 3] = [
        ("a name, 'quoted'".to_owned(), odd),
        ("colour leaf".to_owned(), json!("red")),
        ("colour sea".to_owned(), json!("blue")),
    ];
    assert_eq!(store.facts().unwrap(), expected, "in the order of the names");
}

fn several_threads_add_a_round_once(store: &dyn WholeStore) {
    let (record, transcript) = round("ada", 3);
    let before = store.rounds();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| add(store, &record, &transcript));
        }
    });
    assert_eq!(store.rounds(), before + 1);
}
