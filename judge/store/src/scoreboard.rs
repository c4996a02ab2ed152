//! Scoreboards: each is a query over results, nothing of it is stored.

use sqlx::any::AnyRow;

use crate::basics::error::Error;
use crate::basics::id::SuiteId;
use crate::basics::time::Timestamp;
use crate::people::Role;
use crate::results::{ResultRow, result};
use crate::row::Columns as _;
use crate::store::Store;
use crate::suites::Counted;

/// Somebody's line on a scoreboard: the result that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardRow {
    /// Real name: shown to everybody only if `shows_real_name`.
    pub name: String,
    /// Name on the scoreboard.
    pub pseudonym: String,
    /// True if the real name is shown to everybody.
    pub shows_real_name: bool,
    /// What they are in the course.
    pub role: Role,
    /// Rank among the students by points, equal ones the same; none for others.
    pub rank: Option<u64>,
    /// Submissions of theirs so far.
    pub attempts: u64,
    /// The result.
    pub result: ResultRow,
}

/// The query, but for which result counts. First the choice for each person, one look into an index
/// each, then what is shown of it: in this order (`CROSS JOIN` fixes it for SQLite), as the other way
/// round each result would be held against each person.
macro_rules! board {
    ($order:literal) => {
        concat!(
            "WITH chosen AS MATERIALIZED (\
             SELECT m.person, m.pseudonym, m.shows_real_name, m.role, u.shown, (\
                SELECT b.submission FROM result b \
                WHERE b.suite = $1 AND b.person = m.person AND b.received_at <= $2 \
                AND (b.generation = u.shown OR (b.generation > u.shown AND b.is_first = 1)) \
                ORDER BY ",
            $order,
            " LIMIT 1) AS submission \
             FROM suite u JOIN membership m ON m.course = u.course WHERE u.id = $1) \
             SELECT r.*, p.name, c.pseudonym, c.shows_real_name, c.role, \
             (SELECT COUNT(*) FROM submission s WHERE s.suite = $1 AND s.person = c.person \
             AND s.received_at <= $2) AS attempts \
             FROM chosen c CROSS JOIN result r CROSS JOIN person p \
             WHERE r.submission = c.submission AND p.id = c.person \
             AND (r.generation = c.shown OR (r.generation > c.shown AND r.is_first = 1))"
        )
    };
}

const BEST: &str = board!("b.points DESC, b.received_at, b.submission");
const LATEST: &str = board!("b.received_at DESC, b.submission DESC");

impl Store {
    /// The scoreboard of a suite: for everybody who has one the result that counts, the most points
    /// first, of equal ones the one that was handed in first. With a moment only what was handed in
    /// up to then.
    ///
    /// # Errors
    /// When there is no such suite, or the database fails.
    pub async fn scoreboard(
        &self,
        suite: &SuiteId,
        until: Option<Timestamp>,
    ) -> Result<Vec<BoardRow>, Error> {
        let query = match self.need_suite(suite).await?.settings.counts {
            Counted::Best => BEST,
            Counted::Latest => LATEST,
        };
        let until = until.map_or(i64::MAX, Timestamp::millis);
        let query = sqlx::query(query).bind(suite.as_str()).bind(until);
        let rows = query.fetch_all(&self.pool).await?;
        let mut rows = rows.iter().map(line).collect::<Result<Vec<_>, _>>()?;
        rows.sort_by(|one, other| {
            let key = |row: &BoardRow| (row.result.received_at, row.result.submission.clone());
            other.result.points.cmp(&one.result.points).then_with(|| key(one).cmp(&key(other)))
        });
        rank(&mut rows);
        Ok(rows)
    }
}

/// Ranks the students: equal points, equal rank.
fn rank(rows: &mut [BoardRow]) {
    let (mut rank, mut students, mut points) = (0, 0, None);
    for row in rows.iter_mut().filter(|row| row.role == Role::Student) {
        students += 1;
        if points != Some(row.result.points) {
            (rank, points) = (students, Some(row.result.points));
        }
        row.rank = Some(rank);
    }
}

fn line(row: &AnyRow) -> Result<BoardRow, sqlx::Error> {
    Ok(BoardRow {
        name: row.text("name")?,
        pseudonym: row.text("pseudonym")?,
        shows_real_name: row.flag("shows_real_name")?,
        role: row.parsed("role")?,
        rank: None,
        attempts: row.count("attempts")?,
        result: result(row)?,
    })
}
