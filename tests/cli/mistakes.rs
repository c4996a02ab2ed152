//! Mistakes of beginners: each message names the place, the cause and the next command.

use std::path::{Path, PathBuf};

use crate::support::{Ran, SILENT_BOT, judge, root, run, sample, says, write};

const TESTCASE: &str = "title = \"One round\"\ngame = \"cc\"\nopponent = \"random\"\nseeds = [5]\n\
                        min_score = 2\npoints = 10\nlimits = { time_ms = 200 }\n";

/// A bot for cc as `judge new` makes it, with a change.
fn script(folder: &Path, language: &str, old: &str, new: &str) -> PathBuf {
    let (kit, name) = match language {
        "js" => ("javascript", "bot.js"),
        _ => ("python", "bot.py"),
    };
    let template = root().join(format!("sdk/templates/{kit}/cc.{language}"));
    let text = std::fs::read_to_string(template).unwrap();
    assert!(text.contains(old), "{old}");
    write(folder, name, text.replacen(old, new, 1))
}

/// Runs a command in the folder of a bot.
fn run_in(folder: &Path, arguments: &[&str]) -> Ran {
    judge().current_dir(folder).args(arguments).output().unwrap().into()
}

/// Grades a bot in this folder on one round.
fn grade(folder: &Path, bot: &str) -> Ran {
    write(folder, "case.toml", TESTCASE);
    run_in(folder, &["grade", bot, "--testcase", "case.toml"])
}

#[test]
fn syntax_error_is_found_by_build_and_check_and_reported_once_by_grade() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    script(here, "py", "def choose_move(state, tools):", "def choose_move(state, tools)");
    script(here, "js", "run(cc,", "run(cc,,");
    for (bot, place) in [("bot.py", "`bot.py:"), ("bot.js", "`bot.js:")] {
        let built = run_in(here, &["build", bot]);
        assert_eq!((built.code, built.stdout.as_str()), (3, ""), "{}", built.stderr);
        says(&built.stderr, &["` is not built: ", place, "SyntaxError", "hint: look at "]);
        assert!(!here.join("bot.wasm").exists());
        let checked = run_in(here, &["check", bot]);
        assert_eq!(checked.code, 1, "{}", checked.stderr);
        says(&checked.stdout, &["fails before it reads its first line\n  problem: ", place]);
        says(&checked.stdout, &["SyntaxError", "\n  remedy:  look at "]);
        let graded = run_in(here, &["grade", bot]);
        assert_eq!(graded.code, 1, "{}", graded.stderr);
        let (reasons, of) = (graded.stdout.matches(place).count(), " of 8 testcases passed");
        assert_eq!(reasons, 1, "once for all testcases: {}", graded.stdout);
        says(&graded.stdout, &["(bot's fault) in all rounds: ", "what now: look at ", of]);
    }
    // A script that starts is built, whatever game it plays.
    let sound = script(here, "py", "run(cc, ", "run(cc,  ");
    assert_eq!(run(["build".as_ref(), sound.as_os_str()]).code, 0);
}

#[test]
fn endless_loop_is_named_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let head = "def choose_move(state, tools):\n";
    script(folder.path(), "py", head, &format!("{head}    while state:\n        pass\n"));
    let graded = grade(folder.path(), "bot.py");
    let endless = "what now: this looks like an endless loop, in the functions above: ";
    says(&graded.stdout, &["choose_move (bot.py:", endless, "judge profile bot.py --game cc "]);
    let played = run_in(folder.path(), &["play", "bot.py", "--time-ms", "200"]);
    says(&played.stdout, &["choose_move (bot.py:", endless]);
    // A module without names of functions.
    let text =
        SILENT_BOT.replace("(result i32) i32.const 0))", "(result i32) (loop br 0) i32.const 0))");
    write(folder.path(), "bot.wat", text);
    let graded = grade(folder.path(), "bot.wat");
    says(
        &graded.stdout,
        &["what now: this looks like an endless loop: ", "judge profile bot.wat "],
    );
    // Outside of all functions.
    script(folder.path(), "py", "def choose_move(", "while True:\n    pass\n\ndef choose_move(");
    let built = run_in(folder.path(), &["build", "bot.py"]);
    says(&built.stderr, &["still starting up", "hint: look for an endless loop"]);
}

