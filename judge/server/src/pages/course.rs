//! A course's front page, a suite's page, and a person's page in a course.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use judge_grading::Suite as GradingSuite;
use judge_store::{Counted, PersonId, ResultRow, Role, ScoreboardMode, Suite, Timestamp};

use super::arena::{self, ArenaEntry};
use super::badge::BadgeView;
use super::chart::Chart;
use super::late;
use super::review;
use super::start;
use super::submission::{SubmissionEntry, entries};
use super::when::CourseClock;
use super::{Attendance, visible_result};
use crate::App;
use crate::web::{PageFrame, RequestFailure, Viewer, shown};
use crate::words::Words;

#[derive(Template)]
#[template(path = "course.html")]
struct CoursePage {
    frame: PageFrame,
    slug: String,
    suites: Vec<SuiteEntry>,
    arenas: Vec<ArenaEntry>,
    benched: Vec<(String, String)>,
    notices: Vec<(String, String)>,
    /// Number of open requests for reviews; only for staff, and not if there are none.
    requests: Option<u64>,
}

struct SuiteEntry {
    /// True if submissions are accepted now.
    takes: bool,
    slug: String,
    title: String,
    game: String,
    opens: Option<String>,
    due: String,
    standing: Option<SuiteStanding>,
}

struct SuiteStanding {
    points: String,
    max_points: String,
    rank: Option<u64>,
}

/// `/c/{course}`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?;
    let (words, now) = (viewer.language.words(), Timestamp::now());
    let clock = CourseClock::from_course(&attendance.course);
    let mut suites = Vec::new();
    let own =
        app.store().suites_of(&attendance.course.id).await.map_err(RequestFailure::internal)?;
    for suite in own {
        let due = app.store().due_of(&suite.id, &viewer.person.id, now).await;
        let due = due.map_err(RequestFailure::internal)?;
        suites.push(SuiteEntry {
            takes: may_submit(&attendance, &suite, due, None, now),
            standing: standing(&app, &suite, &viewer.person.id, attendance.role).await?,
            opens: clock.opens(words, &suite, now),
            due: clock.due(words, due, now),
            slug: suite.slug,
            title: suite.title,
            game: suite.games,
        });
    }
    let title = attendance.course.title.clone();
    let requests = match attendance.role.is_staff() {
        true => app.store().open_review_count(&attendance.course.id).await,
        false => Ok(0),
    };
    shown(&CoursePage {
        notices: review::notices(&app, &viewer, Some(&slug)).await?,
        requests: Some(requests.map_err(RequestFailure::internal)?).filter(|many| *many > 0),
        frame: PageFrame::new(&viewer, title).in_course(attendance.link()),
        slug,
        suites,
        arenas: arena::entries(&app, &viewer, &attendance).await?,
        benched: arena::benched(&app, &viewer).await?,
    })
}

/// A person's result that counts, and its rank if students may see ranks.
async fn standing(
    app: &App,
    suite: &Suite,
    person: &PersonId,
    role: Role,
) -> Result<Option<SuiteStanding>, RequestFailure> {
    let results = visible_result::results(app, suite, person, role).await?;
    let Some(result) = counted(&results, suite.settings.counts) else { return Ok(None) };
    let rank = match suite.settings.scoreboard {
        ScoreboardMode::Live | ScoreboardMode::Ahead => {
            let line = app.store().board_line(&suite.id, person, Timestamp::now()).await;
            line.map_err(RequestFailure::internal)?.and_then(|line| line.rank)
        }
        ScoreboardMode::Frozen | ScoreboardMode::Hidden => None,
    };
    let (points, max_points) = (result.points.to_string(), result.max_points.to_string());
    Ok(Some(SuiteStanding { points, max_points, rank }))
}

/// The result that counts, of results in the order of submission.
pub(super) fn counted(results: &[ResultRow], counts: Counted) -> Option<&ResultRow> {
    match counts {
        Counted::Latest => results.last(),
        // Takes the first of equal ones.
        Counted::Best => results.iter().rev().max_by_key(|result| result.points),
    }
}

