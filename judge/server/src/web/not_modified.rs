//! Answers that a browser already has: a tag for each, and `304` instead of the same bytes.

use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use judge_core::digest;

/// The caches that may keep an answer. They must revalidate it, except for [`Keeper::OwnForGood`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeper {
    /// Only the person's browser.
    Own,
    /// Only the person's browser, without revalidation: the address changes with the answer.
    OwnForGood,
    /// Shared caches, too.
    Anybody,
}

/// An entity tag, which changes with the bytes of an answer.
#[derive(Debug, Clone)]
pub struct Tag(HeaderValue);

/// The start of the program, because another version of the program may answer with other bytes.
static STARTED: LazyLock<String> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_nanos().to_string()
});

impl Tag {
    /// The tag of a file embedded in the program.
    pub fn of_file(bytes: &[u8]) -> Tag {
        let tag = format!("\"{}\"", digest(bytes));
        Tag(HeaderValue::try_from(tag).expect("digits and quotes are a header's value"))
    }

    /// The tag of an answer that depends only on these parts.
    pub fn new(parts: &[&[u8]]) -> Tag {
        let all = [STARTED.as_bytes()].into_iter().chain(parts.iter().copied());
        let hashes: Vec<String> = all.map(|part| digest(part).to_string()).collect();
        Tag::of_file(hashes.concat().as_bytes())
    }

    /// The tag as the key of a cache.
    pub fn key(&self) -> String {
        self.0.to_str().unwrap_or_default().to_owned()
    }

    /// A short text that changes with the tag, for addresses.
    pub fn short(&self) -> String {
        let tag = self.0.to_str().unwrap_or_default().trim_matches('"');
        tag.chars().take(12).collect()
    }

    /// True if the browser already has the answer.
    pub fn is_known(&self, asked: &HeaderMap) -> bool {
        let known = asked.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
        let mut tags = known.flat_map(|text| text.split(',')).map(str::trim);
        // A proxy that compresses makes a tag weak.
        tags.any(|tag| tag.strip_prefix("W/").unwrap_or(tag).as_bytes() == self.0.as_bytes())
    }

    /// The answer `304`, for a browser that already has it.
    pub fn unchanged(self, keeper: Keeper) -> Response {
        self.on(StatusCode::NOT_MODIFIED, keeper)
    }

    /// Adds this tag to an answer.
    pub fn on(self, answer: impl IntoResponse, keeper: Keeper) -> Response {
        let mut response = answer.into_response();
        let kept = match keeper {
            Keeper::Own => "private, no-cache",
            Keeper::OwnForGood => "private, max-age=31536000, immutable",
            Keeper::Anybody => "no-cache",
        };
        let headers = response.headers_mut();
        headers.insert(ETAG, self.0);
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(kept));
        if keeper != Keeper::Anybody {
            headers.insert(VARY, HeaderValue::from_static("cookie, authorization"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_etag_matches_by_its_text_and_depends_on_each_part() {
        let tag = Tag::new(&[b"one", b"two"]);
        let text = tag.0.to_str().expect("text");
        let asked = |text: &str| {
            let value = HeaderValue::from_str(text).expect("a value");
            HeaderMap::from_iter([(IF_NONE_MATCH, value)])
        };
        for known in [text.to_owned(), format!("W/{text}"), format!("\"other\", {text}")] {
            assert!(tag.is_known(&asked(&known)), "{known}");
        }
        for other in [Tag::new(&[b"one", b"tw"]), Tag::new(&[b"onetwo"]), Tag::of_file(b"one")] {
            assert!(!tag.is_known(&asked(other.0.to_str().expect("text"))));
        }
        assert!(!tag.is_known(&HeaderMap::new()));
    }
}
