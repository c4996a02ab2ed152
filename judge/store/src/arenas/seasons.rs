//! Seasons of an arena. When one ends, its final table is kept, and the next begins with the newest
//! versions.

use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::archive::ChangedPart;
use crate::audit::{About, Act};
use crate::basics::error::Error;
use crate::basics::id::ArenaId;
use crate::basics::time::Timestamp;
use crate::names::tidy;
use crate::row::Columns as _;
use crate::store::Store;

/// A season of an arena.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Season {
    /// Its number, from 1.
    pub number: i64,
    /// One line for people.
    pub title: String,
    /// When it began.
    pub begun_at: Timestamp,
    /// When it should end; none for an open end.
    pub ends_at: Option<Timestamp>,
    /// Set while the season is closing, which lasts until the top places are distinguishable: the
    /// start of that phase, and the number of the arena's pairs with a result then.
    pub closing: Option<(Timestamp, i64)>,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// True if the top places were distinguishable at the end; none before.
    pub is_told_apart: Option<bool>,
    /// The final table as JSON; none before the end.
    pub standings: Option<String>,
}

const INSERT: &str = "INSERT INTO season (arena, number, title, begun_at, ends_at) \
    VALUES ($1, $2, $3, $4, $5)";
const READ: &str = "SELECT * FROM season WHERE arena = $1 AND number = $2";
const ALL: &str = "SELECT * FROM season WHERE arena = $1 ORDER BY number DESC";
const CHANGE: &str = "UPDATE season SET title = $3, ends_at = $4 \
    WHERE arena = $1 AND number = $2 AND ended_at IS NULL";
const CLOSING: &str = "UPDATE season SET closing_at = $3, \
    closing_from = (SELECT done FROM arena WHERE id = $1) \
    WHERE arena = $1 AND number = $2 AND closing_at IS NULL AND ended_at IS NULL";
const END: &str = "UPDATE season SET ended_at = $3, is_told_apart = $4, standings = $5, \
    closing_at = COALESCE(closing_at, $3) \
    WHERE arena = $1 AND number = $2 AND ended_at IS NULL";
const NEXT: &str = "UPDATE arena SET season = season + 1 WHERE id = $1 AND season = $2";
const LEFT: &str = "UPDATE ladder_pair SET state = 'cancelled' \
    WHERE arena = $1 AND season = $2 AND kind = 'rated' AND state = 'waiting'";

impl Store {
    /// The season of an arena with that number.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn season(&self, arena: &ArenaId, number: i64) -> Result<Option<Season>, Error> {
        season_in(&mut *self.pool.acquire().await?, arena, number).await
    }

    /// The seasons of an arena, the newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn seasons_of(&self, arena: &ArenaId) -> Result<Vec<Season>, Error> {
        let rows = sqlx::query(ALL).bind(arena.as_str()).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(season).collect::<Result<_, _>>()?)
    }

    /// Changes title and end of a season that has not ended.
    ///
    /// # Errors
    /// When the title cannot be used, or the database fails.
    pub async fn change_season(
        &self,
        arena: &ArenaId,
        number: i64,
        title: &str,
        ends_at: Option<Timestamp>,
    ) -> Result<(), Error> {
        let mut transaction = self.change(ChangedPart::Arena(arena)).await?;
        let query = sqlx::query(CHANGE).bind(arena.as_str()).bind(number);
        let query = query.bind(tidy("title", title)?).bind(ends_at.map(Timestamp::millis));
        query.execute(&mut *transaction).await?;
        let about = About::Arena(arena);
        self.log(&mut transaction, Act::SeasonChanged, about, (None, title)).await?;
        Ok(transaction.commit().await?)
    }

    /// Marks a season as closing. The server ends it once its top places are distinguishable. A
    /// season that is closing or has ended stays as it is.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn close_season(
        &self,
        arena: &ArenaId,
        number: i64,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut transaction = self.change(ChangedPart::Arena(arena)).await?;
        let query = sqlx::query(CLOSING).bind(arena.as_str()).bind(number).bind(now.millis());
        if query.execute(&mut *transaction).await?.rows_affected() == 0 {
            return Ok(());
        }
        let (about, detail) = (About::Arena(arena), number.to_string());
        self.log(&mut transaction, Act::SeasonEnded, about, (None, &detail)).await?;
        Ok(transaction.commit().await?)
    }

    /// Ends a season with its final table and begins the next one; false if it had already ended.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn end_season(
        &self,
        arena: &ArenaId,
        number: i64,
        (is_told_apart, standings, next): (bool, &str, &str),
        now: Timestamp,
    ) -> Result<bool, Error> {
        let mut transaction = self.change(ChangedPart::Arena(arena)).await?;
        let query = sqlx::query(END).bind(arena.as_str()).bind(number).bind(now.millis());
        let query = query.bind(i64::from(is_told_apart)).bind(standings);
        if query.execute(&mut *transaction).await?.rows_affected() == 0 {
            return Ok(false);
        }
        let both = |sql| sqlx::query(sql).bind(arena.to_string()).bind(number);
        both(NEXT).execute(&mut *transaction).await?;
        both(LEFT).execute(&mut *transaction).await?;
        insert(&mut transaction, (arena, number + 1, next, None), now).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

/// The season of an arena with that number, read by that connection.
pub(crate) async fn season_in(
    connection: &mut AnyConnection,
    arena: &ArenaId,
    number: i64,
) -> Result<Option<Season>, Error> {
    let query = sqlx::query(READ).bind(arena.as_str()).bind(number);
    Ok(query.fetch_optional(connection).await?.as_ref().map(season).transpose()?)
}

/// Begins a season.
pub(super) async fn insert(
    connection: &mut AnyConnection,
    (arena, number, title, ends_at): (&ArenaId, i64, &str, Option<Timestamp>),
    now: Timestamp,
) -> Result<(), Error> {
    let query = sqlx::query(INSERT).bind(arena.as_str()).bind(number);
    let query = query.bind(tidy("title", title)?).bind(now.millis());
    query.bind(ends_at.map(Timestamp::millis)).execute(connection).await?;
    Ok(())
}

fn season(row: &AnyRow) -> Result<Season, sqlx::Error> {
    let closing = row.maybe_time("closing_at")?.zip(row.maybe_number("closing_from")?);
    Ok(Season {
        number: row.number("number")?,
        title: row.text("title")?,
        begun_at: row.time("begun_at")?,
        ends_at: row.maybe_time("ends_at")?,
        closing,
        ended_at: row.maybe_time("ended_at")?,
        is_told_apart: row.maybe_number("is_told_apart")?.map(|flag| flag != 0),
        standings: row.maybe_text("standings")?,
    })
}
