use judge_arena::Journal;
use judge_store::{RunKey, Store, SuiteSettings};
use serde_json::Value;

use crate::made::{self, NOW};
use crate::support::EmptyDatabase;
use crate::support::conformance::{self, WholeStore, fingerprint, module};

#[test]
fn a_journal_is_a_conforming_round_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    conformance::check(|| match path.exists() {
        true => Box::new(Journal::resume(&path, &fingerprint(), &Value::Null).unwrap()),
        false => Box::new(Journal::create(&path, fingerprint(), Value::Null).unwrap()),
    });
}

async fn key(store: &Store) -> RunKey {
    let (suite, _) = made::scene(store, SuiteSettings::default()).await;
    RunKey { suite: suite.id, generation: 1, module: module() }
}

async fn a_database_is_a_conforming_round_store(place: EmptyDatabase) {
    let store = place.open().await;
    let key = key(&store).await;
    let runtime = tokio::runtime::Handle::current();
    let open = move || -> Box<dyn WholeStore> {
        Box::new(runtime.block_on(store.rounds(&key, &fingerprint(), NOW)).unwrap())
    };
    tokio::task::spawn_blocking(move || conformance::check(open)).await.unwrap();
}

async fn rounds_of_different_runs_are_separate(place: EmptyDatabase) {
    let store = place.open().await;
    let key = key(&store).await;
    let other_judge = judge_core::Fingerprint { judge: "later".to_owned(), ..fingerprint() };
    let later = RunKey { generation: 2, ..key.clone() };
    let runs = [
        store.rounds(&key, &fingerprint(), NOW).await.unwrap(),
        store.rounds(&key, &other_judge, NOW).await.unwrap(),
        store.rounds(&later, &fingerprint(), NOW).await.unwrap(),
    ];
    let added = tokio::task::spawn_blocking(move || {
        let (record, transcript) = conformance::round("ada", 1);
        conformance::add(&runs[0], &record, &transcript);
        runs.map(|run| run.rounds().unwrap())
    });
    assert_eq!(added.await.unwrap(), [1, 0, 0]);
}

on_both! {
    a_database_is_a_conforming_round_store
    rounds_of_different_runs_are_separate
}
