//! The mark sheet of a suite, in the format of `judge grade --out`.

use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::Response;
use judge_core::{GradeReport, Points};
use judge_report::{Mark, NO_SUBMISSION, write_marks};
use judge_store::{BoardRow, Member, Owner, Role, Timestamp};

use super::super::Attendance;
use crate::App;
use crate::signatures::About;
use crate::web::{RequestFailure, Viewer, handed_out};

/// `/c/{course}/manage/s/{suite}/marks.csv`.
pub(super) async fn marks(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, suite)): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?.staff()?;
    let suite = attendance.suite(&app, &suite).await?;
    let store = app.store();
    let scoreboard = store.counting_results(&suite.id).await.map_err(RequestFailure::internal)?;
    let members = store.members(&attendance.course.id).await.map_err(RequestFailure::internal)?;
    let files =
        store.grading_suite(&suite.id, suite.shown).await.map_err(RequestFailure::internal)?;
    let cases: Vec<String> = files.testcases.iter().map(|case| case.name.clone()).collect();
    // After all students with a result, as `judge grade` ranks them.
    let ranked = scoreboard.iter().filter(|row| row.rank.is_some()).count();
    let last = u32::try_from(ranked + 1).unwrap_or(u32::MAX);
    let students = members.into_iter().filter(|member| member.role == Role::Student);
    let mut marks = Vec::new();
    for member in students {
        let owner = Owner::Person(member.person.clone());
        let row = scoreboard.iter().find(|row| row.owner == owner);
        marks.push(match row {
            Some(row) => mark(&app, &cases, &member, row).await?,
            None => Mark { rank: last, ..nothing(&cases, &member, files.max_points()) },
        });
    }
    let mut text = Vec::new();
    write_marks(&mut text, &cases, &marks).map_err(RequestFailure::internal)?;
    let name = format!("attachment; filename=\"{}-marks.csv\"", suite.slug);
    let kind = "text/csv; charset=utf-8".to_owned();
    let about = About::kind("marks").of_suite(&attendance.course, &suite, suite.shown);
    let about = about.of_moment(Timestamp::now());
    Ok(handed_out(about, ([(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, name)], text)))
}

async fn mark(
    app: &App,
    cases: &[String],
    member: &Member,
    row: &BoardRow,
) -> Result<Mark, RequestFailure> {
    let (store, result) = (app.store(), &row.result);
    let text = store.whole_report(&result.submission, result.generation).await;
    let rank = row.rank.and_then(|rank| u32::try_from(rank).ok()).unwrap_or_default();
    let Some(text) = text.map_err(RequestFailure::internal)? else {
        let nothing = nothing(cases, member, result.max_points);
        let (open, points) = (result.adjusted.is_none(), result.points);
        return Ok(Mark { open, rank, points, ..nothing });
    };
    let report: GradeReport = serde_json::from_str(&text).map_err(RequestFailure::internal)?;
    let report = report.for_student();
    let bot = report.bots().next().ok_or(RequestFailure::Internal)?;
    let submission = result.submission.to_string();
    let mark = Mark::from_result(member.name.clone(), submission, cases, bot);
    // The points of testcases are those that were earned.
    let points = result.adjusted.unwrap_or_else(|| result.lateness.counted(mark.points));
    let open = mark.open && result.adjusted.is_none();
    Ok(Mark { id: member.number.clone(), rank, points, open, ..mark })
}

/// The line of a student without a result.
fn nothing(cases: &[String], member: &Member, max_points: Points) -> Mark {
    Mark {
        student: member.name.clone(),
        id: member.number.clone(),
        submission: None,
        points: Points::ZERO,
        max_points,
        rank: 0,
        late: None,
        rank_points: None,
        score: 0,
        testcases: vec![Some(Points::ZERO); cases.len()],
        open: false,
        worst: NO_SUBMISSION.to_owned(),
        sha256: None,
        digest: None,
        report: None,
        address: None,
    }
}
