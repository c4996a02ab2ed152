//! Submissions. A submission is on the disk with its module before it is acknowledged.

use judge_core::{Digest, Lateness, digest, printable};
use judge_grading::LateRules;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::archive::ChangedPart;
use crate::basics::error::{Error, StoreRefusal};
use crate::basics::id::{PersonId, SubmissionId, SuiteId};
use crate::basics::time::{Timestamp, Zone};
use crate::extensions::DueDates;
use crate::late::{self, late_rules};
use crate::modules;
use crate::names::tidy;
use crate::owner::{self, Owner};
use crate::role::Role;
use crate::row::{Columns as _, unreadable};
use crate::store::Store;
use crate::suites::Counted;

/// Most characters of a file's name.
const LONGEST: usize = 200;

/// A new submission.
#[derive(Debug, Clone)]
pub struct NewSubmission<'a> {
    /// The suite.
    pub suite: &'a SuiteId,
    /// The person who submits.
    pub person: &'a PersonId,
    /// Name in reports.
    pub name: &'a str,
    /// File name given by the browser. It never becomes a path.
    pub file_name: &'a str,
    /// The module.
    pub module: &'a [u8],
    /// The source that the server built it from, if it did.
    pub source: Option<&'a [u8]>,
    /// Most bytes that the different modules and sources of this person may have in total.
    pub stored_at_most: u64,
}

/// A submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// Id.
    pub id: SubmissionId,
    /// The suite.
    pub suite: SuiteId,
    /// The person who submitted it.
    pub person: PersonId,
    /// That person, or the group for which they submitted.
    pub owner: Owner,
    /// SHA-256 of the module.
    pub module: Digest,
    /// SHA-256 of the source that the server built it from; none if the module was submitted.
    pub source: Option<Digest>,
    /// Name in reports.
    pub name: String,
    /// Name of the file.
    pub file_name: String,
    /// When it was received.
    pub received_at: Timestamp,
    /// The suite's generation at that time.
    pub generation: i64,
    /// Its number among its owner's submissions of that day, from one; 0 for staff.
    pub of_day: u32,
    /// When that day ended, by the course's clock.
    pub day_ends_at: Timestamp,
    /// Its lateness.
    pub lateness: Lateness,
}

/// A suite's rules for a person.
struct Terms {
    role: Option<Role>,
    /// The person, or their group in a suite by groups.
    owner: Owner,
    generation: i64,
    opens_at: Option<Timestamp>,
    /// The owner's due date.
    due_at: Option<Timestamp>,
    late: LateRules,
    attempts_per_day: Option<u32>,
    pending_at_most: u32,
    counts: Counted,
    zone: Zone,
}

// Locks the person's row until the submission is stored, so that the second of two at once sees the
// first.
const LOCK: &str = "UPDATE membership SET role = role WHERE person = $2 \
    AND course = (SELECT course FROM suite WHERE id = $1)";
// The same for two members of a group.
const LOCK_GROUP: &str = "UPDATE student_group SET name = name WHERE id = $1";
const TERMS: &str = "SELECT u.*, c.time_zone, m.role, $2 AS person, \
    COALESCE(g.group_id, $2) AS owner FROM suite u JOIN course c ON c.id = u.course \
    LEFT JOIN membership m ON m.course = u.course AND m.person = $2 \
    LEFT JOIN group_member g ON u.by_groups = 1 AND m.role = 'student' \
    AND g.course = u.course AND g.person = $2 AND g.left_at IS NULL WHERE u.id = $1";
const BETWEEN: &str = "SELECT COUNT(*) AS many FROM submission \
    WHERE suite = $1 AND owner = $2 AND received_at >= $3 AND received_at < $4";
const PENDING: &str = "SELECT COUNT(*) AS many FROM submission s \
    WHERE s.suite = $1 AND s.owner = $2 \
    AND NOT EXISTS (SELECT 1 FROM result r WHERE r.submission = s.id)";
// A submission in which the judge failed may be submitted again.
const BEFORE: &str = "SELECT s.* FROM submission s \
    WHERE s.suite = $1 AND s.owner = $2 \
    AND (s.module = $3 OR (s.source = $3 AND LOWER(s.file_name) LIKE $4 ESCAPE '!')) \
    AND NOT EXISTS (SELECT 1 FROM result r WHERE r.submission = s.id AND r.state = 'judge_error' \
    AND r.generation = (SELECT MAX(q.generation) FROM result q WHERE q.submission = s.id)) \
    ORDER BY s.received_at DESC, s.id DESC LIMIT 1";