#[test]
fn memory_of_a_script_is_named_as_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let head = "def choose_move(state, tools):\n";
    let hoard = format!("{head}    kept = [[i] * 10 for i in range(100000)]\n");
    script(folder.path(), "py", head, &hoard);
    write(folder.path(), "case.toml", TESTCASE.replace("200", "4000"));
    let graded = run_in(folder.path(), &["grade", "bot.py", "--testcase", "case.toml"]);
    for ran in [graded, run_in(folder.path(), &["play", "bot.py"])] {
        says(
            &ran.stdout,
            &["Runtime error", "MemoryError", "what now: the script reached its memory"],
        );
        says(&ran.stdout, &["1.3 MiB"]);
    }
}

#[test]
fn every_printed_command_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(sample("cc-runner"), folder.path().join("my bot.wasm")).unwrap();
    let graded = run_in(folder.path(), &["grade", "my bot.wasm"]);
    let commands = graded.stdout.lines().filter_map(|line| line.split_once(": judge "));
    let mut kinds = std::collections::BTreeSet::new();
    for (title, command) in commands {
        assert!(!command.contains('…'), "{command}");
        let words = command.strip_prefix("play").or(command.strip_prefix("explain")).unwrap();
        let words = words.strip_prefix(" 'my bot.wasm' ").expect("a quoted name");
        if kinds.insert(title.trim().to_owned()) {
            let kind = command.split(' ').next().unwrap();
            let arguments = [kind, "my bot.wasm"].into_iter().chain(words.split(' '));
            let ran = run_in(folder.path(), &arguments.collect::<Vec<_>>());
            assert_eq!(ran.code, 0, "{command}: {}", ran.stderr);
        }
    }
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["costly moves", "see it again"]);
}

#[test]
fn worst_round_of_a_testcase_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let text = TESTCASE.replace("[5]", "[5, 6, 7]").replace("min_score = 2", "min_score = 1000");
    write(folder.path(), "case.toml", text);
    let bot = sample("cc-runner");
    let bot = bot.to_str().unwrap();
    let graded = run_in(folder.path(), &["grade", bot, "--testcase", "case.toml", "--json", "-"]);
    let command =
        graded.json()["bots"][0]["testcases"][0]["reproduce"].as_str().unwrap().to_owned();
    let seed = command.split("--seed ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    let arguments = ["explain", bot, "--testcase", "case.toml", "--rounds", "5"];
    let told = run_in(folder.path(), &arguments);
    assert_eq!(told.code, 0, "{}", told.stderr);
    says(
        &told.stdout,
        &["the worst of the 3 rounds of `case`: round ", &format!(", seed {seed}\n")],
    );
    let named = run_in(folder.path(), &[&arguments[..], &["--seed", "6"]].concat());
    assert!(!named.stdout.contains("the worst of"), "{}", named.stdout);
}

#[test]
fn a_testcase_of_a_suite_can_be_graded_by_name() {
    let bot = sample("cc-runner");
    let bot = bot.to_str().unwrap();
    let whole = run(["grade", bot, "--json", "-"]).json();
    let part = ["grade", bot, "--testcase", "02", "--testcase", "01-first-steps"];
    let shown = run(part);
    says(&shown.stdout, &["this is not a result for the whole suite: 2 of 8 testcases of `cc`\n"]);
    says(&shown.stdout, &[" 01-first-steps ", " 02-other-side "]);
    assert!(!shown.stdout.contains("03-reliable"), "{}", shown.stdout);
    let json = run(part.into_iter().chain(["--json", "-"])).json();
    assert_eq!(
        (&json["suite"], &json["title"]),
        (&"testcases".into(), &"2 of 8 testcases of `cc`".into())
    );
    let cases = |json: &serde_json::Value| json["bots"][0]["testcases"].as_array().unwrap().clone();
    assert_eq!(cases(&json), cases(&whole)[..2], "the same verdicts in the suite's order");
    let folder = tempfile::tempdir().unwrap();
    let report =
        write(folder.path(), "report.json", run(part.into_iter().chain(["--json", "-"])).stdout);
    for suite in [&[][..], &["--suite", "cc"]] {
        let arguments = ["verify", report.to_str().unwrap(), bot];
        let verified = run(arguments.iter().chain(suite).copied());
        assert_eq!(verified.code, 0, "{}{}", verified.stdout, verified.stderr);
    }
    let named = run(["grade", bot, "--suite", "cc", "--testcase", "02"]);
    says(&named.stdout, &["1 of 8 testcases of `cc`", " 02-other-side "]);
    let unknown = run(["grade", bot, "--testcase", "02-otherside"]);
    assert_eq!((unknown.code, unknown.stdout.as_str()), (2, ""));
    says(
        &unknown.stderr,
        &["no testcase `02-otherside` in the suite `cc`", "did you mean `02-other-side`?"],
    );
}

