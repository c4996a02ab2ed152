//! Messages for common mistakes: the missing part, the likely intention, the next step.

use std::path::Path;

use crate::support::folder::Folder;
use crate::support::{run, sample, write};

impl Folder {
    /// Checks that a command is refused with this code and a message with all of these texts.
    fn refuses(&self, arguments: &str, code: i32, expected: &[&str]) {
        let ran = self.run(&arguments.split(' ').collect::<Vec<_>>());
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "{arguments}: {}", ran.stderr);
        for text in expected {
            assert!(ran.stderr.contains(text), "{arguments}: `{text}` in {}", ran.stderr);
        }
    }
}

#[test]
fn a_folder_of_submissions_needs_out() {
    let place = Folder::with_bots();
    let expected = ["there are several", "hint: `--out` is missing", "--out RESULTS"];
    place.refuses("grade . --suite mahjong", 3, &expected);
}

#[test]
fn a_key_is_made_only_at_the_path_in_the_suite() {
    let place = Folder::with_bots();
    std::fs::create_dir(place.path("suite")).unwrap();
    let case = "title = \"x\"\ngame = \"cc\"\nopponent = \"random\"\nrounds = 2\nmin_score = 1\n\
                points = 1\n";
    write(&place.path("suite"), "01.toml", case);
    write(&place.path("suite"), "02.toml", case.replace("rounds = 2", "seeds = [1]"));
    write(&place.path("suite"), "suite.toml", "title = \"x\"\n");
    place.refuses("commit suite/ --new-key key", 2, &["names no key", "`[hidden]`"]);
    write(&place.path("suite"), "suite.toml", "title = \"x\"\n[hidden]\nkey = \"../key\"\n");
    for elsewhere in ["other", "none/key", "suite/key"] {
        let expected =
            [&format!("`{elsewhere}`"), "`suite/../key`", "hint: `--new-key suite/../key`"];
        place.refuses(&format!("commit suite/ --new-key {elsewhere}"), 2, &expected);
        assert!(!place.path(elsewhere).exists() && !place.path("key").exists());
    }
    assert_eq!(place.run(&["commit", "suite/", "--new-key", "./key"]).code, 0);
    assert!(place.path("key").exists());
    // Even if nothing can be played without a key.
    std::fs::remove_file(place.path("key")).unwrap();
    std::fs::remove_file(place.path("suite/02.toml")).unwrap();
    place.refuses("commit suite/ --new-key other", 2, &["`suite/../key`"]);
    let made = place.run(&["commit", "suite/", "--new-key", "key"]);
    assert_eq!(made.code, 0, "{}", made.stderr);
}

#[test]
fn a_file_instead_of_a_suite_folder_is_refused() {
    let place = Folder::with_bots();
    std::fs::create_dir(place.path("suite")).unwrap();
    write(&place.path("suite"), "suite.toml", "title = \"x\"\n");
    write(place.0.path(), "01.toml", "title = \"x\"\n");
    for (file, hint) in [
        ("suite/suite.toml", "hint: `suite/`"),
        ("01.toml", "hint: `--testcase 01.toml` grades"),
        ("mahjong-distance.wasm", "hint: expected a folder with `suite.toml`"),
    ] {
        let arguments = format!("grade mahjong-distance.wasm --suite {file}");
        let told = format!("`{file}` is a file; name a suite by its folder");
        place.refuses(&arguments, 2, &[&told, hint]);
    }
    for typo in ["mahjng", "nosuch//mahjong", "./Mahjong/"] {
        let arguments = format!("grade mahjong-distance.wasm --suite {typo}");
        place.refuses(&arguments, 2, &[typo, "hint: did you mean the bundled suite `mahjong`?"]);
    }
}

