//! Atom feeds of a person's own results, and of a course's scoreboards as that person sees them.
//! Access needs a token in a header or a session, so that addresses contain no secrets.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use judge_core::digest;
use judge_store::{Course, Role, Suite, Timestamp};

use super::types::ApiProblem;
use crate::App;
use crate::pages::{
    Attendance, ScoreboardPage, ScoreboardPageLine, ScoreboardParams, VisibleResult,
};
use crate::web::{Reader, RequestFailure, Viewer};
use crate::words::Words;

/// Most entries in a feed.
const ENTRIES: usize = 50;

const KIND: &str = "application/atom+xml; charset=utf-8";

#[derive(Template)]
#[template(path = "feed.xml")]
struct Feed {
    id: String,
    title: String,
    link: String,
    language: &'static str,
    updated: Timestamp,
    entries: Vec<FeedEntry>,
}

struct FeedEntry {
    id: String,
    title: String,
    link: String,
    at: Timestamp,
    text: String,
}

/// Lists your own results as an Atom feed, the newest first.
#[utoipa::path(get, path = "/feed.atom", responses(
    (status = 200, description = "The feed", content_type = "application/atom+xml"),
    (status = 401, body = ApiProblem)))]
pub(super) async fn own(
    State(app): State<App>,
    Reader(viewer): Reader,
) -> Result<Response, RequestFailure> {
    let store = app.store();
    let mut entries = Vec::new();
    for (course, role) in
        store.courses_of(&viewer.person.id).await.map_err(RequestFailure::internal)?
    {
        for suite in store.suites_of(&course.id).await.map_err(RequestFailure::internal)? {
            entries.extend(results(&app, &viewer, &course, role, &suite).await?);
        }
    }
    let title = viewer.language.words().t("feed.own").to_owned();
    let base = app.config().base_url();
    let id = format!("{base}/api/v1/feed.atom#{}", viewer.person.id);
    shown(&Feed::new(id, title, base, entries, &viewer))
}

/// A person's results on a suite.
async fn results(
    app: &App,
    viewer: &Viewer,
    course: &Course,
    role: Role,
    suite: &Suite,
) -> Result<Vec<FeedEntry>, RequestFailure> {
    let own = app.store().submissions_of(&suite.id, &viewer.person.id).await;
    let words = viewer.language.words();
    let mut entries = Vec::new();
    for submission in own.map_err(RequestFailure::internal)?.into_iter().take(ENTRIES) {
        let told = VisibleResult::load(app, suite, &submission, role).await?;
        let Some(text) = result_text(words, course, &told) else { continue };
        let link = format!("{}/submissions/{}", app.config().base_url(), submission.id);
        entries.push(FeedEntry {
            id: link.clone(),
            title: format!("{}: {}", suite.title, submission.name),
            link,
            at: submission.received_at,
            text,
        });
    }
    Ok(entries)
}

/// The text of an entry for a result; none without a result.
fn result_text(words: &Words, course: &Course, told: &VisibleResult) -> Option<String> {
    match told {
        VisibleResult::Waiting => None,
        VisibleResult::Later(at) => Some(words.t1("visibility.later", local(course, *at))),
        VisibleResult::Row(row) => Some(words.t2("feed.points", row.points, row.max_points)),
    }
}

/// A moment by the course's clock.
fn local(course: &Course, at: Timestamp) -> String {
    course.zone().map_or_else(|_| at.to_string(), |zone| zone.local(at))
}

/// Lists the lines of a course's scoreboards that you can see, as an Atom feed, the newest first.
#[utoipa::path(get, path = "/courses/{course}/feed.atom",
    params(("course" = String, Path, description = "The course's short name for URLs")),
    responses((status = 200, description = "The feed", content_type = "application/atom+xml"),
        (status = 401, body = ApiProblem), (status = 404, body = ApiProblem)))]
pub(super) async fn course(
    State(app): State<App>,
    Reader(viewer): Reader,
    Path(course): Path<String>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?;
    let base = app.config().base_url();
    let mut entries = Vec::new();
    let suites =
        app.store().suites_of(&attendance.course.id).await.map_err(RequestFailure::internal)?;
    for suite in suites {
        let params = ScoreboardParams::default();
        let scoreboard =
            ScoreboardPage::load(&app, &viewer, &attendance, &suite, &params, u32::MAX).await?;
        let link = format!("{base}/c/{course}/s/{}/scoreboard", suite.slug);
        let entry = |one| FeedEntry::of_line(&viewer, &suite, &link, one);
        entries.extend(scoreboard.lines.iter().map(entry));
    }
    let id = format!("{base}/api/v1/courses/{course}/feed.atom");
    let link = format!("{base}/c/{course}");
    shown(&Feed::new(id, attendance.course.title, link, entries, &viewer))
}

impl FeedEntry {
    /// An entry for a line of a scoreboard. Its id does not reveal the submission's.
    fn of_line(viewer: &Viewer, suite: &Suite, link: &str, line: &ScoreboardPageLine) -> FeedEntry {
        let words = viewer.language.words();
        let result = &line.row.result;
        let points = words.t2("feed.points", result.points, result.max_points);
        let rank = line.rank.map(|rank| words.t1("feed.rank", rank)).unwrap_or_default();
        let hash = digest(result.submission.as_str().as_bytes()).to_string();
        FeedEntry {
            id: format!("{link}#{}", hash.get(..32).unwrap_or_default()),
            title: format!("{}: {}", suite.title, line.name),
            link: link.to_owned(),
            at: result.received_at,
            text: format!("{points} {rank}").trim().to_owned(),
        }
    }
}

impl Feed {
    fn new(
        id: String,
        title: String,
        link: String,
        mut entries: Vec<FeedEntry>,
        viewer: &Viewer,
    ) -> Feed {
        entries.sort_by(|one, other| (other.at, &other.id).cmp(&(one.at, &one.id)));
        entries.truncate(ENTRIES);
        let updated = entries.first().map_or(viewer.person.created_at, |entry| entry.at);
        Feed { id, title, link, language: viewer.language.code(), updated, entries }
    }
}

fn shown(feed: &Feed) -> Result<Response, RequestFailure> {
    let text = feed.render().map_err(RequestFailure::internal)?;
    Ok(([(CONTENT_TYPE, KIND)], text).into_response())
}
