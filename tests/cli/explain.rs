//! `judge explain`: the moves that cost the most, as a table, a page and JSON.

use serde_json::Value;

use crate::support::{SILENT_BOT, run, sample, says, write};

#[test]
fn explain_prints_moves_answers_and_scores() {
    let bot = sample("patchwork-first-fit");
    let arguments = ["explain", bot.to_str().unwrap(), "--seed", "3", "--rounds", "150"];
    let told = run(arguments);
    assert_eq!(told.code, 0, "{}", told.stderr);
    says(
        &told.stdout,
        &[
            "seat 1 (patchwork-first-fit) wins 9:-16 (score)\n",
            "score 9, 15 moves with a choice; 150 of ",
            " other answers tried, each played on to the end\n",
            " move  question  answer  other answer  score\n",
            "  9 -> ",
            "score: the bot's score, and its score after the other answer\n",
        ],
    );
    assert_eq!(run(arguments).stdout, told.stdout);
}

#[test]
fn the_json_of_explain_has_every_tried_answer() {
    let bot = sample("mahjong-distance");
    let arguments = ["--seed", "3", "--seat", "2", "--rounds", "40", "--json", "-"];
    let told = run(["explain", bot.to_str().unwrap()].into_iter().chain(arguments));
    assert_eq!(told.code, 0, "{}", told.stderr);
    let document = told.json();
    assert_eq!((&document["version"], &document["tried"]), (&1.into(), &40.into()));
    assert_eq!(document["round"]["seed"], 3);
    let moves = document["moves"].as_array().unwrap();
    let tried = moves.iter().flat_map(|one| one["tried"].as_array().unwrap());
    assert_eq!(tried.filter(|trial| trial["score"].is_i64()).count(), 40);
    for at in document["costliest"].as_array().unwrap() {
        let one = &moves[at.as_u64().unwrap() as usize];
        assert!(one["average"]["gain"]["value"].is_f64(), "{one}");
    }
}

#[test]
fn the_page_and_the_pages_of_other_rounds_link_to_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let (bot, page) = (sample("patchwork-first-fit"), folder.path().join("my round.html"));
    let arguments = ["--seed", "3", "--rounds", "150", "--moves", "2"];
    let command = ["explain", bot.to_str().unwrap(), "--html", page.to_str().unwrap()];
    let told = run(command.into_iter().chain(arguments));
    assert!(told.stderr.contains("the round's page: "), "{}", told.stderr);
    let html = std::fs::read_to_string(&page).unwrap();
    says(&html, &["<h2>Other answers</h2>", "The best score with another answer", "watch it</a>"]);
    let links: Vec<&str> = html.split("href=\"my%20round-rounds/").skip(1).collect();
    assert_eq!(links.len(), 2);
    for link in links {
        let name = link.split('#').next().unwrap();
        let other = folder.path().join("my round-rounds").join(name);
        let html = std::fs::read_to_string(&other).unwrap();
        says(&html, &["What if: at move ", "href=\"../my%20round.html\""]);
        let replay = other.with_extension("jsonl");
        assert_eq!(run(["replay", replay.to_str().unwrap()]).code, 0, "the rules accept it");
        let verify = run(["verify", replay.to_str().unwrap(), bot.to_str().unwrap()]);
        assert_eq!(verify.code, 1, "the bot has not played it: {}", verify.stdout);
    }
}

#[test]
fn a_bot_that_fails_at_once_has_no_moves_to_explain() {
    let folder = tempfile::tempdir().unwrap();
    let bot = write(folder.path(), "silent.wasm", wat::parse_str(SILENT_BOT).unwrap());
    let told = run(["explain", bot.to_str().unwrap(), "--game", "cc", "--json", "-"]);
    assert_eq!(told.code, 1, "{}", told.stderr);
    assert_eq!(told.json()["moves"], Value::Array(Vec::new()));
    let told = run(["explain", bot.to_str().unwrap(), "--game", "cc"]);
    assert!(told.stdout.contains("the bot failed in this round: correct that first"));
    assert!(!told.stdout.contains("other answers"), "{}", told.stdout);
}

#[test]
fn a_kits_patchwork_bot_plays_on_after_another_answer() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("quilter");
    let made = ["new", project.to_str().unwrap(), "--game", "patchwork", "--lang", "python"];
    assert_eq!(run(made).code, 0);
    let bot = project.join("bot.py");
    let explain = ["explain", bot.to_str().unwrap(), "--game", "patchwork", "--seed", "4001"];
    let told = run(explain.into_iter().chain(["--rounds", "20", "--json", "-"]));
    let moves = told.json()["moves"].as_array().unwrap().clone();
    let tried = moves.iter().flat_map(|one| one["tried"].as_array().unwrap());
    let failed: Vec<bool> = tried.map(|one| one["failed"] == true).collect();
    assert_eq!(failed, [false; 20], "the kit keeps the position of its own answer");
}

#[test]
fn contradictory_arguments_are_refused_before_playing() {
    let bot = sample("cc-runner");
    let explain = |more: &[&str]| {
        run(["explain", bot.to_str().unwrap()].into_iter().chain(more.iter().copied()))
    };
    for (arguments, words) in [
        (&["--rounds", "0"][..], "expected a number from 1 to 1000000"),
        (&["--html", "x", "--json", "x"], "page and JSON cannot go to the same file"),
        (&["--open"], "--html"),
        (&["--against", "dragon"], "unknown opponent `dragon`"),
    ] {
        let told = explain(arguments);
        assert_eq!(told.code, 2, "{arguments:?}: {}", told.stderr);
        assert!(told.stderr.contains(words), "{arguments:?}: {}", told.stderr);
    }
}

#[test]
fn grading_names_the_costliest_move_of_the_worst_round() {
    let bot = sample("patchwork-first-fit");
    let bot = bot.to_str().unwrap();
    let graded = run(["grade", bot]);
    assert_eq!(graded.code, 1, "{}", graded.stderr);
    let (before, found) =
        graded.stdout.split_once(": the costliest move of its worst round\n  move ").unwrap();
    let testcase = before.lines().last().unwrap();
    // The command that plays the round again also explains it.
    let failure = before.split(&format!("\n{testcase}: Below threshold: ")).nth(1).unwrap();
    let (_, again) = failure.split_once("see it again: judge play ").unwrap();
    let again = again.lines().next().unwrap().split(" --html ").next().unwrap();
    let words = ["explain"].into_iter().chain(again.split(' '));
    let table = run(words.chain(["--rounds", "100", "--moves", "1"])).stdout;
    let row = table.lines().find(|line| line.contains(" -> ")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    let [number, _, own, other] = cells[..4] else { panic!("{row}") };
    let line = format!("{number}: it answered `{own}`; `{other}` would have scored ");
    assert!(found.starts_with(&line), "{found}\n{table}");
    let json = run(["grade", bot, "--json", "-"]);
    assert!(!json.stdout.contains("costliest"));
}
