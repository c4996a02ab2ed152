//! Results. Each is written once; only the points that count follow the rules for late
//! submissions. Pages choose among them.

use std::collections::BTreeMap;

use judge_core::{Blame, BotReport, Digest, GradeReport, Lateness, Points, Timing, digest};
use judge_grading::Testcase;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::archive::ChangedPart;
use crate::basics::error::Error;
use crate::basics::id::{PersonId, SubmissionId, SuiteId};
use crate::basics::time::Timestamp;
use crate::late;
use crate::mail;
use crate::open;
use crate::row::{Columns as _, unreadable, words};
use crate::store::Store;
use crate::submissions::{Submission, digest_in};
use crate::suites;

/// Most fuel that is counted for one result, so that sums do not overflow.
const MOST_FUEL: u64 = 1 << 50;

words! {
    /// The state of a submission.
    ResultState {
        /// It was played.
        Graded = "graded",
        /// It was refused, and no round counts.
        Refused = "refused",
        /// The judge failed. It counts against no student, and an instructor has to look at it.
        JudgeError = "judge_error",
    }
}

/// Number of testcases for each verdict, by the verdict's word in reports.
pub type Verdicts = BTreeMap<String, u64>;

/// A result without its reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultRow {
    /// The submission.
    pub submission: SubmissionId,
    /// The suite's generation that it was graded on.
    pub generation: i64,
    /// The suite.
    pub suite: SuiteId,
    /// The person who submitted it.
    pub person: PersonId,
    /// The time of submission.
    pub received_at: Timestamp,
    /// The state.
    pub state: ResultState,
    /// Points that count, after the rules for late submissions and adjustments.
    pub points: Points,
    /// Points by hand, which then are the points that count.
    pub adjusted: Option<Points>,
    /// Points on offer.
    pub max_points: Points,
    /// Points of open testcases that count.
    pub open_points: Points,
    /// Points on offer in open testcases.
    pub open_max_points: Points,
    /// Sum of the testcases' scores.
    pub score: i64,
    /// Testcases that were passed.
    pub passed: u64,
    /// Testcases of the suite.
    pub testcases: u64,
    /// The worst verdict in words, hidden testcases included: not for students.
    pub worst: String,
    /// Number of testcases for each verdict, hidden ones included: not for students.
    pub verdicts: Verdicts,
    /// Digest of the result, which is the same on every machine.
    pub digest: Digest,
    /// Fuel that was spent.
    pub fuel: u64,
    /// When it was graded.
    pub graded_at: Timestamp,
    /// The submission's lateness.
    pub lateness: Lateness,
}

/// The result of writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// The result is new.
    New,
    /// The same result was already there.
    Same,
    /// The submission was given up before, because the judge had failed too often. That stays.
    GivenUp,
}

const KEPT: &str = "SELECT state, digest FROM result WHERE submission = $1 AND generation = $2";
const INSERT: &str = "INSERT INTO result (submission, generation, suite, person, received_at, \
    is_first, state, points, max_points, score, passed, testcases, worst, verdicts, digest, fuel, \
    graded_at, open_points, open_max_points, earned_points, earned_open_points, of_day, \
    day_ends_at, late_days, late_percent, adjusted, owner) VALUES ($1, $2, $3, $4, $5, \
    (SELECT CASE WHEN COUNT(*) = 0 THEN 1 ELSE 0 END FROM result WHERE submission = $1), \
    $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, \
    (SELECT of_day FROM submission WHERE id = $1), \
    (SELECT day_ends_at FROM submission WHERE id = $1), $21, $22, $23, \
    (SELECT owner FROM submission WHERE id = $1)) \
    ON CONFLICT (submission, generation) DO NOTHING";
// Locks the submission, so that a change of its lateness or its points waits for the result.
const COUNTING: &str = "UPDATE submission SET late_days = late_days WHERE id = $1 \
    RETURNING late_days, late_percent, adjusted";
const INSERT_REPORT: &str =
    "INSERT INTO report (submission, generation, whole, student) VALUES ($1, $2, $3, $4)";
const END_ATTEMPTS: &str = "UPDATE attempt SET ended_at = $3 \
    WHERE submission = $1 AND generation = $2 AND ended_at IS NULL";
const SHOWN: &str = "SELECT r.* FROM result r JOIN suite u ON u.id = r.suite \
    JOIN suite_generation g ON g.suite = r.suite AND g.generation = r.generation \
    WHERE r.submission = $1 \
    ORDER BY g.discarded, CASE WHEN r.generation <= u.shown THEN 0 ELSE 1 END, \
    ABS(r.generation - u.shown) LIMIT 1";
