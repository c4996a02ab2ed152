//! The visible part of a result for a reader at this moment.

use judge_store::{ResultRow, Role, Submission, Suite, Timestamp};

use crate::App;
use crate::web::RequestFailure;

/// The visible part of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VisibleResult {
    /// The result is pending.
    Waiting,
    /// The result exists, and becomes visible at that moment.
    Later(Timestamp),
    /// The result, with the points that the reader may see.
    Row(Box<ResultRow>),
}

impl VisibleResult {
    /// The visible part of a submission's result for a reader with that role, who may see the
    /// submission.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn load(
        app: &App,
        suite: &Suite,
        submission: &Submission,
        role: Role,
    ) -> Result<VisibleResult, RequestFailure> {
        let row = app.store().result(&submission.id).await.map_err(RequestFailure::internal)?;
        let Some(row) = row else { return Ok(VisibleResult::Waiting) };
        if role.is_staff() {
            return Ok(VisibleResult::Row(Box::new(row)));
        }
        let now = Timestamp::now();
        Ok(match suite.visible_from(submission, now) {
            Some(at) => VisibleResult::Later(at),
            None => VisibleResult::Row(Box::new(suite.row_for_student(row, now))),
        })
    }

    /// The result, if it is visible.
    pub fn row(&self) -> Option<&ResultRow> {
        match self {
            VisibleResult::Row(row) => Some(row),
            VisibleResult::Waiting | VisibleResult::Later(_) => None,
        }
    }

    /// The moment at which it becomes visible, if that is still to come.
    pub fn later(&self) -> Option<Timestamp> {
        match self {
            VisibleResult::Later(at) => Some(*at),
            VisibleResult::Waiting | VisibleResult::Row(_) => None,
        }
    }
}

/// A person's results on a suite, as a reader with that role may see them.
pub(super) async fn results(
    app: &App,
    suite: &Suite,
    person: &judge_store::PersonId,
    role: Role,
) -> Result<Vec<ResultRow>, RequestFailure> {
    let store = app.store();
    let rows = match role.is_staff() {
        true => store.results_of_person(&suite.id, person).await,
        false => store.visible_results(suite, person, Timestamp::now()).await,
    };
    rows.map_err(RequestFailure::internal)
}