#[test]
fn a_file_with_the_name_of_an_opponent_is_not_used() {
    let place = Folder::with_bots();
    std::fs::copy(place.path("mahjong-distance.wasm"), place.path("random")).unwrap();
    let round = ["--game=mahjong", "--rounds=2", "--seed=1"];
    let meant = place.run(&[&["match", "mahjong-distance.wasm", "random"], &round[..]].concat());
    assert_eq!(meant.code, 0, "{}", meant.stderr);
    assert!(
        meant.stderr.contains("the file of that name; the file is `./random`"),
        "{}",
        meant.stderr
    );
    assert!(meant.stdout.contains("against B random:"), "{}", meant.stdout);
    // The player: a module by its hash, or no module.
    let players = |second: &str| {
        let arguments = ["match", "mahjong-distance.wasm", second, "--json", "-"];
        let ran = place.run(&[&arguments, &round[..]].concat());
        let players = ran.json()["players"].clone();
        (players[0]["bot"].clone(), players[1].clone(), ran.stderr)
    };
    let (module, file, told) = players("./random");
    assert!(module.is_string() && file["bot"] == module, "{file}");
    assert!(!told.contains("is the reference opponent"), "{told}");
    let (_, reference, _) = players("random");
    assert_eq!(reference["reference"], "random", "{reference}");
    let played = place.run(&["play", "mahjong-distance.wasm", "--against", "random"]);
    assert!(played.stderr.contains("the file is `./random`"), "{}", played.stderr);
}

#[test]
fn a_trained_table_without_its_prefix_gets_a_hint() {
    let place = Folder::with_bots();
    let train = "train amazons --board 4x4 --games 1 --playouts 2 --out my.table";
    assert_eq!(place.run(&train.split(' ').collect::<Vec<_>>()).code, 0);
    std::fs::copy(sample("amazons-open"), place.path("open.wasm")).unwrap();
    let expected =
        ["`my.table` is a trained table", "hint: name it as a player: `trained:my.table`"];
    place.refuses("match my.table open.wasm --rounds 2 --seed 1", 3, &expected);
    place.refuses("play open.wasm --against my.table", 3, &expected);
    place.refuses("grade my.table --suite amazons", 3, &expected);
}

#[test]
fn rounds_are_chosen_by_number_or_by_filters() {
    let place = Folder::with_bots();
    let played = "match mahjong-distance.wasm random --rounds 4 --seed 1 --journal j";
    assert_eq!(place.run(&played.split(' ').collect::<Vec<_>>()).code, 0);
    for filter in ["--result loss", "--fault", "--against random", "--min-plies 3"] {
        place.refuses(&format!("replay j --round 1 {filter}"), 2, &["filters have no effect"]);
    }
    assert_eq!(place.run(&["replay", "j", "--round", "1", "--player", "random"]).code, 0);
}

#[test]
fn a_round_number_beyond_the_match_is_refused() {
    let place = Folder::with_bots();
    let only = "match mahjong-distance.wasm random --seed 1 --html p.html";
    place.refuses(
        &format!("{only} --only 999999"),
        2,
        &["round `999999` does not exist", "`--rounds 999999`"],
    );
    let expected = ["round `5` does not exist: the match has 4 rounds"];
    place.refuses(&format!("{only} --only 1,5 --rounds 4"), 2, &expected);
    assert!(!place.path("p.html").exists());
    let arguments = format!("{only} --only 3 --rounds 4");
    assert_eq!(place.run(&arguments.split(' ').collect::<Vec<_>>()).code, 0);
}

#[test]
fn the_result_of_a_part_says_that_it_is_a_part() {
    let place = Folder::with_bots();
    let part = "tournament random straightforward distance --game mahjong --rounds 2 --seed 1 \
                --shard 1/2 --journal part";
    assert_eq!(place.run(&part.split(' ').collect::<Vec<_>>()).code, 0);
    for command in ["report", "scoreboard"] {
        let text = place.run(&[command, "part"]).stdout;
        assert!(text.starts_with("PART 1/2 of a tournament: "), "{command}: {text}");
    }
    assert_eq!(place.run(&["scoreboard", "part", "--html", "p.html", "--json", "p.json"]).code, 0);
    for file in ["p.html", "p.json"] {
        let text = std::fs::read_to_string(place.path(file)).unwrap();
        assert!(text.contains("PART 1/2 of a tournament: "), "{file}");
    }
}

