//! Requests of a page that compares two versions, with rounds that the test makes up.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use judge_browser::grade::GradeDesk;
use serde_json::{Value, json};

/// A bot in text; `answer` makes its module differ from others.
fn bot(answer: i32) -> String {
    format!(
        r#"(module (memory (export "memory") 1)
        (func (export "judge_buffer") (result i32) i32.const 0)
        (func (export "judge_line") (param i32) (result i32) i32.const {answer}))"#
    )
}

fn ask(desk: &mut GradeDesk, request: &Value) -> Result<Value, String> {
    let reply = desk.handle(&request.to_string(), &mut Vec::new());
    let reply: Value = serde_json::from_str(&reply).unwrap();
    match reply.get("refused") {
        Some(reason) => Err(reason.as_str().unwrap().to_owned()),
        None => Ok(reply["done"].clone()),
    }
}

/// A testcase of `cc` with this threshold in a seat.
fn testcase(seat: u8, least: i64) -> String {
    format!(
        "title = \"Seat {seat}\"\ngame = \"cc\"\nopponent = \"random\"\nseat = {seat}\n\
         seeds = [1, 2]\nmin_score = {least}\npoints = 10\n"
    )
}

/// A desk with two versions, and with a suite in which the last two testcases differ only in the
/// threshold.
fn desk() -> GradeDesk {
    let mut desk = GradeDesk::default();
    let files = json!([
        ["suite.toml", "title = \"Short\"\n"],
        ["01-one.toml", testcase(1, 10)],
        ["02-two.toml", testcase(2, 10)],
        ["03-two.toml", testcase(2, 20)],
    ]);
    let suite = ask(&mut desk, &json!({ "do": "suite", "name": "short", "files": files })).unwrap();
    assert_eq!(suite["opponents"][0], "random", "{suite}");
    for (answer, file) in [(1, "old.wat"), (2, "new.wat")] {
        let build = json!({ "do": "build", "file": file, "text": bot(answer) });
        ask(&mut desk, &build).unwrap();
        if answer == 1 {
            ask(&mut desk, &json!({ "do": "earlier" })).unwrap();
        }
    }
    desk
}

fn begin(desk: &mut GradeDesk, rounds: u64) -> Value {
    ask(desk, &json!({ "do": "compare", "rounds": rounds })).unwrap()
}

/// An outline with this score in `seat`.
fn outline(seat: usize, score: i64, course: u64, fault: Option<Value>) -> String {
    let mut scores = [0, 0];
    scores[seat] = score;
    let (mut fuel, digest) = ([None, None], "0".repeat(64));
    fuel[seat] = Some(1000);
    let mut outline = json!({
        "outcome": { "scores": scores, "winner": null, "reason": "made up" },
        "plies": 1, "lines": [1, 1], "fuel": fuel, "max_call_fuel": fuel,
        "memory": [null, null], "bytes": 1, "course": course, "digest": digest,
    });
    if let Some(fault) = fault {
        outline["fault"] = fault;
    }
    outline.to_string()
}

/// Plays up to the look: `score` gives the result of a round by seed, seat and version, counted
/// from 0; none is a judge error.
fn play(desk: &mut GradeDesk, score: impl Fn(u64, usize, usize) -> Option<i64>) {
    loop {
        let next = ask(desk, &json!({ "do": "next-compared" })).unwrap();
        let Some(job) = next["job"].as_u64() else { return };
        let spec: Value = serde_json::from_str(next["spec"].as_str().unwrap()).unwrap();
        let seed = spec["seed"].as_u64().unwrap();
        let seat = usize::from(spec["seats"][1].get("bot").is_some());
        let version = usize::try_from(next["version"].as_u64().unwrap()).unwrap();
        let name = ["old", "new"][version];
        assert_eq!(spec["seats"][seat]["bot"]["name"], name, "{spec}");
        let found = score(seed - 1_000_000_000, seat, version);
        let fails =
            json!({ "seat": null, "verdict": "judge-error", "detail": "made up", "call": null });
        let fault = found.is_none().then_some(fails);
        let outline = outline(seat, found.unwrap_or(0), job, fault);
        ask(desk, &json!({ "do": "took-compared", "job": job, "outline": outline })).unwrap();
    }
}

fn figures(desk: &mut GradeDesk) -> Value {
    ask(desk, &json!({ "do": "figures" })).unwrap()
}

