//! The form that creates an arena.

use axum::extract::{Form, Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};

use super::super::Attendance;
use super::super::arena::create_arena;
use super::manage_page;
use crate::App;
use crate::web::{Fields, RequestFailure, Typed, Viewer, filled};

/// Creates an arena.
pub(super) async fn create(
    State(app): State<App>,
    viewer: Viewer,
    Path(course): Path<String>,
    Form(fields): Form<Fields>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?.instructor()?;
    let made = async { create_arena(&app, &viewer, &attendance, &filled(&fields)?).await };
    match made.await {
        Ok(arena) => Ok(Redirect::to(&format!("/c/{course}/a/{}", arena.slug)).into_response()),
        Err(failure) => {
            let typed = Typed::read(failure, "arena", fields, &viewer)?;
            manage_page(&app, &viewer, &attendance, typed).await
        }
    }
}
