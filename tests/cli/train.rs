//! `judge train` and its players: repeatable, resumable, named by hash.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use judge_core::{RoundRecord, SeatSpec, digest};

use crate::support::{Ran, judge, run, run_with_input, sample, write};

/// A folder for tables.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The name of a trained player.
    fn player(&self, name: &str) -> String {
        format!("trained:{}", self.path(name).display())
    }

    /// Trains on the smallest board with short searches.
    fn train(&self, name: &str, more: &[&str]) -> Ran {
        train(&self.path(name), more)
    }

    /// A table of a few games, and its player's name.
    fn trained(&self, name: &str, seed: &str) -> String {
        let ran = self.train(name, &["--games", "3", "--seed", seed]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        self.player(name)
    }

    /// A stored replay of a sample bot against an opponent.
    fn round(&self, against: &str) -> (PathBuf, RoundRecord) {
        let (bot, replay) = (sample("amazons-open"), self.path("round.jsonl"));
        let bot = bot.to_str().unwrap();
        let kept = ["--option", "size=4", "--replay", replay.to_str().unwrap()];
        let ran = run([&["play", bot, "--against", against][..], &kept].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let text = std::fs::read_to_string(&replay).unwrap();
        (replay, RoundRecord::from_replay(&text).unwrap())
    }
}

fn train(table: &Path, more: &[&str]) -> Ran {
    run([&TRAIN[..], &["--out", table.to_str().unwrap()], more].concat())
}

const TRAIN: [&str; 6] = ["train", "amazons", "--board", "4x4", "--playouts", "30"];

/// Exit code and message of a refusal.
fn refusal(ran: Ran) -> (i32, String) {
    assert_eq!(ran.stdout, "");
    (ran.code, ran.stderr)
}

#[test]
fn an_interrupted_training_continues_to_the_same_bytes() {
    let folder = Folder::new();
    let whole = folder.train("whole", &["--games", "40"]);
    let bytes = std::fs::read(folder.path("whole")).unwrap();
    let told = format!("SHA-256 {}\n", digest(&bytes));
    assert!(whole.stdout.starts_with("amazons 4x4: 40 games, ") && whole.stdout.ends_with(&told));

    assert_eq!(folder.train("parts", &["--games", "7", "--resume"]).code, 0, "begins");
    for games in ["23", "23", "40"] {
        let ran = folder.train("parts", &["--games", games, "--resume", "--save-every", "2"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(ran.stderr.starts_with("note: resuming: "), "{}", ran.stderr);
    }
    assert_eq!(std::fs::read(folder.path("parts")).unwrap(), bytes);
}

#[test]
fn a_killed_training_leaves_its_last_save() {
    let folder = Folder::new();
    let table = folder.path("killed");
    let endless = ["--games", "100000000", "--save-every", "1", "--out", table.to_str().unwrap()];
    let mut command = judge();
    command.args(TRAIN).args(endless).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let games = |path: &Path| {
        let bytes = std::fs::read(path).ok()?;
        Some(judge_games::read_table(&bytes).expect("whole or not at all").header().games)
    };
    while games(&table) < Some(5) {
        assert_eq!(child.try_wait().unwrap(), None, "it does not end by itself");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let games = (games(&table).unwrap() + 3).to_string();
    assert_eq!(folder.train("killed", &["--games", &games, "--resume"]).code, 0);
    assert_eq!(folder.train("whole", &["--games", &games]).code, 0);
    let [killed, whole] = ["killed", "whole"].map(|name| std::fs::read(folder.path(name)).unwrap());
    assert!(killed == whole, "another table after {games} games");
}

#[test]
fn a_game_that_cannot_be_trained_is_refused_with_a_hint() {
    let folder = Folder::new();
    let table = folder.path("table");
    let table = table.to_str().unwrap();
    let error = |game: &str, board: &str, out: &str| {
        refusal(run(["train", game, "--board", board, "--games", "1", "--out", out]))
    };
    let (code, told) = error("cc", "6x6", table);
    assert_eq!(code, 2);
    assert!(told.contains("supports only amazons, not cc"), "{told}");
    assert!(told.contains("hint: `judge train amazons`"), "{told}");
    let (code, told) = error("chess", "8x8", table);
    assert_eq!((code, told.contains("unknown game `chess`")), (2, true), "{told}");
    let (code, told) = error("amazons", "7x7", table);
    assert_eq!(code, 2);
    assert!(told.contains("has no board `7x7`") && told.contains("`--board 10x10`"), "{told}");
    assert_eq!(error("amazons", "4x4", "-").0, 2);
    assert_eq!(error("amazons", "4x4", &format!("{table}/x")).0, 3);
    assert!(!folder.path("table").exists(), "nothing was begun");
}

#[test]
fn train_overwrites_no_other_table() {
    let folder = Folder::new();
    folder.trained("table", "1");
    let before = std::fs::read(folder.path("table")).unwrap();
    let error = |more: &[&str]| {
        let (code, told) = refusal(folder.train("table", more));
        assert_eq!(std::fs::read(folder.path("table")).unwrap(), before);
        (code, told)
    };
    let (code, told) = error(&["--games", "9"]);
    assert_eq!((code, told.contains("already exists")), (3, true), "{told}");
    let (code, told) = error(&["--games", "2", "--resume"]);
    assert_eq!((code, told.contains("has learned from 3 games already")), (2, true), "{told}");
    let (code, told) = error(&["--games", "9", "--resume", "--seed", "2"]);
    assert_eq!(code, 2);
    assert!(
        told.contains("another training: amazons --board 4x4 --seed 1 --playouts 30"),
        "{told}"
    );
    std::fs::write(folder.path("text"), "not a table").unwrap();
    let (code, told) = refusal(folder.train("text", &["--games", "9", "--resume"]));
    assert_eq!((code, told.contains("not a table of `judge train`")), (3, true), "{told}");
}

#[test]
fn a_trained_player_is_named_by_its_hash() {
    let folder = Folder::new();
    let player = folder.trained("first.table", "1");
    let (_, record) = folder.round(&player);
    let SeatSpec::Trained { name, sha256 } = &record.header.spec.seats[1] else {
        panic!("{:?}", record.header.spec.seats)
    };
    assert_eq!(name, "trained:first.table");
    assert_eq!(*sha256, digest(&std::fs::read(folder.path("first.table")).unwrap()));
    let again = folder.trained("renamed.table", "1");
    assert_eq!(folder.round(&again).1.digest(), record.digest(), "the same table");
    let other = folder.trained("other.table", "2");
    assert_ne!(folder.round(&other).1.digest(), record.digest(), "another table");
}

#[test]
fn rounds_of_a_trained_player_verify_with_and_without_its_table() {
    let folder = Folder::new();
    let (player, other) = (folder.trained("table", "1"), folder.trained("other", "2"));
    let (replay, record) = folder.round(&player);
    let bot = sample("amazons-open");
    let verify =
        |players: &[&str]| run([&["verify", replay.to_str().unwrap()][..], players].concat());
    let sha256 = record.header.spec.seats[1].table().unwrap();
    let by_rules = verify(&[]);
    assert_eq!(by_rules.code, 5, "{}", by_rules.stdout);
    let named = format!("name the table as `trained:TABLE` (SHA-256 {}…)", sha256.short());
    assert!(by_rules.stdout.contains(&named), "{}", by_rules.stdout);

    let bot = bot.to_str().unwrap();
    let whole = verify(&[bot, &player]);
    assert_eq!(whole.code, 0, "{}{}", whole.stdout, whole.stderr);
    assert!(whole.stdout.contains("the search from its table gives the same answers"));

    let refused = verify(&[bot, &other]);
    assert_eq!(refused.code, 1, "{}", refused.stdout);
    assert!(refused.stdout.contains("played from another table, called `trained:table`"));
    assert!(refused.stdout.contains(&format!("recorded: {sha256}")), "{}", refused.stdout);
    let (code, told) = refusal(verify(&[bot]));
    assert_eq!((code, told.contains("name it as well: `trained:TABLE`")), (2, true), "{told}");

    let mut forged = record;
    let answer = forged.calls.iter_mut().rfind(|call| call.answer.is_some()).unwrap();
    answer.answer = Some("a1-a1/a1".to_owned());
    let forged = write(folder.0.path(), "forged", forged.to_replay());
    assert_eq!(run(["verify", forged.to_str().unwrap()]).code, 1);
}

#[test]
fn a_trained_player_plays_matches_and_tournaments() {
    let folder = Folder::new();
    let (player, other) = (folder.trained("table", "1"), folder.trained("other", "2"));
    let journal = folder.path("match.journal");
    let more = ["--option", "size=4", "--json", "-", "--rounds", "8", "--seed", "1"];
    let meet = |one: &str| {
        let kept = ["--journal", journal.to_str().unwrap(), "--resume"];
        run([&["match", one, "greedy"][..], &more, &kept].concat())
    };
    let ran = meet(&player);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let json = ran.json();
    let sha256 = digest(&std::fs::read(folder.path("table")).unwrap()).to_string();
    assert_eq!(
        (&json["game"], &json["players"][0]["trained"]),
        (&"amazons".into(), &sha256.into())
    );
    assert_eq!(json["faults"][0]["rounds"], 0);
    let mut again = meet(&player).json();
    again["timing"] = json["timing"].clone();
    assert_eq!(again, json, "out of the journal");
    let (code, told) = refusal(meet(&other));
    assert_eq!(code, 2);
    assert!(told.contains("to another run: `players[0].trained`"), "{told}");

    let ran = run([&["tournament", &player, &other, "random"][..], &more].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.json()["standing"].as_array().unwrap().len(), 3);
}

#[test]
fn an_empty_table_plays_like_the_untrained_opponent() {
    let folder = Folder::new();
    assert_eq!(folder.train("empty", &["--games", "0"]).code, 0);
    let calls = |against: &str| folder.round(against).1.calls;
    assert_eq!(calls(&folder.player("empty")), calls("mcts"));
}

#[test]
fn a_table_for_another_board_or_game_is_refused_before_the_round() {
    let folder = Folder::new();
    let player = folder.trained("table", "1");
    let bot = sample("amazons-open");
    let bot = bot.to_str().unwrap();
    for command in [
        &["match", &player, "mcts"][..],
        &["tournament", &player, "mcts"],
        &["play", bot, "--against", &player],
        &["play", "human", "--game", "amazons", "--against", &player],
    ] {
        let (code, told) = refusal(run(command));
        assert_eq!(code, 2, "{told}");
        assert!(told.contains("trained for 4x4, this match is 10x10"), "{told}");
        assert!(told.contains("hint: "), "{told}");
    }
    let (_, told) = refusal(run(["match", &player, "random", "--game", "cc"]));
    assert!(told.contains("trained for amazons, this match is cc"), "{told}");
}

#[test]
fn damaged_and_missing_tables_are_refused() {
    let folder = Folder::new();
    folder.trained("table", "1");
    let mut bytes = std::fs::read(folder.path("table")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    write(folder.0.path(), "damaged", &bytes);
    for (name, why) in [("damaged", "damaged: its bytes hash to"), ("missing", "cannot read")] {
        let (code, told) = refusal(run(["match", &folder.player(name), "mcts"]));
        assert_eq!((code, told.contains(why)), (3, true), "{told}");
    }
}

#[test]
fn a_person_can_play_against_a_trained_player() {
    let folder = Folder::new();
    let player = folder.trained("table", "1");
    let lines = "1\n".repeat(20);
    let arguments =
        ["play", "human", "--game", "amazons", "--option", "size=4", "--against", &player];
    let ran = run_with_input(arguments, &lines);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("trained:table is seat 2"), "{}", ran.stdout);
    assert!(ran.stdout.contains("(no move)"), "played to the end: {}", ran.stdout);
}

#[test]
fn a_testcase_with_a_trained_opponent_is_refused() {
    let folder = Folder::new();
    let player = folder.trained("table", "1");
    let testcase = format!(
        "title = \"x\"\ngame = \"amazons\"\nopponent = '{player}'\nseeds = [1]\nmin_score = 1\n\
         points = 1\n"
    );
    let testcase = write(folder.0.path(), "01-trained.toml", testcase);
    let bot = sample("amazons-open");
    let (bot, testcase) = (bot.to_str().unwrap(), testcase.to_str().unwrap());
    let (code, told) = refusal(run(["grade", bot, "--testcase", testcase]));
    assert_eq!(code, 3, "{told}");
    assert!(told.contains("cannot play here"), "{told}");
}
