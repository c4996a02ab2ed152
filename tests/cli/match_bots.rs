//! `judge match`: two players in pairs of rounds.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Ran, SILENT_BOT, root, run, sample, write};

fn play(players: [&Path; 2], more: &[&str]) -> Ran {
    let seeded = [&["--seed", "1"][..], more].concat();
    // A separate seed, unless the test gives one.
    unseeded(players, if more.contains(&"--seed") { more } else { &seeded })
}

/// A match without `--seed`.
fn unseeded(players: [&Path; 2], more: &[&str]) -> Ran {
    let mut arguments: Vec<OsString> = vec!["match".into()];
    arguments.extend(players.map(|player| player.as_os_str().to_owned()));
    arguments.extend(more.iter().map(OsString::from));
    run(arguments)
}

/// A match of two players by name; a sample bot's name ends in `.wasm`.
fn named(first: &str, second: &str, more: &[&str]) -> Ran {
    play([&path(first), &path(second)], more)
}

fn path(name: &str) -> PathBuf {
    match name.strip_suffix(".wasm") {
        Some(bot) => sample(bot),
        None => name.into(),
    }
}

/// The result without times.
fn result(ran: &Ran) -> Value {
    assert!(ran.code <= 1, "{}", ran.stderr);
    let mut json = ran.json();
    assert!(json.as_object_mut().unwrap().remove("timing").is_some());
    json
}

