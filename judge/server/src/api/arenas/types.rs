//! JSON types of arenas.

use std::collections::BTreeMap;

use judge_store::{Arena, BotStatus, PairRow, Season};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::standings::Record;

/// An arena.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ArenaInfo {
    /// Short name for URLs.
    pub(super) slug: String,
    /// Name for people.
    pub(super) title: String,
    /// Its game.
    pub(super) game: String,
    /// Rule switches that differ from the game's defaults.
    pub(super) options: BTreeMap<String, String>,
    /// The reference opponent with rating 0.
    pub(super) anchor: String,
    /// The part of a round that ranks bots: `result` or `score`.
    pub(super) scoring: String,
    /// `open`, `paused` or `closed`.
    pub(super) state: String,
    /// Number of the present season.
    pub(super) season: i64,
}

impl From<Arena> for ArenaInfo {
    fn from(arena: Arena) -> ArenaInfo {
        ArenaInfo {
            slug: arena.slug,
            title: arena.title,
            game: arena.game,
            options: arena.options.into_iter().collect(),
            anchor: arena.anchor,
            scoring: arena.scoring.name().to_owned(),
            state: arena.state.name().to_owned(),
            season: arena.season,
        }
    }
}

/// A season.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SeasonInfo {
    /// Its number.
    pub(super) number: i64,
    /// Name for people.
    pub(super) title: String,
    /// When it began, in UTC.
    pub(super) begun_at: String,
    /// When it should end, in UTC; null if it has no end date.
    pub(super) ends_at: Option<String>,
    /// True if it ends as soon as its top places are separated.
    pub(super) is_ending: bool,
    /// When it ended, in UTC; null if it has not.
    pub(super) ended_at: Option<String>,
    /// True if its top places were separated at the end; null if it has not ended.
    pub(super) is_told_apart: Option<bool>,
}

impl From<Season> for SeasonInfo {
    fn from(season: Season) -> SeasonInfo {
        SeasonInfo {
            number: season.number,
            title: season.title,
            begun_at: season.begun_at.to_string(),
            ends_at: season.ends_at.map(|at| at.to_string()),
            is_ending: season.closing.is_some() && season.ended_at.is_none(),
            ended_at: season.ended_at.map(|at| at.to_string()),
            is_told_apart: season.is_told_apart,
        }
    }
}

/// Counts of rounds by their ends. A round that a fault ended is in neither `won` nor `lost`.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RecordInfo {
    /// Pairs of rounds.
    pub(super) pairs: u64,
    /// Rounds won by playing.
    pub(super) won: u64,
    /// Rounds drawn.
    pub(super) drawn: u64,
    /// Rounds lost by playing.
    pub(super) lost: u64,
    /// Rounds that ended by its own fault.
    pub(super) faults: u64,
    /// Rounds that ended by a fault of the other side.
    pub(super) others_faults: u64,
}

impl From<Record> for RecordInfo {
    fn from(record: Record) -> RecordInfo {
        let Record { pairs, won, drawn, lost, faults, given } = record;
        RecordInfo { pairs, won, drawn, lost, faults, others_faults: given }
    }
}

/// A bot's line on a ladder.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LadderLine {
    /// Place; null for reference opponents, benched bots, and those without a rated pair.
    pub(super) rank: Option<u64>,
    /// Id of the bot.
    pub(super) bot: String,
    /// Its name.
    pub(super) name: String,
    /// Its author's name on scoreboards; null for reference opponents.
    pub(super) author: Option<String>,
    /// Number of its version.
    pub(super) version: i64,
    /// Distance to the anchor: Elo points, or points of score per round.
    pub(super) rating: f64,
    /// Lower end of the 95 % interval; null if it has none.
    pub(super) low: Option<f64>,
    /// Upper end of the 95 % interval; null if it has none.
    pub(super) high: Option<f64>,
    /// True while its interval is wide.
    pub(super) is_provisional: bool,
    /// `active`, `benched` or `withdrawn`.
    pub(super) status: String,
    /// Rounds of this version in the season.
    pub(super) record: RecordInfo,
    /// True for your own bot.
    pub(super) is_mine: bool,
}

/// A ladder in a season.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LadderInfo {
    /// The arena.
    pub(super) arena: ArenaInfo,
    /// The season.
    pub(super) season: SeasonInfo,
    /// The scoring of the ratings: `result` or `score`.
    pub(super) scoring: String,
    /// Number of rated pairs that the ratings were computed from.
    pub(super) pairs: u64,
    /// The lines, the best first.
    pub(super) lines: Vec<LadderLine>,
}

/// The status of a bot.
pub(super) fn status(status: BotStatus) -> &'static str {
    match status {
        BotStatus::Active => "active",
        BotStatus::Benched(_) => "benched",
        BotStatus::Withdrawn => "withdrawn",
    }
}

