//! Security headers of every response.

use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::middleware::Next;
use axum::response::Response;

use crate::App;

/// Forbids inline content and other origins; allows WebAssembly for the rules in the page.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
     img-src 'self' data:; connect-src 'self'; worker-src 'self'; form-action 'self'; \
     frame-ancestors 'none'; base-uri 'none'",
);

const FIXED: [(HeaderName, HeaderValue); 4] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    // With `no-referrer`, browsers send `Origin: null` with forms, and every form would be foreign.
    (REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
];

/// The sites that may embed an answer: only this server, unless the handler sets another value.
const SHOWN_BY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Adds the headers of every response.
pub async fn security_headers(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in FIXED {
        headers.insert(name, value);
    }
    headers.entry(SHOWN_BY).or_insert(HeaderValue::from_static("same-origin"));
    // Pages are personal, so caches must not keep them unless the handler allows it.
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if app.config().is_secure() {
        let year = HeaderValue::from_static("max-age=31536000");
        headers.insert(STRICT_TRANSPORT_SECURITY, year);
    }
    response
}
