//! Invitations and tokens. Both are random, told once, and kept as hashes only.

use std::fmt;
use std::sync::atomic::Ordering;
use std::time::Duration;

use judge_core::digest;
use sqlx::any::AnyRow;

use crate::basics::error::Error;
use crate::basics::id::{self, CourseId, InvitationId, PersonId, TokenId};
use crate::basics::time::Timestamp;
use crate::people::{Role, join, tidy};
use crate::row::{Columns as _, words};
use crate::store::Store;

/// Bytes of a secret: 256 bits.
const SECRET: usize = 32;

/// Longest text that is taken for a secret at all.
const LONGEST: usize = 100;

/// Milliseconds after which the last use of a token is noted again.
const NOTED_EVERY: i64 = 60_000;

/// A secret as whoever gets it sees it, once. It does not show in messages and logs.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    fn random() -> Result<Token, Error> {
        Ok(Token(id::random(SECRET)?))
    }

    /// Its text: letters and digits.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// The form in which a secret is kept. Looking it up by this tells nothing by the time it takes:
/// whoever does not know the secret cannot choose its hash.
fn hash(secret: &str) -> String {
    match secret.len() {
        0..=LONGEST => digest(secret.as_bytes()).to_string(),
        _ => String::new(),
    }
}

words! {
    /// Kind of a token.
    TokenKind {
        /// A browser that is signed in.
        Session = "session",
        /// A program.
        Api = "api",
    }
}

/// Somebody who showed a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authenticated {
    /// Who.
    pub person: PersonId,
    /// The token's id.
    pub token: TokenId,
    /// Its kind.
    pub kind: TokenKind,
}

/// How long a session holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifetime {
    /// Time after the last use.
    pub unused: Duration,
    /// Time after its beginning, however much it is used.
    pub most: Duration,
}

/// A span in milliseconds.
fn millis(span: Duration) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX / 2)
}

/// A token without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenInfo {
    /// Id.
    pub id: TokenId,
    /// Kind.
    pub kind: TokenKind,
    /// What its owner calls it.
    pub label: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
    /// When it was last shown, to the minute.
    pub last_used_at: Option<Timestamp>,
}

/// Whom to invite to what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewInvitation {
    /// The course; without one whoever uses it may create courses.
    pub course: Option<CourseId>,
    /// What they become there.
    pub role: Role,
    /// The one whom it is for; without one it makes a new person.
    pub person: Option<PersonId>,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// An invitation without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// Id.
    pub id: InvitationId,
    /// The course, if it is to one.
    pub course: Option<CourseId>,
    /// What whoever uses it becomes.
    pub role: Role,
    /// The one whom it is for, if it is for one.
    pub person: Option<PersonId>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
    /// When it was used.
    pub used_at: Option<Timestamp>,
    /// Who used it.
    pub used_by: Option<PersonId>,
    /// When it was taken back.
    pub revoked_at: Option<Timestamp>,
}

/// What an invitation was used for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invited {
    /// Who came in.
    pub person: PersonId,
    /// The course, if it was to one.
    pub course: Option<CourseId>,
    /// What they became.
    pub role: Role,
}

/// Why an invitation cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvitationFault {
    /// There is none like it.
    #[error("there is no such invitation")]
    Unknown,
    /// Somebody used it.
    #[error("the invitation was used already")]
    Used,
    /// It is too old.
    #[error("the invitation has expired")]
    Expired,
    /// It was taken back.
    #[error("the invitation was taken back")]
    Revoked,
    /// It is for somebody else than the one who is signed in.
    #[error("the invitation is for somebody else")]
    ForSomebodyElse,
}

const INVITE: &str = "INSERT INTO invitation \
    (id, hash, course, role, person, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)";
const INVITATION: &str = "SELECT * FROM invitation WHERE hash = $1";
const INVITATIONS: &str = "SELECT * FROM invitation WHERE course = $1 ORDER BY created_at DESC, id";
const USE_UP: &str = "UPDATE invitation SET used_at = $2, used_by = $3 \
    WHERE hash = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $2";
