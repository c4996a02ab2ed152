//! `--testcase` of commands that play rounds outside of a suite: its limits, opponent and rules.

use crate::support::{SILENT_BOT, run, sample, write};

/// A testcase of 6 × 6 squares whose four rounds share 44 ms.
const TESTCASE: &str = "title = \"x\"\ngame = \"cc\"\nopponent = \"smart\"\nseat = 2\n\
                        seeds = [71, 72, 73, 74]\nmin_score = 0\npoints = 1\n\
                        [limits]\ntime_ms = 45\nmemory_kib = 1024\n[options]\nsize = 6\n";

#[test]
fn play_uses_the_settings_of_the_testcase() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "01-small.toml", TESTCASE);
    let file = file.to_str().unwrap();
    let bot = sample("cc-runner");
    let bot = bot.to_str().unwrap();
    let trace = run(["play", bot, "--testcase", file, "--trace"]);
    assert_eq!(trace.code, 0, "{}", trace.stderr);
    let by_hand = run([
        "play",
        bot,
        "--game",
        "cc",
        "--against",
        "smart",
        "--seat",
        "2",
        "--seed",
        "71",
        "--option",
        "size=6",
        "--time-ms",
        "11",
        "--memory-kib",
        "1024",
        "--trace",
    ]);
    assert_eq!(trace.stdout, by_hand.stdout);
    assert!(trace.stdout.contains("of 11.0 ms"), "{}", trace.stdout);
    // Options of the command line override the testcase.
    let other = run(["play", bot, "--testcase", file, "--seed", "72", "--seat", "1", "--trace"]);
    assert_ne!(other.stdout, trace.stdout);
    assert!(other.stdout.contains("1: game cc seat 1 size=6"), "{}", other.stdout);
    let checked = run(["check", bot, "--testcase", file]);
    assert!(checked.stdout.contains("of 11.0 ms"), "{}", checked.stdout);
    let explained = run(["explain", bot, "--testcase", file, "--rounds", "1"]);
    assert!(explained.stdout.contains("seat 1 (smart) wins"), "{}", explained.stdout);
    let matched = run(["match", bot, "random", "--testcase", file, "--rounds", "2", "--seed", "1"]);
    let by_hand = run([
        "match",
        bot,
        "random",
        "--game",
        "cc",
        "--option",
        "size=6",
        "--time-ms",
        "11",
        "--memory-kib",
        "1024",
        "--rounds",
        "2",
        "--seed",
        "1",
    ]);
    assert_eq!((matched.code, &matched.stdout), (by_hand.code, &by_hand.stdout));
    assert!(matched.stdout.contains("size=6"), "{}", matched.stdout);
}

#[test]
fn a_bundled_testcase_is_found_by_the_start_of_its_name() {
    let bot = sample("mahjong-distance");
    let bot = bot.to_str().unwrap();
    let whole = run(["play", bot, "--testcase", "03-reliable", "--trace"]);
    assert_eq!(whole.code, 0, "{}", whole.stderr);
    assert_eq!(run(["play", bot, "--testcase", "03", "--trace"]).stdout, whole.stdout);
    for (arguments, code, says) in [
        (&["play", bot, "--testcase", "0"][..], 2, "no testcase `0`"),
        (&["play", bot, "--testcase", "none.toml"], 3, "cannot read `none.toml`"),
        (&["play", "human", "--testcase", "03"], 2, "the game of the testcase `03` is not known"),
        (&["match", "random", "random", "--testcase", "03"], 2, "name it with `--game`"),
        (&["play", bot, "--testcase", "03", "--time-ms", "9"], 2, "cannot be used with"),
        (&["play", bot, "--testcase", "03", "--fuel", "9"], 2, "cannot be used with"),
        (&["profile", bot, "--testcase", "03", "--seed", "9"], 2, "leave these options out"),
    ] {
        let ran = run(arguments);
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(says), "{arguments:?}: {}", ran.stderr);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "01-small.toml", TESTCASE);
    let ran = run(["play", bot, "--game", "mahjong", "--testcase", file.to_str().unwrap()]);
    assert!(ran.stderr.contains("`01-small` is a testcase of `cc`"), "{}", ran.stderr);
}

#[test]
fn a_suggested_match_keeps_a_time_that_is_no_whole_millisecond() {
    let bot = sample("mahjong-distance");
    let bot = bot.to_str().unwrap();
    let start = ["match", bot, "random", "--rounds", "4", "--seed", "3"];
    let ran = run([&start[..], &["--fuel", "12345678"]].concat());
    assert!(ran.stderr.contains(" --seed 3 --fuel 12345678 --rounds "), "{}", ran.stderr);
    let ran = run([&start[..], &["--fuel", "12000000"]].concat());
    assert!(ran.stderr.contains(" --seed 3 --time-ms 12 --rounds "), "{}", ran.stderr);
    let ran = run([&start[..], &["--fuel", "5", "--time-ms", "1"]].concat());
    assert_eq!(ran.code, 2, "{}", ran.stderr);
}

#[test]
fn a_slow_bot_gets_a_hint_about_the_shared_time_budget() {
    let says = |arguments: &[&str]| {
        let ran = run(arguments);
        ran.stderr.contains("a testcase gives its time for all its rounds together")
    };
    let [slow, quick] = ["amazons-surveyor", "mahjong-distance"].map(sample);
    let [slow, quick] = [&slow, &quick].map(|path| path.to_str().unwrap());
    assert!(says(&["play", slow]));
    assert!(!says(&["play", quick]));
    assert!(!says(&["play", slow, "--testcase", "01"]), "it is played under its limits");
    assert!(says(&["check", slow, "--time-ms", "400"]));
    assert!(!says(&["check", quick]));
    let short = ["match", slow, "random", "--time-ms", "20", "--rounds", "2", "--seed", "1"];
    assert!(says(&short));
    assert!(!says(&["match", slow, "random", "--rounds", "2", "--seed", "1"]));
}

#[test]
fn a_bot_over_the_memory_limit_gets_a_hint_to_its_testcase() {
    let folder = tempfile::tempdir().unwrap();
    let module =
        SILENT_BOT.replace("(memory (export \"memory\") 1)", "(memory (export \"memory\") 40)");
    assert_ne!(module, SILENT_BOT);
    let bot = write(folder.path(), "bot.wat", module);
    let bot = bot.to_str().unwrap();
    let says = |arguments: &[&str]| {
        let ran = run(arguments);
        ran.stderr.contains("testcase.toml`")
    };
    let graded = ["grade", bot, "--suite", "cc"];
    let played = ["play", bot, "--game", "cc"];
    assert!(!says(&graded) && !says(&played), "there is none");
    // A testcase with too little memory is not suggested.
    let file = write(folder.path(), "testcase.toml", TESTCASE);
    assert!(!says(&graded) && !says(&played));
    write(folder.path(), "testcase.toml", TESTCASE.replace("1024", "3072"));
    assert!(says(&graded) && says(&played));
    let file = file.to_str().unwrap();
    assert!(!says(&["play", bot, "--testcase", file]));
    // Folders of other users are not suggested.
    assert!(!says(&["grade", bot, "--suite", "cc", "--build"]));
}
