//! What replays have in common, wherever their rounds come from: a page, the style of its pictures,
//! and a file.

use std::fmt::Display;

use axum::http::HeaderName;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{Html, IntoResponse as _, Response};
use judge_core::MatchRecord;
use judge_runner::Error;
use judge_runner::graded_rounds::{self, Beside, LinkedPage, Links};

use crate::web::{Assets, Failure};

/// Headers of the file `round-NAME.jsonl`.
pub(super) fn file_headers(name: impl Display) -> [(HeaderName, String); 2] {
    let kind = "application/jsonl; charset=utf-8".to_owned();
    let name = format!("attachment; filename=\"round-{name}.jsonl\"");
    [(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, name)]
}

/// Draws a round for the address `own`, with a link back and the command that verifies its file.
pub(super) fn draw(
    record: &MatchRecord,
    own: &str,
    (back, back_name): (&str, &'static str),
    verify: &str,
) -> Result<LinkedPage, Error> {
    let links = Links {
        styles: vec![Assets::url("round.css"), format!("{own}.css")],
        script: Assets::url("round.js"),
    };
    let beside = Beside { file: format!("{own}.jsonl"), back: back.to_owned(), back_name };
    graded_rounds::page(record, verify, beside, links)
}

/// Answers with the page, or with the style of its pictures where the address ends in `css`.
pub(super) fn page_or_style(drawn: LinkedPage, ending: &str) -> Result<Response, Failure> {
    match ending {
        "" => Ok(Html(drawn.html).into_response()),
        "css" => Ok(([(CONTENT_TYPE, "text/css; charset=utf-8")], drawn.style).into_response()),
        _ => Err(Failure::NotFound),
    }
}
