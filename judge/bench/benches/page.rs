//! Speed of the page that grades against the command line: the same bot on the same suite, in Chromium
//! and by `judge grade`, both on all processors. They alternate, so that noise affects both alike.
//!
//! `cargo build --release && cargo bench -p judge-bench --bench page`, or with the judge that the variable
//! `JUDGE` names
#![allow(clippy::unwrap_used, reason = "a measurement fails by panicking")]

#[path = "../../../tests/web/server.rs"]
#[allow(dead_code, reason = "the tests serve more")]
mod server;

/// The part of the tests that `server` uses.
mod support {
    pub(crate) use judge_bench::root;
}

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use judge_bench::root;
use judge_test_support::browser::{self, Browser};

const REPEATS: usize = 7;

fn main() {
    let judge = judge_bench::judge();
    if browser::find().is_none() {
        eprintln!("Chromium is missing");
        std::process::exit(1);
    }
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    run(&judge, &["page", site.to_str().unwrap()]);
    let address = server::start_in(&site);
    println!("| bot | suite | command line | page | ratio | its first grading |");
    println!("|---|---|--:|--:|--:|--:|");
    for (bot, suite, path) in bots(&judge, folder.path()) {
        let row = measure(&judge, &format!("{address}/?suite={suite}"), &path, suite);
        println!("| {bot} | {suite} | {row} |");
    }
    println!("\nfrom the address to the verdicts of the template: {:.2} s", from_address(&address));
}

/// Seconds from the address to the verdicts of the template in JavaScript, in a browser without a cache.
fn from_address(address: &str) -> f64 {
    let mut page = Browser::start();
    let begin = Instant::now();
    page.visit(address);
    idle(&mut page);
    page.click("#grade");
    idle(&mut page);
    begin.elapsed().as_secs_f64()
}

/// Bots with their suites and files.
fn bots(judge: &Path, folder: &Path) -> Vec<(&'static str, &'static str, PathBuf)> {
    // Chromium opens no file by a path with dots.
    let samples = root().join("sample-bots/prebuilt").canonicalize().unwrap();
    let script = folder.join("script");
    run(judge, &["new", script.to_str().unwrap(), "--lang", "javascript", "--game", "cc"]);
    vec![
        ("`mahjong-distance`", "mahjong", samples.join("mahjong-distance.wasm")),
        ("`cc-flood`", "cc", samples.join("cc-flood.wasm")),
        ("the template in JavaScript", "cc", script.join("bot.js")),
    ]
}

fn run(judge: &Path, arguments: &[&str]) {
    let status = Command::new(judge).args(arguments).stdout(Stdio::null()).status().unwrap();
    assert!(status.success(), "{arguments:?}");
}

/// Seconds of both, their ratio, and the seconds of the page's first grading, when it still compiles.
fn measure(judge: &Path, address: &str, bot: &Path, suite: &str) -> String {
    let mut page = Browser::start();
    page.visit(address);
    idle(&mut page);
    page.choose_file("#file", bot);
    idle(&mut page);
    let first = in_page(&mut page);
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..REPEATS {
        times[0].push(on_command_line(judge, bot, suite));
        times[1].push(in_page(&mut page));
    }
    let [line, page] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[REPEATS / 2]
    });
    format!("{line:.2} s | {page:.2} s | {:.2} | {first:.2} s", page / line)
}

fn on_command_line(judge: &Path, bot: &Path, suite: &str) -> f64 {
    let begin = Instant::now();
    let mut command = Command::new(judge);
    command.arg("grade").arg(bot).args(["--suite", suite]);
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(status.code().is_some_and(|code| code < 2), "{status}");
    begin.elapsed().as_secs_f64()
}

/// Time from the click to the result.
fn in_page(page: &mut Browser) -> f64 {
    let begin = Instant::now();
    page.click("#grade");
    idle(page);
    begin.elapsed().as_secs_f64()
}

fn idle(page: &mut Browser) {
    page.until("document.querySelector('main')?.getAttribute('aria-busy') === 'false'");
    assert_eq!(page.text("#trouble"), "");
}
