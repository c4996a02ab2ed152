//! Sends the marks of a suite to the gradebooks of campus systems.

use std::time::{Duration, Instant};

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use futures_util::stream::{self, StreamExt as _};
use judge_core::Points;
use judge_store::{
    Audience, BoardRow, LtiColumn, LtiMark, Owner, PersonId, ResultState, ScoreboardQuery, Suite,
    Timestamp,
};

use super::super::Attendance;
use super::lti::unserved;
use crate::App;
use crate::lti::Score;
use crate::sign_on::SignOnError;
use crate::web::{PageFrame, RequestFailure, Viewer, shown};

/// Marks that are sent at a time.
const AT_A_TIME: usize = 4;

/// Time for sending, after which the rest has to be sent by another request.
const TIME: Duration = Duration::from_secs(40);

#[derive(Template)]
#[template(path = "manage_sent.html")]
struct Sent {
    frame: PageFrame,
    slug: String,
    suite: String,
    /// Each column, after a sentence about its marks.
    columns: Vec<(String, SentColumn)>,
}

/// The result of sending to a column.
#[derive(Debug, Clone)]
pub struct SentColumn {
    /// Names of the platform and of the course there.
    pub title: String,
    /// Number of marks that were sent.
    pub sent: usize,
    /// Number of marks that the column has already.
    pub unchanged: usize,
    /// Sentences about marks that were not sent.
    pub problems: Vec<String>,
}

/// A student's mark.
struct Due {
    person: PersonId,
    name: String,
    score: Score,
}

/// `/c/{course}/manage/s/{suite}/marks/send`.
pub(super) async fn send(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, slug)): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?.instructor()?;
    let suite = attendance.suite(&app, &slug).await?;
    let columns = send_marks(&app, &viewer, &attendance, &suite).await?;
    let words = viewer.language.words();
    shown(&Sent {
        frame: PageFrame::new(&viewer, words.t1("lti.sent_title", &suite.title))
            .in_course(attendance.link()),
        slug: course,
        suite: slug,
        columns: columns
            .into_iter()
            .map(|column| (words.t2("lti.sent_note", column.sent, column.unchanged), column))
            .collect(),
    })
}

/// Sends the marks of a suite to all columns of gradebooks that its links have.
///
/// # Errors
/// When the course is archived, another request sends these marks, or a platform does not answer or
/// refuses.
pub async fn send_marks(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    suite: &Suite,
) -> Result<Vec<SentColumn>, RequestFailure> {
    attendance.open()?;
    let sending = app.lti().start_sending(&suite.id);
    let _sending = sending
        .ok_or_else(|| RequestFailure::Refused("refusal.lti_sending", suite.title.clone()))?;
    let columns = app.store().lti_columns(&suite.id).await.map_err(RequestFailure::internal)?;
    let begin = Instant::now();
    let mut sent = Vec::new();
    for column in columns {
        sent.push(send_to(app, viewer, attendance, (suite, &column), begin).await?);
    }
    Ok(sent)
}

/// Sends the marks that a column does not have yet.
async fn send_to(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    (suite, column): (&Suite, &LtiColumn),
    begin: Instant,
) -> Result<SentColumn, RequestFailure> {
    let words = viewer.language.words();
    let refuse = |key| RequestFailure::Refused(key, column.title.clone());
    let platform = app.lti().platform(&column.platform).cloned();
    let platform = platform.ok_or_else(|| refuse("refusal.lti_no_platform"))?;
    let (due, strangers) = due(app, attendance, suite, column).await?;
    let known = app.store().lti_marks(&suite.id, column).await.map_err(RequestFailure::internal)?;
    let mark = |score: &Score| LtiMark {
        subject: score.subject.clone(),
        points: score.points.thousandths(),
        max_points: score.most.thousandths(),
    };
    let all = due.len();
    let due: Vec<Due> =
        due.into_iter().filter(|due| known.get(&due.person) != Some(&mark(&due.score))).collect();
    let unchanged = all - due.len();
    let tool = app.tool_key().await.map_err(RequestFailure::internal)?.clone();
    let mut problems: Vec<String> =
        strangers.iter().map(|name| words.t2("lti.stranger", name, &platform.name)).collect();
    let mut many = 0;
    if !due.is_empty() {
        let asked = platform.clone();
        let token = app.lti().ask(move |lti| lti.score_token(&asked, &tool)).await;
        let token = token.map_err(|error| unserved(&platform.name, &error))?;
        let mut answers = stream::iter(due)
            .map(|due| {
                let (token, line_item) = (token.clone(), column.line_item.clone());
                async move {
                    if begin.elapsed() > TIME {
                        return (due, None);
                    }
                    let score = due.score.clone();
                    let sent = app.lti().ask(move |lti| lti.send(&token, &line_item, &score)).await;
                    (due, Some(sent))
                }
            })
            .buffer_unordered(AT_A_TIME);
        while let Some((due, sent)) = answers.next().await {
            let Some(sent) = sent else {
                problems.push(words.t1("lti.not_yet", &due.name));
                continue;
            };
            match sent {
                Ok(()) => {
                    let (mark, now) = (mark(&due.score), Timestamp::now());
                    let noted =
                        app.store().note_lti_mark(&suite.id, column, (&due.person, &mark), now);
                    noted.await.map_err(RequestFailure::internal)?;
                    many += 1;
                }
                Err(error) => {
                    tracing::warn!(%error, "a mark was not sent");
                    let key = match error {
                        SignOnError::Unreachable(_) => "lti.not_reached",
                        _ => "lti.refused",
                    };
                    problems.push(words.t1(key, &due.name));
                }
            }
        }
    }
    let logged = viewer.acting(app).log_marks_sent(&suite.id, many).await;
    logged.map_err(RequestFailure::internal)?;
    problems.sort();
    Ok(SentColumn {
        title: format!("{}: {}", platform.name, column.title),
        sent: many,
        unchanged,
        problems,
    })
}

/// The marks of all students with a result, and the names of those whom the platform does not know.
/// The points are those that students can see now.
async fn due(
    app: &App,
    attendance: &Attendance,
    suite: &Suite,
    column: &LtiColumn,
) -> Result<(Vec<Due>, Vec<String>), RequestFailure> {
    let (store, now) = (app.store(), Timestamp::now());
    let audience = Audience::Members(now);
    let query = ScoreboardQuery { by_person: true, ..ScoreboardQuery::all(audience) };
    let rows = store.scoreboard_part(&suite.id, &query).await.map_err(RequestFailure::internal)?;
    let subjects = store.lti_subjects(&attendance.course.id, &column.platform).await;
    let subjects = subjects.map_err(RequestFailure::internal)?;
    let (mut due, mut strangers) = (Vec::new(), Vec::new());
    for BoardRow { owner, name, result, .. } in rows.rows {
        let Owner::Person(person) = owner else { continue };
        if result.state == ResultState::JudgeError || result.max_points == Points::default() {
            continue;
        }
        match subjects.get(&person) {
            Some(subject) => {
                let comment =
                    format!("{}/submissions/{}", app.config().base_url(), result.submission);
                let (points, most) = (result.points, result.max_points);
                let score = Score { subject: subject.clone(), points, most, comment };
                due.push(Due { person, name, score });
            }
            None => strangers.push(name),
        }
    }
    Ok((due, strangers))
}
