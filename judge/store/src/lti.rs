//! Courses of campus systems (*platforms*) that are connected with courses here, the people who come
//! from there, and the marks that were sent there.

use std::collections::BTreeMap;

use sqlx::any::AnyRow;

use crate::account_events::{AccountEventKind, Note, note};
use crate::archive::ChangedPart;
use crate::audit::{About, Act};
use crate::basics::access_refusal::AccessRefusal;
use crate::basics::error::Error;
use crate::basics::id::{CourseId, PersonId, SuiteId, TokenId};
use crate::basics::time::Timestamp;
use crate::names::tidy;
use crate::people::{self, Joining, Listed, NewPerson};
use crate::rights::{self, KeptAccess};
use crate::role::Role;
use crate::row::Columns as _;
use crate::store::{Store, is_taken};

const KEY: &str = "SELECT pem FROM lti_key";
const KEEP_KEY: &str = "INSERT INTO lti_key (id, pem) VALUES (1, $1) ON CONFLICT (id) DO NOTHING";
const COURSE: &str = "SELECT course FROM lti_course \
    WHERE platform = $1 AND deployment = $2 AND context = $3";
const COURSES: &str = "SELECT * FROM lti_course WHERE course = $1 ORDER BY connected_at, title";
const CONNECT: &str = "INSERT INTO lti_course \
    (platform, deployment, context, course, title, members_url, connected_by, connected_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
const SEE_AGAIN: &str = "UPDATE lti_course SET members_url = $4 \
    WHERE platform = $1 AND deployment = $2 AND context = $3 \
    AND (members_url IS NULL OR members_url <> $4)";
const DISCONNECT: [&str; 3] = [
    "DELETE FROM lti_mark WHERE EXISTS (SELECT 1 FROM lti_column c WHERE c.suite = lti_mark.suite \
     AND c.platform = lti_mark.platform AND c.line_item = lti_mark.line_item \
     AND c.platform = $1 AND c.deployment = $2 AND c.context = $3) AND suite IN \
     (SELECT id FROM suite WHERE course = $4)",
    "DELETE FROM lti_column WHERE platform = $1 AND deployment = $2 AND context = $3 \
     AND suite IN (SELECT id FROM suite WHERE course = $4)",
    "DELETE FROM lti_course WHERE platform = $1 AND deployment = $2 AND context = $3 \
     AND course = $4",
];
const ADD_COLUMN: &str = "INSERT INTO lti_column (suite, platform, deployment, context, line_item) \
    SELECT u.id, l.platform, l.deployment, l.context, $5 FROM suite u \
    JOIN lti_course l ON l.course = u.course \
    WHERE u.id = $1 AND l.platform = $2 AND l.deployment = $3 AND l.context = $4 \
    ON CONFLICT (suite, platform, line_item) DO NOTHING";
const COLUMNS: &str = "SELECT c.platform, c.line_item, l.title FROM lti_column c \
    JOIN lti_course l ON l.platform = c.platform AND l.deployment = c.deployment \
    AND l.context = c.context WHERE c.suite = $1 ORDER BY l.title, c.line_item";
const SUBJECTS: &str = "SELECT i.person, i.subject FROM identity i \
    JOIN membership m ON m.person = i.person AND m.course = $1 WHERE i.issuer = $2";
const MARKS: &str = "SELECT person, subject, points, max_points FROM lti_mark \
    WHERE suite = $1 AND platform = $2 AND line_item = $3";
const NOTE_MARK: &str = "INSERT INTO lti_mark \
    (suite, platform, line_item, person, subject, points, max_points, sent_at) \
    SELECT suite, platform, line_item, $4, $5, $6, $7, $8 FROM lti_column \
    WHERE suite = $1 AND platform = $2 AND line_item = $3 \
    ON CONFLICT (suite, platform, line_item, person) DO UPDATE SET \
    subject = excluded.subject, points = excluded.points, max_points = excluded.max_points, \
    sent_at = excluded.sent_at";
const WAS_HERE: &str = "SELECT 1 FROM lti_member m WHERE m.course = $1 AND m.platform = $2 \
    AND m.subject = $3 UNION ALL SELECT 1 FROM former_member f JOIN identity i \
    ON i.person = f.person WHERE f.course = $1 AND i.issuer = $2 AND i.subject = $3 LIMIT 1";
const NOTE_MEMBER: &str = "INSERT INTO lti_member (course, platform, subject, person) \
    VALUES ($1, $2, $3, $4) ON CONFLICT (course, platform, subject) \
    DO UPDATE SET person = excluded.person";
