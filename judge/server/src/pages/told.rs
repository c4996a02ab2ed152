//! The visible part of a result for a reader at this moment.

use judge_store::{ResultRow, Role, Submission, Suite, Timestamp};

use crate::App;
use crate::web::Failure;

/// The visible part of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// The result is pending.
    Waiting,
    /// There is a result, which becomes visible at that moment.
    Later(Timestamp),
    /// The result, with the points that the reader may see.
    Row(Box<ResultRow>),
}

impl Told {
    /// The visible part of a submission's result for a reader with that role, who may see the
    /// submission.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn of(
        app: &App,
        suite: &Suite,
        submission: &Submission,
        role: Role,
    ) -> Result<Told, Failure> {
        let row = app.store().result(&submission.id).await.map_err(Failure::internal)?;
        let Some(row) = row else { return Ok(Told::Waiting) };
        if role.is_staff() {
            return Ok(Told::Row(Box::new(row)));
        }
        let now = Timestamp::now();
        Ok(match suite.told_later(submission, now) {
            Some(at) => Told::Later(at),
            None => Told::Row(Box::new(suite.row_for_student(row, now))),
        })
    }

    /// The result, if it is visible.
    pub fn row(&self) -> Option<&ResultRow> {
        match self {
            Told::Row(row) => Some(row),
            Told::Waiting | Told::Later(_) => None,
        }
    }

    /// The moment at which it becomes visible, if that is still to come.
    pub fn later(&self) -> Option<Timestamp> {
        match self {
            Told::Later(at) => Some(*at),
            Told::Waiting | Told::Row(_) => None,
        }
    }
}

/// A person's results on a suite, as a reader with that role may see them.
pub(super) async fn results(
    app: &App,
    suite: &Suite,
    person: &judge_store::PersonId,
    role: Role,
) -> Result<Vec<ResultRow>, Failure> {
    let store = app.store();
    let rows = match role.is_staff() {
        true => store.results_of_person(&suite.id, person).await,
        false => store.told_results(suite, person, Timestamp::now()).await,
    };
    rows.map_err(Failure::internal)
}
