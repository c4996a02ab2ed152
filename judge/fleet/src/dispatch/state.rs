//! The state of a run's rounds: their batches and results.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use judge_arena::{RemoteResult, round_key};
use judge_core::{Digest, RoundSpec};

/// Length below which a batch is not cut just to give other machines work.
const SHORT: Duration = Duration::from_secs(1);

/// Rounds of a batch while their duration is unknown.
const FIRST: usize = 4;

/// Most rounds of a batch.
const MOST: usize = 20_000;

/// Expected bytes of a batch's results, at most: both sides hold them in memory. The database
/// accepts eight times as many.
const MOST_BYTES: usize = 8 << 20;

/// Machines that may be lost with a batch of several rounds before it is cut into pieces.
const MOST_TRIES: i16 = 2;

/// Machines that may be lost with a round before it is given up.
const MOST_TRIES_OF_ONE: i16 = 3;

/// Longest time of a round that is counted for the length of batches.
const LONGEST: Duration = Duration::from_secs(60);

/// Pieces that a batch with several rounds is cut into.
const PIECES: usize = 8;

/// An unfinished batch.
#[derive(Debug)]
pub(super) struct OpenBatch {
    pub(super) rounds: Vec<RoundSpec>,
    /// The machine that has already played these rounds.
    pub(super) not_for: Option<String>,
    /// Machines that were lost with its rounds while they were in another batch: the count
    /// continues from there.
    pub(super) lost_before: i16,
    /// The result that another machine has to confirm.
    pub(super) held: Option<Held>,
}

/// A machine's result that another one has to confirm.
#[derive(Debug, Clone)]
pub(super) struct Held {
    pub(super) machine: String,
    pub(super) told: Vec<RemoteResult>,
    /// The batch in which another machine plays the same.
    pub(super) second: String,
    pub(super) since: Instant,
}

/// The next step for a batch without a lease.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// Send a hint.
    Hint,
    /// It was cut into pieces, which must be written.
    Cut,
    /// It is given up, because no machine survives it.
    GivenUp,
}

/// Rounds and batches of a run.
#[derive(Debug)]
pub(super) struct DispatchState {
    run: String,
    batches: u64,
    /// Rounds that are not in a batch yet.
    rest: VecDeque<RoundSpec>,
    /// Batches to write.
    to_write: VecDeque<String>,
    pub(super) open: BTreeMap<String, OpenBatch>,
    /// For a batch that confirms, the one that it confirms.
    confirms: BTreeMap<String, String>,
    /// Rounds in open batches.
    away: BTreeSet<Digest>,
    /// Results that the run has not asked for yet.
    told: BTreeMap<Digest, RemoteResult>,
    /// Number of returned rounds, and their total time.
    rate: (u32, Duration),
    /// Highest average size of a round's result in a batch.
    bytes: usize,
}

impl DispatchState {
    pub(super) fn new(run: &str, rounds: Vec<RoundSpec>) -> DispatchState {
        DispatchState {
            run: run.to_owned(),
            batches: 0,
            rest: rounds.into(),
            to_write: VecDeque::new(),
            open: BTreeMap::new(),
            confirms: BTreeMap::new(),
            away: BTreeSet::new(),
            told: BTreeMap::new(),
            rate: (0, Duration::ZERO),
            bytes: 0,
        }
    }

    /// Puts rounds into a batch.
    fn pack(
        &mut self,
        rounds: Vec<RoundSpec>,
        not_for: Option<String>,
        lost_before: i16,
    ) -> String {
        let batch = format!("{}-{}", self.run, self.batches);
        self.batches += 1;
        self.away.extend(rounds.iter().map(round_key));
        self.to_write.push_back(batch.clone());
        self.open.insert(batch.clone(), OpenBatch { rounds, not_for, lost_before, held: None });
        batch
    }

