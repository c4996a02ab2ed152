//! Invitations: links with which a person joins a course or signs in. The rights of a link are
//! checked when it is used, not when it is created.

use judge_runner::base::names::folded;
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, Transaction};

use crate::access::{self, NewToken, Token, TokenKind, hash};
use crate::account_events::{AccountEventKind, Note, note};
use crate::archive::{self, ChangedPart};
use crate::audit::{About, Act};
use crate::basics::error::Error;
use crate::basics::id::{CourseId, InvitationId, PersonId, TokenId};
use crate::basics::invitation_fault::InvitationFault;
use crate::basics::time::Timestamp;
use crate::names;
use crate::names::tidy;
use crate::people::{
    Joining, Listed, NewPerson, insert_person, join, refuse_known_number, with_address,
};
use crate::rights::{self, KeptAccess, OpenLinks};
use crate::role::Role;
use crate::row::{Columns as _, words};
use crate::store::Store;

/// A new invitation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewInvitation {
    /// The course; without one, the person who uses it may create courses.
    pub course: Option<CourseId>,
    /// The role there.
    pub role: Role,
    /// The person whom it is for; without one, it creates a new person.
    pub person: Option<PersonId>,
    /// Their name and number by the list of the course.
    pub listed: Option<Listed>,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// The instructor who creates a link.
#[derive(Debug, Clone, Copy)]
pub struct LinkMaker<'a> {
    /// The person.
    pub person: &'a PersonId,
    /// Their session or API token, if they act in one. If it came from a link, the new link ends
    /// together with the access that this one gave.
    pub session: Option<&'a TokenId>,
}

/// An invitation without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// Id.
    pub id: InvitationId,
    /// The course, if the invitation is to one.
    pub course: Option<CourseId>,
    /// The role that it gives.
    pub role: Role,
    /// The person whom it is for, if any.
    pub person: Option<PersonId>,
    /// Their name and number by the list of the course.
    pub listed: Option<Listed>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
    /// When it was used.
    pub used_at: Option<Timestamp>,
    /// The person who used it.
    pub used_by: Option<PersonId>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// The instructor who created it; none for the operator.
    pub made_by: Option<PersonId>,
    /// The accounts that it signs in to.
    pub reach: Reach,
}

words! {
    /// The accounts that a link for a person signs in to. Every link adds a membership for a
    /// signed-in person.
    Reach {
        /// Any account: a link by the operator or an administrator.
        Any = "any",
        /// An account that is only in the link's course and has no other way to sign in.
        Course = "course",
        /// None: the person has signed in by other means since the link was created.
        None = "none",
    }
}

/// The browser in which an invitation is accepted.
#[derive(Debug, Clone, Copy)]
pub enum Visitor<'a> {
    /// A person is signed in.
    SignedIn {
        /// The person.
        person: &'a PersonId,
        /// Their session.
        session: &'a TokenId,
    },
    /// The browser has no session; accepting begins one.
    SignedOut {
        /// Name of the person, for a link without a name.
        name: &'a str,
        /// When the session ends.
        session_ends_at: Timestamp,
    },
}

/// The result of an accepted invitation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invited {
    /// The person who accepted.
    pub person: PersonId,
    /// The course, if the invitation was to one.
    pub course: Option<CourseId>,
    /// The role that they got.
    pub role: Role,
    /// The new session; none in a browser in which they were already signed in.
    pub session: Option<Token>,
}

const INVITE: &str = "INSERT INTO invitation \
    (id, hash, course, role, person, created_at, expires_at, made_by, reach, name, number, made_in) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, \
    (SELECT t.invitation FROM token t WHERE t.id = $12))";
const INVITATION: &str = "SELECT * FROM invitation WHERE hash = $1";
const INVITATIONS: &str = "SELECT * FROM invitation WHERE course = $1 ORDER BY created_at DESC, id";
const USE_UP: &str = "UPDATE invitation SET used_at = $2, used_by = $3 \
    WHERE hash = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $2";
const TAKE_BACK: &str = "UPDATE invitation SET revoked_at = $3 \
    WHERE id = $1 AND course = $2 AND used_at IS NULL AND revoked_at IS NULL";