#[test]
fn the_table_of_a_match_shows_the_stronger_player() {
    let ran = named("mahjong-distance.wasm", "mahjong-straightforward.wasm", &["--rounds", "60"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn results_do_not_depend_on_the_number_of_workers() {
    let test = ["--sprt", "elo0=0,elo1=80", "--game", "mahjong", "--json", "-"];
    let with = |jobs: &'static str| {
        let more: Vec<&str> = test.into_iter().chain(["--jobs", jobs]).collect();
        named("mahjong-distance.wasm", "distance", &more)
    };
    let alone = result(&with("1"));
    assert_eq!(result(&with("3")), alone);
    assert_eq!(alone["end"], "decided", "{alone:#}");
}

/// A match of two players without randomness, on the nine openings of a small board.
const NINE_STARTS: [&str; 6] = ["--game", "cc", "--option", "size=5", "--option", "opening=1"];

#[test]
fn pairs_with_the_same_start_count_as_one() {
    let play = |rounds: &str| {
        let more = [&NINE_STARTS[..], &["--rounds", rounds, "--json", "-"]].concat();
        result(&named("smart", "lookahead", &more))
    };
    let (some, many) = (play("60"), play("400"));
    assert_eq!(many["version"], 4);
    assert_eq!((&many["pairs"], &many["starts"]), (&200.into(), &9.into()), "{many:#}");
    assert_eq!(many["independent"], 9);
    let width = |json: &Value, key: &str| {
        json[key]["high"].as_f64().unwrap() - json[key]["low"].as_f64().unwrap()
    };
    // Nine pieces of evidence leave a wide interval, for any number of repetitions.
    assert!(width(&many, "score") > 0.3, "{many:#}");
    assert!((width(&many, "score") / width(&some, "score") - 1.0).abs() < 0.2);
    let note = many["notes"][0].as_str().unwrap();
    assert!(note.contains("only 9 of 200 pairs begin differently"), "{note}");
    assert!(note.contains("`--rounds 18`"), "{note}");
    let text = named("smart", "lookahead", &[&NINE_STARTS[..], &["--rounds", "400"]].concat());
    assert!(
        text.stdout.contains("starts             9: pairs that begin alike"),
        "{}",
        text.stdout
    );
}

#[test]
fn repeats_of_one_start_are_evidence_only_for_random_players() {
    let play = |first: &str| {
        let more = ["--game", "cc", "--option", "size=5", "--option", "opening=0"];
        let more = [&more[..], &["--rounds", "40", "--json", "-"]].concat();
        result(&named(first, "smart", &more))
    };
    let (fixed, lots) = (play("lookahead"), play("random"));
    assert_eq!((&fixed["starts"], &fixed["independent"]), (&1.into(), &1.into()));
    assert_eq!(lots["starts"], 1);
    assert!(lots["independent"].as_u64().unwrap() > 10, "{lots:#}");
    assert!(fixed["difference"].is_null() || fixed["difference"]["low"].is_null());
}

#[test]
fn tests_on_too_few_starts_are_refused() {
    let sprt = ["--sprt", "elo0=0,elo1=10"];
    let refused = |options: &[&str]| {
        let ran = named("smart", "lookahead", &[options, &sprt].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
        ran.stderr
    };
    let error = refused(&NINE_STARTS);
    assert!(error.contains("only 9 different starts, too few"), "{error}");
    assert!(error.contains("hint: `--option opening=4`"), "{error}");
    assert!(refused(&["--game", "cc", "--option", "opening=0"]).contains("only 1 start, too few"));
}

#[test]
fn the_exit_code_of_a_test_is_its_decision() {
    let code = |first: &str, second: &str, test: &str, rounds: &str| {
        let more = ["--game", "mahjong", "--sprt", test, "--rounds", rounds];
        let ran = named(first, second, &more);
        (ran.code, ran.stdout)
    };
    for test in ["elo0=0,elo1=100", "nelo0=0,nelo1=100"] {
        let (code_of_h1, text) = code("distance", "random", test, "400");
        assert!(code_of_h1 == 0 && text.contains("H1 accepted"), "{text}");
        assert!(text.contains(test), "{text}");
        let (code_of_h0, text) = code("random", "distance", test, "400");
        assert!(code_of_h0 == 1 && text.contains("H0 accepted"), "{text}");
    }
    let (undecided, text) =
        code("mahjong-distance.wasm", "distance", "elo0=-10,elo1=10,alpha=0.4,beta=0.4", "30");
    assert!(undecided == 5 || text.contains("accepted"), "{text}");
    let (undecided, text) = code("mahjong-distance.wasm", "distance", "elo0=0,elo1=50", "50");
    assert!(undecided == 5 && text.contains("not decided"), "{text}");
}

#[test]
fn a_test_finds_the_better_player_in_both_orders() {
    let test = ["--game", "mahjong", "--sprt", "elo0=0,elo1=50", "--json", "-"];
    let there = result(&named("distance", "straightforward", &test));
    let here = result(&named("straightforward", "distance", &test));
    assert_eq!(there["sprt"]["decision"], "H1");
    assert_eq!(here["sprt"]["decision"], "H0");
    // The same rounds from the other side.
    let play = |first, second| result(&named(first, second, &["--game", "mahjong", "--json", "-"]));
    let (there, here) = (play("distance", "random"), play("random", "distance"));
    assert_eq!(there["results"]["won"], here["results"]["lost"]);
    assert_eq!(there["seat_one"], here["seat_one"]);
    let difference = |json: &Value| json["difference"]["value"].as_f64().unwrap();
    assert_eq!(difference(&there), -difference(&here));
}

#[test]
fn resume_completes_a_match_and_replays_no_finished_round() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("match.journal");
    let match_of = |second: &Path, more: &[&str]| {
        let path = journal.to_str().unwrap();
        let common = ["--game", "mahjong", "--json", "-", "--journal", path];
        let more: Vec<&str> = common.into_iter().chain(more.iter().copied()).collect();
        play([&sample("mahjong-distance"), second], &more)
    };
    let rounds = || std::fs::read_to_string(&journal).unwrap().matches("{\"round\":").count();
    let other = sample("mahjong-straightforward");
    let begun = match_of(&other, &["--rounds", "20"]);
    assert_eq!((begun.code, rounds()), (0, 20), "{}", begun.stderr);
    assert_eq!(match_of(&other, &["--rounds", "20"]).code, 2, "there is such a journal");

    let more = match_of(&other, &["--rounds", "60", "--resume"]);
    assert!(more.stderr.contains("resuming: the journal has 20 rounds"), "{}", more.stderr);
    assert_eq!(rounds(), 60, "only what is missing is played");
    let undisturbed = named(
        "mahjong-distance.wasm",
        "mahjong-straightforward.wasm",
        &["--game", "mahjong", "--json", "-", "--rounds", "60"],
    );
    assert_eq!(result(&more), result(&undisturbed));

    // Cut in the middle of a line, like after a kill.
    let text = std::fs::read(&journal).unwrap();
    std::fs::write(&journal, &text[..text.len() / 2]).unwrap();
    assert_eq!(result(&match_of(&other, &["--rounds", "60", "--resume"])), result(&undisturbed));

    let changed = match_of(&sample("mahjong-hunter"), &["--rounds", "60", "--resume"]);
    assert_eq!(changed.code, 2);
    assert!(
        changed.stderr.contains("belongs to another run: `players[1].bot`"),
        "{}",
        changed.stderr
    );
}

#[test]
fn resume_refuses_a_test_with_other_settings() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("j").display().to_string();
    let play = |sprt: &str, more: &[&str]| {
        let common = ["--game", "mahjong", "--rounds", "4000", "--journal", &journal];
        let sprt = ["--sprt", sprt];
        let tested = if sprt[1].is_empty() { &[][..] } else { &sprt };
        named("distance", "random", &[&common[..], tested, more].concat())
    };
    let begun = play("elo0=0,elo1=100,alpha=0.05,beta=0.05", &["--seed", "1"]);
    assert!(begun.code < 2, "{}", begun.stderr);
    for (sprt, told) in [
        (
            "elo0=0,elo1=150,alpha=0.05,beta=0.05",
            "`sprt.elo1` is \"100\" in the journal and \"150\" in this run",
        ),
        (
            "elo0=-5,elo1=100,alpha=0.05,beta=0.05",
            "`sprt.elo0` is \"0\" in the journal and \"-5\" in this run",
        ),
        (
            "elo0=0,elo1=100,alpha=0.1,beta=0.05",
            "`sprt.alpha` is \"0.05\" in the journal and \"0.1\" in this run",
        ),
        (
            "elo0=0,elo1=100,alpha=0.05,beta=0.1",
            "`sprt.beta` is \"0.05\" in the journal and \"0.1\" in this run",
        ),
        ("nelo0=0,nelo1=100,alpha=0.05,beta=0.05", "`sprt."),
        ("", "`sprt` is "),
    ] {
        let ran = play(sprt, &["--resume"]);
        assert_eq!(ran.code, 2, "{sprt}: {}", ran.stderr);
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
    }
    let again = play("elo0=0,elo1=100,alpha=0.05,beta=0.05", &["--resume"]);
    assert_eq!((again.code, again.stdout), (begun.code, begun.stdout));
}

#[test]
fn a_bot_that_always_fails_ends_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let bot = write(folder.path(), "silent.wasm", wat::parse_str(SILENT_BOT).unwrap());
    let more = ["--game", "mahjong", "--json", "-"];
    let ran = play([Path::new("random"), &bot], &more);
    let json = result(&ran);
    assert_eq!((ran.code, &json["end"]), (1, &"second-always-fails".into()), "{json:#}");
    assert_eq!((&json["pairs"], &json["faults"][1]["rounds"]), (&8.into(), &16.into()));
    assert_eq!(json["faults"][0]["rounds"], 0, "the other one is not to blame");
    let ran = play([&bot, Path::new("random")], &["--game", "mahjong"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("ended early: A failed in every round"), "{}", ran.stdout);
}

#[test]
fn a_match_of_a_player_against_itself_prints_a_note() {
    let bot = "cc-runner.wasm";
    let ran = named(bot, bot, &["--rounds", "4"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("note: A and B are the same"), "{}", ran.stderr);
    assert!(ran.stdout.contains("2: 0 of 2 points, 0 of 1½, 2 of 1"), "{}", ran.stdout);
}

#[test]
fn a_match_in_a_game_without_luck_prints_a_note() {
    let note = |more: &[&str]| {
        let more: Vec<&str> = ["--rounds", "2", "--game"].iter().chain(more).copied().collect();
        let ran = named("random", "greedy", &more);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stderr.contains("the seed changes nothing")
    };
    assert!(note(&["amazons", "--option", "opening=0"]));
    assert!(!note(&["amazons", "--option", "opening=4"]));
    for game in ["patchwork", "agamemnon"] {
        assert!(!note(&[game]), "{game}");
    }
}

#[test]
fn a_drawn_seed_is_printed_and_repeats_the_match() {
    let players = || [Path::new("distance"), Path::new("random")];
    let more = ["--game", "mahjong", "--rounds", "4"];
    let ran = unseeded(players(), &more);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let begin = ran.stderr.find("`--seed ").expect(&ran.stderr) + "`--seed ".len();
    let seed = ran.stderr[begin..].split('`').next().unwrap();
    assert!(seed.parse::<u64>().unwrap() > 1 << 32, "a chance of 1 in 2^31: {seed}");
    assert!(ran.stdout.contains(&format!("seeds {seed} to ")), "{}", ran.stdout);
    let again = play(players(), &[&more[..], &["--seed", seed]].concat());
    assert_eq!(again.stdout, ran.stdout);
    let other = unseeded(players(), &more);
    assert!(!other.stdout.contains(seed), "each match has luck of its own");
}

#[test]
fn a_resumed_match_keeps_its_drawn_seed() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("match.journal");
    let more = ["--game", "mahjong", "--json", "-", "--journal", journal.to_str().unwrap()];
    let part = |rounds: &'static str| {
        let more = [&more[..], &["--resume", "--rounds", rounds]].concat();
        unseeded([Path::new("distance"), Path::new("random")], &more)
    };
    let (begun, resumed) = (part("4"), part("8"));
    assert_eq!((begun.code, resumed.code), (0, 0), "{}", resumed.stderr);
    assert_eq!(begun.json()["seed"], resumed.json()["seed"]);
    assert!(!resumed.stderr.contains("drawn"), "{}", resumed.stderr);
}

