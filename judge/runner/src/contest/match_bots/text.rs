//! The result of a match for people.

use std::fmt::Write as _;

use judge_arena::{PairTally, TestEnd};
use judge_core::{Seat, SeatSpec, printable};
use judge_statistics::{Distinct, Estimate, Sprt};

use super::report::MatchReport;
use crate::contest::StartPosition;

/// Width of the labels.
const WIDTH: usize = 18;

/// Number of independent pairs below which the interval of a skewed mean is too narrow.
const FEW: u64 = 30;

/// The warning about too few pairs.
const FEW_WARNING: &str = "; with fewer than 30 pairs the interval may be too narrow";

/// Formats the table.
pub(super) fn table(report: &MatchReport) -> String {
    let mut text = format!("{}\n\n", heading(report));
    for (name, value) in lines(report) {
        let _ = writeln!(text, " {name:WIDTH$} {}", printable(&value, usize::MAX));
    }
    if let Some(why) = early_end(report) {
        let _ = write!(text, "\n{}\n", printable(&why, usize::MAX));
    }
    text
}

/// Formats the table of a match that was stopped, for the pairs so far.
pub(super) fn unfinished(report: &MatchReport, pairs: u64) -> String {
    let played = report.tally.table.pairs() + report.tally.left_out;
    let mark = format!("UNFINISHED: interrupted after {} of {} rounds", 2 * played, 2 * pairs);
    match report.tally.table.pairs() {
        0 => format!("{mark}\n"),
        _ => format!("{mark}\n\n{}", table(report)),
    }
}

pub(super) fn heading(report: &MatchReport) -> String {
    let pairing = &report.pairing;
    let title = judge_games::find(&pairing.game).map_or("", judge_games::Game::title);
    let switches: Vec<String> =
        pairing.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let rules =
        if switches.is_empty() { String::new() } else { format!(" {}", switches.join(" ")) };
    let [first, second] = pairing.players.each_ref().map(SeatSpec::name);
    let start = report.start.as_ref();
    let from = start.map(|start| format!(" {}", start.words())).unwrap_or_default();
    let last = pairing.seed((report.tally.table.pairs() + report.tally.left_out).max(1) - 1);
    let seeds = match start.is_none_or(StartPosition::is_redealt) {
        true => format!("seeds {} to {last}, each from both seats", pairing.seed),
        false => "from both seats".to_owned(),
    };
    printable(&format!("A {first} against B {second}: {title}{rules}{from}, {seeds}"), usize::MAX)
}

pub(super) fn lines(report: &MatchReport) -> Vec<(&'static str, String)> {
    let tally = &report.tally;
    let table = &tally.table;
    let [seat_one, seat_two] = Seat::BOTH.map(|seat| results(table.in_seat(seat)));
    let evidence = &tally.evidence;
    let strength = evidence.strength();
    let normalized = strength.normalized_elo;
    let mut lines = vec![
        ("rounds", results(table.results())),
        ("A in seat 1", seat_one),
        ("A in seat 2", seat_two),
        ("pairs", pairs(table.counts())),
    ];
    lines.extend(starts(table.pairs(), evidence.distinct()).map(|text| ("starts", text)));
    lines.extend([
        ("score of A", per_cent(&evidence.score())),
        ("Elo", ends(&strength.elo, 1)),
        ("normalized Elo", normalized.map_or("no spread".to_owned(), |elo| ends(&elo, 1))),
        ("A is stronger", format!("{} likely", likelihood(strength.superiority))),
    ]);
    if tally.has_scores {
        let difference = evidence.difference();
        let few = if evidence.distinct().independent < FEW { FEW_WARNING } else { "" };
        lines.push(("score difference", format!("{} a round{few}", ends(&difference, 2))));
    }
    lines.push(("pairing", pairing(tally)));
    lines.extend([("faults of A", faults(tally, 0)), ("faults of B", faults(tally, 1))]);
    if tally.left_out > 0 {
        let first = tally.first_failure.as_deref().unwrap_or_default();
        lines.push(("left out", format!("{} pairs with a judge error: {first}", tally.left_out)));
    }
    lines.extend(report.sprt.as_ref().map(|sprt| ("SPRT", test(report, sprt))));
    lines
}

