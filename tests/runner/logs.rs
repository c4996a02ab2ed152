//! Log parts by call: in rounds that are played, shown, verified and stored.

use std::path::{Path, PathBuf};

use judge_core::{BySeat, Replay, RoundRecord, Seat, SeatSpec};
use judge_report::RoundFilter;
use judge_runner::rounds::play::{self, RoundSetup, ShownLog};
use judge_runner::rounds::replay::{self, Outcome, ReplayForm};
use judge_runner::verify::{self, Conclusion};

use crate::play::setting;
use crate::support::{LOGGER, write};
use crate::{Heard, workers};

fn logger(folder: &Path) -> PathBuf {
    write(folder, "logger.wasm", wat::parse_str(LOGGER).unwrap())
}

/// A round of [`LOGGER`]: seed 5 against `random`.
fn played() -> play::Outcome {
    let folder = tempfile::tempdir().unwrap();
    let request = play::Request { bot: logger(folder.path()), setting: setting(5) };
    play::run(&request, &workers(), &mut Heard::default()).unwrap()
}

fn show(content: &str, rounds: &[u64], form: ReplayForm) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "round.jsonl", content);
    let (players, filter) = (Vec::new(), RoundFilter::default());
    let request =
        replay::Request { file, players, rounds: rounds.to_vec(), worst: None, filter, form };
    replay::run(&request, &workers(), &mut Heard::default()).unwrap()
}

fn text(content: &str, answer: Option<usize>, trace: bool) -> String {
    match show(content, &[], ReplayForm::Text { answer, trace }) {
        Outcome::Text { text, trouble: None } => text.plain(),
        other => panic!("{other:?}"),
    }
}

