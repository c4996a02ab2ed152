//! The table of a ladder.

use judge_core::Scoring;
use judge_runner::contest::ladder::Estimate;
use judge_store::{BotStatus, Error, LadderBot};

use super::{Record, SeasonResults};

/// Half width of an interval, in the ladder's points, beyond which a rating is provisional.
const PROVISIONAL: f64 = 100.0;

/// A bot's line.
#[derive(Debug, Clone)]
pub struct TableLine {
    /// Rank among the active bots of people, shared by equals; none for reference opponents and
    /// without a rated pair.
    pub rank: Option<u64>,
    /// The bot, with its newest version.
    pub bot: LadderBot,
    /// The rating of the newest version.
    pub rating: Estimate,
    /// True while its interval is wide.
    pub is_provisional: bool,
    /// Rounds of the newest version.
    pub record: Record,
    /// Number of the newest version among the players.
    pub player: usize,
}

/// The table of a ladder.
#[derive(Debug, Clone)]
pub struct LadderTable {
    /// The scoring of its ratings.
    pub scoring: Scoring,
    /// Its lines, the best first; benched bots at the end.
    pub lines: Vec<TableLine>,
    /// Number of rated pairs of the season.
    pub pairs: usize,
    /// Number of rated pairs that the intervals were computed from.
    pub rated_pairs: usize,
}

impl LadderTable {
    /// The table of a season, with these bots.
    pub(super) async fn compute(
        bots: Vec<LadderBot>,
        results: &mut SeasonResults,
    ) -> Result<LadderTable, Error> {
        let (estimates, rated_pairs) = results.estimates().await?;
        let point = results.ladder().point();
        let lines = bots.into_iter().filter(LadderBot::is_public).filter_map(|bot| {
            let player = results.player(&bot.newest.id)?;
            let rating = *estimates.get(player)?;
            let record = results.record(&bot.newest.id);
            let width = rating.high - rating.low;
            let is_known = width.is_finite() && width <= 2.0 * PROVISIONAL * point;
            let is_provisional = !bot.is_reference() && !is_known;
            Some(TableLine { rank: None, bot, rating, is_provisional, record, player })
        });
        let mut lines: Vec<TableLine> = lines.collect();
        // Counted by player, because equal modules share their pairs.
        let ladder = results.ladder();
        let has_played = |line: &TableLine| ladder.pairs_of(line.player) > 0;
        let plays = |line: &TableLine| line.bot.status == BotStatus::Active && has_played(line);
        lines.sort_by(|one, other| {
            let order = plays(other).cmp(&plays(one));
            order.then(other.rating.value.total_cmp(&one.rating.value))
        });
        let ranked = lines.iter_mut().filter(|line| plays(line) && !line.bot.is_reference());
        rank(ranked);
        Ok(LadderTable { scoring: results.scoring(), lines, pairs: results.pairs(), rated_pairs })
    }

    /// True if an active bot has no rated pair yet.
    pub fn has_newcomers(&self) -> bool {
        let is_new = |line: &TableLine| line.bot.status == BotStatus::Active && line.rank.is_none();
        self.lines.iter().any(|line| is_new(line) && !line.bot.is_reference())
    }
}

/// Gives ranks to lines in order, shared by equals.
fn rank<'a>(lines: impl Iterator<Item = &'a mut TableLine>) {
    let mut last: Option<(f64, u64)> = None;
    for (line, place) in lines.zip(1..) {
        let rank = match last {
            Some((value, rank)) if value == line.rating.value => rank,
            _ => place,
        };
        last = Some((line.rating.value, rank));
        line.rank = Some(rank);
    }
}
