//! Another store of rounds than the journal. A stored round is not played again, with any store.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use judge_arena::{
    Account, Bounds, CostStore, Entrant, FactStore, RoundOutline, RoundStore, Run, StoreError,
    grade,
};
use judge_core::{
    BotIdentity, Digest, GradeReport, IgnoreEvents, RoundSpec, SeatSpec, Transcript, Verdict,
    digest,
};
use judge_grading::{Suite, round_budgets};
use serde_json::Value;

use crate::support::sample;
use crate::workers;

/// Rounds and facts in memory.
#[derive(Debug, Default)]
struct MemoryStore(Mutex<StoredRounds>);

#[derive(Debug, Default)]
struct StoredRounds {
    /// By the spec as JSON, which includes names, unlike in a journal.
    rounds: BTreeMap<String, (Transcript, Digest)>,
    facts: BTreeMap<String, Value>,
    accounts: BTreeMap<Digest, Weak<Account>>,
    used: BTreeMap<Digest, Duration>,
}

fn key(spec: &RoundSpec) -> String {
    serde_json::to_string(spec).unwrap()
}

impl RoundStore for MemoryStore {
    fn find(&self, spec: &RoundSpec) -> Result<Option<(Transcript, Digest)>, StoreError> {
        Ok(self.0.lock().unwrap().rounds.get(&key(spec)).cloned())
    }

    fn add(
        &self,
        spec: &RoundSpec,
        outline: &RoundOutline,
        transcript: &Transcript,
    ) -> Result<(), StoreError> {
        let mut kept = self.0.lock().unwrap();
        kept.rounds.entry(key(spec)).or_insert_with(|| (transcript.clone(), outline.digest));
        for seat in &spec.seats {
            let SeatSpec::Bot { sha256, .. } = seat else { continue };
            if let Some(account) = kept.accounts.get(sha256).and_then(Weak::upgrade) {
                let used = kept.used.entry(*sha256).or_default();
                *used += Duration::from_millis(account.unwritten_ms());
            }
        }
        Ok(())
    }

    fn contradicted(&self, what: String) -> StoreError {
        StoreError::Other { store: self.name(), source: what.into() }
    }
}

impl FactStore for MemoryStore {
    fn name(&self) -> String {
        "memory".to_owned()
    }

    fn facts(&self) -> Result<Vec<(String, Value)>, StoreError> {
        Ok(self.0.lock().unwrap().facts.clone().into_iter().collect())
    }

    fn note(&self, name: &str, value: &Value) -> Result<(), StoreError> {
        self.0.lock().unwrap().facts.insert(name.to_owned(), value.clone());
        Ok(())
    }
}

impl CostStore for MemoryStore {
    fn processor_time(&self, module: &Digest, _: &Suite) -> Result<Option<Duration>, StoreError> {
        Ok(self.0.lock().unwrap().used.get(module).copied())
    }

    fn charge(&self, module: Digest, account: &Arc<Account>) {
        self.0.lock().unwrap().accounts.insert(module, Arc::downgrade(account));
    }
}

/// One testcase of three rounds.
fn suite() -> Suite {
    let case = "title = 'x'\ngame = 'mahjong'\nopponent = 'random'\nseeds = [1, 2, 3]\n\
                min_score = 1\npoints = 10";
    Suite::from_files("suite", [("suite.toml", "title = 'x'"), ("01-a.toml", case)]).unwrap()
}

fn submission() -> Entrant {
    let module = std::fs::read(sample("mahjong-straightforward")).unwrap();
    let name = "straightforward".to_owned();
    let bot = BotIdentity { name, sha256: digest(&module), author: None };
    Entrant { bot, module, refused: None }
}

/// A run that stores its rounds there.
fn run(store: &Arc<MemoryStore>) -> Run {
    workers().run().with_store(Arc::clone(store))
}

/// The same with a worker that ends at once, so that nothing can be played.
fn idle(store: &Arc<MemoryStore>) -> Run {
    let mut workers = workers();
    workers.command.program = PathBuf::from("/bin/false");
    workers.run().with_store(Arc::clone(store))
}

fn graded(run: &Run, suite: &Suite) -> GradeReport {
    grade(run, suite, &[submission()], &mut IgnoreEvents).unwrap()
}

#[test]
fn rounds_in_any_store_are_not_played_again() {
    let (store, suite) = (Arc::new(MemoryStore::default()), suite());
    let played = graded(&run(&store), &suite);
    assert_eq!(played.bots[0].worst_verdict(), Verdict::Accepted);
    assert_eq!(store.0.lock().unwrap().rounds.len(), 3);
    let used = store.processor_time(&submission().bot.sha256, &suite).unwrap();
    assert!(used.is_some(), "its account is asked at each round, however little is on it");

    let again = graded(&idle(&store), &suite);
    assert_eq!((again.seal, &again.bots), (played.seal, &played.bots));

    let empty = graded(&idle(&Arc::default()), &suite);
    assert_eq!(empty.bots[0].worst_verdict(), Verdict::JudgeError, "nothing can be played");
}

#[test]
fn a_stored_round_that_spent_the_budget_gets_the_same_verdict() {
    let (store, mut suite) = (Arc::new(MemoryStore::default()), suite());
    let whole = graded(&run(&Arc::default()), &suite).bots.remove(0).testcases.remove(0);
    let [first, second] = [0, 1].map(|at| whole.rounds[at].fuel);
    // Enough for one and a half rounds.
    let budget = first + second / 2;
    suite.testcases[0].limits.fuel = budget;
    let played = graded(&run(&store), &suite);
    let case = &played.bots[0].testcases[0];
    assert_eq!((case.verdict, case.fuel), (Verdict::TimeLimitExceeded, budget));
    let budgets = round_budgets(budget, &case.rounds);
    assert_eq!(budgets, [Some(budget), Some(budget - first), None]);

    let again = graded(&idle(&store), &suite);
    assert_eq!((again.seal, &again.bots), (played.seal, &played.bots));
}

#[test]
fn a_refusal_during_play_is_kept_in_any_store() {
    let (store, suite) = (Arc::new(MemoryStore::default()), suite());
    let bounds = Some(Bounds { processor: Duration::from_secs(600), journal_bytes: 1 });
    let played = graded(&run(&store).with_bounds(bounds), &suite);
    let refused = played.bots[0].refused.as_ref().expect("far more than a byte");
    assert_eq!(refused.verdict, Verdict::OutputLimitExceeded);
    assert!(refused.why.hint.as_deref().is_some_and(|hint| hint.starts_with("log less")));

    // Without its rounds only the fact remains.
    store.0.lock().unwrap().rounds.clear();
    let again = graded(&idle(&store).with_bounds(bounds), &suite);
    assert_eq!((again.seal, &again.bots), (played.seal, &played.bots));
    let judged = graded(&idle(&store), &suite);
    assert_eq!(judged.bots[0].worst_verdict(), Verdict::JudgeError, "larger bounds: tried again");
}
