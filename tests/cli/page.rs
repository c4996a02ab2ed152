//! `judge replay --html`: written files and refusals.

use std::path::{Path, PathBuf};

use judge_core::RoundRecord;
use tempfile::TempDir;

use crate::support::{Ran, run, sample, write};

/// A folder with a stored round.
fn kept() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let replay = folder.path().join("round.jsonl");
    let bot = sample("mahjong-distance");
    let [bot, path] = [&bot, &replay].map(|path| path.to_str().unwrap());
    assert_eq!(run(["play", bot, "--seed", "5", "--replay", path]).code, 0);
    (folder, replay)
}

fn page(replay: &Path, out: &Path) -> Ran {
    run([Path::new("replay"), replay, Path::new("--html"), out])
}

#[test]
fn a_page_is_the_same_in_a_file_and_on_standard_output() {
    let (folder, replay) = kept();
    let out = folder.path().join("round.html");
    let ran = page(&replay, &out);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));
    let html = std::fs::read_to_string(&out).unwrap();
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
    assert_eq!(page(&replay, Path::new("-")).stdout, html, "and from run to run");
    let record = RoundRecord::from_replay(&std::fs::read_to_string(&replay).unwrap()).unwrap();
    assert!(html.contains(&record.digest().to_string()));
    assert!(html.contains(&format!("judge verify {}", replay.display())));
    assert!(html.contains("Arcade Mahjong") && html.contains("Seat 2</span>"), "three views");
    assert!(html.len() < 500_000, "{} bytes", html.len());
}

#[test]
fn the_page_of_a_changed_replay_has_a_warning() {
    let (folder, replay) = kept();
    let text = std::fs::read_to_string(&replay).unwrap();
    let mut forged = RoundRecord::from_replay(&text).unwrap();
    forged.trailer.outcome.scores = [1000, 0];
    let changed = [
        (text.replacen("\"seed\":5", "\"seed\":7", 1), "line 1: changed after it was written"),
        (forged.to_replay(), "not a round as the judge writes it"),
    ];
    for (text, expected) in changed {
        let changed = write(folder.path(), "changed.jsonl", text);
        let ran = page(&changed, Path::new("-"));
        assert_eq!(ran.code, 3);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        let (header, _) = ran.stdout.split_once("</header>").unwrap();
        assert!(header.contains("role=\"alert\"") && header.contains(expected), "{header}");
    }
}

#[test]
fn a_file_that_is_not_a_replay_gives_no_page() {
    let (folder, replay) = kept();
    let text = std::fs::read_to_string(&replay).unwrap();
    let out = folder.path().join("none.html");
    let cases = [
        (text.replacen("\"game\":\"mahjong\"", "\"game\":\"chess\"", 1), "unknown game `chess`"),
        ("{}\n{}\n".to_owned(), "line 1"),
        (String::new(), "a header, at least one call"),
        (text.replacen(":5", ": 5", 1), "changed after it was written"),
    ];
    for (text, expected) in cases {
        let ran = page(&write(folder.path(), "bad.jsonl", text), &out);
        assert_eq!((ran.code, ran.stdout.as_str()), (3, ""));
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        assert!(!out.exists());
    }
    assert_eq!(page(&folder.path().join("missing.jsonl"), &out).code, 3);
}

#[test]
fn a_page_that_cannot_be_written_is_refused_with_a_hint() {
    let (folder, replay) = kept();
    let before = std::fs::read_to_string(&replay).unwrap();
    let cases = [
        (folder.path().join("no/such/folder.html"), 3, "hint: make its folder first"),
        (folder.path().to_owned(), 3, "hint: this is a folder: name a file in it"),
        (replay.clone(), 3, "is an input of this command and would be overwritten"),
    ];
    for (out, code, expected) in cases {
        let ran = page(&replay, &out);
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""));
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    assert_eq!(std::fs::read_to_string(&replay).unwrap(), before);
    let both = ["replay", replay.to_str().unwrap(), "--html", "-", "--svg", "-"];
    assert_eq!(run(both).code, 2, "a page or a picture");
}

/// The judge failed before anything was played.
#[test]
fn a_round_without_calls_has_a_page() {
    let (folder, replay) = kept();
    let text = std::fs::read_to_string(&replay).unwrap();
    let mut record = RoundRecord::from_replay(&text).unwrap();
    record.calls.clear();
    let outcome =
        judge_core::RoundResult { scores: [0, 0], winner: None, reason: "judge error".to_owned() };
    let fault = judge_core::Fault::judge("the worker ended");
    record.trailer = judge_core::RecordTrailer::new(outcome, Some(fault));
    let empty = write(folder.path(), "empty.jsonl", record.to_replay());
    let ran = page(&empty, Path::new("-"));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("the worker ended") && ran.stdout.contains("the judge; it counts"));
    assert!(!ran.stdout.contains("role=\"alert\""), "there is nothing wrong with the file");
}

/// A script that marks the board in its log.
const MARKING: &str = r#"// judge: game=amazons
import { run } from 'judge-bot';
import * as amazons from 'judge-bot/amazons';

run(amazons, (state, tools) => {
  const [from] = amazons.amazons(state, state.seat).filter((one) => amazons.reach(state, one).length > 0);
  const [to] = amazons.reach(state, from);
  tools.log('@mark d1 blue');
  tools.log('@mark nowhere');
  tools.log('@text one <b> & two');
  return { from, to, arrow: from };
});
"#;

#[test]
fn marks_in_a_log_are_drawn_on_the_board() {
    let folder = tempfile::tempdir().unwrap();
    let bot = write(folder.path(), "marking.js", MARKING);
    let html = folder.path().join("round.html");
    let [bot, out] = [&bot, &html].map(|path| path.to_str().unwrap());
    let ran = run(["play", bot, "--seed", "1", "--against", "random", "--html", out]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let page = std::fs::read_to_string(&html).unwrap();
    assert_eq!(page.matches("stroke=\\\"#1c7ed6\\\"").count(), 1, "each line is stored once");
    assert!(!page.contains("#e03131"), "an unknown place has no mark");
    assert!(
        page.contains(r#""note":{"seat":1,"text":"one \u003cb\u003e \u0026 two"}"#)
            && page.contains("id=\"note\"")
    );
    // Two sequences of pictures differ: the opponent's has no marks.
    let (_, seats) = page.split_once("\"seats\":").unwrap();
    assert!(seats.starts_with("[null,2]"), "{}", &seats[..40]);
}
