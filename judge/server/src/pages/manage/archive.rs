//! Pages that archive a course and bring it back, with the changes for its people.

use askama::Template;
use axum::extract::{Form, Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_store::{Error, Timestamp};
use serde::Deserialize;

use super::super::Attendance;
use super::super::home::not_fitting;
use crate::App;
use crate::web::{PageFrame, RequestFailure, Viewer, shown};

#[derive(Template)]
#[template(path = "manage_archive.html")]
struct ArchivePage {
    frame: PageFrame,
    slug: String,
    /// The change, for its people and for waiting submissions.
    changes: String,
    waiting: String,
}

/// `/c/{course}/manage/archive`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    let (store, course, words) = (app.store(), &attendance.course, viewer.language.words());
    let members = store.members(&course.id).await.map_err(RequestFailure::internal)?.len();
    let waiting = store.waiting_in(&course.id).await.map_err(RequestFailure::internal)?;
    let [title, changes, left] = match course.is_archived() {
        false => ["term.archive", "term.archive_changes", "term.archive_waiting"],
        true => ["term.bring_back", "term.bring_back_changes", "term.bring_back_waiting"],
    };
    shown(&ArchivePage {
        frame: PageFrame::new(&viewer, words.t(title)).in_course(attendance.link()),
        slug,
        changes: words.t1(changes, members),
        waiting: words.t1(left, waiting),
    })
}

/// The confirmation of a change.
#[derive(Deserialize)]
pub(super) struct SureForm {
    sure: Option<String>,
}

/// Makes the course read-only.
pub(super) async fn archive(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(form): Form<SureForm>,
) -> Result<Response, RequestFailure> {
    confirmed(&app, &viewer, &slug, &form, true).await
}

/// Lets the course be changed again.
pub(super) async fn bring_back(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(form): Form<SureForm>,
) -> Result<Response, RequestFailure> {
    confirmed(&app, &viewer, &slug, &form, false).await
}

async fn confirmed(
    app: &App,
    viewer: &Viewer,
    slug: &str,
    form: &SureForm,
    archives: bool,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(app, viewer, slug).await?.instructor()?;
    if form.sure.as_deref() != Some("yes") {
        return Err(RequestFailure::Bad("error.bad_request"));
    }
    set_archived(app, viewer, &attendance, archives).await?;
    Ok(Redirect::to(&format!("/c/{slug}/manage")).into_response())
}

/// Archives a course, or brings it back, in the name of the reader.
///
/// # Errors
/// When the reader is not an instructor, the course is archived already, or the database fails.
pub async fn set_archived(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    archives: bool,
) -> Result<(), RequestFailure> {
    let (store, course, by) = (viewer.acting(app), &attendance.course.id, Some(&viewer.person.id));
    let done = match archives {
        true => store.archive_course(course, by, Timestamp::now()).await,
        false => store.bring_back_course(course, by).await,
    };
    if !done.map_err(not_fitting)? && archives {
        return Err(RequestFailure::internal(Error::Archived));
    }
    tracing::info!(course = %attendance.course.slug, archives, "archived or brought back");
    app.lanes().wake();
    Ok(())
}
