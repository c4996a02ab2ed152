//! The pages with the rules in them, on which people play against reference opponents and check
//! replays: the files of `judge/browser`, as they are.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use include_dir::{Dir, include_dir};
use judge_core::digest;

use super::Failure;

static PAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../browser/page");

/// The module that the pages load.
const MODULE: &[u8] = include_bytes!("../../../browser/prebuilt/judge-browser.wasm");

/// The files, by their names, each with a tag that changes with its bytes.
static FILES: LazyLock<BTreeMap<&str, (&[u8], HeaderValue)>> = LazyLock::new(|| {
    let pages = PAGES.files().filter_map(|file| Some((file.path().to_str()?, file.contents())));
    let others =
        [("style.css", judge_report::page::STYLE.as_bytes()), ("judge-browser.wasm", MODULE)];
    pages.chain(others).map(|(name, bytes)| (name, (bytes, tag(bytes)))).collect()
});

fn tag(bytes: &[u8]) -> HeaderValue {
    let tag = format!("\"{}\"", digest(bytes));
    HeaderValue::try_from(tag).expect("digits and quotes are a header's value")
}

/// `/play/{name}`: a file of these pages. Browsers ask each time, and get only what changed.
pub async fn play_file(Path(name): Path<String>, asked: HeaderMap) -> Result<Response, Failure> {
    let (bytes, tag) = FILES.get(name.as_str()).ok_or(Failure::NotFound)?;
    let headers: [(HeaderName, HeaderValue); 3] = [
        (CONTENT_TYPE, kind(&name)),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (ETAG, tag.clone()),
    ];
    match asked.get(IF_NONE_MATCH) == Some(tag) {
        true => Ok((StatusCode::NOT_MODIFIED, headers).into_response()),
        false => Ok((headers, *bytes).into_response()),
    }
}

fn kind(name: &str) -> HeaderValue {
    HeaderValue::from_static(match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        _ => "application/wasm",
    })
}
