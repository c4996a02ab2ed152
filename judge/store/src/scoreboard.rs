//! Scoreboards. Each is a query over results and is not stored. The query also selects the lines
//! that the audience may see, applies filters and cuts pages.

use judge_core::Points;
use judge_runner::base::names::folded;
use sqlx::any::AnyRow;

use crate::basics::error::Error;
use crate::basics::id::{PersonId, SuiteId};
use crate::basics::time::Timestamp;
use crate::counting::{counting, is_shown};
use crate::owner::{Owner, present};
use crate::results::{ResultRow, result};
use crate::role::Role;
use crate::row::{Columns as _, words};
use crate::store::Store;
use crate::suites::{Counted, Suite};

/// The line of a person or a group on a scoreboard: the result that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardRow {
    /// The person or the group.
    pub owner: Owner,
    /// Real name, shown to all members only if `shows_real_name`; for a group, those of its members.
    pub name: String,
    /// Name on the scoreboard; for a group, the names that its members show.
    pub pseudonym: String,
    /// True if the real name is shown to all members.
    pub shows_real_name: bool,
    /// The role in the course.
    pub role: Role,
    /// Rank among the students by points, shared by equals; none for staff.
    pub rank: Option<u64>,
    /// Number of submissions so far.
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
    /// True for a line for each person, even if groups submit.
    pub by_person: bool,
    /// The generation whose results count; the shown one if none. Only for staff.
    pub generation: Option<i64>,
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
        let (generation, until, standing, worst) = (None, None, None, None);
        let (by_person, name, skip, most) = (false, "", 0, u32::MAX);
        ScoreboardQuery {
            audience,
            by_person,
            generation,
            until,
            name,
            standing,
            worst,
            skip,
            most,
        }
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
/// first lists the owners with a line, then chooses a result for each, and then joins the columns
/// to show. `CROSS JOIN` makes SQLite keep that order: the other one compares each result with each
/// owner.
macro_rules! scoreboard {
    ($key:literal, $order:literal, $points:literal, $max:literal) => {
        concat!(
            "WITH owners AS MATERIALIZED (\
             SELECT m.person AS owner, m.person, m.name, m.folded_name, m.pseudonym, \
             m.folded_pseudonym, m.shows_real_name, m.role, \
             CASE WHEN $12 > 0 THEN $12 ELSE u.shown END AS shown, u.shown_per_day, u.rest_shown, \
             u.ends_at FROM suite u JOIN membership m ON m.course = u.course \
             WHERE u.id = $1 AND ($3 = 1 OR m.role = 'student') \
             AND ($11 = 0 OR NOT EXISTS (SELECT 1 FROM group_member g \
             WHERE g.course = u.course AND g.person = m.person AND g.left_at IS NULL)) \
             UNION ALL \
             SELECT p.group_id, '', p.name, p.folded_name, p.pseudonym, p.folded_pseudonym, 0, \
             'student', CASE WHEN $12 > 0 THEN $12 ELSE u.shown END, u.shown_per_day, u.rest_shown, u.ends_at \
             FROM suite u JOIN present_group p ON p.course = u.course \
             WHERE u.id = $1 AND $11 = 1), \
             chosen AS MATERIALIZED (SELECT o.*, ",
            counting!(
                "$1",
                "o.owner",
                "o.person",
                concat!(
                    "b.received_at <= $2 AND ",
                    is_shown!("o"),
                    " AND ($3 = 1 OR o.shown_per_day IS NULL OR b.of_day <= o.shown_per_day \
                     OR $4 >= CASE WHEN o.rest_shown = 'due' THEN COALESCE(o.ends_at, b.day_ends_at) \
                     ELSE b.day_ends_at END)"
                ),
                $key,
                $order
            ),
            " AS submission FROM owners o), \
             lines AS MATERIALIZED (\
             SELECT r.*, c.owner AS line_owner, c.person AS line_person, c.name, c.pseudonym, \
             c.shows_real_name, c.role, ",
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
            " DESC, r.received_at, r.submission, c.owner) AS place \
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
                (SELECT o.place FROM lines o WHERE o.line_owner = $8) - 3 \
                AND (SELECT o.place FROM lines o WHERE o.line_owner = $8)) \
             ORDER BY l.place LIMIT $9 OFFSET $10) \
             SELECT f.*, (SELECT COUNT(*) FROM submission s WHERE s.suite = $1 \
             AND s.owner = f.line_owner AND s.received_at <= $2) \
             + (SELECT COUNT(*) FROM group_member g CROSS JOIN submission s \
             WHERE g.person = f.line_person AND s.suite = $1 AND s.owner = g.group_id \
             AND (g.left_at IS NULL OR s.received_at < g.left_at) \
             AND s.received_at <= $2) AS attempts \
             FROM found f ORDER BY f.place"
        )
    };
}

