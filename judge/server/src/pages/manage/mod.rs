//! Pages of a course's staff. Assistants can see them, instructors can make changes.

mod archive;
mod copy;
mod delete;
mod groups;
mod invite;
mod lti;
mod lti_marks;
mod marks;
mod member;
mod new_arena;
mod people;
mod preview;
mod rejudge;
mod reviews;
mod sources;
mod suite;
mod upload;
mod whole_marks;

use std::path::Path as FilePath;

use askama::Template;
use axum::Router;
use axum::extract::{Form, Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use judge_core::{IgnoreEvents, Scoring};
use judge_fleet::Status;
use judge_runner::base::bundled;
use judge_runner::contest::ladder;
use judge_runner::suites;
use judge_store::{Arena, Course, NewSuite, Role, SuiteSettings, Timestamp};
use serde::Deserialize;

use super::Attendance;
use super::arena::scoring_name;
use super::home::not_fitting;
use super::when::CourseClock;
use crate::App;
use crate::web::{Fields, PageFrame, RequestFailure, Typed, Viewer, filled};

pub use archive::set_archived;
pub use copy::{CopyForm, copied};
pub use delete::{delete_course, delete_suite};
pub use groups::{GroupChange, change_groups, groups_and_others};
pub use lti_marks::{SentColumn, send_marks};
pub use preview::{decide_grading, grading_preview};
pub use rejudge::grade_again;
pub use sources::sources_of;

/// The routes of these pages.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/c/{course}/manage/copy", get(copy::page).post(copy::create))
        .route("/c/{course}/manage/archive", get(archive::page).post(archive::archive))
        .route("/c/{course}/manage/bring-back", post(archive::bring_back))
        .route("/c/{course}/manage/delete", post(delete::course))
        .route("/c/{course}/manage/s/{suite}/delete", post(delete::suite))
        .route("/c/{course}/manage/log", get(super::log::of_course))
        .route("/c/{course}/manage", get(page))
        .route("/c/{course}/manage/suites", post(add_suite))
        .route("/c/{course}/manage/arenas", post(new_arena::create))
        .route("/c/{course}/manage/settings", post(change_course))
        .route("/c/{course}/manage/webhook", post(set_webhook))
        .route("/c/{course}/manage/reviews", get(reviews::page))
        .route("/c/{course}/manage/people", get(people::page))
        .route("/c/{course}/manage/people/{person}", get(member::page).post(member::change_member))
        .route("/c/{course}/manage/people/{person}/extension", post(member::extend))
        .route("/c/{course}/manage/people/{person}/sign-out", post(member::sign_out))
        .route("/c/{course}/manage/people/{person}/link", post(member::new_link))
        .route("/c/{course}/manage/people/{person}/group", post(groups::place))
        .route("/c/{course}/manage/lti/members", get(lti::members).post(lti::add))
        .route("/c/{course}/manage/lti/disconnect", post(lti::disconnect))
        .route("/c/{course}/manage/groups", get(groups::page).post(groups::create))
        .route("/c/{course}/manage/groups/{group}", post(groups::rename))
        .route("/c/{course}/manage/groups/{group}/dissolve", post(groups::dissolve))
        .route("/c/{course}/manage/invitations/revoke", post(invite::take_back_all))
        .route("/c/{course}/manage/invitations/{id}/revoke", post(invite::take_back))
        .route("/c/{course}/manage/s/{suite}", get(suite::page))
        .route("/c/{course}/manage/s/{suite}/settings", post(suite::change))
        .route("/c/{course}/manage/s/{suite}/submissions", get(suite::submissions))
        .route("/c/{course}/manage/s/{suite}/rejudge", get(rejudge::ask).post(rejudge::rejudge))
        .route("/c/{course}/manage/s/{suite}/preview", get(preview::page))
        .route("/c/{course}/manage/s/{suite}/preview/accept", post(preview::accept))
        .route("/c/{course}/manage/s/{suite}/preview/discard", post(preview::discard))
        .route("/c/{course}/manage/s/{suite}/marks.csv", get(marks::marks))
        .route("/c/{course}/manage/s/{suite}/sources.zip", get(sources::sources))
        .route("/c/{course}/manage/s/{suite}/marks/send", post(lti_marks::send))
        .route("/c/{course}/manage/s/{suite}/whole-marks.csv", get(whole_marks::sheet))
}