const TAKE_BACK: &str = "UPDATE invitation SET revoked_at = $3 \
    WHERE id = $1 AND course = $2 AND used_at IS NULL AND revoked_at IS NULL";
const ROLE: &str = "SELECT role FROM membership WHERE course = $1 AND person = $2";
const INSERT_PERSON: &str = "INSERT INTO person (id, name, administrator, created_at) \
    VALUES ($1, $2, 0, $3)";
const MAKE_ADMINISTRATOR: &str = "UPDATE person SET administrator = 1 WHERE id = $1";
const INSERT_TOKEN: &str = "INSERT INTO token \
    (id, hash, person, kind, label, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)";
const TOKEN: &str = "SELECT * FROM token \
    WHERE hash = $1 AND revoked_at IS NULL AND expires_at > $2";
const NOTE_USE: &str = "UPDATE token SET last_used_at = $2 WHERE id = $1";
// A session never ends earlier than it would have.
const RENEW: &str = "UPDATE token SET last_used_at = $2, expires_at = CASE \
    WHEN $3 <= expires_at THEN expires_at \
    WHEN $3 <= created_at + $4 THEN $3 \
    WHEN created_at + $4 > expires_at THEN created_at + $4 \
    ELSE expires_at END WHERE id = $1 AND revoked_at IS NULL";
const TOKENS_OF: &str = "SELECT * FROM token \
    WHERE person = $1 AND revoked_at IS NULL AND expires_at > $2 ORDER BY created_at DESC, id";
const REVOKE: &str = "UPDATE token SET revoked_at = $3 \
    WHERE id = $1 AND person = $2 AND revoked_at IS NULL";
const REVOKE_ALL: &str = "UPDATE token SET revoked_at = $3 \
    WHERE person = $1 AND kind = $2 AND revoked_at IS NULL";