    /// Fills batches with the remaining rounds, up to this many open ones, each of about this
    /// length. A round that the run waits for goes at once if its turn has not come.
    pub(super) fn fill(&mut self, wanted: &RoundSpec, ahead: usize, length: Duration) {
        let key = round_key(wanted);
        if !self.away.contains(&key) && !self.told.contains_key(&key) {
            match self.rest.iter().position(|spec| round_key(spec) == key) {
                Some(0) => {}
                Some(at) => {
                    self.rest.remove(at);
                    self.pack(vec![wanted.clone()], None, 0);
                }
                None => _ = self.pack(vec![wanted.clone()], None, 0),
            }
        }
        let ahead = ahead.max(1);
        let (short, long) = (self.size(length.min(SHORT)), self.size(length));
        while !self.rest.is_empty() && self.open.len() < ahead {
            // Batches become shorter towards the end, so that machines end at about the same time.
            let many = self.rest.len().div_ceil(ahead).clamp(short, long).min(self.rest.len());
            let rounds = self.rest.drain(..many).collect();
            self.pack(rounds, None, 0);
        }
    }

    /// True once the duration of a round is known.
    pub(super) fn knows_the_time(&self) -> bool {
        self.rate.0 > 0
    }

    /// Number of rounds that take about that long.
    fn size(&self, length: Duration) -> usize {
        let (rounds, time) = self.rate;
        if rounds == 0 {
            return FIRST;
        }
        let each = (time / rounds).max(Duration::from_micros(1));
        let most = (MOST_BYTES / self.bytes.max(1)).clamp(1, MOST);
        usize::try_from(length.as_micros() / each.as_micros()).unwrap_or(most).clamp(1, most)
    }

    /// Records the bytes of results of a batch's rounds.
    pub(super) fn note_bytes(&mut self, bytes: usize, rounds: usize) {
        self.bytes = self.bytes.max(bytes.div_ceil(rounds.max(1)));
    }

    /// The next batch to write. The caller must put it back if that fails.
    pub(super) fn next_to_write(&mut self) -> Option<String> {
        self.to_write.pop_front()
    }

    /// Marks batches that the database has lost to be written again.
    pub(super) fn write_again(&mut self, batches: impl IntoIterator<Item = String>) {
        for batch in batches {
            if self.open.contains_key(&batch) && !self.to_write.contains(&batch) {
                self.to_write.push_front(batch);
            }
        }
    }

    /// Open batches that were written.
    pub(super) fn written(&self) -> Vec<String> {
        self.open.keys().filter(|batch| !self.to_write.contains(batch)).cloned().collect()
    }

    /// The batches without a result.
    pub(super) fn awaited(&self) -> Vec<String> {
        let is_held = |batch: &String| self.open.get(batch).is_some_and(|open| open.held.is_some());
        self.written().into_iter().filter(|batch| !is_held(batch)).collect()
    }

    /// Has another machine confirm the result of a batch.
    pub(super) fn confirm(&mut self, batch: &str, machine: String, told: Vec<RemoteResult>) {
        let Some(open) = self.open.get(batch) else { return };
        let second = self.pack(open.rounds.clone(), Some(machine.clone()), 0);
        self.confirms.insert(second.clone(), batch.to_owned());
        if let Some(open) = self.open.get_mut(batch) {
            open.held = Some(Held { machine, told, second, since: Instant::now() });
        }
    }

    /// The batch that this one confirms.
    pub(super) fn confirmed_by(&self, batch: &str) -> Option<String> {
        self.confirms.get(batch).cloned()
    }

    /// Drops a batch that should confirm another.
    pub(super) fn drop_second(&mut self, second: &str) {
        self.confirms.remove(second);
        self.open.remove(second);
        self.to_write.retain(|batch| batch != second);
    }

    /// Removes a batch, with the one that should confirm it.
    fn remove(&mut self, batch: &str) -> Option<OpenBatch> {
        let open = self.open.remove(batch)?;
        self.to_write.retain(|one| one != batch);
        if let Some(held) = &open.held {
            self.drop_second(&held.second);
        }
        Some(open)
    }

    /// Batches that have waited longer than `patience` to be confirmed.
    pub(super) fn unconfirmed(&self, patience: Duration) -> Vec<String> {
        let is_late = |open: &OpenBatch| {
            open.held.as_ref().is_some_and(|held| held.since.elapsed() > patience)
        };
        self.open.iter().filter(|(_, open)| is_late(open)).map(|(batch, _)| batch.clone()).collect()
    }

    /// Stores the results of a batch's rounds. The batch is then finished.
    pub(super) fn accept(&mut self, batch: &str, told: Vec<RemoteResult>, machine: Option<&str>) {
        let Some(open) = self.remove(batch) else { return };
        for (spec, told) in std::iter::zip(&open.rounds, told) {
            let key = round_key(spec);
            self.away.remove(&key);
            self.rate.0 = self.rate.0.saturating_add(1);
            self.rate.1 = self.rate.1.saturating_add(told.took.min(LONGEST));
            self.told.insert(key, RemoteResult { machine: machine.map(str::to_owned), ..told });
        }
    }

