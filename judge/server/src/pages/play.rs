//! The pages for playing and for checking replays, within the site.

use axum::extract::{OriginalUri, Query, State};
use axum::http::HeaderMap;
use axum::response::{Html, IntoResponse as _, Response};
use serde::Deserialize;

use super::Attendance;
use crate::App;
use crate::web::{PageFrame, RequestFailure, Viewer, play_page};
use crate::words::Language;

/// The page that the reader came from.
#[derive(Deserialize)]
pub(super) struct CameFrom {
    /// Slug of a course.
    #[serde(default)]
    course: Option<String>,
}

impl CameFrom {
    /// The frame of a public page, with the course that the reader came from if they are a member.
    ///
    /// # Errors
    /// When the database fails.
    pub(super) async fn frame(
        &self,
        app: &App,
        viewer: Option<&Viewer>,
        headers: &HeaderMap,
    ) -> Result<PageFrame, RequestFailure> {
        let Some(viewer) = viewer else {
            return Ok(PageFrame::bare(Language::preferred(headers), String::new()));
        };
        let frame = PageFrame::new(viewer, "");
        let Some(slug) = &self.course else { return Ok(frame) };
        match Attendance::load(app, viewer, slug).await {
            Ok(attendance) => Ok(frame.in_course(attendance.link())),
            Err(RequestFailure::NotFound) => Ok(frame),
            Err(failure) => Err(failure),
        }
    }
}

/// `/play/play.html` and `/play/verify.html`: public. The page itself reads the other parameters of
/// the address.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Option<Viewer>,
    OriginalUri(address): OriginalUri,
    Query(from): Query<CameFrom>,
    headers: HeaderMap,
) -> Result<Response, RequestFailure> {
    let name = address.path().rsplit('/').next().unwrap_or_default();
    let frame = from.frame(&app, viewer.as_ref(), &headers).await?;
    let page =
        play_page(name, frame.words, &frame.navigation()?).ok_or(RequestFailure::NotFound)?;
    Ok(Html(page).into_response())
}
