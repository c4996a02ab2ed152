//! Checks that a request with side effects comes from the server's own pages, or has a token in a
//! header.

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::Response;

use super::RequestFailure;
use crate::App;

/// Refuses requests with side effects that do not come from a page of this server. A program with a
/// token in a header needs no origin, because browsers never add that header by themselves. A
/// request to the API without a token needs none either, because it is refused anyway.
pub async fn own_origin_only(
    State(app): State<App>,
    request: Request,
    next: Next,
) -> Result<Response, RequestFailure> {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let headers = request.headers();
    let by_token = headers.contains_key(AUTHORIZATION) && !headers.contains_key(COOKIE);
    // Handlers with side effects there ignore cookies, and refuse a request without a token
    // themselves.
    let nobody = request.uri().path().starts_with("/api/") && !headers.contains_key(AUTHORIZATION);
    if reads || by_token || nobody || is_own(app.config().public_url.as_deref(), headers) {
        return Ok(next.run(request).await);
    }
    Err(RequestFailure::ForeignOrigin)
}

/// True if the request names this server as its origin. A request without an origin is foreign.
fn is_own(public_url: Option<&str>, headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let (Some(origin), Some(host)) = (text(ORIGIN), text(HOST)) else { return false };
    match public_url {
        Some(url) => origin.eq_ignore_ascii_case(url),
        None => {
            let named = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            named.is_some_and(|named| named.eq_ignore_ascii_case(host))
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn own(url: Option<&str>, origin: Option<&'static str>, host: &'static str) -> bool {
        let mut headers = HeaderMap::from_iter([(HOST, HeaderValue::from_static(host))]);
        if let Some(origin) = origin {
            headers.insert(ORIGIN, HeaderValue::from_static(origin));
        }
        is_own(url, &headers)
    }

    #[test]
    fn only_the_servers_address_is_its_origin() {
        assert!(own(None, Some("http://127.0.0.1:8080"), "127.0.0.1:8080"));
        for foreign in [None, Some("null"), Some("http://evil.example"), Some("")] {
            assert!(!own(None, foreign, "127.0.0.1:8080"), "{foreign:?}");
        }
        let public = Some("https://judge.example");
        assert!(own(public, Some("https://judge.example"), "127.0.0.1:8080"));
        // The request chooses the host header, so it does not count if the public address is known.
        assert!(!own(public, Some("http://evil.example"), "evil.example"));
        assert!(!own(public, Some("https://judge.example.evil.example"), "judge.example"));
    }
}
