//! Signs the files that the server hands out.

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, ETAG};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::RequestFailure;
use crate::App;
use crate::signatures::About;

/// Header with the signature of the body.
const SIGNATURE: HeaderName = HeaderName::from_static("judge-signature");

/// Size of the largest file that is signed, in bytes.
const MOST: usize = 1 << 30;

/// Marks an answer as a file to sign, with its origin.
#[derive(Debug, Clone)]
struct HandedOut(About);

/// Turns a file that people keep and show to others into an answer. It is signed before it is sent,
/// with a statement about its origin.
pub fn handed_out(about: About, answer: impl axum::response::IntoResponse) -> Response {
    let mut response = answer.into_response();
    response.extensions_mut().insert(HandedOut(about));
    response
}

/// Adds the signature to a file that is handed out, or sends only the signature if the query is
/// `?signature`.
pub async fn signed(State(app): State<App>, request: Request, next: Next) -> Response {
    let alone = request.uri().query().is_some_and(|query| {
        query.split('&').any(|part| part == "signature" || part.starts_with("signature="))
    });
    let response = next.run(request).await;
    let about = response.extensions().get::<HandedOut>().map(|HandedOut(about)| about.clone());
    let Some(about) = about.filter(|_| response.status().is_success()) else { return response };
    sign(&app, response, &about, alone).await.unwrap_or_else(RequestFailure::into_response)
}

async fn sign(
    app: &App,
    response: Response,
    about: &About,
    alone: bool,
) -> Result<Response, RequestFailure> {
    let Some(signer) = app.signer().await.map_err(RequestFailure::internal)? else {
        return if alone { Err(RequestFailure::NotFound) } else { Ok(response) };
    };
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, MOST).await.map_err(RequestFailure::internal)?;
    let line = signer.sign(&body, about);
    if !alone {
        let value = HeaderValue::try_from(line).map_err(RequestFailure::internal)?;
        parts.headers.insert(SIGNATURE, value);
        return Ok(Response::from_parts(parts, body.into()));
    }
    for other in [CONTENT_LENGTH, CONTENT_DISPOSITION, ETAG] {
        parts.headers.remove(other);
    }
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    parts.headers.insert(CONTENT_TYPE, kind);
    Ok(Response::from_parts(parts, format!("{line}\n").into()))
}