#[test]
fn a_truncated_part_of_a_recording_is_recorded_again() {
    let place = Folder::with_bots();
    let record = "record --game cc --players random,random --games 4 --part 2 --seed 1 \
                  --format jsonl,parquet --out rec";
    assert_eq!(place.run(&record.split(' ').collect::<Vec<_>>()).code, 0);
    for file in ["rec/games/part-00001.parquet", "rec/jsonl/part-00000.jsonl"] {
        let path = place.path(file);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        let again = place.run(&format!("{record} --resume").split(' ').collect::<Vec<_>>());
        assert_eq!(again.code, 0, "{}", again.stderr);
        assert!(
            again.stderr.contains("1 part was cut off, and will be recorded again"),
            "{}",
            again.stderr
        );
        assert_eq!(std::fs::read(&path).unwrap(), whole, "{file}");
    }
}

/// A copy of a bot that differs as a program but answers the same: the name of a source file in it
/// is changed.
fn copied(bot: &Path) -> Vec<u8> {
    let mut module = std::fs::read(bot).unwrap();
    let name = b"/library/core/src/";
    let at = module.windows(name.len()).position(|window| window == name).expect("made by Rust");
    module[at + 1] = b'L';
    module
}

#[test]
fn different_modules_with_equal_answers_are_reported() {
    let place = Folder::with_bots();
    for folder in ["in", "suite"] {
        std::fs::create_dir(place.path(folder)).unwrap();
    }
    let case = "title = \"x\"\ngame = \"cc\"\nopponent = \"random\"\nseeds = [1, 2]\nmin_score = 1\n\
                points = 1\n";
    write(&place.path("suite"), "suite.toml", "title = \"x\"\n");
    write(&place.path("suite"), "01.toml", case);
    write(&place.path("suite"), "02.toml", case.replace("[1, 2]", "[3, 4]"));
    std::fs::copy(sample("cc-flood"), place.path("in/ada.wasm")).unwrap();
    std::fs::write(place.path("in/eve.wasm"), copied(&sample("cc-flood"))).unwrap();
    std::fs::copy(sample("cc-runner"), place.path("in/bob.wasm")).unwrap();
    // Equal modules are reported by another message.
    std::fs::copy(sample("cc-runner"), place.path("in/kim.wasm")).unwrap();
    let graded = place.run(&["grade", "in", "--suite", "suite/", "--out", "out"]);
    assert_eq!(graded.code, 0, "{}", graded.stderr);
    let told = "ada, eve: different modules with the same answers in all 4 rounds";
    assert!(graded.stdout.contains(told), "{}", graded.stdout);
    let pairs = std::fs::read_to_string(place.path("out/same-answers.csv")).unwrap();
    let rows: Vec<&str> = pairs.lines().collect();
    assert_eq!(rows.len(), 2, "{pairs}");
    assert!(rows[1].starts_with("ada,eve,2,2,4,4,") && rows[1].ends_with(",01 02"), "{pairs}");
    let again = place.run(&["grade", "in", "--suite", "suite/", "--out", "out", "--resume"]);
    assert_eq!((again.code, &again.stdout), (0, &graded.stdout));
    assert_eq!(std::fs::read_to_string(place.path("out/same-answers.csv")).unwrap(), pairs);
}

#[test]
fn a_settings_file_is_not_overwritten() {
    let place = Folder::with_bots();
    let kept = write(&place.path(""), "kept.toml", "title = \"mine\"\n");
    let kept = kept.display().to_string();
    let ran = run([
        "grade",
        sample("mahjong-distance").to_str().unwrap(),
        "--report",
        &format!("markdown={kept}"),
    ]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("is a testcase or another file of settings"), "{}", ran.stderr);
}
