//! `judge verify` of runs with removed rounds, pairs or meetings: a recomputed hash chain does not
//! hide them.

use std::time::{Duration, Instant};

use judge_core::digest;
use serde_json::{Value, json};

use crate::support::folder::Folder;
use crate::support::write;

/// Ten pairs on a small board.
const MATCH: [&str; 6] =
    ["match", "random", "smart", "--game=cc", "--option=size=5", "--option=opening=4"];

impl Folder {
    /// A folder with a match of ten pairs: `m.journal` and `m.json`.
    fn with_match() -> Folder {
        let folder = Folder::empty();
        let kept = ["--seed=3", "--rounds=20", "--journal=m.journal", "--json=m.json"];
        folder.passes(&[&MATCH[..], &kept].concat());
        folder
    }

    /// A tournament of three players with three pairs per meeting, or with the arguments `more`.
    fn play_tournament(&self, more: &[&str]) {
        let players = ["tournament", "random", "smart", "lookahead"];
        let small = ["--game=cc", "--option=size=5", "--seed=3", "--rounds=6"];
        self.passes(&[&players[..], &small, more].concat());
    }

    /// Verifies a journal with changed entries and recomputed links; returns the exit code and the
    /// first line.
    fn forged(&self, journal: &str, change: impl FnOnce(&mut Vec<Value>)) -> (i32, String) {
        self.forge(journal, "forged.journal", change);
        self.verified("forged.journal")
    }

    fn forge(&self, journal: &str, to: &str, change: impl FnOnce(&mut Vec<Value>)) {
        let mut entries = entries(&std::fs::read_to_string(self.path(journal)).unwrap());
        change(&mut entries);
        write(self.0.path(), to, sealed(&entries));
    }

    /// Verifies a changed JSON document.
    fn changed(&self, document: &str, change: impl FnOnce(&mut Value)) -> (i32, String) {
        let text = std::fs::read_to_string(self.path(document)).unwrap();
        let mut value: Value = serde_json::from_str(&text).unwrap();
        change(&mut value);
        write(self.0.path(), "changed.json", format!("{value:#}\n"));
        self.verified("changed.json")
    }

    fn verified(&self, file: &str) -> (i32, String) {
        let ran = self.run(&["verify", file]);
        let told = if ran.stdout.is_empty() { ran.stderr } else { ran.stdout };
        (ran.code, told.lines().next().unwrap_or_default().to_owned())
    }
}

/// The entries of a journal, line by line.
fn entries(journal: &str) -> Vec<Value> {
    let entry = |line: &str| {
        let line = line.strip_prefix("{\"entry\":").unwrap();
        serde_json::from_str(line.rsplit_once(",\"link\":").unwrap().0).unwrap()
    };
    journal.lines().map(entry).collect()
}

/// A journal with these entries, as a forger would write it.
fn sealed(entries: &[Value]) -> String {
    let mut link = digest(b"judge journal");
    let line = |entry: &Value| {
        let entry = entry.to_string();
        link = link.chain(entry.as_bytes());
        format!("{{\"entry\":{entry},\"link\":\"{link}\"}}\n")
    };
    entries.iter().map(line).collect()
}

/// The note at the end of a run.
fn note(entries: &mut [Value]) -> &mut Value {
    let noted = entries.iter_mut().find(|entry| entry["fact"]["name"] == "played");
    &mut noted.unwrap()["fact"]["value"]
}

/// Removes the first `rounds` rounds of the pair with that seed.
fn remove(entries: &mut Vec<Value>, seed: u64, rounds: usize) {
    let mut left = rounds;
    entries.retain(|entry| {
        let is_one = left > 0 && entry["round"]["spec"]["seed"] == seed;
        left -= usize::from(is_one);
        !is_one
    });
    assert_eq!(left, 0, "the pair was there");
}

#[test]
fn a_resealed_journal_without_changes_verifies() {
    let folder = Folder::with_match();
    let (code, line) = folder.forged("m.journal", |_| {});
    assert_eq!(code, 0, "{line}");
}