#[test]
fn bad_arguments_of_a_match_are_refused() {
    let error = |first: &str, second: &str, more: &[&str]| {
        let ran = unseeded([&path(first), &path(second)], more);
        assert_eq!(ran.stdout, "");
        format!("{}: {}", ran.code, ran.stderr)
    };
    let game = &["--game", "cc"];
    let reports = [
        error("cc-runner.wasm", "mahjong-distance.wasm", &[]),
        error("random", "smart", &[]),
        error("random", "dragon", game),
        error("random", "./dragon.wasm", game),
        error("human", "random", game),
        error("random", "smart", &["--game", "cc", "--rounds", "5"]),
        error("random", "smart", &["--game", "cc", "--option", "size=1"]),
        error("random", "smart", &["--game", "cc", "--rounds", "20", "--sprt", "elo0=0,elo1=10"]),
        error("random", "smart", &["--game", "cc", "--sprt", "elo0=10,elo1=5"]),
        error("random", "smart", &["--game", "cc", "--sprt", "elo0=0,elo1=5,alpha=0.7"]),
        error("random", "smart", &["--game", "cc", "--resume"]),
        error("random", "smart", &["--game", "chess"]),
    ];
    let folder = format!("{}/", root().display());
    insta::assert_snapshot!(reports.join("\n").replace(&folder, ""));
}
