//! Sessions and API tokens. Their secrets are random, shown once, and stored only as hashes.

use std::fmt;
use std::sync::atomic::Ordering;
use std::time::Duration;

use judge_core::digest;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::basics::access_refusal::AccessRefusal;
use crate::basics::error::Error;
use crate::basics::id::{self, InvitationId, PersonId, TokenId};
use crate::basics::time::Timestamp;
use crate::names::tidy;
use crate::people::{Person, person};
use crate::rights;
use crate::row::{Columns as _, words};
use crate::store::Store;

/// Bytes of a secret: 256 bits.
const SECRET: usize = 32;

/// Longest text that is accepted as a secret.
const LONGEST: usize = 100;

/// Most live API tokens of an account.
pub const MOST_API_TOKENS: i64 = 20;

/// Most live sessions of an account.
pub const MOST_SESSIONS: i64 = 50;

/// Milliseconds between two updates of a token's last use.
const NOTED_EVERY: i64 = 60_000;

/// A secret in plain text, shown once to its owner. It does not appear in messages and logs.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    pub(crate) fn random() -> Result<Token, Error> {
        Ok(Token(id::random(SECRET)?))
    }

    /// The plain text: letters and digits.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// The stored form of a secret. A lookup by hash reveals nothing by its duration, because an
/// attacker without the secret cannot choose the hash.
pub(crate) fn hash(secret: &str) -> String {
    match secret.len() {
        0..=LONGEST => digest(secret.as_bytes()).to_string(),
        _ => String::new(),
    }
}

words! {
    /// The kind of a token.
    TokenKind {
        /// The session of a signed-in browser.
        Session = "session",
        /// A token of a program.
        Api = "api",
    }
}

/// The person that a valid token belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authenticated {
    /// The person, as they were while the token was valid.
    pub person: Person,
    /// The token's id.
    pub token: TokenId,
    /// Its kind.
    pub kind: TokenKind,
}

/// Lifetime of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifetime {
    /// Time from the last use to the end.
    pub unused: Duration,
    /// Time from the beginning to the end, regardless of use.
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
    /// The owner's label for it.
    pub label: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
}

const INSERT_TOKEN: &str = "INSERT INTO token \
    (id, hash, person, kind, label, created_at, expires_at, invitation) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
// Becoming an administrator ends all tokens, so one statement reads both.
const TOKEN: &str = "SELECT t.id AS token, t.kind, t.last_used_at, p.* \
    FROM token t JOIN person p ON p.id = t.person \
    WHERE t.hash = $1 AND t.revoked_at IS NULL AND t.expires_at > $2";
const COUNT: &str = "SELECT COUNT(*) AS many FROM token \
    WHERE person = $1 AND kind = $2 AND revoked_at IS NULL AND expires_at > $3";
const END_OLDEST_SESSIONS: &str = "UPDATE token SET revoked_at = $2 \
    WHERE person = $1 AND kind = 'session' AND revoked_at IS NULL AND id NOT IN \
    (SELECT id FROM token WHERE person = $1 AND kind = 'session' AND revoked_at IS NULL \
    ORDER BY CASE WHEN id = $3 THEN 0 ELSE 1 END, COALESCE(last_used_at, created_at) DESC, id \
    LIMIT $4)";
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
impl Store {
    /// Creates a token for a person, and returns its secret. If an account has more than
    /// [`MOST_SESSIONS`], its least recently used sessions end.
    ///
    /// # Errors
    /// [`AccessRefusal::TooManyTokens`] when the account has [`MOST_API_TOKENS`]; when the label
    /// cannot be used, or the database fails.
    pub async fn new_token(
        &self,
        person: &PersonId,
        kind: TokenKind,
        label: &str,
        expires_at: Timestamp,
        now: Timestamp,
    ) -> Result<(TokenId, Token), Error> {
        let mut transaction = self.begin().await?;
        let new = NewToken { person, kind, label, expires_at, invitation: None };
        let made = insert(&mut transaction, &new, now).await?;
        transaction.commit().await?;
        Ok(made)
    }

