//! Subjects of issuers that were unlinked from an account. The account's courses remember them, so that
//! a removed person does not come back with a new account.

use sqlx::AnyConnection;

use crate::basics::error::Error;
use crate::basics::id::{CourseId, PersonId};
use crate::store::Store;

// In all courses of the person, present and former.
const REMEMBER: &str = "INSERT INTO lti_member (course, platform, subject, person) \
    SELECT m.course, i.issuer, i.subject, i.person FROM identity i JOIN (\
    SELECT course, person FROM membership UNION SELECT course, person FROM former_member) m \
    ON m.person = i.person WHERE i.person = $1 \
    ON CONFLICT (course, platform, subject) DO NOTHING";
const WAS_HERE: &str =
    "SELECT 1 FROM lti_member WHERE course = $1 AND platform = $2 AND subject = $3";

/// Notes the identities of a person in their courses, in the caller's transaction, which then removes
/// some of them.
pub(crate) async fn remember(
    connection: &mut AnyConnection,
    person: &PersonId,
) -> Result<(), Error> {
    sqlx::query(REMEMBER).bind(person.as_str()).execute(connection).await?;
    Ok(())
}

impl Store {
    /// True if a subject of an issuer, which no account has now, had an account in a course.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn was_unlinked(
        &self,
        course: &CourseId,
        (issuer, subject): (&str, &str),
    ) -> Result<bool, Error> {
        let query = sqlx::query(WAS_HERE).bind(course.as_str());
        let query = query.bind(issuer.to_owned()).bind(subject.to_owned());
        Ok(query.fetch_optional(&self.pool).await?.is_some())
    }
}
