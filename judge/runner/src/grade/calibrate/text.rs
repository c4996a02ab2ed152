//! The figures of a calibration as text.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, Table, presets};
use judge_core::printable;
use judge_report::fuel_as_ms;

use super::outcome::{BotFinding, Finding, Outcome, Proposal, SHARES, advice, percent};
use super::write::ThresholdChange;

/// Number of rounds below which the intervals contain the true value less often than stated.
const FEW: u64 = 100;

/// Longest name.
const NAME: usize = 60;

impl Outcome {
    /// Formats the changed thresholds, one per line.
    pub fn changes_text(&self) -> String {
        let names = self.changes.iter().map(|change| printable(&change.testcase, 100));
        let width = names.clone().map(|name| name.chars().count()).max().unwrap_or(0);
        let line = |(name, change): (String, &ThresholdChange)| {
            let finding = self.testcases.iter().find(|finding| finding.name == change.testcase);
            let reversed = finding.and_then(Finding::reversed).unwrap_or_default();
            match change.to {
                Some(to) if to == change.from => {
                    format!("  {name:width$}  {to}, as before{reversed}\n")
                }
                Some(to) => format!("  {name:width$}  {} -> {to}{reversed}\n", change.from),
                None => {
                    let why = change.passed_over.map(|why| why.to_string());
                    let why =
                        why.or_else(|| finding.map(Finding::no_threshold)).unwrap_or_default();
                    format!("  {name:width$}  {}, as before: {why}\n", change.from)
                }
            }
        };
        let lines: String = std::iter::zip(names, &self.changes).map(line).collect();
        format!("thresholds in the files of the suite:\n{lines}")
    }

    /// Formats the figures for people: the bots under each set of conditions, then their chances in
    /// the testcases with these conditions.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut left: Vec<&Finding> = self.testcases.iter().collect();
        while let Some(first) = left.first() {
            let key = (first.conditions, first.rounds);
            let (alike, other): (Vec<_>, Vec<_>) =
                left.into_iter().partition(|one| (one.conditions, one.rounds) == key);
            write_alike(&alike, &mut text);
            left = other;
        }
        let played = self.testcases.iter().flat_map(|testcase| &testcase.bots);
        // Writing to a string cannot fail. The same holds below.
        if played.map(|bot| bot.played).min().is_some_and(|least| least < FEW) {
            let _ = writeln!(text, "with fewer than {FEW} rounds the intervals may be too narrow");
        }
        if self.judge_errors > 0 {
            let _ = writeln!(text, "{} rounds are left out: the judge failed", self.judge_errors);
        }
        text
    }
}

/// Writes testcases that differ only in seeds and threshold.
fn write_alike(testcases: &[&Finding], text: &mut String) {
    let Some(first) = testcases.first() else { return };
    let names: Vec<String> =
        testcases.iter().map(|testcase| printable(&testcase.name, 100)).collect();
    let rounds = if first.rounds == 1 { "round" } else { "rounds" };
    let opponent = printable(&first.opponent, NAME);
    let _ = writeln!(text, "{}: {} {rounds} against {opponent}", names.join(", "), first.rounds);
    first.bots.iter().for_each(|bot| bot.write(text));
    first.proposals.iter().for_each(|proposal| proposal.write(text));
    let _ = writeln!(text, "\n{}\n", chances(testcases, &first.bots));
}

/// The table of the chances to pass, a row for each testcase and a column for each bot.
fn chances(testcases: &[&Finding], bots: &[BotFinding]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).force_no_tty();
    let names = bots.iter().map(|bot| format!("{} passes", printable(&bot.name, NAME)));
    let heads = ["testcase", "threshold"].map(str::to_owned);
    table.set_header(heads.into_iter().chain(names));
    for testcase in testcases {
        let cells = [printable(&testcase.name, 100), testcase.min_score.to_string()];
        table.add_row(cells.into_iter().chain(testcase.bots.iter().map(chance)));
    }
    if let Some(column) = table.column_mut(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt()
}

fn chance(bot: &BotFinding) -> String {
    bot.chance.map_or("unknown".to_owned(), |[estimate, low, high]| {
        format!("{} ({} to {})", percent(estimate), percent(low), percent(high))
    })
}

impl Finding {
    /// A remark on a threshold that the bot named first should pass instead of fail.
    fn reversed(&self) -> Option<String> {
        let weaker = &self.proposals.first()?.weaker;
        let first = &self.bots.first()?.name;
        let name = printable(weaker, NAME);
        (weaker != first).then(|| format!("; the weaker bot here is {name}"))
    }

    /// The reason why no threshold separates the bots.
    fn no_threshold(&self) -> String {
        match self.bots.iter().find(|bot| bot.mean.is_none()) {
            Some(bot) => format!("{} played no round to its end", printable(&bot.name, NAME)),
            None => "no threshold separates these bots".to_owned(),
        }
    }
}

impl Proposal {
    fn write(&self, text: &mut String) {
        let [weaker, stronger] = [&self.weaker, &self.stronger].map(|name| printable(name, NAME));
        let (threshold, error) = (self.min_score, percent(self.error));
        let _ = match self.separates() {
            true => writeln!(
                text,
                "  a threshold of {threshold} separates {weaker} from {stronger} with at most \
                 {error} wrong"
            ),
            false => writeln!(
                text,
                "  no threshold separates {weaker} from {stronger}: with {threshold}, up to {error} \
                 would be wrong; {}",
                advice(self.rounds_needed)
            ),
        };
    }
}

impl BotFinding {
    fn write(&self, text: &mut String) {
        let name = printable(&self.name, NAME);
        let [low, middle, high] =
            self.quantiles.map(|sum| sum.map_or("-".to_owned(), |sum| sum.to_string()));
        let _ = writeln!(
            text,
            "  {name}: {} a round; the sum is {middle}, 90 % of sums are between {low} and {high}; {} of {}",
            self.mean.map_or("-".to_owned(), |mean| format!("{mean:.1}")),
            fuel_as_ms(self.fuel),
            fuel_as_ms(self.fuel_limit),
        );
        let reached = std::iter::zip(SHARES, self.reached_by)
            .filter_map(|(share, sum)| Some(format!("{} with {:.0} %", sum?, 100.0 * share)));
        let reached = reached.collect::<Vec<_>>().join(", ");
        if !reached.is_empty() {
            let _ = writeln!(text, "    reaches {reached}");
        }
        if self.faults > 0 {
            let _ = writeln!(text, "    failed in {} of {} rounds", self.faults, self.played);
        }
        if self.fuel > self.fuel_limit {
            let _ = writeln!(
                text,
                "    its rounds together take more time than the testcase has, on average"
            );
        }
    }
}