#[test]
fn a_forged_score_in_a_valid_chain_is_found() {
    let folder = Folder::with_match();
    let forge = |all: &mut Vec<Value>| {
        let round = all.iter_mut().find(|entry| entry["round"]["spec"]["seed"] == 10).unwrap();
        round["round"]["outline"]["outcome"]["scores"][0] = 99.into();
    };
    let (code, line) = folder.forged("m.journal", forge);
    assert_eq!(code, 1, "{line}");
    assert!(line.starts_with("DOES NOT HOLD"), "{line}");
    assert!(line.contains("`outcome.scores[0]` does not follow from its moves"), "{line}");
}

#[test]
fn a_journal_with_missing_pairs_is_not_verified() {
    let folder = Folder::with_match();
    let last = folder.forged("m.journal", |all| (10..13).for_each(|seed| remove(all, seed, 2)));
    assert_eq!(last.0, 5, "{}", last.1);
    assert!(last.1.starts_with("NOT CHECKED: 3 of 10 pairs are not in the file"), "{}", last.1);
    let middle = folder.forged("m.journal", |all| remove(all, 7, 2));
    assert!(middle.1.starts_with("NOT CHECKED: 1 of 10 pairs is not in the file"), "{}", middle.1);
    let json = folder.run(&["verify", "forged.journal", "--json", "-"]).json();
    let missing = json["missing"][0].as_str().unwrap();
    assert!(missing.contains("; missing: pair 5 of meeting 1; a pair"), "{missing}");
    let half = folder.forged("m.journal", |all| remove(all, 7, 1));
    assert_eq!(half.0, 5, "{}", half.1);
    assert!(half.1.contains("1 of 10 pairs is in the file with one round only"), "{}", half.1);
    let found = folder.run(&["verify", "forged.journal", "--json", "-"]).json();
    assert_eq!((&found["result"], &found["holds"]), (&json!("not-checked"), &Value::Null));
    let missing = found["missing"][0].as_str().unwrap();
    assert!(missing.contains("; incomplete: pair 5 of meeting 1; a pair"), "{missing}");
    assert!(found["unchecked"].as_array().unwrap().contains(&json!(missing)));
}

#[test]
fn a_journal_without_its_end_is_not_verified() {
    let folder = Folder::with_match();
    let (code, line) = folder.forged("m.journal", |all| drop(all.pop()));
    assert_eq!(code, 5, "{line}");
    assert!(line.starts_with("NOT CHECKED: the end of the run is not in the file"), "{line}");
}

#[test]
fn a_match_with_forged_meetings_is_found() {
    let folder = Folder::with_match();
    let cases: [(&str, Value); 5] = [
        ("none", json!([])),
        ("no pairs", json!([{"cycle": 0, "players": [0, 1], "first": 0, "pairs": 0}])),
        ("later", json!([{"cycle": 0, "players": [0, 1], "first": 4, "pairs": 6}])),
        ("turned", json!([{"cycle": 0, "players": [1, 0], "first": 0, "pairs": 10}])),
        ("cycle", json!([{"cycle": 1, "players": [0, 1], "first": 0, "pairs": 10}])),
    ];
    for (name, meetings) in cases {
        let (code, line) = folder.forged("m.journal", |all| note(all)["meetings"] = meetings);
        assert_eq!(code, 1, "{name}: {line}");
        assert!(line.starts_with("DOES NOT HOLD: meetings[0]"), "{name}: {line}");
        let reported = folder.run(&["report", "forged.journal"]);
        assert_eq!((reported.code, reported.stdout.as_str()), (3, ""), "{name}");
        assert!(reported.stderr.contains("was changed after it"), "{}", reported.stderr);
    }
}

#[test]
fn rounds_with_another_game_board_or_limit_are_found() {
    let folder = Folder::with_match();
    let cases = [
        ("/options/size", json!("6")),
        ("/limits/fuel", json!(1_000)),
        ("/game", json!("amazons")),
    ];
    for (place, value) in cases {
        let (code, line) = folder.forged("m.journal", |all| {
            *all[0]["journal"]["plan"].pointer_mut(place).unwrap() = value;
        });
        assert_eq!(code, 1, "{place}: {line}");
        assert!(line.contains("line 2: its game, options or limits"), "{place}: {line}");
        assert_eq!(folder.run(&["report", "forged.journal"]).code, 3);
    }
}

