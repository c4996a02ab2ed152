//! Accounts at an OpenID Connect issuer, which are called *subjects*, and the people they are
//! linked to.

use sqlx::any::AnyRow;

use crate::account_events::{AccountEventKind, Note, note};
use crate::basics::access_refusal::AccessRefusal;
use crate::basics::error::Error;
use crate::basics::id::{PersonId, TokenId};
use crate::basics::time::Timestamp;
use crate::power::{self, OpenLinks};
use crate::row::Columns as _;
use crate::store::{Store, is_taken};

const LINK: &str = "INSERT INTO identity (issuer, subject, person, linked_at, proven) \
    VALUES ($1, $2, $3, $4, $5)";
const UNLINK: &str = "DELETE FROM identity WHERE issuer = $1 AND person = $2";
const WHO: &str = "SELECT person FROM identity WHERE issuer = $1 AND subject = $2";
const OF_PERSON: &str = "SELECT linked_at FROM identity WHERE issuer = $1 AND person = $2";

/// A subject of an issuer to link to a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewIdentity<'a> {
    /// Address of the issuer.
    pub issuer: &'a str,
    /// Identifier at the issuer.
    pub subject: &'a str,
    /// The person.
    pub person: &'a PersonId,
    /// True if the issuer has verified the person's own address. Then the subject takes the account
    /// over: all access that others could have prepared ends.
    pub is_proven: bool,
    /// The session that requested it; none for a person who signs in with the issuer.
    pub session: Option<&'a TokenId>,
}

impl Store {
    /// Links a person to a subject of an issuer.
    ///
    /// # Errors
    /// [`AccessRefusal::LinkedAlready`] if the subject or the person is linked there, and
    /// [`AccessRefusal::SignedOut`] if the session has ended; when the database fails.
    pub async fn link_identity(&self, new: NewIdentity<'_>, now: Timestamp) -> Result<(), Error> {
        let NewIdentity { issuer, subject, person, is_proven, session } = new;
        let mut transaction = self.begin().await?;
        power::lock_person(&mut transaction, person).await?;
        if let Some(session) = session
            && !power::is_live(&mut transaction, person, session, now).await?
        {
            return Err(AccessRefusal::SignedOut.into());
        }
        if is_proven {
            let links = OpenLinks::Limited;
            power::end_access(&mut transaction, person, session, links, now).await?;
        }
        let query = sqlx::query(LINK).bind(issuer.to_owned()).bind(subject.to_owned());
        let query = query.bind(person.as_str()).bind(now.millis()).bind(i64::from(is_proven));
        match query.execute(&mut *transaction).await {
            Ok(_) => {}
            Err(error) if is_taken(&error) => return Err(AccessRefusal::LinkedAlready.into()),
            Err(error) => return Err(error.into()),
        }
        let event = Note::new(AccountEventKind::IdentityLinked);
        note(&mut transaction, person, event, now).await?;
        Ok(transaction.commit().await?)
    }

    /// Removes a person's link to an issuer; false if there was none.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn unlink_identity(
        &self,
        issuer: &str,
        person: &PersonId,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let mut transaction = self.begin().await?;
        let query = sqlx::query(UNLINK).bind(issuer.to_owned()).bind(person.as_str());
        let is_unlinked = query.execute(&mut *transaction).await?.rows_affected() > 0;
        if is_unlinked {
            let event = Note::new(AccountEventKind::IdentityUnlinked);
            note(&mut transaction, person, event, now).await?;
        }
        transaction.commit().await?;
        Ok(is_unlinked)
    }

    /// The person that a subject of an issuer is linked to.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn person_by_identity(
        &self,
        issuer: &str,
        subject: &str,
    ) -> Result<Option<PersonId>, Error> {
        let query = sqlx::query(WHO).bind(issuer.to_owned()).bind(subject.to_owned());
        let row = query.fetch_optional(&self.pool).await?;
        let person = |row: AnyRow| row.parsed("person");
        Ok(row.map(person).transpose()?)
    }

    /// When a person was linked to a subject of an issuer; none if they are not.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn identity_of(
        &self,
        issuer: &str,
        person: &PersonId,
    ) -> Result<Option<Timestamp>, Error> {
        let query = sqlx::query(OF_PERSON).bind(issuer.to_owned()).bind(person.as_str());
        let row = query.fetch_optional(&self.pool).await?;
        Ok(row.map(|row| row.time("linked_at")).transpose()?)
    }
}
