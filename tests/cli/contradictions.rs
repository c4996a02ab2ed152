//! Contradicting parts: the first one does not win.

use std::path::{Path, PathBuf};

use crate::support::{Ran, run, sample, write};

/// A course of four in two parts; ada and bob, in different parts, submitted the same module.
fn course() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    for folder in ["suite", "in"] {
        std::fs::create_dir(path(folder)).unwrap();
    }
    write(&path("suite"), "suite.toml", "title = \"x\"\n");
    let case = "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [1, 2]\n\
                min_score = 1\npoints = 10\n";
    write(&path("suite"), "01.toml", case);
    for (name, bot) in [
        ("ada", "mahjong-distance"),
        ("bob", "mahjong-distance"),
        ("cat", "mahjong-straightforward"),
        ("dan", "cc-runner"),
    ] {
        std::fs::copy(sample(bot), path("in").join(name).with_extension("wasm")).unwrap();
    }
    for shard in ["1/2", "2/2"] {
        let [submissions, suite, out] = ["in", "suite", &format!("part-{}", &shard[..1])]
            .map(|name| path(name).display().to_string());
        let ran = run(["grade", &submissions, "--suite", &suite, "--out", &out, "--shard", shard]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    place
}

fn merge(place: &Path, order: [&str; 2]) -> Ran {
    let [one, two, out] =
        [order[0], order[1], "whole"].map(|name| place.join(name).display().to_string());
    run(["merge", &one, &two, "--out", &out])
}

/// Writes a journal's entries again, each changed by `change`, with valid links.
fn forge(journal: &Path, change: impl Fn(&str) -> Vec<String>) {
    let text = std::fs::read_to_string(journal).unwrap();
    let mut link = judge_core::digest(b"judge journal");
    let mut forged = String::new();
    for line in text.lines() {
        let entry = line.strip_prefix("{\"entry\":").unwrap();
        let entry = &entry[..entry.rfind(",\"link\":\"").unwrap()];
        for entry in change(entry) {
            link = link.chain(entry.as_bytes());
            let line = format!("{{\"entry\":{entry},\"link\":\"{link}\"}}\n");
            forged.push_str(&line);
        }
    }
    std::fs::write(journal, forged).unwrap();
}

fn replaced(entry: &str, from: &str, to: &str) -> Vec<String> {
    vec![entry.replacen(from, to, 1)]
}

fn refused(place: &Path, words: &[&str]) {
    for order in [["part-1", "part-2"], ["part-2", "part-1"]] {
        let ran = merge(place, order);
        assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
        for word in words {
            assert!(ran.stderr.contains(word), "`{word}` in {}", ran.stderr);
        }
        assert!(ran.stderr.contains("\nhint: "), "{}", ran.stderr);
        assert!(!place.join("whole").exists() || !place.join("whole/marks.csv").exists());
        let _ = std::fs::remove_dir_all(place.join("whole"));
    }
}

fn journal(place: &Path, part: u8) -> PathBuf {
    place.join(format!("part-{part}/journal.jsonl"))
}

#[test]
fn merge_accepts_equal_rounds_in_two_parts() {
    let place = course();
    forge(&journal(place.path(), 2), |entry| vec![entry.to_owned()]);
    let ran = merge(place.path(), ["part-2", "part-1"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn merge_refuses_different_records_of_one_round() {
    let place = course();
    let original = std::fs::read_to_string(journal(place.path(), 2)).unwrap();
    let words = ["part-1", "part-2", "contradict", "seed ", "`ada` against", "`bob` against"];
    for (from, to) in [
        ("\"fuel\":[", "\"fuel\":[1"),
        ("\"digest\":\"", "\"digest\":\"0"),
        ("\"answers\":[\"", "\"answers\":[\"0"),
    ] {
        std::fs::write(journal(place.path(), 2), &original).unwrap();
        forge(&journal(place.path(), 2), |entry| match entry.starts_with("{\"round\"") {
            true if from.contains("digest") => {
                let at = entry.rfind(from).unwrap() + from.len();
                let digit = if entry.as_bytes()[at] == b'0' { "1" } else { "0" };
                vec![format!("{}{digit}{}", &entry[..at], &entry[at + 1..])]
            }
            true => replaced(entry, from, to),
            false => vec![entry.to_owned()],
        });
        assert_ne!(std::fs::read_to_string(journal(place.path(), 2)).unwrap(), original);
        refused(place.path(), &words);
    }
}

#[test]
fn merge_refuses_a_part_with_a_duplicate_round() {
    let place = course();
    forge(&journal(place.path(), 1), |entry| match entry.starts_with("{\"round\"") {
        true => [replaced(entry, "\"fuel\":[", "\"fuel\":[1"), vec![entry.to_owned()]].concat(),
        false => vec![entry.to_owned()],
    });
    refused(place.path(), &["part-1", "is damaged", "duplicate round"]);
}

#[test]
fn merge_refuses_a_score_that_contradicts_the_moves() {
    let place = course();
    for part in [1, 2] {
        forge(&journal(place.path(), part), |entry| match entry.starts_with("{\"round\"") {
            true => replaced(entry, "\"scores\":[", "\"scores\":[9"),
            false => vec![entry.to_owned()],
        });
    }
    refused(
        place.path(),
        &["part-", "line ", "`outcome.scores[0]` does not follow from its moves"],
    );
}

#[test]
fn merge_refuses_different_facts_about_one_submission() {
    let place = course();
    let original = std::fs::read_to_string(journal(place.path(), 2)).unwrap();
    // The second part has one of the first part's submissions, with other content.
    forge(&journal(place.path(), 2), |entry| {
        let other = entry.replace("submission bob", "submission ada").replace("bob", "ada");
        let other = other.replace("ada.wasm", "other.wasm");
        match entry.contains("\"submission bob\"") {
            true => vec![entry.to_owned(), other],
            false => vec![entry.to_owned()],
        }
    });
    refused(place.path(), &["part-1", "part-2", "contradict", "`submission ada`"]);
    // The part claims a submission of the other one, or omits one of its submissions.
    for (from, to) in
        [("[\"bob\",\"dan\"]", "[\"ada\",\"bob\",\"dan\"]"), ("[\"bob\",\"dan\"]", "[\"bob\"]")]
    {
        std::fs::write(journal(place.path(), 2), &original).unwrap();
        forge(&journal(place.path(), 2), |entry| {
            let ada = entry.replace("bob", "ada");
            match (entry.contains("\"submission bob\""), entry.contains("\"submissions\"")) {
                (true, _) => vec![entry.to_owned(), ada],
                (_, true) => replaced(entry, from, to),
                _ => vec![entry.to_owned()],
            }
        });
        refused(place.path(), &["part-2", "belong to part 2/2"]);
    }
}

#[test]
fn merge_refuses_a_report_that_contradicts_its_journal() {
    let place = course();
    let report = place.path().join("part-1/students/ada.json");
    let text = std::fs::read_to_string(&report).unwrap();
    std::fs::write(&report, text.replacen("\"points\": 10", "\"points\": 11", 1)).unwrap();
    refused(place.path(), &["part-1/students/ada.json", "does not follow from the journal"]);
    std::fs::remove_file(&report).unwrap();
    let sheet = place.path().join("part-2/marks.csv");
    let text = std::fs::read_to_string(&sheet).unwrap();
    let forged = text.replacen("bob.wasm,10,", "bob.wasm,20,", 1);
    assert_ne!(forged, text);
    std::fs::write(&sheet, forged).unwrap();
    refused(place.path(), &["part-2/marks.csv", "the mark of `bob`", "`points` is `20`"]);
    std::fs::write(&sheet, text).unwrap();
    assert_eq!(merge(place.path(), ["part-1", "part-2"]).code, 0, "a journal is enough");
}

#[test]
fn merge_refuses_contradictory_parts_of_a_tournament() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name).display().to_string();
    let bot = sample("mahjong-distance").display().to_string();
    for (shard, file) in [("1/2", "one"), ("2/2", "two")] {
        let fixed = [
            "tournament",
            "--game=mahjong",
            "--rounds",
            "2",
            "random",
            "distance",
            &bot,
            "--seed=1",
        ];
        let ran = run(fixed.into_iter().chain(["--shard", shard, "--journal", &path(file)]));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    let merge = || run(["merge", &path("one"), &path("two"), "--out", &path("whole")]);
    // A round of the first part, with other moves, in the second.
    let stolen = std::fs::read_to_string(path("one")).unwrap();
    let stolen = stolen.lines().find(|line| line.starts_with("{\"entry\":{\"round\"")).unwrap();
    let stolen = stolen.strip_prefix("{\"entry\":").unwrap();
    let stolen = &stolen[..stolen.rfind(",\"link\":\"").unwrap()];
    for (text, code) in
        [(stolen.to_owned(), 0), (stolen.replacen("\"answers\":[\"", "\"answers\":[\"0", 1), 3)]
    {
        let original = std::fs::read_to_string(path("two")).unwrap();
        forge(path("two").as_ref(), |entry| match entry.starts_with("{\"journal\"") {
            true => vec![entry.to_owned(), text.clone()],
            false => vec![entry.to_owned()],
        });
        let ran = merge();
        assert_eq!(ran.code, code, "{}{}", ran.stdout, ran.stderr);
        assert!(
            code == 0
                || ran.stderr.contains("contradict each other about the round of mahjong, seed ")
        );
        let _ = std::fs::remove_file(path("whole"));
        std::fs::write(path("two"), original).unwrap();
    }
}
