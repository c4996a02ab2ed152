//! Tests that every format reads its own output.

use std::collections::BTreeMap;

use bytes::Bytes;
use judge_core::{Ply, RecordedFault, RecordedGame, RoundResult, Seat, Seed, Verdict};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::Field;

use super::*;

fn ply(seat: Seat, state: &str, answer: &str, fuel: Option<u64>) -> Ply {
    Ply {
        seat,
        question: "move".to_owned(),
        state: state.to_owned(),
        legal: 579,
        scores: [-162, 5],
        answer: answer.to_owned(),
        fuel,
    }
}

/// Returns a complete game, and one in which the second player failed.
fn games() -> [RecordedGame; 2] {
    let players = ["gréedy".to_owned(), "bot".to_owned()];
    let outcome = |scores, winner, reason: &str| RoundResult {
        scores,
        winner: Some(winner),
        reason: reason.to_owned(),
    };
    let played = RecordedGame {
        game: 7,
        seed: Seed(u64::MAX),
        players: players.clone(),
        outcome: outcome([-3, 14], Seat::Two, "higher score"),
        fault: None,
        plies: vec![
            ply(Seat::One, "ABC -", "BDCA", None),
            ply(Seat::Two, "ABC BDCA", ".", Some(u64::MAX >> 1)),
        ],
    };
    let failed = RecordedGame {
        game: 8,
        seed: Seed(0),
        players,
        outcome: outcome([1, 0], Seat::One, "forfeit"),
        fault: Some(RecordedFault {
            seat: Seat::Two,
            verdict: Verdict::IllegalMove,
            detail: "a, \"b\"".to_owned(),
            answer: Some("BDCA".to_owned()),
        }),
        plies: Vec::new(),
    };
    [played, failed]
}

/// Reads the rows of a Parquet file, with each value as the crate formats it.
fn rows(file: Vec<u8>) -> Vec<BTreeMap<String, String>> {
    let reader = SerializedFileReader::new(Bytes::from(file)).expect("a file");
    let rows = reader.get_row_iter(None).expect("rows").map(|row| {
        let columns = row.expect("a row").into_columns().into_iter();
        columns.map(|(name, value): (String, Field)| (name, value.to_string())).collect()
    });
    rows.collect()
}

fn text(values: &BTreeMap<String, String>) -> String {
    values.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn names_and_formats_convert_both_ways() {
    for format in RecordingFormat::ALL {
        assert_eq!(format.name().parse(), Ok(format));
    }
    let error = "xml".parse::<RecordingFormat>().expect_err("no such format");
    assert_eq!(error.to_string(), "unknown format `xml`; there are jsonl, parquet, csv");
}

#[test]
fn games_written_as_lines_read_back() {
    let lines = RecordingTable::Jsonl.render(&games(), &[]).expect("memory");
    let lines = String::from_utf8(lines).expect("text");
    let read: Vec<RecordedGame> =
        lines.lines().map(|line| serde_json::from_str(line).expect("a game")).collect();
    assert_eq!(read, games());
}

#[test]
fn games_are_written_as_a_table() {
    let rows = rows(RecordingTable::Games.render(&games(), &[]).expect("memory"));
    insta::assert_snapshot!(rows.iter().map(text).collect::<Vec<_>>().join("\n"), @r#"
    fault=null fault_answer=null fault_detail=null fault_seat=null game=7 player_1="gréedy" player_2="bot" plies=2 reason="higher score" score_1=-3 score_2=14 seed=18446744073709551615 winner=2
    fault="illegal-move" fault_answer="BDCA" fault_detail="a, "b"" fault_seat=2 game=8 player_1="gréedy" player_2="bot" plies=0 reason="forfeit" score_1=1 score_2=0 seed=0 winner=1
    "#);
}

#[test]
fn questions_are_written_as_a_table() {
    let rows = rows(RecordingTable::Plies.render(&games(), &[]).expect("memory"));
    insta::assert_snapshot!(rows.iter().map(text).collect::<Vec<_>>().join("\n"), @r#"
    faulted=false fuel=null game=7 legal=579 move="BDCA" other_final=14 other_score=5 own_final=-3 own_score=-162 player="gréedy" ply=0 question="move" result=-1 seat=1 seed=18446744073709551615 state="ABC -"
    faulted=false fuel=9223372036854775807 game=7 legal=579 move="." other_final=-3 other_score=-162 own_final=14 own_score=5 player="bot" ply=1 question="move" result=1 seat=2 seed=18446744073709551615 state="ABC BDCA"
    "#);
}

#[test]
fn a_file_without_rows_still_names_its_content() {
    let file = RecordingTable::Plies.render(&[], &[("judge", "0".to_owned())]).expect("memory");
    let reader = SerializedFileReader::new(Bytes::from(file.clone())).expect("a file");
    let about = reader.metadata().file_metadata().key_value_metadata().expect("metadata");
    assert_eq!(about.iter().map(|one| one.key.as_str()).collect::<Vec<_>>(), ["judge"]);
    assert!(rows(file).is_empty());
}

#[test]
fn the_original_form_has_finished_games_only() {
    let lines = RecordingTable::Csv.render(&games(), &[]).expect("memory");
    assert_eq!(String::from_utf8(lines).expect("text"), "ABC,BDCA.,2,-3,14,17\n");
}

#[test]
fn equal_games_give_equal_bytes() {
    for table in
        [RecordingTable::Jsonl, RecordingTable::Games, RecordingTable::Plies, RecordingTable::Csv]
    {
        let render = || table.render(&games(), &[("a", "b".to_owned())]).expect("memory");
        assert!(render() == render(), "{table:?}");
    }
}
