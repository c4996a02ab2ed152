//! What of a result somebody is told at this moment.

use judge_store::{ResultRow, Role, Submission, Suite, Timestamp};

use crate::App;
use crate::web::Failure;

/// What of a result somebody is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// There is none yet.
    Waiting,
    /// There is one, and it is told at that moment.
    Later(Timestamp),
    /// The result, with the points that they are told.
    Row(Box<ResultRow>),
}

impl Told {
    /// What is told of a submission's result to somebody in that role who may see the submission.
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

    /// The result, if it is told.
    pub fn row(&self) -> Option<&ResultRow> {
        match self {
            Told::Row(row) => Some(row),
            Told::Waiting | Told::Later(_) => None,
        }
    }

    /// The moment at which it is told, if that is to come.
    pub fn later(&self) -> Option<Timestamp> {
        match self {
            Told::Later(at) => Some(*at),
            Told::Waiting | Told::Row(_) => None,
        }
    }
}

/// Somebody's results on a suite as somebody in that role is told them.
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