const ALL: &str = "SELECT * FROM result WHERE submission = $1 ORDER BY generation";
const OF_PERSON: &str = "SELECT r.* FROM result r JOIN suite u ON u.id = r.suite \
    WHERE r.suite = $1 AND r.owner = $2 \
    AND (r.generation = u.shown OR (r.generation > u.shown AND r.is_first = 1)) \
    UNION ALL SELECT r.* FROM group_member g CROSS JOIN suite u CROSS JOIN result r \
    WHERE u.id = $1 AND r.suite = $1 AND r.owner = g.group_id AND g.person = $2 \
    AND (g.left_at IS NULL OR r.received_at < g.left_at) \
    AND (r.generation = u.shown OR (r.generation > u.shown AND r.is_first = 1)) \
    ORDER BY received_at, submission";
const REPORTS: &str = "SELECT whole, student FROM report WHERE submission = $1 AND generation = $2";
const FAILED: &str = "SELECT r.* FROM result r JOIN suite u ON u.id = r.suite \
    WHERE r.suite = $1 AND r.generation = u.generation AND r.state = 'judge_error' \
    ORDER BY r.graded_at DESC, r.submission";

impl Store {
    /// Writes the result of a submission, and ends its lease. Writing the same result again changes
    /// nothing.
    ///
    /// # Errors
    /// [`Error::Archived`] when the course is archived, [`Error::OtherDigest`] when the submission
    /// has another result, [`Error::Report`] when the
    /// report is not about one submission; when the database fails.
    pub async fn write_result(
        &self,
        submission: &Submission,
        generation: i64,
        report: &GradeReport,
        now: Timestamp,
    ) -> Result<Written, Error> {
        let mut transaction = self.change_together(ChangedPart::Suite(&submission.suite)).await?;
        let written = write(&mut transaction, submission, generation, report, now).await?;
        if written == Written::New {
            suites::advance(&mut transaction, &submission.suite).await?;
        }
        transaction.commit().await?;
        Ok(written)
    }

    /// The result of a submission that is shown now: that of the suite's shown generation, or else
    /// that of the closest generation, earlier ones first, and discarded ones last.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn result(&self, submission: &SubmissionId) -> Result<Option<ResultRow>, Error> {
        let query = sqlx::query(SHOWN).bind(submission.as_str());
        Ok(query.fetch_optional(&self.pool).await?.as_ref().map(result).transpose()?)
    }

    /// All results of a submission, the oldest generation first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn results_of(&self, submission: &SubmissionId) -> Result<Vec<ResultRow>, Error> {
        let rows = sqlx::query(ALL).bind(submission.as_str()).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(result).collect::<Result<_, _>>()?)
    }

    /// A person's visible results on a suite, and those of their groups, in the order of submission.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn results_of_person(
        &self,
        suite: &SuiteId,
        person: &PersonId,
    ) -> Result<Vec<ResultRow>, Error> {
        let query = sqlx::query(OF_PERSON).bind(suite.as_str()).bind(person.as_str());
        let rows = query.fetch_all(&self.pool).await?;
        Ok(rows.iter().map(result).collect::<Result<_, _>>()?)
    }

    /// The results of a suite's present generation in which the judge failed, the newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn failed_results(&self, suite: &SuiteId) -> Result<Vec<ResultRow>, Error> {
        let rows = sqlx::query(FAILED).bind(suite.as_str()).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(result).collect::<Result<_, _>>()?)
    }

    /// The report on a result as its student may see it, as a file of JSON. None if the judge gave
    /// up.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn student_report(
        &self,
        submission: &SubmissionId,
        generation: i64,
    ) -> Result<Option<String>, Error> {
        self.report_text(submission, generation, "student").await
    }

    /// The whole report on a result, rounds of hidden testcases included: only for staff.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn whole_report(
        &self,
        submission: &SubmissionId,
        generation: i64,
    ) -> Result<Option<String>, Error> {
        self.report_text(submission, generation, "whole").await
    }

    async fn report_text(
        &self,
        submission: &SubmissionId,
        generation: i64,
        which: &str,
    ) -> Result<Option<String>, Error> {
        let query = sqlx::query(REPORTS).bind(submission.as_str()).bind(generation);
        let row = query.fetch_optional(&self.pool).await?;
        Ok(row.map(|row| row.text(which)).transpose()?)
    }
}

