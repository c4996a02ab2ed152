//! `judge verify` and `judge diff`: valid and invalid parts, and their positions.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use judge_core::{Replay, RoundRecord, Seat};
use serde_json::Value;

use crate::support::{Ran, judge, run, sample, says, write};

/// A folder with one replay: the distance bot against `random`.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        folder.play("round.jsonl", "5");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn play(&self, name: &str, seed: &str) {
        let (bot, path) = (sample("mahjong-distance"), self.path(name));
        let options = ["--seed", seed, "--replay", path.to_str().unwrap()];
        let ran = run([&["play", bot.to_str().unwrap()][..], &options].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn record(&self) -> RoundRecord {
        RoundRecord::from_replay(&self.text("round.jsonl")).unwrap()
    }

    /// Verifies a file with that content, with the given bots and options.
    fn verify(&self, content: &str, more: &[&str]) -> Ran {
        let path = write(self.0.path(), "changed", content);
        self.tame(run([&["verify", path.to_str().unwrap()][..], more].concat()))
    }

    /// Removes the parts that differ between machines.
    fn tame(&self, mut ran: Ran) -> Ran {
        let folder = format!("{}/", self.0.path().display());
        let samples = sample("x").with_extension("").with_file_name("");
        for text in [&mut ran.stdout, &mut ran.stderr] {
            *text = text.replace(&folder, "").replace(samples.to_str().unwrap(), "");
        }
        ran
    }

    /// Changes and reseals the record, like a forger.
    fn forged(&self, change: impl FnOnce(&mut RoundRecord)) -> String {
        let mut record = self.record();
        change(&mut record);
        record.to_replay()
    }
}

/// The path of the bot in the replay.
fn bot() -> String {
    sample("mahjong-distance").display().to_string()
}

/// The index of the bot's third answer.
fn an_answer(record: &RoundRecord) -> usize {
    let own =
        |at: &usize| record.calls[*at].seat == Seat::One && record.calls[*at].answer.is_some();
    (0..record.calls.len()).filter(own).nth(2).unwrap()
}

/// The finding, without figures that depend on the sample bot's compiler.
macro_rules! assert_found {
    ($ran:expr, $code:expr, @$snapshot:literal) => {{
        let ran: Ran = $ran;
        assert_eq!(ran.code, $code, "{}{}", ran.stdout, ran.stderr);
        insta::with_settings!({filters => vec![
            (r"[0-9a-f]{64}", "[sha-256]"),
            (r"[0-9a-f]{8}…", "[sha-256]"),
            (r"\d+ fuel", "[n] fuel"),
        ]}, {
            insta::assert_snapshot!(ran.stdout + &ran.stderr, @$snapshot);
        });
    }};
}