const FORMER: &str = "SELECT 1 FROM former_member WHERE course = $1 AND person = $2";
const IDENTIFY: &str = "INSERT INTO identity \
    (issuer, subject, person, linked_at, proven, invitation) VALUES ($1, $2, $3, $4, $5, NULL)";

/// A course of a platform, by its ids there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LtiContext<'a> {
    /// The platform.
    pub platform: &'a str,
    /// The deployment.
    pub deployment: &'a str,
    /// The course there.
    pub context: &'a str,
}

/// A course of a platform that is connected with a course here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LtiCourse {
    /// The platform.
    pub platform: String,
    /// The deployment.
    pub deployment: String,
    /// Id of the course there.
    pub context: String,
    /// Title of the course there.
    pub title: String,
    /// Address of its list of members, if the platform gives it.
    pub members_url: Option<String>,
}

/// A column of a gradebook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LtiColumn {
    /// The platform.
    pub platform: String,
    /// Address of the column.
    pub line_item: String,
    /// Title of the course there.
    pub title: String,
}

/// The mark that a column has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LtiMark {
    /// Id of the person at the platform.
    pub subject: String,
    /// Points, in thousandths.
    pub points: u64,
    /// Points on offer, in thousandths.
    pub max_points: u64,
}

/// A person who comes from a platform to a course.
#[derive(Debug, Clone)]
pub struct Arriving<'a> {
    /// The role if they are new in the course.
    pub role: Role,
    /// Name and number at the platform.
    pub listed: Listed,
    /// The platform, and the person's id there. This access does not end.
    pub identity: (&'a str, &'a str),
    /// Their session here, if they have one in the same browser.
    pub session: Option<&'a TokenId>,
}

/// The result of an arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// They were a member, and keep their role.
    Member,
    /// They became a member.
    Joined,
    /// They were a member and were removed, so they stay out.
    Removed,
}

