//! Findings as data: checked, unchecked and contradicted.

use std::path::PathBuf;

use judge_core::FUEL_PER_MS;
use judge_runner::verify::{self, CheckedFile, Conclusion, Level, Outcome, Request, Status};

use crate::play::{round, setting};
use crate::support::{sample, write};
use crate::{Heard, workers};

/// Verifies a replay with that content and these players.
fn check(content: &str, players: &[PathBuf]) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "round.jsonl", content);
    let request = Request { file, players: players.to_vec(), ..Request::default() };
    verify::run(&request, &workers(), &mut Heard::default()).unwrap()
}

#[test]
fn a_replay_is_fully_verified_only_with_its_bot() {
    let replay = round("mahjong-distance", setting(5)).replay();
    let whole = check(&replay, &[sample("mahjong-distance")]);
    assert_eq!((whole.kind, whole.level), (CheckedFile::Replay, Level::Full));
    assert_eq!(whole.conclusion(), Conclusion::Holds, "{}", whole.text());
    assert!(whole.findings.iter().all(|finding| finding.status == Status::Checked));

    let rules = check(&replay, &[]);
    assert_eq!((rules.level, rules.conclusion()), (Level::Rules, Conclusion::NotChecked));
    let open: Vec<_> = rules.with(Status::Unchecked).map(|finding| &finding.place).collect();
    let seat = "seat 1 (`mahjong-distance`)".to_owned();
    assert_eq!(open, [&Some("fingerprint".to_owned()), &Some(seat)]);
    assert!(rules.text().starts_with("NOT CHECKED: "), "{}", rules.text());
}

#[test]
fn only_the_bot_contradicts_a_changed_cost() {
    let mut record = round("mahjong-distance", setting(5)).record;
    let at = record.calls.iter().position(|call| call.fuel.is_some()).unwrap();
    let fuel = record.calls[at].fuel.unwrap();
    record.calls[at].fuel = Some(fuel + FUEL_PER_MS);
    let forged = record.to_replay();
    assert_eq!(check(&forged, &[]).conclusion(), Conclusion::NotChecked);

    let found = check(&forged, &[sample("mahjong-distance")]);
    assert_eq!(found.conclusion(), Conclusion::DoesNotHold, "{}", found.text());
    let problem = found.contradiction().unwrap();
    assert_eq!(problem.place, Some(format!("line {} (call {})", at + 2, at + 1)));
    let sides = problem.sides.as_ref().unwrap();
    assert!(sides.recorded.contains(&(fuel + FUEL_PER_MS).to_string()), "{sides:?}");
    assert!(sides.found.contains(&fuel.to_string()), "{sides:?}");
}
