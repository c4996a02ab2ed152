//! Pages on which an instructor has submissions graded again.

use std::collections::BTreeSet;

use askama::Template;
use axum::extract::{Form, Path, Query, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_store::{Scope, Showing, Suite, Timestamp};
use serde::Deserialize;

use super::suite::managed;
use crate::App;
use crate::web::{PageFrame, RequestFailure, Viewer, shown};

/// The submissions to grade again.
#[derive(Deserialize)]
pub(super) struct RejudgeForm {
    which: String,
    sure: Option<String>,
    /// `yes` to show the new results only when an instructor accepts them.
    held: Option<String>,
}

#[derive(Template)]
#[template(path = "rejudge.html")]
struct Rejudge {
    frame: PageFrame,
    slug: String,
    suite: String,
    suite_title: String,
    which: String,
    what: String,
    /// The submissions with adjusted points, if there are some.
    adjusted: Option<String>,
}

fn scope(which: &str) -> Result<Scope, RequestFailure> {
    Ok(match which {
        "all" => Scope::All,
        "latest" => Scope::Latest,
        "best" => Scope::Counted,
        _ => return Err(RequestFailure::Bad("error.bad_request")),
    })
}

/// Shows the submissions that would be graded again.
pub(super) async fn ask(
    State(app): State<App>,
    viewer: Viewer,
    Path(names): Path<(String, String)>,
    Query(form): Query<RejudgeForm>,
) -> Result<Response, RequestFailure> {
    let (attendance, suite) = managed(&app, &viewer, &names).await?;
    let attendance = attendance.instructor()?;
    let (store, words) = (app.store(), viewer.language.words());
    let many = match suite.regraded(scope(&form.which)?) {
        Scope::All => store.submission_count(&suite.id).await.map_err(RequestFailure::internal)?,
        _ => {
            let lines =
                store.scoreboard(&suite.id, None).await.map_err(RequestFailure::internal)?;
            // Former members of groups may have others.
            let marks =
                store.counting_results(&suite.id).await.map_err(RequestFailure::internal)?;
            let counting = lines.into_iter().chain(marks).map(|row| row.result.submission);
            counting.collect::<BTreeSet<_>>().len() as u64
        }
    };
    let people = store.authors(&suite.id).await.map_err(RequestFailure::internal)?.len();
    let adjusted = store.adjusted_count(&suite.id).await.map_err(RequestFailure::internal)?;
    shown(&Rejudge {
        frame: PageFrame::new(&viewer, words.t("rejudge.title")).in_course(attendance.link()),
        slug: names.0,
        suite: names.1,
        suite_title: suite.title,
        which: form.which,
        what: words.t2("rejudge.what", many, people),
        adjusted: (adjusted > 0).then(|| words.t1("review.rejudge", adjusted)),
    })
}

/// Grades submissions again. Earlier results are shown until that is done.
pub(super) async fn rejudge(
    State(app): State<App>,
    viewer: Viewer,
    Path(names): Path<(String, String)>,
    Form(form): Form<RejudgeForm>,
) -> Result<Response, RequestFailure> {
    let (attendance, suite) = managed(&app, &viewer, &names).await?;
    attendance.instructor()?;
    if form.sure.as_deref() != Some("yes") {
        return Err(RequestFailure::Bad("error.bad_request"));
    }
    let showing = Showing::with_preview(form.held.as_deref() == Some("yes"));
    grade_again(&app, &viewer, &suite, (&scope(&form.which)?, showing)).await?;
    let page = match showing {
        Showing::Complete => format!("/c/{}/manage", names.0),
        Showing::Accepted => format!("/c/{}/manage/s/{}/preview", names.0, names.1),
    };
    Ok(Redirect::to(&page).into_response())
}

/// Grades submissions to a suite again. Returns the new generation.
///
/// # Errors
/// When the course is archived, or the database fails.
pub async fn grade_again(
    app: &App,
    viewer: &Viewer,
    suite: &Suite,
    (scope, showing): (&Scope, Showing),
) -> Result<i64, RequestFailure> {
    let generation = viewer.acting(app).rejudge(&suite.id, scope, showing, Timestamp::now()).await;
    let generation = generation.map_err(RequestFailure::internal)?;
    tracing::info!(suite = %suite.id, generation, "graded again");
    app.lanes().wake();
    Ok(generation)
}
