//! Requests and replies of a page, without a page.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use judge_browser::Desk;
use serde_json::{Value, json};

/// The content of `done`, or the refusal as text.
fn ask(desk: &mut Desk, request: &Value) -> Result<Value, String> {
    let reply: Value = serde_json::from_str(&desk.handle(&request.to_string())).unwrap();
    match reply.get("refused") {
        Some(reason) => Err(reason.as_str().unwrap().to_owned()),
        None => Ok(reply["done"].clone()),
    }
}

/// A desk with a short round that has just begun, and the round.
fn begun() -> (Desk, Value) {
    let mut desk = Desk::default();
    let options = json!({ "size": "4" });
    let start = json!({ "do": "start", "game": "amazons", "seed": "7", "seat": 2,
                        "opponent": "random", "options": options, "name": "Ada" });
    let state = ask(&mut desk, &start).unwrap();
    (desk, state)
}

/// The answer from the last of the possible parts.
fn pointed(desk: &mut Desk) -> String {
    let mut chosen: Vec<String> = Vec::new();
    loop {
        let following = ask(desk, &json!({ "do": "choices", "chosen": chosen })).unwrap();
        match following["next"].as_array().unwrap().last() {
            Some(next) => chosen.push(next["part"].as_str().unwrap().to_owned()),
            None => return following["answer"].as_str().unwrap().to_owned(),
        }
    }
}

fn answer(desk: &mut Desk, text: &str) -> Result<Value, String> {
    ask(desk, &json!({ "do": "answer", "text": text }))
}

/// Plays a round to its end by pointing.
fn played() -> (Desk, Value) {
    let (mut desk, mut state) = begun();
    while state["end"].is_null() {
        let text = pointed(&mut desk);
        state = answer(&mut desk, &text).unwrap();
    }
    (desk, state)
}

#[test]
fn every_game_is_listed_and_begins_with_the_weakest_opponent() {
    let mut desk = Desk::default();
    let games = ask(&mut desk, &json!({ "do": "games" })).unwrap();
    let games = games.as_array().unwrap();
    assert_eq!(games.len(), judge_games::all().len());
    for game in games {
        let start = json!({ "do": "start", "game": game["name"], "seed": "1", "seat": 1 });
        let state = ask(&mut desk, &start).unwrap();
        let players = json!(["human", game["opponents"][0]["name"]]);
        assert_eq!((&state["game"], &state["players"]), (&game["name"], &players));
        assert!(state["picture"].as_str().unwrap().starts_with("<svg"));
        assert!(state["question"]["count"].as_u64().unwrap() > 0);
        assert_eq!(state["question"]["choices"]["answer"], Value::Null);
    }
}