#[test]
fn rounds_after_the_end_of_a_run_are_reported() {
    let folder = Folder::with_match();
    let (code, line) =
        folder.forged("m.journal", |all| note(all)["meetings"][0]["pairs"] = 7.into());
    assert_eq!(code, 0, "seven pairs are what a match of fourteen rounds comes to: {line}");
    assert!(line.ends_with("rounds in it that do not count"), "{line}");
}

#[test]
fn a_tournament_with_a_missing_meeting_or_pair_is_found() {
    let folder = Folder::empty();
    folder.play_tournament(&["--journal=t.journal"]);
    assert_eq!(folder.verified("t.journal").0, 0);
    for number in 0..3 {
        let (code, line) = folder.forged("t.journal", |all| {
            note(all)["meetings"].as_array_mut().unwrap().remove(number);
        });
        assert_eq!(code, 1, "{line}");
        assert!(line.contains(&format!("meetings[{number}]: not the meeting")), "{line}");
    }
    let (code, line) =
        folder.forged("t.journal", |all| note(all)["meetings"][1]["pairs"] = 2.into());
    assert_eq!(code, 1, "{line}");
    assert!(line.contains("meetings[1].pairs: it ends before its last pair"), "{line}");
    let more = folder.forged("t.journal", |all| note(all)["meetings"][1]["pairs"] = 4.into());
    assert!(more.1.starts_with("NOT CHECKED: 1 of 10 pairs is not in the file"), "{}", more.1);
}

#[test]
fn tables_with_missing_pairs_start_with_a_warning() {
    let folder = Folder::empty();
    folder.play_tournament(&["--journal=t.journal"]);
    let seed = |all: &[Value]| {
        let seed = all.iter().find_map(|entry| entry["round"]["spec"]["seed"].as_u64());
        seed.expect("a round")
    };
    folder.forge("t.journal", "forged.journal", |all| remove(all, seed(all), 1));
    for (command, code) in [("report", 4), ("scoreboard", 0)] {
        let ran = folder.run(&[command, "forged.journal"]);
        assert_eq!(ran.code, code, "{}", ran.stderr);
        assert!(ran.stdout.starts_with("INCOMPLETE: 1 pair is left out, "), "{}", ran.stdout);
    }
}

#[test]
fn the_json_of_a_tournament_with_a_missing_meeting_is_found() {
    let folder = Folder::empty();
    folder.play_tournament(&["--format=gauntlet", "--json=t.json"]);
    assert_eq!(folder.verified("t.json").0, 0);
    // A gauntlet has the same figures as a round robin that lacks a meeting.
    let (code, line) = folder.changed("t.json", |json| json["format"] = "round-robin".into());
    assert_eq!(code, 1, "{line}");
    assert!(line.contains("meetings[2]: not the meeting of the schedule"), "{line}");
    let reported = folder.run(&["report", "changed.json"]);
    assert_eq!((reported.code, reported.stdout.as_str()), (3, ""));
}

#[test]
fn a_part_of_a_tournament_has_its_own_meetings() {
    let folder = Folder::empty();
    folder.play_tournament(&["--shard=1/2", "--journal=part.journal"]);
    assert_eq!(folder.verified("part.journal").0, 0);
    let other =
        folder.forged("part.journal", |all| all[0]["journal"]["plan"]["shard"] = "2/2".into());
    assert_eq!(other.0, 1, "{}", other.1);
    assert!(folder.passes(&["verify", "part.journal"]).stdout.contains("part 1/2 of a tournament"));
    let none = folder.forged("part.journal", |all| {
        all[0]["journal"]["plan"]["shard"] = "4/4".into();
        note(all)["meetings"] = json!([]);
    });
    assert_eq!(none.0, 1, "{}", none.1);
    let whole = folder.forged("part.journal", |all| {
        all[0]["journal"]["plan"].as_object_mut().unwrap().remove("shard");
    });
    assert!(whole.1.contains("meetings[1]: not the meeting"), "{}", whole.1);
}