/// The text on which submission counts, and which of equal ones.
pub(super) fn which_counts(words: &'static Words, counts: Counted) -> &'static str {
    match counts {
        Counted::Best => words.t("suite.counts_best"),
        Counted::Latest => words.t("suite.counts_latest"),
    }
}

#[derive(Template)]
#[template(path = "suite.html")]
pub(super) struct SuitePage {
    frame: PageFrame,
    slug: String,
    suite: String,
    game: String,
    /// The suite's game on the page for beginners.
    start: Option<&'static str>,
    opens: Option<String>,
    due: String,
    counts: &'static str,
    limit: Option<String>,
    /// The rules for late submissions, if there are some.
    late: Option<String>,
    /// The student's group, in a suite by groups.
    group: Option<String>,
    may_submit: bool,
    problem: Option<RefusedUpload>,
    curl: String,
    /// Languages of sources that the server builds; none if it takes only modules.
    languages: Option<String>,
    cases: Vec<CaseEntry>,
    hidden: Option<String>,
    submissions: Vec<SubmissionEntry>,
    with_names: bool,
    charts: Vec<Chart>,
    badge: Option<BadgeView>,
}

/// The reason why an upload was refused.
pub(super) struct RefusedUpload {
    pub(super) reason: String,
    /// The compiler's output.
    pub(super) output: Option<String>,
    /// A hint for the author.
    pub(super) hint: Option<String>,
    /// The page of the earlier submission with the same module.
    pub(super) before: Option<String>,
}

struct CaseEntry {
    name: String,
    title: String,
    opponent: String,
    needed: i64,
    points: String,
}

/// `/c/{course}/s/{suite}`.
pub(super) async fn suite(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, suite)): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?;
    let suite = attendance.suite(&app, &suite).await?;
    shown(&suite_page(&app, &viewer, &attendance, suite, None).await?)
}

/// The page of a suite, with the reason for a refused upload.
pub(super) async fn suite_page(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    suite: Suite,
    problem: Option<RefusedUpload>,
) -> Result<SuitePage, RequestFailure> {
    let (store, words, now) = (app.store(), viewer.language.words(), Timestamp::now());
    let clock = CourseClock::from_course(&attendance.course);
    let grading = store.grading_suite(&suite.id, suite.generation).await;
    let grading = grading.map_err(RequestFailure::internal)?;
    let own = store.submissions_of(&suite.id, &viewer.person.id).await;
    let own = own.map_err(RequestFailure::internal)?;
    let left = store.attempts_left(&suite.id, &viewer.person.id, now).await;
    let left = left.map_err(RequestFailure::internal)?;
    let due = store.due_of(&suite.id, &viewer.person.id, now).await;
    let due = due.map_err(RequestFailure::internal)?;
    let slug = attendance.course.slug.clone();
    let results = visible_result::results(app, &suite, &viewer.person.id, attendance.role).await?;
    let chart = Chart::new(words, &clock, "", &results, suite.settings.counts);
    Ok(SuitePage {
        badge: BadgeView::load(app, viewer, attendance, &suite).await?,
        charts: chart.into_iter().collect(),
        curl: curl(app, &slug, &suite.slug),
        languages: app.builds().languages_in_words(),
        opens: clock.opens(words, &suite, now),
        due: clock.due(words, due, now),
        late: late::rules(words, &clock, &suite.settings.late, (due, now)),
        counts: which_counts(words, suite.settings.counts),
        limit: left
            .filter(|_| may_submit(attendance, &suite, due, None, now))
            .map(|left| words.t1("suite.attempts_left", left)),
        group: group(app, viewer, attendance, &suite).await?,
        may_submit: may_submit(attendance, &suite, due, left, now),
        problem,
        hidden: hidden(words, &grading),
        cases: open_cases(&grading),
        submissions: entries(app, words, attendance, &suite, &own).await?,
        with_names: false,
        frame: PageFrame::new(viewer, suite.title).in_course(attendance.link()),
        slug,
        suite: suite.slug,
        start: start::first_game(&suite.games),
        game: suite.games,
    })
}

