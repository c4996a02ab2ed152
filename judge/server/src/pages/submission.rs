//! A submission's page, and its progress while it is graded.

use std::convert::Infallible;
use std::time::Duration;

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;
use judge_core::GradeReport;
use judge_report::page::{filters, kind};
use judge_report::sign;
use judge_store::{HiddenShown, Owner, ResultState, Submission, SubmissionId, Suite, Timestamp};
use serde::Deserialize;
use tokio::sync::watch;

use super::result::{ResultView, label};
use super::review::ReviewSection;
use super::source::SourceSection;
use super::versus::{self, PlayedRound};
use super::when::CourseClock;
use super::{Attendance, VisibleResult};
use super::{changes, late};
use crate::App;
use crate::hub::Progress;
use crate::signatures::About;
use crate::web::{PageFrame, RequestFailure, Typed, Viewer};
use crate::words::Words;

/// Time between two messages to a page.
const PAUSE: Duration = Duration::from_millis(250);

/// A reader's access to a submission.
#[derive(Debug, Clone)]
pub struct Access {
    /// The submission.
    pub submission: Submission,
    /// Its suite.
    pub suite: Suite,
    /// The reader, in the submission's course.
    pub attendance: Attendance,
}

/// A submission that the reader may see: their own, one of their group, or any for staff.
///
/// # Errors
/// When it does not exist, or the reader may not see it.
pub async fn access(app: &App, viewer: &Viewer, id: &str) -> Result<Access, RequestFailure> {
    let id: SubmissionId = id.parse().map_err(|_| RequestFailure::NotFound)?;
    // One statement for all cases, so that neither the answer nor its timing reveals whether the
    // submission is another person's or does not exist.
    let submission = app.store().submission_seen_by(&id, &viewer.person.id).await;
    let submission =
        submission.map_err(RequestFailure::internal)?.ok_or(RequestFailure::NotFound)?;
    let suite = app.store().suite(&submission.suite).await.map_err(RequestFailure::internal)?;
    let suite = suite.ok_or(RequestFailure::NotFound)?;
    let attendance = Attendance::by_id(app, viewer, &suite.course).await?;
    let is_own = submission.owner == Owner::Person(viewer.person.id.clone());
    if !is_own && !attendance.role.is_staff() {
        // The reader has just lost a role of staff, or it is a group's submission.
        let again = app.store().submission_seen_by(&id, &viewer.person.id).await;
        again.map_err(RequestFailure::internal)?.ok_or(RequestFailure::NotFound)?;
    }
    Ok(Access { submission, suite, attendance })
}

impl Access {
    /// The signed origin of a file about the result in a generation.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn about(
        &self,
        app: &App,
        kind: &str,
        generation: i64,
    ) -> Result<About, RequestFailure> {
        let person =
            app.store().person_in(&self.attendance.course.id, &self.submission.person).await;
        let person = person.map_err(RequestFailure::internal)?.ok_or(RequestFailure::NotFound)?;
        let about = About::kind(kind).of_suite(&self.attendance.course, &self.suite, generation);
        let members = app.store().members_with(&self.submission.id).await;
        let members = members.map_err(RequestFailure::internal)?;
        Ok(about.of_person(&person).of_group(&members).of_submission(&self.submission))
    }

    /// The report on the result that is shown now, as this reader may see it: the whole one for
    /// staff. None without a result.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn report(&self, app: &App) -> Result<Option<GradeReport>, RequestFailure> {
        Ok(self.shown(app).await?.map(|(_, report)| report))
    }

    /// Like [`Access::report`], with the generation of the result.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn shown(
        &self,
        app: &App,
    ) -> Result<Option<(i64, GradeReport)>, RequestFailure> {
        let (store, id) = (app.store(), &self.submission.id);
        let told = self.visible_result(app).await?;
        let Some(row) = told.row() else { return Ok(None) };
        let is_staff = self.attendance.role.is_staff();
        // The stored report for students follows the suite's files. If the suite's settings differ,
        // it is made from the whole report.
        let text = match is_staff || self.suite.settings.hidden_shown != HiddenShown::Files {
            true => store.whole_report(id, row.generation).await,
            false => store.student_report(id, row.generation).await,
        };
        let Some(text) = text.map_err(RequestFailure::internal)? else { return Ok(None) };
        let report: GradeReport = serde_json::from_str(&text).map_err(RequestFailure::internal)?;
        let report = match is_staff {
            true => report,
            false => self.suite.report_for_student(&report, Timestamp::now()),
        };
        Ok(Some((row.generation, report)))
    }

    /// The part of the result that this reader may see now.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn visible_result(&self, app: &App) -> Result<VisibleResult, RequestFailure> {
        VisibleResult::load(app, &self.suite, &self.submission, self.attendance.role).await
    }
}