fn results([won, drawn, lost]: [u64; 3]) -> String {
    format!("{}: {won} won, {drawn} drawn, {lost} lost", won + drawn + lost)
}

/// Formats the counts of pairs from best to worst.
fn pairs(counts: [u64; 5]) -> String {
    let [none, half, one, more, two] = counts;
    let pairs: u64 = counts.iter().sum();
    format!("{pairs}: {two} of 2 points, {more} of 1½, {one} of 1, {half} of ½, {none} of 0")
}

/// The number of different starts, if pairs repeat each other. The intervals depend on it.
fn starts(pairs: u64, Distinct { starts, independent }: Distinct) -> Option<String> {
    match starts {
        1 if pairs > independent => {
            Some(format!("1: {independent} of {pairs} pairs took different courses"))
        }
        1 => None,
        starts if starts < pairs => {
            Some(format!("{starts}: pairs that begin alike count as one in the intervals"))
        }
        _ => None,
    }
}

fn per_cent(score: &Estimate) -> String {
    let [value, low, high] =
        [score.value, score.low, score.high].map(|share| judge_report::per_cent(share, 1));
    format!("{value} % ({low} to {high})")
}

/// Formats an estimate with the ends of its interval, all signed.
fn ends(estimate: &Estimate, decimals: usize) -> String {
    let signed = |number: f64| match number {
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "-∞".to_owned(),
        number => match judge_report::without_minus_zero(format!("{number:.decimals$}")) {
            negative if negative.starts_with('-') => negative,
            other => format!("+{other}"),
        },
    };
    let Estimate { value, low, high } = *estimate;
    format!("{} ({} to {})", signed(value), signed(low), signed(high))
}

/// Formats a likelihood, never as 0 or 100, because no estimate is certain.
fn likelihood(share: f64) -> String {
    match 100.0 * share {
        low if low < 0.05 => "under 0.1 %".to_owned(),
        high if high >= 99.95 => "over 99.9 %".to_owned(),
        share => format!("{share:.1} %"),
    }
}

/// The share of variance that remains because both rounds of a pair have the same luck.
fn pairing(tally: &PairTally) -> String {
    let Some(points) = tally.table.variance_ratio() else { return "nothing varies".to_owned() };
    let text = format!("{:.0} % of the variance of unpaired rounds", 100.0 * points);
    let scores = tally.margins.variance_ratio().filter(|_| tally.has_scores);
    let scores = scores.map(|ratio| format!("; {:.0} % in the score difference", 100.0 * ratio));
    text + &scores.unwrap_or_default()
}

fn faults(tally: &PairTally, player: usize) -> String {
    let Some(first) = &tally.first_faults[player] else { return "none".to_owned() };
    let kinds: Vec<String> =
        tally.kinds_of(player).map(|(verdict, count)| format!("{count} × {verdict}")).collect();
    format!("{} (the first: {first})", kinds.join(", "))
}

fn test(report: &MatchReport, sprt: &Sprt) -> String {
    let counts = report.tally.evidence.firsts();
    let (ratio, [low, high]) = (sprt.log_ratio(&counts), sprt.bounds());
    let decision = match report.end {
        TestEnd::Decided(decision) => decision.to_string(),
        TestEnd::AlwaysFails(_) | TestEnd::NothingCounts | TestEnd::Played => {
            "not decided".to_owned()
        }
    };
    let pairs: u64 = counts.iter().sum();
    format!("{decision} after {pairs} pairs: {sprt}, LLR {ratio:.2} ({low:.2} to {high:.2})")
}

pub(super) fn early_end(report: &MatchReport) -> Option<String> {
    let TestEnd::AlwaysFails(player) = report.end else { return None };
    let name = ["A", "B"].get(player)?;
    let first = report.tally.first_faults[player].as_deref().unwrap_or_default();
    Some(format!("ended early: {name} failed in every round; the first time: {first}"))
}
