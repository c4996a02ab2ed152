//! Pairs to play. The row of a pair is its place in the queue, so no second table can disagree: a
//! rated pair is stored, with a lease, before it begins.

use std::time::Duration;

use judge_core::{Digest, Options, Seed};
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use super::seeds::seed;
use crate::archive::ChangedPart;
use crate::basics::error::Error;
use crate::basics::id::{ArenaId, BotId, PairId, PersonId, VersionId};
use crate::basics::time::Timestamp;
use crate::queue::{MOST_CUTS, MOST_TRIES};
use crate::row::{Columns as _, unreadable, words};
use crate::store::Store;

words! {
    /// The purpose of a pair.
    PairKind {
        /// Ratings are computed from it.
        Rated = "rated",
        /// A member requested it. It is not rated.
        Challenge = "challenge",
    }

    /// The state of a pair.
    PairState {
        /// It has not been played yet, or is being played.
        Waiting = "waiting",
        /// It has a result.
        Done = "done",
        /// The judge failed each time. It counts for neither side.
        JudgeError = "judge_error",
        /// A bot was withdrawn, or the season ended, before it was played.
        Cancelled = "cancelled",
    }
}

/// A side of a pair to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LadderSide {
    /// The bot.
    pub bot: BotId,
    /// Its version.
    pub version: VersionId,
    /// Its name.
    pub name: String,
    /// SHA-256 of the module; none for a reference opponent.
    pub module: Option<Digest>,
    /// The rated player: the module's hash, or the name of a reference opponent.
    pub player: String,
}

/// A pair to play, leased to the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LadderJob {
    /// Id.
    pub id: PairId,
    /// The arena.
    pub arena: ArenaId,
    /// The game.
    pub game: String,
    /// Rule switches that differ from the game's defaults.
    pub options: Options,
    /// Its purpose.
    pub kind: PairKind,
    /// The season.
    pub season: i64,
    /// The seed of both rounds, secret until they are played.
    pub seed: Seed,
    /// The sides. The first one has seat 1 in the first round and seat 2 in the second.
    pub sides: [LadderSide; 2],
    /// Number of the attempt, from 1.
    pub attempt: i64,
}

