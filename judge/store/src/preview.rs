//! Previews of new gradings: the results of a suite's present generation that are shown only when an
//! instructor accepts them.

use std::collections::BTreeMap;

use sqlx::AnyConnection;

use crate::archive::ChangedPart;
use crate::audit::{About, Act};
use crate::basics::error::Error;
use crate::basics::id::SuiteId;
use crate::basics::time::Timestamp;
use crate::counting::ungraded;
use crate::owner::Owner;
use crate::results::ResultRow;
use crate::row::Columns as _;
use crate::scoreboard::{Audience, BoardRow, ScoreboardQuery};
use crate::store::Store;
use crate::suites::{self, Suite};

/// A new grading that waits for an instructor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradingPreview {
    /// Its generation.
    pub generation: i64,
    /// Submissions that it has not graded yet. The changes are known once there are none.
    pub missing: u64,
    /// The changes of members' results, in the order of names.
    pub changes: Vec<ResultChange>,
    /// The number of unchanged results.
    pub unchanged: u64,
}

/// A change of the result that counts for a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultChange {
    /// The member.
    pub owner: Owner,
    /// Name by the list of the course.
    pub name: String,
    /// The result that counts now; none without one.
    pub before: Option<ResultRow>,
    /// The result that would count.
    pub after: Option<ResultRow>,
}

const MISSING: &str =
    concat!("SELECT (SELECT COUNT(*) FROM ", ungraded!(), ") AS many FROM suite WHERE id = $1");
const ACCEPT: &str = "UPDATE suite SET held_from = 0 WHERE id = $1";
const SCOPE: &str = "SELECT scope FROM suite_generation WHERE suite = $1 AND generation = $2";
// The submissions of that generation, and those that came later.
const LIST_AS_BEFORE: &str = "INSERT INTO suite_scope (suite, generation, submission) \
    SELECT suite, $2, submission FROM suite_scope WHERE suite = $1 AND generation = $3 \
    UNION SELECT suite, $2, id FROM submission WHERE suite = $1 AND generation >= $3";

impl Store {
    /// The preview of a suite's new grading; none if none waits for an instructor.
    ///
    /// # Errors
    /// When the suite does not exist, or the database fails.
    pub async fn grading_preview(&self, id: &SuiteId) -> Result<Option<GradingPreview>, Error> {
        let suite = self.need_suite(id).await?;
        if suite.held_from.is_none() {
            return Ok(None);
        }
        let generation = suite.generation;
        let missing = missing(&mut *self.pool.acquire().await?, id).await?;
        if missing > 0 {
            let (changes, unchanged) = (Vec::new(), 0);
            return Ok(Some(GradingPreview { generation, missing, changes, unchanged }));
        }
        let of = async |generation| {
            let all = ScoreboardQuery::all(Audience::Staff);
            let query = ScoreboardQuery { by_person: true, generation, ..all };
            Ok::<_, Error>(self.scoreboard_part(id, &query).await?.rows)
        };
        let (before, after) = (of(None).await?, of(Some(generation)).await?);
        let (changes, unchanged) = compared(before, after);
        Ok(Some(GradingPreview { generation, missing, changes, unchanged }))
    }

    /// Shows the results of a new grading that waits. False if it does not wait, or has not graded
    /// all submissions.
    ///
    /// # Errors
    /// When the suite does not exist, the course is archived, or the database fails.
    pub async fn accept_grading(&self, id: &SuiteId, generation: i64) -> Result<bool, Error> {
        let mut transaction = self.change(ChangedPart::Suite(id)).await?;
        let suite = suites::need_suite_in(&mut transaction, id).await?;
        if base(&suite, generation).is_none() || missing(&mut transaction, id).await? > 0 {
            return Ok(false);
        }
        sqlx::query(ACCEPT).bind(id.as_str()).execute(&mut *transaction).await?;
        suites::advance(&mut transaction, id).await?;
        let detail = format!("generation {generation}");
        self.log(&mut transaction, Act::GradingAccepted, About::Suite(id), (None, &detail)).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Discards a new grading that waits: the files of the generation before it are the suite's again,
    /// and what that one graded is graded with them in another generation. False if it does not wait.
    ///
    /// # Errors
    /// When the suite does not exist, the course is archived, or the database fails.
    pub async fn discard_grading(
        &self,
        id: &SuiteId,
        generation: i64,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let mut transaction = self.change(ChangedPart::Suite(id)).await?;
        let suite = suites::need_suite_in(&mut transaction, id).await?;
        let Some(base) = base(&suite, generation) else { return Ok(false) };
        let files = suites::grading_suite(&mut transaction, id, base).await?;
        let query = sqlx::query(SCOPE).bind(id.as_str()).bind(base);
        let scope = query.fetch_one(&mut *transaction).await?.text("scope")?;
        let kind = (scope.as_str(), false);
        let new = suites::begin_generation(&mut transaction, id, kind, &files, now).await?;
        if scope == "listed" {
            let query = sqlx::query(LIST_AS_BEFORE).bind(id.as_str()).bind(new).bind(base);
            query.execute(&mut *transaction).await?;
        }
        suites::advance(&mut transaction, id).await?;
        let detail = format!("generation {generation}");
        self.log(&mut transaction, Act::GradingDiscarded, About::Suite(id), (None, &detail))
            .await?;
        transaction.commit().await?;
        Ok(true)
    }
}

/// The generation before the one that waits; none if that one does not wait.
fn base(suite: &Suite, generation: i64) -> Option<i64> {
    suite.held_from.filter(|_| suite.generation == generation)
}

/// The submissions that the present generation has not graded.
async fn missing(connection: &mut AnyConnection, id: &SuiteId) -> Result<u64, Error> {
    let row = sqlx::query(MISSING).bind(id.as_str()).fetch_one(connection).await?;
    Ok(row.count("many")?)
}

/// The changes between two gradings, and the number of members without one.
fn compared(before: Vec<BoardRow>, after: Vec<BoardRow>) -> (Vec<ResultChange>, u64) {
    let mut all: BTreeMap<(String, Owner), [Option<ResultRow>; 2]> = BTreeMap::new();
    for (at, rows) in [before, after].into_iter().enumerate() {
        for row in rows {
            all.entry((row.name, row.owner)).or_default()[at] = Some(row.result);
        }
    }
    let members = all.len();
    let mut changes = Vec::new();
    for ((name, owner), [before, after]) in all {
        if seen(&before) != seen(&after) {
            changes.push(ResultChange { owner, name, before, after });
        }
    }
    let unchanged = (members - changes.len()) as u64;
    (changes, unchanged)
}

/// The parts of a result on a mark sheet.
fn seen(result: &Option<ResultRow>) -> Option<impl PartialEq> {
    let row = result.as_ref()?;
    Some((row.state, row.points, row.max_points, row.passed, row.testcases))
}
