//! Arenas and their settings.

use judge_core::{Options, Scoring};
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::archive::ChangedPart;
use crate::audit::{About, Act};
use crate::basics::error::Error;
use crate::basics::id::{ArenaId, BotId, CourseId, VersionId};
use crate::basics::time::Timestamp;
use crate::names::tidy;
use crate::people::{slug, taken};
use crate::row::{Columns as _, unreadable, words};
use crate::store::Store;

words! {
    /// The state of an arena.
    ArenaState {
        /// Pairs are played.
        Open = "open",
        /// Pairs are not played for now. Bots can be entered.
        Paused = "paused",
        /// Pairs are not played, and bots cannot be entered.
        Closed = "closed",
    }
}

/// An arena for one game in a course, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arena {
    /// Id.
    pub id: ArenaId,
    /// The course.
    pub course: CourseId,
    /// Short name for URLs.
    pub slug: String,
    /// One line for people.
    pub title: String,
    /// The game.
    pub game: String,
    /// Rule switches that differ from the game's defaults.
    pub options: Options,
    /// The reference opponent with rating 0.
    pub anchor: String,
    /// The part of a round that ranks bots.
    pub scoring: Scoring,
    /// Its state.
    pub state: ArenaState,
    /// The present season.
    pub season: i64,
    /// Number of pairs begun or requested, in all seasons.
    pub pairs: i64,
    /// Number of pairs that have a result, in all seasons.
    pub done: i64,
    /// When it was created.
    pub created_at: Timestamp,
}

/// A new arena.
#[derive(Debug, Clone)]
pub struct NewArena<'a> {
    /// The course.
    pub course: &'a CourseId,
    /// Short name for URLs: lower-case letters, digits and hyphens.
    pub slug: &'a str,
    /// One line for people.
    pub title: &'a str,
    /// The game.
    pub game: &'a str,
    /// Rule switches that differ from the game's defaults.
    pub options: &'a Options,
    /// The reference opponents that take part.
    pub opponents: &'a [&'a str],
    /// The reference opponent with rating 0.
    pub anchor: &'a str,
    /// The part of a round that ranks bots.
    pub scoring: Scoring,
    /// Title of the first season.
    pub season: &'a str,
    /// When the first season ends; none for an open end.
    pub ends_at: Option<Timestamp>,
}

/// A query for arenas, with all columns except the secret.
macro_rules! arenas {
    ($rest:literal) => {
        concat!(
            "SELECT id, course, slug, title, game, options, anchor, scoring, state, season, pairs, \
             done, created_at FROM arena ",
            $rest
        )
    };
}

const READ: &str = arenas!("WHERE id = $1");
const BY_SLUG: &str = arenas!("WHERE course = $1 AND slug = $2");
const OF_COURSE: &str = arenas!("WHERE course = $1 ORDER BY created_at, id");
const OPEN: &str = arenas!(
    "WHERE state = 'open' AND NOT EXISTS (SELECT 1 FROM course c WHERE c.id = arena.course \
     AND c.archived_at IS NOT NULL) ORDER BY created_at, id"
);
const REFERENCES: &str = "SELECT name FROM ladder_bot WHERE arena = $1 AND person IS NULL \
    ORDER BY entered_at, id";
const INSERT: &str = "INSERT INTO arena (id, course, slug, title, game, options, anchor, secret, \
    state, season, pairs, done, created_at, scoring) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'open', 1, 0, 0, $9, $10)";
const INSERT_BOT: &str = "INSERT INTO ladder_bot (id, arena, person, name, name_key, newest, \
    entered_at, back_after) VALUES ($1, $2, NULL, $3, $3, 1, $4, 0)";
const INSERT_VERSION: &str = "INSERT INTO ladder_version (id, bot, number, player, entered_at) \
    VALUES ($1, $2, 1, $3, $4)";
const CHANGE: &str = "UPDATE arena SET title = $2, state = $3, scoring = $4 WHERE id = $1";

impl Store {
    /// Creates an arena with its reference opponents, and begins its first season.
    ///
    /// # Errors
    /// When its slug is taken or cannot be used, or the database fails.
    pub async fn create_arena(&self, new: &NewArena<'_>, now: Timestamp) -> Result<Arena, Error> {
        let mut transaction = self.change(ChangedPart::Course(new.course)).await?;
        let id = insert_arena(&mut transaction, new, now).await?;
        self.log(&mut transaction, Act::ArenaCreated, About::Arena(&id), (None, "")).await?;
        transaction.commit().await?;
        self.need_arena(&id).await
    }