const TAKE_BACK_ALL: &str = "UPDATE invitation SET revoked_at = $3 WHERE course = $1 \
    AND ($2 = '' OR person = $2) AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $3";
const END_ADMINISTRATORS_LINKS: &str = "UPDATE invitation SET revoked_at = $1 \
    WHERE course IS NULL AND used_at IS NULL AND revoked_at IS NULL";
const INSERT_PERSON: &str = "INSERT INTO person \
    (id, name, folded_name, administrator, created_at) VALUES ($1, $2, $3, 0, $4)";
const NAME: &str = "SELECT name FROM person WHERE id = $1";
const RENAME_UNUSED: &str = "UPDATE person SET name = $2, folded_name = $3, number = $4 \
    WHERE id = $1 AND administrator = 0 \
    AND NOT EXISTS (SELECT 1 FROM identity i WHERE i.person = person.id) \
    AND NOT EXISTS (SELECT 1 FROM membership m WHERE m.person = person.id) \
    AND NOT EXISTS (SELECT 1 FROM account_event e WHERE e.person = person.id \
    AND e.kind = 'joined')";
const MAKE_ADMINISTRATOR: &str = "UPDATE person SET administrator = 1 WHERE id = $1";
// A former member of another course counts as one: their work is still there. So does a person whom
// another course was the first to invite, while that invitation can be used.
const BEYOND_COURSE: &str = "SELECT 1 FROM person p WHERE p.id = $1 AND (p.administrator = 1 \
    OR EXISTS (SELECT 1 FROM identity i WHERE i.person = p.id) \
    OR EXISTS (SELECT 1 FROM membership m WHERE m.person = p.id AND m.course <> $2) \
    OR EXISTS (SELECT 1 FROM account_event e WHERE e.person = p.id AND e.kind = 'joined' \
    AND e.course <> $2) \
    OR EXISTS (SELECT 1 FROM invitation i WHERE i.person = p.id AND i.course <> $2 \
    AND i.used_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > $3 \
    AND NOT EXISTS (SELECT 1 FROM invitation o WHERE o.person = p.id AND o.course = $2 \
    AND o.revoked_at IS NULL AND (o.used_at IS NOT NULL OR o.expires_at > $3) \
    AND o.created_at <= i.created_at)))";

