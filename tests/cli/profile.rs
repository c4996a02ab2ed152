//! `judge profile`: fuel by function; and the place where a bot failed, next to the result of
//! `judge grade`.

use crate::support::{SILENT_BOT, run, sample, says, write};

#[test]
fn a_profile_is_reproducible_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let (bot, out) = (sample("cc-stdio-c"), folder.path().join("new/profile"));
    let arguments = ["profile", bot.to_str().unwrap(), "--seed", "7", "--top", "2"];
    let plain = run(arguments);
    assert_eq!((plain.code, plain.stderr.as_str()), (0, ""));
    says(
        &plain.stdout,
        &[
            "cc-stdio-c: cc, seed 7 against random, seat 1\n",
            "own fuel",
            " more functions)\n",
            "most expensive move: move ",
            "--game cc --seed 7 --against random --seat 1 --ply ",
        ],
    );
    let written = run(arguments.into_iter().chain(["--out", out.to_str().unwrap()]));
    assert_eq!(written.stdout, plain.stdout);
    for name in ["profile.txt", "flame.svg", "speedscope.json", "folded.txt"] {
        let path = out.join(name);
        assert!(written.stderr.contains(&format!("written: `{}`\n", path.display())));
        assert!(!std::fs::read(path).unwrap().is_empty());
    }
    let document = std::fs::read(out.join("speedscope.json")).unwrap();
    let document: serde_json::Value = serde_json::from_slice(&document).unwrap();
    let folded = std::fs::read_to_string(out.join("folded.txt")).unwrap();
    let sum: u64 = folded.lines().map(|line| line.rsplit(' ').next().unwrap()).map(number).sum();
    assert_eq!(document["profiles"][0]["endValue"], sum);
}

fn number(text: &str) -> u64 {
    text.parse().unwrap()
}

#[test]
fn a_profile_includes_the_call_that_ran_out_of_fuel() {
    let text = r#"(module (memory (export "memory") 1)
        (func (export "judge_buffer") (result i32) (i32.const 0))
        (func $forever (loop (br 0)))
        (func (export "judge_line") (param i32) (result i32) (call $forever) (i32.const 0)))"#;
    let folder = tempfile::tempdir().unwrap();
    let bot = write(folder.path(), "endless.wasm", wat::parse_str(text).unwrap());
    let on = |command: &str| run([command, bot.to_str().unwrap(), "--game", "cc"]).stdout;
    let profile = on("profile");
    let forever = profile.lines().find(|line| line.ends_with(" forever")).expect("it has run");
    assert!(forever.contains("99.99 %"), "{profile}");
    says(&on("check"), &["Time limit exceeded", "4000 ms of 4000 ms (100 %)"]);
    says(&on("play"), &["the time ran out after 4000 ms", "(endless): 4000 ms of 4000 ms"]);
}

#[test]
fn a_bot_that_cannot_be_profiled_is_refused() {
    let bot = sample("cc-runner");
    let bot = bot.to_str().unwrap();
    let both = run(["profile", bot, "--testcase", "01-first-steps", "--seed", "3"]);
    assert_eq!(both.code, 2);
    let unknown = run(["profile", bot, "--testcase", "nothing"]);
    assert_eq!(unknown.code, 2);
    says(&unknown.stderr, &["error: no testcase `nothing`", "`01-first-steps`, "]);
    let missing = run(["profile", "nowhere.wasm"]);
    assert_eq!(missing.code, 3);

    let folder = tempfile::tempdir().unwrap();
    let silent = write(folder.path(), "silent.wasm", wat::parse_str(SILENT_BOT).unwrap());
    let failed = run(["profile", silent.to_str().unwrap(), "--game", "cc"]);
    assert_eq!(failed.code, 1);
    says(&failed.stdout, &["the bot failed: Protocol error: no answer to `move?"]);
}