/// Forms with files or lists in them.
pub(super) fn uploads() -> Router<App> {
    Router::new()
        .route("/c/{course}/manage/suites/upload", post(upload::upload))
        .route("/c/{course}/manage/invitations", post(invite::invite))
        .route("/c/{course}/manage/invitations/preview", post(invite::preview))
        .route("/c/{course}/manage/groups/preview", post(groups::preview))
        .route("/c/{course}/manage/groups/list", post(groups::set))
}

#[derive(Template)]
#[template(path = "manage.html")]
struct Manage {
    frame: PageFrame,
    slug: String,
    title: String,
    time_zone: String,
    instructor: bool,
    /// True for readers who may copy and archive the course.
    keeps_terms: bool,
    waiting: u64,
    playing: usize,
    lanes: usize,
    broken: usize,
    isolation: Option<String>,
    ungrouped: bool,
    /// Other machines that play, if they do.
    fleet: Option<Status>,
    suites: Vec<(String, String)>,
    bundled: Vec<String>,
    arenas: Vec<(String, String)>,
    games: Vec<(&'static str, &'static str)>,
    /// Scorings of a ladder, with their names for people.
    scorings: Vec<(&'static str, String)>,
    people: usize,
    /// Number of open requests for reviews.
    reviews: u64,
    /// The operator's webhooks, with true for the chosen one.
    webhooks: Vec<(String, bool)>,
    typed: Typed,
}

/// `/c/{course}/manage`.
async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.staff()?;
    manage_page(&app, &viewer, &attendance, Typed::default()).await
}

/// The page of a course's staff, with the typed text of one of its forms.
pub(super) async fn manage_page(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    typed: Typed,
) -> Result<Response, RequestFailure> {
    let slug = attendance.course.slug.clone();
    let (store, course) = (app.store(), &attendance.course);
    let queue = store.queue_state(Timestamp::now()).await.map_err(RequestFailure::internal)?;
    let suites = store.suites_of(&course.id).await.map_err(RequestFailure::internal)?;
    let mut broken = 0;
    for suite in &suites {
        broken += store.failed_results(&suite.id).await.map_err(RequestFailure::internal)?.len();
    }
    let members = store.members(&course.id).await.map_err(RequestFailure::internal)?;
    let arenas = store.arenas_of(&course.id).await.map_err(RequestFailure::internal)?;
    let reviews = store.open_review_count(&course.id).await.map_err(RequestFailure::internal)?;
    let link = |arena: Arena| (format!("/c/{slug}/manage/a/{}", arena.slug), arena.title);
    let missing = app.lanes().missing_isolation();
    let fleet = match app.fleet() {
        Some(fleet) => Some(fleet.status().await.map_err(RequestFailure::internal)?),
        None => None,
    };
    let words = viewer.language.words();
    let title = words.t1("manage.title", &course.title);
    let page = Manage {
        frame: PageFrame::new(viewer, title).in_course(attendance.link()),
        slug: slug.clone(),
        title: course.title.clone(),
        time_zone: course.time_zone.clone(),
        instructor: attendance.may_change(),
        keeps_terms: attendance.role == Role::Instructor,
        waiting: queue.new.saturating_add(queue.again),
        playing: app.lanes().playing(),
        lanes: app.lanes().count(),
        broken,
        ungrouped: app.lanes().is_ungrouped(),
        fleet,
        isolation: (!missing.is_empty()).then(|| missing.join(", ")),
        suites: suites.into_iter().map(|suite| (suite.slug, suite.title)).collect(),
        bundled: bundled::names(),
        arenas: arenas.into_iter().map(link).collect(),
        games: ladder::games(),
        scorings: Scoring::ALL.map(|one| (one.name(), scoring_name(words, one))).to_vec(),
        people: members.len(),
        reviews,
        webhooks: webhooks(app, course),
        typed,
    };
    page.typed.shown(&page)
}