/// The reader's group in words, in a suite by groups; for staff, that students submit in groups.
async fn group(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    suite: &Suite,
) -> Result<Option<String>, RequestFailure> {
    if !suite.settings.by_groups {
        return Ok(None);
    }
    let words = viewer.language.words();
    if attendance.role != Role::Student {
        return Ok(Some(words.t("group.by_groups").to_owned()));
    }
    let group = app.store().group_of(&attendance.course.id, &viewer.person.id).await;
    Ok(Some(match group.map_err(RequestFailure::internal)? {
        Some(group) => {
            let names: Vec<String> = group.members.into_iter().map(|one| one.name).collect();
            words.t2("group.yours", group.name, names.join(", "))
        }
        None => words.t("group.none").to_owned(),
    }))
}

/// True if a submission would be accepted. Opening and due dates do not apply to staff.
pub(super) fn may_submit(
    attendance: &Attendance,
    suite: &Suite,
    due: Option<Timestamp>,
    left: Option<u32>,
    now: Timestamp,
) -> bool {
    let (settings, role) = (&suite.settings, attendance.role);
    let is_open = settings.opens_at.is_none_or(|opens| opens <= now);
    let end = due.and_then(|due| settings.late.last_accepted(due.millis()));
    let is_due = end.is_some_and(|end| end < now.millis());
    let is_student = role == Role::Student;
    let is_closed = attendance.course.is_archived() || left == Some(0);
    role != Role::Observer && !is_closed && (!is_student || (is_open && !is_due))
}

/// The command that submits a module.
fn curl(app: &App, course: &str, suite: &str) -> String {
    let base = app.config().base_url();
    format!(
        "curl --data-binary @bot.wasm -H 'Content-Type: application/wasm' \\\n  \
         -H \"Authorization: Bearer $JUDGE_TOKEN\" \\\n  \
         '{base}/api/v1/courses/{course}/suites/{suite}/submissions?name=bot.wasm'"
    )
}

/// The open testcases. Students must not see even the name of a hidden one.
fn open_cases(suite: &GradingSuite) -> Vec<CaseEntry> {
    let open = suite.testcases.iter().filter(|testcase| !testcase.hidden);
    let entry = |testcase: &judge_grading::Testcase| CaseEntry {
        name: testcase.name.clone(),
        title: testcase.title.clone(),
        opponent: testcase.opponent.clone(),
        needed: testcase.min_score,
        points: testcase.points.to_string(),
    };
    open.map(entry).collect()
}

fn hidden(words: &Words, suite: &GradingSuite) -> Option<String> {
    let hidden = suite.testcases.iter().filter(|testcase| testcase.hidden).count();
    (hidden > 0).then(|| words.t1("suite.hidden", hidden))
}

#[derive(Template)]
#[template(path = "submissions.html")]
pub(super) struct Submissions {
    pub(super) frame: PageFrame,
    pub(super) subtitle: String,
    pub(super) submissions: Vec<SubmissionEntry>,
    pub(super) with_names: bool,
    pub(super) back: String,
    pub(super) charts: Vec<Chart>,
}

/// `/c/{course}/people/{person}`: a person's submissions, for themselves and for staff.
pub(super) async fn person(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, id)): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?;
    let id: PersonId = id.parse().map_err(|_| RequestFailure::NotFound)?;
    if id != viewer.person.id && !attendance.role.is_staff() {
        return Err(RequestFailure::NotFound);
    }
    let (store, words) = (app.store(), viewer.language.words());
    let member =
        store.member(&attendance.course.id, &id).await.map_err(RequestFailure::internal)?;
    let member = member.ok_or(RequestFailure::NotFound)?;
    let clock = CourseClock::from_course(&attendance.course);
    let (mut submissions, mut charts) = (Vec::new(), Vec::new());
    for suite in store.suites_of(&attendance.course.id).await.map_err(RequestFailure::internal)? {
        let own = store.submissions_of(&suite.id, &id).await.map_err(RequestFailure::internal)?;
        submissions.extend(entries(&app, words, &attendance, &suite, &own).await?);
        let results = visible_result::results(&app, &suite, &id, attendance.role).await?;
        let counts = suite.settings.counts;
        charts.extend(Chart::new(words, &clock, &suite.title, &results, counts));
    }
    let back = match attendance.role.is_staff() {
        true => format!("/c/{course}/manage/people"),
        false => format!("/c/{course}"),
    };
    shown(&Submissions {
        frame: PageFrame::new(&viewer, member.name).in_course(attendance.link()),
        subtitle: attendance.course.title.clone(),
        submissions,
        with_names: false,
        back,
        charts,
    })
}
