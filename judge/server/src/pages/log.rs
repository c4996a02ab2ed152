//! The log of acts: of a course for its instructors, and of the server for administrators.

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use judge_store::AuditEntry;
use serde::Deserialize;

use super::Attendance;
use super::when::CourseClock;
use crate::App;
use crate::web::{PageFrame, RequestFailure, Viewer, shown};
use crate::words::Words;

/// Number of entries on a page.
const ENTRIES: u32 = 50;

#[derive(Template)]
#[template(path = "log.html")]
struct LogPage {
    frame: PageFrame,
    own: String,
    lines: Vec<LogLine>,
    page: u32,
    has_more: bool,
}

struct LogLine {
    when: String,
    who: String,
    act: String,
    about: String,
}

/// Query of the page's address.
#[derive(Debug, Default, Deserialize)]
pub(super) struct LogQuery {
    #[serde(default)]
    page: u32,
}

impl LogQuery {
    fn page(&self) -> u32 {
        self.page.clamp(1, 100_000)
    }
}

/// `/c/{course}/manage/log`.
pub(super) async fn of_course(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Query(query): Query<LogQuery>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    let (page, course) = (query.page(), &attendance.course);
    let entries = app.store().log_of_course(&course.id, (page - 1) * ENTRIES, ENTRIES + 1).await;
    let clock = CourseClock::from_course(course);
    let when = |entry: &AuditEntry| clock.exact(entry.at);
    let frame = PageFrame::new(&viewer, viewer.language.words().t1("log.of_course", &course.title));
    let frame = frame.in_course(attendance.link());
    let own = format!("/c/{slug}/manage/log");
    log_page(&viewer, frame, own, (entries.map_err(RequestFailure::internal)?, page), &when)
}

/// `/log`.
pub(super) async fn whole(
    State(app): State<App>,
    viewer: Viewer,
    Query(query): Query<LogQuery>,
) -> Result<Response, RequestFailure> {
    super::accounts::administrator(&viewer)?;
    let page = query.page();
    let entries = app.store().whole_log((page - 1) * ENTRIES, ENTRIES + 1).await;
    let when = |entry: &AuditEntry| entry.at.to_string();
    let frame = PageFrame::new(&viewer, viewer.language.words().t("log.title"));
    let entries = entries.map_err(RequestFailure::internal)?;
    log_page(&viewer, frame, "/log".to_owned(), (entries, page), &when)
}

fn log_page(
    viewer: &Viewer,
    frame: PageFrame,
    own: String,
    (entries, page): (Vec<AuditEntry>, u32),
    when: &dyn Fn(&AuditEntry) -> String,
) -> Result<Response, RequestFailure> {
    let words = viewer.language.words();
    let has_more = entries.len() > ENTRIES as usize;
    let lines = entries.into_iter().take(ENTRIES as usize);
    let line = |entry: AuditEntry| LogLine {
        when: when(&entry),
        who: entry.by.clone().unwrap_or_else(|| words.t("log.operator").to_owned()),
        act: act(words, &entry),
        about: about(&entry),
    };
    shown(&LogPage { frame, own, lines: lines.map(line).collect(), page, has_more })
}

fn act(words: &Words, entry: &AuditEntry) -> String {
    let name = entry.act.name();
    words.find("act", name).unwrap_or(name).to_owned()
}

/// Course, suite or arena, person and details of an entry.
fn about(entry: &AuditEntry) -> String {
    let place = match (&entry.course, &entry.part) {
        (Some(course), Some(part)) => Some(format!("{course}/{part}")),
        (course, _) => course.clone(),
    };
    let detail = Some(entry.detail.clone()).filter(|detail| !detail.is_empty());
    [place, entry.person.clone(), detail].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}
