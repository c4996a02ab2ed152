//! People, courses, and memberships.

use judge_core::{printable, steers};
use judge_runner::base::names::{composed, folded};
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::account_events::{AccountEventKind, Note, note};
use crate::archive::{self, ChangedPart};
use crate::audit::{About, Act};
use crate::basics::error::Error;
use crate::basics::id::{CourseId, PersonId, TokenId};
use crate::basics::time::{Timestamp, Zone};
use crate::names::{self, LONGEST, tidy};
use crate::quitting;
use crate::rights::{self, KeptAccess};
use crate::role::Role;
use crate::row::Columns as _;
use crate::store::{Store, is_taken};

/// A person with an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Id.
    pub id: PersonId,
    /// Real name.
    pub name: String,
    /// E-mail address in lower case, unique.
    pub address: Option<String>,
    /// Number at the school.
    pub number: Option<String>,
    /// Language of pages: `en`.
    pub language: Option<String>,
    /// True if they may create courses.
    pub is_administrator: bool,
    /// When it was created.
    pub created_at: Timestamp,
}

/// A new person.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewPerson {
    /// Real name.
    pub name: String,
    /// E-mail address.
    pub address: Option<String>,
    /// Number at the school.
    pub number: Option<String>,
    /// True if they may create courses.
    pub is_administrator: bool,
}

/// True if a text has the form of an e-mail address. Only a sent message could prove that it
/// exists.
pub fn is_address(text: &str) -> bool {
    let is_odd =
        |letter: char| letter.is_whitespace() || steers(letter) || "\"<>;,".contains(letter);
    let both = text.split_once('@').filter(|_| !text.contains(is_odd));
    both.is_some_and(|(one, other)| !one.is_empty() && !other.is_empty() && !other.contains('@'))
}

/// True if a text is an address, and not another one by its normal form and in lower case, as with
/// the Kelvin sign, which is the letter k there. Only such an address of an issuer can be that of an
/// account.
pub fn has_one_form(address: &str) -> bool {
    let is_plain = |c: char| c.is_ascii() || !c.to_lowercase().any(|lower| lower.is_ascii());
    is_address(address) && composed(address) == address && address.chars().all(is_plain)
}

/// A course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Course {
    /// Id.
    pub id: CourseId,
    /// Short name for URLs.
    pub slug: String,
    /// One line for people.
    pub title: String,
    /// IANA name of the time zone, by which days begin.
    pub time_zone: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// Name of the operator's webhook that is notified of its gradings.
    pub webhook: Option<String>,
    /// When it became read-only; none for a course that can be changed.
    pub archived_at: Option<Timestamp>,
}

impl Course {
    /// True if it can be read, and not changed.
    pub fn is_archived(&self) -> bool {
        self.archived_at.is_some()
    }

    /// The time zone.
    ///
    /// # Errors
    /// When the system no longer knows it.
    pub fn zone(&self) -> Result<Zone, Error> {
        Zone::new(&self.time_zone)
    }
}

/// A new course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCourse {
    /// Short name for URLs: lower-case letters, digits and hyphens.
    pub slug: String,
    /// One line for people.
    pub title: String,
    /// IANA name of the time zone.
    pub time_zone: String,
}

/// A member of a course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The course.
    pub course: CourseId,
    /// The person.
    pub person: PersonId,
    /// Real name by the list of the course.
    pub name: String,
    /// E-mail address.
    pub address: Option<String>,
    /// Number at the school by the list of the course.
    pub number: Option<String>,
    /// The role.
    pub role: Role,
    /// Name on the scoreboard, unique in the course.
    pub pseudonym: String,
    /// True if the scoreboard shows the real name to all members.
    pub shows_real_name: bool,
    /// When they joined the course.
    pub joined_at: Timestamp,
}

const INSERT_PERSON: &str = "INSERT INTO person \
    (id, name, folded_name, address, number, administrator, created_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7)";
