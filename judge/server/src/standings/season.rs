//! The end of a season: which of the top places are separated, and the final table.

use judge_core::Scoring;
use judge_runner::contest::ladder::LadderRatings;
use judge_store::BotId;
use serde::{Deserialize, Serialize};

use super::{LadderTable, Record};

/// Number of top places that a season tries to separate from each other and from the next place.
pub const PLACES: usize = 3;

/// A season's final table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FinalTable {
    /// The scoring of its ratings.
    pub scoring: Scoring,
    /// Its lines, the best first.
    pub lines: Vec<FinalLine>,
}

/// A line of a season's final table. Ratings are [`rounded`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FinalLine {
    /// Rank; none for reference opponents and without a rated pair.
    pub rank: Option<u64>,
    /// The bot.
    pub bot: String,
    /// Its version.
    pub version: String,
    /// Number of its version.
    pub number: i64,
    /// The rating.
    pub rating: f64,
    /// Lower end of the interval; none if it is unbounded.
    pub low: Option<f64>,
    /// Upper end of the interval; none if it is unbounded.
    pub high: Option<f64>,
    /// Rounds.
    pub record: Record,
}

/// Neighbours among the top places that are not separated, as numbers of players, the better one
/// first.
pub fn undecided(ladder: &LadderRatings, table: &LadderTable) -> Vec<[usize; 2]> {
    let ranked = table.lines.iter().filter(|line| line.rank.is_some());
    let mut players: Vec<usize> = ranked.map(|line| line.player).collect();
    // Equal modules share a place.
    players.dedup();
    let next = players.windows(2).take(PLACES);
    let open = next.filter(|two| !is_apart(ladder, two[0], two[1]));
    open.map(|two| [two[0], two[1]]).collect()
}

fn is_apart(ladder: &LadderRatings, better: usize, worse: usize) -> bool {
    ladder.above(better, worse).low > 0.0
}

/// The final table of a season as JSON.
pub fn final_table(table: &LadderTable) -> String {
    let scoring = table.scoring;
    let lines = table
        .lines
        .iter()
        .map(|line| FinalLine {
            rank: line.rank,
            bot: line.bot.id.to_string(),
            version: line.bot.newest.id.to_string(),
            number: line.bot.newest.number,
            rating: rounded(scoring, line.rating.value).unwrap_or_default(),
            low: rounded(scoring, line.rating.low),
            high: rounded(scoring, line.rating.high),
            record: line.record,
        })
        .collect();
    serde_json::to_string(&FinalTable { scoring, lines }).expect("words and numbers are JSON")
}

/// A rating or a bound in whole Elo points, or in tenths of a point of score; none if it is
/// infinite.
pub fn rounded(scoring: Scoring, points: f64) -> Option<f64> {
    let steps = match scoring {
        Scoring::Result => 1.0,
        Scoring::Score => 10.0,
    };
    // Adding zero takes the sign from minus zero.
    points.is_finite().then(|| (points * steps).round() / steps + 0.0)
}

/// Reads the final table of a season.
///
/// # Errors
/// When the text does not come from [`final_table`].
pub fn read_final_table(text: &str) -> Result<FinalTable, serde_json::Error> {
    serde_json::from_str(text)
}

impl FinalLine {
    /// The bot's id.
    pub fn bot_id(&self) -> Option<BotId> {
        self.bot.parse().ok()
    }
}
