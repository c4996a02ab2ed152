//! The pages for playing and for checking replays, within the site.

use axum::extract::{OriginalUri, Query, State};
use axum::http::HeaderMap;
use axum::response::{Html, IntoResponse as _, Response};
use serde::Deserialize;

use super::Attendance;
use crate::App;
use crate::web::{Failure, Frame, Viewer, play_page};
use crate::words::Language;

/// Where the reader came from.
#[derive(Deserialize)]
pub(super) struct From {
    /// Slug of a course.
    #[serde(default)]
    course: Option<String>,
}

/// `/play/play.html` and `/play/verify.html`: for everybody, signed in or not. The other parameters
/// of the address are the page's own.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Option<Viewer>,
    OriginalUri(address): OriginalUri,
    Query(from): Query<From>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let name = address.path().rsplit('/').next().unwrap_or_default();
    let frame = match &viewer {
        Some(viewer) => Frame::of(viewer, ""),
        None => Frame::bare(Language::asked(&headers), String::new()),
    };
    let frame = match (&viewer, &from.course) {
        (Some(viewer), Some(slug)) => match Attendance::of(&app, viewer, slug).await {
            Ok(attendance) => frame.in_course(attendance.link()),
            Err(Failure::NotFound) => frame,
            Err(failure) => return Err(failure),
        },
        _ => frame,
    };
    let page = play_page(name, frame.words, &frame.navigation()?).ok_or(Failure::NotFound)?;
    Ok(Html(page).into_response())
}
