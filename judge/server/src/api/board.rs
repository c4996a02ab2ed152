//! Scoreboards for programs.

use axum::Json;
use axum::extract::{Path, State};

use super::types::{Line, Problem, Scoreboard};
use crate::App;
use crate::pages::{Attendance, Board};
use crate::web::{Failure, Program};

/// Tells the scoreboard of a suite, as the page shows it.
#[utoipa::path(get, path = "/courses/{course}/suites/{suite}/scoreboard",
    params(("course" = String, Path, description = "The course's name in addresses"),
        ("suite" = String, Path, description = "The suite's name in addresses")),
    responses((status = 200, body = Scoreboard), (status = 401, body = Problem),
        (status = 404, body = Problem)))]
pub(super) async fn scoreboard(
    State(app): State<App>,
    Program(viewer): Program,
    Path((course, suite)): Path<(String, String)>,
) -> Result<Json<Scoreboard>, Failure> {
    let attendance = Attendance::of(&app, &viewer, &course).await?;
    let suite = attendance.suite(&app, &suite).await?;
    let board = Board::of(&app, &viewer, &attendance, &suite).await?;
    let mode = suite.settings.board.name().to_owned();
    Ok(Json(Scoreboard { mode, lines: board.lines.into_iter().map(Line::from).collect() }))
}