    /// Changes title, state and scoring of an arena. All pairs of the season count by the new scoring.
    ///
    /// # Errors
    /// When the title cannot be used, or the database fails.
    pub async fn change_arena(
        &self,
        id: &ArenaId,
        title: &str,
        (state, scoring): (ArenaState, Scoring),
    ) -> Result<(), Error> {
        let mut transaction = self.change(ChangedPart::Arena(id)).await?;
        let detail = format!("{title}, {state}, by {scoring}");
        self.log(&mut transaction, Act::ArenaChanged, About::Arena(id), (None, &detail)).await?;
        let query = sqlx::query(CHANGE).bind(id.as_str()).bind(tidy("title", title)?);
        query.bind(state.name()).bind(scoring.name()).execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// An arena by its id.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn arena(&self, id: &ArenaId) -> Result<Option<Arena>, Error> {
        let row = sqlx::query(READ).bind(id.as_str()).fetch_optional(&self.pool).await?;
        Ok(row.as_ref().map(arena).transpose()?)
    }

    pub(crate) async fn need_arena(&self, id: &ArenaId) -> Result<Arena, Error> {
        let missing = || Error::Missing { what: "arena", value: id.to_string() };
        self.arena(id).await?.ok_or_else(missing)
    }

    /// An arena of a course by its slug.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn arena_by_slug(
        &self,
        course: &CourseId,
        slug: &str,
    ) -> Result<Option<Arena>, Error> {
        let query = sqlx::query(BY_SLUG).bind(course.as_str()).bind(slug);
        Ok(query.fetch_optional(&self.pool).await?.as_ref().map(arena).transpose()?)
    }

    /// The arenas of a course, the oldest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn arenas_of(&self, course: &CourseId) -> Result<Vec<Arena>, Error> {
        arenas_in(&mut *self.pool.acquire().await?, course).await
    }

    /// All arenas in which pairs are played. Those of archived courses are not among them.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn open_arenas(&self) -> Result<Vec<Arena>, Error> {
        let rows = sqlx::query(OPEN).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(arena).collect::<Result<_, _>>()?)
    }
}

/// The arenas of a course, read by that connection.
pub(crate) async fn arenas_in(
    connection: &mut AnyConnection,
    course: &CourseId,
) -> Result<Vec<Arena>, Error> {
    let rows = sqlx::query(OF_COURSE).bind(course.as_str()).fetch_all(connection).await?;
    Ok(rows.iter().map(arena).collect::<Result<_, _>>()?)
}

/// Adds an arena with its reference opponents and first season, in the caller's transaction.
pub(crate) async fn insert_arena(
    connection: &mut AnyConnection,
    new: &NewArena<'_>,
    now: Timestamp,
) -> Result<ArenaId, Error> {
    let id = ArenaId::random()?;
    let (name, title) = (slug(new.slug)?, tidy("title", new.title)?);
    let options = serde_json::to_string(new.options).expect("texts are JSON");
    let query = sqlx::query(INSERT).bind(id.as_str()).bind(new.course.as_str()).bind(&name);
    let query = query.bind(title).bind(new.game).bind(options).bind(new.anchor);
    let query = query.bind(super::seeds::new_secret()?).bind(now.millis());
    let query = query.bind(new.scoring.name());
    taken(query.execute(&mut *connection).await, "arena", &name)?;
    for opponent in new.opponents {
        insert_reference(connection, &id, opponent, now).await?;
    }
    super::seasons::insert(connection, (&id, 1, new.season, new.ends_at), now).await?;
    Ok(id)
}

/// The names of the reference opponents that take part in an arena.
pub(crate) async fn references(
    connection: &mut AnyConnection,
    arena: &ArenaId,
) -> Result<Vec<String>, Error> {
    let rows = sqlx::query(REFERENCES).bind(arena.as_str()).fetch_all(connection).await?;
    Ok(rows.iter().map(|row| row.text("name")).collect::<Result<_, _>>()?)
}

async fn insert_reference(
    connection: &mut AnyConnection,
    arena: &ArenaId,
    name: &str,
    now: Timestamp,
) -> Result<(), Error> {
    let (bot, version) = (BotId::random()?, VersionId::random()?);
    let query = sqlx::query(INSERT_BOT).bind(bot.as_str()).bind(arena.as_str()).bind(name);
    query.bind(now.millis()).execute(&mut *connection).await?;
    let query = sqlx::query(INSERT_VERSION).bind(version.as_str()).bind(bot.as_str());
    query.bind(name).bind(now.millis()).execute(connection).await?;
    Ok(())
}

pub(super) fn arena(row: &AnyRow) -> Result<Arena, sqlx::Error> {
    let options = serde_json::from_str(&row.text("options")?);
    Ok(Arena {
        id: row.parsed("id")?,
        course: row.parsed("course")?,
        slug: row.text("slug")?,
        title: row.text("title")?,
        game: row.text("game")?,
        options: options.map_err(|error| unreadable("options", error))?,
        anchor: row.text("anchor")?,
        scoring: row.parsed("scoring")?,
        state: row.parsed("state")?,
        season: row.number("season")?,
        pairs: row.number("pairs")?,
        done: row.number("done")?,
        created_at: row.time("created_at")?,
    })
}
