//! `judge tournament`: many players, every two of them in pairs of rounds.

use std::ffi::OsString;

use serde_json::Value;

use crate::support::{Ran, SILENT_BOT, run, sample, write};

/// Two bots and two reference opponents.
const PLAYERS: [&str; 4] =
    ["random", "mahjong-distance.wasm", "mahjong-hunter.wasm", "straightforward"];

fn play(players: &[&str], more: &[&str]) -> Ran {
    let seeded = [&["--seed", "1"][..], more].concat();
    // A separate seed, unless the test sets one.
    unseeded(players, if more.contains(&"--seed") { more } else { &seeded })
}

/// A tournament without `--seed`.
fn unseeded(players: &[&str], more: &[&str]) -> Ran {
    let mut arguments: Vec<OsString> = vec!["tournament".into(), "--game=mahjong".into()];
    arguments.extend(more.iter().map(OsString::from));
    arguments.extend(players.iter().map(|name| match name.strip_suffix(".wasm") {
        Some(bot) if !bot.contains('/') => sample(bot).into(),
        _ => name.into(),
    }));
    run(arguments)
}

/// The result without times.
fn result(ran: &Ran) -> Value {
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let mut json = ran.json();
    assert!(json.as_object_mut().unwrap().remove("timing").is_some());
    json
}

#[test]
fn the_tables_rank_the_players() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["standing.csv", "tables.md", "page.html", "ratings.svg"];
    let files = files.map(|name| folder.path().join(name));
    let [csv, markdown, html, svg] = files.each_ref().map(|path| path.to_str().unwrap());
    let more = ["--csv", csv, "--markdown", markdown, "--html", html, "--svg", svg];
    let ran = play(&PLAYERS, &[&["--rounds", "40"], &more[..]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let [csv, markdown, html, svg] = files.map(|path| std::fs::read_to_string(path).unwrap());
    assert_eq!(markdown, ran.stdout);
    for text in [html, svg] {
        assert!(PLAYERS.iter().all(|name| text.contains(name.trim_end_matches(".wasm"))), "{text}");
    }
    insta::assert_snapshot!(format!("{}\n{csv}", ran.stdout));
}

#[test]
fn equal_players_share_a_rank() {
    // Mirror images of each other on the only start.
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("standing.csv");
    let arguments = ["tournament", "--game=cc", "--option", "size=5", "--option", "opening=0"];
    let arguments = arguments.into_iter().chain(["smart", "lookahead", "alphabeta"]);
    let more = ["--rounds", "20", "--json", "-", "--csv", csv.to_str().unwrap()];
    let ran = run(arguments.chain(more));
    let json = result(&ran);
    assert_eq!(json["version"], 4);
    assert_eq!(json["openings"]["starts"], 1, "{json:#}");
    let ranks: Vec<u64> = json["standing"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["rank"].as_u64().unwrap())
        .collect();
    let ratings: Vec<f64> = json["standing"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["rating"]["value"].as_f64().unwrap())
        .collect();
    for (at, rank) in ranks.iter().enumerate() {
        let first = ratings.iter().position(|one| (one - ratings[at]).abs() < 1e-6).unwrap();
        assert_eq!(*rank as usize, first + 1, "{json:#}");
    }
    let csv = std::fs::read_to_string(csv).unwrap();
    let column: Vec<u64> =
        csv.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap()).collect();
    assert_eq!(column, ranks);
    assert!(ran.stderr.contains("the seed changes nothing"), "{}", ran.stderr);
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
        // Cut anywhere, like after a kill, even in the middle of a line.
        let text = std::fs::read(&journal).unwrap();
        std::fs::write(&journal, &text[..text.len() / part]).unwrap();
        assert_eq!(result(&go_on(players)), undisturbed);
    }
    let lines = std::fs::read_to_string(&journal).unwrap().lines().count();
    assert_eq!(lines, 1 + 3 * 20 + 1, "nothing is played twice, and what counts is noted");

    let refused = go_on(&["random", "mahjong-distance.wasm", "mahjong-straightforward.wasm"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("to another run: `players[2].bot`"), "{}", refused.stderr);
}