/// A pair to store.
pub(super) struct NewPair<'a> {
    pub(super) arena: &'a ArenaId,
    pub(super) season: i64,
    pub(super) kind: PairKind,
    pub(super) versions: [&'a VersionId; 2],
    pub(super) asked_by: Option<&'a PersonId>,
    /// The worker that plays it at once, and the end of its lease.
    pub(super) lease: Option<(&'a str, Timestamp)>,
}

// Locks the arena's row: no pair is stored for a season that ends at the same time.
const NUMBER: &str = "UPDATE arena SET pairs = pairs + 1 \
    WHERE id = $1 AND season = $2 AND state = 'open' RETURNING pairs";
const INSERT: &str = "INSERT INTO ladder_pair (id, arena, number, season, kind, one, other, \
    asked_by, asked_at, attempts, worker, lease_until, state) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'waiting')";
const NEXT: &str = "SELECT p.id, p.arena, p.attempts, p.failures FROM ladder_pair p \
    JOIN arena a ON a.id = p.arena \
    WHERE p.state = 'waiting' AND p.lease_until <= $1 AND a.state = 'open' \
    AND NOT EXISTS (SELECT 1 FROM course c WHERE c.id = a.course AND c.archived_at IS NOT NULL) \
    ORDER BY CASE p.kind WHEN 'challenge' THEN 0 ELSE 1 END, p.asked_at, p.number, p.id LIMIT 1";
const LEASE: &str = "UPDATE ladder_pair SET attempts = attempts + 1, worker = $2, \
    lease_until = $3 WHERE id = $1 AND state = 'waiting' AND lease_until <= $4";
const GIVE_UP: &str = "UPDATE ladder_pair SET state = 'judge_error', ended_at = $2 \
    WHERE id = $1 AND state = 'waiting' AND lease_until <= $2";
const READ: &str = "SELECT p.*, a.game, a.options FROM ladder_pair p \
    JOIN arena a ON a.id = p.arena WHERE p.id = $1";
const SIDE: &str = "SELECT v.id AS version, v.bot, b.name, v.module, v.player \
    FROM ladder_version v JOIN ladder_bot b ON b.id = v.bot WHERE v.id = $1";
const RENEW: &str = "UPDATE ladder_pair SET lease_until = $3 \
    WHERE id = $1 AND attempts = $2 AND state = 'waiting' AND lease_until > 0";
const FAIL: &str = "UPDATE ladder_pair SET lease_until = 0, failures = failures + 1 \
    WHERE id = $1 AND attempts = $2 AND state = 'waiting'";
const HAND_BACK: &str = "UPDATE ladder_pair SET lease_until = 0, attempts = attempts - 1 \
    WHERE id = $1 AND attempts = $2 AND state = 'waiting'";
const END_ALL: &str =
    "UPDATE ladder_pair SET lease_until = 0 WHERE worker = $1 AND state = 'waiting'";
const UNDER_WAY: &str = "SELECT one, other FROM ladder_pair \
    WHERE arena = $1 AND season = $2 AND kind = 'rated' AND state = 'waiting'";

impl Store {
    /// The next waiting pair, challenges first, leased to `worker` for that long; none if no pair
    /// waits. Gives up pairs that failed three times or were cut off ten times.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn next_pair(
        &self,
        worker: &str,
        lease: Duration,
        now: Timestamp,
    ) -> Result<Option<LadderJob>, Error> {
        loop {
            let query = sqlx::query(NEXT).bind(now.millis());
            let Some(row) = query.fetch_optional(&self.pool).await? else { return Ok(None) };
            let id: PairId = row.parsed("id")?;
            let (begun, failed) = (row.number("attempts")?, row.number("failures")?);
            if failed >= MOST_TRIES || begun - failed >= MOST_CUTS {
                let query = sqlx::query(GIVE_UP).bind(id.as_str()).bind(now.millis());
                query.execute(&self.pool).await?;
                continue;
            }
            if self.lease_pair(&row, (worker, lease), now).await? {
                return Ok(Some(self.ladder_job(&id).await?));
            }
        }
    }

    /// Leases a waiting pair; false if another worker has just leased it, or if its course has just
    /// been archived.
    async fn lease_pair(
        &self,
        row: &AnyRow,
        (worker, lease): (&str, Duration),
        now: Timestamp,
    ) -> Result<bool, Error> {
        let (id, arena): (PairId, ArenaId) = (row.parsed("id")?, row.parsed("arena")?);
        let mut transaction = match self.change(ChangedPart::Arena(&arena)).await {
            Err(Error::Archived) => return Ok(false),
            begun => begun?,
        };
        let query = sqlx::query(LEASE).bind(id.as_str()).bind(worker);
        let query = query.bind(now.after(lease).millis()).bind(now.millis());
        let done = query.execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(done.rows_affected() > 0)
    }

    /// Stores a rated pair of these versions, leased to `worker` for that long; none if the season
    /// has ended, the arena is not open or the course is archived.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn begin_rated(
        &self,
        (arena, season): (&ArenaId, i64),
        versions: [&VersionId; 2],
        (worker, lease): (&str, Duration),
        now: Timestamp,
    ) -> Result<Option<LadderJob>, Error> {
        let lease = Some((worker, now.after(lease)));
        // Sorts the versions, because records are kept for each unordered couple of them.
        let [one, other] = versions;
        let versions = if one <= other { [one, other] } else { [other, one] };
        let kind = PairKind::Rated;
        let new = NewPair { arena, season, kind, versions, asked_by: None, lease };
        let mut transaction = match self.change(ChangedPart::Arena(arena)).await {
            Err(Error::Archived) => return Ok(None),
            begun => begun?,
        };
        let Some(id) = insert(&mut transaction, &new, now).await? else { return Ok(None) };
        transaction.commit().await?;
        Ok(Some(self.ladder_job(&id).await?))
    }

    /// Extends a pair's lease to that long from now on.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn renew_pair(
        &self,
        job: &LadderJob,
        lease: Duration,
        now: Timestamp,
    ) -> Result<(), Error> {
        let query = sqlx::query(RENEW).bind(job.id.as_str()).bind(job.attempt);
        query.bind(now.after(lease).millis()).execute(&self.pool).await?;
        Ok(())
    }

    /// Ends a failed attempt at a pair, which counts as one of three.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn pair_failed(&self, job: &LadderJob) -> Result<(), Error> {
        let query = sqlx::query(FAIL).bind(job.id.as_str()).bind(job.attempt);
        query.execute(&self.pool).await?;
        Ok(())
    }

    /// Ends an attempt that was stopped from outside, without counting it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn hand_back_pair(&self, job: &LadderJob) -> Result<(), Error> {
        let query = sqlx::query(HAND_BACK).bind(job.id.as_str()).bind(job.attempt);
        query.execute(&self.pool).await?;
        Ok(())
    }

    /// Ends the leases of a worker on pairs. The worker has just started, so it cannot be playing
    /// any.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn end_pair_leases(&self, worker: &str) -> Result<(), Error> {
        sqlx::query(END_ALL).bind(worker).execute(&self.pool).await?;
        Ok(())
    }

    /// The versions in rated pairs of a season without a result.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn pairs_under_way(
        &self,
        arena: &ArenaId,
        season: i64,
    ) -> Result<Vec<[VersionId; 2]>, Error> {
        let query = sqlx::query(UNDER_WAY).bind(arena.as_str()).bind(season);
        let rows = query.fetch_all(&self.pool).await?;
        let both = |row: &AnyRow| Ok([row.parsed("one")?, row.parsed("other")?]);
        Ok(rows.iter().map(both).collect::<Result<_, sqlx::Error>>()?)
    }

    async fn ladder_job(&self, id: &PairId) -> Result<LadderJob, Error> {
        let mut connection = self.pool.acquire().await?;
        let row = sqlx::query(READ).bind(id.as_str()).fetch_one(&mut *connection).await?;
        let arena: ArenaId = row.parsed("arena")?;
        let options = serde_json::from_str(&row.text("options")?);
        Ok(LadderJob {
            id: id.clone(),
            game: row.text("game")?,
            options: options.map_err(|error| unreadable("options", error))?,
            kind: row.parsed("kind")?,
            season: row.number("season")?,
            seed: seed(&mut connection, &arena, row.number("number")?).await?,
            sides: [
                side(&mut connection, &row.text("one")?).await?,
                side(&mut connection, &row.text("other")?).await?,
            ],
            attempt: row.number("attempts")?,
            arena,
        })
    }
}