const PERSON: &str = "SELECT * FROM person WHERE id = $1";
const PERSON_BY_ADDRESS: &str = "SELECT * FROM person WHERE address = $1";
// `!` escapes the wildcards of a typed text.
const LIKE: &str = "SELECT * FROM person WHERE folded_name LIKE $1 ESCAPE '!' \
    OR address LIKE $1 ESCAPE '!' ORDER BY folded_name, id LIMIT $2";
const ANYBODY: &str = "SELECT id FROM person LIMIT 1";
const PERSON_IN: &str = "SELECT p.id, p.address, p.language, p.administrator, p.created_at, \
    COALESCE(m.name, f.name, p.name) AS name, \
    CASE WHEN m.name IS NOT NULL THEN m.number WHEN f.name IS NOT NULL THEN f.number \
    ELSE p.number END AS number \
    FROM person p LEFT JOIN membership m ON m.person = p.id AND m.course = $1 \
    LEFT JOIN former_member f ON f.person = p.id AND f.course = $1 WHERE p.id = $2";
const SET_LANGUAGE: &str = "UPDATE person SET language = $2 WHERE id = $1";
const INSERT_COURSE: &str = "INSERT INTO course (id, slug, title, time_zone, created_at) \
    VALUES ($1, $2, $3, $4, $5)";
const COURSE: &str = "SELECT * FROM course WHERE id = $1";
const COURSE_BY_SLUG: &str = "SELECT * FROM course WHERE slug = $1";
// A change that gives more rights ends sessions in the same transaction: with the role, the session
// is read again.
const COURSE_SEEN: &str = "SELECT c.*, m.role FROM course c \
    JOIN token t ON t.id = $2 AND t.revoked_at IS NULL \
    JOIN membership m ON m.course = c.id AND m.person = t.person WHERE c.slug = $1";
const COURSE_SEEN_BY_ID: &str = "SELECT c.*, m.role FROM course c \
    JOIN token t ON t.id = $2 AND t.revoked_at IS NULL \
    JOIN membership m ON m.course = c.id AND m.person = t.person WHERE c.id = $1";
const COURSES: &str = "SELECT * FROM course \
    ORDER BY CASE WHEN archived_at IS NULL THEN 0 ELSE 1 END, created_at, id";
const SET_COURSE: &str = "UPDATE course SET title = $2, time_zone = $3 WHERE id = $1";
const SET_WEBHOOK: &str = "UPDATE course SET webhook = $2 WHERE id = $1";
const COURSES_OF: &str = "SELECT c.*, m.role FROM course c JOIN membership m ON m.course = c.id \
    WHERE m.person = $1 \
    ORDER BY CASE WHEN c.archived_at IS NULL THEN 0 ELSE 1 END, c.created_at, c.id";
const JOIN: &str = "INSERT INTO membership \
    (course, person, role, pseudonym, folded_pseudonym, shows_real_name, joined_at, \
    name, folded_name, number) VALUES ($1, $2, $3, $4, $5, 0, $6, $7, $8, $9) \
    ON CONFLICT (course, person) DO UPDATE SET role = excluded.role";
const NUMBERS: &str = "SELECT number FROM membership \
    WHERE course = $1 AND person <> $2 AND number IS NOT NULL";
const MEMBERS: &str = "SELECT m.*, p.address \
    FROM membership m JOIN person p ON p.id = m.person \
    WHERE m.course = $1 ORDER BY m.joined_at, m.person";
const MEMBER: &str = "SELECT m.*, p.address \
    FROM membership m JOIN person p ON p.id = m.person WHERE m.course = $1 AND m.person = $2";

impl Store {
    /// Adds a person.
    ///
    /// # Errors
    /// When the address is taken, or the database fails.
    pub async fn add_person(&self, new: &NewPerson, now: Timestamp) -> Result<Person, Error> {
        insert_person(&mut *self.pool.acquire().await?, new, now).await
    }

