//! The bots of an arena. Entering one makes it public in the course: others may challenge it and
//! play against it, but its module is not published.

use judge_core::Digest;
use sqlx::any::AnyRow;

use crate::archive::ChangedPart;
use crate::basics::error::Error;
use crate::basics::id::{ArenaId, BotId, PersonId, SubmissionId, VersionId};
use crate::basics::time::Timestamp;
use crate::owner::{self, Owner};
use crate::role::Role;
use crate::row::Columns as _;
use crate::store::Store;

/// The status of a bot in its arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BotStatus {
    /// It plays.
    Active,
    /// It failed too often in one seat, and does not play until its author brings it back.
    Benched(Timestamp),
    /// Its author took it out, or left the course; or all members left the group.
    Withdrawn,
}

/// A version of a bot, which never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldVersion {
    /// Id.
    pub id: VersionId,
    /// Its number, from 1.
    pub number: i64,
    /// The submission; none for a reference opponent.
    pub submission: Option<SubmissionId>,
    /// SHA-256 of the module; none for a reference opponent.
    pub module: Option<Digest>,
    /// The rated player: the module's hash, or the name of a reference opponent.
    pub player: String,
    /// When it was entered.
    pub entered_at: Timestamp,
}

/// A version with the data that ratings need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RatedVersion {
    /// The bot.
    pub bot: BotId,
    /// The version.
    pub version: HeldVersion,
    /// The number, in the arena's order, up to which pairs with a fault of this version leave the
    /// ratings: the latest pair when it was benched, and all pairs of a withdrawn bot.
    pub faults_out: i64,
}

/// A bot in an arena, with its newest version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LadderBot {
    /// Id.
    pub id: BotId,
    /// The arena.
    pub arena: ArenaId,
    /// Its author; none for a reference opponent.
    pub person: Option<PersonId>,
    /// The person or the group that it belongs to; none for a reference opponent.
    pub owner: Option<Owner>,
    /// Its name, unique in the arena.
    pub name: String,
    /// Real name of the person, shown to the course only if `shows_real_name`; for a group, those
    /// of its members.
    pub real_name: Option<String>,
    /// The person's name on scoreboards; for a group, the names that its members show.
    pub pseudonym: Option<String>,
    /// True if the real name is shown to the course.
    pub shows_real_name: bool,
    /// The author's role in the course; none for a reference opponent, or if the author left, or all
    /// members of the group.
    pub role: Option<Role>,
    /// The status.
    pub status: BotStatus,
    /// When it was first entered.
    pub entered_at: Timestamp,
    /// The newest version.
    pub newest: HeldVersion,
}

impl LadderBot {
    /// True for a reference opponent.
    pub fn is_reference(&self) -> bool {
        self.person.is_none()
    }

    /// True if others may challenge it and play against it.
    pub fn is_public(&self) -> bool {
        self.status != BotStatus::Withdrawn
    }
}

/// A public bot's module, for a game against it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicBot {
    /// The bot.
    pub bot: BotId,
    /// Its name.
    pub name: String,
    /// The arena that it is in.
    pub arena: ArenaId,
    /// The game.
    pub game: String,
    /// Its newest version.
    pub version: HeldVersion,
    /// The module; none for a reference opponent.
    pub module: Option<Vec<u8>>,
}

/// A query for bots with their newest versions and authors.
macro_rules! bots {
    ($rest:literal) => {
        concat!(
            "SELECT b.*, v.id AS version, v.number, v.submission, v.module, v.player, \
             v.entered_at AS version_at, COALESCE(t.name, m.name, f.name, p.name) AS real_name, \
             COALESCE(t.pseudonym, m.pseudonym) AS pseudonym, \
             CASE WHEN b.owner = b.person THEN m.shows_real_name ELSE 0 END AS shows_real_name, \
             CASE WHEN b.owner = b.person THEN m.role \
             WHEN t.group_id IS NOT NULL THEN 'student' END AS role FROM ladder_bot b \
             JOIN arena a ON a.id = b.arena \
             JOIN ladder_version v ON v.bot = b.id AND v.number = b.newest \
             LEFT JOIN person p ON p.id = b.person \
             LEFT JOIN membership m ON m.course = a.course AND m.person = b.person \
             LEFT JOIN former_member f ON f.course = a.course AND f.person = b.person \
             LEFT JOIN present_group t ON t.group_id = b.owner ",
            $rest
        )
    };
}

