//! Challenges: unrated pairs on request, played before rated ones.

use sqlx::AnyConnection;

use super::bots::{IN_ARENA, LadderBot, bot};
use super::pairs::PairKind;
use crate::archive::ChangedPart;
use crate::basics::error::Error;
use crate::basics::id::{ArenaId, BotId, PairId, PersonId};
use crate::basics::ladder_refusal::LadderRefusal;
use crate::basics::time::{DAY, Timestamp};
use crate::role::Role;
use crate::row::Columns as _;
use crate::store::Store;

/// Most waiting challenges of a person, over all arenas of the course.
pub const MOST_CHALLENGES: i64 = 3;

/// Most challenges of a person in a day, on the whole server. They go before rated pairs, and their
/// records are kept.
pub const MOST_CHALLENGES_A_DAY: i64 = 100;

const LOCK: &str = "UPDATE membership SET role = role WHERE person = $2 \
    AND course = (SELECT course FROM arena WHERE id = $1)";
const TERMS: &str = "SELECT a.state, a.season, m.role FROM arena a \
    LEFT JOIN membership m ON m.course = a.course AND m.person = $2 WHERE a.id = $1";
const WAITING: &str = "SELECT COUNT(*) AS many FROM ladder_pair \
    WHERE asked_by = $1 AND kind = 'challenge' AND state = 'waiting'";
const OF_A_DAY: &str = "SELECT COUNT(*) AS many FROM ladder_pair \
    WHERE asked_by = $1 AND asked_at > $2 AND kind = 'challenge'";

impl Store {
    /// Requests an unrated pair of two public bots, to be played before rated pairs.
    ///
    /// # Errors
    /// [`Error::Ladder`] when the arena's rules forbid it; when the database fails.
    pub async fn challenge(
        &self,
        arena: &ArenaId,
        person: &PersonId,
        [one, other]: [&BotId; 2],
        now: Timestamp,
    ) -> Result<PairId, Error> {
        let mut transaction = self.change(ChangedPart::Arena(arena)).await?;
        let both = |sql| sqlx::query(sql).bind(arena.to_string()).bind(person.to_string());
        both(LOCK).execute(&mut *transaction).await?;
        let row = both(TERMS).fetch_optional(&mut *transaction).await?;
        let missing = || Error::Missing { what: "arena", value: arena.to_string() };
        let terms = row.ok_or_else(missing)?;
        match terms.maybe_parsed::<Role>("role")? {
            None | Some(Role::Observer) => return Err(LadderRefusal::NotAMember.into()),
            Some(Role::Student | Role::Assistant | Role::Instructor) => {}
        }
        if terms.text("state")? != "open" {
            return Err(LadderRefusal::NotOpen.into());
        }
        few_challenges(&mut transaction, person, now).await?;
        let mut versions = Vec::new();
        for id in [one, other] {
            let query = sqlx::query(IN_ARENA).bind(id.as_str()).bind(arena.as_str());
            let row = query.fetch_optional(&mut *transaction).await?;
            let found = row.as_ref().map(bot).transpose()?.filter(LadderBot::is_public);
            versions.push(found.ok_or(LadderRefusal::NoChallenge)?.newest.id);
        }
        let [one, other] = &versions[..] else { return Err(LadderRefusal::NoChallenge.into()) };
        if one == other {
            return Err(LadderRefusal::NoChallenge.into());
        }
        let asked = super::pairs::NewPair {
            arena,
            season: terms.number("season")?,
            kind: PairKind::Challenge,
            versions: [one, other],
            asked_by: Some(person),
            lease: None,
        };
        let id = super::pairs::insert(&mut transaction, &asked, now).await?;
        let id = id.ok_or(LadderRefusal::NotOpen)?;
        transaction.commit().await?;
        Ok(id)
    }
}

/// Checks a person's waiting challenges, and those of the day, against the limits.
async fn few_challenges(
    connection: &mut AnyConnection,
    person: &PersonId,
    now: Timestamp,
) -> Result<(), Error> {
    let query = sqlx::query(WAITING).bind(person.as_str());
    if query.fetch_one(&mut *connection).await?.number("many")? >= MOST_CHALLENGES {
        return Err(LadderRefusal::TooManyChallenges { allowed: MOST_CHALLENGES }.into());
    }
    let query = sqlx::query(OF_A_DAY).bind(person.as_str()).bind(now.before(DAY).millis());
    match query.fetch_one(connection).await?.number("many")? >= MOST_CHALLENGES_A_DAY {
        true => {
            let allowed = MOST_CHALLENGES_A_DAY;
            Err(LadderRefusal::TooManyChallengesToday { allowed }.into())
        }
        false => Ok(()),
    }
}