    /// A person by their id.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn person(&self, id: &PersonId) -> Result<Option<Person>, Error> {
        let row = sqlx::query(PERSON).bind(id.as_str()).fetch_optional(&self.pool).await?;
        Ok(row.as_ref().map(person).transpose()?)
    }

    /// A person with the name and number that a course knows, also for a former member; for others,
    /// those of the account.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn person_in(
        &self,
        course: &CourseId,
        id: &PersonId,
    ) -> Result<Option<Person>, Error> {
        let query = sqlx::query(PERSON_IN).bind(course.as_str()).bind(id.as_str());
        Ok(query.fetch_optional(&self.pool).await?.as_ref().map(person).transpose()?)
    }

    /// A person by their address, regardless of case.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn person_by_address(&self, address: &str) -> Result<Option<Person>, Error> {
        with_address(&mut *self.pool.acquire().await?, address).await
    }

    /// People by a part of their name or address, in the order of their names.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn people_like(&self, text: &str, most: u32) -> Result<Vec<Person>, Error> {
        let text = folded(text.trim()).to_lowercase();
        let text = text.replace('!', "!!").replace('%', "!%").replace('_', "!_");
        let query = sqlx::query(LIKE).bind(format!("%{text}%")).bind(i64::from(most));
        let rows = query.fetch_all(&self.pool).await?;
        Ok(rows.iter().map(person).collect::<Result<_, _>>()?)
    }

    /// True if the database has people. A new database has none.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn has_people(&self) -> Result<bool, Error> {
        Ok(sqlx::query(ANYBODY).fetch_optional(&self.pool).await?.is_some())
    }

    /// Sets the language of a person's pages.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn set_language(&self, person: &PersonId, language: &str) -> Result<(), Error> {
        let query =
            sqlx::query(SET_LANGUAGE).bind(person.as_str()).bind(tidy("language", language)?);
        query.execute(&self.pool).await?;
        Ok(())
    }

    /// Creates a course.
    ///
    /// # Errors
    /// When its slug is taken or cannot be used, the time zone is unknown, or the database fails.
    pub async fn create_course(&self, new: &NewCourse, now: Timestamp) -> Result<Course, Error> {
        insert_course(&mut *self.pool.acquire().await?, new, now).await
    }

    /// Changes the title and the time zone of a course.
    ///
    /// # Errors
    /// When the time zone is unknown, or the database fails.
    pub async fn change_course(
        &self,
        id: &CourseId,
        title: &str,
        time_zone: &str,
    ) -> Result<(), Error> {
        Zone::new(time_zone)?;
        let title = tidy("title", title)?;
        let mut transaction = self.change(ChangedPart::Course(id)).await?;
        let query = sqlx::query(SET_COURSE).bind(id.as_str()).bind(&title);
        query.bind(time_zone).execute(&mut *transaction).await?;
        let detail = format!("{title}, {time_zone}");
        let about = About::Course(id);
        self.log(&mut transaction, Act::CourseChanged, about, (None, &detail)).await?;
        Ok(transaction.commit().await?)
    }

    /// Sets the name of the webhook that is notified of a course's gradings; none switches it off.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn set_webhook(&self, id: &CourseId, name: Option<&str>) -> Result<(), Error> {
        let mut transaction = self.change(ChangedPart::Course(id)).await?;
        set_webhook(&mut transaction, id, name).await?;
        let detail = name.unwrap_or("none");
        let about = About::Course(id);
        self.log(&mut transaction, Act::WebhookSet, about, (None, detail)).await?;
        Ok(transaction.commit().await?)
    }

    /// A course by its id.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn course(&self, id: &CourseId) -> Result<Option<Course>, Error> {
        let row = sqlx::query(COURSE).bind(id.as_str()).fetch_optional(&self.pool).await?;
        Ok(row.as_ref().map(course).transpose()?)
    }

    /// A course by its slug.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn course_by_slug(&self, slug: &str) -> Result<Option<Course>, Error> {
        let row = sqlx::query(COURSE_BY_SLUG).bind(slug).fetch_optional(&self.pool).await?;
        Ok(row.as_ref().map(course).transpose()?)
    }

    /// A course by its slug, with the role of the person that a session or token is for; none if
    /// they are not in it. One statement answers both questions, so the answer does not reveal that
    /// the course exists.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn course_seen_by(
        &self,
        slug: &str,
        token: &TokenId,
    ) -> Result<Option<(Course, Role)>, Error> {
        let query = sqlx::query(COURSE_SEEN).bind(slug).bind(token.as_str());
        let row = query.fetch_optional(&self.pool).await?;
        Ok(row.as_ref().map(seen).transpose()?)
    }

    /// A course by its id, with the role of the person that a session or token is for.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn course_seen_by_id(
        &self,
        id: &CourseId,
        token: &TokenId,
    ) -> Result<Option<(Course, Role)>, Error> {
        let query = sqlx::query(COURSE_SEEN_BY_ID).bind(id.as_str()).bind(token.as_str());
        let row = query.fetch_optional(&self.pool).await?;
        Ok(row.as_ref().map(seen).transpose()?)
    }

    /// All courses, the oldest first, and archived ones after the others.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn courses(&self) -> Result<Vec<Course>, Error> {
        let rows = sqlx::query(COURSES).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(course).collect::<Result<_, _>>()?)
    }

    /// A person's courses and roles, the oldest course first, and archived ones after the others.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn courses_of(&self, person: &PersonId) -> Result<Vec<(Course, Role)>, Error> {
        let rows = sqlx::query(COURSES_OF).bind(person.as_str()).fetch_all(&self.pool).await?;
        let both = |row: &AnyRow| Ok((course(row)?, row.parsed("role")?));
        Ok(rows.iter().map(both).collect::<Result<_, sqlx::Error>>()?)
    }

    /// Makes a person a member of a course, or changes their role there. If that gives them rights,
    /// sessions, tokens and links from before end.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn join(
        &self,
        course: &CourseId,
        person: &PersonId,
        role: Role,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut transaction = self.begin().await?;
        join(&mut transaction, Joining::new(course, person, role), now).await?;
        Ok(transaction.commit().await?)
    }

    /// The members of a course, in the order in which they joined.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn members(&self, course: &CourseId) -> Result<Vec<Member>, Error> {
        let rows = sqlx::query(MEMBERS).bind(course.as_str()).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(member).collect::<Result<_, _>>()?)
    }

    /// A member of a course; none if the person is not a member.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn member(
        &self,
        course: &CourseId,
        person: &PersonId,
    ) -> Result<Option<Member>, Error> {
        let query = sqlx::query(MEMBER).bind(course.as_str()).bind(person.as_str());
        Ok(query.fetch_optional(&self.pool).await?.as_ref().map(member).transpose()?)
    }
}