#[test]
fn the_line_of_a_fault_is_in_the_report_but_not_in_its_digest() {
    let folder = tempfile::tempdir().unwrap();
    let module = include_bytes!("../support/divides.wasm");
    let bot = write(folder.path(), "divides.wasm", module);
    let bot = bot.to_str().unwrap();
    let shown = run(["grade", bot, "--suite", "cc"]);
    assert_eq!(shown.code, 1);
    says(
        &shown.stdout,
        &["in function `divide`\n  at divide (divides.c:8)\n  at helper (divides.c:12)"],
    );
    assert_eq!(shown.stdout.matches("divides.c:8").count(), 1, "once for each kind of failure");
    let json = run(["grade", bot, "--suite", "cc", "--json", "-"]);
    let report = judge_core::GradeReport::from_json(&json.stdout).unwrap();
    let trace = report.bots[0].testcases[0].trace.as_ref().unwrap();
    assert_eq!(trace.frames[0], "divide (divides.c:8)");
    let bare = report.without_traces().sealed();
    assert_eq!((bare.seal, bare.bots[0].digest), (report.seal, report.bots[0].digest));
    let path = write(folder.path(), "report.json", &json.stdout).display().to_string();
    let verified = run(["verify", &path, bot]);
    assert_eq!(verified.code, 0, "{}", verified.stdout);
    says(&verified.stdout, &["but for `timing`", "`trace`"]);
    let mut long = report.clone();
    long.bots[0].testcases[0].trace.as_mut().unwrap().log = vec!["x".to_owned(); 99];
    let mut bare = report.clone();
    bare.bots[0].testcases[0].trace = None;
    let path = write(folder.path(), "other.json", bare.to_json()).display().to_string();
    assert_eq!(run(["verify", &path, bot]).code, 0, "a report without it is the same result");
    let path = write(folder.path(), "long.json", long.to_json()).display().to_string();
    let verified = run(["verify", &path, bot]);
    assert_eq!(verified.code, 1, "no judge writes this: {}", verified.stdout);
    says(&verified.stdout, &["bots[0].testcases[0].trace"]);
}

/// Logs a line and a hint of Rust's runtime, and traps.
const LOGGING: &str = r#"(module
    (import "judge" "log" (func $log (param i32 i32)))
    (memory (export "memory") 1)
    (data (i32.const 8192) "first\n\n@mark a1\nno free square\nnote: run with `RUST_BACKTRACE=1`\n")
    (func $abort unreachable)
    (func $__rust_start_panic call $abort)
    (func $think (call $log (i32.const 8192) (i32.const 65)) call $__rust_start_panic)
    (func (export "judge_buffer") (result i32) i32.const 0)
    (func (export "judge_line") (param i32) (result i32) call $think i32.const 0))"#;

#[test]
fn grading_shows_the_last_lines_of_the_log_before_the_authors_functions() {
    let folder = tempfile::tempdir().unwrap();
    let bot = write(folder.path(), "logging.wasm", wat::parse_str(LOGGING).unwrap());
    let shown = run(["grade", bot.to_str().unwrap(), "--suite", "cc"]);
    let expected = "\n  … 2 functions of the language or the kit\n  at think\n  at judge_line\n  \
                    log: first\n  log: no free square\n";
    says(&shown.stdout, &[expected]);
}

/// A bot with two functions, of which `weigh` takes far more fuel.
const SCRIPTS: [(&str, &str); 2] = [
    (
        "bot.py",
        r"from judge_bot import cc, run

def weigh(move):
    total = 0
    for number in range(300):
        total += number
    return total

def choose(state, tools):
    return max(cc.legal_moves(state, 60), key=weigh)

run(cc, choose)
",
    ),
    (
        "bot.js",
        r"import { run } from 'judge-bot';
import * as cc from 'judge-bot/cc';

function weigh(move) {
  let total = 0;
  for (let number = 0; number < 600; number++) total += number;
  return total;
}

function choose(state, tools) {
  const moves = cc.legalMoves(state, 60);
  moves.forEach(weigh);
  return moves[0];
}

run(cc, choose);
",
    ),
];

#[test]
fn a_script_is_profiled_by_its_own_functions_and_lines() {
    for (name, text) in SCRIPTS {
        let folder = tempfile::tempdir().unwrap();
        let bot = write(folder.path(), name, text);
        let bot = bot.to_str().unwrap();
        let profile = || run(["profile", bot, "--game", "cc", "--ply", "1"]);
        let ran = profile();
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
        let table = ran.stdout.split("\n\n").nth(1).unwrap();
        let weigh = table.lines().find(|line| line.contains(&format!(" weigh ({name})")));
        let share = weigh.unwrap_or_else(|| panic!("{}", ran.stdout));
        let share = share.split_whitespace().nth(1).unwrap();
        assert!(share.parse::<f64>().unwrap() > 50.0, "{}", ran.stdout);
        says(&ran.stdout, &["samples", "lines with the most fuel:", &format!("weigh ({name}:")]);
        assert_eq!(profile().stdout, ran.stdout, "the same each time");
    }
}