#[test]
fn verify_repeats_the_pairing_of_a_swiss_tournament() {
    let folder = Folder::empty();
    folder.play_tournament(&[
        "--format=swiss",
        "--cycles=2",
        "--journal=t.journal",
        "--json=t.json",
    ]);
    assert_eq!(folder.verified("t.journal").0, 0);
    assert_eq!(folder.verified("t.json").0, 0);
    let byes = |byes: Value| folder.forged("t.journal", |all| note(all)["asked"]["byes"] = byes);
    let told = byes(json!([2, 2]));
    assert_eq!(told.0, 1, "{}", told.1);
    assert!(told.1.contains("byes"), "{}", told.1);
    let (code, line) = folder.forged("t.journal", |all| {
        note(all)["meetings"].as_array_mut().unwrap().remove(0);
    });
    assert_eq!(code, 1, "{line}");
    let changed = folder.changed("t.json", |json| json["byes"] = json!([0, 1]));
    assert_eq!(changed.0, 1, "{}", changed.1);
}

#[test]
fn only_a_decided_test_is_complete() {
    let folder = Folder::empty();
    let test = ["--seed=3", "--sprt=elo0=0,elo1=100", "--journal=m.journal", "--json=m.json"];
    let weak = [&MATCH[..], &test].concat();
    let ran = folder.run(&weak);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(folder.verified("m.journal").0, 0);
    assert_eq!(folder.verified("m.json").0, 0);
    for file in ["m.journal", "m.json"] {
        let report = folder.run(&["report", file]);
        assert_eq!((report.code, &report.stdout), (1, &ran.stdout), "as the match itself ended");
    }
    let pairs = |entries: &mut [Value]| note(entries)["meetings"][0]["pairs"].as_u64().unwrap();
    // Rounds in progress when the match was decided, or those of a longer match.
    folder.passes(&[&MATCH[..], &["--seed=3", "--rounds=100", "--journal=long.journal"]].concat());
    let long = std::fs::read_to_string(folder.path("long.journal")).unwrap();
    let (code, line) = folder.forged("m.journal", |all| {
        let end = pairs(all);
        assert!(end < 50, "{end}");
        note(all)["meetings"][0]["pairs"] = (end + 1).into();
        let known = all.clone();
        let more = entries(&long)
            .into_iter()
            .filter(|entry| entry["round"]["spec"]["seed"] == 3 + end && !known.contains(entry));
        all.extend(more);
    });
    assert_eq!(code, 1, "{line}");
    assert!(line.contains("meetings[0].pairs: it continues after its end"), "{line}");
}

#[test]
fn the_json_of_a_journal_with_missing_rounds_is_checked_in_part() {
    let folder = Folder::with_match();
    folder.forge("m.journal", "forged.journal", |all| {
        remove(all, 5, 1);
        remove(all, 9, 2);
    });
    let ran = folder.run(&["report", "forged.journal", "--to", "json=left.json"]);
    assert_eq!(ran.code, 4, "as `judge match` ends where pairs are left out: {}", ran.stderr);
    let (code, line) = folder.verified("left.json");
    assert_eq!(code, 5, "{line}");
    let told = "NOT CHECKED: 1 of 10 pairs is not in the file, and 1 with one round only";
    assert!(line.starts_with(told), "{line}");
    assert_eq!(folder.run(&["report", "left.json"]).code, 4);
}

#[test]
fn verify_replays_and_reports_a_round_with_a_judge_error() {
    let folder = Folder::with_match();
    folder.forge("m.journal", "forged.journal", |all| remove(all, 5, 1));
    folder.run(&["report", "forged.journal", "--to", "json=left.json"]);
    let whole: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path("m.json")).unwrap()).unwrap();
    let (code, line) = folder.changed("left.json", |json| {
        let rows = json["rows"].as_array_mut().unwrap();
        let known: Vec<Value> = rows.iter().map(|row| row["round"].clone()).collect();
        let all = whole["rows"].as_array().unwrap();
        let at = all.iter().position(|row| !known.contains(&row["round"])).unwrap();
        let mut failed = all[at].clone();
        failed["fault"] = "judge-error".into();
        failed["blame"] = "judge".into();
        failed["detail"] = "the worker could not be started".into();
        failed["counts"] = false.into();
        rows.insert(at, failed);
    });
    assert_eq!(code, 5, "{line}");
    let told = folder.run(&["verify", "changed.json"]).stdout;
    let line = told.lines().find(|line| line.contains("that the judge failed in this round"));
    assert!(line.is_some_and(|line| line.contains("played again: seat ")), "{told}");
}

