//! Rounds shown as text, as pictures and as pages.

use std::path::PathBuf;

use judge_report::RoundFilter;
use judge_runner::Error;
use judge_runner::rounds::play::ShownLog;
use judge_runner::rounds::replay::{self, Outcome, ReplayForm, Request};

use crate::play::{round, setting};
use crate::support::write;
use crate::{Heard, workers};

fn show(content: &str, form: ReplayForm) -> Result<Outcome, Error> {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "round.jsonl", content);
    let (players, rounds) = (Vec::<PathBuf>::new(), Vec::new());
    let filter = RoundFilter::default();
    let request = Request { file, players, rounds, worst: None, filter, form };
    replay::run(&request, &workers(), &mut Heard::default())
}

#[test]
fn a_replay_text_distinguishes_the_seats() {
    let played = round("mahjong-distance", setting(5));
    let form = ReplayForm::Text { answer: None, trace: false };
    let Outcome::Text { text, trouble } = show(&played.replay(), form).unwrap() else {
        panic!("text was asked for")
    };
    assert_eq!(trouble, None);
    assert!(text.spans().iter().any(|span| span.paint.is_some()));
    let plain = text.plain();
    assert!(plain.ends_with(&(played.summary(ShownLog::ALL).join("\n") + "\n")), "{plain}");
    assert!(plain.contains("move 1: seat 1: ") && !plain.contains('\u{1b}'), "{plain}");
    let beyond = show(&played.replay(), ReplayForm::Text { answer: Some(9999), trace: false });
    assert!(matches!(beyond, Err(Error::Usage { .. })), "{beyond:?}");
}

#[test]
fn pictures_and_pages_are_rendered_without_writing_files() {
    let replay = round("mahjong-distance", setting(5)).replay();
    let Ok(Outcome::Picture { svg }) = show(&replay, ReplayForm::Picture { answer: Some(1) })
    else {
        panic!("a picture was asked for")
    };
    assert!(svg.starts_with("<svg"), "{svg}");
    let Ok(Outcome::Page { html, trouble: None }) = show(&replay, ReplayForm::Page { to: None })
    else {
        panic!("a page was asked for")
    };
    assert!(html.starts_with("<!doctype html>"), "{html}");
}

#[test]
fn the_page_of_a_changed_replay_has_a_warning() {
    let replay = round("mahjong-distance", setting(5)).replay();
    let changed = replay.replacen("mahjong-distance", "somebody", 1);
    let Ok(Outcome::Page { html, trouble: Some(trouble) }) =
        show(&changed, ReplayForm::Page { to: None })
    else {
        panic!("a page was asked for")
    };
    assert!(html.contains("changed"), "{html}");
    assert!(trouble.contains("seal") || trouble.contains("changed"), "{trouble}");
}