    /// Decides the fate of a batch without a lease that lost `tries` machines.
    pub(super) fn decide(&mut self, batch: &str, tries: i16) -> Fate {
        let Some(open) = self.open.get(batch) else { return Fate::Hint };
        let one = open.rounds.len() == 1;
        let most = if one { MOST_TRIES_OF_ONE } else { MOST_TRIES };
        if tries <= open.lost_before || tries < most {
            return Fate::Hint;
        }
        if self.confirms.contains_key(batch) {
            // The batch that it confirms times out, and is then played here.
            self.drop_second(batch);
            return Fate::Cut;
        }
        if one {
            let why = format!("{tries} machines were lost while they played it");
            let [processor, took] = [Duration::ZERO; 2];
            let told = RemoteResult { played: Err(why), processor, took, machine: None };
            self.accept(batch, vec![told], None);
            return Fate::GivenUp;
        }
        let Some(open) = self.remove(batch) else { return Fate::Hint };
        let size = open.rounds.len().div_ceil(PIECES);
        for rounds in open.rounds.chunks(size) {
            // A machine may have written any number.
            self.pack(rounds.to_vec(), open.not_for.clone(), tries.min(MOST_TRIES));
        }
        Fate::Cut
    }

    /// The result of a round, if there is one.
    pub(super) fn take(&mut self, round: &Digest) -> Option<RemoteResult> {
        self.told.remove(round)
    }

    /// Queues a batch again, for another machine than this one.
    pub(super) fn again(&mut self, batch: &str, machine: &str) {
        if let Some(first) = self.confirms.get(batch).cloned() {
            self.drop_second(batch);
            let held = self.open.get_mut(&first).and_then(|open| open.held.take());
            if let Some(held) = held {
                self.confirm(&first, held.machine, held.told);
            }
        } else if let Some(open) = self.remove(batch) {
            self.pack(open.rounds, Some(machine.to_owned()), 0);
        }
    }

    /// Queues a round again, and drops all results of this machine that the run has not asked for:
    /// a waiting run puts such a round into a batch again.
    pub(super) fn disbelieve(&mut self, spec: &RoundSpec, machine: &str) {
        self.pack(vec![spec.clone()], Some(machine.to_owned()), 0);
        self.forget_results_of(machine);
    }

    /// Drops the results of this machine that the run has not asked for.
    pub(super) fn forget_results_of(&mut self, machine: &str) {
        self.told.retain(|_, told| told.machine.as_deref() != Some(machine));
    }
}

#[cfg(test)]
mod tests {
    use judge_core::{Limits, Options, SeatSpec, Seed, Transcript};

    use super::*;

    fn spec(seed: u64) -> RoundSpec {
        let random = || SeatSpec::Reference { name: "random".to_owned() };
        RoundSpec {
            game: "mahjong".to_owned(),
            options: Options::default(),
            seed: Seed(seed),
            seats: [random(), random()],
            limits: Limits::default(),
        }
    }

    fn told(ms: u64) -> RemoteResult {
        RemoteResult {
            played: Ok(Transcript::default()),
            processor: Duration::from_millis(1000 * ms),
            took: Duration::from_millis(ms),
            machine: None,
        }
    }

    fn state(rounds: u64) -> DispatchState {
        DispatchState::new("run", (1..=rounds).map(spec).collect())
    }

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn batches_grow_to_the_wanted_length() {
        let mut state = state(200);
        state.fill(&spec(1), 1, SECOND);
        assert_eq!(state.written(), Vec::<String>::new(), "nothing is written yet");
        assert_eq!(state.next_to_write().as_deref(), Some("run-0"));
        assert_eq!(state.written(), ["run-0"]);
        state.accept("run-0", (0..FIRST).map(|_| told(20)).collect(), Some("one"));
        state.fill(&spec(5), 1, SECOND);
        assert_eq!(state.open["run-1"].rounds.len(), 50);
    }

