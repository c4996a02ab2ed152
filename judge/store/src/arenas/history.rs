//! Played pairs: all rated ones of a season for the ratings, and lists for pages.

use judge_core::Digest;
use sqlx::any::AnyRow;

use super::pairs::{PairKind, PairState};
use crate::basics::error::Error;
use crate::basics::id::{ArenaId, BotId, PairId, PersonId, VersionId};
use crate::basics::time::Timestamp;
use crate::row::{Columns as _, unreadable};
use crate::store::Store;
use crate::submissions::digest_in;

/// A rated pair with the data that ratings need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeasonPair {
    /// Its number in the arena.
    pub number: i64,
    /// Position in the order in which results came in.
    pub done: i64,
    /// The versions.
    pub versions: [VersionId; 2],
    /// Hash of the start, opening and later luck: equal for pairs that began alike.
    pub start: u64,
    /// For each round, the first version's points, doubled, and the side that failed, 0 or 1.
    pub rounds: [(u8, Option<usize>); 2],
    /// The first version's score minus the other's in each round.
    pub differences: [i64; 2],
}

/// A round of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundLine {
    /// Points of the pair's first side, doubled.
    pub half_points: u8,
    /// Scores of the first side and the other.
    pub scores: [i64; 2],
    /// The reason why it ended, in the game's words.
    pub reason: String,
    /// The side that failed, 0 or 1, with the verdict's word.
    pub fault: Option<(usize, String)>,
    /// Details for the author of the side that failed.
    pub detail: Option<String>,
    /// Number of answers that were given.
    pub plies: u64,
    /// Fuel that the sides spent.
    pub fuel: [Option<u64>; 2],
    /// Digest of the record.
    pub digest: Digest,
    /// True if the record is kept.
    pub has_record: bool,
}

/// A pair for display on pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairRow {
    /// Id.
    pub id: PairId,
    /// The arena.
    pub arena: ArenaId,
    /// The season.
    pub season: i64,
    /// The purpose.
    pub kind: PairKind,
    /// The state.
    pub state: PairState,
    /// The person who requested it; none for a rated pair.
    pub asked_by: Option<PersonId>,
    /// When it was requested or begun.
    pub asked_at: Timestamp,
    /// When it was played or given up.
    pub ended_at: Option<Timestamp>,
    /// The bots, with the numbers of their versions.
    pub bots: [(BotId, i64); 2],
    /// The seed, once it is played.
    pub seed: Option<String>,
    /// The judge that played it, version and engine.
    pub judge: Option<(String, String)>,
    /// The rounds, once they are played.
    pub rounds: Vec<RoundLine>,
}

const RATED_PAIRS: &str = "SELECT p.number, p.done, p.one, p.other, p.start, a.half_points AS half_1, \
    a.failed AS failed_1, b.half_points AS half_2, b.failed AS failed_2, \
    a.score_one - a.score_other AS difference_1, b.score_one - b.score_other AS difference_2 \
    FROM ladder_pair p \
    JOIN ladder_round a ON a.pair = p.id AND a.round = 1 \
    JOIN ladder_round b ON b.pair = p.id AND b.round = 2 \
    WHERE p.arena = $1 AND p.season = $2 AND p.kind = 'rated' AND p.done > $3 ORDER BY p.done";

/// Pairs with their bots.
macro_rules! pairs {
    ($rest:literal) => {
        concat!(
            "SELECT p.*, v.bot AS bot_one, v.number AS number_one, w.bot AS bot_other, \
             w.number AS number_other FROM ladder_pair p \
             JOIN ladder_version v ON v.id = p.one JOIN ladder_version w ON w.id = p.other ",
            $rest
        )
    };
}

const READ: &str = pairs!("WHERE p.id = $1");
const OF_BOT: &str = pairs!(
    "WHERE (p.one IN (SELECT id FROM ladder_version WHERE bot = $1) \
     OR p.other IN (SELECT id FROM ladder_version WHERE bot = $1)) AND p.state <> 'cancelled' \
     ORDER BY p.number DESC LIMIT $2 OFFSET $3"
);
const OF_ARENA: &str = pairs!(
    "WHERE p.arena = $1 AND p.state <> 'cancelled' ORDER BY p.number DESC LIMIT $2 OFFSET $3"
);
const OF_SEASON: &str = pairs!(
    "WHERE p.arena = $1 AND p.season = $2 AND p.state <> 'cancelled' \
     ORDER BY p.number DESC LIMIT $3"
);
const CHALLENGES: &str = pairs!(
    "WHERE p.arena = $1 AND p.kind = 'challenge' AND p.state <> 'cancelled' \
     ORDER BY p.number DESC LIMIT $2 OFFSET $3"
);
const ROUNDS: &str = "SELECT half_points, score_one, score_other, reason, failed, fault, detail, \
    plies, fuel_one, fuel_other, digest, \
    CASE WHEN record IS NULL THEN 0 ELSE 1 END AS has_record \
    FROM ladder_round WHERE pair = $1 ORDER BY round";
const RECORD: &str = "SELECT record FROM ladder_round WHERE pair = $1 AND round = $2";