impl Store {
    /// The private key at platforms, as PEM, if there is one.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn lti_key(&self) -> Result<Option<String>, Error> {
        let row = sqlx::query(KEY).fetch_optional(&self.pool).await?;
        Ok(row.map(|row| row.text("pem")).transpose()?)
    }

    /// Keeps a private key at platforms, unless there is one.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn keep_lti_key(&self, pem: &str) -> Result<(), Error> {
        sqlx::query(KEEP_KEY).bind(pem.to_owned()).execute(&self.pool).await?;
        Ok(())
    }

    /// The course here that a platform's course is connected with.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn lti_course(&self, from: LtiContext<'_>) -> Result<Option<CourseId>, Error> {
        let row = bound(COURSE, from).fetch_optional(&self.pool).await?;
        Ok(row.map(|row| row.parsed("course")).transpose()?)
    }

    /// The courses of platforms that a course is connected with.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn lti_courses(&self, course: &CourseId) -> Result<Vec<LtiCourse>, Error> {
        let rows = sqlx::query(COURSES).bind(course.as_str()).fetch_all(&self.pool).await?;
        let read = |row: &AnyRow| {
            Ok(LtiCourse {
                platform: row.text("platform")?,
                deployment: row.text("deployment")?,
                context: row.text("context")?,
                title: row.text("title")?,
                members_url: row.maybe_text("members_url")?,
            })
        };
        Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
    }

    /// Connects a platform's course with a course here, in the name of its instructor `by`.
    ///
    /// # Errors
    /// [`AccessRefusal::NotAnInstructor`] if `by` is not one, [`Error::Taken`] if the platform's
    /// course is connected already, [`Error::Archived`]; when the database fails.
    pub async fn connect_lti(
        &self,
        course: &CourseId,
        new: &LtiCourse,
        by: &PersonId,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut transaction = self.change(ChangedPart::Course(course)).await?;
        if rights::role(&mut transaction, course, by).await? != Some(Role::Instructor) {
            return Err(AccessRefusal::NotAnInstructor.into());
        }
        let title = tidy("title", &new.title)?;
        let query = bound(CONNECT, new.as_context()).bind(course.to_string()).bind(title.clone());
        let query = query.bind(new.members_url.clone()).bind(by.to_string()).bind(now.millis());
        people::taken(query.execute(&mut *transaction).await, "course", &title)?;
        let about = About::Course(course);
        self.log(&mut transaction, Act::LtiConnected, about, (None, &title)).await?;
        Ok(transaction.commit().await?)
    }

    /// Ends the connection of a platform's course with a course here, and forgets its columns and
    /// the marks that were sent; false if there was none. Members stay.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn disconnect_lti(
        &self,
        course: &CourseId,
        from: LtiContext<'_>,
    ) -> Result<bool, Error> {
        let mut transaction = self.change(ChangedPart::Course(course)).await?;
        let mut is_ended = false;
        for sql in DISCONNECT {
            let query = bound(sql, from).bind(course.to_string());
            is_ended = query.execute(&mut *transaction).await?.rows_affected() > 0;
        }
        if is_ended {
            let about = About::Course(course);
            self.log(&mut transaction, Act::LtiDisconnected, about, (None, "")).await?;
        }
        transaction.commit().await?;
        Ok(is_ended)
    }

    /// Notes the present address of the list of members of a platform's course.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn note_lti_members(&self, from: LtiContext<'_>, url: &str) -> Result<(), Error> {
        bound(SEE_AGAIN, from).bind(url.to_owned()).execute(&self.pool).await?;
        Ok(())
    }

    /// Adds a person who comes from a platform, with their identity there, and without a course.
    /// `is_proven` is true if the platform verifies addresses.
    ///
    /// # Errors
    /// [`AccessRefusal::LinkedAlready`] if the identity has an account; [`Error::Taken`] if the
    /// address has; when the database fails.
    pub async fn add_lti_person(
        &self,
        new: &NewPerson,
        (platform, subject): (&str, &str),
        is_proven: bool,
        now: Timestamp,
    ) -> Result<PersonId, Error> {
        let mut transaction = self.begin().await?;
        let person = people::insert_person(&mut transaction, new, now).await?.id;
        let query = sqlx::query(IDENTIFY).bind(platform.to_owned()).bind(subject.to_owned());
        let query = query.bind(person.to_string()).bind(now.millis()).bind(i64::from(is_proven));
        match query.execute(&mut *transaction).await {
            Ok(_) => {}
            Err(error) if is_taken(&error) => return Err(AccessRefusal::LinkedAlready.into()),
            Err(error) => return Err(error.into()),
        }
        let event = Note::new(AccountEventKind::IdentityLinked);
        note(&mut transaction, &person, event, now).await?;
        transaction.commit().await?;
        Ok(person)
    }

    /// Makes a person who came by an identity at a platform a member of the connected course. Members
    /// keep their role, and removed people stay out. The number is left out if another member has it.
    ///
    /// # Errors
    /// [`Error::Archived`]; when the database fails.
    pub async fn arrive(
        &self,
        (course, person): (&CourseId, &PersonId),
        arriving: Arriving<'_>,
        now: Timestamp,
    ) -> Result<Arrival, Error> {
        let Arriving { role, listed, identity, session } = arriving;
        let mut transaction = self.change(ChangedPart::Course(course)).await?;
        let (platform, subject) = identity;
        let here = |sql| {
            let query = sqlx::query(sql).bind(course.to_string()).bind(platform.to_owned());
            query.bind(subject.to_owned())
        };
        if rights::role(&mut transaction, course, person).await?.is_some() {
            here(NOTE_MEMBER).bind(person.to_string()).execute(&mut *transaction).await?;
            transaction.commit().await?;
            return Ok(Arrival::Member);
        }
        let query = sqlx::query(FORMER).bind(course.as_str()).bind(person.as_str());
        let is_former = query.fetch_optional(&mut *transaction).await?.is_some();
        // The person may have ended the link, and have another account now.
        if is_former || here(WAS_HERE).fetch_optional(&mut *transaction).await?.is_some() {
            return Ok(Arrival::Removed);
        }
        let number = listed.number.as_deref();
        let known = people::refuse_known_number(&mut transaction, course, person, number).await;
        let number = match known {
            Ok(()) => listed.number,
            Err(Error::Taken { .. }) => None,
            Err(error) => return Err(error),
        };
        let listed = Some(Listed { name: tidy("name", &listed.name)?, number });
        let keep = KeptAccess { session, identity: Some(identity) };
        let joining = Joining { listed, keep, ..Joining::new(course, person, role) };
        people::join(&mut transaction, joining, now).await?;
        here(NOTE_MEMBER).bind(person.to_string()).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(Arrival::Joined)
    }

    /// True if a person of a platform was in a course here, with any account.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn was_in_course(
        &self,
        course: &CourseId,
        (platform, subject): (&str, &str),
    ) -> Result<bool, Error> {
        let query = sqlx::query(WAS_HERE).bind(course.as_str()).bind(platform.to_owned());
        let row = query.bind(subject.to_owned()).fetch_optional(&self.pool).await?;
        Ok(row.is_some())
    }

    /// Notes that a suite's marks can be sent to a column of a gradebook. Nothing happens unless the
    /// platform's course is connected with the suite's.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn add_lti_column(
        &self,
        suite: &SuiteId,
        from: LtiContext<'_>,
        line_item: &str,
    ) -> Result<(), Error> {
        let mut transaction = self.change(ChangedPart::Suite(suite)).await?;
        let LtiContext { platform, deployment, context } = from;
        let query = sqlx::query(ADD_COLUMN).bind(suite.to_string()).bind(platform.to_owned());
        let query = query.bind(deployment.to_owned()).bind(context.to_owned());
        query.bind(line_item.to_owned()).execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// The columns of gradebooks to which a suite's marks can be sent.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn lti_columns(&self, suite: &SuiteId) -> Result<Vec<LtiColumn>, Error> {
        let rows = sqlx::query(COLUMNS).bind(suite.as_str()).fetch_all(&self.pool).await?;
        let read = |row: &AnyRow| {
            let (platform, line_item) = (row.text("platform")?, row.text("line_item")?);
            Ok(LtiColumn { platform, line_item, title: row.text("title")? })
        };
        Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
    }

    /// The ids at a platform of a course's members.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn lti_subjects(
        &self,
        course: &CourseId,
        platform: &str,
    ) -> Result<BTreeMap<PersonId, String>, Error> {
        let query = sqlx::query(SUBJECTS).bind(course.as_str()).bind(platform.to_owned());
        let rows = query.fetch_all(&self.pool).await?;
        let read = |row: &AnyRow| Ok((row.parsed("person")?, row.text("subject")?));
        Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
    }

    /// The marks that a column has, by person.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn lti_marks(
        &self,
        suite: &SuiteId,
        column: &LtiColumn,
    ) -> Result<BTreeMap<PersonId, LtiMark>, Error> {
        let query = sqlx::query(MARKS).bind(suite.as_str()).bind(column.platform.clone());
        let rows = query.bind(column.line_item.clone()).fetch_all(&self.pool).await?;
        let read = |row: &AnyRow| {
            let (points, max_points) = (row.count("points")?, row.count("max_points")?);
            let mark = LtiMark { subject: row.text("subject")?, points, max_points };
            Ok((row.parsed("person")?, mark))
        };
        Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
    }

    /// Notes that a column has a person's mark.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn note_lti_mark(
        &self,
        suite: &SuiteId,
        column: &LtiColumn,
        (person, mark): (&PersonId, &LtiMark),
        now: Timestamp,
    ) -> Result<(), Error> {
        let number = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
        let query = sqlx::query(NOTE_MARK).bind(suite.as_str()).bind(column.platform.clone());
        let query = query.bind(column.line_item.clone()).bind(person.as_str());
        let query = query.bind(mark.subject.clone()).bind(number(mark.points));
        let query = query.bind(number(mark.max_points)).bind(now.millis());
        query.execute(&self.pool).await?;
        Ok(())
    }

    /// Logs that people were added from a list of members.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn log_lti_members(&self, course: &CourseId, many: usize) -> Result<(), Error> {
        let mut transaction = self.begin().await?;
        let about = About::Course(course);
        self.log(&mut transaction, Act::LtiMembers, about, (None, &many.to_string())).await?;
        Ok(transaction.commit().await?)
    }

    /// Logs that marks of a suite were sent to a gradebook.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn log_marks_sent(&self, suite: &SuiteId, many: usize) -> Result<(), Error> {
        let mut transaction = self.begin().await?;
        let about = About::Suite(suite);
        self.log(&mut transaction, Act::MarksSent, about, (None, &many.to_string())).await?;
        Ok(transaction.commit().await?)
    }
}

impl LtiCourse {
    /// Its ids at the platform.
    pub fn as_context(&self) -> LtiContext<'_> {
        let LtiCourse { platform, deployment, context, .. } = self;
        LtiContext { platform, deployment, context }
    }
}

type Query = sqlx::query::Query<'static, sqlx::Any, sqlx::any::AnyArguments>;

/// A query with the ids of a platform's course as its first three values.
fn bound(sql: &'static str, from: LtiContext<'_>) -> Query {
    let LtiContext { platform, deployment, context } = from;
    sqlx::query(sql).bind(platform.to_owned()).bind(deployment.to_owned()).bind(context.to_owned())
}