/// The players of a small tournament, including one that never answers.
fn with_silent_bot(folder: &tempfile::TempDir) -> [String; 3] {
    let bot = write(folder.path(), "silent.wasm", wat::parse_str(SILENT_BOT).unwrap());
    ["straightforward", bot.to_str().unwrap(), "distance"].map(str::to_owned)
}

#[test]
fn a_failing_bot_does_not_change_results_of_other_players() {
    let folder = tempfile::tempdir().unwrap();
    let players = with_silent_bot(&folder);
    let players = players.each_ref().map(String::as_str);
    let json = result(&play(&players, &["--rounds", "40", "--json", "-"]));
    let meetings = json["meetings"].as_array().unwrap();
    let pairs: Vec<u64> = meetings.iter().map(|one| one["pairs"].as_u64().unwrap()).collect();
    assert_eq!(pairs, [8, 20, 8], "only its meetings end early");
    let standing = json["standing"].as_array().unwrap();
    let counts =
        |key: &str| -> Vec<u64> { standing.iter().map(|row| row[key].as_u64().unwrap()).collect() };
    assert_eq!((counts("faults"), counts("ended_early")), (vec![0, 0, 32], vec![0, 0, 2]));
    assert_eq!(standing[2]["kinds"], serde_json::json!({"protocol-error": 32}), "{json:#}");
}

#[test]
fn every_format_names_failing_players_and_short_meetings() {
    let folder = tempfile::tempdir().unwrap();
    let players = with_silent_bot(&folder);
    let players = players.each_ref().map(String::as_str);
    let files = ["standing.csv", "page.html", "ratings.svg"].map(|name| folder.path().join(name));
    let [csv, html, svg] = files.each_ref().map(|path| path.to_str().unwrap());
    let more = ["--rounds", "40", "--csv", csv, "--html", html, "--svg", svg];
    let ran = play(&players, &more);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let early = "2 meetings ended early, as silent failed in every round: with straightforward, \
                 distance.";
    let first = "against straightforward: Protocol error, seed 1, seat ";
    let failed = format!("silent failed in 32 rounds (32 × Protocol error), first: `` {first}");
    assert!(ran.stdout.contains(early) && ran.stdout.contains(&failed), "{}", ran.stdout);
    let [csv, html, svg] = files.map(|path| std::fs::read_to_string(path).unwrap());
    assert!(csv.contains(&format!(",32,2,\"{first}")), "{csv}");
    assert!(html.contains(early) && html.contains("<b>32</b>: 32 × Protocol error"), "{html}");
    assert!(svg.contains(", 32 faults</title>"), "{svg}");
}

#[test]
fn in_a_gauntlet_the_first_player_meets_all_others() {
    let json = result(&play(&PLAYERS, &["--format", "gauntlet", "--rounds", "10", "--json", "-"]));
    let meetings = json["meetings"].as_array().unwrap();
    let players: Vec<&Value> = meetings.iter().map(|meeting| &meeting["players"]).collect();
    assert_eq!(players, [&serde_json::json!([0, 1]), &[0, 2].into(), &[0, 3].into()]);
}

#[test]
fn a_swiss_tournament_pairs_by_score_and_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("swiss.journal");
    let players =
        ["random", "distance", "straightforward", "mahjong-hunter.wasm", "mahjong-distance.wasm"];
    let swiss = ["--format", "swiss", "--cycles", "3", "--rounds", "12", "--json", "-"];
    let undisturbed = result(&play(&players, &[&swiss[..], &["--jobs", "1"]].concat()));
    let meetings = undisturbed["meetings"].as_array().unwrap();
    let cycles: Vec<u64> = meetings.iter().map(|one| one["cycle"].as_u64().unwrap()).collect();
    assert_eq!(cycles, [1, 1, 2, 2, 3, 3]);
    let mut met: Vec<String> = meetings.iter().map(|one| one["players"].to_string()).collect();
    met.sort_unstable();
    met.dedup();
    assert_eq!(met.len(), 6, "nobody meets twice");
    let byes = undisturbed["byes"].as_array().unwrap();
    assert_eq!((byes.len(), &byes[0]), (3, &4.into()), "the last named sits out first");

    let kept = ["--journal", journal.to_str().unwrap(), "--resume", "--jobs", "3"];
    let go_on = || result(&play(&players, &[&swiss[..], &kept].concat()));
    assert_eq!(go_on(), undisturbed);
    let text = std::fs::read(&journal).unwrap();
    std::fs::write(&journal, &text[..text.len() / 3]).unwrap();
    assert_eq!(go_on(), undisturbed);
    let ran = play(&players, &[&swiss[..4], &["--rounds", "12"]].concat());
    assert!(ran.stdout.contains("Byes, which count nothing: mahjong-distance in cycle 1"));
}

