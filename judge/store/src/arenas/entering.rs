//! Entry of bots and new versions.

use judge_runner::base::names::folded;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use super::bots::LadderBot;
use crate::archive::ChangedPart;
use crate::basics::error::Error;
use crate::basics::id::{ArenaId, BotId, PersonId, SubmissionId, VersionId};
use crate::basics::ladder_refusal::LadderRefusal;
use crate::basics::time::{DAY, Timestamp};
use crate::names::tidy;
use crate::names::{Look, check_free};
use crate::people::taken;
use crate::results::ResultState;
use crate::role::Role;
use crate::row::Columns as _;
use crate::store::Store;

/// Most bots of a person or a group in an arena.
pub const MOST_BOTS: i64 = 5;

/// Most versions that a person or a group can enter in an arena within 24 hours.
pub const MOST_VERSIONS: i64 = 30;

/// Length of the longest name of a bot, in characters.
const LONGEST: usize = 40;

// Locks the person's row, so that the later of two simultaneous entries sees the earlier one.
const LOCK: &str = "UPDATE membership SET role = role WHERE person = $2 \
    AND course = (SELECT course FROM arena WHERE id = $1)";
const COURSE: &str = "SELECT course FROM arena WHERE id = $1";
const NAMES: &str = "SELECT name, owner FROM ladder_bot WHERE arena = $1";
const TERMS: &str = "SELECT a.state, a.game, a.course, m.role, s.closing_at FROM arena a \
    JOIN season s ON s.arena = a.id AND s.number = a.season \
    LEFT JOIN membership m ON m.course = a.course AND m.person = $2 WHERE a.id = $1";
// Former members of a group cannot enter its submissions.
const FITTING: &str = "SELECT s.module, s.owner, u.game, u.course, r.state \
    FROM submission s JOIN suite u ON u.id = s.suite JOIN module m ON m.hash = s.module \
    JOIN result r ON r.submission = s.id \
    JOIN suite_generation g ON g.suite = r.suite AND g.generation = r.generation \
    WHERE s.id = $1 AND m.bytes IS NOT NULL AND (s.owner = $2 OR s.owner IN (\
        SELECT group_id FROM group_member WHERE person = $2 AND left_at IS NULL)) \
    ORDER BY g.discarded, CASE WHEN r.generation <= u.shown THEN 0 ELSE 1 END, \
    ABS(r.generation - u.shown) LIMIT 1";
const BY_NAME: &str = "SELECT b.id, b.owner, b.newest, b.withdrawn_at, v.player \
    FROM ladder_bot b JOIN ladder_version v ON v.bot = b.id AND v.number = b.newest \
    WHERE b.arena = $1 AND b.name_key = $2";
const BOTS: &str = "SELECT COUNT(*) AS many FROM ladder_bot \
    WHERE arena = $1 AND owner = $2 AND withdrawn_at IS NULL";
const VERSIONS: &str = "SELECT COUNT(*) AS many FROM ladder_version v \
    JOIN ladder_bot b ON b.id = v.bot \
    WHERE b.arena = $1 AND b.owner = $2 AND v.entered_at > $3";
const INSERT: &str = "INSERT INTO ladder_bot (id, arena, person, name, name_key, newest, \
    entered_at, back_after, owner) VALUES ($1, $2, $3, $4, $5, 0, $6, 0, $7)";
const INSERT_VERSION: &str = "INSERT INTO ladder_version \
    (id, bot, number, submission, module, player, entered_at) VALUES ($1, $2, $3, $4, $5, $5, $6)";
const NEWEST: &str = "UPDATE ladder_bot SET newest = $2, withdrawn_at = NULL, benched_at = NULL, \
    name = $3 WHERE id = $1";
const AGAIN: &str = "UPDATE ladder_bot SET withdrawn_at = NULL, benched_at = NULL, \
    back_after = (SELECT pairs FROM arena WHERE id = ladder_bot.arena) WHERE id = $1";