#[derive(Template)]
#[template(path = "submission.html")]
struct SubmissionPage {
    frame: PageFrame,
    id: String,
    file: String,
    suite_title: String,
    when: String,
    /// Name and page of the author; only for staff.
    who: Option<(String, String)>,
    /// The group, its members and the author, for a submission of a group.
    group: Option<String>,
    back: String,
    waiting: Option<String>,
    result: Option<ResultView>,
    /// Note on hidden testcases with points that are not shown yet.
    hidden_later: Option<String>,
    /// Its lateness, if it is late.
    late: Option<String>,
    /// True if the server built the module.
    is_built: bool,
    /// True if an earlier source can be compared with it.
    has_changes: bool,
    /// The source; none if it is long or not text.
    source: Option<SourceSection>,
    /// True if the bot can be played against.
    plays: bool,
    played: Vec<PlayedRound>,
    review: ReviewSection,
    typed: Typed,
}

/// The line to comment on.
#[derive(Deserialize)]
pub(super) struct LineQuery {
    line: Option<u32>,
}

/// `/submissions/{id}`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
    Query(LineQuery { line }): Query<LineQuery>,
) -> Result<Response, RequestFailure> {
    let access = access(&app, &viewer, &id).await?;
    submission_page(&app, &viewer, &access, (Typed::default(), line)).await
}

/// The page of a submission, with the typed text of a refused form, or with the line to comment on.
pub(super) async fn submission_page(
    app: &App,
    viewer: &Viewer,
    access: &Access,
    (typed, line): (Typed, Option<u32>),
) -> Result<Response, RequestFailure> {
    let (store, words) = (app.store(), viewer.language.words());
    let Access { submission, suite, attendance } = access;
    let address = format!("/submissions/{}", submission.id);
    let told = access.visible_result(app).await?;
    let report = access.report(app).await?;
    let clock = CourseClock::from_course(&attendance.course);
    let waiting = match (&told, &report) {
        (VisibleResult::Waiting, _) if attendance.course.is_archived() => {
            Some(words.t("term.not_graded").to_owned())
        }
        (VisibleResult::Waiting, _) => Some(words.t("live.waiting").to_owned()),
        (VisibleResult::Later(at), _) => Some(words.t1("visibility.later", clock.exact(*at))),
        (VisibleResult::Row(_), None) => Some(words.t("live.given_up").to_owned()),
        (VisibleResult::Row(_), Some(_)) => None,
    };
    let person = store.person_in(&attendance.course.id, &submission.person).await;
    let person = person.map_err(RequestFailure::internal)?;
    let group = match &person {
        Some(person) => group(app, words, submission, &person.name).await?,
        None => None,
    };
    let who = person
        .filter(|_| attendance.role.is_staff())
        .map(|person| (person.name, format!("/c/{}/people/{}", attendance.course.slug, person.id)));
    let mut frame =
        PageFrame::new(viewer, submission.file_name.clone()).in_course(attendance.link());
    if told == VisibleResult::Waiting && !attendance.course.is_archived() {
        frame = PageFrame { waits: true, ..frame.with_script("live.js") };
    }
    let result = report.as_ref().and_then(|report| ResultView::new(words, report, &address));
    let plays = result.as_ref().is_none_or(|result| result.refused.is_none());
    let course = &attendance.course;
    let source = SourceSection::load(app, viewer, access, line).await?;
    let page = SubmissionPage {
        plays: plays && app.config().people_play > 0 && !course.is_archived(),
        played: versus::played(app, words, course, &viewer.person.id, &submission.module).await?,
        frame,
        id: submission.id.to_string(),
        file: shown_name(submission),
        suite_title: suite.title.clone(),
        when: clock.exact(submission.received_at),
        who,
        group,
        back: format!("/c/{}/s/{}", attendance.course.slug, suite.slug),
        waiting,
        late: late::lateness(words, submission.lateness),
        is_built: submission.source.is_some(),
        has_changes: source.is_some() && changes::before(app, access).await?.is_some(),
        source,
        hidden_later: hidden_later(app, words, access, &clock).await?.filter(|_| result.is_some()),
        result,
        review: ReviewSection::load(app, words, access).await?,
        typed,
    };
    page.typed.shown(&page)
}