#[test]
fn a_comparison_stops_when_it_is_decided() {
    let mut desk = desk();
    let begun = begin(&mut desk, 100);
    // Two sets of conditions, two versions, and 25 of at most 100 rounds.
    assert_eq!(begun, json!({ "played": 0, "rounds": 400, "left": 100 }));
    // The present version scores 10 to 12 more in seat 2, which counts twice.
    play(&mut desk, |seed, seat, version| Some((seat * version) as i64 * (10 + seed as i64 % 3)));
    let look = ask(&mut desk, &json!({ "do": "look" })).unwrap();
    assert_eq!(look, json!({ "played": 100, "rounds": 400, "left": 0 }));
    let figures = figures(&mut desk);
    assert_eq!((&figures["answer"], &figures["rounds"]), (&json!("better"), &json!(25)));
    // The seeds give 9 times 10, 8 times 11 and 8 times 12: 274 / 25 in two of three testcases.
    let value = figures["difference"]["value"].as_f64().unwrap();
    assert!((value - 274.0 / 25.0 * 2.0 / 3.0).abs() < 1e-12, "{figures}");
    assert_eq!(figures["testcases"].as_array().unwrap().len(), 3);
    assert_eq!(figures["testcases"][0]["difference"]["value"], 0.0);
    // The threshold of 20 for two rounds is always reached by the present version.
    assert_eq!(figures["testcases"][2]["chance"][1]["value"], 1.0);
    assert_eq!(figures["testcases"][2]["chance"][0]["value"], 0.0);
    assert_eq!(figures["worst"], json!([]));
}

#[test]
fn an_open_comparison_plays_up_to_its_last_look() {
    let mut desk = desk();
    begin(&mut desk, 50);
    // The lead changes with each seed.
    let even = |seed: u64, _, version: usize| Some(((seed as usize + version) % 2) as i64 * 30);
    play(&mut desk, even);
    assert!(ask(&mut desk, &json!({ "do": "figures" })).is_ok(), "the rounds so far are complete");
    assert_eq!(ask(&mut desk, &json!({ "do": "look" })).unwrap()["left"], 100);
    let unfinished = ask(&mut desk, &json!({ "do": "figures" })).unwrap_err();
    assert_eq!(unfinished, "rounds are missing");
    play(&mut desk, even);
    assert_eq!(ask(&mut desk, &json!({ "do": "look" })).unwrap()["left"], 0);
    let figures = figures(&mut desk);
    assert_eq!((&figures["answer"], &figures["rounds"]), (&json!("undecided"), &json!(50)));
    let worst = &figures["worst"][0];
    assert_eq!((&worst["scores"], &worst["place"]), (&json!([30, 0]), &json!([1, 0])));
    assert_eq!(figures["worst"].as_array().unwrap().len(), 10);
    let single = json!({ "do": "single-compared", "place": [1, 0, 1] });
    let spec = ask(&mut desk, &single).unwrap();
    let spec: Value = serde_json::from_str(spec.as_str().unwrap()).unwrap();
    assert_eq!((&spec["seed"], &spec["seats"][0]["bot"]["name"]), (&worst["seed"], &json!("new")));
    for place in [[50, 0, 0], [0, 2, 0], [0, 0, 2]] {
        let request = json!({ "do": "single-compared", "place": place });
        assert_eq!(ask(&mut desk, &request).unwrap_err(), "the suite has no such round");
    }
}

#[test]
fn seeds_on_which_the_judge_failed_do_not_count() {
    let mut desk = desk();
    begin(&mut desk, 10);
    play(&mut desk, |seed, seat, version| match (seed, seat, version) {
        (3, 1, 0) => None,
        (3, ..) => Some(1_000_000),
        _ => Some((seed as i64 + 1) * version as i64),
    });
    let figures = figures(&mut desk);
    assert_eq!(figures["judge_errors"], 1);
    // The sum of 1 to 10 without 4.
    let value = figures["difference"]["value"].as_f64().unwrap();
    assert!((value - 51.0 / 9.0).abs() < 1e-12, "{figures}");
}

#[test]
fn a_comparison_needs_an_earlier_version_and_an_opponent_of_the_game() {
    let mut desk = GradeDesk::default();
    let files = json!([["suite.toml", "title = \"Short\"\n"], ["01-one.toml", testcase(1, 1)]]);
    ask(&mut desk, &json!({ "do": "suite", "name": "short", "files": files })).unwrap();
    ask(&mut desk, &json!({ "do": "build", "file": "new.wat", "text": bot(2) })).unwrap();
    let compare =
        |opponent: Option<&str>| json!({ "do": "compare", "rounds": 10, "opponent": opponent });
    assert_eq!(ask(&mut desk, &compare(None)).unwrap_err(), "no earlier version is chosen");
    let unknown = ask(&mut desk, &compare(Some("nimble"))).unwrap_err();
    assert!(unknown.starts_with("unknown opponent `nimble`: cc has "), "{unknown}");
    assert_eq!(ask(&mut desk, &compare(Some("random"))).unwrap()["left"], 20);
    let next = ask(&mut desk, &json!({ "do": "next-compared" })).unwrap();
    let spec: Value = serde_json::from_str(next["spec"].as_str().unwrap()).unwrap();
    assert_eq!(spec["seats"][0], json!({ "reference": { "name": "random" } }));
    // It needs no engine.
    let played = ask(&mut desk, &json!({ "do": "references", "spec": next["spec"] })).unwrap();
    assert_eq!(played["fault"], Value::Null);
    let replay = ask(&mut desk, &json!({ "do": "replay" })).unwrap();
    assert!(replay.as_str().unwrap().lines().count() > 10, "{replay}");
}
