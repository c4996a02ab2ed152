//! A round in the page equals the round on the command line, byte by byte.

use judge_browser::Desk;
use serde_json::{Value, json};

use crate::support::{run, run_with_input};

fn ask(desk: &mut Desk, request: &Value) -> Value {
    let reply: Value = serde_json::from_str(&desk.handle(&request.to_string())).unwrap();
    assert_eq!(reply.get("refused"), None, "{request}");
    reply["done"].clone()
}

/// After a change of the engine, write the new value to `judge/browser/src/engine.txt` and run
/// `judge/browser/build.sh`.
#[test]
fn the_page_has_the_engine_of_this_version() {
    assert_eq!(judge_browser::ENGINE, judge_sandbox::fingerprint());
}

#[test]
fn the_page_and_the_command_line_write_the_same_file() {
    for game in judge_games::all() {
        for (seat, opponent) in std::iter::zip([1, 2], game.opponents()) {
            same(game.name(), seat, opponent.name);
        }
    }
}

/// Gives some answers by pointing, resigns, and plays the same round at the terminal.
fn same(game: &str, seat: u8, opponent: &str) {
    let mut desk = Desk::default();
    let start = json!({ "do": "start", "game": game, "seed": "77", "seat": seat,
                        "opponent": opponent, "name": "Ada" });
    let mut state = ask(&mut desk, &start);
    let mut answers = Vec::new();
    while state["end"].is_null() {
        let request = if answers.len() == 6 {
            answers.push("resign".to_owned());
            json!({ "do": "resign" })
        } else {
            answers.push(state["question"]["legal"][0].as_str().unwrap().to_owned());
            json!({ "do": "answer", "text": answers.last() })
        };
        state = ask(&mut desk, &request);
    }
    let replay = ask(&mut desk, &json!({ "do": "replay" }));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("round.jsonl");
    let seat = seat.to_string();
    let mut arguments =
        vec!["play", "human", "--game", game, "--against", opponent, "--name", "Ada"];
    arguments.extend(["--seed", "77", "--seat", &seat, "--replay", file.to_str().unwrap()]);
    let ran = run_with_input(&arguments, &(answers.join("\n") + "\n"));
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let native = std::fs::read_to_string(&file).unwrap();
    assert_eq!(replay["text"].as_str().unwrap(), native, "{game}, seat {seat}");
    let native = run(["verify", file.to_str().unwrap()]);
    let found = ask(&mut desk, &json!({ "do": "verify", "text": replay["text"] }));
    assert_eq!(found["holds"], true, "{found}");
    assert!(!native.stdout.contains("does not hold"), "{}", native.stdout);
}