#[test]
fn results_per_opening_are_printed_for_few_openings() {
    let play = |more: &[&str]| {
        let players = ["tournament", "random", "smart", "--game=cc", "--option=size=5", "--seed=1"];
        run(players.iter().chain(&["--rounds", "8"]).chain(more))
    };
    let openings =
        |option: &str| result(&play(&["--json", "-", "--option", option]))["openings"].take();
    let alike = openings("opening=0");
    assert_eq!((&alike["distinct"], &alike["seeds"]), (&1.into(), &4.into()));
    assert_eq!((&alike["shown"][0]["seeds"], &alike["shown"][0]["rounds"]), (&4.into(), &8.into()));
    let different = openings("opening=4");
    assert_eq!((&different["distinct"], &different["shown"][3]["seed"]), (&4.into(), &4.into()));
    let text = play(&["--option", "opening=0"]).stdout;
    assert!(text.contains("All rounds begin alike"), "{text}");
    let see = "`judge rules show --game cc --option opening=0 --option size=5 --seed 1`";
    assert!(text.contains(see), "{text}");
}

/// Agamemnon's first question shows one drawn tile of ten kinds, but each seed has its own bags.
#[test]
fn openings_with_different_later_luck_count_separately() {
    let rounds = ["--game", "agamemnon", "--rounds", "40", "--seed", "1", "--json", "-"];
    let tournament = result(&run(["tournament", "random", "greedy"].iter().chain(&rounds)));
    let met = result(&run(["match", "random", "greedy"].iter().chain(&rounds)));
    let openings = &tournament["openings"];
    assert_eq!(met["starts"], 20, "{met:#}");
    for key in ["seeds", "starts", "distinct"] {
        assert_eq!(openings[key], met["starts"], "{key}: {openings:#}");
    }
    let text = run(["tournament", "random", "greedy"].iter().chain(&rounds[..6])).stdout;
    assert!(text.contains("Openings: 20 seeds, no two alike"), "{text}");
}

#[test]
fn merged_parts_print_the_same_as_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let common = ["--rounds", "12", "--jobs", "2"];
    let part = |shard: &str, file: &str| {
        let journal = path(file);
        play(&PLAYERS, &[&common[..], &["--shard", shard, "--journal", &journal]].concat())
    };
    for (shard, file) in [("1/3", "one"), ("2/3", "two"), ("3/3", "three")] {
        let ran = part(shard, file);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(ran.stdout.contains("2 of 6 meetings, 24 rounds"), "{}", ran.stdout);
    }
    let merge = |parts: &[&str], out: &str| {
        let parts = parts.iter().map(|part| path(part));
        run(["merge".to_owned()].into_iter().chain(parts).chain(["--out".to_owned(), path(out)]))
    };
    let wrong = merge(&["one", "three"], "wrong");
    assert!(wrong.code == 2 && wrong.stderr.contains("expected 1/3, 2/3, 3/3"), "{}", wrong.stderr);
    let joined = merge(&["three", "one", "two"], "whole");
    assert_eq!(joined.code, 0, "{}", joined.stderr);
    let more = [&common[..], &["--json", "-"]].concat();
    let whole = play(&PLAYERS, &[&more[..], &["--journal", &path("whole"), "--resume"]].concat());
    assert!(whole.stderr.contains("the journal has 72 rounds"), "{}", whole.stderr);
    assert_eq!(result(&whole), result(&play(&PLAYERS, &more)));
    let lines = std::fs::read_to_string(path("whole")).unwrap().lines().count();
    assert_eq!(
        lines,
        1 + 72 + 2,
        "what it is, the rounds, what was asked: nothing was played again"
    );

    // A part that was stopped, and one of another tournament.
    let text = std::fs::read(path("two")).unwrap();
    std::fs::write(path("two"), &text[..text.len() / 2]).unwrap();
    let stopped = merge(&["one", "two", "three"], "wrong");
    assert!(stopped.code == 3 && stopped.stderr.contains("not finished"), "{}", stopped.stderr);
    let other = ["--seed", "7", "--shard", "2/3", "--rounds", "2", "--journal"];
    assert_eq!(play(&PLAYERS, &[&other[..], &[&path("other")]].concat()).code, 0);
    let mixed = merge(&["one", "other", "three"], "wrong");
    assert!(mixed.stderr.contains("another tournament: `seed`"), "{}", mixed.stderr);
}

