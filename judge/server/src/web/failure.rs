//! Failures of a request, and the page or JSON for each. Neither shows a path, a query, a version
//! or a seed; details for the operator go to the log.

use std::any::Any;

use askama::Template as _;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, HOST, REFERER, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use judge_core::escaped_json;
use serde_json::json;

use super::{ErrorPage, PageFrame, Viewer};
use crate::App;
use crate::drawings::DrawingError;
use crate::turns::TooManyRequests;
use crate::uploads::UploadError;
use crate::words::Language;

/// The reason why a request failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestFailure {
    /// The address does not exist, or its existence is secret.
    NotFound,
    /// The request has no session.
    SignIn,
    /// The token of a program is unknown.
    BadToken,
    /// The person may see this, but not change it.
    NotAllowed,
    /// The request comes from another site's page.
    ForeignOrigin,
    /// The request is not valid; the value is the name of the text with the reason, `error.…`.
    Bad(&'static str),
    /// The rules of the course do not allow it; the values are the name of the text, `refusal.…`,
    /// and its argument.
    Refused(&'static str, String),
    /// The request is too large.
    TooLarge,
    /// Too many requests.
    TooMany,
    /// The database cannot be reached at the moment. Nothing was done.
    Unavailable,
    /// The disk is full. Nothing was done.
    NoRoom,
    /// The server failed. The cause is in the log.
    Internal,
}

impl RequestFailure {
    /// A failure of the server: logs the cause.
    ///
    /// An archived course is not one: every change may meet it, so it becomes a refusal here.
    pub fn internal(error: impl std::fmt::Display + 'static) -> RequestFailure {
        let known = (&error as &dyn Any).downcast_ref::<judge_store::Error>();
        if matches!(known, Some(judge_store::Error::Archived)) {
            return RequestFailure::archived();
        }
        tracing::error!(%error, "a request failed");
        match known {
            Some(error) if error.is_full() => RequestFailure::NoRoom,
            Some(error) if error.is_outage() => RequestFailure::Unavailable,
            _ => RequestFailure::Internal,
        }
    }

    /// The refusal of a change to an archived course.
    pub fn archived() -> RequestFailure {
        RequestFailure::Refused("refusal.archived", String::new())
    }

    /// The text for people.
    pub(super) fn text(&self, language: Language) -> String {
        code_and_text(self, language).1
    }

    pub(super) fn status(&self) -> StatusCode {
        match self {
            RequestFailure::NotFound => StatusCode::NOT_FOUND,
            RequestFailure::SignIn | RequestFailure::BadToken => StatusCode::UNAUTHORIZED,
            RequestFailure::NotAllowed | RequestFailure::ForeignOrigin => StatusCode::FORBIDDEN,
            RequestFailure::Bad(_) => StatusCode::BAD_REQUEST,
            RequestFailure::Refused(..) => StatusCode::CONFLICT,
            RequestFailure::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            RequestFailure::TooMany => StatusCode::TOO_MANY_REQUESTS,
            RequestFailure::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            RequestFailure::NoRoom => StatusCode::INSUFFICIENT_STORAGE,
            RequestFailure::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl From<DrawingError> for RequestFailure {
    fn from(error: DrawingError) -> RequestFailure {
        match error {
            DrawingError::TooMany => RequestFailure::TooMany,
            DrawingError::Failed(_) => RequestFailure::internal(error),
        }
    }
}

impl From<TooManyRequests> for RequestFailure {
    fn from(_: TooManyRequests) -> RequestFailure {
        RequestFailure::TooMany
    }
}

impl From<UploadError> for RequestFailure {
    fn from(error: UploadError) -> RequestFailure {
        match error {
            UploadError::TooLarge => RequestFailure::TooLarge,
            UploadError::TooMany => RequestFailure::TooMany,
            UploadError::NoRoom(_) => {
                tracing::error!(%error, "a request failed");
                RequestFailure::NoRoom
            }
            UploadError::File(_) => RequestFailure::internal(error),
        }
    }
}

/// A code for programs, and the text for people.
fn code_and_text(failure: &RequestFailure, language: Language) -> (&'static str, String) {
    let words = language.words();
    let code = match failure {
        RequestFailure::NotFound => "error.not_found",
        RequestFailure::SignIn => "error.sign_in",
        RequestFailure::BadToken => "error.token",
        RequestFailure::NotAllowed => "error.not_allowed",
        RequestFailure::ForeignOrigin => "error.foreign_origin",
        RequestFailure::TooLarge => "error.too_large",
        RequestFailure::TooMany => "error.too_many",
        RequestFailure::Unavailable => "trouble.unavailable",
        RequestFailure::NoRoom => "trouble.no_room",
        RequestFailure::Internal => "error.internal",
        RequestFailure::Bad(code) => code,
        RequestFailure::Refused(code, what) => return (code, words.t1(code, what)),
    };
    (code, words.t(code).to_owned())
}

impl IntoResponse for RequestFailure {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        if matches!(self, RequestFailure::TooMany | RequestFailure::Unavailable) {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("5"));
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// The failure for a bare status, from axum or a layer.
fn of_status(status: StatusCode) -> RequestFailure {
    match status {
        StatusCode::NOT_FOUND => RequestFailure::NotFound,
        StatusCode::PAYLOAD_TOO_LARGE => RequestFailure::TooLarge,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => RequestFailure::Bad("error.unsupported"),
        StatusCode::METHOD_NOT_ALLOWED => RequestFailure::Bad("error.method"),
        StatusCode::REQUEST_TIMEOUT => RequestFailure::Bad("error.too_slow"),
        status if status.is_client_error() => RequestFailure::Bad("error.bad_request"),
        _ => RequestFailure::Internal,
    }
}

/// Gives every failure a page, or JSON under `/api/`, in the reader's language.
pub async fn in_words(State(app): State<App>, request: Request, next: Next) -> Response {
    let language = Language::preferred(request.headers());
    let headers = request.headers().clone();
    let for_programs = request.uri().path().starts_with("/api/");
    let response = next.run(request).await;
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let failure = response.extensions().get::<RequestFailure>().cloned();
    let failure = match failure {
        Some(failure) => failure,
        // The handler has made a page with its own text.
        None if is_page(&response) => return response,
        None => of_status(status),
    };
    let (code, text) = code_and_text(&failure, language);
    let (mut parts, _) = response.into_parts();
    parts.headers.remove(CONTENT_TYPE);
    parts.headers.remove(axum::http::header::CONTENT_LENGTH);
    let body = if for_programs {
        let code = code.rsplit('.').next().unwrap_or(code);
        // The text may quote the request.
        let json = escaped_json(&json!({ "error": code, "message": text }).to_string());
        ([(CONTENT_TYPE, "application/json")], json).into_response()
    } else {
        let sign_in = failure == RequestFailure::SignIn;
        let viewer = match status.is_client_error() && !sign_in {
            true => Viewer::in_browser(&app, &headers).await,
            false => None,
        };
        let frame = match viewer {
            Some(viewer) => {
                let (_, text) = code_and_text(&failure, viewer.language);
                PageFrame::new(&viewer, text)
            }
            None => PageFrame::bare(language, text),
        };
        let back = page_before(&headers);
        match (ErrorPage { frame, sign_in, back }).render() {
            Ok(page) => Html(page).into_response(),
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        }
    };
    let (body_parts, body) = body.into_parts();
    parts.headers.extend(body_parts.headers);
    Response::from_parts(parts, body)
}

/// The path of the page that the reader came from, if it is one of this server.
fn page_before(headers: &HeaderMap) -> Option<String> {
    let text = |name| headers.get(name)?.to_str().ok();
    let (_, rest) = text(REFERER)?.split_once("://")?;
    let path = rest.strip_prefix(text(HOST)?)?;
    // Two slashes would begin the host name of another server.
    let is_here = path.starts_with('/') && !path[1..].starts_with(['/', '\\']);
    is_here.then(|| path.to_owned())
}

fn is_page(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("text/html") || kind.starts_with("application/json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_back_link_stays_on_this_server() {
        let back = |from: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_static("judge.example.org"));
            headers.insert(REFERER, HeaderValue::from_static(from));
            page_before(&headers)
        };
        let own = "https://judge.example.org/c/ai/manage?x=1";
        assert_eq!(back(own).as_deref(), Some("/c/ai/manage?x=1"));
        for other in [
            "https://evil.example/c/ai",
            "https://judge.example.org.evil.example/",
            "https://judge.example.org//evil.example/",
            "https://judge.example.org/\\evil.example/",
            "https://judge.example.org",
            "judge.example.org/c/ai",
        ] {
            assert_eq!(back(other), None, "{other}");
        }
    }
}
