//! The scoreboard of one run, best bot first.

use comfy_table::Table;
use judge_core::{BotReport, GradeReport, Points};

use crate::text_table::{align_right, new_table, shown, total};

/// One row per bot.
pub(crate) fn table(report: &GradeReport) -> Table {
    let mut table = new_table();
    table.set_header(["rank", "bot", "points", "score", "passed", "worst verdict"]);
    for (rank, bot) in ranked(&report.bots) {
        table.add_row([
            rank.to_string(),
            shown(&bot.bot.name),
            total(bot),
            bot.score.to_string(),
            bot.passed.to_string(),
            bot.worst_label().to_owned(),
        ]);
    }
    align_right(&mut table, 0..1);
    align_right(&mut table, 2..5);
    table
}

/// Bots with their ranks, by points, then score. Equal ones share a rank and keep their order.
pub(crate) fn ranked(bots: &[BotReport]) -> Vec<(usize, &BotReport)> {
    let mut sorted: Vec<&BotReport> = bots.iter().collect();
    sorted.sort_by_key(|bot| std::cmp::Reverse(key(bot)));
    let rank = |bot: &BotReport| 1 + sorted.partition_point(|other| key(other) > key(bot));
    sorted.iter().map(|bot| (rank(bot), *bot)).collect()
}

fn key(bot: &BotReport) -> (Points, i64) {
    (bot.points, bot.score)
}
