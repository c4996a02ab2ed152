//! Results of pairs. Each is written once, in one transaction with what follows from it: a bot that is
//! benched, an old record that is deleted.

use judge_core::{Digest, Seed};
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use super::pairs::LadderJob;
use crate::basics::error::Error;
use crate::basics::id::VersionId;
use crate::basics::time::Timestamp;
use crate::row::Columns as _;
use crate::store::Store;

/// Number of faults in a row in rated pairs after which a bot is benched. Challenges do not count, as
/// anybody could repeat one in which somebody else's bot fails.
pub const MOST_FAULTS: usize = 5;

/// Number of latest rated pairs of two versions whose records are kept. All records of challenges
/// are kept.
pub const MOST_RECORDS: i64 = 10;

/// The result of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRound {
    /// Points of the pair's first side, doubled: 0, 1 or 2.
    pub half_points: u8,
    /// Scores of the first side and the other.
    pub scores: [i64; 2],
    /// How it ended, in the game's words.
    pub reason: String,
    /// The side that failed, 0 or 1, with the verdict's word and what its author is told.
    pub fault: Option<(usize, String, String)>,
    /// Number of answers that were given.
    pub plies: u64,
    /// Fuel that each side spent; none where it is not counted.
    pub fuel: [Option<u64>; 2],
    /// Digest of the record.
    pub digest: Digest,
    /// The record as a replay.
    pub record: String,
}

/// The result of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairResult {
    /// The seed of both rounds.
    pub seed: Seed,
    /// Hash of the start, opening and later luck: equal for pairs that began alike.
    pub start: u64,
    /// Version of the judge.
    pub judge: String,
    /// The engine.
    pub engine: String,
    /// The rounds.
    pub rounds: [NewRound; 2],
}

const COUNT: &str = "UPDATE arena SET done = done + 1 WHERE id = $1 RETURNING done";
const DONE: &str = "UPDATE ladder_pair SET state = 'done', done = $2, ended_at = $3, seed = $4, \
    start = $5, judge = $6, engine = $7 WHERE id = $1 AND state = 'waiting'";
const INSERT: &str = "INSERT INTO ladder_round (pair, round, half_points, score_one, score_other, \
    reason, failed, fault, detail, plies, fuel_one, fuel_other, digest, record) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";
const LET_GO: &str = "UPDATE ladder_round SET record = NULL WHERE pair IN (\
    SELECT p.id FROM ladder_pair p WHERE p.one = $1 AND p.other = $2 AND p.kind = 'rated' \
    AND p.state = 'done' ORDER BY p.number DESC LIMIT 1 OFFSET $3)";
const LATEST: &str = "SELECT CASE WHEN r.failed = CASE WHEN p.one = $1 THEN 1 ELSE 2 END \
    THEN 1 ELSE 0 END AS its_fault \
    FROM ladder_pair p JOIN ladder_round r ON r.pair = p.id \
    JOIN ladder_version v ON v.id = $1 JOIN ladder_bot b ON b.id = v.bot \
    WHERE (p.one = $1 OR p.other = $1) AND p.state = 'done' AND p.kind = 'rated' \
    AND p.number > b.back_after \
    ORDER BY p.done DESC, r.round DESC LIMIT $2";
const BENCH: &str = "UPDATE ladder_bot SET benched_at = $2 WHERE benched_at IS NULL \
    AND person IS NOT NULL AND EXISTS (SELECT 1 FROM ladder_version v \
    WHERE v.id = $1 AND v.bot = ladder_bot.id AND v.number = ladder_bot.newest)";

impl Store {
    /// Writes the result of a pair, and benches whoever has failed too often in a row; false if it
    /// has one already, or was cancelled.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn finish_pair(
        &self,
        job: &LadderJob,
        result: &PairResult,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let mut transaction = self.begin().await?;
        let query = sqlx::query(COUNT).bind(job.arena.as_str());
        let done = query.fetch_one(&mut *transaction).await?.number("done")?;
        let query = sqlx::query(DONE).bind(job.id.as_str()).bind(done).bind(now.millis());
        let query = query.bind(result.seed.0.to_string()).bind(result.start.to_string());
        let query = query.bind(&result.judge).bind(&result.engine);
        if query.execute(&mut *transaction).await?.rows_affected() == 0 {
            // Dropping the transaction also takes back the count of results.
            return Ok(false);
        }
        for (number, round) in std::iter::zip(1_i64.., &result.rounds) {
            insert(&mut transaction, job, number, round).await?;
        }
        let [one, other] = job.sides.each_ref().map(|side| &side.version);
        let query = sqlx::query(LET_GO).bind(one.as_str()).bind(other.as_str());
        query.bind(MOST_RECORDS).execute(&mut *transaction).await?;
        for version in [one, other] {
            bench(&mut transaction, version, now).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }
}

async fn insert(
    connection: &mut AnyConnection,
    job: &LadderJob,
    number: i64,
    round: &NewRound,
) -> Result<(), Error> {
    let (failed, fault, detail) = match &round.fault {
        Some((side, verdict, detail)) => (
            Some(if *side == 0 { 1_i64 } else { 2 }),
            Some(verdict.as_str()),
            Some(detail.as_str()),
        ),
        None => (None, None, None),
    };
    let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let query = sqlx::query(INSERT).bind(job.id.as_str()).bind(number);
    let query = query.bind(i64::from(round.half_points)).bind(round.scores[0]);
    let query = query.bind(round.scores[1]).bind(&round.reason);
    let query = query.bind(failed).bind(fault).bind(detail).bind(whole(round.plies));
    let query = query.bind(round.fuel[0].map(whole)).bind(round.fuel[1].map(whole));
    let query = query.bind(round.digest.to_string()).bind(&round.record);
    query.execute(connection).await?;
    Ok(())
}

/// Benches the bot of a version if its latest rounds all ended by its fault.
async fn bench(
    connection: &mut AnyConnection,
    version: &VersionId,
    now: Timestamp,
) -> Result<(), Error> {
    let query = sqlx::query(LATEST).bind(version.as_str()).bind(MOST_FAULTS as i64);
    let rows = query.fetch_all(&mut *connection).await?;
    let faults = rows.iter().map(|row: &AnyRow| row.flag("its_fault"));
    let faults = faults.collect::<Result<Vec<bool>, _>>()?;
    if faults.len() == MOST_FAULTS && faults.iter().all(|fault| *fault) {
        let query = sqlx::query(BENCH).bind(version.as_str()).bind(now.millis());
        query.execute(connection).await?;
    }
    Ok(())
}