/// The random seed in a run's output.
fn printed_seed(ran: &Ran) -> String {
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let note = ran.stderr.lines().find_map(|line| {
        line.strip_prefix("note: the seed is drawn at random; `--seed ")?
            .strip_suffix("` repeats this run")
    });
    note.unwrap_or_else(|| panic!("no seed in: {}", ran.stderr)).to_owned()
}

#[test]
fn a_drawn_seed_is_printed_and_in_every_result() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["page.html", "tables.md"].map(|name| folder.path().join(name));
    let [html, markdown] = files.each_ref().map(|path| path.to_str().unwrap());
    let more = ["--rounds", "4", "--json", "-", "--html", html, "--markdown", markdown];
    let ran = unseeded(&PLAYERS[..2], &more);
    let seed = printed_seed(&ran);
    let number: u64 = seed.parse().unwrap();
    assert!(number < 1 << 63, "signed readers take it: {seed}");
    assert_eq!(ran.json()["seed"], number);
    assert_eq!(ran.json()["meetings"][0]["seed"], number);
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        assert!(text.contains(&seed), "{text}");
    }
    let again = play(&PLAYERS[..2], &[&more[..4], &["--seed", &seed]].concat());
    assert_eq!(result(&again), result(&ran));
    assert!(!again.stderr.contains("drawn"), "{}", again.stderr);
    assert_ne!(printed_seed(&unseeded(&PLAYERS[..2], &more[..4])), seed, "another one each time");
}

#[test]
fn resume_continues_with_the_seed_of_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("drawn.journal");
    let more = ["--rounds", "4", "--json", "-", "--journal", journal.to_str().unwrap()];
    let resumed = [&more[..], &["--resume"]].concat();
    // A run to continue that never began draws a new seed.
    let begun = unseeded(&PLAYERS[..2], &resumed);
    let seed = printed_seed(&begun);
    let lines = || std::fs::read_to_string(&journal).unwrap().lines().count();
    let all = lines();
    let again = unseeded(&PLAYERS[..2], &resumed);
    assert_eq!(result(&again), result(&begun), "{}", again.stderr);
    assert!(!again.stderr.contains("drawn at random") && lines() == all, "{}", again.stderr);
    let same = play(&PLAYERS[..2], &[&resumed[..], &["--seed", &seed]].concat());
    assert_eq!(result(&same), result(&begun));
    let other = play(&PLAYERS[..2], &[&resumed[..], &["--seed", "1"]].concat());
    assert!(other.code == 2 && other.stderr.contains("to another run: `seed`"), "{}", other.stderr);
}

#[test]
fn a_journal_without_a_seed_continues_with_seed_1() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("old.journal");
    let more = ["--rounds", "4", "--json", "-", "--journal", journal.to_str().unwrap()];
    assert_eq!(play(&PLAYERS[..2], &more).json()["seed"], 1);
    let more = ["--rounds", "8", "--json", "-", "--resume", "--journal", journal.to_str().unwrap()];
    let ran = unseeded(&PLAYERS[..2], &more);
    assert_eq!(result(&ran), result(&play(&PLAYERS[..2], &["--rounds", "8", "--json", "-"])));
}

#[test]
fn parts_of_a_tournament_need_the_same_seed() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("part.journal");
    let part = ["--rounds", "2", "--shard", "1/3", "--journal", journal.to_str().unwrap()];
    let refused = unseeded(&PLAYERS[..3], &part);
    assert_eq!((refused.code, refused.stdout.as_str()), (2, ""));
    assert!(refused.stderr.contains("hint: ") && refused.stderr.contains("--seed N"));
    assert!(!journal.exists());
    assert_eq!(play(&PLAYERS[..3], &[&part[..], &["--seed", "5"]].concat()).code, 0);
    let resumed = unseeded(&PLAYERS[..3], &[&part[..], &["--resume"]].concat());
    assert_eq!(resumed.code, 0, "its journal knows the seed: {}", resumed.stderr);
}