impl Store {
    /// Enters a graded submission as the newest version of the bot with that name. The bot of a
    /// group's submission is the group's.
    ///
    /// # Errors
    /// [`Error::Ladder`] when the arena's rules forbid it, [`Error::Taken`] when another person has
    /// the name; when it cannot be used, or the database fails.
    pub async fn enter_bot(
        &self,
        arena: &ArenaId,
        person: &PersonId,
        (name, submission): (&str, &SubmissionId),
        now: Timestamp,
    ) -> Result<LadderBot, Error> {
        let chosen = name;
        let name = bot_name(name)?;
        // Names of members and bots are compared with each other, which needs this lock, too.
        let mut transaction = self.change(ChangedPart::Arena(arena)).await?;
        let (owner, module) = check(&mut transaction, (arena, person), submission).await?;
        let who = BotAuthor { arena, person, owner: &owner };
        let query = sqlx::query(BY_NAME).bind(arena.as_str()).bind(folded(&name));
        let known = query.fetch_optional(&mut *transaction).await?;
        let id = match &known {
            Some(row) if row.maybe_text("owner")?.as_ref() != Some(&owner) => {
                return Err(Error::Taken { what: "bot", value: name });
            }
            Some(row) if row.text("player")? == module => again(&mut transaction, who, row).await?,
            known => {
                if known.is_none() {
                    check_name(&mut transaction, who, chosen).await?;
                }
                let number = known.as_ref().map_or(Ok(0), |row| row.number("newest"))? + 1;
                let id = room(&mut transaction, who, (known.as_ref(), &name), now).await?;
                let new = (&id, number, submission, module.as_str());
                add_version(&mut transaction, new, &name, now).await?;
                id
            }
        };
        transaction.commit().await?;
        let missing = || Error::Missing { what: "bot", value: id.to_string() };
        self.ladder_bot(&id).await?.ok_or_else(missing)
    }
}

/// The person who enters a bot, and the person or group that it will belong to.
#[derive(Clone, Copy)]
struct BotAuthor<'a> {
    arena: &'a ArenaId,
    person: &'a PersonId,
    owner: &'a str,
}

/// Checks and tidies a bot's name.
fn bot_name(name: &str) -> Result<String, Error> {
    let name = tidy("bot", name)?;
    match name.chars().count() {
        0..=LONGEST => Ok(name),
        _ => Err(Error::Name { what: "bot", value: name, why: "it is longer than 40 characters" }),
    }
}

/// Fails with [`Error::Taken`] if readers could confuse the name of a new bot with that of another
/// bot or member.
async fn check_name(
    connection: &mut AnyConnection,
    BotAuthor { arena, person, owner }: BotAuthor<'_>,
    name: &str,
) -> Result<(), Error> {
    let rows = sqlx::query(NAMES).bind(arena.as_str()).fetch_all(&mut *connection).await?;
    let look = Look::from_name(name);
    for row in rows {
        let other = Look::from_name(&row.text("name")?);
        let is_alike = look.as_ref().zip(other).is_some_and(|(one, other)| one.resembles(&other));
        if is_alike && row.maybe_text("owner")?.as_deref() != Some(owner) {
            return Err(Error::Taken { what: "bot", value: bot_name(name)? });
        }
    }
    let row = sqlx::query(COURSE).bind(arena.as_str()).fetch_one(&mut *connection).await?;
    check_free(connection, &row.parsed("course")?, Some(person), ("bot", name)).await
}

