//! The mark sheet for staff. It counts hidden testcases, has addresses and numbers, and includes
//! students who were removed from the course.

use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::Response;
use judge_core::{BotReport, GradeReport, Verdict};
use judge_report::{NO_SUBMISSION, cell};
use judge_store::{PersonId, ResultRow, Role, Suite, Timestamp};

use super::super::Attendance;
use super::super::course::counted;
use crate::App;
use crate::signatures::About;
use crate::web::{RequestFailure, Viewer, handed_out};

/// Columns before those of the testcases.
const FIRST: [&str; 9] = [
    "student",
    "id",
    "address",
    "status",
    "submission",
    "received_at",
    "points",
    "max_points",
    "score",
];

/// Columns after those of the testcases. The points of testcases are those that were earned; the
/// percentage of a late submission and the adjusted points are in `points`.
const LAST: [&str; 7] = [
    "worst_verdict",
    "sha256",
    "digest",
    "late_days",
    "late_percent",
    "adjusted_points",
    "adjusted_because",
];

/// A person on the sheet.
struct SheetPerson {
    person: PersonId,
    name: String,
    number: Option<String>,
    address: Option<String>,
    /// `member` or `removed`.
    status: &'static str,
}

/// `/c/{course}/manage/s/{suite}/whole-marks.csv`.
pub(super) async fn sheet(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, suite)): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?.staff()?;
    let suite = attendance.suite(&app, &suite).await?;
    let files = app.store().grading_suite(&suite.id, suite.shown).await;
    let files = files.map_err(RequestFailure::internal)?;
    let cases: Vec<&str> = files.testcases.iter().map(|case| case.name.as_str()).collect();
    let max_points = files.max_points().to_string();
    let mut sheet = csv::Writer::from_writer(Vec::new());
    let names = cases.iter().map(|name| cell(name));
    let header = FIRST.into_iter().map(str::to_owned).chain(names);
    let header = header.chain(LAST.into_iter().map(str::to_owned));
    sheet.write_record(header).map_err(RequestFailure::internal)?;
    for person in people(&app, &attendance, &suite).await? {
        let results = app.store().results_of_person(&suite.id, &person.person).await;
        let results = results.map_err(RequestFailure::internal)?;
        let result = match counted(&results, suite.settings.counts) {
            Some(row) => graded(&app, &cases, row).await?,
            None => missing(&max_points, cases.len()),
        };
        sheet
            .write_record(identity_cells(&person).into_iter().chain(result))
            .map_err(RequestFailure::internal)?;
    }
    let text = sheet.into_inner().map_err(|error| RequestFailure::internal(error.to_string()))?;
    let name = format!("attachment; filename=\"{}-whole-marks.csv\"", suite.slug);
    let kind = "text/csv; charset=utf-8".to_owned();
    let about = About::kind("marks").of_suite(&attendance.course, &suite, suite.shown);
    let about = about.of_moment(Timestamp::now());
    Ok(handed_out(about, ([(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, name)], text)))
}

/// The course's students, and after them removed authors of submissions.
async fn people(
    app: &App,
    attendance: &Attendance,
    suite: &Suite,
) -> Result<Vec<SheetPerson>, RequestFailure> {
    let store = app.store();
    let members = store.members(&attendance.course.id).await.map_err(RequestFailure::internal)?;
    let authors = store.authors(&suite.id).await.map_err(RequestFailure::internal)?;
    let students = members.into_iter().filter(|member| member.role == Role::Student);
    let students = students.map(|member| SheetPerson {
        person: member.person,
        name: member.name,
        number: member.number,
        address: member.address,
        status: "member",
    });
    let removed = authors.into_iter().filter(|author| author.role.is_none());
    let removed = removed.map(|author| SheetPerson {
        person: author.person,
        name: author.name,
        number: author.number,
        address: author.address,
        status: "removed",
    });
    Ok(students.chain(removed).collect())
}

/// The cells that identify a person.
fn identity_cells(person: &SheetPerson) -> Vec<String> {
    let text = |text: &Option<String>| text.as_deref().map(cell).unwrap_or_default();
    let SheetPerson { name, number, address, status, .. } = person;
    vec![cell(name), text(number), text(address), (*status).to_owned()]
}

/// The cells of a person without a result.
fn missing(max_points: &str, cases: usize) -> Vec<String> {
    let zeros = std::iter::repeat_n("0", cases);
    let first = ["", "", "0", max_points, "0"].into_iter().chain(zeros);
    first.chain([NO_SUBMISSION, "", "", "", "", "", ""]).map(str::to_owned).collect()
}

/// The cells of a result. Cells are empty where the judge failed, so that they do not look like
/// zero points, unless the points are adjusted.
async fn graded(app: &App, cases: &[&str], row: &ResultRow) -> Result<Vec<String>, RequestFailure> {
    let text = app.store().whole_report(&row.submission, row.generation).await;
    let report: Option<GradeReport> = match text.map_err(RequestFailure::internal)? {
        Some(text) => Some(serde_json::from_str(&text).map_err(RequestFailure::internal)?),
        None => None,
    };
    let bot = report.and_then(|report| report.bots.into_iter().next());
    let worst = bot.as_ref().map_or(Verdict::JudgeError, BotReport::worst_verdict);
    let known = |figure: String| if worst == Verdict::JudgeError { String::new() } else { figure };
    let mut cells = vec![row.submission.to_string(), row.received_at.to_string()];
    let adjusted = row.adjusted.map(|points| points.to_string());
    let points = adjusted.clone().unwrap_or_else(|| known(row.points.to_string()));
    cells.extend([points, row.max_points.to_string()]);
    cells.push(known(row.score.to_string()));
    cells.extend(cases.iter().map(|name| known(points_on(name, bot.as_ref()))));
    cells.extend([
        worst.label().to_owned(),
        bot.as_ref().map(|bot| bot.bot.sha256.to_string()).unwrap_or_default(),
        row.digest.to_string(),
        row.lateness.days.to_string(),
        row.lateness.percent.to_string(),
        adjusted.unwrap_or_default(),
        reason(app, row).await?,
    ]);
    Ok(cells)
}

/// The reason of the adjusted points in one line; empty without them.
async fn reason(app: &App, row: &ResultRow) -> Result<String, RequestFailure> {
    if row.adjusted.is_none() {
        return Ok(String::new());
    }
    let all = app.store().adjustments_of(&row.submission).await;
    let latest = all.map_err(RequestFailure::internal)?.into_iter().next();
    let reason = latest.map(|latest| latest.reason).unwrap_or_default();
    Ok(cell(&reason.split_whitespace().collect::<Vec<_>>().join(" ")))
}

/// Points on a testcase; zero if the bot was refused.
fn points_on(name: &str, bot: Option<&BotReport>) -> String {
    let case = bot.and_then(|bot| bot.testcases.iter().find(|case| case.name == name));
    case.map_or_else(|| "0".to_owned(), |case| case.points.to_string())
}
