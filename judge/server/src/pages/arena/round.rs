//! The replay of a pair's round: its page, the style of its pictures, and its file.

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Response};
use judge_core::{RoundRecord, digest};

use super::super::replay::{RoundPage, file_headers};
use super::InArena;
use crate::App;
use crate::web::{PageFrame, RequestFailure, Viewer};

/// `/c/{course}/a/{arena}/pairs/{pair}/{round}`, and the same with `.css` and `.jsonl`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, arena, id, file)): Path<(String, String, String, String)>,
    asked: HeaderMap,
) -> Result<Response, RequestFailure> {
    let (number, ending) = file.split_once('.').unwrap_or((&file, ""));
    let number: i64 = number.parse().map_err(|_| RequestFailure::NotFound)?;
    let place = InArena::load(&app, &viewer, (&course, &arena)).await?;
    let pair = place.pair(&app, &id).await?;
    let text =
        app.store().ladder_record(&pair.id, number).await.map_err(RequestFailure::internal)?;
    let text = text.ok_or(RequestFailure::NotFound)?;
    if ending == "jsonl" {
        return Ok((file_headers(number), text).into_response());
    }
    let back = format!("{}/pairs/{}", place.address(), pair.id);
    let page = RoundPage {
        frame: PageFrame::new(&viewer, "").in_course(place.attendance.link()),
        own: format!("{back}/{number}"),
        back,
        back_name: "back.pair",
        verify: format!("judge verify round-{number}.jsonl"),
    };
    let identity = digest(text.as_bytes()).to_string();
    let record = move || RoundRecord::from_replay(&text).map_err(RequestFailure::internal);
    page.answer((&app, &viewer), &asked, ending, identity.as_bytes(), record).await
}
