//! Accounts at an OpenID Connect issuer, and the people they are linked to. An issuer calls an account
//! a *subject*.

use sqlx::any::AnyRow;

use crate::basics::error::Error;
use crate::basics::id::PersonId;
use crate::basics::time::Timestamp;
use crate::row::Columns as _;
use crate::store::{Store, is_taken};

const LINK: &str = "INSERT INTO identity (issuer, subject, person, linked_at) \
    VALUES ($1, $2, $3, $4)";
const UNLINK: &str = "DELETE FROM identity WHERE issuer = $1 AND person = $2";
const WHO: &str = "SELECT person FROM identity WHERE issuer = $1 AND subject = $2";
const OF_PERSON: &str = "SELECT linked_at FROM identity WHERE issuer = $1 AND person = $2";

impl Store {
    /// Links a person to a subject of an issuer; false if the subject or the person is already linked
    /// there.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn link_identity(
        &self,
        issuer: &str,
        subject: &str,
        person: &PersonId,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let query = sqlx::query(LINK).bind(issuer.to_owned()).bind(subject.to_owned());
        match query.bind(person.as_str()).bind(now.millis()).execute(&self.pool).await {
            Ok(_) => Ok(true),
            Err(error) if is_taken(&error) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes a person's link to an issuer; false if there was none.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn unlink_identity(&self, issuer: &str, person: &PersonId) -> Result<bool, Error> {
        let query = sqlx::query(UNLINK).bind(issuer.to_owned()).bind(person.as_str());
        Ok(query.execute(&self.pool).await?.rows_affected() > 0)
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

    /// When somebody was linked to a subject of an issuer; none if they are not.
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
