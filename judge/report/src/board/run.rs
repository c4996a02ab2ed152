//! The board of one run: all of its bots, best first.

use comfy_table::Table;
use judge_core::{BotReport, GradeReport};

use crate::terminal::{align_right, new_table, shown, total};

/// One row per bot by points, then score; equal ones share a rank and keep their order.
pub(crate) fn table(report: &GradeReport) -> Table {
    let mut table = new_table();
    table.set_header(["rank", "bot", "points", "score", "passed", "worst verdict"]);
    let mut bots: Vec<&BotReport> = report.bots.iter().collect();
    bots.sort_by_key(|bot| std::cmp::Reverse(key(bot)));
    for bot in &bots {
        let rank = 1 + bots.iter().filter(|other| key(other) > key(bot)).count();
        table.add_row([
            rank.to_string(),
            shown(&bot.bot.name),
            total(bot),
            bot.score.to_string(),
            bot.passed.to_string(),
            bot.worst_verdict().to_string(),
        ]);
    }
    align_right(&mut table, 0..1);
    align_right(&mut table, 2..5);
    table
}

fn key(bot: &BotReport) -> (u32, i64) {
    (bot.points, bot.score)
}