const NEWEST: &str = "SELECT id FROM submission WHERE suite = $1 AND owner = $2 \
    ORDER BY received_at DESC, id DESC LIMIT 1";
// By the courses that the person is in, to use the index of submissions by suite.
const STORED: &str = "SELECT CAST(COALESCE(SUM(b.size), 0) AS BIGINT) AS many FROM module b \
    WHERE b.hash <> $2 AND b.hash IN (SELECT s.module FROM membership m \
    JOIN suite u ON u.course = m.course JOIN submission s ON s.suite = u.id AND s.person = m.person \
    WHERE m.person = $1 UNION ALL SELECT s.source FROM membership m \
    JOIN suite u ON u.course = m.course JOIN submission s ON s.suite = u.id AND s.person = m.person \
    WHERE m.person = $1)";
const INSERT: &str = "INSERT INTO submission \
    (id, suite, person, module, generation, name, file_name, received_at, of_day, day_ends_at, \
    late_days, late_percent, owner, source) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, \
    $12, $13, $14)";
const READ: &str = "SELECT * FROM submission WHERE id = $1";
const SEEN: &str = "SELECT s.* FROM submission s JOIN suite u ON u.id = s.suite \
    JOIN membership m ON m.course = u.course AND m.person = $2 \
    WHERE s.id = $1 AND (s.owner = $2 OR m.role IN ('assistant', 'instructor') \
    OR EXISTS (SELECT 1 FROM group_member g WHERE g.group_id = s.owner AND g.person = $2 \
    AND (g.left_at IS NULL OR s.received_at < g.left_at)))";
const OF_PERSON: &str = "SELECT * FROM submission WHERE suite = $1 AND owner = $2 \
    UNION ALL SELECT s.* FROM group_member g CROSS JOIN submission s \
    WHERE s.suite = $1 AND s.owner = g.group_id AND g.person = $2 \
    AND (g.left_at IS NULL OR s.received_at < g.left_at) ORDER BY received_at DESC, id DESC";
const OF_SUITE: &str = "SELECT * FROM submission WHERE suite = $1 \
    ORDER BY received_at DESC, id DESC LIMIT $2 OFFSET $3";
const OF_MODULE: &str = "SELECT * FROM submission WHERE module = $1 AND suite = $2 \
    ORDER BY received_at, id";
const COUNT: &str = "SELECT COUNT(*) AS many FROM submission WHERE suite = $1";

impl Store {
    /// Stores a submission. When this returns, it is on the disk and will be graded.
    ///
    /// # Errors
    /// [`Error::Refused`] when the suite's rules forbid it; when the suite does not exist, or the
    /// database fails. Nothing is stored then.
    pub async fn submit(
        &self,
        new: &NewSubmission<'_>,
        now: Timestamp,
    ) -> Result<Submission, Error> {
        let mut transaction = self.change_together(ChangedPart::Suite(new.suite)).await?;
        let query = sqlx::query(LOCK).bind(new.suite.as_str()).bind(new.person.as_str());
        query.execute(&mut *transaction).await?;
        let terms = terms(&mut transaction, new.suite, new.person, now).await?;
        if let Some(group) = terms.owner.group() {
            sqlx::query(LOCK_GROUP).bind(group.as_str()).execute(&mut *transaction).await?;
        }
        terms.check_times(now)?;
        let hash = digest(new.module);
        check_stored(&mut transaction, new, &hash).await?;
        let day = terms.zone.day(now);
        let of_day = match terms.role {
            Some(Role::Student) => {
                let sent = (&hash, new.file_name);
                check_before(&mut transaction, new.suite, &terms, sent).await?;
                check_numbers(&mut transaction, new.suite, &terms, day).await?
            }
            _ => 0,
        };
        let module = modules::keep(&mut transaction, new.module, now).await?;
        let source = match new.source {
            Some(source) => Some(modules::keep(&mut transaction, source, now).await?),
            None => None,
        };
        let submission = Submission {
            id: SubmissionId::random()?,
            suite: new.suite.clone(),
            person: new.person.clone(),
            owner: terms.owner.clone(),
            module,
            source,
            name: tidy("name", new.name)?,
            file_name: printable(new.file_name, LONGEST),
            received_at: now,
            generation: terms.generation,
            of_day,
            day_ends_at: day[1],
            lateness: match terms.role {
                Some(Role::Student) => {
                    terms.late.lateness(terms.due_at.map(Timestamp::millis), now.millis())
                }
                _ => Lateness::ON_TIME,
            },
        };
        insert(&mut transaction, &submission).await?;
        transaction.commit().await?;
        Ok(submission)
    }

