//! The tables of a tournament, as readable Markdown and as CSV.

use std::fmt::Write as _;

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};
use judge_core::printable;
use judge_report::without_minus_zero;

use super::openings::Openings;
use super::ranking::{RankedPlayer, Ranking, about_ratings, share};
use super::{TournamentReport, words};
use crate::Error;
use crate::base::csv_text::csv_text;

/// Maximum number of players for which a cross table is readable.
const WIDEST: usize = 40;

/// Formats all tables for people.
pub(super) fn markdown(report: &TournamentReport) -> String {
    let ranking = &report.ranking;
    let setting = words::setting(&report.pairing, report.pairs, &report.played);
    let mut text = format!("{}\n\n{}\n", printable(&setting, usize::MAX), ranks(ranking));
    paragraph(&mut text, &about_ratings(&escaped(ranking.name(0))));
    if ranking.rows.len() <= WIDEST {
        let _ = write!(text, "\n{}\n", cross(ranking));
        let _ = write!(text, "\n{}\n", results(ranking));
    } else {
        paragraph(&mut text, "The cross table is too wide for a text: see `--html` or `--json`.");
    }
    words::seats(&report.openings, &report.pairing)
        .iter()
        .for_each(|line| paragraph(&mut text, line));
    if !report.openings.shown.is_empty() {
        let _ = write!(text, "\n{}\n", openings(&report.openings));
    }
    for row in ranking.rows.iter().filter(|row| row.faults > 0) {
        paragraph(&mut text, &faults(row));
    }
    for remark in words::remarks(ranking, &report.played, escaped) {
        paragraph(&mut text, &remark);
    }
    text
}

/// Appends a paragraph, with untrusted texts escaped.
fn paragraph(text: &mut String, line: &str) {
    let _ = write!(text, "\n{line}\n");
}

fn table(headings: &[String], names: usize) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(headings);
    for column in table.column_iter_mut().skip(names) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn ranks(ranking: &Ranking) -> Table {
    let headings = [
        "",
        "player",
        "rating",
        "score, %",
        "won",
        "drawn",
        "lost",
        "seat 1, %",
        "seat 2, %",
        "faults",
    ];
    let mut table = table(&headings.map(str::to_owned), 2);
    for row in &ranking.rows {
        let [won, drawn, lost] = row.results();
        let mut cells = vec![row.place(), cell(&row.name), rating(row)];
        cells.push(per_cent(row.score));
        cells.extend([won, drawn, lost].map(|count| count.to_string()));
        cells.extend(row.seats.map(|results| per_cent(share(results))));
        cells.push(row.faults.to_string());
        table.add_row(cells);
    }
    table
}

/// The score of each player against each other player, in percent of the points.
fn cross(ranking: &Ranking) -> Table {
    by_opponent(ranking, "score, % against", &|one, other| {
        ranking.cross.share(one, other).map_or_else(String::new, per_cent)
    })
}

/// Rounds that each player won, drew and lost against each other player.
fn results(ranking: &Ranking) -> Table {
    by_opponent(ranking, "won-drawn-lost against", &|one, other| {
        let results = ranking.cross.results(one, other);
        results.map_or_else(String::new, |[won, drawn, lost]| format!("{won}-{drawn}-{lost}"))
    })
}

/// Returns a table with a row and a column per player.
fn by_opponent(ranking: &Ranking, heading: &str, met: &dyn Fn(usize, usize) -> String) -> Table {
    let numbers = (1..=ranking.rows.len()).map(|number| number.to_string());
    let headings = ["", heading].map(str::to_owned).into_iter().chain(numbers);
    let mut table = table(&headings.collect::<Vec<_>>(), 2);
    for (number, row) in (1_usize..).zip(&ranking.rows) {
        let cells = ranking.rows.iter().map(|other| met(row.player, other.player));
        let start = [number.to_string(), cell(&row.name)];
        table.add_row(start.into_iter().chain(cells));
    }
    table
}

fn openings(openings: &Openings) -> Table {
    let headings = ["seed", "seeds alike", "rounds", "seat 1", "interval"];
    let mut table = table(&headings.map(str::to_owned), 0);
    for opening in &openings.shown {
        let share = opening.seat_one;
        table.add_row([
            opening.seed.to_string(),
            opening.seeds.to_string(),
            opening.rounds.to_string(),
            per_cent(share.value),
            format!("{} to {}", per_cent(share.low), per_cent(share.high)),
        ]);
    }
    table
}

