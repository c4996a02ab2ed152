//! The replay of a pair's round: its page, the style of its pictures, and its file.

use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{Html, IntoResponse as _, Response};
use judge_core::MatchRecord;
use judge_runner::graded_rounds::{self, Beside, LinkedPage, Links};

use super::InArena;
use crate::App;
use crate::web::{Assets, Failure, Viewer};

/// `/c/{course}/a/{arena}/pairs/{pair}/{round}`, and the same with `.css` and `.jsonl`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, arena, id, file)): Path<(String, String, String, String)>,
) -> Result<Response, Failure> {
    let (number, ending) = file.split_once('.').unwrap_or((&file, ""));
    let number: i64 = number.parse().map_err(|_| Failure::NotFound)?;
    let place = InArena::of(&app, &viewer, (&course, &arena)).await?;
    let pair = place.pair(&app, &id).await?;
    let text = app.store().ladder_record(&pair.id, number).await.map_err(Failure::internal)?;
    let text = text.ok_or(Failure::NotFound)?;
    if ending == "jsonl" {
        let name = format!("attachment; filename=\"round-{number}.jsonl\"");
        let kind = "application/jsonl; charset=utf-8".to_owned();
        return Ok(([(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, name)], text).into_response());
    }
    let address = format!("{}/pairs/{}", place.address(), pair.id);
    let drawn = tokio::task::spawn_blocking(move || drawn(&text, &address, number)).await;
    let drawn = drawn.map_err(Failure::internal)??;
    match ending {
        "" => Ok(Html(drawn.html).into_response()),
        "css" => Ok(([(CONTENT_TYPE, "text/css; charset=utf-8")], drawn.style).into_response()),
        _ => Err(Failure::NotFound),
    }
}

fn drawn(text: &str, address: &str, number: i64) -> Result<LinkedPage, Failure> {
    let record = MatchRecord::from_replay(text).map_err(Failure::internal)?;
    let own = format!("{address}/{number}");
    let links = Links {
        styles: vec![Assets::url("round.css"), format!("{own}.css")],
        script: Assets::url("round.js"),
    };
    let beside =
        Beside { file: format!("{own}.jsonl"), back: address.to_owned(), back_name: "the pair" };
    let verify = format!("judge verify round-{number}.jsonl");
    graded_rounds::page(&record, &verify, beside, links).map_err(Failure::internal)
}