/// The group of a submission in words: its members who have it, and the author.
async fn group(
    app: &App,
    words: &Words,
    submission: &Submission,
    author: &str,
) -> Result<Option<String>, RequestFailure> {
    if submission.owner.group().is_none() {
        return Ok(None);
    }
    let members = app.store().members_with(&submission.id).await;
    let members = members.map_err(RequestFailure::internal)?;
    let names: Vec<String> = members.into_iter().map(|member| member.name).collect();
    Ok(Some(words.t2("group.of_submission", author, names.join(", "))))
}

/// The note for students while the points of hidden testcases are not shown yet.
async fn hidden_later(
    app: &App,
    words: &Words,
    access: &Access,
    clock: &CourseClock,
) -> Result<Option<String>, RequestFailure> {
    let suite = &access.suite;
    let keeps = !access.attendance.role.is_staff() && suite.keeps_hidden(Timestamp::now());
    let Some(due) = suite.ends_at.filter(|_| keeps) else { return Ok(None) };
    let grading = app.store().grading_suite(&suite.id, suite.generation).await;
    let grading = grading.map_err(RequestFailure::internal)?;
    let hidden = grading.testcases.iter().filter(|testcase| testcase.hidden).count();
    Ok((hidden > 0).then(|| words.t2("visibility.hidden_later", hidden, clock.exact(due))))
}

fn shown_name(submission: &Submission) -> String {
    match submission.file_name.is_empty() {
        true => submission.name.clone(),
        false => submission.file_name.clone(),
    }
}