/// Stores a pair; none if the season has ended or the arena is not open.
pub(super) async fn insert(
    connection: &mut AnyConnection,
    new: &NewPair<'_>,
    now: Timestamp,
) -> Result<Option<PairId>, Error> {
    let id = PairId::random()?;
    let query = sqlx::query(NUMBER).bind(new.arena.as_str()).bind(new.season);
    let Some(row) = query.fetch_optional(&mut *connection).await? else { return Ok(None) };
    let number = row.number("pairs")?;
    let (worker, until) = new.lease.unwrap_or(("", Timestamp::from_millis(0)));
    let [one, other] = new.versions;
    let query = sqlx::query(INSERT).bind(id.as_str()).bind(new.arena.as_str()).bind(number);
    let query = query.bind(new.season).bind(new.kind.name());
    let query = query.bind(one.as_str()).bind(other.as_str());
    let query = query.bind(new.asked_by.map(PersonId::as_str)).bind(now.millis());
    let query = query.bind(i64::from(new.lease.is_some())).bind(worker).bind(until.millis());
    query.execute(connection).await?;
    Ok(Some(id))
}

async fn side(connection: &mut AnyConnection, version: &str) -> Result<LadderSide, Error> {
    let row = sqlx::query(SIDE).bind(version).fetch_one(connection).await?;
    let module = row.maybe_text("module")?.map(Digest::try_from).transpose();
    Ok(LadderSide {
        bot: row.parsed("bot")?,
        version: row.parsed("version")?,
        name: row.text("name")?,
        module: module.map_err(|error| unreadable("module", error))?,
        player: row.text("player")?,
    })
}