/// A bot of an arena.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BotInfo {
    /// Its id.
    pub(super) id: String,
    /// Its name.
    pub(super) name: String,
    /// Its author's name on scoreboards; null for reference opponents.
    pub(super) author: Option<String>,
    /// `active`, `benched` or `withdrawn`.
    pub(super) status: String,
    /// Its versions, the newest first.
    pub(super) versions: Vec<VersionInfo>,
    /// The bots that it has met this season.
    pub(super) met: Vec<MetInfo>,
}

/// A version of a bot.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct VersionInfo {
    /// Its number, from 1.
    pub(super) number: i64,
    /// SHA-256 of the module; null for reference opponents.
    pub(super) sha256: Option<String>,
    /// When it was entered, in UTC.
    pub(super) entered_at: String,
    /// Rounds of the season.
    pub(super) record: RecordInfo,
}

/// A bot that this one has met.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct MetInfo {
    /// Id of the other bot.
    pub(super) bot: String,
    /// Rounds of the season.
    pub(super) record: RecordInfo,
}

/// A submission to enter.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct EntryRequest {
    /// Name of the bot. The name of one of your bots adds a version to it.
    #[schema(example = "Hunter")]
    pub(super) name: String,
    /// Id of one of your graded submissions.
    pub(super) submission: String,
}

/// Two bots for an unrated pair.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct ChallengeRequest {
    /// Id of a bot, which has seat 1 in the first round.
    pub(super) one: String,
    /// Id of another bot.
    pub(super) other: String,
}

/// An arena to create.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct ArenaRequest {
    /// The game.
    #[schema(example = "mahjong")]
    pub(super) game: String,
    /// Short name for URLs.
    pub(super) slug: String,
    /// Name for people.
    #[serde(default)]
    pub(super) title: String,
    /// Title of the first season.
    #[serde(default)]
    pub(super) season: String,
    /// When the first season ends, by the course's clock: `2026-12-24 23:59`.
    #[serde(default)]
    pub(super) ends: String,
    /// Rule switches, as `key=value` separated by spaces.
    #[serde(default)]
    pub(super) options: String,
    /// The part of a round that ranks bots: `result` (won, drawn, lost) or `score` (the difference
    /// of the scores); the game's usual one if it is empty.
    #[serde(default)]
    pub(super) scoring: String,
}

/// Changes to an arena.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct ArenaChange {
    /// Name for people; null to keep it.
    pub(super) title: Option<String>,
    /// `open`, `paused` or `closed`; null to keep it.
    pub(super) state: Option<String>,
    /// `result` or `score`; null to keep it. All pairs of the season are rated again.
    pub(super) scoring: Option<String>,
}

/// A side of a pair.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SideInfo {
    /// Id of the bot.
    pub(super) bot: String,
    /// Number of its version.
    pub(super) version: i64,
}

/// A round of a pair.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RoundInfo {
    /// Points of the first side: 0, 0.5 or 1.
    pub(super) points: f64,
    /// Scores of both sides.
    pub(super) scores: [i64; 2],
    /// The reason why it ended, in the game's words.
    pub(super) reason: String,
    /// The verdict on the side that failed; null if none did.
    pub(super) fault: Option<String>,
    /// The side that failed, 0 or 1.
    pub(super) failed: Option<u64>,
    /// Digest of the record.
    pub(super) digest: String,
    /// True if its replay is kept.
    pub(super) has_replay: bool,
}

/// A pair of rounds.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PairInfo {
    /// Its id.
    pub(super) id: String,
    /// `rated` or `challenge`.
    pub(super) kind: String,
    /// `waiting`, `done`, `judge_error` or `cancelled`.
    pub(super) state: String,
    /// Number of the season.
    pub(super) season: i64,
    /// Both sides. The first one has seat 1 in the first round and seat 2 in the second.
    pub(super) sides: Vec<SideInfo>,
    /// The seed of both rounds, once they are played, as text, because not every JSON reader
    /// supports numbers of this size.
    pub(super) seed: Option<String>,
    /// When it was played or given up, in UTC.
    pub(super) ended_at: Option<String>,
    /// The rounds, once they are played.
    pub(super) rounds: Vec<RoundInfo>,
}

impl From<PairRow> for PairInfo {
    fn from(pair: PairRow) -> PairInfo {
        let round = |round: judge_store::RoundLine| RoundInfo {
            points: f64::from(round.half_points) / 2.0,
            scores: round.scores,
            reason: round.reason,
            failed: round.fault.as_ref().map(|(side, _)| *side as u64),
            fault: round.fault.map(|(_, verdict)| verdict),
            digest: round.digest.to_string(),
            has_replay: round.has_record,
        };
        let side = |(bot, version): &(judge_store::BotId, i64)| SideInfo {
            bot: bot.to_string(),
            version: *version,
        };
        PairInfo {
            id: pair.id.to_string(),
            kind: pair.kind.name().to_owned(),
            state: pair.state.name().to_owned(),
            season: pair.season,
            sides: pair.bots.iter().map(side).collect(),
            seed: pair.seed,
            ended_at: pair.ended_at.map(|at| at.to_string()),
            rounds: pair.rounds.into_iter().map(round).collect(),
        }
    }
}
