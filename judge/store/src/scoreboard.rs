//! Scoreboards. Each is a query over results and is not stored. The query also selects the lines
//! that the audience may see, applies filters and cuts pages.

use judge_core::Points;
use judge_runner::base::names::folded;
use sqlx::any::AnyRow;

use crate::basics::error::Error;
use crate::basics::id::{PersonId, SuiteId};
use crate::basics::time::Timestamp;
use crate::results::{ResultRow, result};
use crate::role::Role;
use crate::row::{Columns as _, words};
use crate::store::Store;
use crate::suites::Counted;

/// A person's line on a scoreboard: the result that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardRow {
    /// Real name: shown to all members only if `shows_real_name`.
    pub name: String,
    /// Name on the scoreboard.
    pub pseudonym: String,
    /// True if the real name is shown to all members.
    pub shows_real_name: bool,
    /// The role in the course.
    pub role: Role,
    /// Rank among the students by points, shared by equals; none for staff.
    pub rank: Option<u64>,
    /// Number of their submissions so far.
    pub attempts: u64,
    /// The result, with the points that the audience may see.
    pub result: ResultRow,
}

words! {
    /// A person's share of the points on offer.
    PointsShare {
        /// All of them.
        All = "all",
        /// Some.
        Some = "some",
        /// None.
        None = "none",
    }
}

/// The audience of a scoreboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience<'a> {
    /// Staff: all lines, real names, all results.
    Staff,
    /// Other members at that moment: students' lines, with the results that students may see.
    Members(Timestamp),
    /// One student at that moment: only their line and the three directly ahead.
    Ahead(&'a PersonId, Timestamp),
}

/// A request for a part of a scoreboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreboardQuery<'a> {
    /// The audience.
    pub audience: Audience<'a>,
    /// Last moment of the submissions that count.
    pub until: Option<Timestamp>,
    /// Text that names must contain, as the audience sees names; empty for any name.
    pub name: &'a str,
    /// Share of the points that a line must have.
    pub standing: Option<PointsShare>,
    /// Word of the worst verdict. Only for staff; other audiences get no lines.
    pub worst: Option<&'a str>,
    /// Number of lines to leave out at the beginning.
    pub skip: u64,
    /// Most lines to return.
    pub most: u32,
}

impl<'a> ScoreboardQuery<'a> {
    /// All lines for an audience.
    pub fn all(audience: Audience<'a>) -> ScoreboardQuery<'a> {
        let (until, standing, worst) = (None, None, None);
        ScoreboardQuery { audience, until, name: "", standing, worst, skip: 0, most: u32::MAX }
    }
}

/// Lines of a scoreboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreboardPart {
    /// The requested lines, the best first.
    pub rows: Vec<BoardRow>,
    /// Number of lines on all pages; 0 if the part is beyond the last line.
    pub total: u64,
}

/// The query, for an order that decides which result counts, and for the columns of points. It
/// first chooses a result for each person by an index lookup, and then joins the columns to show.
/// `CROSS JOIN` makes SQLite keep that order: the other one compares each result with each person.
macro_rules! scoreboard {
    ($order:literal, $points:literal, $max:literal) => {
        concat!(
            "WITH chosen AS MATERIALIZED (\
             SELECT m.person, m.name, m.folded_name, m.pseudonym, m.folded_pseudonym, \
             m.shows_real_name, m.role, u.shown, (\
                SELECT b.submission FROM result b \
                WHERE b.suite = $1 AND b.person = m.person AND b.received_at <= $2 \
                AND (b.generation = u.shown OR (b.generation > u.shown AND b.is_first = 1)) \
                AND ($3 = 1 OR u.told_per_day IS NULL OR b.of_day <= u.told_per_day OR $4 >= \
                    CASE WHEN u.rest_told = 'due' THEN COALESCE(u.ends_at, b.day_ends_at) \
                    ELSE b.day_ends_at END) \
                ORDER BY ",
            $order,
            " LIMIT 1) AS submission \
             FROM suite u JOIN membership m ON m.course = u.course \
             WHERE u.id = $1 AND ($3 = 1 OR m.role = 'student')), \
             lines AS MATERIALIZED (\
             SELECT r.*, c.name, c.pseudonym, c.shows_real_name, c.role, ",
            $points,
            " AS told_points, ",
            $max,
            " AS told_max_points, \
             CASE WHEN $3 = 1 OR c.shows_real_name = 1 THEN c.folded_name \
             ELSE c.folded_pseudonym END AS folded_as, \
             RANK() OVER (PARTITION BY CASE WHEN c.role = 'student' THEN 1 ELSE 0 END ORDER BY ",
            $points,
            " DESC) AS standing, \
             ROW_NUMBER() OVER (ORDER BY ",
            $points,
            " DESC, r.received_at, r.submission) AS place \
             FROM chosen c CROSS JOIN result r \
             WHERE r.submission = c.submission \
             AND (r.generation = c.shown OR (r.generation > c.shown AND r.is_first = 1))), \
             found AS (SELECT l.*, COUNT(*) OVER () AS total FROM lines l \
             WHERE ($5 = '' OR l.folded_as LIKE $5 ESCAPE '!') \
             AND ($6 = '' OR $6 = CASE \
                WHEN l.told_points >= l.told_max_points AND l.state = 'graded' THEN 'all' \
                WHEN l.told_points > 0 THEN 'some' ELSE 'none' END) \
             AND ($7 = '' OR ($3 = 1 AND l.worst = $7)) \
             AND ($8 = '' OR l.place BETWEEN \
                (SELECT o.place FROM lines o WHERE o.person = $8) - 3 \
                AND (SELECT o.place FROM lines o WHERE o.person = $8)) \
             ORDER BY l.place LIMIT $9 OFFSET $10) \
             SELECT f.*, (SELECT COUNT(*) FROM submission s WHERE s.suite = $1 \
             AND s.person = f.person AND s.received_at <= $2) AS attempts \
             FROM found f ORDER BY f.place"
        )
    };
}