fn page(content: &str, rounds: &[u64]) -> String {
    match show(content, rounds, ReplayForm::Page { to: None }) {
        Outcome::Page { html, trouble: None } => html,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_replay_without_parts_of_logs_has_the_same_digest_and_is_read() {
    let record = played().record;
    let mut plain = record.clone();
    plain.trailer.log_parts = BySeat::default();
    assert_eq!(plain.digest(), record.digest());
    let replay = Replay::read(&plain.to_replay()).unwrap();
    assert_eq!((replay.check_seal(), &replay.record), (Ok(()), &plain));
    assert_eq!(judge_referee::check_by_rules(&plain), Ok(()));
    assert!(page(&plain.to_replay(), &[]).contains("does not show which call wrote what"));
    let text = text(&plain.to_replay(), None, false);
    assert!(!text.contains("  seat 1 log: ") && text.contains("\nseat 1 log: bye\n"), "{text}");
    let compared = crate::diff::compare(&plain.to_replay(), &record.to_replay());
    assert!(compared.is_same() && compared.broken.is_empty(), "{}", compared.text());
}

#[test]
fn a_record_has_the_log_of_each_call() {
    let record = played().record;
    let logged = record.logged(Seat::One).unwrap();
    let parts = logged.iter().map(|(call, text)| (record.calls[*call].line.as_str(), *text));
    let parts: Vec<(&str, &str)> = parts.collect();
    // The first 13 draws and the 14th. The question completes the character of the 14th.
    let is_begun = |(line, text): &(&str, &str)| line.starts_with("draw ") && *text == "\u{fffd}";
    assert!(parts[..13].iter().all(is_begun), "{parts:?}");
    let tile = parts[13].0.strip_prefix("draw ").unwrap();
    assert_eq!(parts[13].1, "\u{20ac}");
    assert_eq!(parts[14], ("discard?", format!(" {tile}\n").as_str()));
    let (line, bye) = parts.last().unwrap();
    assert!(line.starts_with("end ") && *bye == "bye\n", "{line}");
    let whole: String = parts.iter().map(|(_, text)| *text).collect();
    assert_eq!(record.trailer.logs[Seat::One], format!("begin\n{whole}"), "nothing is lost");
}

#[test]
fn log_lines_are_printed_below_their_move() {
    let outcome = played();
    let replay = outcome.replay();
    let whole = text(&replay, None, false);
    let answer = outcome.record.calls.iter().find_map(|call| call.answer.clone()).unwrap();
    let first = format!("move 1: seat 1: discard? -> {answer}\n  seat 1 log:  {answer}\n");
    assert!(whole.contains(&first), "{whole}");
    assert!(whole.starts_with("  seat 1 log: \u{fffd}\n"), "before the first move");
    assert!(
        whole.ends_with(&(outcome.summary(ShownLog::ALL).join("\n") + "\n")),
        "the end is as ever"
    );
    assert!(
        whole.contains("\nseat 1 log: begin\n") && !whole.contains("\nseat 1 log: bye"),
        "{whole}"
    );

    let one = text(&replay, Some(1), false);
    let below = one.split_once(&first).expect("it is shown").1;
    assert!(one.contains(&first) && !below.contains("  seat 1 log:  "), "only that move's: {one}");

    let traced = text(&replay, None, true);
    assert!(traced.contains("fuel)\n  seat 1 log: \u{fffd}\n2: draw "), "{traced}");
    assert!(traced.contains(&format!("discard? -> {answer}  (")), "{traced}");
    assert!(!traced.contains(&first), "not twice: {traced}");
    let trace = outcome.trace();
    assert!(trace[0].starts_with("1: game mahjong "), "{trace:?}");
    let at = trace.iter().position(|line| line.starts_with("1: discard? -> ")).unwrap();
    assert_eq!(trace[at + 1], format!("  seat 1 log:  {answer}"));
    let account = outcome.account().unwrap().plain();
    assert!(account.contains("\n    seat 1 log:  "), "{account}");
    let rest = outcome.summary(outcome.log_in_account()).join("\n");
    assert!(rest.contains("seat 1 earlier log: begin\n"), "{rest}");
    assert!(account.contains(" log: bye\n") && !rest.contains(" log: bye"), "once: {rest}");
}

#[test]
fn logs_of_two_bots_are_kept_separate() {
    let folder = tempfile::tempdir().unwrap();
    let bot = logger(folder.path());
    let against = Some(bot.to_str().unwrap().to_owned());
    let request = play::Request { bot, setting: RoundSetup { against, ..setting(5) } };
    let record = play::run(&request, &workers(), &mut Heard::default()).unwrap().record;
    for seat in Seat::BOTH {
        let logged = record.logged(seat).unwrap();
        assert!(logged.iter().all(|(call, _)| record.calls[*call].seat == seat));
        assert_eq!(logged.last().map(|(_, text)| *text), Some("bye\n"));
        let whole: String = logged.iter().map(|(_, text)| *text).collect();
        assert_eq!(record.trailer.logs[seat], format!("begin\n{whole}"));
    }
}

#[test]
fn verify_compares_log_parts_if_the_file_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let bot = logger(folder.path());
    let check = |record: &RoundRecord, players: &[PathBuf]| {
        let file = write(folder.path(), "round.jsonl", record.to_replay());
        let request = verify::Request { file, players: players.to_vec(), ..Default::default() };
        verify::run(&request, &workers(), &mut Heard::default()).unwrap()
    };
    let mut record = played().record;
    // A file contains the bot's name.
    if let SeatSpec::Bot { name, .. } = &mut record.header.spec.seats[0] {
        "logger".clone_into(name);
    }
    let bot = &[bot];
    let whole = check(&record, bot);
    assert_eq!(whole.conclusion(), Conclusion::Holds, "{}", whole.text());

    let mut plain = record.clone();
    plain.trailer.log_parts = BySeat::default();
    let found = check(&plain, bot);
    assert_eq!(found.conclusion(), Conclusion::Holds, "{}", found.text());

    let mut forged = record.clone();
    let parts = forged.trailer.log_parts[Seat::One].as_mut().unwrap();
    parts.remove(0);
    let (place, alone) = (record.calls.len() + 2, check(&forged, &[]));
    assert_eq!(alone.conclusion(), Conclusion::NotChecked, "{}", alone.text());
    let found = check(&forged, bot);
    assert_eq!(found.conclusion(), Conclusion::DoesNotHold, "{}", found.text());
    let problem = found.contradiction().unwrap();
    assert_eq!(problem.place, Some(format!("line {place}, parts of the log of seat 1")));
}