/// Adds a person, in the caller's transaction.
pub(crate) async fn insert_person(
    connection: &mut AnyConnection,
    new: &NewPerson,
    now: Timestamp,
) -> Result<Person, Error> {
    let address = new.address.as_deref().map(|text| tidy("address", text)).transpose()?;
    let person = Person {
        id: PersonId::random()?,
        name: tidy("name", &new.name)?,
        address: address.map(|text| text.to_lowercase()),
        number: new.number.as_deref().map(|text| tidy("number", text)).transpose()?,
        language: None,
        is_administrator: new.is_administrator,
        created_at: now,
    };
    let query = sqlx::query(INSERT_PERSON).bind(person.id.as_str()).bind(&person.name);
    let query = query.bind(folded(&person.name));
    let query = query.bind(person.address.clone()).bind(person.number.clone());
    let query = query.bind(i64::from(person.is_administrator)).bind(now.millis());
    let done = query.execute(connection).await;
    taken(done, "address", person.address.as_deref().unwrap_or_default())?;
    Ok(person)
}

/// The person with an address, regardless of case.
pub(crate) async fn with_address(
    connection: &mut AnyConnection,
    address: &str,
) -> Result<Option<Person>, Error> {
    let query = sqlx::query(PERSON_BY_ADDRESS).bind(composed(address.trim()).to_lowercase());
    Ok(query.fetch_optional(connection).await?.as_ref().map(person).transpose()?)
}

