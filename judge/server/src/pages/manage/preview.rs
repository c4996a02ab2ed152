//! The page on which an instructor compares the results of a new grading with the earlier ones, and
//! accepts or discards them.

use askama::Template;
use axum::extract::{Form, Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_core::Points;
use judge_store::{GradingPreview, ResultChange, ResultRow, Suite, Timestamp};
use serde::Deserialize;

use super::suite::managed;
use crate::App;
use crate::web::{PageFrame, RequestFailure, Viewer, shown};

/// A member's results.
struct ChangeLine {
    name: String,
    /// The submissions' addresses, and their points.
    now: Option<(String, String)>,
    new: Option<(String, String)>,
    difference: String,
    /// Numbers of passed testcases.
    passed: [String; 2],
}

#[derive(Template)]
#[template(path = "preview.html")]
struct PreviewPage {
    frame: PageFrame,
    suite_title: String,
    /// Address of the suite's page for staff.
    address: String,
    generation: i64,
    /// The number of submissions that are still to be graded, if there are some.
    missing: Option<String>,
    summary: String,
    lines: Vec<ChangeLine>,
    instructor: bool,
}

/// `/c/{course}/manage/s/{suite}/preview`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path(names): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let (attendance, suite) = managed(&app, &viewer, &names).await?;
    let words = viewer.language.words();
    let GradingPreview { generation, missing, mut changes, unchanged } =
        grading_preview(&app, &suite).await?;
    // Those who lose points come first.
    changes.sort_by_key(difference);
    shown(&PreviewPage {
        frame: PageFrame::new(&viewer, words.t("preview.title")).in_course(attendance.link()),
        suite_title: suite.title,
        address: format!("/c/{}/manage/s/{}", names.0, names.1),
        generation,
        missing: (missing > 0).then(|| words.t1("preview.missing", missing)),
        summary: words.t2("preview.summary", changes.len(), unchanged),
        lines: changes.iter().map(line).collect(),
        instructor: attendance.may_change(),
    })
}

/// The new grading of a suite that waits for an instructor.
///
/// # Errors
/// [`RequestFailure::NotFound`] when there is none; when the database fails.
pub async fn grading_preview(app: &App, suite: &Suite) -> Result<GradingPreview, RequestFailure> {
    let preview = app.store().grading_preview(&suite.id).await.map_err(RequestFailure::internal)?;
    preview.ok_or(RequestFailure::NotFound)
}

/// The difference of a member's points, in thousandths.
fn difference(change: &ResultChange) -> i64 {
    let points = |row: &Option<ResultRow>| {
        let thousandths = row.as_ref().map_or(0, |row| row.points.thousandths());
        i64::try_from(thousandths).unwrap_or(i64::MAX)
    };
    points(&change.after) - points(&change.before)
}

fn line(change: &ResultChange) -> ChangeLine {
    let points = |row: &ResultRow| {
        let address = format!("/submissions/{}", row.submission);
        (address, format!("{} / {}", row.points, row.max_points))
    };
    let passed = |row: &Option<ResultRow>| match row {
        Some(row) => format!("{} / {}", row.passed, row.testcases),
        None => "–".to_owned(),
    };
    ChangeLine {
        name: change.name.clone(),
        now: change.before.as_ref().map(points),
        new: change.after.as_ref().map(points),
        difference: signed(difference(change)),
        passed: [passed(&change.before), passed(&change.after)],
    }
}

/// Thousandths of points with their sign.
fn signed(thousandths: i64) -> String {
    let sign = match thousandths {
        0 => "",
        1.. => "+",
        _ => "−",
    };
    format!("{sign}{}", Points::from_thousandths(thousandths.unsigned_abs()))
}

/// The grading that the instructor saw.
#[derive(Deserialize)]
pub(super) struct SeenGrading {
    generation: i64,
}

/// Shows the results of the new grading to everyone.
pub(super) async fn accept(
    State(app): State<App>,
    viewer: Viewer,
    Path(names): Path<(String, String)>,
    Form(seen): Form<SeenGrading>,
) -> Result<Response, RequestFailure> {
    decide_grading(&app, &viewer, &names, (seen.generation, true)).await?;
    Ok(Redirect::to(&format!("/c/{}/manage/s/{}", names.0, names.1)).into_response())
}

/// Discards the results of the new grading.
pub(super) async fn discard(
    State(app): State<App>,
    viewer: Viewer,
    Path(names): Path<(String, String)>,
    Form(seen): Form<SeenGrading>,
) -> Result<Response, RequestFailure> {
    decide_grading(&app, &viewer, &names, (seen.generation, false)).await?;
    Ok(Redirect::to(&format!("/c/{}/manage/s/{}", names.0, names.1)).into_response())
}

/// Accepts or discards the grading that waits, of a course's suite, for instructors.
///
/// # Errors
/// When it does not wait or is not complete, the person may not decide this, the course is archived,
/// or the database fails.
pub async fn decide_grading(
    app: &App,
    viewer: &Viewer,
    names: &(String, String),
    (generation, accepts): (i64, bool),
) -> Result<(), RequestFailure> {
    let (attendance, suite) = managed(app, viewer, names).await?;
    attendance.instructor()?;
    let store = viewer.acting(app);
    let done = match accepts {
        true => store.accept_grading(&suite.id, generation).await,
        false => store.discard_grading(&suite.id, generation, Timestamp::now()).await,
    };
    if !done.map_err(RequestFailure::internal)? {
        return Err(RequestFailure::Refused("refusal.no_preview", String::new()));
    }
    app.hub().board_moved(&suite.id);
    app.lanes().wake();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_has_its_sign() {
        assert_eq!([0, 1500, -20_000].map(signed), ["0", "+1.5", "−20"]);
    }
}