const BEST: &str =
    scoreboard!("b.points DESC, b.received_at, b.submission", "r.points", "r.max_points");
const LATEST: &str =
    scoreboard!("b.received_at DESC, b.submission DESC", "r.points", "r.max_points");
const BEST_OPEN: &str = scoreboard!(
    "b.open_points DESC, b.received_at, b.submission",
    "r.open_points",
    "r.open_max_points"
);
const LATEST_OPEN: &str =
    scoreboard!("b.received_at DESC, b.submission DESC", "r.open_points", "r.open_max_points");

impl Store {
    /// The whole scoreboard of a suite, for staff: each person's counting result, the most points
    /// first, earlier submissions first among equals. With `until`, only submissions up to then
    /// count.
    ///
    /// # Errors
    /// When the suite does not exist, or the database fails.
    pub async fn scoreboard(
        &self,
        suite: &SuiteId,
        until: Option<Timestamp>,
    ) -> Result<Vec<BoardRow>, Error> {
        let query = ScoreboardQuery { until, ..ScoreboardQuery::all(Audience::Staff) };
        Ok(self.scoreboard_part(suite, &query).await?.rows)
    }

    /// The requested part of a suite's scoreboard.
    ///
    /// # Errors
    /// When the suite does not exist, or the database fails.
    pub async fn scoreboard_part(
        &self,
        suite: &SuiteId,
        asked: &ScoreboardQuery<'_>,
    ) -> Result<ScoreboardPart, Error> {
        let suite = self.need_suite(suite).await?;
        let (is_staff, now, ahead) = match asked.audience {
            Audience::Staff => (true, Timestamp::from_millis(0), ""),
            Audience::Members(now) => (false, now, ""),
            Audience::Ahead(person, now) => (false, now, person.as_str()),
        };
        let query = match (suite.settings.counts, !is_staff && suite.keeps_hidden(now)) {
            (Counted::Best, false) => BEST,
            (Counted::Best, true) => BEST_OPEN,
            (Counted::Latest, false) => LATEST,
            (Counted::Latest, true) => LATEST_OPEN,
        };
        let until = asked.until.map_or(i64::MAX, Timestamp::millis);
        let query = sqlx::query(query).bind(suite.id.to_string()).bind(until);
        let query = query.bind(i64::from(is_staff)).bind(now.millis());
        let query = query.bind(pattern(&folded(asked.name)));
        let query = query.bind(asked.standing.map_or("", PointsShare::name));
        let query = query.bind(asked.worst.unwrap_or_default().to_owned()).bind(ahead.to_owned());
        let query = query.bind(i64::from(asked.most));
        let query = query.bind(i64::try_from(asked.skip).unwrap_or(i64::MAX));
        let rows = query.fetch_all(&self.pool).await?;
        let total = rows.first().map(|row| row.count("total")).transpose()?.unwrap_or_default();
        Ok(ScoreboardPart { rows: rows.iter().map(line).collect::<Result<_, _>>()?, total })
    }

    /// A person's own line on a suite's scoreboard, as members see it at that moment.
    ///
    /// # Errors
    /// When the suite does not exist, or the database fails.
    pub async fn board_line(
        &self,
        suite: &SuiteId,
        person: &PersonId,
        now: Timestamp,
    ) -> Result<Option<BoardRow>, Error> {
        let query = ScoreboardQuery::all(Audience::Ahead(person, now));
        let rows = self.scoreboard_part(suite, &query).await?.rows;
        Ok(rows.into_iter().find(|row| row.result.person == *person))
    }
}

/// The `LIKE` pattern for texts that contain this one; empty for the empty text.
fn pattern(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let mut pattern = "%".to_owned();
    for letter in text.chars() {
        if matches!(letter, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(letter);
    }
    pattern + "%"
}

fn line(row: &AnyRow) -> Result<BoardRow, sqlx::Error> {
    let role = row.parsed("role")?;
    let points = |column| Ok::<_, sqlx::Error>(Points::from_thousandths(row.count(column)?));
    let (points, max_points) = (points("told_points")?, points("told_max_points")?);
    Ok(BoardRow {
        name: row.text("name")?,
        pseudonym: row.text("pseudonym")?,
        shows_real_name: row.flag("shows_real_name")?,
        role,
        rank: Some(row.count("standing")?).filter(|_| role == Role::Student),
        attempts: row.count("attempts")?,
        result: ResultRow { points, max_points, ..result(row)? },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_means_its_text_and_nothing_else() {
        assert_eq!(pattern(""), "");
        assert_eq!(pattern("a_b%c!d"), "%a!_b!%c!!d%");
    }
}