#[test]
fn impossible_numbers_are_refused_before_replaying() {
    let folder = Folder::with_match();
    let begin = Instant::now();
    let pairs = |pairs: u64| {
        folder.forged("m.journal", |all| note(all)["meetings"][0]["pairs"] = pairs.into())
    };
    let told = pairs(50_000_000);
    assert_eq!(told.0, 3, "{}", told.1);
    assert!(told.1.contains("it names 50000000 pairs, but has 20 rounds"), "{}", told.1);
    assert_eq!(pairs(u64::MAX).0, 3);
    for key in ["first", "cycle"] {
        let told =
            folder.forged("m.journal", |all| note(all)["meetings"][0][key] = u64::MAX.into());
        assert_eq!(told.0, 3, "{key}: {}", told.1);
    }
    for left_out in [49_999_990, u64::MAX] {
        let told = folder.changed("m.json", |json| json["left_out"] = left_out.into());
        assert_eq!(told.0, 3, "{}", told.1);
        assert_eq!(folder.run(&["report", "changed.json"]).code, 3);
    }
    let many = folder.forged("m.journal", |all| {
        let players = all[0]["journal"]["plan"]["players"].as_array_mut().unwrap();
        players.extend((0..50_000).map(|number| json!({"reference": number.to_string()})));
        all[0]["journal"]["plan"]["command"] = "tournament".into();
    });
    assert_eq!(many.0, 3, "{}", many.1);
    assert!(many.1.contains("50002 players are too many"), "{}", many.1);
    for key in ["round", "meeting", "pair"] {
        let told = folder.changed("m.json", |json| json["rows"][3][key] = u64::MAX.into());
        assert!(matches!(told.0, 1 | 3), "{key}: {}", told.1);
    }
    // The seed before the first wraps around to the last possible pair.
    let (code, line) = folder.forged("m.journal", |all| {
        all.pop();
        all[0]["journal"]["plan"]["seed"] = 4.into();
    });
    assert_eq!(code, 5, "{line}");
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}

/// `judge verify` passes the unchanged run: nothing is missing.
fn assert_own(folder: &Folder, file: &str, pairs: u64) {
    let ran = folder.passes(&["verify", file]);
    assert!(ran.stdout.starts_with("holds: all of the "), "{file}: {}", ran.stdout);
    let told = format!("checked: all rounds of its {pairs} pairs are there");
    assert!(ran.stdout.contains(&told), "{file}: {}", ran.stdout);
}

#[test]
fn every_result_written_by_the_judge_verifies() {
    let folder = Folder::with_match();
    folder.passes(&["report", "m.journal", "--to", "json=again.json"]);
    for file in ["m.journal", "m.json", "again.json"] {
        assert_own(&folder, file, 10);
    }
    for (name, more) in [
        ("robin", &[][..]),
        ("gauntlet", &["--format=gauntlet"]),
        ("swiss", &["--format=swiss", "--cycles=2"]),
    ] {
        let [journal, document] = ["journal", "json"].map(|ending| format!("{name}.{ending}"));
        let kept = [&*format!("--journal={journal}"), &*format!("--json={document}")];
        folder.play_tournament(&[more, &kept].concat());
        let pairs = if name == "robin" { 9 } else { 6 };
        assert_own(&folder, &journal, pairs);
        assert_own(&folder, &document, pairs);
    }
    for part in ["1", "2"] {
        let (shard, journal) = (format!("--shard={part}/2"), format!("--journal={part}.journal"));
        folder.play_tournament(&[&shard, &journal]);
        assert_own(&folder, &format!("{part}.journal"), if part == "1" { 6 } else { 3 });
    }
    folder.passes(&["merge", "1.journal", "2.journal", "--out=merged.journal"]);
    assert_own(&folder, "merged.journal", 9);
}
