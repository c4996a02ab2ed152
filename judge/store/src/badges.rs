//! Badges: the part of a student's standing that is visible at the badge's address.

use sqlx::any::AnyRow;

use crate::archive::ChangedPart;
use crate::basics::error::Error;
use crate::basics::id::{BadgeId, PersonId, SuiteId};
use crate::basics::time::Timestamp;
use crate::row::Columns as _;
use crate::store::Store;

/// The content of a badge, in addition to the suite's title.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BadgeParts {
    /// The pseudonym.
    pub name: bool,
    /// Points.
    pub points: bool,
    /// The rank on the scoreboard, as students see it.
    pub rank: bool,
}

/// A person's badge for a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Badge {
    /// Id, a part of its address.
    pub id: BadgeId,
    /// The suite.
    pub suite: SuiteId,
    /// The owner.
    pub person: PersonId,
    /// Its content.
    pub parts: BadgeParts,
}

const SHOW: &str = "INSERT INTO badge \
    (id, suite, person, shows_name, shows_points, shows_rank, created_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (suite, person) DO UPDATE SET \
    shows_name = excluded.shows_name, shows_points = excluded.shows_points, \
    shows_rank = excluded.shows_rank";
const HIDE: &str = "DELETE FROM badge WHERE suite = $1 AND person = $2";
const READ: &str = "SELECT * FROM badge WHERE id = $1";
const OF_PERSON: &str = "SELECT * FROM badge WHERE suite = $1 AND person = $2";

impl Store {
    /// Switches a person's badge on, or changes its content and keeps its address.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn show_badge(
        &self,
        suite: &SuiteId,
        person: &PersonId,
        parts: BadgeParts,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut transaction = self.change(ChangedPart::Suite(suite)).await?;
        let id = BadgeId::random()?;
        let query = sqlx::query(SHOW).bind(id.as_str()).bind(suite.as_str()).bind(person.as_str());
        let query = query.bind(i64::from(parts.name)).bind(i64::from(parts.points));
        query.bind(i64::from(parts.rank)).bind(now.millis()).execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// Switches a person's badge off. Its address never works again: a later badge has a new one.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn hide_badge(&self, suite: &SuiteId, person: &PersonId) -> Result<(), Error> {
        let mut transaction = self.change(ChangedPart::Suite(suite)).await?;
        let query = sqlx::query(HIDE).bind(suite.as_str()).bind(person.as_str());
        query.execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// The badge with that id.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn badge(&self, id: &BadgeId) -> Result<Option<Badge>, Error> {
        let row = sqlx::query(READ).bind(id.as_str()).fetch_optional(&self.pool).await?;
        Ok(row.as_ref().map(badge).transpose()?)
    }

    /// A person's badge for a suite, if they have switched it on.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn badge_of(
        &self,
        suite: &SuiteId,
        person: &PersonId,
    ) -> Result<Option<Badge>, Error> {
        let query = sqlx::query(OF_PERSON).bind(suite.as_str()).bind(person.as_str());
        Ok(query.fetch_optional(&self.pool).await?.as_ref().map(badge).transpose()?)
    }
}

fn badge(row: &AnyRow) -> Result<Badge, sqlx::Error> {
    let parts = BadgeParts {
        name: row.flag("shows_name")?,
        points: row.flag("shows_points")?,
        rank: row.flag("shows_rank")?,
    };
    let (id, suite) = (row.parsed("id")?, row.parsed("suite")?);
    Ok(Badge { id, suite, person: row.parsed("person")?, parts })
}