impl Store {
    /// Makes an invitation, and tells the secret for its link.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn invite(
        &self,
        new: &NewInvitation,
        now: Timestamp,
    ) -> Result<(InvitationId, Token), Error> {
        let (id, token) = (InvitationId::random()?, Token::random()?);
        let query = sqlx::query(INVITE).bind(id.as_str()).bind(hash(token.reveal()));
        let query = query.bind(new.course.as_ref().map(ToString::to_string));
        let query = query.bind(new.role.name());
        let query = query.bind(new.person.as_ref().map(ToString::to_string));
        query.bind(now.millis()).bind(new.expires_at.millis()).execute(&self.pool).await?;
        Ok((id, token))
    }

    /// The invitation with that secret, if it can be used. It is not used up by looking.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn invitation(
        &self,
        secret: &str,
        now: Timestamp,
    ) -> Result<Result<Invitation, InvitationFault>, Error> {
        let row = sqlx::query(INVITATION).bind(hash(secret)).fetch_optional(&self.pool).await?;
        let Some(row) = row else { return Ok(Err(InvitationFault::Unknown)) };
        Ok(usable(invitation(&row)?, now))
    }

    /// Uses an invitation: as the one whom it is for, as `who` is, or as a new person called `name`.
    /// Of several who try at once one succeeds.
    ///
    /// # Errors
    /// When the name cannot be used, or the database fails.
    pub async fn use_invitation(
        &self,
        secret: &str,
        who: Option<&PersonId>,
        name: &str,
        now: Timestamp,
    ) -> Result<Result<Invited, InvitationFault>, Error> {
        let found = match self.invitation(secret, now).await? {
            Ok(found) => found,
            Err(fault) => return Ok(Err(fault)),
        };
        if let (Some(meant), Some(who)) = (&found.person, who)
            && meant != who
        {
            return Ok(Err(InvitationFault::ForSomebodyElse));
        }
        let mut transaction = self.begin().await?;
        let person = match found.person.as_ref().or(who) {
            Some(person) => person.clone(),
            None => add(&mut transaction, &tidy("name", name)?, now).await?,
        };
        let query = sqlx::query(USE_UP).bind(hash(secret)).bind(now.millis());
        let done = query.bind(person.as_str()).execute(&mut *transaction).await?;
        if done.rows_affected() == 0 {
            transaction.rollback().await?;
            return Ok(Err(InvitationFault::Used));
        }
        let mut role = found.role;
        match &found.course {
            Some(course) => {
                // Whoever is more there already stays it, with whatever link somebody sends them.
                let query = sqlx::query(ROLE).bind(course.as_str()).bind(person.as_str());
                if let Some(row) = query.fetch_optional(&mut *transaction).await? {
                    role = role.or_more(row.parsed("role")?);
                }
                join(&mut transaction, course, &person, role, now).await?;
            }
            None => {
                let query = sqlx::query(MAKE_ADMINISTRATOR).bind(person.as_str());
                query.execute(&mut *transaction).await?;
            }
        }
        transaction.commit().await?;
        Ok(Ok(Invited { person, course: found.course, role }))
    }

    /// The invitations to a course, the newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn invitations(&self, course: &CourseId) -> Result<Vec<Invitation>, Error> {
        let rows = sqlx::query(INVITATIONS).bind(course.as_str()).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(invitation).collect::<Result<_, _>>()?)
    }

    /// Takes an invitation to a course back; false if it was used or there is none.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn take_back(
        &self,
        course: &CourseId,
        id: &InvitationId,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let query = sqlx::query(TAKE_BACK).bind(id.as_str()).bind(course.as_str());
        Ok(query.bind(now.millis()).execute(&self.pool).await?.rows_affected() > 0)
    }

    /// Makes a token for somebody, and tells its secret.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn new_token(
        &self,
        person: &PersonId,
        kind: TokenKind,
        label: &str,
        expires_at: Timestamp,
        now: Timestamp,
    ) -> Result<(TokenId, Token), Error> {
        let (id, token) = (TokenId::random()?, Token::random()?);
        let query = sqlx::query(INSERT_TOKEN).bind(id.as_str()).bind(hash(token.reveal()));
        let query = query.bind(person.as_str()).bind(kind.name()).bind(tidy("label", label)?);
        query.bind(now.millis()).bind(expires_at.millis()).execute(&self.pool).await?;
        Ok((id, token))
    }

    /// Who shows a token of that kind; none if it is unknown, over, or revoked.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn authenticate(
        &self,
        secret: &str,
        kind: TokenKind,
        now: Timestamp,
    ) -> Result<Option<Authenticated>, Error> {
        self.find_token(secret, kind, None, now).await
    }

    /// Who shows a session, which holds longer for being used; none if it is unknown, over, or
    /// revoked.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn authenticate_session(
        &self,
        secret: &str,
        lifetime: Lifetime,
        now: Timestamp,
    ) -> Result<Option<Authenticated>, Error> {
        self.find_token(secret, TokenKind::Session, Some(lifetime), now).await
    }

    async fn find_token(
        &self,
        secret: &str,
        kind: TokenKind,
        lifetime: Option<Lifetime>,
        now: Timestamp,
    ) -> Result<Option<Authenticated>, Error> {
        let query = sqlx::query(TOKEN).bind(hash(secret)).bind(now.millis());
        let Some(row) = query.fetch_optional(&self.pool).await? else { return Ok(None) };
        let found = Authenticated {
            person: row.parsed("person")?,
            token: row.parsed("id")?,
            kind: row.parsed("kind")?,
        };
        let noted = row.maybe_time("last_used_at")?;
        // Noting each use would make each look at a page a write.
        if noted.is_none_or(|noted| now.millis() - noted.millis() >= NOTED_EVERY) {
            self.note_use(&found.token, lifetime.filter(|_| found.kind == kind), now);
        }
        Ok(Some(found).filter(|found| found.kind == kind))
    }

    /// Notes in the background that a token was used, so that pages can be read while the database is
    /// locked or the disk is full. At most one note is written at a time, on one connection.
    fn note_use(&self, token: &TokenId, lifetime: Option<Lifetime>, now: Timestamp) {
        if self.notes.swap(true, Ordering::Relaxed) {
            return;
        }
        let (store, token) = (self.clone(), token.clone());
        tokio::spawn(async move {
            let note = |sql| sqlx::query(sql).bind(token.as_str()).bind(now.millis());
            let query = match lifetime {
                None => note(NOTE_USE),
                Some(Lifetime { unused, most }) => {
                    note(RENEW).bind(now.after(unused).millis()).bind(millis(most))
                }
            };
            // A failed note is no loss: the next use is noted instead.
            let _ = query.execute(&store.pool).await;
            store.notes.store(false, Ordering::Relaxed);
        });
    }

    /// Somebody's tokens that still hold, the newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn tokens_of(
        &self,
        person: &PersonId,
        now: Timestamp,
    ) -> Result<Vec<TokenInfo>, Error> {
        let query = sqlx::query(TOKENS_OF).bind(person.as_str()).bind(now.millis());
        let rows = query.fetch_all(&self.pool).await?;
        Ok(rows.iter().map(token_info).collect::<Result<_, _>>()?)
    }

    /// Ends one of somebody's tokens; false if they have none like it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn revoke(
        &self,
        person: &PersonId,
        token: &TokenId,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let query = sqlx::query(REVOKE).bind(token.as_str()).bind(person.as_str());
        Ok(query.bind(now.millis()).execute(&self.pool).await?.rows_affected() > 0)
    }

    /// Ends all of somebody's tokens of a kind.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn revoke_all(
        &self,
        person: &PersonId,
        kind: TokenKind,
        now: Timestamp,
    ) -> Result<(), Error> {
        let query = sqlx::query(REVOKE_ALL).bind(person.as_str()).bind(kind.name());
        query.bind(now.millis()).execute(&self.pool).await?;
        Ok(())
    }

    /// Ends all of somebody's sessions and API tokens.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn sign_out_everywhere(
        &self,
        person: &PersonId,
        now: Timestamp,
    ) -> Result<(), Error> {
        for kind in [TokenKind::Session, TokenKind::Api] {
            self.revoke_all(person, kind, now).await?;
        }
        Ok(())
    }
}

