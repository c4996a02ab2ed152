//! Pages for monitoring: readiness and metrics.

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use judge_store::Timestamp;

use crate::App;
use crate::web::RequestFailure;

/// `/readyz`: succeeds if the database answers.
pub async fn ready(State(app): State<App>) -> Response {
    match app.store().ping().await {
        Ok(()) => "ready\n".into_response(),
        Err(error) => {
            tracing::error!(%error, "not ready");
            (StatusCode::SERVICE_UNAVAILABLE, "not ready\n").into_response()
        }
    }
}

/// `/metrics`: metrics for Prometheus, only for this machine.
pub async fn metrics(State(app): State<App>, request: Request) -> Result<Response, RequestFailure> {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let near = peer.is_some_and(|peer| peer.0.ip().is_loopback());
    // A proxy may be on this machine, but its clients are not.
    if !near || request.headers().contains_key("x-forwarded-for") {
        return Err(RequestFailure::NotFound);
    }
    let read = tokio::select! {
        biased;
        () = app.outage().begins() => false,
        read = read_figures(&app) => read,
    };
    app.instruments().database_up.set(i64::from(read));
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(CONTENT_TYPE, kind)], app.instruments().text()).into_response())
}

/// Reads the figures that are in the database; false if it does not answer.
async fn read_figures(app: &App) -> bool {
    let Ok(queue) = app.store().queue_state(Timestamp::now()).await else { return false };
    let waiting = queue.new.saturating_add(queue.again);
    app.instruments().waiting.set(i64::try_from(waiting).unwrap_or(i64::MAX));
    let Some(fleet) = app.fleet() else { return true };
    let status = fleet.status().await;
    if let Ok(status) = &status {
        app.instruments().note_fleet(status);
    }
    status.is_ok()
}