    /// Checks the suite's rules for a source that is still to be built: times, earlier submissions,
    /// attempts of the day, and waiting submissions. [`Store::submit`] checks them again.
    ///
    /// # Errors
    /// As [`Store::submit`].
    pub async fn may_submit(
        &self,
        suite: &SuiteId,
        person: &PersonId,
        (source, file_name): (&Digest, &str),
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut connection = self.pool.acquire().await?;
        let terms = terms(&mut connection, suite, person, now).await?;
        terms.check_times(now)?;
        if terms.role == Some(Role::Student) {
            check_before(&mut connection, suite, &terms, (source, file_name)).await?;
            let day = terms.zone.day(now);
            check_numbers(&mut connection, suite, &terms, day).await?;
        }
        Ok(())
    }

    /// A person's due date on a suite: the latest one of their group in a suite by groups.
    ///
    /// # Errors
    /// When the suite does not exist, or the database fails.
    pub async fn due_of(
        &self,
        suite: &SuiteId,
        person: &PersonId,
        now: Timestamp,
    ) -> Result<Option<Timestamp>, Error> {
        let mut connection = self.pool.acquire().await?;
        Ok(terms(&mut connection, suite, person, now).await?.due_at)
    }

    /// A person's remaining attempts for today, shared with their group in a suite by groups; none
    /// if any number is allowed.
    ///
    /// # Errors
    /// When the suite does not exist, or the database fails.
    pub async fn attempts_left(
        &self,
        suite: &SuiteId,
        person: &PersonId,
        now: Timestamp,
    ) -> Result<Option<u32>, Error> {
        let mut connection = self.pool.acquire().await?;
        let terms = terms(&mut connection, suite, person, now).await?;
        let Some(allowed) = terms.attempts_per_day else { return Ok(None) };
        let used = between(&mut connection, suite, &terms.owner, terms.zone.day(now)).await?;
        let used = u32::try_from(used).unwrap_or(u32::MAX);
        Ok(Some(allowed.saturating_sub(used)))
    }

    /// A submission by its id.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn submission(&self, id: &SubmissionId) -> Result<Option<Submission>, Error> {
        let row = sqlx::query(READ).bind(id.as_str()).fetch_optional(&self.pool).await?;
        Ok(row.as_ref().map(submission).transpose()?)
    }

    /// A submission that a person may see: their own, one of their group (if they left it, from
    /// before then), or one of a course in which they are staff. One statement answers both questions, so that the existence of another's submission is not
    /// revealed.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn submission_seen_by(
        &self,
        id: &SubmissionId,
        person: &PersonId,
    ) -> Result<Option<Submission>, Error> {
        seen(&mut *self.pool.acquire().await?, id, person).await
    }

    /// A person's submissions to a suite and those of their groups, the newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn submissions_of(
        &self,
        suite: &SuiteId,
        person: &PersonId,
    ) -> Result<Vec<Submission>, Error> {
        let query = sqlx::query(OF_PERSON).bind(suite.as_str()).bind(person.as_str());
        let rows = query.fetch_all(&self.pool).await?;
        Ok(rows.iter().map(submission).collect::<Result<_, _>>()?)
    }

    /// The submissions to a suite, the newest first: `most` of them after `skipped` others.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn submissions_to(
        &self,
        suite: &SuiteId,
        skipped: u32,
        most: u32,
    ) -> Result<Vec<Submission>, Error> {
        let query = sqlx::query(OF_SUITE).bind(suite.as_str());
        let query = query.bind(i64::from(most)).bind(i64::from(skipped));
        let rows = query.fetch_all(&self.pool).await?;
        Ok(rows.iter().map(submission).collect::<Result<_, _>>()?)
    }

    /// Number of submissions to a suite.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn submission_count(&self, suite: &SuiteId) -> Result<u64, Error> {
        let row = sqlx::query(COUNT).bind(suite.as_str()).fetch_one(&self.pool).await?;
        Ok(row.count("many")?)
    }

    /// The submissions of one module to a suite, the oldest first: more than one are duplicates.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn submissions_of_module(
        &self,
        suite: &SuiteId,
        module: &Digest,
    ) -> Result<Vec<Submission>, Error> {
        let query = sqlx::query(OF_MODULE).bind(module.to_string()).bind(suite.as_str());
        let rows = query.fetch_all(&self.pool).await?;
        Ok(rows.iter().map(submission).collect::<Result<_, _>>()?)
    }
}