#[test]
fn an_honest_replay_verifies() {
    let folder = Folder::new();
    assert_found!(folder.verify(&folder.text("round.jsonl"), &[]), 5, @r#"
    NOT CHECKED: nothing contradicts the replay (rules only), but not all of it was checked
    note: this is a round of mahjong, seed 5: mahjong-distance against random, 4000 ms, 2048 KiB
    checked: the 139 lines between judge and players, the result and the scores follow from the rules
    checked: the seal, and the digest [sha-256]
    checked: seat 2 (`random`): the reference opponent gives the same answers
    not checked: fingerprint: that this judge played it
    not checked: seat 1 (`mahjong-distance`): that this bot gives these answers, at this cost; name its module (SHA-256 [sha-256]) to have it play again
    "#);
    assert_found!(folder.verify(&folder.text("round.jsonl"), &[&bot()]), 0, @r#"
    holds: all of the replay was checked (played again)
    note: this is a round of mahjong, seed 5: mahjong-distance against random, 4000 ms, 2048 KiB
    checked: the fingerprint is that of this judge
    checked: the 139 lines between judge and players, the result and the scores follow from the rules
    checked: the seal, and the digest [sha-256]
    checked: seat 1 (`mahjong-distance`): the bot gives the same answers at the same cost, with the same memory and log
    checked: seat 2 (`random`): the reference opponent gives the same answers
    "#);
}

#[test]
fn a_module_other_than_the_recorded_bot_is_refused() {
    let folder = Folder::new();
    let other = sample("mahjong-straightforward").display().to_string();
    assert_found!(folder.verify(&folder.text("round.jsonl"), &[&other]), 1, @r#"
    DOES NOT HOLD: line 1, SHA-256 of seat 1: seat 1 was played by another module, called `mahjong-distance`
      recorded: [sha-256]
      found:    [sha-256] (`mahjong-straightforward.wasm`)
    note: this is a round of mahjong, seed 5: mahjong-distance against random, 4000 ms, 2048 KiB
    checked: the fingerprint is that of this judge
    "#);
    let both = folder.verify(&folder.text("round.jsonl"), &[&bot(), &other]);
    assert_eq!(both.code, 2);
    assert!(both.stderr.contains("did not play in this round"), "{}", both.stderr);
}

#[test]
fn a_changed_answer_is_found_by_the_rules_and_by_the_bot() {
    let folder = Folder::new();
    let record = folder.record();
    let at = an_answer(&record);
    let lines: Vec<String> = folder.text("round.jsonl").lines().map(str::to_owned).collect();
    let own = record.calls[at].answer.clone().unwrap();
    let other = record.calls[..at].iter().find_map(|call| {
        let tile = call.line.strip_prefix("draw ").filter(|_| call.seat == Seat::One)?;
        (tile != own && lines[at + 1].contains("discard?")).then(|| tile.to_owned())
    });
    let illegal = folder.forged(|record| record.calls[at].answer = Some("xyz".to_owned()));
    assert_found!(folder.verify(&illegal, &[]), 1, @r#"
    DOES NOT HOLD: line 43 (call 42): the round ends here by the rules, but the record continues
      recorded: 1: discard? -> xyz  ([n] fuel)
      found:    Protocol error: `xyz` is not a tile: expected a rank from 1 to 9 and a suit letter, as in `3b`
    note: this is a round of mahjong, seed 5: mahjong-distance against random, 4000 ms, 2048 KiB
    "#);
    assert_found!(folder.verify(&illegal, &[&bot()]), 1, @r#"
    DOES NOT HOLD: line 43 (call 42): different when the bots play again
      recorded: 1: discard? -> xyz  ([n] fuel)
      found:    1: discard? -> 1c  ([n] fuel)
    note: this is a round of mahjong, seed 5: mahjong-distance against random, 4000 ms, 2048 KiB
    checked: the fingerprint is that of this judge
    "#);
    let legal = folder.forged(|record| record.calls[at].answer = other);
    let ran = folder.verify(&legal, &[&bot()]);
    let line = format!("line {} (call {}): different when the bots", at + 2, at + 1);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains(&line), "{}", ran.stdout);
}

#[test]
fn a_changed_cost_is_found_by_the_seal_and_a_forged_one_by_the_bot() {
    let folder = Folder::new();
    let at = an_answer(&folder.record());
    let fuel = folder.record().calls[at].fuel.unwrap();
    let (before, after) = (format!("\"fuel\":{fuel}"), format!("\"fuel\":{}", fuel + 1));
    let changed = folder.text("round.jsonl").replacen(&before, &after, 1);
    assert_found!(folder.verify(&changed, &[]), 1, @r#"
    DOES NOT HOLD: lines 2 to 141: changed after it was written: the lines hash to `[sha-256]`, but the `digest` is `[sha-256]`; the rules allow every line, so it is a cost, an answer that changes nothing, memory or a log: name the bots to find it
    note: this is a round of mahjong, seed 5: mahjong-distance against random, 4000 ms, 2048 KiB
    checked: the 139 lines between judge and players, the result and the scores follow from the rules
    "#);
    let forged = folder.forged(|record| record.calls[at].fuel = Some(fuel + 1));
    assert_eq!(folder.verify(&forged, &[]).code, 5, "only the bot can tell");
    let place = format!("line {} (call {}): different when the bots", at + 2, at + 1);
    for text in [changed, forged] {
        let ran = folder.verify(&text, &[&bot()]);
        assert_eq!(ran.code, 1);
        assert!(ran.stdout.contains(&place), "{}", ran.stdout);
    }
    let logged = folder.forged(|record| record.trailer.logs[Seat::One] = "hm".to_owned());
    assert_found!(folder.verify(&logged, &[&bot()]), 1, @r#"
    DOES NOT HOLD: line 141, log of seat 1: different when the bots play again
      recorded: "hm"
      found:    ""
    note: this is a round of mahjong, seed 5: mahjong-distance against random, 4000 ms, 2048 KiB
    checked: the fingerprint is that of this judge
    "#);
}

#[test]
fn a_forged_line_or_result_is_found_by_the_rules() {
    let folder = Folder::new();
    let line = folder.forged(|record| record.calls[2].line = "draw 9d".to_owned());
    assert_found!(folder.verify(&line, &[]), 1, @r#"
    DOES NOT HOLD: line 4 (call 3): not what the rules and the opponent give; it, or an answer before it, was changed
      recorded: 1: draw 9d  ([n] fuel)
      found:    1: draw 4c  ([n] fuel)
    note: this is a round of mahjong, seed 5: mahjong-distance against random, 4000 ms, 2048 KiB
    "#);
    let score = folder.forged(|record| record.trailer.outcome.scores = [1000, 0]);
    assert_found!(folder.verify(&score, &[]), 1, @r#"
    DOES NOT HOLD: line 141, result: not what the rules give
      recorded: seat 1 wins 1000:0 (self draw)
      found:    seat 1 wins 48:0 (self draw)
    note: this is a round of mahjong, seed 5: mahjong-distance against random, 4000 ms, 2048 KiB
    "#);
}

#[test]
fn an_edited_replay_is_reported_with_the_line() {
    let folder = Folder::new();
    let text = folder.text("round.jsonl");
    let seed = text.replacen("\"seed\":5", "\"seed\":7", 1);
    assert_found!(folder.verify(&seed, &[]), 1, @"DOES NOT HOLD: line 1: changed after it was written: the first line fits neither the `digest` nor the `seal`");
    let name = text.replacen("mahjong-distance", "my-bot", 1);
    assert_found!(folder.verify(&name, &[]), 1, @"DOES NOT HOLD: line 1 or the seal in line 141: changed after it was written: the `seal` fits the moves, but not the names of the players");
    let spaces = text.replacen("\"seat\":1,", "\"seat\": 1,", 1);
    assert_found!(folder.verify(&spaces, &[]), 1, @"DOES NOT HOLD: line 2, column 9: changed after it was written: spaces, order, unknown or repeated fields");
    assert_found!(folder.verify(&text.replacen("\"seat\":1,", "\"seat\":3,", 1), &[]), 3, @"error: `changed`: not a replay of `judge play --replay`: line 2: seat `3` does not exist: a match has seats `1` and `2` (column 9)");
    assert_found!(folder.verify("once upon a time\n", &[]), 3, @"error: `changed`: neither a replay of `judge play --replay`, nor a report of `judge grade --json`, nor a journal, nor the JSON of a match");
}

#[test]
fn a_dropped_doubled_or_moved_line_is_found() {
    let folder = Folder::new();
    let text = folder.text("round.jsonl");
    let lines: Vec<&str> = text.lines().collect();
    for at in (0..lines.len()).step_by(9).chain([lines.len() - 1]) {
        let mut dropped = lines.clone();
        dropped.remove(at);
        let mut doubled = lines.clone();
        doubled.insert(at, lines[at]);
        let mut moved = lines.clone();
        moved.swap(at, (at + 1) % lines.len());
        for edited in [dropped, doubled, moved] {
            let ran = folder.verify(&(edited.join("\n") + "\n"), &[]);
            assert!(matches!(ran.code, 1 | 3), "line {at}: {}", ran.stdout);
            assert!((ran.stdout + &ran.stderr).contains("line"), "line {at}");
        }
    }
}

#[test]
fn results_of_another_judge_are_not_compared() {
    let folder = Folder::new();
    let other = folder.forged(|record| {
        record.header.fingerprint.judge = "0.0.9".to_owned();
        record.header.fingerprint.engine = "old".to_owned();
    });
    let ran = folder.verify(&other, &[&bot()]);
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""));
    for word in ["judge `0.0.9`, engine `old`", "this is judge `", "hint: "] {
        assert!(ran.stderr.contains(word), "{}", ran.stderr);
    }
    let ran = folder.verify(&other, &[]);
    assert_eq!(ran.code, 5);
    assert!(
        ran.stdout.contains("not checked: fingerprint: written by another judge (judge `0.0.9`"),
        "{}",
        ran.stdout
    );
}

#[test]
fn the_json_of_verify_has_the_findings() {
    let folder = Folder::new();
    let honest = folder.verify(&folder.text("round.jsonl"), &["--json", "-"]).json();
    assert_eq!((&honest["holds"], &honest["result"]), (&Value::Null, &"not-checked".into()));
    assert_eq!(honest["level"], "rules");
    assert_eq!(honest["unchecked"].as_array().map(Vec::len), Some(2));
    let score = folder.forged(|record| record.trailer.outcome.scores = [1000, 0]);
    let forged = folder.verify(&score, &["--json", "-"]);
    assert_eq!(forged.code, 1);
    assert_eq!(forged.json()["problem"]["recorded"], "seat 1 wins 1000:0 (self draw)");
}

#[test]
fn verify_takes_a_persons_answers_and_replays_the_bot() {
    let folder = Folder::new();
    let (replay, bot) = (folder.path("person.jsonl"), sample("cc-runner"));
    let mut command = judge();
    command.args(["play", "human", "--game", "cc", "--against"]).arg(&bot).arg("--replay");
    let mut child =
        command.arg(&replay).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"3\nresign\n").unwrap();
    assert!(child.wait().unwrap().success());
    let text = folder.text("person.jsonl");
    assert_found!(folder.verify(&text, &[]), 5, @r#"
    NOT CHECKED: nothing contradicts the replay (rules only), but not all of it was checked
    note: this is a round of cc, seed 1: human against cc-runner, 4000 ms, 2048 KiB
    checked: the 7 lines between judge and players, the result and the scores follow from the rules
    checked: the seal, and the digest [sha-256]
    not checked: fingerprint: that this judge played it
    not checked: seat 1 (`human`): a person's answers, which cannot be repeated; the rules allow each of them
    not checked: seat 2 (`cc-runner`): that this bot gives these answers, at this cost; name its module (SHA-256 [sha-256]) to have it play again
    "#);
    assert_found!(folder.verify(&text, &[bot.to_str().unwrap()]), 5, @r#"
    NOT CHECKED: nothing contradicts the replay (played again), but not all of it was checked
    note: this is a round of cc, seed 1: human against cc-runner, 4000 ms, 2048 KiB
    checked: the fingerprint is that of this judge
    checked: the 7 lines between judge and players, the result and the scores follow from the rules
    checked: the seal, and the digest [sha-256]
    checked: seat 2 (`cc-runner`): the bot gives the same answers at the same cost, with the same memory and log
    not checked: seat 1 (`human`): a person's answers, which cannot be repeated; the rules allow each of them
    "#);
}

#[test]
fn replays_are_compared_up_to_the_first_difference() {
    let folder = Folder::new();
    folder.play("other.jsonl", "6");
    let diff =
        |one: &str, other: &Path| folder.tame(run([Path::new("diff"), &folder.path(one), other]));
    assert_found!(diff("round.jsonl", &folder.path("round.jsonl")), 0, @"the same round: 139 calls, digest [sha-256]");
    assert_found!(diff("round.jsonl", &folder.path("other.jsonl")), 1, @r#"
    seed:
    - 5
    + 6
    call 3 (line 4), move 1:
      1: game mahjong seat 1 void_suit=false all_triplets=2 full_flush=4 seven_pairs=4 root=2  ([n] fuel)
      2: game mahjong seat 2 void_suit=false all_triplets=2 full_flush=4 seven_pairs=4 root=2
    - 1: draw 4c  ([n] fuel)
    + 1: draw 2c  ([n] fuel)
    "#);
    let at = an_answer(&folder.record());
    let fuel = folder.record().calls[at].fuel.unwrap();
    let (before, after) = (format!("\"fuel\":{fuel}"), format!("\"fuel\":{}", fuel + 1));
    let changed = folder.text("round.jsonl").replacen(&before, &after, 1);
    let ran = diff("round.jsonl", &write(folder.0.path(), "changed", changed));
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.starts_with("note: `changed`: lines 2 to "), "{}", ran.stdout);
    let place = format!("call {} (line {}), move ", at + 1, Replay::line_of_call(at));
    assert!(ran.stdout.contains(&place), "{}", ran.stdout);
    assert!(ran.stdout.contains(&format!("({fuel} fuel)\n+ ")), "{}", ran.stdout);
    let shorter = folder.forged(|record| record.calls.truncate(9));
    let ran = diff("round.jsonl", &write(folder.0.path(), "shorter", shorter));
    assert!(ran.stdout.contains("\n+ the round ends here\n"), "{}", ran.stdout);
    let log = folder.forged(|record| record.trailer.logs[Seat::One] = "hm".to_owned());
    assert_found!(diff("round.jsonl", &write(folder.0.path(), "log", log)), 1, @r#"
    log of seat 1:
    - ""
    + "hm"
    "#);
    assert_eq!(diff("round.jsonl", &write(folder.0.path(), "no", "nothing")).code, 3);
}

const TESTCASE: &str = r#"title = "Two rounds"
game = "mahjong"
opponent = "random"
seeds = [5, 6]
min_score = 3000
points = 10
"#;

/// Grades the distance bot on one testcase, and returns the report and the testcase's path.
fn graded(folder: &Folder) -> (String, String) {
    let case = write(folder.0.path(), "case.toml", TESTCASE).display().to_string();
    let ran = run(["grade", &bot(), "--testcase", &case, "--json", "-"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    (ran.stdout, case)
}

#[test]
fn an_honest_report_verifies() {
    let folder = Folder::new();
    let (report, case) = graded(&folder);
    assert_found!(folder.verify(&report, &[]), 5, @r#"
    NOT CHECKED: nothing contradicts the report (rules only), but not all of it was checked
    checked: verdicts, points, sums, digests and seal follow from the rounds
    not checked: fingerprint: that this judge played it
    not checked: seeds, thresholds and points of the testcases: name them with `--suite` or `--testcase`
    not checked: bots[0] (`mahjong-distance`): that its rounds were played this way; name its module (SHA-256 [sha-256]) to have it play again
    "#);
    assert_found!(folder.verify(&report, &["--testcase", &case, &bot()]), 0, @r#"
    holds: all of the report was checked (played again), but for `timing`, the wall clock's figures
    checked: the fingerprint is that of this judge
    checked: verdicts, points, sums, digests and seal follow from the rounds
    checked: the testcases are those of the suite `testcases`: seeds, limits, thresholds and points
    checked: `mahjong-distance.wasm`: plays every round again with the same result
    "#);
}

#[test]
fn a_folder_with_one_module_matches_the_name_in_a_report() {
    let folder = Folder::new();
    let case = write(folder.0.path(), "case.toml", TESTCASE).display().to_string();
    std::fs::create_dir_all(folder.path("ada/build")).unwrap();
    std::fs::copy(bot(), folder.path("ada/build/bot.wasm")).unwrap();
    let ada = folder.path("ada").display().to_string();
    let graded = run(["grade", &ada, "--testcase", &case, "--json", "-"]);
    says(&graded.stdout, &["\"name\": \"ada\""]);
    let ran = folder.verify(&graded.stdout, &["--testcase", &case, &ada]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    // The module does not reveal its owner.
    let ran = folder.verify(&graded.stdout, &["--testcase", &case, &bot()]);
    assert_eq!(ran.code, 5, "{}", ran.stdout);
    says(&ran.stdout, &["not checked: bots[0].bot.name: the name `ada`"]);
}

#[test]
fn a_changed_report_is_reported_with_the_changed_field() {
    let folder = Folder::new();
    let (report, case) = graded(&folder);
    let points = report.replacen("\"points\": 0", "\"points\": 10", 1);
    assert_found!(folder.verify(&points, &[]), 1, @r#"
    DOES NOT HOLD: bots[0].points: does not follow from the rest of the report
      recorded: 10
      found:    0
    "#);
    let name = report.replacen("mahjong-distance", "my-bot", 1);
    assert_found!(folder.verify(&name, &[]), 1, @r#"
    DOES NOT HOLD: seal: changed after it was written: a name, a title, the suite, the fingerprint or this seal
      recorded: "[sha-256]"
      found:    "[sha-256]"
    "#);
    let unknown = report.replacen("\"points\": 0", "\"pints\": 0,\n      \"points\": 0", 1);
    assert_found!(folder.verify(&unknown, &[]), 1, @"DOES NOT HOLD: line 16, column 9: changed after it was written: spaces, order, unknown or repeated fields");
    let newer = report.replacen("\"version\": 1", "\"version\": 3", 1);
    assert_found!(folder.verify(&newer, &[]), 3, @"error: `changed`: not a report of `judge grade --json`: its version is `3`, this judge reads `1` to `2`");
    let other = write(folder.0.path(), "other.toml", case_with("seeds = [5, 7]"));
    let ran = folder.verify(&report, &["--testcase", other.to_str().unwrap()]);
    assert_found!(ran, 1, @r#"
    DOES NOT HOLD: bots[0].testcases[0].sha256: another suite was graded (the first difference: `bots[0].testcases[0].seeds[1]` is 6, the suite has 7)
      recorded: [sha-256]
      found:    [sha-256]
    "#);
    assert_eq!(folder.verify(&report, &[&bot()]).code, 2, "the testcase is not at hand");
    let stray = sample("mahjong-hunter").display().to_string();
    assert_found!(folder.verify(&report, &["--testcase", &case, &stray]), 1, @r#"
    DOES NOT HOLD: SHA-256 of the bots: none of the report's bots is `mahjong-hunter.wasm`
      recorded: [sha-256]
      found:    [sha-256] (`mahjong-hunter.wasm`)
    checked: the fingerprint is that of this judge
    checked: verdicts, points, sums, digests and seal follow from the rounds
    checked: the testcases are those of the suite `testcases`: seeds, limits, thresholds and points
    "#);
}

fn case_with(seeds: &str) -> String {
    TESTCASE.replacen("seeds = [5, 6]", seeds, 1)
}

#[test]
fn a_forged_report_is_found_by_replaying_the_bot() {
    use judge_core::{GradeReport, digest};
    use judge_grading::Suite;

    let folder = Folder::new();
    let (text, case) = graded(&folder);
    let mut report = GradeReport::from_json(&text).unwrap();
    let suite = Suite::of_testcases(&[PathBuf::from(&case)]).unwrap();
    let bot_report = &mut report.bots[0];
    bot_report.testcases[0].rounds[1].digest = Some(digest(b"another round"));
    let (told, testcases) = (bot_report.bot.clone(), bot_report.testcases.clone());
    *bot_report = judge_grading::bot_report(told, &suite, testcases);
    let forged = report.sealed().to_json();
    assert_eq!(folder.verify(&forged, &["--testcase", &case]).code, 5, "only the bot can tell");
    let ran = folder.verify(&forged, &["--testcase", &case, &bot()]);
    assert_found!(ran, 1, @r#"
    DOES NOT HOLD: bots[0].testcases[0].rounds[1].digest: different when the bot plays again
      recorded: "[sha-256]"
      found:    "[sha-256]"
    checked: the fingerprint is that of this judge
    checked: verdicts, points, sums, digests and seal follow from the rounds
    checked: the testcases are those of the suite `testcases`: seeds, limits, thresholds and points
    "#);
}
