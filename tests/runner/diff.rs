//! Two rounds, compared.

use judge_runner::rounds::diff::{self, Outcome, Request};

use crate::play::{round, setting};
use crate::support::write;

pub(crate) fn compare(one: &str, other: &str) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let files = [write(folder.path(), "one", one), write(folder.path(), "other", other)];
    diff::run(&Request { files, context: 2, moves: false, page: None }).unwrap()
}

#[test]
fn rounds_are_compared_up_to_the_first_different_call() {
    let mut record = round("mahjong-distance", setting(5)).record;
    let one = record.to_replay();
    let same = compare(&one, &one);
    assert!(same.is_same() && same.broken.is_empty(), "{}", same.text());
    assert!(same.text().contains(&same.digest.to_string()), "{}", same.text());

    let at = record.calls.iter().rposition(|call| call.fuel.is_some()).unwrap();
    let fuel = record.calls[at].fuel.unwrap();
    record.calls[at].fuel = Some(fuel + 1);
    let found = compare(&one, &record.to_replay());
    let first_difference = found.first_difference.as_ref().unwrap();
    assert_eq!((first_difference.index, first_difference.before.len()), (at, 2));
    let costs = first_difference.sides.each_ref().map(|side| side.as_ref().unwrap().fuel.unwrap());
    assert_eq!(costs, [fuel, fuel + 1]);
    assert!(!found.is_same() && found.differences.is_empty(), "{}", found.text());

    let other = round("mahjong-distance", setting(6)).replay();
    let found = compare(&one, &other);
    assert!(
        found.differences.iter().any(|one| one.what == judge_referee::RecordPart::Seed),
        "{}",
        found.text()
    );
}

#[test]
fn a_changed_replay_is_compared_with_a_warning() {
    let one = round("mahjong-distance", setting(5)).replay();
    let digest = one.rsplit_once("\"digest\":\"").unwrap().1[..8].to_owned();
    let found = compare(&one, &one.replace(&digest, "00000000"));
    assert_eq!(found.broken.len(), 1, "{}", found.text());
    assert!(found.text().starts_with("note: "), "{}", found.text());
    assert!(!found.is_same());
}
