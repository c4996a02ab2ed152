//! `judge grade`: choice of suites and testcases, reports, mistakes in files.

use std::ffi::OsString;
use std::path::Path;

use crate::support::{Ran, judge, run, sample, write};

const TESTCASE: &str = r#"title = "Two rounds"
game = "mahjong"
opponent = "random"
seeds = [5, 6]
min_score = 30
points = 10
"#;

fn grade(bot: &Path, more: &[&str]) -> Ran {
    let mut arguments: Vec<OsString> = vec!["grade".into(), bot.into()];
    arguments.extend(more.iter().map(OsString::from));
    run(arguments)
}

/// Grades the straightforward bot on one testcase with the given text.
fn grade_text(text: &str, more: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "case.toml", text);
    let testcase = ["--testcase", path.to_str().unwrap()];
    let mut ran = grade(&sample("mahjong-straightforward"), &[&testcase, more].concat());
    // The folder's name differs from run to run.
    let shown = format!("{}/", folder.path().display());
    ran.stderr = ran.stderr.replace(&shown, "");
    ran
}

#[test]
fn a_passed_testcase_exits_with_0_and_a_failed_one_with_1() {
    let passed = grade_text(TESTCASE, &[]);
    assert_eq!(passed.code, 0, "{}", passed.stderr);
    assert!(passed.stdout.contains("Accepted"));
    let failed = grade_text(&TESTCASE.replace("30", "3000"), &[]);
    assert_eq!(failed.code, 1);
    assert!(failed.stdout.contains("Below threshold"));
}

#[test]
fn times_are_printed_on_request_and_advice_is_printed_once() {
    let quiet = grade_text(TESTCASE, &[]);
    assert_eq!(quiet.stderr, "");
    let told = grade_text(TESTCASE, &["--verbose"]);
    assert!(told.stderr.contains("; summed over them: bot "), "{}", told.stderr);
    assert!(quiet.stdout.lines().all(|line| told.stdout.contains(line)), "{}", told.stdout);
    let failed = grade(&sample("cc-runner"), &["--jobs", "2"]);
    let [advice, commands] = ["what now: watch the worst", "see it again: "]
        .map(|text| failed.stdout.matches(text).count());
    assert!(advice == 1 && commands > 1, "{}", failed.stdout);
}

#[test]
fn a_failed_testcase_prints_the_command_that_repeats_its_worst_round() {
    let failed = grade_text(&TESTCASE.replace("30", "3000"), &["--jobs", "1"]);
    let line =
        failed.stdout.lines().find_map(|line| line.trim().strip_prefix("see it again: judge "));
    let arguments: Vec<&str> = line.expect("a command").split(' ').collect();
    let folder = tempfile::tempdir().unwrap();
    let mut again = judge();
    let ran: Ran = again.current_dir(folder.path()).args(&arguments).output().unwrap().into();
    assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
    assert!(ran.stderr.contains("the round's page: `round.html`"), "{}", ran.stderr);
    let page = std::fs::read_to_string(folder.path().join("round.html")).unwrap();

    // Playing the round again gives exactly the graded round.
    let json = grade_text(&TESTCASE.replace("30", "3000"), &["--json", "-"]).json();
    let rounds = json["bots"][0]["testcases"][0]["rounds"].as_array().unwrap().clone();
    let worst = rounds.iter().min_by_key(|round| round["score"].as_i64()).unwrap();
    let digest = worst["digest"].as_str().unwrap();
    assert!(ran.stdout.contains(digest) && page.contains(digest), "{}", ran.stdout);
}

#[test]
fn json_and_tables_never_share_standard_output() {
    let json = grade_text(TESTCASE, &["--json", "-"]);
    assert_eq!(json.json()["bots"][0]["bot"]["name"], "mahjong-straightforward");
    let junit = grade_text(TESTCASE, &["--junit", "-"]);
    assert!(junit.stdout.starts_with("<?xml"), "{}", junit.stdout);
    assert_eq!(grade_text(TESTCASE, &["--junit", "-", "--json", "-"]).code, 2);
}