/// Writes a result in the caller's transaction.
pub(crate) async fn write(
    connection: &mut AnyConnection,
    submission: &Submission,
    generation: i64,
    report: &GradeReport,
    now: Timestamp,
) -> Result<Written, Error> {
    let [bot] = report.bots.as_slice() else {
        return Err(Error::Report { bots: report.bots.len() });
    };
    let row = of_report(submission, generation, bot, now);
    let row = counting_now(connection, row).await?;
    if insert(connection, &row).await? {
        // Timing is removed, so that two runs of the judge give the same bytes.
        let whole = GradeReport { timing: Timing::default(), ..report.clone() };
        let query = sqlx::query(INSERT_REPORT).bind(submission.id.as_str()).bind(generation);
        let query = query.bind(whole.to_json()).bind(whole.for_student().to_json());
        query.execute(connection).await?;
        return Ok(Written::New);
    }
    let query = sqlx::query(KEPT).bind(submission.id.as_str()).bind(generation);
    let kept = query.fetch_one(connection).await?;
    let (state, digest) = (kept.parsed::<ResultState>("state")?, digest_in(&kept, "digest")?);
    if digest == row.digest {
        return Ok(Written::Same);
    }
    if ResultState::JudgeError == state {
        return Ok(Written::GivenUp);
    }
    let submission = submission.id.clone();
    Err(Error::OtherDigest { submission, generation, kept: digest, new: row.digest })
}

/// Records that the judge failed too often to continue.
pub(crate) async fn give_up(
    connection: &mut AnyConnection,
    submission: &Submission,
    generation: i64,
    now: Timestamp,
) -> Result<(), Error> {
    let [max_points, open_max_points] = on_offer(connection, submission, generation).await?;
    let row = ResultRow {
        submission: submission.id.clone(),
        generation,
        suite: submission.suite.clone(),
        person: submission.person.clone(),
        received_at: submission.received_at,
        state: ResultState::JudgeError,
        points: Points::ZERO,
        adjusted: None,
        max_points,
        open_points: Points::ZERO,
        open_max_points,
        score: 0,
        passed: 0,
        testcases: 0,
        worst: "judge-error".to_owned(),
        verdicts: Verdicts::new(),
        digest: digest(b"judge error"),
        fuel: 0,
        graded_at: now,
        lateness: submission.lateness,
    };
    let row = counting_now(connection, row).await?;
    insert(connection, &row).await?;
    Ok(())
}

/// The points on offer in a suite, and in its open testcases. Zero if its files cannot be read any
/// more, which must not keep a grading from ending.
async fn on_offer(
    connection: &mut AnyConnection,
    submission: &Submission,
    generation: i64,
) -> Result<[Points; 2], Error> {
    let suite = match suites::grading_suite(connection, &submission.suite, generation).await {
        Ok(suite) => suite,
        Err(Error::Suite(_)) => return Ok([Points::ZERO; 2]),
        Err(error) => return Err(error),
    };
    let open = suite.testcases.iter().filter(|testcase| !testcase.hidden);
    Ok([suite.max_points(), open.map(Testcase::counted_points).sum()])
}

/// The row with the present lateness and adjusted points of its submission, which may have changed
/// while it was graded.
async fn counting_now(connection: &mut AnyConnection, new: ResultRow) -> Result<ResultRow, Error> {
    let query = sqlx::query(COUNTING).bind(new.submission.as_str());
    let row = query.fetch_one(connection).await?;
    Ok(ResultRow { lateness: late::lateness(&row)?, adjusted: adjusted(&row)?, ..new })
}

/// The shown result of a submission with the points that count without adjustments, read by that
/// connection.
pub(crate) async fn shown(
    connection: &mut AnyConnection,
    submission: &SubmissionId,
) -> Result<Option<(ResultRow, Points)>, Error> {
    let row = sqlx::query(SHOWN).bind(submission.as_str()).fetch_optional(connection).await?;
    let Some(row) = row else { return Ok(None) };
    let earned = Points::from_thousandths(row.count("earned_points")?);
    let row = result(&row)?;
    let graded = row.lateness.counted(earned);
    Ok(Some((row, graded)))
}

/// The adjusted points in a row of a submission or a result.
fn adjusted(row: &AnyRow) -> Result<Option<Points>, sqlx::Error> {
    let number = row.maybe_number("adjusted")?;
    Ok(number.map(|many| Points::from_thousandths(u64::try_from(many).unwrap_or_default())))
}