#[test]
fn similar_names_are_suggested() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::create_dir(here.join("suites")).unwrap();
    write(&here.join("suites"), "suite.toml", "title = \"x\"\n");
    write(here, "case.toml", TESTCASE);
    std::fs::copy(sample("cc-runner"), here.join("runner.wasm")).unwrap();
    for (arguments, hint) in [
        ("grade runer.wasm", "`runner.wasm`"),
        ("grade runner.py", "`runner.wasm`"),
        ("play runer.wasm", "`runner.wasm`"),
        ("check rnner.wasm", "`runner.wasm`"),
        ("build runner.js", "`runner.wasm`"),
        ("match runner.wasm runer.wasm", "`runner.wasm`"),
        ("match runner.wasm randm", "`random`"),
        ("play runner.wasm --against randm", "`random`"),
        ("play runner.wasm --game ccc", "`cc`"),
        ("play runner.wasm --option sze=6", "`size`"),
        ("grade runner.wasm --suite suits/", "the folder `./suites`"),
        ("grade runner.wasm --suite amazns", "the bundled suite `amazons`"),
        ("grade runner.wasm --testcase cas.toml", "`case.toml`"),
        ("explain runner.wasm --testcase 01-first-step", "`01-first-steps`"),
        ("games amazon", "`amazons`"),
        ("rules start chss", ""),
    ] {
        let ran = run_in(here, &arguments.split(' ').collect::<Vec<_>>());
        assert!([2, 3].contains(&ran.code), "{arguments}: {}{}", ran.stdout, ran.stderr);
        let expected = format!("did you mean {hint}?");
        let is_told = ran.stderr.contains(&expected);
        assert_eq!(is_told, !hint.is_empty(), "{arguments}: {}", ran.stderr);
    }
}

#[test]
fn mistakes_in_names_are_reported_with_the_right_ones() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let weight =
        "W = 1\nwhile True:\n    line = input()\n    if line == 'end': break\n    print(W)\n";
    write(here, "bot.py", format!("# judge: game=cc\n{weight}"));
    write(here, "other.py", format!("# judge: game=pachwork\n{weight}"));
    for (arguments, parts) in [
        ("grade other.py", ["plays `pachwork`, which is not a game", "did you mean `patchwork`?"]),
        ("grade bto.py", ["bto.py", "did you mean `bot.py`?"]),
        ("grade bot.py -D W 2", ["cannot find the file `2`", "write `-D W=2` without a space"]),
        ("play bot.py -D WW=2", ["`-D WW=2` changes nothing", "did you mean `W`?"]),
    ] {
        let ran = run_in(here, &arguments.split(' ').collect::<Vec<_>>());
        assert!([2, 3].contains(&ran.code), "{arguments}: {}{}", ran.stdout, ran.stderr);
        says(&ran.stderr, &parts);
        assert!(ran.stderr.matches("did you mean").count() <= 1, "{}", ran.stderr);
    }
}

#[test]
fn boards_are_listed_only_if_they_can_be_the_cause() {
    let folder = tempfile::tempdir().unwrap();
    let small = TESTCASE.replace("seeds", "options = { size = 6 }\nseeds");
    for (name, text) in [("usual.toml", TESTCASE), ("small.toml", &small)] {
        write(folder.path(), name, text);
    }
    for (answer, testcase, is_listed) in [
        ("0,0>0,0", "usual.toml", false),
        ("0,0>0,0", "small.toml", true),
        ("9,9>9,8", "usual.toml", true),
    ] {
        // It answers each question with this text.
        let bot = format!(
            r#"(module (memory (export "memory") 1) (data (i32.const 9000) "{answer} ")
            (func (export "judge_buffer") (result i32) i32.const 0)
            (func (export "judge_line") (param i32) (result i32)
                (if (i32.ne (i32.load8_u (i32.const 4)) (i32.const 63)) (then (return (i32.const 0))))
                (i64.store (i32.const 0) (i64.load (i32.const 9000)))
                i32.const 7))"#
        );
        write(folder.path(), "bot.wat", bot);
        let graded = run_in(folder.path(), &["grade", "bot.wat", "--testcase", testcase]);
        says(&graded.stdout, &["Illegal move"]);
        let listed = graded.stdout.contains("has its board and rules; in this suite");
        assert_eq!(listed, is_listed, "{answer} {testcase}: {}", graded.stdout);
    }
}

