//! `judge match --from`: all rounds start from a move of a saved round.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Ran, run, sample};

/// A folder with a saved round of that bot in seat 1.
struct Saved {
    folder: tempfile::TempDir,
    file: PathBuf,
}

impl Saved {
    fn new(bot: &str) -> Saved {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("saved.jsonl");
        let [bot, path] = [sample(bot), file.clone()].map(|path| path.display().to_string());
        let ran = run(["play", &bot, "--seed", "3", "--replay", &path]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        Saved { folder, file }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn play(&self, players: [&Path; 2], number: usize, more: &[&str]) -> Ran {
        let [a, b] = players.map(|player| player.display().to_string());
        let from = format!("{}:{number}", self.file.display());
        run([&["match", a.as_str(), b.as_str(), "--from", from.as_str()], more].concat())
    }

    /// Number of answers in the round.
    fn moves(&self) -> usize {
        let text = std::fs::read_to_string(&self.file).unwrap();
        text.lines().filter(|line| line.contains("\"answer\":\"")).count()
    }
}

fn rows(json: &Value) -> &[Value] {
    json["rows"].as_array().unwrap()
}

#[test]
fn each_pair_deals_hidden_tiles_again_by_its_seed() {
    let saved = Saved::new("mahjong-distance");
    let players = [sample("mahjong-distance"), sample("mahjong-straightforward")];
    let players = players.each_ref().map(PathBuf::as_path);
    let play = |seed: &str, jobs: &str| {
        let more = ["--rounds", "40", "--seed", seed, "--jobs", jobs, "--json", "-"];
        let ran = saved.play(players, 12, &more);
        assert!(ran.code <= 1, "{}", ran.stderr);
        (ran.stderr.clone(), ran.json())
    };
    let (said, json) = play("5", "2");
    assert!(said.contains("moves 1 to 11 are those of `saved.jsonl`"), "{said}");
    assert!(said.contains("each pair deals the tiles again"), "{said}");
    assert_eq!((&json["from"]["move"], &json["from"]["redealt"]), (&12.into(), &true.into()));
    assert_eq!((&json["rounds"], &json["starts"]), (&40.into(), &20.into()));
    // A bot gets its hand after another answer than its own, or it would discard missing tiles.
    assert_eq!(json["faults"][0]["rounds"], 0, "{}", json["faults"]);
    assert_eq!(json["faults"][1]["rounds"], 0, "{}", json["faults"]);
    // The first rounds of two pairs differ only in the tiles.
    let [first, second] = [0, 2].map(|row| &rows(&json)[row]);
    assert_ne!(first["digest"], second["digest"]);
    assert_ne!(first["opening"], second["opening"]);
    assert_eq!(rows(&json)[0]["opening"], rows(&json)[1]["opening"], "one pair, the same tiles");
    // Only the seed decides, not the number of workers, and the next pair has the next seed.
    assert_eq!(rows(&play("5", "1").1), rows(&json));
    assert_eq!(rows(&play("6", "2").1)[0]["digest"], rows(&json)[2]["digest"]);
}

#[test]
fn a_match_from_the_last_move_ends_like_the_round() {
    let saved = Saved::new("mahjong-distance");
    let bot = sample("mahjong-distance");
    let more = ["--rounds", "2", "--seed", "1", "--json", "-"];
    let ran = saved.play([&bot, Path::new("random")], saved.moves(), &more);
    let json = ran.json();
    let text = std::fs::read_to_string(&saved.file).unwrap();
    let trailer: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let scores = &trailer["outcome"]["scores"];
    assert_eq!((&rows(&json)[0]["score_1"], &rows(&json)[0]["score_2"]), (&scores[0], &scores[1]));
    assert!(ran.stderr.contains("every pair would be the same"), "{}", ran.stderr);
}

#[test]
fn a_match_from_a_move_without_hidden_luck_is_one_pair() {
    let saved = Saved::new("amazons-surveyor");
    let [a, b] = ["amazons-open", "amazons-surveyor"].map(sample);
    let ran = saved.play([&a, &b], 21, &["--json", "-"]);
    assert!(ran.code <= 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("every pair would be the same: one is played"), "{}", ran.stderr);
    let json = ran.json();
    assert_eq!((&json["rounds"], &json["from"]["redealt"]), (&2.into(), &false.into()));
    // Its rounds are those of `judge play --from`, which can be saved and shown.
    for seat in ["1", "2"] {
        let replay = saved.path("again.jsonl");
        let from = format!("{}:21", saved.file.display());
        let (a, b) = (a.display().to_string(), b.display().to_string());
        let ran = run([
            "play",
            &a,
            "--against",
            &b,
            "--from",
            &from,
            "--seat",
            seat,
            "--replay",
            &replay,
        ]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let row = &rows(&json)[seat.parse::<usize>().unwrap() - 1];
        let digest = row["digest"].as_str().unwrap();
        assert!(ran.stdout.contains(&digest[..12]), "{}", ran.stdout);
    }
    let ran = saved.play([&a, &b], 21, &["--sprt", "elo0=0,elo1=50"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("only 1 start, too few"), "{}", ran.stderr);
}

#[test]
fn results_of_a_match_from_a_move_name_the_move() {
    let saved = Saved::new("agamemnon-seer");
    let [a, b] = ["agamemnon-crossroads", "agamemnon-seer"].map(sample);
    let [json, html, table] = ["result.json", "page.html", "table.csv"].map(|one| saved.path(one));
    let files = ["--json", &json, "--html", &html, "--rounds-to", &table];
    let more = [&["--rounds", "8", "--seed", "1"][..], &files].concat();
    let ran = saved.play([&a, &b], 9, &more);
    assert!(ran.code <= 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("from move 9 of `saved.jsonl`, seeds 1 to 4"), "{}", ran.stdout);
    assert!(!ran.stderr.contains("--only"), "these rounds cannot be repeated: {}", ran.stderr);
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.contains("from move 9 of") && !page.contains("--only"));
    assert_eq!(std::fs::read_to_string(&table).unwrap().lines().count(), 9);
    for command in ["verify", "report", "rounds"] {
        let ran = run([command, &json]);
        assert_eq!(ran.code, 3, "{command}: {}", ran.stderr);
        assert!(ran.stderr.contains("start from move 9 of another round"), "{}", ran.stderr);
    }
}

#[test]
fn a_match_from_a_move_refuses_other_files_moves_and_options() {
    let saved = Saved::new("cc-flood");
    let bot = sample("cc-flood");
    let other = sample("mahjong-distance");
    let over = saved.moves() + 1;
    for (code, players, number, more, said) in [
        (3, [&bot, &bot], 900, &[][..], "and no move 900"),
        (3, [&bot, &bot], over, &[], "the round is over by then"),
        (2, [&other, &bot], 3, &[], "plays mahjong, and the saved round is one of cc"),
        (2, [&bot, &bot], 3, &["--testcase", "03"], "cannot be used with"),
        (2, [&bot, &bot], 3, &["--game", "cc"], "cannot be used with"),
        (2, [&bot, &bot], 3, &["--journal", "x.journal"], "cannot be used with"),
        (2, [&bot, &bot], 3, &["--suite", "cc"], "unexpected argument"),
    ] {
        let ran = saved.play(players.map(PathBuf::as_path), number, more);
        assert_eq!(ran.code, code, "{more:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
    let from = format!("{}:3", bot.display());
    let ran = run(["match", "flood", "random", "--from", &from]);
    assert_eq!(ran.code, 3, "a module is not a replay: {}", ran.stderr);
}
