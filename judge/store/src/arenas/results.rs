//! Results of pairs. Each is written once, in one transaction with its consequences: a benched bot,
//! a deleted old record.

use judge_core::{Digest, Seed};
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use super::pairs::LadderJob;
use crate::archive::ChangedPart;
use crate::basics::error::Error;
use crate::basics::id::VersionId;
use crate::basics::time::Timestamp;
use crate::row::Columns as _;
use crate::store::Store;

/// Number of latest rated rounds in each seat that decide about benching. Challenges do not count:
/// any member could repeat one in which another author's bot fails.
pub const BENCH_WINDOW: usize = 20;

/// Fewest faults in one seat, among [`BENCH_WINDOW`] rounds, that can bench a bot.
pub const FEW_FAULTS: usize = 3;

/// Share of faults that benches a bot: at least one in this many of its latest rounds in one seat.
pub const BENCH_SHARE: usize = 4;

/// Number of latest rated pairs of two versions with a kept record. All records of challenges are
/// kept.
pub const MOST_RECORDS: i64 = 10;

/// The result of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRound {
    /// Points of the pair's first side, doubled: 0, 1 or 2.
    pub half_points: u8,
    /// Scores of the first side and the other.
    pub scores: [i64; 2],
    /// The reason why it ended, in the game's words.
    pub reason: String,
    /// The side that failed, 0 or 1, with the verdict's word and details for its author.
    pub fault: Option<(usize, String, String)>,
    /// Number of answers that were given.
    pub plies: u64,
    /// Fuel that each side spent; none if it is not counted.
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
    THEN 1 ELSE 0 END AS its_fault, \
    CASE WHEN p.one = $1 THEN r.round ELSE 3 - r.round END AS seat \
    FROM ladder_pair p JOIN ladder_round r ON r.pair = p.id \
    JOIN ladder_version v ON v.id = $1 JOIN ladder_bot b ON b.id = v.bot \
    WHERE (p.one = $1 OR p.other = $1) AND p.state = 'done' AND p.kind = 'rated' \
    AND p.number > b.back_after \
    ORDER BY p.done DESC, r.round DESC LIMIT $2";
const BENCH: &str = "UPDATE ladder_bot SET benched_at = $2 WHERE benched_at IS NULL \
    AND person IS NOT NULL AND EXISTS (SELECT 1 FROM ladder_version v \
    WHERE v.id = $1 AND v.bot = ladder_bot.id AND v.number = ladder_bot.newest)";
// Includes replaced versions, because their pairs under way end later.
const FAULTS_OUT: &str = "UPDATE ladder_version SET faults_out = (SELECT a.pairs FROM arena a \
    JOIN ladder_bot b ON b.arena = a.id WHERE b.id = ladder_version.bot) \
    WHERE id = $1 AND EXISTS (SELECT 1 FROM ladder_bot b \
    WHERE b.id = ladder_version.bot AND b.person IS NOT NULL)";

impl Store {
    /// Writes the result of a pair, and benches a bot that has failed too often in one seat; false
    /// if the pair has a result already, or was cancelled.
    ///
    /// # Errors
    /// [`Error::Archived`] when the course is archived; when the database fails.
    pub async fn finish_pair(
        &self,
        job: &LadderJob,
        result: &PairResult,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let mut transaction = self.change(ChangedPart::Arena(&job.arena)).await?;
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

/// Benches the bot of a version if its share of faults in one seat is too high. Its earlier faults,
/// and those of pairs under way, leave the ratings.
async fn bench(
    connection: &mut AnyConnection,
    version: &VersionId,
    now: Timestamp,
) -> Result<(), Error> {
    let query = sqlx::query(LATEST).bind(version.as_str()).bind(2 * BENCH_WINDOW as i64);
    let rows = query.fetch_all(&mut *connection).await?;
    let round = |row: &AnyRow| Ok((row.number("seat")?, row.flag("its_fault")?));
    let rounds = rows.iter().map(round).collect::<Result<Vec<_>, sqlx::Error>>()?;
    if fails_too_often(&rounds) {
        let query = sqlx::query(BENCH).bind(version.as_str()).bind(now.millis());
        query.execute(&mut *connection).await?;
        sqlx::query(FAULTS_OUT).bind(version.as_str()).execute(connection).await?;
    }
    Ok(())
}

/// True if a bot fails too often in one seat, by its latest rounds: each with the seat, and whether
/// the bot failed. A pair has a round in each seat, so both seats have the same number.
fn fails_too_often(rounds: &[(i64, bool)]) -> bool {
    [1, 2].into_iter().any(|seat| {
        let own = rounds.iter().filter(|(one, _)| *one == seat).take(BENCH_WINDOW);
        let (many, faults) = own
            .fold((0, 0), |(many, faults), (_, failed)| (many + 1, faults + usize::from(*failed)));
        faults >= FEW_FAULTS && BENCH_SHARE * faults >= many
    })
}
