//! The copy of a course for the next term: a form, and every date before and after.

use askama::Template;
use axum::extract::{Form, Path, Query, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_store::{Course, CourseCopy, ShiftedDate, Timestamp, is_slug};
use serde::Deserialize;

use super::super::Attendance;
use super::super::home::not_fitting;
use super::super::when::CourseClock;
use crate::App;
use crate::web::{Fields, PageFrame, RequestFailure, Typed, Viewer, filled};
use crate::words::Words;

#[derive(Template)]
#[template(path = "manage_copy.html")]
struct CopyPage {
    frame: PageFrame,
    slug: String,
    new_slug: String,
    title: String,
    days: String,
    first_due: String,
    zone: String,
    /// The number of days by which the dates move; none until the form was sent.
    shift: Option<i64>,
    dates: Vec<DateLine>,
    typed: Typed,
}

/// A date in the course and in the copy.
struct DateLine {
    title: String,
    kind: String,
    before: String,
    after: String,
}

/// A course to copy: by days, or by the new date of the first due date.
#[derive(Debug, Default, Deserialize)]
pub struct CopyForm {
    /// Short name for URLs.
    #[serde(default)]
    pub slug: String,
    /// Title.
    #[serde(default)]
    pub title: String,
    /// Days by which dates move; empty for none.
    #[serde(default)]
    pub days: String,
    /// The date that the first due date becomes; empty to give the days.
    #[serde(default)]
    pub first_due: String,
}

impl CopyForm {
    /// The copy to make, with the number of days by which the dates of the course move.
    ///
    /// # Errors
    /// When the form names neither or both, a text cannot be read, or the course has no due date.
    pub async fn read(self, app: &App, course: &Course) -> Result<CourseCopy, RequestFailure> {
        let CopyForm { slug, title, days, first_due } = self;
        let days = match (days.trim(), first_due.trim()) {
            ("", "") => 0,
            (days, "") => days.parse().map_err(|_| RequestFailure::Bad("error.shift"))?,
            ("", date) => app.store().days_to(course, date).await.map_err(not_fitting)?,
            _ => return Err(RequestFailure::Bad("error.shift_twice")),
        };
        match is_slug(&slug) {
            true => Ok(CourseCopy { slug, title, days }),
            false => Err(RequestFailure::Bad("error.name")),
        }
    }
}

/// Copies a course, with the reader as the instructor of the copy.
///
/// # Errors
/// When the reader is not an instructor, a name or date cannot be used, or the database fails.
pub async fn copied(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    form: CopyForm,
) -> Result<Course, RequestFailure> {
    let new = form.read(app, &attendance.course).await?;
    let (from, by) = (&attendance.course.id, (&viewer.person.id, &viewer.token));
    let course = viewer.acting(app).copy_course(from, &new, by, Timestamp::now()).await;
    let course = course.map_err(not_fitting)?;
    tracing::info!(from = %attendance.course.slug, course = %course.slug, "a course was copied");
    Ok(course)
}

/// `/c/{course}/manage/copy`: the form, and the dates of the copy once it was filled in.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Query(fields): Query<Fields>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    match dates(&app, &attendance.course, &fields).await {
        Ok(dates) => copy_page(&viewer, &attendance, fields, dates, Typed::default()),
        Err(failure) => refused(&viewer, &attendance, fields, failure),
    }
}

/// Makes the copy.
pub(super) async fn create(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(fields): Form<Fields>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    match copied(&app, &viewer, &attendance, filled(&fields)?).await {
        Ok(course) => Ok(Redirect::to(&format!("/c/{}/manage", course.slug)).into_response()),
        Err(failure) => refused(&viewer, &attendance, fields, failure),
    }
}

/// The shift and the dates of a filled-in form; none of the empty one.
async fn dates(
    app: &App,
    course: &Course,
    fields: &Fields,
) -> Result<Option<(i64, Vec<ShiftedDate>)>, RequestFailure> {
    if !fields.contains_key("slug") {
        return Ok(None);
    }
    let form: CopyForm = filled(fields)?;
    let days = form.read(app, course).await?.days;
    Ok(Some((days, app.store().shifted_dates(course, days).await.map_err(not_fitting)?)))
}

/// The page with the reason for a refusal.
fn refused(
    viewer: &Viewer,
    attendance: &Attendance,
    fields: Fields,
    failure: RequestFailure,
) -> Result<Response, RequestFailure> {
    let typed = Typed::read(failure, "copy", fields.clone(), viewer)?;
    copy_page(viewer, attendance, fields, None, typed)
}

fn copy_page(
    viewer: &Viewer,
    attendance: &Attendance,
    mut fields: Fields,
    dates: Option<(i64, Vec<ShiftedDate>)>,
    typed: Typed,
) -> Result<Response, RequestFailure> {
    let (words, course) = (viewer.language.words(), &attendance.course);
    let clock = CourseClock::from_course(course);
    let mut text = |name: &str| fields.remove(name).unwrap_or_default();
    let title = Some(text("title")).filter(|title| !title.is_empty());
    let (shift, dates) = dates.map_or((None, Vec::new()), |(days, dates)| (Some(days), dates));
    let page = CopyPage {
        frame: PageFrame::new(viewer, words.t("term.copy")).in_course(attendance.link()),
        slug: course.slug.clone(),
        new_slug: text("slug"),
        title: title.unwrap_or_else(|| course.title.clone()),
        days: text("days"),
        first_due: text("first_due"),
        zone: words.t1("term.zone", &course.time_zone),
        shift,
        dates: dates.into_iter().map(|date| date_line(words, &clock, date)).collect(),
        typed,
    };
    page.typed.shown(&page)
}

fn date_line(words: &Words, clock: &CourseClock, date: ShiftedDate) -> DateLine {
    DateLine {
        title: date.title,
        kind: words.find("term", date.kind.name()).unwrap_or_default().to_owned(),
        before: clock.field(Some(date.before)),
        after: clock.field(Some(date.after)),
    }
}