impl Store {
    /// Creates an invitation for the operator, and returns the secret for its link.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn invite(
        &self,
        new: &NewInvitation,
        now: Timestamp,
    ) -> Result<(InvitationId, Token), Error> {
        self.insert_invitation(new, None, now).await
    }

    /// Creates an invitation in the name of an instructor, and returns the secret for its link.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn invite_as(
        &self,
        maker: LinkMaker<'_>,
        new: &NewInvitation,
        now: Timestamp,
    ) -> Result<(InvitationId, Token), Error> {
        self.insert_invitation(new, Some(maker), now).await
    }

    async fn insert_invitation(
        &self,
        new: &NewInvitation,
        maker: Option<LinkMaker<'_>>,
        now: Timestamp,
    ) -> Result<(InvitationId, Token), Error> {
        let mut transaction = self.invite_to(new.course.as_ref()).await?;
        let made = insert(&mut transaction, new, maker, now).await?;
        self.log_invited(&mut transaction, new, 1).await?;
        transaction.commit().await?;
        Ok(made)
    }

    /// Logs that links to a course were made.
    pub(crate) async fn log_invited(
        &self,
        connection: &mut AnyConnection,
        new: &NewInvitation,
        many: usize,
    ) -> Result<(), Error> {
        let detail = format!("{many} as {}", new.role);
        let about = new.course.as_ref().map_or(About::Account, About::Course);
        self.log(connection, Act::Invited, about, (new.person.as_ref(), &detail)).await
    }

    /// Begins a transaction that invites people to a course, or to the server.
    pub(crate) async fn invite_to(
        &self,
        course: Option<&CourseId>,
    ) -> Result<Transaction<'static, Any>, Error> {
        match course {
            Some(course) => self.change(ChangedPart::Course(course)).await,
            None => self.begin().await,
        }
    }

    /// Invites the people of a list, all or none, and returns the secrets for their links in the
    /// same order. A person with a known address is not added again. Without a maker, the operator
    /// invites.
    ///
    /// # Errors
    /// When a name or an address cannot be used, or the database fails.
    pub async fn invite_people(
        &self,
        maker: Option<LinkMaker<'_>>,
        new: &NewInvitation,
        people: &[NewPerson],
        now: Timestamp,
    ) -> Result<Vec<Token>, Error> {
        let mut transaction = self.invite_to(new.course.as_ref()).await?;
        let mut secrets = Vec::new();
        for one in people {
            secrets.push(insert_listed(&mut transaction, (maker, new), one, now).await?.2);
        }
        self.log_invited(&mut transaction, new, people.len()).await?;
        transaction.commit().await?;
        Ok(secrets)
    }

    /// The invitation with that secret, if it can be used. Reading it does not use it up.
    ///
    /// # Errors
    /// When it cannot be used, or the database fails.
    pub async fn invitation(&self, secret: &str, now: Timestamp) -> Result<Invitation, Error> {
        let mut connection = self.pool.acquire().await?;
        usable(&mut connection, secret, now).await
    }

    /// True if an invitation signs a browser without a session in to the account that it is for.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn signs_in(&self, invitation: &Invitation, now: Timestamp) -> Result<bool, Error> {
        let mut connection = self.pool.acquire().await?;
        signs_in(&mut connection, invitation, now).await
    }

    /// True if an account reaches beyond a course: it is or was in another one, was first invited
    /// to another one, is linked to an issuer, or may create courses. Links by instructors do not
    /// sign in to such an account.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn is_beyond(
        &self,
        course: &CourseId,
        person: &PersonId,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let mut connection = self.pool.acquire().await?;
        is_beyond(&mut connection, course, person, now).await
    }

    /// Uses an invitation: as the person whom it is for, as the signed-in visitor, or as a new
    /// person. Of several simultaneous uses, one succeeds. Other links for the same person do not
    /// sign in any more.
    ///
    /// # Errors
    /// When the invitation or the name cannot be used, or the database fails.
    pub async fn use_invitation(
        &self,
        secret: &str,
        visitor: Visitor<'_>,
        now: Timestamp,
    ) -> Result<Invited, Error> {
        let found = self.invitation(secret, now).await?;
        let mut transaction = self.begin().await?;
        // After an error, the transaction is rolled back when it is dropped.
        let accepted = accept(&mut transaction, (&found, secret), visitor, now).await?;
        transaction.commit().await?;
        Ok(accepted)
    }

    /// The invitations to a course, the newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn invitations(&self, course: &CourseId) -> Result<Vec<Invitation>, Error> {
        let rows = sqlx::query(INVITATIONS).bind(course.as_str()).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(invitation).collect::<Result<_, _>>()?)
    }

    /// Revokes an invitation to a course; false if it was used or does not exist.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn take_back(
        &self,
        course: &CourseId,
        id: &InvitationId,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let mut transaction = self.change(ChangedPart::Course(course)).await?;
        let query = sqlx::query(TAKE_BACK).bind(id.as_str()).bind(course.as_str());
        let done = query.bind(now.millis()).execute(&mut *transaction).await?.rows_affected();
        self.log_revoked(&mut transaction, course, (None, done)).await?;
        transaction.commit().await?;
        Ok(done > 0)
    }

    /// Revokes all open invitations to a course, or all those for a person, and returns their
    /// number.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn take_back_all(
        &self,
        course: &CourseId,
        person: Option<&PersonId>,
        now: Timestamp,
    ) -> Result<u64, Error> {
        let whose = person.map_or("", PersonId::as_str).to_owned();
        let mut transaction = self.change(ChangedPart::Course(course)).await?;
        let query = sqlx::query(TAKE_BACK_ALL).bind(course.as_str()).bind(whose);
        let done = query.bind(now.millis()).execute(&mut *transaction).await?.rows_affected();
        self.log_revoked(&mut transaction, course, (person, done)).await?;
        transaction.commit().await?;
        Ok(done)
    }

    /// Logs that links to a course were revoked, if there were any.
    async fn log_revoked(
        &self,
        connection: &mut AnyConnection,
        course: &CourseId,
        (person, many): (Option<&PersonId>, u64),
    ) -> Result<(), Error> {
        if many == 0 {
            return Ok(());
        }
        let (about, detail) = (About::Course(course), many.to_string());
        self.log(connection, Act::LinksRevoked, about, (person, &detail)).await
    }
}

