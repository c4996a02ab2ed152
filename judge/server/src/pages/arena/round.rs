//! The replay of a pair's round: its page, the style of its pictures, and its file.

use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use judge_core::MatchRecord;

use super::super::replay::{draw, file_headers, page_or_style};
use super::InArena;
use crate::App;
use crate::web::{Failure, Viewer};

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
        return Ok((file_headers(number), text).into_response());
    }
    let back = format!("{}/pairs/{}", place.address(), pair.id);
    let own = format!("{back}/{number}");
    let verify = format!("judge verify round-{number}.jsonl");
    let drawn = tokio::task::spawn_blocking(move || {
        let record = MatchRecord::from_replay(&text).map_err(Failure::internal)?;
        draw(&record, &own, (&back, "the pair"), &verify).map_err(Failure::internal)
    });
    page_or_style(drawn.await.map_err(Failure::internal)??, ending)
}
