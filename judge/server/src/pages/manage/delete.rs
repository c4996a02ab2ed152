//! Deletes a suite or an archived course. The short name is typed as a confirmation.

use axum::extract::{Form, Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_store::Timestamp;
use serde::Deserialize;

use super::super::Attendance;
use super::super::home::not_fitting;
use crate::App;
use crate::web::{RequestFailure, Viewer};

/// The short name of the suite or course, typed again.
#[derive(Deserialize)]
pub(super) struct NameForm {
    #[serde(default)]
    name: String,
}

impl NameForm {
    fn check(&self, name: &str) -> Result<(), RequestFailure> {
        match self.name.trim() == name {
            true => Ok(()),
            false => Err(RequestFailure::Refused("refusal.other_name", name.to_owned())),
        }
    }
}

/// Handles the form that deletes a suite.
pub(super) async fn suite(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, suite)): Path<(String, String)>,
    Form(form): Form<NameForm>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?.instructor()?;
    attendance.open()?;
    form.check(&suite)?;
    delete_suite(&app, &viewer, &attendance, &suite).await?;
    Ok(Redirect::to(&format!("/c/{course}/manage")).into_response())
}

/// Deletes a suite with its submissions and results.
///
/// # Errors
/// When it does not exist, the course is archived, the reader is not an instructor, or the database
/// fails.
pub async fn delete_suite(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    suite: &str,
) -> Result<(), RequestFailure> {
    let suite = attendance.suite(app, suite).await?;
    let done = viewer.acting(app).delete_suite(&suite.id, Some(&viewer.person.id)).await;
    done.map_err(not_fitting)?;
    tracing::info!(suite = %suite.id, "a suite was deleted");
    app.scoreboards().forget();
    Ok(())
}

/// Handles the form that deletes a course.
pub(super) async fn course(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(form): Form<NameForm>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    form.check(&slug)?;
    delete_course(&app, &viewer, &attendance).await?;
    Ok(Redirect::to("/").into_response())
}

/// Deletes an archived course with all that belongs to it.
///
/// # Errors
/// When it is not archived, the reader is not an instructor, or the database fails.
pub async fn delete_course(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
) -> Result<(), RequestFailure> {
    let (course, by) = (&attendance.course, Some(&viewer.person.id));
    let done = viewer.acting(app).delete_course(&course.id, by, Timestamp::now()).await;
    done.map_err(not_fitting)?;
    tracing::info!(course = %course.slug, "a course was deleted");
    app.scoreboards().forget();
    Ok(())
}
