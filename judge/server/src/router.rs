//! All routes and layers of the server.

use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, RawQuery, Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{Redirect, Response};
use axum::routing::get;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::{RequestBodyTimeoutLayer, TimeoutLayer};

use crate::uploads::MAX_UPLOAD;
use crate::{App, api, pages, web};

/// Most bytes of a form without a module.
const MAX_FORM: usize = 64 << 10;

/// Time without a byte after which the reading of a body is given up.
const SLOW_BODY: Duration = Duration::from_secs(15);

/// Time for an answer. Live pages answer at once and stay open.
const ANSWER: Duration = Duration::from_secs(60);

/// All routes with their layers. Must be called within a runtime.
pub fn app(app: App) -> Router {
    let config = app.config();
    let pages = pages::routes().layer(DefaultBodyLimit::max(MAX_FORM));
    let uploads = pages::uploads().layer(DefaultBodyLimit::max(MAX_UPLOAD + MAX_FORM));
    let routes = Router::new().merge(pages).merge(uploads).nest("/api/v1", api::routes());
    let routes = web::rate_limited(checked(routes, &app), config, config.rate);
    // A lecture hall joins from one address, so these have their own, higher rate.
    let doors = pages::doors().layer(DefaultBodyLimit::max(MAX_FORM));
    let doors = doors.layer(from_fn_with_state(web::FailureLimit::new(config), web::few_failures));
    let doors = web::rate_limited(checked(doors, &app), config, config.rate.saturating_mul(10));
    let launches = launches(&app).layer(DefaultBodyLimit::max(MAX_FORM));
    Router::new()
        .merge(routes)
        .merge(doors)
        .merge(launches)
        .merge(files_and_health())
        .merge(monitoring(&app))
        .fallback(async || web::RequestFailure::NotFound)
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(app.clone(), web::in_words))
        .layer(from_fn_with_state(app.clone(), web::security_headers))
        .layer(from_fn_with_state(app.clone(), observed))
        .with_state(app)
}

/// Requests that come from a campus system's page, so that their origin cannot be checked. They ignore
/// sessions. A lecture hall opens its links at the same time.
fn launches(app: &App) -> Router<App> {
    let launches = bounded(during_outages(pages::launches(), app));
    web::rate_limited(launches, app.config(), app.config().rate.saturating_mul(10))
}

/// Adds the layers that check and bound a request.
fn checked(routes: Router<App>, app: &App) -> Router<App> {
    let routes = during_outages(routes.layer(from_fn_with_state(app.clone(), web::signed)), app);
    bounded(routes.layer(from_fn_with_state(app.clone(), web::own_origin_only)))
}

fn during_outages(routes: Router<App>, app: &App) -> Router<App> {
    routes.layer(from_fn_with_state(app.clone(), web::during_outage))
}

/// Adds the layers that bound a request.
fn bounded(routes: Router<App>) -> Router<App> {
    routes
        .layer(from_fn(web::plain_bodies_only))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, ANSWER))
        .layer(RequestBodyTimeoutLayer::new(SLOW_BODY))
}

/// Frequent and cheap requests.
fn files_and_health() -> Router<App> {
    Router::new()
        .route("/assets/{hash}/{name}", get(web::asset))
        .route("/play", get(play_page))
        .route("/play/{name}", get(web::play_file))
        .route("/write/{name}", get(web::write_file))
        // Browsers request it if a page does not name one.
        .route("/favicon.ico", get(async || StatusCode::NO_CONTENT))
        .route("/healthz", get(async || "ok\n"))
}

/// The page to play on, with the same game and players.
async fn play_page(RawQuery(query): RawQuery) -> Redirect {
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    Redirect::to(&format!("/play/play.html{query}"))
}

/// Pages for monitoring, which report an outage at once.
fn monitoring(app: &App) -> Router<App> {
    Router::new()
        .route("/readyz", get(pages::ready))
        .layer(from_fn_with_state(app.clone(), web::during_outage))
        .route("/metrics", get(pages::metrics))
}

fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    use axum::response::IntoResponse as _;
    web::RequestFailure::internal("a handler panicked").into_response()
}

/// Counts requests, and logs them by their route, never by their address, which may contain a
/// secret.
async fn observed(State(app): State<App>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<axum::extract::MatchedPath>();
    let route = route.map_or_else(|| "-".to_owned(), |route| route.as_str().to_owned());
    let method = request.method().clone();
    let begin = std::time::Instant::now();
    let response = next.run(request).await;
    let status = response.status().as_u16();
    app.instruments().requests.inc();
    if response.status().is_server_error() {
        app.instruments().failures.inc();
    }
    let ms = u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX);
    tracing::info!(%method, route, status, ms, "answered");
    response
}
