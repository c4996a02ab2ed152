//! The part of a result that depends only on open testcases.

use judge_core::{BotReport, Points, Refused, Shows, TestcaseReport};

/// The results of open testcases.
pub(crate) fn without_hidden(bot: &BotReport) -> BotReport {
    let hidden = bot.testcases.iter().filter(|case| case.hidden);
    let max_points: Points = hidden.map(TestcaseReport::counted_points).sum();
    let open = bot.testcases.iter().filter(|case| !case.hidden).cloned().collect();
    let max_points = bot.max_points.saturating_sub(max_points);
    BotReport::new(bot.bot.clone(), refused(bot), max_points, open)
}

/// The refusal; it does not name the bound if hidden rounds may have exceeded it.
pub(crate) fn refused(bot: &BotReport) -> Option<Refused> {
    let least =
        |refused: Refused| Refused { shows: refused.shows.map(|_| Shows::Points), ..refused };
    bot.refused.clone().map(least)
}
