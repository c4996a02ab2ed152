//! `judge verify` against forgers: changes every field of a replay and a report in turn, and
//! computes all hashes again. Unchecked parts are never reported as valid.

use judge_core::{
    Blame, BotReport, Call, Explanation, Fault, GradeReport, RecordHeader, RecordTrailer, Refused,
    RoundRecord, RoundResult, Shows, Verdict, digest,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::support::{Ran, run, sample, write};

const TESTCASE: &str = "title = \"Two rounds\"\ngame = \"mahjong\"\nopponent = \"random\"\n\
                        seeds = [5, 6]\nmin_score = 30\npoints = 10\n";

struct Forger(tempfile::TempDir);

impl Forger {
    fn new() -> Forger {
        let forger = Forger(tempfile::tempdir().unwrap());
        write(forger.0.path(), "case.toml", TESTCASE);
        forger
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn record(&self) -> RoundRecord {
        let path = self.path("round.jsonl");
        let ran = run(["play", &bot(), "--seed", "5", "--replay", &path]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        RoundRecord::from_replay(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    fn report(&self) -> GradeReport {
        let ran = run(["grade", &bot(), "--testcase", &self.path("case.toml"), "--json", "-"]);
        GradeReport::from_json(&ran.stdout).unwrap()
    }

    fn verify(&self, text: &str, more: &[&str]) -> Ran {
        let path = write(self.0.path(), "forged", text).display().to_string();
        run([&["verify", &path][..], more].concat())
    }

    /// Verifies with the bot, and for reports with the testcase.
    fn verify_report(&self, report: &GradeReport) -> Ran {
        let more = ["--testcase", &self.path("case.toml"), &bot()];
        self.verify(&report.to_json(), &more)
    }
}

fn bot() -> String {
    sample("mahjong-distance").display().to_string()
}

/// True if the first line, the exit code and the JSON look like a success.
fn is_said_to_hold(ran: &Ran) -> bool {
    let first = ran.stdout.lines().next().unwrap_or_default();
    ran.code == 0 || first.starts_with("holds")
}

/// The value with each of its parts changed in turn, and the position of the change.
fn changes(value: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    let parts: Vec<(String, &Value)> = match value {
        Value::Object(map) => map.iter().map(|(key, part)| (key.clone(), part)).collect(),
        Value::Array(list) => {
            list.iter().enumerate().map(|(at, part)| (at.to_string(), part)).collect()
        }
        other => return near(other).into_iter().map(|new| (String::new(), new)).collect(),
    };
    for (key, part) in parts {
        for (place, new) in changes(part) {
            let mut whole = value.clone();
            match &mut whole {
                Value::Object(map) => drop(map.insert(key.clone(), new)),
                Value::Array(list) => list[key.parse::<usize>().unwrap()] = new,
                _ => unreachable!("parts are in lists and objects"),
            }
            found.push((format!("{key}.{place}"), whole));
        }
    }
    found
}

/// Other values of the same type, and special words of these files.
fn near(value: &Value) -> Vec<Value> {
    match value {
        Value::Bool(flag) => vec![json!(!flag)],
        Value::Null => vec![json!(1), json!("x"), json!("one")],
        Value::Number(number) => match number.as_i64() {
            Some(number) => vec![json!(number + 1), json!(0), json!(number.saturating_mul(2))],
            None => vec![json!(1)],
        },
        Value::String(text) => {
            let words = ["accepted", "below-threshold", "judge-error", "judge", "bot", "verdict"];
            let hash = digest(text.as_bytes()).to_string();
            let words = words.map(str::to_owned).into_iter().chain([format!("{text}x"), hash]);
            words.map(Value::from).collect()
        }
        _ => Vec::new(),
    }
}

/// Every change that still parses as the same type.
fn forged<T: Serialize + DeserializeOwned + PartialEq>(value: &T) -> Vec<(String, T)> {
    let changed = changes(&serde_json::to_value(value).unwrap()).into_iter();
    let read = changed.filter_map(|(place, new)| Some((place, serde_json::from_value(new).ok()?)));
    read.filter(|(_, new)| new != value).collect()
}

#[test]
fn a_changed_field_of_a_resealed_replay_is_found() {
    let forger = Forger::new();
    let record = forger.record();
    let honest = forger.verify(&record.to_replay(), &[&bot()]);
    assert!(honest.code == 0 && honest.stdout.starts_with("holds: "), "{}", honest.stdout);
    let mut all: Vec<(String, RoundRecord)> = Vec::new();
    for (place, header) in forged::<RecordHeader>(&record.header) {
        all.push((format!("header.{place}"), RoundRecord { header, ..record.clone() }));
    }
    for (place, trailer) in forged::<RecordTrailer>(&record.trailer) {
        all.push((format!("trailer.{place}"), RoundRecord { trailer, ..record.clone() }));
    }
    for at in [0, 2, 5, record.calls.len() - 1] {
        for (place, call) in forged::<Call>(&record.calls[at]) {
            let mut other = record.clone();
            other.calls[at] = call;
            all.push((format!("calls.{at}.{place}"), other));
        }
    }
    assert!(all.len() > 60, "{}", all.len());
    let mut others = 0;
    for (place, forged) in all {
        let ran = forger.verify(&forged.to_replay(), &[&bot()]);
        let alone = forger.verify(&forged.to_replay(), &[]);
        assert!(!is_said_to_hold(&alone), "{place}: {}", alone.stdout);
        if place.starts_with("header.spec.limits.") && is_said_to_hold(&ran) {
            // The same answers under another limit: a true record of another round, and the output
            // says so.
            let told = ran.stdout.lines().nth(1).unwrap().to_owned();
            assert!(told.starts_with("note: this is a round of mahjong, seed 5: "), "{told}");
            others += 1;
            continue;
        }
        assert!(!is_said_to_hold(&ran), "{place}: {}", ran.stdout);
    }
    assert!(others < 8, "{others}");
}

#[test]
fn a_changed_field_of_a_resealed_report_is_found() {
    let forger = Forger::new();
    let report = forger.report();
    let honest = forger.verify_report(&report);
    assert!(honest.code == 0 && honest.stdout.starts_with("holds: "), "{}", honest.stdout);
    assert!(honest.stdout.lines().next().unwrap().contains("but for `timing`"));
    let mut count = 0;
    for (place, forged) in forged::<GradeReport>(&report) {
        let mut summed = forged.clone();
        for bot in &mut summed.bots {
            let BotReport { bot: who, refused, max_points, testcases, .. } = bot.clone();
            *bot = BotReport::new(who, refused, max_points, testcases);
        }
        for forged in [forged.clone(), forged.sealed(), summed.sealed()] {
            if forged == report || place.starts_with("timing.") {
                continue;
            }
            let ran = forger.verify_report(&forged);
            assert!(!is_said_to_hold(&ran), "{place}: {}", ran.stdout);
            let alone = forger.verify(&forged.to_json(), &[]);
            assert!(!is_said_to_hold(&alone), "{place}: {}", alone.stdout);
            count += 1;
        }
    }
    assert!(count > 200, "{count}");
}

#[test]
fn a_replay_without_its_bot_is_not_reported_as_verified() {
    let forger = Forger::new();
    let ran = forger.verify(&forger.record().to_replay(), &[]);
    assert_eq!(ran.code, 5, "{}", ran.stdout);
    let first = ran.stdout.lines().next().unwrap();
    assert!(first.starts_with("NOT CHECKED: nothing contradicts the replay"), "{first}");
    let json = forger.verify(&forger.record().to_replay(), &["--json", "-"]);
    assert_eq!((json.code, &json.json()["holds"]), (5, &Value::Null));
    assert_eq!(json.json()["result"], "not-checked");
    let whole = forger.verify(&forger.record().to_replay(), &["--json", "-", &bot()]);
    assert_eq!((whole.code, &whole.json()["holds"]), (0, &true.into()));
    let report = forger.verify(&forger.report().to_json(), &["--json", "-"]).json();
    assert_eq!((&report["holds"], &report["result"]), (&Value::Null, &"not-checked".into()));
}

#[test]
fn a_round_forged_into_a_judge_error_is_found_by_replaying() {
    let forger = Forger::new();
    let mut record = forger.record();
    let honest = record.clone();
    let outcome = RoundResult { scores: [0, 0], winner: None, reason: "judge error".to_owned() };
    record.trailer = RecordTrailer::new(outcome, Some(Fault::judge("the worker ended")));
    record.calls.clear();
    let ran = forger.verify(&record.to_replay(), &[&bot()]);
    assert!(matches!(ran.code, 1 | 5) && !is_said_to_hold(&ran), "{}", ran.stdout);
    // With the text that the judge itself finds for it.
    let found = ran.stdout.lines().find_map(|line| line.strip_prefix("  found:    "));
    if let Some(found) = found {
        record.trailer.outcome.reason =
            found.split(['(', ')']).nth(1).unwrap_or_default().to_owned();
    }
    let ran = forger.verify(&record.to_replay(), &[&bot()]);
    assert_eq!(ran.code, 5, "{}", ran.stdout);
    let scores = honest.trailer.outcome.scores;
    let result = format!("wins {}:{}", scores[0], scores[1]);
    assert!(ran.stdout.contains(&result), "what came out is told: {}", ran.stdout);
    assert!(ran.stdout.contains(&honest.digest().to_string()), "{}", ran.stdout);
    let alone = forger.verify(&record.to_replay(), &[]);
    assert!(alone.code == 5 && alone.stdout.contains("name the bots"), "{}", alone.stdout);
}

#[test]
fn a_report_of_judge_errors_is_checked_by_replaying() {
    let forger = Forger::new();
    let honest = forger.report();
    let mut report = honest.clone();
    let fault = Fault::judge("the worker ended");
    let round = &mut report.bots[0].testcases[0].rounds[1];
    (round.verdict, round.blame) = (Verdict::JudgeError, Some(Blame::Judge));
    (round.score, round.opponent_score) = (0, 0);
    (round.fuel, round.max_call_fuel, round.calls, round.peak_memory_bytes) = (0, 0, 0, 0);
    round.outcome = Some(RoundResult { scores: [0, 0], winner: None, reason: "x".to_owned() });
    round.fault = Some(fault);
    let report = consistent(&forger, report);
    let ran = forger.verify_report(&report);
    assert_eq!(ran.code, 5, "{}", ran.stdout);
    let told =
        "bots[0].testcases[0]: that the judge failed in round 2; it was played now: Accepted";
    assert!(ran.stdout.contains(told), "{}", ran.stdout);
    // The part before the failure is still compared with the new result.
    let mut first = report.clone();
    first.bots[0].testcases[0].rounds[0].max_call_fuel -= 1;
    let ran = forger.verify_report(&consistent(&forger, first));
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("rounds[0].max_call_fuel"), "{}", ran.stdout);
    // A report on a bot that was never played.
    let mut unread = honest.clone();
    let told = &unread.bots[0];
    let refused = Refused {
        verdict: Verdict::JudgeError,
        blame: Blame::Judge,
        why: Explanation::without_hint("cannot read it"),
        shows: None,
    };
    unread.bots[0] = BotReport::new(told.bot.clone(), Some(refused), told.max_points, Vec::new());
    let ran = forger.verify_report(&unread.sealed());
    assert_eq!(ran.code, 5, "{}", ran.stdout);
    assert!(ran.stdout.contains("it was played now: 10 of 10 points"), "{}", ran.stdout);
}

/// The report after adjusting the sums that `verify` names to the rounds.
fn consistent(forger: &Forger, mut report: GradeReport) -> GradeReport {
    for _ in 0..20 {
        let bots = report.bots.iter().map(|bot| {
            let BotReport { bot, refused, max_points, testcases, .. } = bot.clone();
            BotReport::new(bot, refused, max_points, testcases)
        });
        report = GradeReport { bots: bots.collect(), ..report.clone() }.sealed();
        let more = ["--testcase", &forger.path("case.toml"), "--json", "-"];
        let found = forger.verify(&report.to_json(), &more).json();
        let Some(problem) = found["problem"].as_object() else { return report };
        let place = problem["place"].as_str().unwrap().replace(['[', '.'], "/").replace(']', "");
        let mut value = serde_json::to_value(&report).unwrap();
        let new = serde_json::from_str(problem["found"].as_str().unwrap()).unwrap_or(Value::Null);
        let pointer = format!("/{place}");
        match value.pointer_mut(&pointer) {
            Some(part) => *part = new,
            None => {
                let (parent, key) = pointer.rsplit_once('/').unwrap();
                value.pointer_mut(parent).unwrap()[key] = new;
            }
        }
        report = serde_json::from_value(value).unwrap();
    }
    panic!("it never adds up")
}

#[test]
fn an_easier_suite_under_a_bundled_name_is_found() {
    let forger = Forger::new();
    let suite = forger.0.path().join("mahjong");
    std::fs::create_dir(&suite).unwrap();
    write(&suite, "suite.toml", "title = \"Arcade Mahjong\"\n");
    for entry in std::fs::read_dir(crate::support::root().join("testcases/mahjong")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let easy = with_a_low_threshold(&text);
        write(&suite, path.file_name().unwrap().to_str().unwrap(), easy);
    }
    let own = suite.display().to_string();
    let ran = run(["grade", &bot(), "--suite", &own, "--json", "-"]);
    let report = GradeReport::from_json(&ran.stdout).unwrap();
    assert_eq!(report.suite, "mahjong");
    for more in [&[][..], &[bot().as_str()]] {
        let ran = forger.verify(&report.to_json(), more);
        assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
        let first = ran.stdout.lines().next().unwrap();
        assert!(first.starts_with("DOES NOT HOLD: bots[0].testcases[0].sha256: "), "{first}");
        assert!(first.contains("min_score` is -1000, the suite has "), "{first}");
        assert!(first.contains("--suite DIR"), "{first}");
    }
    // With exactly that suite the report is true.
    let ran = forger.verify(&report.to_json(), &["--suite", &own, &bot()]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let ran = forger.verify(&report.to_json(), &["--suite", "mahjong", &bot()]);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
}

/// A testcase with a threshold that every bot reaches.
fn with_a_low_threshold(text: &str) -> String {
    let line = |line: &str| match line.starts_with("min_score") {
        true => "min_score = -1000\n".to_owned(),
        false => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn a_report_hiding_more_than_the_suite_does_not_verify() {
    let forger = Forger::new();
    let mut report = forger.report();
    let case = &mut report.bots[0].testcases[0];
    (case.hidden, case.shows) = (true, Some(Shows::Passed));
    (case.verdict, case.blame, case.points) = (Verdict::Accepted, None, 10.into());
    let shown = report.bots[0].for_student();
    for shows in [Some(Shows::Passed), Some(Shows::Points), Some(Shows::Verdict), None] {
        let mut report = report.clone();
        report.bots[0] = shown.clone();
        report.bots[0].testcases[0].shows = shows;
        let BotReport { bot, refused, max_points, testcases, .. } = report.bots[0].clone();
        report.bots[0] = BotReport::new(bot, refused, max_points, testcases);
        let ran = forger
            .verify(&report.clone().sealed().to_json(), &["--testcase", &forger.path("case.toml")]);
        assert_eq!(ran.code, 1, "{shows:?}: {}", ran.stdout);
        assert_eq!(forger.verify_report(&report.sealed()).code, 1, "{shows:?}");
    }
}

#[test]
fn every_report_of_a_module_is_compared_with_its_replayed_rounds() {
    let forger = Forger::new();
    let mut report = forger.report();
    report.bots.push(report.bots[0].clone());
    let twice = report.clone().sealed();
    assert_eq!(forger.verify_report(&twice).code, 0, "the same file twice");
    let BotReport { bot, refused, max_points, mut testcases, .. } = report.bots[1].clone();
    testcases[0].rounds[1].digest = Some(digest(b"another round"));
    report.bots[1] = BotReport::new(bot, refused, max_points, testcases);
    let ran = forger.verify_report(&report.sealed());
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("bots[1].testcases[0].rounds[1].digest"), "{}", ran.stdout);
    let nobody = GradeReport { bots: Vec::new(), ..forger.report() }.sealed();
    assert_eq!(forger.verify(&nobody.to_json(), &[]).code, 1, "a report of nobody");
}