/// Creates an invitation in the caller's transaction.
pub(crate) async fn insert(
    connection: &mut AnyConnection,
    new: &NewInvitation,
    maker: Option<LinkMaker<'_>>,
    now: Timestamp,
) -> Result<(InvitationId, Token), Error> {
    let (id, token) = (InvitationId::random()?, Token::random()?);
    let reach = match maker {
        Some(maker) if !rights::is_administrator(connection, maker.person).await? => Reach::Course,
        _ => Reach::Any,
    };
    let query = sqlx::query(INVITE).bind(id.as_str()).bind(hash(token.reveal()));
    let query = query.bind(new.course.as_ref().map(ToString::to_string));
    let query = query.bind(new.role.name());
    let query = query.bind(new.person.as_ref().map(ToString::to_string));
    let query = query.bind(now.millis()).bind(new.expires_at.millis());
    let query = query.bind(maker.map(|maker| maker.person.to_string())).bind(reach.name());
    let listed = new.listed.as_ref();
    let query = query.bind(listed.map(|listed| listed.name.clone()));
    let query = query.bind(listed.and_then(|listed| listed.number.clone()));
    let query = query.bind(maker.and_then(|maker| maker.session).map(ToString::to_string));
    query.execute(&mut *connection).await?;
    if let Some(person) = &new.person {
        let kind = AccountEventKind::LinkMade;
        let (course, role) = (new.course.as_ref(), Some(new.role));
        note(
            connection,
            person,
            Note { kind, course, role, by: maker.map(|maker| maker.person) },
            now,
        )
        .await?;
    }
    Ok((id, token))
}