/// Adds a course, in the caller's transaction.
pub(crate) async fn insert_course(
    connection: &mut AnyConnection,
    new: &NewCourse,
    now: Timestamp,
) -> Result<Course, Error> {
    let course = Course {
        id: CourseId::random()?,
        slug: slug(&new.slug)?,
        title: tidy("title", &new.title)?,
        time_zone: new.time_zone.clone(),
        created_at: now,
        webhook: None,
        archived_at: None,
    };
    course.zone()?;
    let query = sqlx::query(INSERT_COURSE).bind(course.id.as_str()).bind(&course.slug);
    let query = query.bind(&course.title).bind(&course.time_zone).bind(now.millis());
    taken(query.execute(connection).await, "course", &course.slug)?;
    Ok(course)
}

/// The course with that id, read by that connection.
pub(crate) async fn need_course(
    connection: &mut AnyConnection,
    id: &CourseId,
) -> Result<Course, Error> {
    let row = sqlx::query(COURSE).bind(id.as_str()).fetch_optional(connection).await?;
    let missing = || Error::Missing { what: "course", value: id.to_string() };
    Ok(course(&row.ok_or_else(missing)?)?)
}

/// Sets a course's webhook, in the caller's transaction.
pub(crate) async fn set_webhook(
    connection: &mut AnyConnection,
    id: &CourseId,
    name: Option<&str>,
) -> Result<(), Error> {
    let query = sqlx::query(SET_WEBHOOK).bind(id.as_str()).bind(name.map(str::to_owned));
    query.execute(connection).await?;
    Ok(())
}

/// A person who becomes a member, or gets another role.
pub(crate) struct Joining<'a> {
    pub(crate) course: &'a CourseId,
    pub(crate) person: &'a PersonId,
    pub(crate) role: Role,
    /// The access by which they accept. It does not end.
    pub(crate) keep: KeptAccess<'a>,
    /// The person who invited them.
    pub(crate) by: Option<&'a PersonId>,
    /// Name and number by the list of the course; without one, those of the account.
    pub(crate) listed: Option<Listed>,
}

/// Name and number of a person by the list of a course. The course that created the account does
/// not decide them elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Real name.
    pub name: String,
    /// Number at the school.
    pub number: Option<String>,
}

impl<'a> Joining<'a> {
    pub(crate) fn new(course: &'a CourseId, person: &'a PersonId, role: Role) -> Joining<'a> {
        Joining { course, person, role, keep: KeptAccess::default(), by: None, listed: None }
    }
}

/// Makes a person a member, in the caller's transaction.
pub(crate) async fn join(
    connection: &mut AnyConnection,
    new: Joining<'_>,
    now: Timestamp,
) -> Result<(), Error> {
    let Joining { course, person, role, keep, by, listed } = new;
    archive::lock_open(connection, ChangedPart::Course(course)).await?;
    rights::lock_person(connection, person).await?;
    let old = rights::role(connection, course, person).await?;
    let pseudonym = names::random_pseudonym(connection, course).await?;
    let query = sqlx::query(JOIN).bind(course.as_str()).bind(person.as_str()).bind(role.name());
    let query = query.bind(pseudonym.clone()).bind(folded(&pseudonym)).bind(now.millis());
    let Listed { name, number } = match listed {
        Some(listed) => listed,
        None => listed_by_account(connection, person).await?,
    };
    if old.is_none() {
        refuse_known_number(connection, course, person, number.as_deref()).await?;
    }
    let query = query.bind(name.clone()).bind(folded(&name)).bind(number);
    query.execute(&mut *connection).await?;
    quitting::follow_role(connection, (course, person), Some(role), now).await?;
    rights::gained(connection, person, (old, role), keep, now).await?;
    if old != Some(role) {
        let kind = match old {
            None => AccountEventKind::Joined,
            Some(_) => AccountEventKind::RoleChanged,
        };
        let event = Note { kind, course: Some(course), role: Some(role), by };
        note(connection, person, event, now).await?;
    }
    if old.is_none() {
        names::yield_to(connection, course, person, now).await?;
    }
    Ok(())
}

