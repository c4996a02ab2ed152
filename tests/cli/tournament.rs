//! `judge tournament`: many players, each two of them in pairs of rounds.

use std::ffi::OsString;

use serde_json::Value;

use crate::support::{Ran, SILENT_BOT, run, sample, write};

/// Two bots and two reference opponents.
const PLAYERS: [&str; 4] =
    ["random", "mahjong-distance.wasm", "mahjong-hunter.wasm", "straightforward"];

fn play(players: &[&str], more: &[&str]) -> Ran {
    let mut arguments: Vec<OsString> = vec!["tournament".into(), "--game=mahjong".into()];
    arguments.extend(more.iter().map(OsString::from));
    arguments.extend(players.iter().map(|name| match name.strip_suffix(".wasm") {
        Some(bot) if !bot.contains('/') => sample(bot).into(),
        _ => name.into(),
    }));
    run(arguments)
}

/// The result without its times.
fn result(ran: &Ran) -> Value {
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let mut json = ran.json();
    assert!(json.as_object_mut().unwrap().remove("timing").is_some());
    json
}

#[test]
fn the_tables_show_who_is_best() {
    let folder = tempfile::tempdir().unwrap();
    let [csv, markdown] = ["standing.csv", "tables.md"].map(|name| folder.path().join(name));
    let [csv_name, markdown_name] = [&csv, &markdown].map(|path| path.to_str().unwrap());
    let ran = play(&PLAYERS, &["--rounds", "40", "--csv", csv_name, "--markdown", markdown_name]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(std::fs::read_to_string(markdown).unwrap(), ran.stdout);
    let csv = std::fs::read_to_string(csv).unwrap();
    insta::assert_snapshot!(format!("{}\n{csv}", ran.stdout));
}

#[test]
fn an_interrupted_tournament_ends_with_the_same_tables() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("tournament.journal");
    let more = ["--rounds", "20", "--json", "-"];
    let players = &PLAYERS[..3];
    let undisturbed = result(&play(players, &[&more[..], &["--jobs", "1"]].concat()));
    let kept = ["--journal", journal.to_str().unwrap(), "--resume", "--jobs", "3"];
    let go_on = |players: &[&str]| play(players, &[&more[..], &kept].concat());
    assert_eq!(result(&go_on(players)), undisturbed);
    for part in [2, 5] {
        // Cut as a kill leaves it: anywhere, also in the middle of a line.
        let text = std::fs::read(&journal).unwrap();
        std::fs::write(&journal, &text[..text.len() / part]).unwrap();
        assert_eq!(result(&go_on(players)), undisturbed);
    }
    let lines = std::fs::read_to_string(&journal).unwrap().lines().count();
    assert_eq!(lines, 1 + 3 * 20, "nothing is played twice");

    let refused = go_on(&["random", "mahjong-distance.wasm", "mahjong-straightforward.wasm"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("of another run: `players[2].bot`"), "{}", refused.stderr);
}

#[test]
fn one_bot_that_always_fails_spoils_nothing_for_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let bot = write(folder.path(), "silent.wasm", wat::parse_str(SILENT_BOT).unwrap());
    let players = ["straightforward", bot.to_str().unwrap(), "distance"];
    let json = result(&play(&players, &["--rounds", "40", "--json", "-"]));
    let meetings = json["meetings"].as_array().unwrap();
    let pairs: Vec<u64> = meetings.iter().map(|one| one["pairs"].as_u64().unwrap()).collect();
    assert_eq!(pairs, [8, 20, 8], "only its meetings end early");
    let faults: Vec<u64> = json["standing"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["faults"].as_u64().unwrap())
        .collect();
    assert_eq!(faults, [0, 0, 32], "{json:#}");
}

#[test]
fn in_a_gauntlet_the_first_meets_all() {
    let json = result(&play(&PLAYERS, &["--format", "gauntlet", "--rounds", "10", "--json", "-"]));
    let meetings = json["meetings"].as_array().unwrap();
    let players: Vec<&Value> = meetings.iter().map(|meeting| &meeting["players"]).collect();
    assert_eq!(players, [&serde_json::json!([0, 1]), &[0, 2].into(), &[0, 3].into()]);
}

#[test]
fn mistakes_are_named() {
    let error = |players: &[&str], more: &[&str]| {
        let ran = play(players, more);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
        ran.stderr
    };
    assert!(error(&["random", "distance", "random"], &[]).contains("are the same player"));
    assert!(error(&["random"], &[]).contains("2 values required"), "one player is no tournament");
    assert!(error(&["random", "dragon"], &[]).contains("neither a file nor an opponent"));
    assert!(error(&["random", "human"], &[]).contains("people take no part"));
    assert!(error(&["random", "distance"], &["--rounds", "3"]).contains("`--rounds 4`"));
}
