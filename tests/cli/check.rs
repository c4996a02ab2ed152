//! `judge check`: facts about a module, and advice for a refused one.

use crate::support::{LOGGER, Ran, SILENT_BOT, judge, run, sample, says, write};

fn check(text: &str, more: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let source = write(folder.path(), "bot.wat", text);
    judge().arg("check").arg(source).args(more).output().unwrap().into()
}

#[test]
fn check_describes_an_accepted_module_and_plays_a_round() {
    let bot = sample("mahjong-straightforward");
    let ran = run(["check".as_ref(), bot.as_os_str()]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    says(
        &ran.stdout,
        &[
            "mahjong-straightforward.wasm: accepted\n",
            "\n transport  exports: the judge calls `judge_line`\n",
            "\n says       name mahjong-straightforward, by judge, plays mahjong, kit cpp 0.1\n",
            " KiB of 4096 KiB (0 %)\n",
            "\n memory     ",
            " KiB of 2048 KiB (6 %) at the start; grows to 2048 KiB at most\n",
            "\n imports    none\n",
            "\n exports    memory, ",
            "\n round      mahjong against random, seed 1: no fault; ",
        ],
    );
    let program = run(["check".as_ref(), sample("cc-stdio-c").as_os_str()]);
    assert_eq!(program.code, 0);
    says(
        &program.stdout,
        &["stdio: a program that reads and prints lines", "wasi_snapshot_preview1.fd_read"],
    );
}

#[test]
fn check_describes_a_module_as_json() {
    let bot = sample("mahjong-straightforward");
    let path = bot.to_str().unwrap();
    let found = run(["check", path, "--json"]).json();
    assert_eq!(found["accepted"], true);
    assert_eq!(found["transport"], "exports");
    assert_eq!(found["says"]["games"][0], "mahjong");
    assert_eq!(found["memory"]["limit"], 2 << 20);
    assert_eq!(found["imports"].as_array().unwrap().len(), 0);
    let played = run(["play", path, "--seed", "1"]);
    let digest = found["round"]["digest"].as_str().unwrap();
    assert!(played.stdout.contains(digest), "the round is that of `judge play`");
}

#[test]
fn every_problem_has_a_hint_for_its_toolchain() {
    let small = "(memory (export \"memory\") 1)
        (func (export \"judge_buffer\") (result i32) i32.const 0)
        (func (export \"judge_line\") (param i32) (result i32) i32.const 0)";
    let with = |import: &str| format!("(module (import {import} (func)) {small})");
    let large = small.replace("\"memory\") 1", "\"memory\") 40");
    for (text, problem, remedy) in [
        (with("\"env\" \"abort\""), "`env.abort`", "`--use abort=`"),
        (with("\"wbg\" \"x\""), "`wbg.x`", "leave out `wasm-bindgen`"),
        (with("\"gojs\" \"x\""), "`gojs.x`", "`GOOS=wasip1 GOARCH=wasm`"),
        (with("\"wasi_snapshot_preview1\" \"fd_write\""), "fd_write", "with a `main`"),
        (with("\"other\" \"thing\""), "`other.thing`", "only `judge.log` may be imported"),
        (format!("(module {large})"), "2560 KiB", "-Wl,-z,stack-size=65536"),
        ("(module (memory (export \"memory\") 1))".to_owned(), "missing exports", "_start"),
        (
            "(module (memory 1) (memory 1))".to_owned(),
            "it uses multi-memory (several memories), off in this judge",
            "in C and C++ compile with `-mno-multimemory`; in Rust leave `+multimemory` out",
        ),
    ] {
        let ran = check(&text, &[]);
        assert_eq!(ran.code, 1, "{text}: {}{}", ran.stdout, ran.stderr);
        says(&ran.stdout, &[": refused\n  problem: ", problem, "\n  remedy:  ", remedy]);
    }
}

#[test]
fn check_lists_both_of_two_problems() {
    let ran =
        check("(module (import \"env\" \"abort\" (func)) (memory (export \"memory\") 40))", &[]);
    assert_eq!(ran.stdout.matches("problem: ").count(), 2, "{}", ran.stdout);
    says(&ran.stdout, &["`env.abort`", "2560 KiB of memory"]);
}

#[test]
fn check_reports_a_failed_first_round_of_an_accepted_bot() {
    let silent = format!(";; judge: game=mahjong\n{SILENT_BOT}");
    let ran = check(&silent, &[]);
    assert_eq!(ran.code, 1);
    says(&ran.stdout, &[": accepted\n", "seed 1: Protocol error: no answer to `discard?`"]);
    // A round needs a game, and the output says how to set one.
    let ran = check(LOGGER, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    says(&ran.stdout, &["none: which game does it play? `--game NAME`"]);
    let ran = check(LOGGER, &["--game", "mahjong"]);
    says(&ran.stdout, &["round      mahjong against random", "imports    judge.log"]);
    assert_eq!(check(LOGGER, &["--game", "chess"]).code, 2);
}

#[test]
fn check_applies_the_limits_of_its_options() {
    let bot = "(module (memory (export \"memory\") 40)
        (func (export \"judge_buffer\") (result i32) i32.const 0)
        (func (export \"judge_line\") (param i32) (result i32) i32.const 0))";
    assert_eq!(check(bot, &[]).code, 1);
    assert_eq!(check(bot, &["--memory-kib", "4096"]).code, 0);
}

#[test]
fn a_refusal_by_the_modules_own_maximum_is_reported_as_such() {
    let bot = "(module (memory (export \"memory\") 1 2)
        (func (export \"judge_buffer\") (result i32) i32.const 0)
        (func (export \"judge_line\") (param i32) (result i32)
            (drop (memory.grow (i32.const 5))) unreachable))";
    let own =
        "its own maximum of 128 KiB (`--max-memory` of the linker) had refused it more memory";
    let ran = check(bot, &["--game", "mahjong", "--memory-kib", "65536"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    says(&ran.stdout, &["Memory limit exceeded: ", own]);
    assert!(!ran.stdout.contains("the memory limit had refused"), "{}", ran.stdout);
    let ran = check(&bot.replace(" 1 2)", " 1)"), &["--game", "mahjong", "--memory-kib", "256"]);
    says(&ran.stdout, &["the memory limit had refused it more memory"]);
}

#[test]
fn check_names_the_type_of_a_file_that_is_not_a_module() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "bot.wasm", b"\x7fELF\x02\x01\x01\0");
    let ran = run(["check".as_ref(), file.as_os_str()]);
    assert_eq!(ran.code, 1);
    says(&ran.stdout, &["it looks like a native Linux program", "remedy: "]);
    assert_eq!(run(["check".as_ref(), folder.path().join("none.wasm").as_os_str()]).code, 3);
}