/// A submission that a person may see, read by that connection.
pub(crate) async fn seen(
    connection: &mut AnyConnection,
    id: &SubmissionId,
    person: &PersonId,
) -> Result<Option<Submission>, Error> {
    let query = sqlx::query(SEEN).bind(id.as_str()).bind(person.as_str());
    let row = query.fetch_optional(connection).await?;
    Ok(row.as_ref().map(submission).transpose()?)
}

impl Terms {
    /// Checks that the person may submit at this moment.
    fn check_times(&self, now: Timestamp) -> Result<(), StoreRefusal> {
        match self.role {
            None | Some(Role::Observer) => return Err(StoreRefusal::NotAMember),
            Some(Role::Assistant | Role::Instructor) => return Ok(()),
            Some(Role::Student) => {}
        }
        if let Some(opens_at) = self.opens_at.filter(|opens_at| now < *opens_at) {
            return Err(StoreRefusal::NotOpenYet { opens_at });
        }
        let end = |due: &Timestamp| self.late.last_accepted(due.millis());
        let is_over = |due: &Timestamp| end(due).is_some_and(|end| now.millis() > end);
        match self.due_at.filter(is_over) {
            Some(due_at) => Err(StoreRefusal::PastDue { due_at }),
            None => Ok(()),
        }
    }
}

/// Checks the day's attempts and the waiting submissions against the limits, and returns the new
/// one's number within the day.
async fn check_numbers(
    connection: &mut AnyConnection,
    suite: &SuiteId,
    terms: &Terms,
    day: [Timestamp; 2],
) -> Result<u32, Error> {
    let used = between(connection, suite, &terms.owner, day).await?;
    let used = u32::try_from(used).unwrap_or(u32::MAX);
    if let Some(allowed) = terms.attempts_per_day.filter(|allowed| used >= *allowed) {
        return Err(StoreRefusal::TooManyToday { allowed, next: day[1] }.into());
    }
    let query = sqlx::query(PENDING).bind(suite.as_str()).bind(terms.owner.as_str());
    let pending = query.fetch_one(connection).await?.number("many")?;
    let allowed = terms.pending_at_most;
    if pending >= i64::from(allowed) {
        return Err(StoreRefusal::TooManyPending { allowed }.into());
    }
    Ok(used.saturating_add(1))
}

/// Checks that the student or the group has not submitted the module, or the source in that language,
/// before. If the latest submission counts, an older module may be submitted again, to become the
/// latest.
async fn check_before(
    connection: &mut AnyConnection,
    suite: &SuiteId,
    terms: &Terms,
    (hash, file_name): (&Digest, &str),
) -> Result<(), Error> {
    let owner = terms.owner.as_str();
    let both = |sql| sqlx::query(sql).bind(suite.to_string()).bind(owner.to_owned());
    // The same text is another source in another language.
    let ending = file_name.rsplit('.').next().unwrap_or_default().to_lowercase();
    let ending: String = ending.chars().filter(char::is_ascii_alphanumeric).collect();
    let query = both(BEFORE).bind(hash.to_string()).bind(format!("%.{ending}"));
    let row = query.fetch_optional(&mut *connection).await?;
    let Some(before) = row.as_ref().map(submission).transpose()? else { return Ok(()) };
    if terms.counts == Counted::Latest {
        let newest = both(NEWEST).fetch_one(connection).await?.text("id")?;
        if newest != before.id.as_str() {
            return Ok(());
        }
    }
    let Submission { id, received_at, .. } = before;
    Err(StoreRefusal::SubmittedBefore { submission: id, received_at }.into())
}