async fn listed_by_account(
    connection: &mut AnyConnection,
    person: &PersonId,
) -> Result<Listed, Error> {
    let row = sqlx::query(PERSON).bind(person.as_str()).fetch_one(connection).await?;
    Ok(Listed { name: row.text("name")?, number: row.maybe_text("number")? })
}

/// Fails with [`Error::Taken`] if another member of the course has that number, because marks are
/// exported by number.
pub(crate) async fn refuse_known_number(
    connection: &mut AnyConnection,
    course: &CourseId,
    person: &PersonId,
    number: Option<&str>,
) -> Result<(), Error> {
    let Some(number) = number else { return Ok(()) };
    let query = sqlx::query(NUMBERS).bind(course.as_str()).bind(person.as_str());
    let rows = query.fetch_all(connection).await?;
    for row in &rows {
        if folded(&row.text("number")?) == folded(number) {
            return Err(Error::Taken { what: "number", value: number.to_owned() });
        }
    }
    Ok(())
}

fn seen(row: &AnyRow) -> Result<(Course, Role), sqlx::Error> {
    Ok((course(row)?, row.parsed("role")?))
}

pub(crate) fn person(row: &AnyRow) -> Result<Person, sqlx::Error> {
    Ok(Person {
        id: row.parsed("id")?,
        name: row.text("name")?,
        address: row.maybe_text("address")?,
        number: row.maybe_text("number")?,
        language: row.maybe_text("language")?,
        is_administrator: row.flag("administrator")?,
        created_at: row.time("created_at")?,
    })
}

fn course(row: &AnyRow) -> Result<Course, sqlx::Error> {
    Ok(Course {
        id: row.parsed("id")?,
        slug: row.text("slug")?,
        title: row.text("title")?,
        time_zone: row.text("time_zone")?,
        created_at: row.time("created_at")?,
        webhook: row.maybe_text("webhook")?,
        archived_at: row.maybe_time("archived_at")?,
    })
}

fn member(row: &AnyRow) -> Result<Member, sqlx::Error> {
    Ok(Member {
        course: row.parsed("course")?,
        person: row.parsed("person")?,
        name: row.text("name")?,
        address: row.maybe_text("address")?,
        number: row.maybe_text("number")?,
        role: row.parsed("role")?,
        pseudonym: row.text("pseudonym")?,
        shows_real_name: row.flag("shows_real_name")?,
        joined_at: row.time("joined_at")?,
    })
}

/// True for a short name for URLs: up to 60 lower-case letters, digits and hyphens.
pub fn is_slug(text: &str) -> bool {
    let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    (1..=60).contains(&text.len()) && text.bytes().all(plain) && !text.starts_with('-')
}

/// Checks a short name for URLs.
pub(crate) fn slug(text: &str) -> Result<String, Error> {
    match is_slug(text) {
        true => Ok(text.to_owned()),
        false => {
            let why = "expected up to 60 lower-case letters, digits and hyphens";
            Err(Error::Name { what: "slug", value: printable(text, LONGEST), why })
        }
    }
}

/// The result of a statement, with a violated uniqueness as [`Error::Taken`].
pub(crate) fn taken<T>(
    done: Result<T, sqlx::Error>,
    what: &'static str,
    value: &str,
) -> Result<(), Error> {
    match done {
        Ok(_) => Ok(()),
        Err(error) if is_taken(&error) => Err(Error::Taken { what, value: value.to_owned() }),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_address_of_an_issuer_can_be_an_accounts() {
        for (text, is_usable) in [
            ("jon@x.org", true),
            ("jön@x.org", true),
            ("<jon@x.org>", false),
            ("jon", false),
            ("jon@x.org, eve@x.org", false),
            ("\u{212a}im@x.org", false),
            ("jo\u{308}n@x.org", false),
        ] {
            assert_eq!(has_one_form(text), is_usable, "{text}");
        }
    }
}
