//! Requests during an outage of the database: they fail at once with a sentence.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::RequestFailure;
use crate::App;

/// Fails requests while the database does not answer, those under way as well. A change that was
/// not confirmed may have been made.
pub async fn during_outage(State(app): State<App>, request: Request, next: Next) -> Response {
    tokio::select! {
        biased;
        () = app.outage().begins() => RequestFailure::Unavailable.into_response(),
        response = next.run(request) => response,
    }
}
