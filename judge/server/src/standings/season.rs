//! The end of a season: which of the top places are told apart, and the table that stays.

use judge_runner::ladder::Ladder;
use judge_store::BotId;
use serde::{Deserialize, Serialize};

use super::{Record, Table};

/// Places at the top that a season tries to tell apart, from each other and from the next.
pub const PLACES: usize = 3;

/// A line of the table of a season that has ended. Ratings are whole points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrozenLine {
    /// Place; none without a rated pair, and of reference opponents.
    pub rank: Option<u64>,
    /// The bot.
    pub bot: String,
    /// Its version.
    pub version: String,
    /// Number of its version.
    pub number: i64,
    /// The rating.
    pub rating: i64,
    /// Lower end of the interval; none if it has none.
    pub low: Option<i64>,
    /// Upper end of the interval; none if it has none.
    pub high: Option<i64>,
    /// Rounds.
    pub record: Record,
}

/// The places next to each other at the top whose intervals do not tell them apart, the better one
/// first, as numbers of players.
pub fn undecided(ladder: &Ladder, table: &Table) -> Vec<[usize; 2]> {
    let ranked = table.lines.iter().filter(|line| line.rank.is_some());
    let mut players: Vec<usize> = ranked.map(|line| line.player).collect();
    // Equal modules share a place.
    players.dedup();
    let next = players.windows(2).take(PLACES);
    let open = next.filter(|two| !is_apart(ladder, two[0], two[1]));
    open.map(|two| [two[0], two[1]]).collect()
}

fn is_apart(ladder: &Ladder, better: usize, worse: usize) -> bool {
    ladder.above(better, worse).low > 0.0
}

/// The table of a season that ends, as JSON.
pub fn frozen(table: &Table) -> String {
    let lines: Vec<FrozenLine> = table
        .lines
        .iter()
        .map(|line| FrozenLine {
            rank: line.rank,
            bot: line.bot.id.to_string(),
            version: line.bot.newest.id.to_string(),
            number: line.bot.newest.number,
            rating: whole(line.rating.value).unwrap_or_default(),
            low: whole(line.rating.low),
            high: whole(line.rating.high),
            record: line.record,
        })
        .collect();
    serde_json::to_string(&lines).expect("words and numbers are JSON")
}

/// A figure of a rating in whole points; none if it has no bound.
pub fn whole(points: f64) -> Option<i64> {
    // Far within the type: ratings end where nothing is known any more.
    points.is_finite().then(|| points.round() as i64)
}

/// Reads the table of a season that has ended.
///
/// # Errors
/// When it is not what [`frozen`] writes.
pub fn read_frozen(text: &str) -> Result<Vec<FrozenLine>, serde_json::Error> {
    serde_json::from_str(text)
}

impl FrozenLine {
    /// The bot's id.
    pub fn bot_id(&self) -> Option<BotId> {
        self.bot.parse().ok()
    }
}