#[test]
fn junit_has_the_counts_and_the_points() {
    let junit = grade_text(&TESTCASE.replace("30", "3000"), &["--junit", "-"]).stdout;
    insta::with_settings!({ filters => vec![
        (r#""[0-9a-f]{64}""#, "\"SHA256\""),
        (r#"wasmtime [0-9a-f. ]+"#, "ENGINE"),
    ]}, { insta::assert_snapshot!(junit) });
}

#[test]
fn grading_several_bots_prints_a_scoreboard() {
    let bots = [sample("mahjong-straightforward"), sample("mahjong-distance")];
    let arguments: Vec<OsString> =
        [OsString::from("grade")].into_iter().chain(bots.iter().map(OsString::from)).collect();
    let ran = run(arguments);
    let lines = ran.stdout.lines().filter(|line| !line.is_empty());
    let board: Vec<&str> =
        lines.skip_while(|line| !line.trim_start().starts_with("rank")).collect();
    assert_eq!(board.len(), 3, "{}", ran.stdout);
    assert!(board[1].contains("mahjong-distance"), "the better bot comes first: {}", ran.stdout);
}

#[test]
fn mistakes_in_a_testcase_are_shown_with_their_line() {
    let cases = [
        ("syntax", TESTCASE.replace("\"mahjong\"", "mahjong")),
        ("unknown field", format!("{TESTCASE}colour = 1\n")),
        ("missing field", TESTCASE.replace("points = 10\n", "")),
        ("wrong type", TESTCASE.replace("min_score = 30", "min_score = \"many\"")),
        ("unknown opponent", TESTCASE.replace("\"random\"", "\"dragon\"")),
        ("negative seed", TESTCASE.replace("[5, 6]", "[5, -6]")),
        ("no seeds", TESTCASE.replace("[5, 6]", "[]")),
        ("third seat", format!("{TESTCASE}seat = 3\n")),
        ("too much memory", format!("{TESTCASE}limits = {{ memory_kib = 1000000000 }}\n")),
        ("unknown option", format!("{TESTCASE}options = {{ joker = true }}\n")),
        ("bad option value", format!("{TESTCASE}options = {{ void_suit = 2 }}\n")),
        ("option of a strange type", format!("{TESTCASE}options = {{ void_suit = [1] }}\n")),
    ];
    let mut shown = Vec::new();
    for (name, text) in cases {
        let ran = grade_text(&text, &[]);
        assert_eq!(ran.code, 3, "{name}: {}", ran.stderr);
        assert_eq!(ran.stdout, "", "{name}");
        shown.push(format!("== {name}\n{}\n", ran.stderr));
    }
    insta::assert_snapshot!(shown.concat());
}

const QUIET: &str = r#"(module (memory (export "memory") 1)
    (func (export "judge_buffer") (result i32) i32.const 0)
    (func (export "judge_line") (param i32) (result i32) i32.const 0))"#;

#[test]
fn a_bot_without_a_declared_game_needs_a_suite() {
    let folder = tempfile::tempdir().unwrap();
    let bot = write(folder.path(), "quiet.wasm", wat::parse_str(QUIET).unwrap());
    let ran = grade(&bot, &[]);
    assert_eq!(ran.code, 2);
    assert_eq!(
        ran.stderr,
        "error: none of the bots says which game it plays\n\n\
         hint: name the suite: `--suite agamemnon`, `--suite amazons`, `--suite cc`, \
         `--suite mahjong`, `--suite patchwork`, or name the game in a comment in the source, \
         `judge: game=mahjong`, which `judge build` writes into the module\n"
    );
    assert_eq!(grade(&bot, &["--suite", "mahjong"]).code, 1);
}

/// The folder in which cargo leaves a program for the judge.
const OUTPUT: &str = "target/wasm32-wasip1/release";

/// Cargo leaves a module without the section that says which game the bot plays.
#[test]
fn a_module_built_by_cargo_plays_the_game_of_its_source() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "Cargo.toml", "[package]\nname = \"bot\"\n");
    std::fs::create_dir_all(folder.path().join("src")).unwrap();
    write(folder.path(), "src/main.rs", "// judge: game=mahjong\nfn main() {}\n");
    std::fs::create_dir_all(folder.path().join(OUTPUT)).unwrap();
    let module = wat::parse_str(QUIET).unwrap();
    let built = write(&folder.path().join(OUTPUT), "bot.wasm", &module);
    let report = grade(folder.path(), &["--json", "-"]).json();
    assert_eq!(report["bots"][0]["testcases"][0]["game"], "mahjong", "{report:#}");
    // A module that is named by itself stays as it is.
    let alone = grade(&built, &["--suite", "mahjong", "--json", "-"]).json();
    assert_ne!(report["bots"][0]["bot"]["sha256"], alone["bots"][0]["bot"]["sha256"]);
}