#[test]
fn grading_prints_rounds_and_opponents_in_a_second_table() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "case.toml", TESTCASE.replace("[5]", "[5, 6, 7]"));
    let bot = sample("cc-runner");
    let arguments = ["grade", bot.to_str().unwrap(), "--testcase", "case.toml"];
    let told = run_in(folder.path(), &[&arguments[..], &["--verbose"]].concat());
    says(
        &told.stdout,
        &[
            "\n\n testcase  opponent  rounds  worst score  time a round ",
            " longest round\n",
            "\n case      random         3            ",
        ],
    );
    assert!(told.stdout.lines().filter(|line| line.contains("random")).all(|line| line.len() < 80));
}

#[test]
fn a_score_near_its_threshold_is_printed_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let bot = sample("cc-runner");
    let bot = bot.to_str().unwrap();
    write(folder.path(), "case.toml", TESTCASE);
    let arguments = ["grade", bot, "--testcase", "case.toml"];
    let score = run_in(folder.path(), &[&arguments[..], &["--json", "-"]].concat()).json()["bots"]
        [0]["testcases"][0]["score"]
        .as_i64()
        .unwrap();
    let exact = TESTCASE.replace("min_score = 2", &format!("min_score = {score}"));
    write(folder.path(), "case.toml", exact);
    let graded = run_in(folder.path(), &arguments);
    assert_eq!(graded.code, 0, "{}", graded.stderr);
    assert!(
        graded.stdout.contains("  exact  ") && !graded.stdout.contains("+0"),
        "{}",
        graded.stdout
    );
}

#[test]
fn undecided_match_names_a_number_of_rounds_and_the_command() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(sample("mahjong-distance"), folder.path().join("a.wasm")).unwrap();
    let arguments = ["match", "a.wasm", "random", "--rounds", "200", "--seed", "1"];
    let decided = run_in(folder.path(), &arguments);
    assert!(!decided.stderr.contains("undecided"), "{}", decided.stderr);
    let arguments = ["match", "a.wasm", "straightforward", "--rounds", "20", "--seed", "1"];
    let ran = run_in(folder.path(), &arguments);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let line = ran.stderr.lines().find(|line| line.starts_with("undecided; "));
    let line = line.unwrap_or_else(|| panic!("{}{}", ran.stdout, ran.stderr));
    let (_, command) = line.split_once(": judge match ").unwrap();
    says(command, &["a.wasm straightforward --game mahjong", " --seed 1 --rounds "]);
    assert!(line.contains(" rounds decide it: "), "{line}");
}

/// Files and words that belong to another command, or to nothing.
#[test]
fn wrong_arguments_are_answered_with_the_right_ones() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write(here, "bot.wasm", std::fs::read(sample("cc-runner")).unwrap());
    write(here, "bot.cpp", "int main() { return 0; }\n");
    write(here, "round.html", "<!doctype html>\n");
    std::fs::create_dir_all(here.join("bot/src")).unwrap();
    write(here, "bot/Cargo.toml", "[package]\nname = \"bot\"\n");
    write(here, "bot/src/main.rs", "fn main() {}\n");
    for (arguments, code, told) in [
        ("grade bot.wasm --game cc", 2, "'--suite <GAME>'"),
        ("play bot.wasm smart", 2, "'--against smart'"),
        ("grade bot/Cargo.toml", 2, "name the project's folder: `bot`"),
        ("grade bot/src", 3, "name the project's folder: `bot`"),
        ("replay round.html", 3, "open it in a browser"),
        ("watch bod.rs", 2, "`bod.rs` does not exist"),
        ("explain nothing --testcase 04", 3, "cannot read `nothing`"),
        ("build bot.cpp -D DEPTH=3", 2, "has the name `DEPTH`"),
    ] {
        let ran = run_in(here, &arguments.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.code, code, "{arguments}: {}", ran.stderr);
        assert!(ran.stderr.contains(told), "{arguments}: {}", ran.stderr);
    }
    let ran = run_in(here, &["grade", "bot.wasm", "--testcase", "1"]);
    says(&ran.stdout, &["01-first-steps", "1 of 8 testcases of `cc`"]);
    let ran = run_in(here, &["grade", "bot.wasm", "--testcase", "9"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
}

#[test]
fn an_outdated_module_beside_its_source_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let source = script(here, "py", "run(cc, ", "run(cc, ");
    assert_eq!(run_in(here, &["build", "bot.py"]).code, 0);
    write(here, "case.toml", TESTCASE);
    let grade = || run_in(folder.path(), &["grade", ".", "--testcase", "case.toml"]);
    assert!(grade().code <= 1 && !grade().stderr.contains("newer"), "{}", grade().stderr);
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    let file = std::fs::File::options().append(true).open(source).unwrap();
    file.set_modified(later).unwrap();
    says(&grade().stderr, &["bot.wasm` is graded, and `", "bot.py` is newer: name the source"]);
}