/// Checks that a person may enter a submission, and returns its owner and the hash of its module.
async fn check(
    connection: &mut AnyConnection,
    (arena, person): (&ArenaId, &PersonId),
    submission: &SubmissionId,
) -> Result<(String, String), Error> {
    let both = |sql| sqlx::query(sql).bind(arena.to_string()).bind(person.to_string());
    both(LOCK).execute(&mut *connection).await?;
    let row = both(TERMS).fetch_optional(&mut *connection).await?;
    let missing = || Error::Missing { what: "arena", value: arena.to_string() };
    let terms = row.ok_or_else(missing)?;
    match terms.maybe_parsed::<Role>("role")? {
        None | Some(Role::Observer) => return Err(LadderRefusal::NotAMember.into()),
        Some(Role::Student | Role::Assistant | Role::Instructor) => {}
    }
    if terms.text("state")? == "closed" {
        return Err(LadderRefusal::NotOpen.into());
    }
    if terms.maybe_number("closing_at")?.is_some() {
        return Err(LadderRefusal::Ending.into());
    }
    let query = sqlx::query(FITTING).bind(submission.as_str()).bind(person.as_str());
    let row = query.fetch_optional(connection).await?.ok_or(LadderRefusal::NotFitting)?;
    let (game, games) = (terms.text("game")?, row.text("game")?);
    let fits = games.split(", ").any(|one| one == game)
        && row.text("course")? == terms.text("course")?
        && row.parsed::<ResultState>("state")? == ResultState::Graded;
    match fits {
        true => Ok((row.text("owner")?, row.text("module")?)),
        false => Err(LadderRefusal::NotFitting.into()),
    }
}

/// Brings a withdrawn bot back when its newest version is entered again; refuses if it is active.
async fn again(
    connection: &mut AnyConnection,
    who: BotAuthor<'_>,
    row: &AnyRow,
) -> Result<BotId, Error> {
    if row.maybe_number("withdrawn_at")?.is_none() {
        return Err(LadderRefusal::SameModule.into());
    }
    few_bots(connection, who).await?;
    let id: BotId = row.parsed("id")?;
    sqlx::query(AGAIN).bind(id.as_str()).execute(connection).await?;
    Ok(id)
}

async fn few_bots(connection: &mut AnyConnection, who: BotAuthor<'_>) -> Result<(), Error> {
    let query = sqlx::query(BOTS).bind(who.arena.as_str()).bind(who.owner.to_owned());
    let bots = query.fetch_one(connection).await?.number("many")?;
    match bots >= MOST_BOTS {
        true => Err(LadderRefusal::TooManyBots { allowed: MOST_BOTS }.into()),
        false => Ok(()),
    }
}

/// Finds or creates the bot that gets a new version, within the bounds for its author.
async fn room(
    connection: &mut AnyConnection,
    who: BotAuthor<'_>,
    (known, name): (Option<&AnyRow>, &str),
    now: Timestamp,
) -> Result<BotId, Error> {
    let BotAuthor { arena, person, owner } = who;
    let query = sqlx::query(VERSIONS).bind(arena.as_str()).bind(owner.to_owned());
    let query = query.bind(now.before(DAY).millis());
    if query.fetch_one(&mut *connection).await?.number("many")? >= MOST_VERSIONS {
        return Err(LadderRefusal::TooManyVersions { allowed: MOST_VERSIONS }.into());
    }
    let is_in = match known {
        Some(row) => row.maybe_number("withdrawn_at")?.is_none(),
        None => false,
    };
    if !is_in {
        few_bots(connection, who).await?;
    }
    if let Some(row) = known {
        return Ok(row.parsed("id")?);
    }
    let id = BotId::random()?;
    let query = sqlx::query(INSERT).bind(id.as_str()).bind(arena.as_str()).bind(person.as_str());
    let query = query.bind(name).bind(folded(name)).bind(now.millis()).bind(owner.to_owned());
    taken(query.execute(connection).await, "bot", name)?;
    Ok(id)
}

async fn add_version(
    connection: &mut AnyConnection,
    (bot, number, submission, module): (&BotId, i64, &SubmissionId, &str),
    name: &str,
    now: Timestamp,
) -> Result<(), Error> {
    let query = sqlx::query(INSERT_VERSION).bind(VersionId::random()?.to_string());
    let query = query.bind(bot.as_str()).bind(number).bind(submission.as_str());
    query.bind(module).bind(now.millis()).execute(&mut *connection).await?;
    let query = sqlx::query(NEWEST).bind(bot.as_str()).bind(number).bind(name);
    query.execute(connection).await?;
    Ok(())
}