#[test]
fn a_suite_is_chosen_by_folder_or_by_name() {
    let bot = sample("mahjong-distance");
    let by_name = grade(&bot, &["--suite", "mahjong", "--json", "-"]).json();
    let by_folder = grade(&bot, &["--suite", "testcases/mahjong", "--json", "-"]).json();
    let by_manifest = grade(&bot, &["--json", "-"]).json();
    assert_eq!(by_name["bots"], by_folder["bots"]);
    assert_eq!(by_name["bots"], by_manifest["bots"]);

    let unknown = grade(&bot, &["--suite", "chess"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.stderr.contains("hint: bundled suites: agamemnon, amazons, cc"),
        "{}",
        unknown.stderr
    );
    let folder = tempfile::tempdir().unwrap();
    let empty = grade(&bot, &["--suite", folder.path().to_str().unwrap()]);
    assert_eq!(empty.code, 3);
    write(folder.path(), "suite.toml", "title = \"Nothing\"");
    let empty = grade(&bot, &["--suite", folder.path().to_str().unwrap()]);
    assert_eq!(empty.code, 3);
    assert!(empty.stderr.contains("no testcases in"), "{}", empty.stderr);
}

#[test]
fn missing_files_are_invalid_input() {
    let missing = grade(Path::new("no/such/bot.wasm"), &[]);
    assert_eq!(missing.code, 3);
    assert!(
        missing.stderr.starts_with("error: cannot read `no/such/bot.wasm`"),
        "{}",
        missing.stderr
    );
    let bot = sample("mahjong-distance");
    assert_eq!(grade(&bot, &["--testcase", "no/such/case.toml"]).code, 3);
    assert_eq!(grade(&bot, &["--json", "no/such/folder/out.json"]).code, 3);
}

#[test]
fn a_refused_bot_does_not_change_the_results_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let broken = write(folder.path(), "broken.wasm", b"not wasm");
    let bot = sample("mahjong-straightforward");
    let case = write(folder.path(), "case.toml", TESTCASE);
    let arguments: Vec<OsString> = vec![
        "grade".into(),
        broken.into(),
        bot.clone().into(),
        "--testcase".into(),
        case.clone().into(),
        "--json".into(),
        "-".into(),
    ];
    let both = run(arguments);
    assert_eq!(both.code, 3);
    let alone = grade(&bot, &["--testcase", case.to_str().unwrap(), "--json", "-"]).json();
    assert_eq!(both.json()["bots"][0]["refused"]["verdict"], "invalid-module");
    assert_eq!(both.json()["bots"][1], alone["bots"][0]);
}

#[test]
fn an_unknown_game_is_shown_with_its_line_and_the_known_games() {
    let ran = grade_text(&TESTCASE.replace("\"mahjong\"", "\"chess\""), &[]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("unknown game `chess`: the games are `mahjong`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("[case.toml:2:8]"), "{}", ran.stderr);
}

#[test]
fn control_characters_in_a_testcase_do_not_reach_the_terminal() {
    let hostile = TESTCASE.replace("\"random\"", "\"dragon\\u001b[31m\" # \u{202e}");
    let ran = grade_text(&hostile, &[]);
    assert_eq!(ran.code, 3);
    assert!(!ran.stderr.contains(['\u{1b}', '\u{202e}']), "{}", ran.stderr);
    assert!(ran.stderr.contains(r"dragon\u{1b}[31m"), "{}", ran.stderr);
}

#[test]
#[cfg(unix)]
fn pipes_and_devices_are_refused_without_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let pipe = pipe.to_str().unwrap();
    let bot = sample("mahjong-distance");
    let bot = bot.to_str().unwrap();
    for odd in [pipe, "/dev/zero"] {
        let commands: [&[&str]; 9] = [
            &["grade", odd],
            &["grade", bot, "--testcase", odd],
            &["grade", bot, "--suite", "mahjong", "--out", pipe, "--students", odd],
            &["play", odd, "--game", "mahjong"],
            &["replay", odd],
            &["verify", odd],
            &["diff", odd, odd],
            &["report", odd],
            &["scoreboard", odd],
        ];
        for command in commands {
            let ran = run(command);
            assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{command:?}: {}", ran.stderr);
            assert!(ran.stderr.contains("a pipe or device"), "{command:?}: {}", ran.stderr);
        }
    }
}

#[test]
fn a_suite_has_the_name_of_its_folder_for_any_path_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("lab-3");
    std::fs::create_dir_all(suite.join("sub")).unwrap();
    write(&suite, "suite.toml", "title = \"x\"\n");
    write(&suite, "01.toml", TESTCASE);
    let bot = sample("mahjong-straightforward");
    for (from, name) in [(&suite, "."), (&suite.join("sub"), "..")] {
        let mut command = crate::support::judge();
        command.current_dir(from).arg("grade").arg(&bot).args(["--suite", name, "--json", "-"]);
        let ran = Ran::from(command.output().unwrap());
        assert_eq!(ran.json()["suite"], "lab-3", "{}", ran.stderr);
    }
}

#[test]
fn mistakes_in_a_curve_are_shown_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "01.toml", TESTCASE);
    for (rank, expected) in [
        ("curve = [[0, 0], [50, 9, 1], [100, 9]]", "found 3"),
        ("curve = [[0, 0], [50, 9], [40, 9], [100, 9]]", "40 percent does not come after 50"),
        ("curve = [[0, 0], [100, 1000000]]", "`1000000` points: expected 0 to 100000"),
        (
            "min_points = 11\ncurve = [[0, 0], [100, 9]]",
            "11 points are out of reach: the testcases give 10",
        ),
    ] {
        write(folder.path(), "suite.toml", format!("title = \"x\"\n[rank]\n{rank}\n"));
        let ran = grade(&sample("mahjong-distance"), &["--suite", folder.path().to_str().unwrap()]);
        assert_eq!(ran.code, 3, "{rank}");
        assert!(ran.stderr.contains(expected), "{rank}: {}", ran.stderr);
    }
}