const OF_ARENA: &str = bots!("WHERE b.arena = $1 ORDER BY b.entered_at, b.id");
const READ: &str = bots!("WHERE b.id = $1");
/// A bot by its id, if it is in that arena.
pub(super) const IN_ARENA: &str = bots!("WHERE b.id = $1 AND b.arena = $2");
const BENCHED: &str = bots!(
    "WHERE (b.owner = $1 OR b.owner IN (SELECT group_id FROM group_member \
     WHERE person = $1 AND left_at IS NULL)) AND b.benched_at IS NOT NULL AND b.withdrawn_at IS NULL \
     ORDER BY b.benched_at DESC, b.id"
);
const MAY_PLAY: &str = bots!(
    "WHERE b.id = $1 AND EXISTS (SELECT 1 FROM membership o WHERE o.course = a.course \
     AND o.person = $2)"
);
const VERSIONS: &str = "SELECT id AS version, number, submission, module, player, \
    entered_at AS version_at FROM ladder_version WHERE bot = $1 ORDER BY number DESC";
const ALL_VERSIONS: &str = "SELECT v.id AS version, v.number, v.submission, v.module, \
    v.player, v.entered_at AS version_at, v.bot, \
    CASE WHEN b.withdrawn_at IS NOT NULL OR (b.person IS NOT NULL AND NOT EXISTS (\
    SELECT 1 FROM membership m WHERE m.course = a.course AND m.person = b.owner) \
    AND NOT EXISTS (SELECT 1 FROM group_member g WHERE g.group_id = b.owner AND g.left_at IS NULL)) \
    THEN 9223372036854775807 ELSE v.faults_out END AS faults_out FROM ladder_version v \
    JOIN ladder_bot b ON b.id = v.bot JOIN arena a ON a.id = b.arena WHERE b.arena = $1 ORDER BY v.entered_at, v.id";
const WITHDRAW: &str =
    "UPDATE ladder_bot SET withdrawn_at = $2 WHERE id = $1 AND withdrawn_at IS NULL";
// A bot that comes back does not get its earlier faults back.
const FAULTS_OUT: &str = "UPDATE ladder_version SET faults_out = (SELECT a.pairs FROM arena a \
    JOIN ladder_bot b ON b.arena = a.id WHERE b.id = ladder_version.bot) WHERE bot = $1";
const CANCEL: &str = "UPDATE ladder_pair SET state = 'cancelled' WHERE state = 'waiting' \
    AND lease_until <= $2 AND (one IN (SELECT id FROM ladder_version WHERE bot = $1) \
    OR other IN (SELECT id FROM ladder_version WHERE bot = $1))";
const BACK: &str = "UPDATE ladder_bot SET benched_at = NULL, \
    back_after = (SELECT pairs FROM arena WHERE id = ladder_bot.arena) \
    WHERE id = $1 AND benched_at IS NOT NULL";

