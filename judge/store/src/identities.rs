//! Accounts at an OpenID Connect issuer, which are called *subjects*, and the people they are
//! linked to.

use sqlx::any::AnyRow;

use crate::access::{self, NewToken, Token, TokenKind};
use crate::account_events::{AccountEventKind, Note, note};
use crate::basics::access_refusal::AccessRefusal;
use crate::basics::error::Error;
use crate::basics::id::{InvitationId, PersonId, TokenId};
use crate::basics::time::Timestamp;
use crate::rights::{self, KeptAccess, OpenLinks};
use crate::row::Columns as _;
use crate::store::{Store, is_taken};
use crate::unlinked;

const LINK: &str = "INSERT INTO identity \
    (issuer, subject, person, linked_at, proven, invitation) VALUES ($1, $2, $3, $4, $5, $6)";
const UNLINK: &str = "DELETE FROM identity WHERE issuer = $1 AND person = $2";
const WHO: &str = "SELECT person FROM identity WHERE issuer = $1 AND subject = $2";
const INVITATION: &str = "SELECT invitation, proven FROM identity \
    WHERE issuer = $1 AND subject = $2 AND person = $3";
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
        rights::lock_person(&mut transaction, person).await?;
        let mut invitation = None;
        if let Some(session) = session {
            let live = rights::live(&mut transaction, person, session, now).await?;
            invitation = live.ok_or(AccessRefusal::SignedOut)?.invitation.filter(|_| !is_proven);
        }
        if is_proven {
            let links = OpenLinks::Limited;
            rights::end_access(&mut transaction, person, KeptAccess::session(session), links, now)
                .await?;
        }
        let query = sqlx::query(LINK).bind(issuer.to_owned()).bind(subject.to_owned());
        let query = query.bind(person.as_str()).bind(now.millis()).bind(i64::from(is_proven));
        let query = query.bind(invitation.as_ref().map(ToString::to_string));
        match query.execute(&mut *transaction).await {
            Ok(_) => {}
            Err(error) if is_taken(&error) => return Err(AccessRefusal::LinkedAlready.into()),
            Err(error) => return Err(error.into()),
        }
        let event = Note::new(AccountEventKind::IdentityLinked);
        note(&mut transaction, person, event, now).await?;
        Ok(transaction.commit().await?)
    }

    /// Begins a session for the person that a subject of an issuer is linked to; none if it is not
    /// linked. The session ends with the access in which the subject was linked.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn sign_in_by_identity(
        &self,
        (issuer, subject): (&str, &str),
        expires_at: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Token>, Error> {
        let Some(person) = self.person_by_identity(issuer, subject).await? else {
            return Ok(None);
        };
        let mut transaction = self.begin().await?;
        rights::lock_person(&mut transaction, &person).await?;
        // Read again, because it may have been removed before the lock was held.
        let query = sqlx::query(INVITATION).bind(issuer.to_owned()).bind(subject.to_owned());
        let row = query.bind(person.as_str()).fetch_optional(&mut *transaction).await?;
        let Some(row) = row else { return Ok(None) };
        let invitation: Option<InvitationId> = row.maybe_parsed("invitation")?;
        // The owner of the verified address is here, so identities that others may have linked end.
        if row.flag("proven")? && rights::end_unproven(&mut transaction, &person, None).await? {
            let event = Note::new(AccountEventKind::AccessEnded);
            note(&mut transaction, &person, event, now).await?;
        }
        let (kind, label, invitation) = (TokenKind::Session, "browser", invitation.as_ref());
        let new = NewToken { person: &person, kind, label, expires_at, invitation };
        let (_, session) = access::insert(&mut transaction, &new, now).await?;
        transaction.commit().await?;
        Ok(Some(session))
    }

    /// Removes a person's link to an issuer; false if there was none. Their courses remember the
    /// subject, so that it cannot come back with a new account.
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
        unlinked::remember(&mut transaction, person).await?;
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