#[test]
fn a_finished_round_has_a_genuine_replay() {
    let (mut desk, state) = played();
    assert_eq!(state["question"], Value::Null);
    let replay = ask(&mut desk, &json!({ "do": "replay" })).unwrap();
    assert_eq!(replay["name"], "amazons-7.jsonl");
    assert_eq!(replay["digest"], state["end"]["digest"]);
    let text = replay["text"].as_str().unwrap();
    assert!(text.contains(r#"{"human":{"name":"Ada"}}"#), "{text}");
    let found = ask(&mut desk, &json!({ "do": "verify", "text": text })).unwrap();
    assert_eq!((&found["replay"], &found["holds"]), (&json!(true), &json!(true)), "{found}");
    let statuses = found["findings"].as_array().unwrap().iter();
    let statuses: Vec<&str> = statuses.map(|one| one["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["checked", "checked", "checked", "unchecked", "unchecked"], "{found}");
    for request in ["undo", "resign"] {
        assert_eq!(ask(&mut desk, &json!({ "do": request })).unwrap_err(), "the round is over");
    }
    assert_eq!(answer(&mut desk, "a1-a2/a1").unwrap_err(), "the round is over");
}

#[test]
fn a_refused_answer_has_a_reason_and_changes_nothing() {
    let (mut desk, state) = begun();
    for (text, reason) in [("nonsense", "nonsense"), ("a1-a2/a3", "a1"), ("é", "printable ASCII")]
    {
        let refusal = answer(&mut desk, text).unwrap_err();
        assert!(refusal.contains(reason), "{refusal}");
    }
    let text = pointed(&mut desk);
    let after = answer(&mut desk, &text).unwrap();
    assert_eq!(after["answered"], 1);
    let own = after["log"].as_array().unwrap().iter().filter(|entry| entry["own"] == true);
    assert_eq!(own.map(|entry| &entry["text"]).collect::<Vec<_>>(), [&json!(text)]);
    assert_ne!(after["picture"], state["picture"]);
}

#[test]
fn an_answer_that_is_taken_back_leaves_no_trace() {
    let (mut desk, begin) = begun();
    let nothing = ask(&mut desk, &json!({ "do": "undo" })).unwrap_err();
    assert_eq!(nothing, "no answer to take back");
    let text = pointed(&mut desk);
    let first = answer(&mut desk, &text).unwrap();
    assert_eq!(ask(&mut desk, &json!({ "do": "undo" })).unwrap(), begin);
    assert_eq!(answer(&mut desk, &text).unwrap(), first);
}

#[test]
fn an_answer_that_was_taken_back_is_given_again() {
    let (mut desk, _) = begun();
    let redo = json!({ "do": "redo" });
    let nothing = ask(&mut desk, &redo).unwrap_err();
    assert_eq!(nothing, "nothing was taken back");
    let mut states = vec![ask(&mut desk, &json!({ "do": "state" })).unwrap()];
    for _ in 0..2 {
        let text = pointed(&mut desk);
        states.push(answer(&mut desk, &text).unwrap());
    }
    for _ in 0..2 {
        ask(&mut desk, &json!({ "do": "undo" })).unwrap();
    }
    let back = ask(&mut desk, &redo).unwrap();
    assert_eq!(back, states[1]);
    assert_eq!(ask(&mut desk, &redo).unwrap(), states[2]);
    ask(&mut desk, &json!({ "do": "undo" })).unwrap();
    let text = pointed(&mut desk);
    answer(&mut desk, &text).unwrap();
    assert!(ask(&mut desk, &redo).is_err(), "another answer leads elsewhere");
}

/// Each person is asked in turn, and both finish a valid record.
#[test]
fn two_people_can_play_every_game_on_one_page() {
    for game in judge_games::all() {
        let mut desk = Desk::default();
        let start = json!({ "do": "start", "game": game.name(), "seed": "3", "seat": 2,
                            "opponent": "human", "name": "Ada",
                            "options": if game.name() == "cc" { json!({ "max_plies": "30" }) }
                                       else { json!({}) } });
        let mut state = ask(&mut desk, &start).unwrap();
        assert_eq!(state["players"], json!(["human 1", "Ada"]));
        let mut asked = std::collections::BTreeSet::new();
        while state["end"].is_null() {
            assert_eq!(state["between_people"], true);
            let hides = ["mahjong", "agamemnon"].contains(&game.name());
            assert_eq!(state["hides"], hides, "{}", game.name());
            asked.insert(state["seat"].as_u64());
            let legal = state["question"]["legal"].as_array().unwrap();
            let text = legal.last().unwrap().as_str().unwrap().to_owned();
            state = answer(&mut desk, &text).unwrap();
        }
        assert_eq!(asked.len(), 2, "{}: both are asked", game.name());
        let replay = ask(&mut desk, &json!({ "do": "replay" })).unwrap();
        let text = replay["text"].as_str().unwrap();
        let found = ask(&mut desk, &json!({ "do": "verify", "text": text })).unwrap();
        assert_eq!(found["holds"], true, "{found}");
    }
}

/// Each of two people sees one hand, never the other.
#[test]
fn each_of_two_people_is_shown_one_hand() {
    let mut desk = Desk::default();
    let start = json!({ "do": "start", "game": "mahjong", "seed": "3", "seat": 1,
                        "opponent": "human" });
    let first = ask(&mut desk, &start).unwrap();
    let text = first["question"]["legal"][0].as_str().unwrap().to_owned();
    let second = answer(&mut desk, &text).unwrap();
    assert_eq!((&first["seat"], &second["seat"]), (&json!(1), &json!(2)));
    let legal = |state: &Value| -> Vec<String> {
        serde_json::from_value(state["question"]["legal"].clone()).unwrap()
    };
    let log = second["log"].to_string();
    let hidden = legal(&first).into_iter().filter(|tile| *tile != text);
    let hidden: Vec<String> = hidden.filter(|tile| !legal(&second).contains(tile)).collect();
    assert!(hidden.len() > 3, "{hidden:?}");
    for tile in hidden {
        assert!(!log.contains(&tile), "{tile}: {log}");
    }
    let state = ask(&mut desk, &json!({ "do": "resign" })).unwrap();
    assert_eq!((&state["end"]["winner"], &state["end"]["result"]), (&json!(1), &json!("loss")));
}

#[test]
fn a_path_is_shown_with_the_captured_man() {
    let mut desk = Desk::default();
    let remarks = (1..200).find_map(|seed| {
        let start = json!({ "do": "start", "game": "cc", "seed": seed.to_string(), "seat": 1 });
        let state = ask(&mut desk, &start).unwrap();
        state["question"]["remarks"].as_object().cloned()
    });
    let remarks = remarks.unwrap();
    assert!(remarks.values().all(|remark| remark.as_str().unwrap().starts_with("takes ")));
}

#[test]
fn a_round_that_was_given_up_has_a_genuine_record() {
    let (mut desk, _) = begun();
    let unfinished = ask(&mut desk, &json!({ "do": "replay" })).unwrap_err();
    assert!(unfinished.starts_with("the round is not over"), "{unfinished}");
    let state = ask(&mut desk, &json!({ "do": "resign" })).unwrap();
    assert_eq!((&state["end"]["result"], &state["question"]), (&json!("loss"), &Value::Null));
    assert_eq!(state["scores"], json!([1, 0]));
    let replay = ask(&mut desk, &json!({ "do": "replay" })).unwrap();
    let found = ask(&mut desk, &json!({ "do": "verify", "text": replay["text"] })).unwrap();
    assert_eq!(found["holds"], true, "{found}");
}

#[test]
fn a_refused_start_has_a_reason_and_keeps_the_round() {
    let (mut desk, _) = begun();
    let changed = |key: &str, value: Value| {
        let mut start = json!({ "do": "start", "game": "cc", "seed": "7", "seat": 1 });
        start[key] = value;
        start
    };
    for (request, reason) in [
        (changed("game", json!("chess")), "unknown game `chess`"),
        (changed("opponent", json!("dragon")), "unknown opponent `dragon`"),
        (changed("options", json!({ "size": "99" })), "option `size` is `99`"),
        (changed("seed", json!("-1")), "the seed is `-1`"),
        (changed("seat", json!(3)), "not a request"),
        (json!({ "do": "dance" }), "not a request"),
    ] {
        let refusal = ask(&mut desk, &request).unwrap_err();
        assert!(refusal.contains(reason), "{refusal}");
    }
    assert!(desk.handle("{").contains("not a request"));
    assert!(ask(&mut desk, &json!({ "do": "resign" })).is_ok(), "the round is still there");
    let nothing = ask(&mut Desk::default(), &json!({ "do": "undo" })).unwrap_err();
    assert_eq!(nothing, "no round has begun");
}

#[test]
fn forged_replays_and_other_files_get_different_messages() {
    let (mut desk, _) = played();
    let replay = ask(&mut desk, &json!({ "do": "replay" })).unwrap();
    let text = replay["text"].as_str().unwrap();
    let mut verdict = |text: &str| {
        let found = ask(&mut desk, &json!({ "do": "verify", "text": text })).unwrap();
        let last = found["findings"].as_array().unwrap().last().unwrap()["text"].clone();
        let sides = [&found["replay"], &found["holds"]].map(|side| side.as_bool().unwrap());
        (sides, last.as_str().unwrap().to_owned())
    };
    for (from, to, says) in [
        (r#""seed":7"#, r#""seed":8"#, "line 1"),
        (r#""name":"Ada""#, r#""name":"Eve""#, "names of the players"),
        (r#""reason":"no move""#, r#""reason":"magic""#, "not what the rules give"),
        (r#"{"seat":1"#, r#"{ "seat":1"#, "changed after it was written"),
    ] {
        let (found, what) = verdict(&text.replacen(from, to, 1));
        assert_eq!(found, [true, false], "{what}");
        assert!(what.contains(says), "{from}: {what}");
    }
    for foreign in ["", "hello", "{}", "{\"a\":1}\n{}\n{}\n"] {
        let (found, what) = verdict(foreign);
        assert_eq!(found, [false, false], "{what}");
        assert!(what.starts_with("not a replay"), "{what}");
    }
}

/// During a mahjong round, the page shows only the person's own information.
#[test]
fn the_page_receives_only_what_the_person_may_see() {
    let mut desk = Desk::default();
    let start = json!({ "do": "start", "game": "mahjong", "seed": "3", "seat": 2 });
    let state = ask(&mut desk, &start).unwrap();
    assert_eq!(state["end"], Value::Null);
    assert!(state["picture"].as_str().unwrap().contains("hidden"), "the other hand lies open");
    let log = state["log"].to_string();
    assert!(!log.contains("discard") && !log.contains("\"own\":true"), "{log}");
    assert_eq!(log.matches("you drew").count(), 2, "{log}");
    assert!(log.contains("random played"), "{log}");
}