/// Adds a new person without an address.
async fn add(
    connection: &mut sqlx::AnyConnection,
    name: &str,
    now: Timestamp,
) -> Result<PersonId, Error> {
    let id = PersonId::random()?;
    let query = sqlx::query(INSERT_PERSON).bind(id.as_str()).bind(name).bind(now.millis());
    query.execute(connection).await?;
    Ok(id)
}

/// The invitation, if it can be used now.
fn usable(found: Invitation, now: Timestamp) -> Result<Invitation, InvitationFault> {
    match &found {
        Invitation { used_at: Some(_), .. } => Err(InvitationFault::Used),
        Invitation { revoked_at: Some(_), .. } => Err(InvitationFault::Revoked),
        Invitation { expires_at, .. } if *expires_at <= now => Err(InvitationFault::Expired),
        _ => Ok(found),
    }
}

fn invitation(row: &AnyRow) -> Result<Invitation, sqlx::Error> {
    Ok(Invitation {
        id: row.parsed("id")?,
        course: row.maybe_parsed("course")?,
        role: row.parsed("role")?,
        person: row.maybe_parsed("person")?,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
        used_at: row.maybe_time("used_at")?,
        used_by: row.maybe_parsed("used_by")?,
        revoked_at: row.maybe_time("revoked_at")?,
    })
}

fn token_info(row: &AnyRow) -> Result<TokenInfo, sqlx::Error> {
    Ok(TokenInfo {
        id: row.parsed("id")?,
        kind: row.parsed("kind")?,
        label: row.text("label")?,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
        last_used_at: row.maybe_time("last_used_at")?,
    })
}
