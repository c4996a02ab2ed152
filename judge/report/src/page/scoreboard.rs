//! The page of a scoreboard: all students' points and scores, with sorting and search.

use askama::Template;
use judge_core::{Points, Shows, Verdict};

use super::sheet::{Sheet, tame};
use crate::scoreboard::{Bin, Cell, Field, NOT_PLAYED, Scoreboard, ScoreboardRow, sign};

/// Above this number of testcases, the page shows signs until the reader asks for scores.
const MOST_AS_SCORES: usize = 16;

/// Steps of a margin's bar in each direction.
const STEPS: u128 = 10;

/// Width and height of a histogram's bar, in units of the picture.
const BIN: (usize, usize) = (24, 90);

impl Scoreboard {
    /// Renders the page as one HTML document.
    pub fn to_html(&self) -> String {
        let sheet = Sheet::new(&[include_str!("scoreboard.css")], include_str!("scoreboard.js"));
        Page::new(self, sheet).render().expect("writing to a text does not fail") + "\n"
    }
}

#[derive(Template)]
#[template(path = "scoreboard.html")]
struct Page {
    sheet: Sheet,
    heading: String,
    title: String,
    suite: String,
    judge: String,
    pseudonyms: bool,
    by_rank: bool,
    has_hidden: bool,
    signs_first: bool,
    field: Field,
    bars: Vec<Bar>,
    columns: Vec<Head>,
    legend: Vec<(&'static str, &'static str, &'static str)>,
    rows: Vec<BoardRow>,
}

/// A bar of the histogram.
struct Bar {
    x: usize,
    y: usize,
    height: usize,
    count: usize,
    from: u64,
    to: u64,
    /// The label under the bar, if there is room. The last bar has the maximum.
    label: Option<u64>,
}

/// The head of a testcase's column.
struct Head {
    name: String,
    title: String,
    hidden: bool,
    /// The threshold, if scores are shown.
    needed: Option<i64>,
    max_points: Points,
    /// True if its points count above the maximum.
    extra: bool,
    passed: usize,
    /// Percentage of the graded submissions that passed it.
    percent: usize,
}

struct BoardRow {
    rank: u32,
    name: String,
    page: Option<String>,
    points: Points,
    max_points: Points,
    open: bool,
    rank_points: Option<Points>,
    passed: u32,
    score: i64,
    worst: String,
    sign: &'static str,
    kind: &'static str,
    cells: Vec<Option<ShownCell>>,
}

/// A cell with its class, which encodes verdict and length of the bar.
struct ShownCell {
    class: String,
    sign: &'static str,
    /// The points, if no score is shown.
    score: String,
    margin: String,
    /// The points, if they are neither zero nor the maximum.
    part: Option<Points>,
}

impl Page {
    fn new(scoreboard: &Scoreboard, sheet: Sheet) -> Page {
        let field = Field::new(scoreboard);
        let title = tame(&scoreboard.title);
        let scales = scales(scoreboard);
        Page {
            heading: format!("{title}: scoreboard"),
            suite: tame(&scoreboard.suite),
            judge: tame(&scoreboard.fingerprint.judge),
            pseudonyms: scoreboard.pseudonyms,
            by_rank: scoreboard.students.iter().any(|place| place.rank_points.is_some()),
            has_hidden: scoreboard.testcases.iter().any(|column| column.hidden),
            signs_first: scoreboard.testcases.len() > MOST_AS_SCORES,
            bars: bars(&field.histogram),
            columns: heads(scoreboard, &field),
            legend: legend(scoreboard),
            rows: scoreboard.students.iter().map(|place| BoardRow::new(place, &scales)).collect(),
            title,
            field,
            sheet,
        }
    }
}

/// The largest margin of a testcase in each direction, and the longest one's number of characters.
#[derive(Clone, Copy)]
struct Scale {
    largest: u64,
    width: usize,
}

fn scales(scoreboard: &Scoreboard) -> Vec<Scale> {
    let largest = |at: usize| {
        let cells = || scoreboard.students.iter().filter_map(|place| place.testcases[at]);
        let margins =
            || cells().filter(|cell| !cell.verdict.is_fault()).filter_map(|cell| cell.margin);
        Scale {
            largest: margins().map(i64::unsigned_abs).max().unwrap_or(0),
            width: margins().map(|margin| format!("{margin:+}").len()).max().unwrap_or(0),
        }
    };
    (0..scoreboard.testcases.len()).map(largest).collect()
}

fn bars(histogram: &[Bin]) -> Vec<Bar> {
    let most = histogram.iter().map(|bin| bin.count).max().unwrap_or(0).max(1);
    let every = histogram.len().div_ceil(10);
    let last = histogram.len().saturating_sub(1);
    let label = |number: usize, bin: &Bin| match number {
        number if number == last => Some(bin.to),
        number if number % every == 0 && last - number >= every => Some(bin.from),
        _ => None,
    };
    let bar = |(number, bin): (usize, &Bin)| {
        let height = (bin.count * BIN.1).div_ceil(most);
        Bar {
            x: number * BIN.0,
            y: BIN.1 - height,
            height,
            count: bin.count,
            from: bin.from,
            to: bin.to,
            label: label(number, bin),
        }
    };
    histogram.iter().enumerate().map(bar).collect()
}

fn heads(scoreboard: &Scoreboard, field: &Field) -> Vec<Head> {
    let head = |(column, passed): (&crate::Column, &usize)| Head {
        name: tame(&column.name),
        title: tame(&column.title),
        hidden: column.hidden,
        needed: column
            .shows
            .is_none_or(|shows| shows == Shows::Verdict)
            .then_some(column.min_score),
        max_points: column.max_points,
        extra: !column.extra.is_zero(),
        passed: *passed,
        percent: passed * 100 / field.graded.max(1),
    };
    scoreboard.testcases.iter().zip(&field.passed).map(head).collect()
}

/// Class, sign and name of each verdict on the scoreboard.
fn legend(scoreboard: &Scoreboard) -> Vec<(&'static str, &'static str, &'static str)> {
    let cells = || scoreboard.students.iter().flat_map(|place| &place.testcases);
    let worst =
        |verdict| scoreboard.students.iter().any(|place| place.worst_verdict == Some(verdict));
    let seen = |verdict| worst(verdict) || cells().flatten().any(|cell| cell.verdict == verdict);
    let masked = cells().flatten().any(|cell| cell.score.is_none());
    let label = |verdict: Verdict| match verdict {
        Verdict::BelowThreshold if masked => "Below threshold, or not passed",
        verdict => verdict.label(),
    };
    let known = Verdict::ALL.into_iter().filter(|verdict| seen(*verdict));
    let mut known: Vec<_> =
        known.map(|verdict| (kind(verdict), sign(verdict), label(verdict))).collect();
    if cells().any(Option::is_none) {
        known.push(("n", NOT_PLAYED, "Not played"));
    }
    known
}

/// The CSS class of a verdict, which determines its colour.
pub fn kind(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "a",
        Verdict::BelowThreshold => "b",
        Verdict::JudgeError => "j",
        _ => "f",
    }
}