    #[test]
    fn batches_become_shorter_towards_the_end() {
        let mut state = state(1004);
        state.fill(&spec(1), 1, SECOND);
        state.accept("run-0", (0..FIRST).map(|_| told(20)).collect(), Some("one"));
        state.fill(&spec(5), 4, 10 * SECOND);
        let sizes: Vec<usize> = state.open.values().map(|open| open.rounds.len()).collect();
        assert_eq!(sizes, [250, 188, 141, 106]);
        (1..=4).for_each(|number| state.accept(&format!("run-{number}"), vec![], None));
        state.fill(&spec(900), 40, 10 * SECOND);
        let longest = state.open.values().map(|open| open.rounds.len()).max();
        assert_eq!(longest, Some(50), "no shorter than a second");
    }

    #[test]
    fn the_size_of_results_of_a_batch_is_bounded() {
        let mut state = state(1004);
        state.fill(&spec(1), 1, SECOND);
        state.note_bytes(FIRST << 20, FIRST);
        state.accept("run-0", (0..FIRST).map(|_| told(1)).collect(), Some("one"));
        state.fill(&spec(5), 1, SECOND);
        assert_eq!(state.open["run-1"].rounds.len(), 8, "a mebibyte each");
    }

    #[test]
    fn rounds_that_a_person_waits_for_come_first() {
        let mut state = state(100);
        state.fill(&spec(50), 1, SECOND);
        assert_eq!(state.open["run-0"].rounds, [spec(50)]);
        state.fill(&spec(50), 2, SECOND);
        assert_eq!(state.open.len(), 2, "once");
        state.fill(&spec(1000), 2, SECOND);
        assert_eq!(state.open["run-2"].rounds, [spec(1000)], "even a round that was not announced");
    }

    #[test]
    fn only_the_round_that_kills_machines_is_given_up() {
        let mut state = state(4);
        state.fill(&spec(1), 1, SECOND);
        assert_eq!(state.decide("run-0", 0), Fate::Hint);
        assert_eq!(state.decide("run-0", 1), Fate::Hint);
        assert_eq!(state.decide("run-0", 2), Fate::Cut);
        assert_eq!(state.open.len(), 4, "one batch for each round");
        assert_eq!(state.open["run-1"].lost_before, 2, "so each is played in isolation");
        assert_eq!(state.decide("run-1", 2), Fate::Hint, "no machine has started it");
        assert_eq!(state.decide("run-1", 3), Fate::GivenUp);
        let told = state.take(&round_key(&spec(1))).expect("its end");
        assert_eq!(told.played, Err("3 machines were lost while they played it".to_owned()));
        assert!(state.take(&round_key(&spec(2))).is_none());
        assert_eq!(state.open.len(), 3);
    }

    #[test]
    fn batches_lost_by_the_database_are_written_again_once() {
        let mut state = state(4);
        state.fill(&spec(1), 1, SECOND);
        let batch = state.next_to_write().expect("one batch");
        state.write_again([batch.clone(), batch.clone(), "unknown".to_owned()]);
        assert_eq!(state.next_to_write(), Some(batch));
        assert_eq!(state.next_to_write(), None);
    }

    #[test]
    fn another_machine_replaces_a_second_lying_one() {
        let mut state = state(4);
        state.fill(&spec(1), 1, SECOND);
        state.confirm("run-0", "first".to_owned(), vec![told(1)]);
        assert_eq!(state.confirmed_by("run-1").as_deref(), Some("run-0"));
        state.again("run-1", "liar");
        assert_eq!(state.confirmed_by("run-1"), None);
        assert_eq!(state.confirmed_by("run-2").as_deref(), Some("run-0"));
        assert_eq!(state.open["run-2"].not_for.as_deref(), Some("first"));
        let held = state.open["run-0"].held.as_ref().expect("the result of the first machine");
        assert_eq!(held.second, "run-2");
    }

    #[test]
    fn results_of_a_lying_machine_are_played_again() {
        let mut state = state(4);
        state.fill(&spec(1), 1, SECOND);
        state.accept("run-0", (0..4).map(|_| told(1)).collect(), Some("liar"));
        state.disbelieve(&spec(1), "liar");
        assert!(state.take(&round_key(&spec(2))).is_none());
        state.fill(&spec(2), 9, SECOND);
        let open: Vec<&[RoundSpec]> = state.open.values().map(|open| &open.rounds[..]).collect();
        assert_eq!(open, [[spec(1)], [spec(2)]]);
        assert_eq!(state.open["run-1"].not_for.as_deref(), Some("liar"));
    }
}
