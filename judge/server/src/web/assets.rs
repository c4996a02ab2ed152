//! Styles and scripts of the pages. They are embedded in the program, and their addresses change
//! with their content.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use judge_core::digest;

use super::RequestFailure;
use crate::translate::page_language;
use crate::words::Language;

/// A file that pages refer to.
struct Asset {
    name: &'static str,
    kind: &'static str,
    text: String,
}

static ALL: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let style = [STYLE_OF_ALL, SITE_STYLE, include_str!("../../assets/server.css")].concat();
    let round = [STYLE_OF_ALL, SITE_STYLE, judge_report::page::ROUND_STYLE].concat();
    let in_language = |language| judge_report::page::round_script(page_language(language));
    let script = |name, text: &str| Asset { name, kind: SCRIPT, text: text.to_owned() };
    vec![
        Asset { name: "style.css", kind: STYLE, text: style },
        Asset { name: "round.css", kind: STYLE, text: round },
        script("round.js", &in_language(Language::English)),
        script("round-zh.js", &in_language(Language::Chinese)),
        script("live.js", include_str!("../../assets/live.js")),
        script("scoreboard.js", include_str!("../../assets/scoreboard.js")),
        script("wait.js", include_str!("../../assets/wait.js")),
    ]
});

/// Style rules that all pages share with the judge's pages.
const STYLE_OF_ALL: &str = judge_report::page::STYLE;

/// Style rules of the navigation.
pub(super) const SITE_STYLE: &str = include_str!("../../assets/site.css");

const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Addresses of the assets, which change with their content, so that browsers may cache them.
#[derive(Debug, Clone, Copy)]
pub struct Assets;

impl Assets {
    /// The address of an asset.
    pub fn url(name: &str) -> String {
        let text = ALL.iter().find(|asset| asset.name == name).map_or("", |asset| &asset.text);
        let hash = digest(text.as_bytes()).to_string();
        format!("/assets/{}/{name}", hash.get(..12).unwrap_or_default())
    }
}

/// `/assets/{hash}/{name}`: an asset, for any hash.
pub async fn asset(Path((_, name)): Path<(String, String)>) -> Result<Response, RequestFailure> {
    let asset = ALL.iter().find(|asset| asset.name == name).ok_or(RequestFailure::NotFound)?;
    let year = HeaderValue::from_static("public, max-age=31536000, immutable");
    let kind = HeaderValue::from_static(asset.kind);
    Ok(([(CONTENT_TYPE, kind), (CACHE_CONTROL, year)], asset.text.as_str()).into_response())
}