const BEST: &str = scoreboard!("points", "received_at, submission", "r.points", "r.max_points");
const LATEST: &str = scoreboard!("received_at", "submission DESC", "r.points", "r.max_points");
const BEST_OPEN: &str =
    scoreboard!("open_points", "received_at, submission", "r.open_points", "r.open_max_points");
const LATEST_OPEN: &str =
    scoreboard!("received_at", "submission DESC", "r.open_points", "r.open_max_points");

impl Store {
    /// The whole scoreboard of a suite, for staff: the counting result of each person, or of each
    /// group and each person without one, the most points first, earlier submissions first among
    /// equals. With `until`, only submissions up to then
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

    /// Each member's counting result on a suite, for marks: that of their group, or their own.
    ///
    /// # Errors
    /// When the suite does not exist, or the database fails.
    pub async fn counting_results(&self, suite: &SuiteId) -> Result<Vec<BoardRow>, Error> {
        let query = ScoreboardQuery { by_person: true, ..ScoreboardQuery::all(Audience::Staff) };
        Ok(self.scoreboard_part(suite, &query).await?.rows)
    }

    /// The owner of a person's line on a scoreboard, and of their next submission: their group in a
    /// suite by groups, or the person.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn owner_on(&self, suite: &Suite, person: &PersonId) -> Result<Owner, Error> {
        if suite.settings.by_groups {
            let mut connection = self.pool.acquire().await?;
            if let Some(group) = present(&mut connection, &suite.course, person).await? {
                return Ok(Owner::Group(group));
            }
        }
        Ok(Owner::Person(person.clone()))
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
            Audience::Staff => (true, Timestamp::from_millis(0), None),
            Audience::Members(now) => (false, now, None),
            Audience::Ahead(person, now) if asked.by_person => {
                (false, now, Some(Owner::Person(person.clone())))
            }
            Audience::Ahead(person, now) => {
                (false, now, Some(self.owner_on(&suite, person).await?))
            }
        };
        let is_open = !is_staff && suite.keeps_hidden(now);
        let query = match (suite.settings.counts, is_open) {
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
        let query = query
            .bind(asked.worst.unwrap_or_default().to_owned())
            .bind(ahead.as_ref().map_or("", Owner::as_str).to_owned());
        let query = query.bind(i64::from(asked.most));
        let query = query.bind(i64::try_from(asked.skip).unwrap_or(i64::MAX));
        let query = query.bind(i64::from(suite.settings.by_groups && !asked.by_person));
        let query = query.bind(asked.generation.filter(|_| is_staff).unwrap_or(0));
        let rows = query.fetch_all(&self.pool).await?;
        let total = rows.first().map(|row| row.count("total")).transpose()?.unwrap_or_default();
        let mut rows: Vec<BoardRow> = rows.iter().map(line).collect::<Result<_, _>>()?;
        for row in rows.iter_mut().filter(|_| is_open) {
            row.result.adjusted = None;
        }
        Ok(ScoreboardPart { rows, total })
    }

    /// The line of a person, or of their group, on a suite's scoreboard, as members see it at that
    /// moment.
    ///
    /// # Errors
    /// When the suite does not exist, or the database fails.
    pub async fn board_line(
        &self,
        suite: &SuiteId,
        person: &PersonId,
        now: Timestamp,
    ) -> Result<Option<BoardRow>, Error> {
        let owner = self.owner_on(&self.need_suite(suite).await?, person).await?;
        let query = ScoreboardQuery::all(Audience::Ahead(person, now));
        let rows = self.scoreboard_part(suite, &query).await?.rows;
        Ok(rows.into_iter().find(|row| row.owner == owner))
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
    let owner = match row.text("line_person")?.as_str() {
        "" => Owner::Group(row.parsed("line_owner")?),
        _ => Owner::Person(row.parsed("line_person")?),
    };
    Ok(BoardRow {
        owner,
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
    fn a_search_pattern_is_escaped() {
        assert_eq!(pattern(""), "");
        assert_eq!(pattern("a_b%c!d"), "%a!_b!%c!!d%");
    }
}
