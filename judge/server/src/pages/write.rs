//! Writing a bot in the browser: the page with a suite of a course, and the suite's data for it.

use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse as _, Response};
use judge_store::{Suite, Timestamp};

use super::Attendance;
use super::course::may_submit;
use super::when::CourseClock;
use crate::App;
use crate::web::{PageFrame, RequestFailure, Viewer, WriteAddresses, write_page};

/// `/c/{course}/s/{suite}/write`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, suite)): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let (attendance, suite) = open_suite(&app, &viewer, &course, &suite).await?;
    let (person, now) = (&viewer.person.id, Timestamp::now());
    let left = app.store().attempts_left(&suite.id, person, now).await;
    let left = left.map_err(RequestFailure::internal)?;
    let due = app.store().due_of(&suite.id, person, now).await;
    let due = due.map_err(RequestFailure::internal)?;
    let place = format!("/c/{}/s/{}", attendance.course.slug, suite.slug);
    let submits = may_submit(&attendance, &suite, due, left, now);
    let addresses = WriteAddresses {
        site: format!("{place}/write.json"),
        submit: submits.then(|| format!("{place}/submissions")),
        drafts: format!("{}/{}/", attendance.course.slug, person.as_str()),
    };
    let frame = PageFrame::new(&viewer, "").in_course(attendance.link());
    Ok(Html(write_page(&addresses, frame.words, &frame.navigation()?)).into_response())
}

/// `/c/{course}/s/{suite}/write.json`: the suite without its hidden testcases, and the templates.
pub(super) async fn data(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, suite)): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let (_, suite) = open_suite(&app, &viewer, &course, &suite).await?;
    let files = app.store().grading_suite(&suite.id, suite.generation).await;
    let files = files.map_err(RequestFailure::internal)?;
    let data = judge_runner::suites::page::data_of(&files);
    let data = data.map_err(|_| RequestFailure::NotFound)?;
    Ok(([(CONTENT_TYPE, "application/json")], data).into_response())
}

/// The suite, if it has opened for the reader: its seeds reveal the rounds.
async fn open_suite(
    app: &App,
    viewer: &Viewer,
    course: &str,
    suite: &str,
) -> Result<(Attendance, Suite), RequestFailure> {
    let attendance = Attendance::load(app, viewer, course).await?;
    let suite = attendance.suite(app, suite).await?;
    match suite.settings.opens_at.filter(|opens| *opens > Timestamp::now()) {
        Some(opens) if !attendance.role.is_staff() => {
            let clock = CourseClock::from_course(&attendance.course);
            Err(RequestFailure::Refused("refusal.not_open", clock.exact(opens)))
        }
        _ => Ok((attendance, suite)),
    }
}
