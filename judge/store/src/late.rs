//! Rules for late submissions and the lateness of submissions, in rows of the database.

use judge_core::Lateness;
use judge_grading::LateRules;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::basics::error::Error;
use crate::basics::id::SubmissionId;
use crate::row::Columns as _;

const RECOMPUTE: &str = "UPDATE result SET \
    points = COALESCE(adjusted, earned_points * late_percent / 100), \
    open_points = earned_open_points * late_percent / 100 WHERE submission = $1";

/// The lateness in a row of a submission or a result.
pub(crate) fn lateness(row: &AnyRow) -> Result<Lateness, sqlx::Error> {
    let small = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
    let (days, percent) = (row.number("late_days")?, row.number("late_percent")?);
    Ok(Lateness { days: small(days), percent: small(percent) })
}

/// The rules in a suite's row.
pub(crate) fn late_rules(row: &AnyRow) -> Result<LateRules, sqlx::Error> {
    let small = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
    Ok(LateRules {
        policy: row.parsed("late")?,
        grace_minutes: small(row.number("grace_minutes")?),
        percent_per_day: small(row.number("percent_per_day")?),
        free_days: small(row.number("free_days")?),
    })
}

/// Computes the points that count in all results of a submission again, after a change of its
/// lateness or its adjusted points.
pub(crate) async fn recompute(
    connection: &mut AnyConnection,
    submission: &SubmissionId,
) -> Result<(), Error> {
    sqlx::query(RECOMPUTE).bind(submission.as_str()).execute(connection).await?;
    Ok(())
}