/// Title and time zone of a course.
#[derive(Deserialize)]
struct CourseForm {
    title: String,
    time_zone: String,
}

async fn change_course(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(fields): Form<Fields>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    let CourseForm { title, time_zone } = filled(&fields)?;
    let changed =
        viewer.acting(&app).change_course(&attendance.course.id, &title, &time_zone).await;
    match changed.map_err(not_fitting) {
        Ok(()) => Ok(Redirect::to(&format!("/c/{slug}/manage")).into_response()),
        Err(failure) => {
            let typed = Typed::read(failure, "course", fields, &viewer)?;
            manage_page(&app, &viewer, &attendance, typed).await
        }
    }
}

fn webhooks(app: &App, course: &Course) -> Vec<(String, bool)> {
    let all = app.config().webhooks.iter().map(|hook| hook.name.clone());
    all.map(|name| (name.clone(), course.webhook == Some(name))).collect()
}

/// The chosen webhook: the name of one of the operator's, or empty.
#[derive(Deserialize)]
struct WebhookForm {
    webhook: String,
}

async fn set_webhook(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(form): Form<WebhookForm>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    // Only names from the operator's settings, because only the operator may decide where requests
    // go.
    let known = app.config().webhooks.iter().find(|hook| hook.name == form.webhook);
    if known.is_none() && !form.webhook.is_empty() {
        return Err(RequestFailure::Bad("error.bad_request"));
    }
    let name = known.map(|hook| hook.name.as_str());
    let set = viewer.acting(&app).set_webhook(&attendance.course.id, name).await;
    set.map_err(RequestFailure::internal)?;
    Ok(Redirect::to(&format!("/c/{slug}/manage")).into_response())
}

/// A bundled suite to add.
#[derive(Deserialize)]
struct SuiteForm {
    bundled: String,
    slug: String,
    #[serde(default)]
    due: String,
}

async fn add_suite(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(fields): Form<Fields>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    match bundled_suite(&app, &viewer, &attendance, &fields).await {
        Ok(suite) => Ok(Redirect::to(&format!("/c/{slug}/manage/s/{suite}")).into_response()),
        Err(failure) => {
            let typed = Typed::read(failure, "suite", fields, &viewer)?;
            manage_page(&app, &viewer, &attendance, typed).await
        }
    }
}

/// Adds a bundled suite, and returns its short name for URLs.
async fn bundled_suite(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    fields: &Fields,
) -> Result<String, RequestFailure> {
    let form: SuiteForm = filled(fields)?;
    // Only a name is accepted: a path would read a folder of the server.
    let known = bundled::names().into_iter().find(|name| *name == form.bundled);
    let known = known.ok_or(RequestFailure::Bad("error.bad_request"))?;
    let files = suites::named(FilePath::new(&known), &mut IgnoreEvents)
        .map_err(RequestFailure::internal)?;
    let clock = CourseClock::from_course(&attendance.course);
    let due_at = clock.end(&form.due).map_err(not_fitting)?;
    let pending_at_most = app.config().pending;
    let settings = SuiteSettings { due_at, pending_at_most, ..SuiteSettings::default() };
    let course = &attendance.course.id;
    let new = NewSuite { course, slug: &form.slug, files: &files, settings };
    let suite = viewer.acting(app).create_suite(&new, Timestamp::now()).await;
    Ok(suite.map_err(not_fitting)?.slug)
}