impl Store {
    /// The rated pairs of a season, without those among the first `after` results of the arena, in
    /// the order of their results.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn rated_pairs(
        &self,
        arena: &ArenaId,
        season: i64,
        after: i64,
    ) -> Result<Vec<SeasonPair>, Error> {
        let query = sqlx::query(RATED_PAIRS).bind(arena.as_str()).bind(season).bind(after);
        let rows = query.fetch_all(&self.pool).await?;
        Ok(rows.iter().map(season_pair).collect::<Result<_, _>>()?)
    }

    /// A pair by its id.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn pair(&self, id: &PairId) -> Result<Option<PairRow>, Error> {
        let row = sqlx::query(READ).bind(id.as_str()).fetch_optional(&self.pool).await?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(self.with_rounds(&row).await?))
    }

    /// Pairs of a bot in all its versions, the newest first: at most `most`, after `skipped`
    /// others.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn pairs_of_bot(
        &self,
        bot: &BotId,
        skipped: u32,
        most: u32,
    ) -> Result<Vec<PairRow>, Error> {
        self.listed(OF_BOT, bot.as_str(), skipped, most).await
    }

    /// Pairs of an arena, the newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn pairs_of_arena(
        &self,
        arena: &ArenaId,
        skipped: u32,
        most: u32,
    ) -> Result<Vec<PairRow>, Error> {
        self.listed(OF_ARENA, arena.as_str(), skipped, most).await
    }

    /// Pairs of a season, the newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn pairs_of_season(
        &self,
        arena: &ArenaId,
        season: i64,
        most: u32,
    ) -> Result<Vec<PairRow>, Error> {
        let query = sqlx::query(OF_SEASON).bind(arena.as_str()).bind(season).bind(i64::from(most));
        self.with_all_rounds(&query.fetch_all(&self.pool).await?).await
    }

    /// Challenges in an arena, the newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn challenges_of_arena(
        &self,
        arena: &ArenaId,
        most: u32,
    ) -> Result<Vec<PairRow>, Error> {
        self.listed(CHALLENGES, arena.as_str(), 0, most).await
    }

    /// The record of a round, 1 or 2, as a replay; none if it is not kept.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn ladder_record(&self, pair: &PairId, round: i64) -> Result<Option<String>, Error> {
        let query = sqlx::query(RECORD).bind(pair.as_str()).bind(round);
        let row = query.fetch_optional(&self.pool).await?;
        Ok(row.map(|row| row.maybe_text("record")).transpose()?.flatten())
    }

    async fn listed(
        &self,
        sql: &'static str,
        id: &str,
        skipped: u32,
        most: u32,
    ) -> Result<Vec<PairRow>, Error> {
        let query = sqlx::query(sql).bind(id).bind(i64::from(most)).bind(i64::from(skipped));
        self.with_all_rounds(&query.fetch_all(&self.pool).await?).await
    }

    async fn with_all_rounds(&self, rows: &[AnyRow]) -> Result<Vec<PairRow>, Error> {
        let mut pairs = Vec::new();
        for row in rows {
            pairs.push(self.with_rounds(row).await?);
        }
        Ok(pairs)
    }

    async fn with_rounds(&self, row: &AnyRow) -> Result<PairRow, Error> {
        let mut pair = pair(row)?;
        if pair.state == PairState::Done {
            let rounds = sqlx::query(ROUNDS).bind(pair.id.as_str()).fetch_all(&self.pool).await?;
            pair.rounds = rounds.iter().map(round).collect::<Result<_, _>>()?;
        }
        Ok(pair)
    }
}

fn pair(row: &AnyRow) -> Result<PairRow, sqlx::Error> {
    Ok(PairRow {
        id: row.parsed("id")?,
        arena: row.parsed("arena")?,
        season: row.number("season")?,
        kind: row.parsed("kind")?,
        state: row.parsed("state")?,
        asked_by: row.maybe_parsed("asked_by")?,
        asked_at: row.time("asked_at")?,
        ended_at: row.maybe_time("ended_at")?,
        bots: [
            (row.parsed("bot_one")?, row.number("number_one")?),
            (row.parsed("bot_other")?, row.number("number_other")?),
        ],
        seed: row.maybe_text("seed")?,
        judge: row.maybe_text("judge")?.zip(row.maybe_text("engine")?),
        rounds: Vec::new(),
    })
}

fn round(row: &AnyRow) -> Result<RoundLine, sqlx::Error> {
    let fuel = |column| Ok::<_, sqlx::Error>(row.maybe_number(column)?.map(i64::unsigned_abs));
    Ok(RoundLine {
        half_points: half_points(row.number("half_points")?),
        scores: [row.number("score_one")?, row.number("score_other")?],
        reason: row.text("reason")?,
        fault: side(row.maybe_number("failed")?).zip(row.maybe_text("fault")?),
        detail: row.maybe_text("detail")?,
        plies: row.count("plies")?,
        fuel: [fuel("fuel_one")?, fuel("fuel_other")?],
        digest: digest_in(row, "digest")?,
        has_record: row.flag("has_record")?,
    })
}

fn season_pair(row: &AnyRow) -> Result<SeasonPair, sqlx::Error> {
    let start = row.text("start")?.parse();
    let one = (half_points(row.number("half_1")?), side(row.maybe_number("failed_1")?));
    let two = (half_points(row.number("half_2")?), side(row.maybe_number("failed_2")?));
    Ok(SeasonPair {
        number: row.number("number")?,
        done: row.number("done")?,
        versions: [row.parsed("one")?, row.parsed("other")?],
        start: start.map_err(|error: std::num::ParseIntError| unreadable("start", error))?,
        rounds: [one, two],
        differences: [row.number("difference_1")?, row.number("difference_2")?],
    })
}

fn half_points(number: i64) -> u8 {
    u8::try_from(number.clamp(0, 2)).unwrap_or_default()
}

/// The side that failed, from its column: 1 or 2 there, 0 or 1 here.
fn side(failed: Option<i64>) -> Option<usize> {
    failed.map(|failed| usize::from(failed != 1))
}