impl Store {
    /// All bots of an arena in the order of entry, withdrawn ones included.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn ladder_bots(&self, arena: &ArenaId) -> Result<Vec<LadderBot>, Error> {
        let rows = sqlx::query(OF_ARENA).bind(arena.as_str()).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(bot).collect::<Result<_, _>>()?)
    }

    /// A bot by its id.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn ladder_bot(&self, id: &BotId) -> Result<Option<LadderBot>, Error> {
        let row = sqlx::query(READ).bind(id.as_str()).fetch_optional(&self.pool).await?;
        Ok(row.as_ref().map(bot).transpose()?)
    }

    /// The bots of a person and of their groups that failed too often in one seat, in all arenas.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn benched_bots(&self, person: &PersonId) -> Result<Vec<LadderBot>, Error> {
        let rows = sqlx::query(BENCHED).bind(person.as_str()).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(bot).collect::<Result<_, _>>()?)
    }

    /// A public bot with its module, for a person who wants to play against it; none if the bot
    /// does not exist or the person is not in the arena's course.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn public_bot(
        &self,
        id: &BotId,
        person: &PersonId,
    ) -> Result<Option<PublicBot>, Error> {
        let query = sqlx::query(MAY_PLAY).bind(id.as_str()).bind(person.as_str());
        let Some(row) = query.fetch_optional(&self.pool).await? else { return Ok(None) };
        let found = bot(&row)?;
        if !found.is_public() {
            return Ok(None);
        }
        let module = match &found.newest.module {
            None => None,
            Some(hash) => match self.module(hash).await? {
                None => return Ok(None),
                module => module,
            },
        };
        let game = self.need_arena(&found.arena).await?.game;
        let LadderBot { id, name, arena, newest, .. } = found;
        Ok(Some(PublicBot { bot: id, name, arena, game, version: newest, module }))
    }

    /// The versions of a bot, the newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn ladder_versions(&self, id: &BotId) -> Result<Vec<HeldVersion>, Error> {
        let rows = sqlx::query(VERSIONS).bind(id.as_str()).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(version).collect::<Result<_, _>>()?)
    }

    /// All versions in an arena with their bots, the oldest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn all_versions(&self, arena: &ArenaId) -> Result<Vec<RatedVersion>, Error> {
        let rows = sqlx::query(ALL_VERSIONS).bind(arena.as_str()).fetch_all(&self.pool).await?;
        let rated = |row: &AnyRow| {
            let (version, faults_out) = (version(row)?, row.number("faults_out")?);
            Ok(RatedVersion { bot: row.parsed("bot")?, version, faults_out })
        };
        Ok(rows.iter().map(rated).collect::<Result<_, sqlx::Error>>()?)
    }

    /// Withdraws a bot from its arena. Played pairs stay, waiting pairs are cancelled, and pairs
    /// with a fault of the bot leave the ratings.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn withdraw_bot(&self, id: &BotId, now: Timestamp) -> Result<(), Error> {
        let mut transaction = self.change(ChangedPart::Bot(id)).await?;
        let both = |sql| sqlx::query(sql).bind(id.to_string()).bind(now.millis());
        both(WITHDRAW).execute(&mut *transaction).await?;
        sqlx::query(FAULTS_OUT).bind(id.as_str()).execute(&mut *transaction).await?;
        both(CANCEL).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Lets a benched bot play again. Earlier faults do not bench it again, and stay out of the
    /// ratings. Returns false if it was not benched.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn bring_back(&self, id: &BotId) -> Result<bool, Error> {
        let mut transaction = self.change(ChangedPart::Bot(id)).await?;
        let done = sqlx::query(BACK).bind(id.as_str()).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(done.rows_affected() > 0)
    }
}

pub(super) fn bot(row: &AnyRow) -> Result<LadderBot, sqlx::Error> {
    let (person, role) = (row.maybe_parsed("person")?, row.maybe_parsed("role")?);
    let has_left = person.is_some() && role.is_none();
    let status = match (row.maybe_time("withdrawn_at")?, row.maybe_time("benched_at")?) {
        (Some(_), _) => BotStatus::Withdrawn,
        _ if has_left => BotStatus::Withdrawn,
        (None, Some(at)) => BotStatus::Benched(at),
        (None, None) => BotStatus::Active,
    };
    Ok(LadderBot {
        id: row.parsed("id")?,
        arena: row.parsed("arena")?,
        owner: person.is_some().then(|| owner::owner(row)).transpose()?,
        person,
        name: row.text("name")?,
        real_name: row.maybe_text("real_name")?,
        pseudonym: row.maybe_text("pseudonym")?,
        shows_real_name: row.maybe_number("shows_real_name")?.is_some_and(|flag| flag != 0),
        role,
        status,
        entered_at: row.time("entered_at")?,
        newest: version(row)?,
    })
}

pub(super) fn version(row: &AnyRow) -> Result<HeldVersion, sqlx::Error> {
    let module = row.maybe_text("module")?.map(Digest::try_from).transpose();
    Ok(HeldVersion {
        id: row.parsed("version")?,
        number: row.number("number")?,
        submission: row.maybe_parsed("submission")?,
        module: module.map_err(|error| crate::row::unreadable("module", error))?,
        player: row.text("player")?,
        entered_at: row.time("version_at")?,
    })
}
