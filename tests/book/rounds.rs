//! The rounds in the book: a picture of the end of each, and a page to click.

use crate::pages::{documents, read};
use crate::support::{run, sample, says};

/// `judge/docs/book/rounds.txt`: game, bot, opponent, seed and digest of each.
const LIST: &str = "judge/docs/book/rounds.txt";

pub(crate) fn pictures_match_the_output_of_the_judge() {
    let update = std::env::var_os("UPDATE_BOOK").is_some();
    let list: String = read(LIST).lines().map(|line| played_again(line, update)).collect();
    if update {
        std::fs::write(crate::support::root().join(LIST), &list).unwrap();
    }
    assert_eq!(read(LIST), list, "the rounds are others: UPDATE_BOOK=1");
}

/// A line of the list with its new digest, after a check of the picture. Other lines are comments.
fn played_again(line: &str, update: bool) -> String {
    if line.starts_with('#') {
        return format!("{line}\n");
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let [game, bot, opponent, seed, ..] = words[..] else { panic!("{line}") };
    let (digest, picture) = played(bot, opponent, seed);
    let path = documents().join(format!("book/games/{game}.svg"));
    if update {
        std::fs::write(&path, &picture).unwrap();
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == picture, "{} is another picture: UPDATE_BOOK=1", path.display());
    format!("{game} {bot} {opponent} {seed} {digest}\n")
}

/// Plays a round, as `build.sh` does for its page; returns its digest and the picture of its end.
fn played(bot: &str, opponent: &str, seed: &str) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let replay = folder.path().join("round.jsonl").display().to_string();
    let module = sample(bot).display().to_string();
    let ran = run(["play", &module, "--against", opponent, "--seed", seed, "--replay", &replay]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let digest = ran.stdout.lines().find_map(|line| line.strip_prefix("digest ")).unwrap();
    let page = run(["replay", &replay, "--html", "-"]).stdout;
    says(&page, &["<!doctype html>", digest]);
    (digest.to_owned(), run(["replay", &replay, "--svg", "-"]).stdout)
}