    /// Creates an API token in a session of its person, and returns its secret.
    ///
    /// # Errors
    /// As [`Store::new_token`], and [`AccessRefusal::SignedOut`] when the session has ended.
    pub async fn new_api_token(
        &self,
        (person, session): (&PersonId, &TokenId),
        label: &str,
        expires_at: Timestamp,
        now: Timestamp,
    ) -> Result<(TokenId, Token), Error> {
        let mut transaction = self.begin().await?;
        rights::lock_person(&mut transaction, person).await?;
        let session = rights::live(&mut transaction, person, session, now).await?;
        let session = session.ok_or(AccessRefusal::SignedOut)?;
        let invitation = session.invitation.as_ref();
        let new = NewToken { person, kind: TokenKind::Api, label, expires_at, invitation };
        let made = insert(&mut transaction, &new, now).await?;
        transaction.commit().await?;
        Ok(made)
    }

    /// Authenticates a token of that kind; none if it is unknown, expired, or revoked.
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

    /// Authenticates a session and extends it; none if it is unknown, expired, or revoked.
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
            person: person(&row)?,
            token: row.parsed("token")?,
            kind: row.parsed("kind")?,
        };
        let noted = row.maybe_time("last_used_at")?;
        // Recording each use would make each page view a write.
        if noted.is_none_or(|noted| now.millis() - noted.millis() >= NOTED_EVERY) {
            self.note_use(&found.token, lifetime.filter(|_| found.kind == kind), now);
        }
        Ok(Some(found).filter(|found| found.kind == kind))
    }

    /// Records in the background that a token was used, so that pages can be read while the
    /// database is locked or the disk is full. At most one record is written at a time, on one
    /// connection.
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
            // A failure is harmless: the next use is recorded instead.
            let _ = query.execute(&store.pool).await;
            store.notes.store(false, Ordering::Relaxed);
        });
    }

    /// The live tokens of a person, the newest first.
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

    /// Revokes a token of a person; false if they do not have it.
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
}

/// A token to create.
pub(crate) struct NewToken<'a> {
    pub(crate) person: &'a PersonId,
    pub(crate) kind: TokenKind,
    pub(crate) label: &'a str,
    pub(crate) expires_at: Timestamp,
    /// The invitation with which the session began, or the session in which the token is made.
    pub(crate) invitation: Option<&'a InvitationId>,
}

/// Creates a token in the caller's transaction, within the bounds for an account.
pub(crate) async fn insert(
    connection: &mut AnyConnection,
    new: &NewToken<'_>,
    now: Timestamp,
) -> Result<(TokenId, Token), Error> {
    let NewToken { person, kind, label, expires_at, invitation } = new;
    rights::lock_person(connection, person).await?;
    if *kind == TokenKind::Api {
        let query = sqlx::query(COUNT).bind(person.as_str()).bind(kind.name());
        let row = query.bind(now.millis()).fetch_one(&mut *connection).await?;
        if row.number("many")? >= MOST_API_TOKENS {
            return Err(AccessRefusal::TooManyTokens { allowed: MOST_API_TOKENS }.into());
        }
    }
    let (id, token) = (TokenId::random()?, Token::random()?);
    let query = sqlx::query(INSERT_TOKEN).bind(id.as_str()).bind(hash(token.reveal()));
    let query = query.bind(person.as_str()).bind(kind.name()).bind(tidy("label", label)?);
    let query = query.bind(now.millis()).bind(expires_at.millis());
    let query = query.bind(invitation.map(ToString::to_string));
    query.execute(&mut *connection).await?;
    if *kind == TokenKind::Session {
        let query = sqlx::query(END_OLDEST_SESSIONS).bind(person.as_str()).bind(now.millis());
        query.bind(id.as_str()).bind(MOST_SESSIONS).execute(connection).await?;
    }
    Ok((id, token))
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