/// Checks that the person's modules and sources do not take too much space.
async fn check_stored(
    connection: &mut AnyConnection,
    new: &NewSubmission<'_>,
    hash: &Digest,
) -> Result<(), Error> {
    let query = sqlx::query(STORED).bind(new.person.as_str()).bind(hash.to_string());
    let others: u64 = query.fetch_one(connection).await?.count("many")?;
    let size = (new.module.len() + new.source.map_or(0, <[u8]>::len)) as u64;
    let allowed = new.stored_at_most;
    match others.saturating_add(size) > allowed {
        true => Err(StoreRefusal::TooMuchStored { allowed }.into()),
        false => Ok(()),
    }
}

/// Number of an owner's submissions from one moment until just before another.
async fn between(
    connection: &mut AnyConnection,
    suite: &SuiteId,
    owner: &Owner,
    [begin, end]: [Timestamp; 2],
) -> Result<i64, Error> {
    let query = sqlx::query(BETWEEN).bind(suite.as_str()).bind(owner.as_str());
    let query = query.bind(begin.millis()).bind(end.millis());
    Ok(query.fetch_one(connection).await?.number("many")?)
}

/// Stores a submission of a stored module.
pub(crate) async fn insert(
    connection: &mut AnyConnection,
    submission: &Submission,
) -> Result<(), Error> {
    let query = sqlx::query(INSERT).bind(submission.id.as_str()).bind(submission.suite.as_str());
    let query = query.bind(submission.person.as_str()).bind(submission.module.to_string());
    let query = query.bind(submission.generation).bind(&submission.name);
    let query = query.bind(&submission.file_name).bind(submission.received_at.millis());
    let query = query.bind(i64::from(submission.of_day)).bind(submission.day_ends_at.millis());
    let Lateness { days, percent } = submission.lateness;
    let query = query.bind(i64::from(days)).bind(i64::from(percent));
    let source = submission.source.map(|source| source.to_string());
    query.bind(submission.owner.as_str()).bind(source).execute(connection).await?;
    Ok(())
}

async fn terms(
    connection: &mut AnyConnection,
    suite: &SuiteId,
    person: &PersonId,
    now: Timestamp,
) -> Result<Terms, Error> {
    let query = sqlx::query(TERMS).bind(suite.as_str()).bind(person.as_str());
    let row = query.fetch_optional(&mut *connection).await?;
    let missing = || Error::Missing { what: "suite", value: suite.to_string() };
    let row = &row.ok_or_else(missing)?;
    let owner = owner::owner(row)?;
    let dates = DueDates::load(connection, suite, row.maybe_time("due_at")?).await?;
    let small = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
    Ok(Terms {
        role: row.maybe_parsed("role")?,
        generation: row.number("generation")?,
        opens_at: row.maybe_time("opens_at")?,
        due_at: dates.for_owner(&owner, now),
        owner,
        late: late_rules(row)?,
        attempts_per_day: row.maybe_number("attempts_per_day")?.map(small),
        pending_at_most: small(row.number("pending_at_most")?),
        counts: row.parsed("counts")?,
        zone: Zone::new(&row.text("time_zone")?)?,
    })
}

pub(crate) fn submission(row: &AnyRow) -> Result<Submission, sqlx::Error> {
    Ok(Submission {
        id: row.parsed("id")?,
        suite: row.parsed("suite")?,
        person: row.parsed("person")?,
        owner: owner::owner(row)?,
        module: digest_in(row, "module")?,
        source: maybe_digest_in(row, "source")?,
        name: row.text("name")?,
        file_name: row.text("file_name")?,
        received_at: row.time("received_at")?,
        generation: row.number("generation")?,
        of_day: u32::try_from(row.number("of_day")?).unwrap_or(u32::MAX),
        day_ends_at: row.time("day_ends_at")?,
        lateness: late::lateness(row)?,
    })
}

/// A hash in a column, if there is one.
fn maybe_digest_in(row: &AnyRow, column: &str) -> Result<Option<Digest>, sqlx::Error> {
    let text = row.maybe_text(column)?;
    text.map(|text| Digest::try_from(text).map_err(|error| unreadable(column, error))).transpose()
}

/// A hash in a column.
pub(crate) fn digest_in(row: &AnyRow, column: &str) -> Result<Digest, sqlx::Error> {
    Digest::try_from(row.text(column)?).map_err(|error| unreadable(column, error))
}