/// Invites a person of a list in the caller's transaction, and adds the account if the address is new.
pub(crate) async fn insert_listed(
    connection: &mut AnyConnection,
    (maker, new): (Option<LinkMaker<'_>>, &NewInvitation),
    one: &NewPerson,
    now: Timestamp,
) -> Result<(PersonId, InvitationId, Token), Error> {
    let person = match &one.address {
        Some(address) => with_address(connection, address).await?,
        None => None,
    };
    let person = match person {
        Some(person) => person,
        None => insert_person(connection, one, now).await?,
    };
    let number = one.number.as_deref().map(|text| tidy("number", text)).transpose()?;
    if let Some(course) = &new.course {
        refuse_known_number(connection, course, &person.id, number.as_deref()).await?;
    }
    let listed = Some(Listed { name: tidy("name", &one.name)?, number });
    let new = NewInvitation { person: Some(person.id.clone()), listed, ..new.clone() };
    let (invitation, secret) = insert(connection, &new, maker, now).await?;
    Ok((person.id, invitation, secret))
}

/// Accepts an invitation in the caller's transaction.
async fn accept(
    connection: &mut AnyConnection,
    (found, secret): (&Invitation, &str),
    visitor: Visitor<'_>,
    now: Timestamp,
) -> Result<Invited, Error> {
    if let Some(course) = &found.course {
        archive::lock_open(connection, ChangedPart::Course(course)).await?;
    }
    let person = match (&found.person, visitor) {
        (Some(meant), Visitor::SignedIn { person, .. }) if meant != person => {
            return Err(InvitationFault::ForAnother.into());
        }
        (Some(person), _) | (None, Visitor::SignedIn { person, .. }) => person.clone(),
        (None, Visitor::SignedOut { name, .. }) => {
            add(connection, found.course.as_ref(), name, now).await?
        }
    };
    rights::lock_person(connection, &person).await?;
    // Read again, because it may have changed before the locks were held.
    let found = usable(connection, secret, now).await?;
    match visitor {
        Visitor::SignedIn { session, .. } => {
            if rights::live(connection, &person, session, now).await?.is_none() {
                return Err(InvitationFault::SignedOut.into());
            }
        }
        Visitor::SignedOut { .. } => {
            if found.person.is_some() && !signs_in(connection, &found, now).await? {
                return Err(InvitationFault::NeedsOwnSession.into());
            }
        }
    }
    let query = sqlx::query(USE_UP).bind(hash(secret)).bind(now.millis());
    let done = query.bind(person.as_str()).execute(&mut *connection).await?;
    if done.rows_affected() == 0 {
        return Err(InvitationFault::Used.into());
    }
    let role = grant(connection, &found, &person, visitor, now).await?;
    let session = begin_session(connection, &found, &person, visitor, now).await?;
    Ok(Invited { person, course: found.course, role, session })
}

/// Applies an invitation to a person, and returns their new role. Other open links for them do not
/// sign in any more.
async fn grant(
    connection: &mut AnyConnection,
    found: &Invitation,
    person: &PersonId,
    visitor: Visitor<'_>,
    now: Timestamp,
) -> Result<Role, Error> {
    let session = match visitor {
        Visitor::SignedIn { session, .. } => Some(session),
        Visitor::SignedOut { .. } => None,
    };
    let mut role = found.role;
    match &found.course {
        Some(course) => {
            // A link never lowers a role.
            if let Some(old) = rights::role(connection, course, person).await? {
                role = role.or_more(old);
            }
            let by = found.made_by.as_ref();
            let listed = match &found.listed {
                Some(listed) => {
                    rename_unused(connection, person, listed).await?;
                    Some(listed.clone())
                }
                None => by_own_name(connection, course, person).await?,
            };
            let keep = KeptAccess::session(session);
            join(connection, Joining { course, person, role, keep, by, listed }, now).await?;
        }
        None => make_administrator(connection, person, session, now).await?,
    }
    rights::limit_links(connection, person).await?;
    Ok(role)
}

/// Gives an unused account the name and number on the list of the course that it joins first,
/// because another course may have created the account with other ones.
async fn rename_unused(
    connection: &mut AnyConnection,
    person: &PersonId,
    listed: &Listed,
) -> Result<(), Error> {
    let query = sqlx::query(RENAME_UNUSED).bind(person.as_str()).bind(listed.name.clone());
    let query = query.bind(folded(&listed.name)).bind(listed.number.clone());
    query.execute(connection).await?;
    Ok(())
}

/// The record of a new member who joins by a link without a name: the name of the account, which
/// must not be that of another member, and no number, because the course has listed none.
async fn by_own_name(
    connection: &mut AnyConnection,
    course: &CourseId,
    person: &PersonId,
) -> Result<Option<Listed>, Error> {
    if rights::role(connection, course, person).await?.is_some() {
        return Ok(None);
    }
    let row = sqlx::query(NAME).bind(person.as_str()).fetch_one(&mut *connection).await?;
    let name = row.text("name")?;
    // The account has the name already, so it may look like a role.
    let free = names::check_free(connection, course, Some(person), ("account", &name)).await;
    free.map_err(|error| match error {
        Error::Taken { value, .. } => Error::Taken { what: "name", value },
        Error::Name { value, why, .. } => Error::Name { what: "name", value, why },
        error => error,
    })?;
    Ok(Some(Listed { name, number: None }))
}

/// Lets a person create courses, and ends all access that could have been prepared before, as well
/// as other links that make an administrator.
async fn make_administrator(
    connection: &mut AnyConnection,
    person: &PersonId,
    session: Option<&TokenId>,
    now: Timestamp,
) -> Result<(), Error> {
    let keep = KeptAccess::session(session);
    rights::end_access(connection, person, keep, OpenLinks::Revoked, now).await?;
    sqlx::query(MAKE_ADMINISTRATOR).bind(person.as_str()).execute(&mut *connection).await?;
    let query = sqlx::query(END_ADMINISTRATORS_LINKS).bind(now.millis());
    query.execute(&mut *connection).await?;
    note(connection, person, Note::new(AccountEventKind::Administrator), now).await
}

/// Begins a session in a browser without one, and records it for the person.
async fn begin_session(
    connection: &mut AnyConnection,
    found: &Invitation,
    person: &PersonId,
    visitor: Visitor<'_>,
    now: Timestamp,
) -> Result<Option<Token>, Error> {
    let Visitor::SignedOut { session_ends_at: expires_at, .. } = visitor else { return Ok(None) };
    let (kind, label) = (TokenKind::Session, "browser");
    let invitation = Some(&found.id);
    let new = NewToken { person, kind, label, expires_at, invitation };
    let (_, session) = access::insert(connection, &new, now).await?;
    if found.person.is_some() {
        let (course, by) = (found.course.as_ref(), found.made_by.as_ref());
        let event = Note { course, by, ..Note::new(AccountEventKind::LinkUsed) };
        note(connection, person, event, now).await?;
    }
    Ok(Some(session))
}

/// Adds a new person without an address. They typed the name themselves, so it must not be that of
/// a member of the course.
async fn add(
    connection: &mut AnyConnection,
    course: Option<&CourseId>,
    name: &str,
    now: Timestamp,
) -> Result<PersonId, Error> {
    if let Some(course) = course {
        names::check_free(connection, course, None, ("name", name)).await?;
    }
    let id = PersonId::random()?;
    let name = tidy("name", name)?;
    let query = sqlx::query(INSERT_PERSON).bind(id.as_str()).bind(name.clone());
    query.bind(folded(&name)).bind(now.millis()).execute(connection).await?;
    Ok(id)
}

/// The invitation with that secret, if it can be used now: its maker must still be an instructor of
/// the course.
async fn usable(
    connection: &mut AnyConnection,
    secret: &str,
    now: Timestamp,
) -> Result<Invitation, Error> {
    let query = sqlx::query(INVITATION).bind(hash(secret));
    let Some(row) = query.fetch_optional(&mut *connection).await? else {
        return Err(InvitationFault::Unknown.into());
    };
    let found = invitation(&row)?;
    if found.used_at.is_some() {
        return Err(InvitationFault::Used.into());
    }
    if found.revoked_at.is_some() {
        return Err(InvitationFault::Revoked.into());
    }
    if found.expires_at <= now {
        return Err(InvitationFault::Expired.into());
    }
    if let (Some(maker), Some(course)) = (&found.made_by, &found.course)
        && rights::role(connection, course, maker).await? != Some(Role::Instructor)
    {
        return Err(InvitationFault::Revoked.into());
    }
    Ok(found)
}

async fn signs_in(
    connection: &mut AnyConnection,
    found: &Invitation,
    now: Timestamp,
) -> Result<bool, Error> {
    let (Some(person), Some(course)) = (&found.person, &found.course) else {
        return Ok(found.reach == Reach::Any);
    };
    Ok(match found.reach {
        Reach::Any => true,
        Reach::Course => !is_beyond(connection, course, person, now).await?,
        Reach::None => false,
    })
}

async fn is_beyond(
    connection: &mut AnyConnection,
    course: &CourseId,
    person: &PersonId,
    now: Timestamp,
) -> Result<bool, Error> {
    let query = sqlx::query(BEYOND_COURSE).bind(person.as_str()).bind(course.as_str());
    let query = query.bind(now.millis());
    Ok(query.fetch_optional(connection).await?.is_some())
}

fn invitation(row: &AnyRow) -> Result<Invitation, sqlx::Error> {
    Ok(Invitation {
        id: row.parsed("id")?,
        course: row.maybe_parsed("course")?,
        role: row.parsed("role")?,
        person: row.maybe_parsed("person")?,
        listed: match row.maybe_text("name")? {
            Some(name) => Some(Listed { name, number: row.maybe_text("number")? }),
            None => None,
        },
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
        used_at: row.maybe_time("used_at")?,
        used_by: row.maybe_parsed("used_by")?,
        revoked_at: row.maybe_time("revoked_at")?,
        made_by: row.maybe_parsed("made_by")?,
        reach: row.parsed("reach")?,
    })
}
