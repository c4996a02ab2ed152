//! Rounds that people played against bots on this server. Only the latest of each person are kept.

use judge_core::{Digest, RoundRecord, SeatSpec};
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::basics::error::Error;
use crate::basics::id::{HumanRoundId, PersonId};
use crate::basics::time::Timestamp;
use crate::row::{Columns as _, words};
use crate::store::Store;
use crate::submissions::digest_in;

/// Number of rounds kept for each person.
pub const KEPT_ROUNDS: u32 = 50;

words! {
    /// The result of a round for the person who played it.
    HumanResult {
        /// The person won.
        Won = "win",
        /// The bot won.
        Lost = "loss",
        /// A draw.
        Drawn = "draw",
    }
}

/// A round of a person, without its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HumanRound {
    /// Id.
    pub id: HumanRoundId,
    /// The person.
    pub person: PersonId,
    /// SHA-256 of the bot's module.
    pub module: Digest,
    /// The bot's name.
    pub bot: String,
    /// Name of the game.
    pub game: String,
    /// The result for the person.
    pub result: HumanResult,
    /// Digest of the record.
    pub digest: Digest,
    /// When it ended.
    pub played_at: Timestamp,
}

const INSERT: &str = "INSERT INTO human_round \
    (id, person, module, bot, game, result, digest, replay, played_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
const FORGET: &str = "DELETE FROM human_round WHERE person = $1 AND id NOT IN \
    (SELECT id FROM human_round WHERE person = $2 ORDER BY played_at DESC, id DESC LIMIT $3)";
const READ: &str = "SELECT * FROM human_round WHERE id = $1 AND person = $2";
const OF_PERSON: &str = "SELECT id, person, module, bot, game, result, digest, played_at \
    FROM human_round WHERE person = $1 ORDER BY played_at DESC, id DESC";

impl Store {
    /// Stores a round that a person played against a bot, and deletes the oldest rounds beyond
    /// [`KEPT_ROUNDS`].
    ///
    /// # Errors
    /// When it is not a round of a person against a bot, or the database fails.
    pub async fn keep_human_round(
        &self,
        person: &PersonId,
        record: &RoundRecord,
        now: Timestamp,
    ) -> Result<HumanRound, Error> {
        let round = described(person, record, now)?;
        let mut transaction = self.begin().await?;
        let query = sqlx::query(INSERT).bind(round.id.as_str()).bind(person.as_str());
        let query = query.bind(round.module.to_string()).bind(&round.bot).bind(&round.game);
        let query = query.bind(round.result.name()).bind(round.digest.to_string());
        let query = query.bind(record.to_replay()).bind(now.millis());
        query.execute(&mut *transaction).await?;
        let forget = sqlx::query(FORGET).bind(person.as_str()).bind(person.as_str());
        forget.bind(i64::from(KEPT_ROUNDS)).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(round)
    }

    /// A round of that person with its replay; none if the round is another person's.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn human_round(
        &self,
        id: &HumanRoundId,
        person: &PersonId,
    ) -> Result<Option<(HumanRound, String)>, Error> {
        let query = sqlx::query(READ).bind(id.as_str()).bind(person.as_str());
        let Some(row) = query.fetch_optional(&self.pool).await? else { return Ok(None) };
        Ok(Some((human_round(&row)?, row.try_get("replay")?)))
    }

    /// A person's rounds, the latest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn human_rounds_of(&self, person: &PersonId) -> Result<Vec<HumanRound>, Error> {
        let rows = sqlx::query(OF_PERSON).bind(person.as_str()).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(human_round).collect::<Result<_, _>>()?)
    }
}

/// A new row for a record in which a person plays a bot.
fn described(person: &PersonId, record: &RoundRecord, now: Timestamp) -> Result<HumanRound, Error> {
    let spec = &record.header.spec;
    let missing = || Error::Missing { what: "person opposite a bot", value: spec.game.clone() };
    let seat = spec.human().ok_or_else(missing)?;
    let SeatSpec::Bot { name, sha256 } = spec.seat(seat.other()) else { return Err(missing()) };
    Ok(HumanRound {
        id: HumanRoundId::random()?,
        person: person.clone(),
        module: *sha256,
        bot: name.clone(),
        game: spec.game.clone(),
        result: match record.trailer.outcome.winner {
            None => HumanResult::Drawn,
            Some(winner) if winner == seat => HumanResult::Won,
            Some(_) => HumanResult::Lost,
        },
        digest: record.digest(),
        played_at: now,
    })
}

fn human_round(row: &AnyRow) -> Result<HumanRound, sqlx::Error> {
    Ok(HumanRound {
        id: row.parsed("id")?,
        person: row.parsed("person")?,
        module: digest_in(row, "module")?,
        bot: row.text("bot")?,
        game: row.text("game")?,
        result: row.parsed("result")?,
        digest: digest_in(row, "digest")?,
        played_at: row.time("played_at")?,
    })
}