#[test]
fn seeds_wrap_from_the_largest_to_zero() {
    let last = ["--rounds", "4", "--json", "-", "--seed", "18446744073709551615"];
    let json = result(&play(&PLAYERS[..2], &last));
    let shown = json["openings"]["shown"].as_array().unwrap();
    let seeds: Vec<u64> = shown.iter().map(|one| one["seed"].as_u64().unwrap()).collect();
    assert_eq!(seeds, [u64::MAX, 0]);
    assert_eq!(json["meetings"][0]["pairs"], 2);
}

#[test]
fn bad_arguments_of_a_tournament_are_refused() {
    let error = |players: &[&str], more: &[&str]| {
        let ran = play(players, more);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
        ran.stderr
    };
    assert!(error(&["random", "distance", "random"], &[]).contains("are the same player"));
    assert!(error(&["random"], &[]).contains("2 values required"), "one player is no tournament");
    assert!(error(&["random", "dragon"], &[]).contains("neither a file nor an opponent"));
    assert!(error(&["random", "human"], &[]).contains("`human` can play only"));
    assert!(error(&["random", "distance"], &["--rounds", "3"]).contains("`--rounds 4`"));
    let three = ["random", "distance", "straightforward"];
    let swiss = |more: &[&str]| error(&three, &[&["--format", "swiss"], more].concat());
    assert!(swiss(&["--cycles", "3"]).contains("3 players have 2 others to meet, not 3"));
    assert!(error(&three, &["--cycles", "2"]).contains("`--cycles` is only for Swiss tournaments"));
    let twice = error(&three, &["--csv", "one.csv", "--markdown", "one.csv"]);
    assert!(twice.contains("`one.csv` is named for two results"), "{twice}");
    let journal = ["--journal", "never-made.jsonl"];
    let part = |more: &[&str]| error(&three, &[&journal[..], more].concat());
    assert!(part(&["--shard", "3/2"]).contains("expected a part and the number of parts"));
    assert!(part(&["--shard", "1/4"]).contains("4 parts are too many for 3 meetings"));
    assert!(part(&["--shard", "1/2", "--format", "swiss"]).contains("cannot be played in parts"));
    assert!(part(&["--shard", "1/2", "--csv", "x.csv"]).contains("cannot be used with"));
    assert!(error(&three, &["--shard", "1/2"]).contains("--journal"));
    let bots = ["mahjong-distance", "cc-runner"].map(|bot| sample(bot).into_os_string());
    let ran = run(["tournament".into()].into_iter().chain(bots));
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("the bots play different games"), "{}", ran.stderr);
}

#[test]
fn names_of_players_are_unique_and_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["random", "**b**", "&#114;andom", "@ada", "www.evil.example"];
    let path = |(number, name): (usize, &&str)| {
        let own = format!("(module (global i32 (i32.const {number}))");
        let module = wat::parse_str(SILENT_BOT.replacen("(module", &own, 1)).unwrap();
        write(folder.path(), &format!("{name}.wasm"), module).display().to_string()
    };
    let paths: Vec<String> = names.iter().enumerate().map(path).collect();
    let players: Vec<&str> =
        ["random"].into_iter().chain(paths.iter().map(String::as_str)).collect();
    let ran = play(&players, &["--rounds", "2"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    // Without code spans, the rest of a name would be markup.
    let bare: String = ran.stdout.split('`').step_by(2).collect();
    for name in &names[1..] {
        assert!(ran.stdout.contains(&format!("`{name}`")), "{name}: {}", ran.stdout);
        assert!(!bare.contains(name), "{name}: {bare}");
    }
    // Only the reference opponent has this name.
    let rows = ran.stdout.lines().filter(|line| line.contains("| random "));
    assert_eq!(rows.count(), 3, "one in each table: {}", ran.stdout);
    assert!(ran.stdout.contains(&format!("`{}`", paths[0])), "{}", ran.stdout);
}