/// Adds a row, and ends the leases on its submission; false if the row exists.
async fn insert(connection: &mut AnyConnection, row: &ResultRow) -> Result<bool, Error> {
    let query = sqlx::query(INSERT).bind(row.submission.as_str()).bind(row.generation);
    let query = query.bind(row.suite.as_str()).bind(row.person.as_str());
    let query = query.bind(row.received_at.millis()).bind(row.state.name());
    // The row has the earned points here.
    let counted = |points| number(row.lateness.counted(points).thousandths());
    let adjusted = row.adjusted.map(|points| number(points.thousandths()));
    let query = query.bind(adjusted.unwrap_or_else(|| counted(row.points)));
    let query = query.bind(number(row.max_points.thousandths())).bind(row.score);
    let query = query.bind(number(row.passed)).bind(number(row.testcases)).bind(&row.worst);
    let verdicts = serde_json::to_string(&row.verdicts).expect("words and numbers are JSON");
    let query = query.bind(verdicts).bind(row.digest.to_string());
    let query = query.bind(number(row.fuel)).bind(row.graded_at.millis());
    let query = query.bind(counted(row.open_points));
    let query = query.bind(number(row.open_max_points.thousandths()));
    let query = query.bind(number(row.points.thousandths()));
    let query = query.bind(number(row.open_points.thousandths()));
    let Lateness { days, percent } = row.lateness;
    let query = query.bind(i64::from(days)).bind(i64::from(percent)).bind(adjusted);
    let done = query.execute(&mut *connection).await?;
    let query = sqlx::query(END_ATTEMPTS).bind(row.submission.as_str()).bind(row.generation);
    query.bind(row.graded_at.millis()).execute(&mut *connection).await?;
    let is_new = done.rows_affected() > 0;
    if is_new && row.state != ResultState::JudgeError {
        mail::graded(connection, &row.submission, row.graded_at).await?;
    }
    Ok(is_new)
}

fn of_report(
    submission: &Submission,
    generation: i64,
    bot: &BotReport,
    now: Timestamp,
) -> ResultRow {
    let state = match &bot.refused {
        _ if bot.judge_errors() > 0 => ResultState::JudgeError,
        Some(refused) if refused.blame == Blame::Bot => ResultState::Refused,
        _ => ResultState::Graded,
    };
    let mut verdicts = Verdicts::new();
    for case in &bot.testcases {
        *verdicts.entry(word(&case.verdict)).or_default() += 1;
    }
    let open = open::without_hidden(bot);
    let fuel = bot.testcases.iter().map(|case| case.fuel).fold(0, u64::saturating_add);
    ResultRow {
        submission: submission.id.clone(),
        generation,
        suite: submission.suite.clone(),
        person: submission.person.clone(),
        received_at: submission.received_at,
        state,
        points: bot.points,
        adjusted: None,
        max_points: bot.max_points,
        open_points: open.points,
        open_max_points: open.max_points,
        score: bot.score,
        passed: u64::from(bot.passed),
        testcases: bot.testcases.len() as u64,
        worst: word(&bot.worst_verdict()),
        verdicts,
        digest: bot.digest,
        fuel: fuel.min(MOST_FUEL),
        graded_at: now,
        lateness: submission.lateness,
    }
}

/// The word for a verdict in reports.
fn word(verdict: &judge_core::Verdict) -> String {
    let word = serde_json::to_value(verdict).ok();
    word.and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
}

fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(crate) fn result(row: &AnyRow) -> Result<ResultRow, sqlx::Error> {
    let verdicts = serde_json::from_str(&row.text("verdicts")?);
    Ok(ResultRow {
        submission: row.parsed("submission")?,
        generation: row.number("generation")?,
        suite: row.parsed("suite")?,
        person: row.parsed("person")?,
        received_at: row.time("received_at")?,
        state: row.parsed("state")?,
        points: Points::from_thousandths(row.count("points")?),
        adjusted: adjusted(row)?,
        max_points: Points::from_thousandths(row.count("max_points")?),
        open_points: Points::from_thousandths(row.count("open_points")?),
        open_max_points: Points::from_thousandths(row.count("open_max_points")?),
        score: row.number("score")?,
        passed: row.count("passed")?,
        testcases: row.count("testcases")?,
        worst: row.text("worst")?,
        verdicts: verdicts.map_err(|error| unreadable("verdicts", error))?,
        digest: digest_in(row, "digest")?,
        fuel: row.count("fuel")?,
        graded_at: row.time("graded_at")?,
        lateness: late::lateness(row)?,
    })
}
