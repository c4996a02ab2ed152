//! API of scoreboards.

use axum::Json;
use axum::extract::{Path, Query, State};
use serde::Deserialize;
use utoipa::IntoParams;

use super::types::{ApiProblem, ApiScoreboardLine, Scoreboard};
use crate::App;
use crate::pages::{Attendance, ScoreboardPage, ScoreboardParams};
use crate::web::{RequestFailure, TokenViewer};

/// Number of lines on a page.
const LINES: u32 = 1000;

/// More pages than exist; the description needs a bound.
const PAGES: u64 = 1_000_000;

/// Page and filters of a scoreboard.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Filters {
    /// The page, from 1, of a thousand lines each.
    #[serde(default)]
    #[param(maximum = 1_000_000)]
    page: u64,
    /// Text that names must contain.
    #[serde(default)]
    name: String,
    /// Share of the points that lines must have: `all`, `some` or `none`.
    #[serde(default)]
    standing: String,
    /// The worst verdict, such as `runtime-error`; for staff.
    #[serde(default)]
    verdict: String,
}

/// Shows the scoreboard of a suite, like the page.
#[utoipa::path(get, path = "/courses/{course}/suites/{suite}/scoreboard",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("suite" = String, Path, description = "The suite's short name for URLs"), Filters),
    responses((status = 200, body = Scoreboard), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 404, body = ApiProblem)))]
pub(super) async fn scoreboard(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path((course, suite)): Path<(String, String)>,
    Query(filters): Query<Filters>,
) -> Result<Json<Scoreboard>, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?;
    let suite = attendance.suite(&app, &suite).await?;
    let Filters { page, name, standing, verdict } = filters;
    if page > PAGES {
        return Err(RequestFailure::Bad("error.bad_request"));
    }
    let params = ScoreboardParams { page, name, standing, verdict };
    let scoreboard =
        ScoreboardPage::load(&app, &viewer, &attendance, &suite, &params, LINES).await?;
    let mode = suite.settings.scoreboard.name().to_owned();
    let ScoreboardPage { lines, page, pages } = scoreboard;
    Ok(Json(Scoreboard {
        mode,
        page,
        pages,
        lines: lines.into_iter().map(ApiScoreboardLine::from).collect(),
    }))
}