/// `/submissions/{id}/events`: the progress, as far as students may see it; the same for staff.
pub(super) async fn events(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, RequestFailure> {
    let open = app.hub().streams().open(&viewer.person.id, &viewer.token);
    let open = open.ok_or(RequestFailure::TooMany)?;
    let access = access(&app, &viewer, &id).await?;
    // Follows before it reads, so that a result in between is not missed.
    let follower = app.hub().follow(&access.submission.id);
    let result =
        app.store().result(&access.submission.id).await.map_err(RequestFailure::internal)?;
    let finished = result.is_some();
    let later = access.suite.visible_from(&access.submission, Timestamp::now());
    let is_told = later.is_none() || access.attendance.role.is_staff();
    let words = viewer.language.words();
    let messages = messages(follower, finished, words, is_told);
    Ok(Sse::new(open.pass_on(messages)).keep_alive(KeepAlive::default()))
}

/// The states of a grading as messages, until it is finished. If the result is shown later, they
/// report only whether it is finished.
fn messages(
    follower: watch::Receiver<Progress>,
    finished: bool,
    words: &'static Words,
    is_told: bool,
) -> impl Stream<Item = Result<Event, Infallible>> {
    let last = Progress { finished: true, ..Progress::default() };
    let begin = if finished { Following::Last(last) } else { Following::From(follower, true) };
    unfold(begin, move |following| async move {
        let (progress, next) = match following {
            Following::Over => return None,
            Following::Last(progress) => (progress, Following::Over),
            Following::From(mut follower, first) => {
                if !first {
                    tokio::time::sleep(PAUSE).await;
                    // The hub drops a grading that is over.
                    let _ = follower.changed().await;
                }
                let ended = follower.has_changed().is_err();
                let mut progress = follower.borrow_and_update().clone();
                progress.finished |= ended;
                if !is_told {
                    progress = Progress { finished: progress.finished, ..Progress::default() };
                }
                for case in &mut progress.cases {
                    case.verdict = label(words, &case.verdict);
                }
                let over = progress.finished;
                (progress, if over { Following::Over } else { Following::From(follower, false) })
            }
        };
        let data = serde_json::to_string(&progress).unwrap_or_default();
        Some((Ok(Event::default().data(data)), next))
    })
}

/// The state of a stream of messages.
enum Following {
    /// States follow; true before the first message.
    From(watch::Receiver<Progress>, bool),
    /// One message remains.
    Last(Progress),
    /// No message remains.
    Over,
}

/// A line of a list of submissions.
pub(super) struct SubmissionEntry {
    pub(super) id: String,
    pub(super) when: String,
    pub(super) who: String,
    pub(super) file: String,
    pub(super) kind: &'static str,
    pub(super) sign: &'static str,
    pub(super) state: String,
    pub(super) points: String,
    /// True if these points are adjusted.
    pub(super) adjusted: bool,
}

/// Submissions to a suite as lines of a list, each with the visible part of its result.
pub(super) async fn entries(
    app: &App,
    words: &Words,
    attendance: &Attendance,
    suite: &Suite,
    submissions: &[Submission],
) -> Result<Vec<SubmissionEntry>, RequestFailure> {
    let clock = CourseClock::from_course(&attendance.course);
    let mut entries = Vec::new();
    for submission in submissions {
        let told = VisibleResult::load(app, suite, submission, attendance.role).await?;
        entries.push(entry(words, &clock, submission, &told));
    }
    Ok(entries)
}

fn entry(
    words: &Words,
    clock: &CourseClock,
    submission: &Submission,
    told: &VisibleResult,
) -> SubmissionEntry {
    use judge_core::Verdict::{Accepted, BelowThreshold, InvalidModule, JudgeError};
    let row = told.row();
    let verdict = row.map(|row| match row.state {
        ResultState::JudgeError => JudgeError,
        ResultState::Refused => InvalidModule,
        // Derived from the points, which students know; the worst verdict may be a hidden one.
        ResultState::Graded if row.points >= row.max_points => Accepted,
        ResultState::Graded => BelowThreshold,
    });
    let state = match row.map(|row| row.state) {
        None => match told.later() {
            Some(at) => words.t1("visibility.graded_later", clock.local(at)),
            None => words.t("list.waiting").to_owned(),
        },
        Some(ResultState::Graded) => words.t("list.graded").to_owned(),
        Some(ResultState::Refused) => words.t("list.refused").to_owned(),
        Some(ResultState::JudgeError) => label(words, JudgeError.label()),
    };
    SubmissionEntry {
        id: submission.id.to_string(),
        when: clock.local(submission.received_at),
        who: String::new(),
        file: shown_name(submission),
        kind: verdict.map_or("n", kind),
        sign: verdict.map_or("…", sign),
        state,
        points: row.map_or_else(String::new, |row| format!("{}/{}", row.points, row.max_points)),
        adjusted: row.is_some_and(|row| row.adjusted.is_some()),
    }
}