/// The rating. The first player of the command line has no interval if all ratings are relative to
/// it.
fn rating(RankedPlayer { player, rating, .. }: &RankedPlayer) -> String {
    let exact = *player == 0;
    let ends = (!exact).then_some([rating.low, rating.high]);
    judge_report::rating_text(rating.value, ends)
}

fn faults(row: &RankedPlayer) -> String {
    let kinds: Vec<String> =
        row.kinds.iter().map(|(verdict, count)| format!("{count} × {verdict}")).collect();
    let first = row.first_fault.as_deref().unwrap_or_default();
    let (name, faults, kinds) = (escaped(&row.name), row.faults, kinds.join(", "));
    format!("{name} failed in {faults} rounds ({kinds}), first: {}", escaped(first))
}

fn per_cent(share: f64) -> String {
    judge_report::per_cent(share, 1)
}

/// Formats a share with four decimals. Only exactly none and all are 0 and 1.
fn fraction(share: f64) -> String {
    let inner = share.clamp(0.0001, 0.9999);
    format!("{:.4}", if share > 0.0 && share < 1.0 { inner } else { share })
}

/// Maximum length of a name or a message.
const LONGEST: usize = 200;

/// Formats a name for a table cell.
fn cell(name: &str) -> String {
    escaped_by(judge_report::markdown_cell, name)
}

/// Formats a name or a message for a sentence.
fn escaped(text: &str) -> String {
    escaped_by(judge_report::markdown_code, text)
}

/// Formats an untrusted text, as code unless it is plain words, so that it contains no markup, link
/// or mention.
fn escaped_by(code: fn(&str) -> String, text: &str) -> String {
    let short = printable(text, LONGEST);
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '(' | ')' | ',');
    // A leading hyphen or space would start a list or code.
    let begins_plain = short.starts_with(char::is_alphanumeric);
    if begins_plain && short.chars().all(is_plain) { short } else { code(&short) }
}

/// Formats one line per player, with the results against the others in the same order.
pub(super) fn csv(ranking: &Ranking) -> Result<String, Error> {
    let headings = [
        "rank",
        "player",
        "rating",
        "low",
        "high",
        "score",
        "won",
        "drawn",
        "lost",
        "seat_1",
        "seat_2",
        "faults",
        "ended_early",
        "first_fault",
    ];
    let against = (1..=ranking.rows.len()).map(|number| format!("against_{number}"));
    let headings = headings.map(str::to_owned).into_iter().chain(against);
    let rows = ranking.rows.iter().map(|row| {
        // Spreadsheets must not interpret a name as a formula.
        let mut cells = vec![row.place(), judge_report::cell(&row.name)];
        let rating = [row.rating.value, row.rating.low, row.rating.high];
        cells.extend(rating.map(|points| without_minus_zero(format!("{points:.1}"))));
        cells.push(fraction(row.score));
        cells.extend(row.results().map(|count| count.to_string()));
        cells.extend(row.seats.map(|results| fraction(share(results))));
        cells.extend([row.faults, row.ended_early].map(|count| count.to_string()));
        cells.push(judge_report::cell(row.first_fault.as_deref().unwrap_or_default()));
        // In words, because spreadsheets interpret `1-2-3` as a date.
        cells.extend(ranking.rows.iter().map(|other| {
            let results = ranking.cross.results(row.player, other.player);
            results
                .map_or_else(String::new, |[won, drawn, lost]| format!("{won}w {drawn}d {lost}l"))
        }));
        cells
    });
    csv_text(headings, rows)
}

#[cfg(test)]
mod tests {
    use super::{cell, escaped, fraction};

    #[test]
    fn only_exact_shares_print_as_0_or_100() {
        let shown = [0.0, 0.00001, 0.5, 0.99999, 1.0].map(fraction);
        assert_eq!(shown, ["0.0000", "0.0001", "0.5000", "0.9999", "1.0000"]);
    }

    #[test]
    fn names_of_players_are_escaped() {
        assert_eq!(escaped("my-bot (2)"), "my-bot (2)");
        for name in ["**b**", "_i_", "~~s~~", "&#114;andom", "@ada", "#1", "www.evil.example", "-x"]
        {
            assert_eq!(escaped(name), format!("`{name}`"));
        }
        assert_eq!(escaped("a|`<"), "``a|`<``");
        assert_eq!(cell("a|`<"), "<code>a&#124;&#96;&#60;</code>");
        assert_eq!(escaped(&"a".repeat(300)).len(), 200);
    }
}
