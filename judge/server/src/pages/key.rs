//! The page with the server's public key.

use askama::Template;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use crate::App;
use crate::web::{PageFrame, RequestFailure, Viewer, shown};
use crate::words::Language;

#[derive(Template)]
#[template(path = "key.html")]
struct KeyPage {
    frame: PageFrame,
    key: String,
}

/// `/key`: the public key, public.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Option<Viewer>,
    headers: HeaderMap,
) -> Result<Response, RequestFailure> {
    let signer = app.signer().await.map_err(RequestFailure::internal)?;
    let key = signer.ok_or(RequestFailure::NotFound)?.public().to_string();
    let language =
        viewer.as_ref().map_or_else(|| Language::preferred(&headers), |one| one.language);
    let title = language.words().t("key.title");
    let frame = match &viewer {
        Some(viewer) => PageFrame::new(viewer, title),
        None => PageFrame::bare(language, title.to_owned()),
    };
    shown(&KeyPage { frame, key })
}