impl BoardRow {
    fn new(place: &ScoreboardRow, scales: &[Scale]) -> BoardRow {
        BoardRow {
            rank: place.rank,
            name: tame(&place.name),
            page: place.page.clone(),
            points: place.points,
            max_points: place.max_points,
            open: place.is_open(),
            rank_points: place.rank_points,
            passed: place.passed,
            score: place.score,
            worst: tame(&place.worst_and_late()),
            sign: place.worst_verdict.map_or(NOT_PLAYED, sign),
            kind: place.worst_verdict.map_or("n", kind),
            cells: std::iter::zip(&place.testcases, scales)
                .map(|(cell, scale)| cell.map(|cell| ShownCell::new(cell, *scale)))
                .collect(),
        }
    }
}

impl ShownCell {
    fn new(cell: Cell, scale: Scale) -> ShownCell {
        let kind = kind(cell.verdict);
        let shown = cell.score.zip(cell.margin).filter(|_| !cell.verdict.is_fault());
        let Some((score, margin)) = shown else {
            let is_fault = cell.verdict.is_fault();
            let score = if is_fault { String::new() } else { format!("{} points", cell.points) };
            let (class, margin) = (kind.to_owned(), String::new());
            return ShownCell { class, sign: sign(cell.verdict), score, margin, part: None };
        };
        // Rounded up, so that only a margin of zero has no bar.
        let part = u128::from(margin.unsigned_abs()) * STEPS;
        let step = part.div_ceil(u128::from(scale.largest.max(1))).min(STEPS);
        let side = if margin < 0 { 'm' } else { 'p' };
        let class = if step == 0 { kind.to_owned() } else { format!("\"{kind} {side}{step}\"") };
        // Figure spaces keep the scores of a column aligned.
        let margin = format!("{margin:+}");
        let space = "\u{2007}".repeat(scale.width.saturating_sub(margin.len()));
        let margin = space + &margin;
        let part = cell.in_part.then_some(cell.points);
        ShownCell { class, sign: sign(cell.verdict), score: score.to_string(), margin, part }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_of_points_ends_at_the_maximum() {
        let labels = |most: u64, bins: u64| -> Vec<u64> {
            let width = most.div_ceil(bins);
            let bin = |number: u64| {
                let (from, to) = (number * width, (number * width + width - 1).min(most));
                Bin { from, to, count: 1 }
            };
            let histogram: Vec<Bin> = (0..=most / width).map(bin).collect();
            bars(&histogram).iter().filter_map(|bar| bar.label).collect()
        };
        assert_eq!(labels(160, 16), [0, 20, 40, 60, 80, 100, 120, 140, 160]);
        assert_eq!(labels(150, 15), [0, 20, 40, 60, 80, 100, 120, 150]);
        assert_eq!(labels(3, 3), [0, 1, 2, 3]);
    }

    #[test]
    fn bars_of_margins_have_a_minimum_and_a_maximum() {
        let class = |margin, largest| {
            let (score, margin) = (Some(0), Some(margin));
            let (verdict, points) = (Verdict::Accepted, Points::ZERO);
            let cell = Cell { verdict, score, margin, points, in_part: false };
            ShownCell::new(cell, Scale { largest, width: 3 }).class
        };
        assert_eq!(class(0, 0), "a");
        assert_eq!(class(1, 1_000_000), "\"a p1\"");
        assert_eq!(class(i64::MAX, u64::MAX), "\"a p5\"");
        assert_eq!(class(i64::MIN, i64::MIN.unsigned_abs()), "\"a m10\"");
    }
}
